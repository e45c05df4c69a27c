"""The contract of every engine and encoding, as tests for pytest.

It imports every folder, and none imports it.  In a test of another package::

    from kt_cp.testing import encoding_contract, engine_contract

    test_engine = engine_contract("mine")
    test_encoding = encoding_contract("mine")

Each is a test that pytest runs once for each promise: ``test_engine[mine-tiny boards]``.  The names
are those of the entry points; an :class:`~kt_cp.engines.Engine` or
:class:`~kt_cp.encodings.Encoding` itself also works.  A new encoding is an engine too:
``engine_contract("sat:mine")``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from kt_cp.encodings import Encoding
from kt_cp.engines import Engine

try:
    import pytest
except ImportError:
    raise ImportError("kt_cp.testing needs pytest: install kt_cp[test]") from None

PARTS = ("answers", "encoding", "engine", "models")
pytest.register_assert_rewrite(*(f"kt_cp.testing.{part}" for part in PARTS))

from kt_cp.testing import encoding, engine  # noqa: E402 - their assertions name what they compare

__all__ = ["encoding_contract", "engine_contract"]

Promises = Mapping[str, Callable[[Any], Any]]


def engine_contract(*engines: str | Engine, but: Collection[str] = ()) -> Callable[..., None]:
    """Return a test that engines keep the contract.

    Verdicts are compared with naive oracles on tiny boards and graphs, random ones, and questions
    of pieces, surfaces, missing squares, required and forbidden moves; then boards of up to thirty
    squares, the same tour for the same seed, progress, and time limits.  It takes a few seconds.

    Parameters
    ----------
    but : collection of str
        Promises that are left out, such as ``"time limits"``.

    Examples
    --------
    >>> test_engine = engine_contract("backtrack", but=["time limits"])
    >>> (mark,) = test_engine.pytestmark
    >>> [case.id for case in mark.args[1]][:2]
    ['backtrack-registered', 'backtrack-tiny boards']
    """
    return _contract(engines, engine.PROMISES, but)


def encoding_contract(*encodings: str | Encoding, but: Collection[str] = ()) -> Callable[..., None]:
    """Return a test that encodings keep the contract.

    All models of small problems are compared with the tours of naive oracles and with known
    numbers, damaged models are decoded, and estimates of clauses are compared with formulas.

    Parameters
    ----------
    but : collection of str
        Promises that are left out.

    Examples
    --------
    >>> test_encoding = encoding_contract("reach")
    >>> (mark,) = test_encoding.pytestmark
    >>> [case.id for case in mark.args[1]][:2]
    ['reach-registered', 'reach-known counts']
    """
    return _contract(encodings, encoding.PROMISES, but)


def _contract(
    tested: Collection[Any], promises: Promises, but: Collection[str]
) -> Callable[..., None]:
    if unknown := {*but} - {*promises}:
        raise ValueError(f"expected promises of {', '.join(promises)}, got {sorted(unknown)}")
    cases = [
        pytest.param(each, promise, id=f"{each if isinstance(each, str) else each.name}-{name}")
        for each in tested
        for name, promise in promises.items()
        if name not in but
    ]

    def contract(tested: Any, promise: Callable[[Any], Any]) -> None:
        promise(tested)

    test: Callable[..., None] = pytest.mark.parametrize(("tested", "promise"), cases)(contract)
    return test
