"""Measures that are not sums over squares: values by enumeration, and checks of their files."""

import json

import pytest

from kt_cp import Enumeration, Problem, optimize
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.optimization.measure_models import MODELLED
from kt_cp.trust.judge import defects


def all_measures(problem):
    """The measures of all tours, from each square where they may begin, in both directions."""
    for tour in Enumeration(problem).tours():
        shifts = range(len(tour) if problem.closed else 1)
        for squares in ([*tour[shift:], *tour[:shift]] for shift in shifts):
            for way in (squares, squares[::-1]):
                if not defects(problem, way):
                    yield problem.tour(way).measures()


@pytest.mark.parametrize(
    "problem",
    [
        Problem("3x4"),
        Problem("4x5", start="a1"),
        Problem("3x10", closed=True),
        Problem("4x4", piece="wazir", closed=True),
        Problem("4x5", piece="wazir", start="a1", end="e4", forbid=["a1-a2"]),
        Problem("3x3", piece="king", closed=True, require=["a1-b1"]),
        Problem("4x4", piece="wazir", closed=True, given={"a1": 1, "a2": 2}),
        pytest.param(Problem("6x6", closed=True, symmetry="quarter-turn"), marks=pytest.mark.slow),
    ],
    ids=lambda problem: problem.label,
)
def test_the_best_of_all_tours(problem):
    found = list(all_measures(problem))
    for objective in MODELLED:
        sense, _, name = objective.partition("-")
        wanted = (min if sense == "fewest" else max)(each[name] for each in found)
        best = optimize(problem, objective)
        assert (best.value, best.bound, best.bound_by) == (wanted, wanted, "cpsat"), objective
        assert best.tour.measures()[name] == wanted
        assert best.has_no_gap and not best.proved


def test_long_runs():
    best = optimize("1x12", "most-run", piece="0,1+0,3")
    assert best.value == 11 and "run" in best.summary
    assert optimize("2x9", "most-run", piece="wazir").value == 8


def test_no_tour_has_a_certificate():
    best = optimize("4x4", "most-run")
    assert not best and best.certificate is not None and best.summary == "no tour"


def test_what_is_refused():
    with pytest.raises(NotTakenError, match="maxsat does not support most-run"):
        optimize("5x5", "most-run", engine="maxsat")
    with pytest.raises(TooLargeError, match="400"):
        optimize("21x20", "most-magic-ranks", closed=True)
    with pytest.raises(NotTakenError, match="for boards"):
        optimize([(1, 2), (2, 3)], "most-uncrossed-moves")
    with pytest.raises(InputError, match="fewest-run"):
        optimize("5x5", "fewest-runs")


@pytest.mark.parametrize("objective", ["most-run", "fewest-crossings", "longest-uncrossed"])
def test_check_judges_the_value(kt_cp, tmp_path, objective):
    file = tmp_path / "best.json"
    assert kt_cp("optimize", "5x5", "--objective", objective, "-o", file).code == 0
    result = kt_cp("check", file)
    assert result.code == 0 and result.out.startswith("Valid (5x5, open): ")
    assert "no certificate" in result.out
    document = json.loads(file.read_text())
    changes = [
        {"value": document["value"] + 1},
        {"value": None},
        {"tour": document["tour"][:-1]},
        {"tour": ["a1", *document["tour"][1:-1], "a1"]},
        {"tour": [*document["tour"][:3], *document["tour"][4:], document["tour"][3]]},
    ]
    for change in changes:
        file.write_text(json.dumps(document | change))
        result = kt_cp("check", file)
        assert result.code == 1 and result.out.startswith("Not valid (5x5, open): "), change
        report = kt_cp("check", file, "--json")
        assert report.code == 1 and not json.loads(report.out)["valid"]


def test_check_refuses_a_path_that_crosses_itself(kt_cp, tmp_path):
    file = tmp_path / "best.json"
    document = {
        "problem": optimize("5x5", "most-run").to_dict()["problem"],
        "objective": "longest-uncrossed",
        "value": 4,
        "tour": ["a1", "b3", "d4", "e2", "c1"],
    }
    for tour, code in ((document["tour"], 0), (["b1", "a3", "c2", "b4", "a2"], 1)):
        file.write_text(json.dumps(document | {"tour": tour}))
        assert kt_cp("check", file).code == code
