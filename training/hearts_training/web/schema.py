"""Schema of the file of a server, and the check that a file has it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from hearts_training.web.private import MEMORY

VERSION = 4
"""Of the schema."""
READ = (0, 2, 3, VERSION)
"""Versions that are read: 0 is a new file; 2 had neither settings nor lost actions, 3 one adviser a study."""
OLDEST = {"tables", "actions", "results"}
"""Tables that every version has had."""
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS tables (
    key TEXT PRIMARY KEY, rules TEXT NOT NULL, start TEXT NOT NULL, chairs TEXT NOT NULL, pace REAL NOT NULL,
    began REAL NOT NULL, ended REAL, hints INTEGER NOT NULL DEFAULT 1, helped INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS holders (
    browser TEXT NOT NULL, key TEXT NOT NULL REFERENCES tables, token TEXT NOT NULL, PRIMARY KEY (browser, key, token)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS studies (key TEXT PRIMARY KEY, message TEXT NOT NULL, agent TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE IF NOT EXISTS valued (
    key TEXT NOT NULL REFERENCES studies, place INTEGER NOT NULL, choices TEXT NOT NULL, PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS opinions (
    key TEXT NOT NULL REFERENCES studies, agent TEXT NOT NULL, place INTEGER NOT NULL, choices TEXT NOT NULL,
    PRIMARY KEY (key, agent, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS remarks (
    key TEXT NOT NULL REFERENCES studies, place INTEGER NOT NULL, actions TEXT NOT NULL, agent TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (key, place, actions)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO opinions SELECT key, agent, place, choices FROM valued JOIN studies USING (key);
DELETE FROM valued;
CREATE TABLE IF NOT EXISTS actions (
    key TEXT NOT NULL REFERENCES tables, place INTEGER NOT NULL, seat INTEGER NOT NULL, action TEXT NOT NULL,
    time REAL NOT NULL, PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lost (
    key TEXT NOT NULL, place INTEGER NOT NULL, seat INTEGER NOT NULL, action TEXT NOT NULL, time REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS results (
    key TEXT NOT NULL REFERENCES tables, seat INTEGER NOT NULL, name TEXT NOT NULL, person INTEGER NOT NULL,
    variant TEXT NOT NULL, deals INTEGER NOT NULL, margin REAL NOT NULL, place INTEGER NOT NULL, others TEXT NOT NULL,
    PRIMARY KEY (key, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ratings (
    name TEXT NOT NULL, person INTEGER NOT NULL, variant TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    matches INTEGER NOT NULL, PRIMARY KEY (name, person, variant)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


def check_ours(file: Path) -> None:
    """Refuse a file that is neither empty nor a database of this suite, without a change of it or beside it.

    SQLite reads it as one that nobody writes. Where that shows nothing, all that was written is in the file beside it,
    as a first server that was killed leaves it; then copies of both are read.

    Raises:
        ValueError: it is a database of another program or version.
        sqlite3.Error: it is no database.
    """
    real = file.resolve()
    if str(file) == MEMORY or not real.exists() or not real.stat().st_size:
        return
    with closing(sqlite3.connect(f"{real.as_uri()}?immutable=1", uri=True)) as db:
        shows_nothing = not check_tables(file, db)
    written = real.with_name(f"{real.name}-wal")
    if shows_nothing and written.exists():
        with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / real.name)) as db:
            for path in (real, written):
                shutil.copyfile(path, Path(folder) / path.name)
            check_tables(file, db)


def check_tables(file: Path, db: sqlite3.Connection) -> set[str]:
    """The tables of a file. Raises ValueError if another version or another program wrote it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    own = set(re.findall(r"EXISTS (\w+)", SCHEMA))
    if version not in READ:
        raise ValueError(f"{file} was written by another version of the suite, or another program; name another --file")
    if tables - own if version == 0 else not tables >= OLDEST:  # 0: its own, if a start was killed
        raise ValueError(f"{file} is a database of another program; name another --file")
    return tables
