"""The tests that share a worker of pytest-xdist, with ``--dist loadgroup``.

Marks named ``xdist_group`` do nothing with pytest 9.2 and xdist 3.8: xdist adds the group to an
attribute that pytest no longer reads (pytest-xdist, issue 1386).  Each worker then starts its own
browser, server and cluster, and compiles the same kernels.
"""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling

GROUPS = {
    # They share a browser and a server.
    "browser": re.compile(r"tests/web/test_(?!jobs|server)|.*::test_moves_are_the_package_s"),
    # Kernels are compiled once.
    "counting": re.compile("tests/counting/"),
    # They share a cluster, and start processes while no other test does.
    "dask": re.compile("tests/processes/test_executors.py"),
    # They share a cache of mypy.
    "mypy": re.compile("tests/test_packaging.py::test_mypy"),
}


def group_of(nodeid: str) -> str:
    """Return the group of a test; a test without one is a group by itself."""
    return next((name for name, tests in GROUPS.items() if tests.match(nodeid)), nodeid)


class GroupScheduling(LoadScopeScheduling):
    """A scheduler that runs each group on one worker, the largest group first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
