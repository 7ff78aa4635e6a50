from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.web import Site, running


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("web") / "tables.sqlite3") as one:
        yield one
