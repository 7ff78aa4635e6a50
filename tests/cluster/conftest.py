"""A Ray cluster of two nodes on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.importorskip("ray", reason="needs the extra cluster")


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The address of a cluster of two nodes with a core each."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        nodes.add_node(num_cpus=1)
        yield nodes.address
    finally:
        nodes.shutdown()
