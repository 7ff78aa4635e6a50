"""``croissant.json``: the content of a data set in the form of Croissant, for catalogues and loaders that read it.

https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pyarrow as pa

from hearts_training.data.parts import Description

FILE = "croissant.json"
ABOUT = {
    "deal": "number of the deal in the data set",
    "seed": "the seed that deals it",
    "deal_number": "deals finished before in its match",
    "dealer": "the seat that dealt",
    "hands": "the cards dealt, the hands from seat 0 on, separated by |",
    "kitty": "the cards left over, in order",
    "set": "with --from: true if the cards were set, and are not those that the seed deals",
    "leader": "with --from: the seat named to lead to the first trick; -1 where the rules name it",
    "totals_before": "with --from: totals before the deal, per seat",
    "totals_before_imaginary": "their imaginary parts",
    "agents": "the agent in each seat",
    "actions": "ids of all actions of the deal, one byte each; Game.actions names them",
    "seats": "who took each action, one byte each",
    "points": "points of the deal, per seat",
    "points_imaginary": "their imaginary parts, in games of Gaussian integers",
    "totals": "totals after the deal, per seat",
    "totals_imaginary": "their imaginary parts",
    "observations": "for every action, what the seat saw; hearts_env.observation_layout names the columns",
    "masks": "for every action, the legal actions as 0 or 1",
    "rewards": "for every action, what its seat earned until its next one; they add up to the points, negated where "
    "the lowest total wins",
    "step": "number of actions before this decision",
    "seat": "who makes this decision",
    "player": "the agent that made it; its action is actions[step]",
    "choice": "id of the search's own choice",
    "legal": "ids of the legal actions; the lists that follow are in the same order",
    "values": "expected margin of the seat after each action, in points of the deal: own points minus the mean of the "
    "opponents; lower is better",
    "errors": "standard error of the difference between that value and that of the rule agent's action, which has 0",
    "worlds": "number of worlds in which the action was tried; clearly worse ones are dropped early",
}
"""Column -> what it holds."""
_TERMS = (
    "citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes isLiveDataset "
    "jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source "
    "subField transform"
)
_CONTEXT = {  # word for word that of the specification
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{name: f"cr:{name}" for name in _TERMS.split()},
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}


def croissant(holds: str, description: Description, file: bytes, columns: pa.Schema) -> bytes:
    """The description of a data set.

    Args:
        holds: ``labels`` or ``games``.
        description: what it holds; the variant and the agents are named.
        file: the content of its own description, ``<holds>.json``.
        columns: of a part.
    """
    agents = ", ".join(description.get("agents") or description["players"])
    row = "a searched decision" if holds == "labels" else "a deal"
    parts = {"@type": "cr:FileSet", "@id": "parts", "name": "parts", "includes": "part-*.parquet"}
    own = {"@type": "cr:FileObject", "@id": "description", "name": f"{holds}.json", "contentUrl": f"{holds}.json"}
    found = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"hearts-{holds}",
        "description": f"{description['variant']}, played by {agents}; one row is {row}.",
        "version": description["version"],
        "distribution": [
            {**own, "encodingFormat": "application/json", "sha256": hashlib.sha256(file).hexdigest()},
            {**parts, "encodingFormat": "application/x-parquet"},
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": holds, "name": holds, "field": [_field(holds, one) for one in columns]}
        ],
    }
    return (json.dumps(found, indent=2) + "\n").encode()


def _field(holds: str, column: pa.Field) -> dict[str, Any]:
    kind, lists = _item(column.type)
    return {
        "@type": "cr:Field",
        "@id": f"{holds}/{column.name}",
        "name": column.name,
        "description": ABOUT[column.name],
        "dataType": kind,
        "source": {"fileSet": {"@id": "parts"}, "extract": {"column": column.name}},
        **({"repeated": True} if lists else {}),
    }


def _item(kind: pa.DataType) -> tuple[str, bool]:
    if pa.types.is_dictionary(kind):
        return _item(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return _item(kind.value_type)[0], True
    names = {pa.types.is_integer: "sc:Integer", pa.types.is_floating: "sc:Float", pa.types.is_boolean: "sc:Boolean"}
    return next((name for test, name in names.items() if test(kind)), "sc:Text"), False
