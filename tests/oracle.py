"""The naive oracle that kt_cp.testing ships, by its old name."""

from kt_cp.testing.oracle import exists, knight_graph, tours

__all__ = ["exists", "knight_graph", "tours"]
