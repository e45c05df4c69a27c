"""What wide boards would take: formulas against arrays and lists of all patterns, and the page."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks import wide
from kt_cp.counting.dense.halves import sweep_steps
from kt_cp.counting.dense.matchings import layout
from kt_cp.counting.dense.on_disk import whole_half
from tests.oracles.dense_twin import Twin
from tests.support.command_line import ROOT


def every(slots, total):
    """All patterns of digits with a sum."""
    return [each for each in product(range(3), repeat=slots) if sum(each) == total]


def entries(pattern):
    return wide.matchings(pattern.count(1) // 2)


@pytest.mark.parametrize("width", [2, 3, 4])
def test_sizes_are_those_of_all_patterns(width):
    patterns = every(2 * width, 2 * width)
    assert sum(many for _, many in wide.patterns(width)) == len(patterns)
    assert wide.entries(width) == sum(map(entries, patterns))
    assert wide.meeting(width) == sum(
        entries(each) * (each.count(1) // 2) ** 2 for each in patterns
    )
    keys = {}
    for each in patterns:
        keys[each[:width]] = keys.get(each[:width], 0) + entries(each)
    assert wide.largest_key(width) == max(keys.values())


@pytest.mark.parametrize("width", [3, 6, 7])
def test_sizes_are_those_of_the_array(width):
    assert wide.entries(width) == layout(2 * width, 2 * width, 0)[1]


@pytest.mark.parametrize("width", [2, 3, 4])
def test_additions_are_those_of_an_edge(width):
    """Of a dark slot 0 and a light slot 1: digits go from (a, b) to (a + 1, b - 1)."""
    found = 0
    for pattern in every(2 * width, 2 * width):
        dark, light, *others = pattern
        if dark == 2 or light == 0:
            continue
        ends = others.count(1)
        if (dark, light) == (1, 1):  # k pairs are left, and 2k entries come to each
            found += ends * wide.matchings(ends // 2)
        else:
            found += entries(pattern)
    assert wide.additions(width) == found


def test_steps_are_those_of_the_sweep():
    for rows, width in ((6, 6), (8, 8), (10, 8), (8, 7)):
        taken = [step for row in sweep_steps(whole_half(rows, width)) for step in row]
        edges = sum(type(step).__name__ == "Edge" for step in taken)
        assert wide.edges(width, rows) == edges, (rows, width)


@pytest.mark.slow
def test_living_states_are_counted(capsys):
    *_, states = wide.sweep_half(6, 4)
    twin = Twin(whole_half(6, 4), (0, 0))
    for step in (step for row in sweep_steps(whole_half(6, 4)) for step in row):
        twin.take(step)
    (held,) = twin.states.values()
    assert wide.living(states) == (len(+held), max(held.values()))
    wide.measure(6, 4)
    assert f"6x4, row 3: {len(+held):,} of 2,835 live" in capsys.readouterr().out


def test_the_page_has_these_tables(capsys):
    wide.main()
    page = (ROOT / "docs" / "explanation" / "wide-boards.md").read_text("utf-8")
    assert capsys.readouterr().out.strip().replace("\n\n", "\n").splitlines() == [
        line for line in page.splitlines()
        if line.startswith("|") and line.count("|") in (6, 8) and "live" not in line
    ]  # fmt: skip
