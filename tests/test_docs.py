"""Examples in docstrings are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import kt_cp

MODULES = ["kt_cp"] + [
    found.name
    for found in pkgutil.walk_packages(kt_cp.__path__, "kt_cp.")
    if not found.name.endswith("__main__")  # which runs the command line
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} says nothing of itself"
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(
        len(test.examples)
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
    )
    assert examples > 40
