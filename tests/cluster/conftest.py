"""A Ray cluster of two nodes on this machine."""

import importlib.util
import os
from collections.abc import Iterator
from typing import Any

import pytest

if importlib.util.find_spec("ray") is None:
    pytest.skip("needs the extra cluster", allow_module_level=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a cluster is exhaustive."""
    for item in items:
        if "nodes" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.exhaustive)


@pytest.fixture(scope="package")
def nodes() -> Iterator[Any]:
    """A cluster of two nodes with a core each, as Ray's tests start them."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()


@pytest.fixture
def address(nodes: Any) -> str:
    """Its address."""
    return str(nodes.address)
