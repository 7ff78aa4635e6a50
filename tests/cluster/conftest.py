"""A Ray cluster of two nodes on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

pytest.importorskip("ray", reason="needs the extra cluster")


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The address of a cluster of two nodes with a core each."""
    import ray
    from ray.cluster_utils import Cluster

    ray.init(include_dashboard=False, num_cpus=0) if False else None
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    yield nodes.address
    ray.shutdown()
    nodes.shutdown()
