"""The best tours: values by full enumeration, certificates, and their corruptions."""

from __future__ import annotations

import copy
import json
import math
import os
import random
import signal
import subprocess
from functools import cache
from itertools import combinations, pairwise

import psutil
import pytest

from kt_cp import Enumeration, NotTakenError, Problem, Refusal, Verdict, check, optimize, solve
from kt_cp.model.board import square_name
from kt_cp.model.errors import InputError, ProblemError
from kt_cp.model.measures import MEASURES
from kt_cp.trust.check.bound import MEASURED
from kt_cp.trust.check.frame import frame_of
from kt_cp.verify import Invalid, verify
from tests.support.bound_checks import both_accept, leaves
from tests.support.command_line import busy, command_line, end, wait_until
from tests.support.measure_histograms import crosses


def measured(squares, closed):
    """All measures of squares in the plane but the sums, from their definitions."""
    path = [*squares, *squares[: closed * 1]]
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]
    pairs = list(zip(moves, moves[1:] + moves[:1] if closed else moves[1:], strict=False))
    dots = [-(a * c + b * d) for (a, b), (c, d) in pairs]  # at the square, between its two moves
    angles = [
        math.acos(max(-1, min(1, dot / math.hypot(*one) / math.hypot(*other))))
        for dot, (one, other) in zip(dots, pairs, strict=True)
    ]
    straight = sum(angle > math.pi - 1e-5 for angle in angles)
    lines = [math.atan2(*move) % math.pi for move in moves]
    runs, run = [1], 1
    for one, other in zip(moves, moves[1:] + moves * closed, strict=False):
        same = math.isclose(math.atan2(*one), math.atan2(*other))
        run = run + 1 if same else 1
        runs.append(min(run, len(moves)))
    segments = list(pairwise(path))
    crossing = [{one, other} for one, other in combinations(segments, 2) if crosses(*one, *other)]
    return {
        "turns": len(angles) - straight,
        "straight": straight,
        "right-angles": sum(dot == 0 for dot in dots),
        "acute-angles": sum(dot > 0 for dot in dots),
        "obtuse-angles": sum(dot < 0 for dot in dots) - straight,
        "direction": max(
            sum(min(d := abs(a - b), math.pi - d) < 1e-9 for b in lines) for a in lines
        ),
        "steep": sum(abs(up) > abs(right) for up, right in moves),
        "run": max(runs),
        "crossings": len(crossing),
        "uncrossed-moves": sum(not any(each in pair for pair in crossing) for each in segments),
    }


@pytest.mark.parametrize(
    ("board", "options"),
    [
        ("6x6", {"closed": True}),
        ("5x6", {}),
        ("1x1", {}),
        ("1x2", {"piece": "wazir"}),
        ("10x10", {"closed": True, "piece": "zebra"}),
        ("5x5", {"piece": "king"}),
        ("6x6", {"closed": True, "piece": "0,1+0,2"}),
        ("7x8", {"piece": "1,2+2,4"}),
        ("4x4", {"closed": True, "piece": "wazir"}),
    ],
)
def test_measures_by_their_definitions(board, options):
    for seed in range(4):
        tour = solve(board, seed=seed, **options).tour
        found = tour.measures()
        assert tuple(found) == MEASURES
        if tour.size > 1:
            wanted = measured([*tour], tour.closed)
            assert {name: found[name] for name in wanted} == wanted
        steps = tour.to_array()
        assert found["magic-files"] == sum(
            int(sum(column)) * len(steps[0]) == steps.sum() for column in steps.T
        )


def test_a_semimagic_tour():
    # By William Beverley, Philosophical Magazine 33, 1848: ranks and files have the sum 260.
    rows = """1 30 47 52 5 28 43 54  48 51 2 29 44 53 6 27  31 46 49 4 25 8 55 42
    50 3 32 45 56 41 26 7  33 62 15 20 9 24 39 58  16 19 34 61 40 57 10 23
    63 14 17 36 21 12 59 38  18 35 64 13 60 37 22 11"""
    at = {int(step): divmod(place, 8) for place, step in enumerate(rows.split())}
    tour = Problem("8x8").tour([at[step] for step in range(1, 65)])
    found = tour.measures()
    assert (found["magic-ranks"], found["magic-files"]) == (8, 8)


def test_what_has_no_measures():
    with pytest.raises(ProblemError, match="boards on the plane"):
        solve("5x5", surface="torus", closed=True).tour.measures()


@cache
def histogram_of(problem, name):
    counts = {}
    for tour in Enumeration(problem).tours():
        value = problem.tour(tour).measures()[name]
        counts[value] = counts.get(value, 0) + 1
    return counts


SMALL = [
    Problem("4x5", start="a1"),
    Problem("5x5", start="a1", end="c3"),
    Problem("4x4", piece="wazir", closed=True),
    Problem("3x3", piece="king", closed=True, forbid=["a1-b1"]),
    Problem("3x4", piece="king", start="b2", require=["a1-a2"]),
]


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.label)
def test_the_best_of_all_tours(problem):
    tours = [problem.tour(each).measures() for each in Enumeration(problem).tours()]
    for objective in MEASURED:
        values = [each[objective.partition("-")[2]] for each in tours]
        wanted = (min if objective.startswith("fewest") else max)(values)
        best = optimize(problem, objective)
        assert (best.value, best.bound, best.proved) == (wanted, wanted, True), objective
        assert best.tour.measures()[objective.partition("-")[2]] == wanted
        text = best.certificate.to_json()
        assert check(text).claim == best.certificate.claim
        assert f"no tour is better than {wanted} for {objective}" in verify(text)


CONDITIONS = [
    Problem("6x6", closed=True, symmetry="quarter-turn"),
    Problem("5x6", closed=True, given={"a1": 1, "b3": 2, "c5": 9}),
    Problem("5x6", closed=True, given={"c2": 7}),
    Problem("3x7", given={"b1": 4, "f1": 10}),
    Problem("5x5", start="c3", given={"d2": 13, "b2": 17}),
    Problem("4x5", end="a1", given={"b3": 19}),
    Problem("3x4", symmetry="half-turn"),
    Problem("3x10", closed=True, symmetry="left-right"),
]


@pytest.mark.parametrize("problem", CONDITIONS, ids=lambda problem: problem.label)
def test_given_steps_and_symmetries(problem):
    """The bound is one for all tours, so it may be weaker than the value."""
    tours = [problem.tour(each).measures() for each in Enumeration(problem).tours()]
    for objective in ("fewest-turns", "most-steep", "most-direction", "fewest-right-angles"):
        best = optimize(problem, objective)
        values = [each[objective.partition("-")[2]] for each in tours]
        wanted = (min if objective.startswith("fewest") else max)(values)
        assert best.value == wanted and best.statistics["claimed_bound"] == wanted, objective
        assert verify(best.certificate.to_json())
        if not problem.given:
            assert optimize(problem, objective, engine="maxsat").value == wanted


@pytest.mark.parametrize(
    ("closed", "objective", "value"),
    [(True, "fewest-turns", 45), (False, "most-direction", 37)],
)
def test_values_of_8x8(closed, objective, value):
    """Turns: ours; 37 moves in one direction: the best that Jelliss knows, of Lange 1931."""
    best = optimize("8x8", objective, closed=closed)
    assert (best.value, best.proved) == (value, True)
    assert len(best.certificate.to_json()) < 100_000
    assert verify(best.certificate.to_json()).startswith("8x8")


@pytest.fixture(scope="module")
def document():
    """A certificate with cases and cuts."""
    best = optimize("8x8", "fewest-turns", closed=True)
    found = json.loads(best.certificate.to_json())
    del found["digest"], found["argument"]
    return found


def corrupt_bound(evidence):
    evidence["bound"] += 1
    del evidence["tour"]


def corrupt_weight(evidence):
    cut = next(cut for leaf in leaves(evidence["trees"][0]) if leaf for cut in leaf["cuts"])
    cut["weight"] = -cut["weight"]


def corrupt_potential(evidence):
    leaf = next(leaf for leaf in leaves(evidence["trees"][0]) if leaf)
    leaf["potentials"] = [number + 3 * leaf["scale"] for number in leaf["potentials"]]


CORRUPTIONS = {
    "bound": corrupt_bound,
    "weight": corrupt_weight,
    "potentials": corrupt_potential,
    "a case": lambda evidence: evidence["trees"].__setitem__(0, evidence["trees"][0]["used"]),
    "no case": lambda evidence: evidence["trees"][0].__setitem__("unused", {}),
    "no trees": lambda evidence: evidence["trees"].clear(),
    "two trees": lambda evidence: evidence["trees"].append({}),
    "no move": lambda evidence: evidence["trees"][0].__setitem__("move", ["a1", "a2"]),
    "an end": lambda evidence: evidence["trees"][0].__setitem__("move", ["a1", "end"]),
    "objective": lambda evidence: evidence.__setitem__("objective", "fewest-acute-angles"),
    "unknown": lambda evidence: evidence.__setitem__("objective", "fewest-crossings"),
    "a list": lambda evidence: evidence.__setitem__("objective", ["fewest-turns"]),
    "float": lambda evidence: leaves(evidence["trees"][0])[0].__setitem__("scale", 1.0),
    "huge": lambda evidence: leaves(evidence["trees"][0])[0].__setitem__("scale", 10**16),
    "negative": lambda evidence: leaves(evidence["trees"][0])[0].__setitem__("scale", -1),
    "bool": lambda evidence: evidence.__setitem__("bound", True),
    "no square": lambda evidence: evidence["tour"].pop(),
    "other order": lambda evidence: evidence["tour"].sort(),
    "key": lambda evidence: evidence.__setitem__("value", 45),
    "one potential less": lambda evidence: leaves(evidence["trees"][0])[0]["potentials"].pop(),
    "whole cut": lambda evidence: leaves(evidence["trees"][0])[0]["cuts"].append(
        {"weight": 1, "squares": []}
    ),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruptions_are_refused_by_both(document, name):
    assert check(document).kind == "bound" and verify(document)
    changed = copy.deepcopy(document)
    CORRUPTIONS[name](changed["evidence"])
    with pytest.raises(Refusal):
        check(changed)
    with pytest.raises(Invalid):
        verify(changed)


def test_a_tour_of_another_value_is_refused(document):
    other = solve("8x8", closed=True).tour
    assert other.measures()["turns"] != 45
    changed = copy.deepcopy(document)
    changed["evidence"]["tour"] = other.names
    with pytest.raises(Refusal, match="and the bound is 45"):
        check(changed)
    with pytest.raises(Invalid, match="and the bound is 45"):
        verify(changed)
    del changed["evidence"]["tour"]
    assert check(changed).claim == "no tour has fewer than 45 turns"
    for version in range(1, 7):
        with pytest.raises(Refusal):
            check({**changed, "schema_version": version})


def test_no_numbers_show_a_false_bound():
    """Whatever numbers a leaf has, the checkers agree, and what they accept is true."""
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    accepted = 0
    for _ in range(300):
        problem, objective = rng.choice(SMALL), rng.choice(MEASURED)
        document = best_certificate(problem, objective)
        evidence = {**copy.deepcopy(document["evidence"])}
        del evidence["tour"]
        evidence["bound"] = max(0, evidence["bound"] + rng.randint(-2, 2))
        for leaf in (leaf for tree in evidence["trees"] for leaf in leaves(tree) if leaf):
            for _ in range(rng.randrange(4)):
                leaf["potentials"][rng.randrange(len(leaf["potentials"]))] += rng.randint(-2, 2)
            if rng.random() < 0.2:
                names = list(problem.board)[: rng.randint(1, problem.size - 1)]
                cut = {
                    "weight": rng.randint(1, 2),
                    "squares": [square_name(each) for each in names],
                }
                leaf["cuts"].append(cut)
            leaf["scale"] = rng.choice((leaf["scale"], 0))
        if both_accept({**document, "evidence": evidence}):
            accepted += 1
            values = histogram_of(problem, objective.partition("-")[2])
            low = objective.startswith("fewest")
            true = min(values) >= evidence["bound"] if low else max(values) <= evidence["bound"]
            assert true, evidence
    assert accepted > 20


@cache
def best_certificate(problem, objective):
    made = optimize(problem, objective).certificate.document
    return {key: made[key] for key in ("format", "schema_version", "problem", "evidence")}


def test_a_bound_is_no_proof_that_there_is_no_tour(document):
    assert not check(document).refutes and check(document).problem.closed
    assert not check(document).tours


@pytest.mark.parametrize(
    ("board", "objective", "options", "error", "text"),
    [
        ("6x6", "fewest-turn", {}, InputError, "did you mean fewest-turns"),
        ("6x6", None, {}, InputError, "expected an objective"),
        ("6x6", "fewest-turns", {"surface": "torus"}, NotTakenError, "on the plane, got a torus"),
        ([(1, 2), (2, 3)], "fewest-turns", {}, NotTakenError, "got a graph"),
        ("200x200", "fewest-turns", {}, InputError, "20,000 squares"),
        ("1x1", "fewest-turns", {}, NotTakenError, "at least 2 squares"),
        ("6x6", "fewest-turns", {"time_limit": -1}, InputError, "limit"),
    ],
)
def test_bad_input(board, objective, options, error, text):
    with pytest.raises(error, match=text):
        optimize(board, objective, **options)


def test_two_squares():
    best = optimize("1x2", "most-direction", piece="wazir")
    assert (best.value, best.proved) == (1, True)
    assert verify(best.certificate.to_json())


def test_no_tour():
    best = optimize("4x4", "fewest-turns")
    assert not best and best.verdict is Verdict.IMPOSSIBLE and best.certificate.claim == "no tour"
    assert not best.proved and best.summary == "no tour"


@pytest.mark.clock
def test_a_time_limit_leaves_a_gap(kt_cp, tmp_path):
    best = optimize("12x12", "fewest-turns", closed=True, time_limit=2)
    assert best.tour is not None and not best.proved and best.bound < best.value
    assert best.statistics["seconds"] < 6
    file = tmp_path / "gap.json"
    result = kt_cp(
        "optimize", "12x12", "--objective", "fewest-turns", "--time-limit", "3", "--json"
    )
    assert result.code == 3 and json.loads(result.out)["tour"]
    file.write_text(result.out)
    result = kt_cp("check", file)
    value = json.loads(file.read_text())["value"]
    assert result.code == 0 and f"{value} turns, and no tour has fewer than" in result.out


def test_the_command(kt_cp, tmp_path):
    file = tmp_path / "best.json"
    result = kt_cp("optimize", "6x6", "--closed", "--objective", "fewest-turns", "-o", file)
    assert result.code == 0 and "32 turns; no tour has fewer" in result.err and not result.out
    found = json.loads(file.read_text())
    assert {"value": 32, "bound": 32, "proved": True}.items() <= found.items()
    assert found["measures"]["turns"] == 32 == found["certificate"]["evidence"]["bound"]
    result = kt_cp("check", file)
    assert result.code == 0 and "32 turns, and no tour has fewer" in result.out
    result = kt_cp("optimize", "4x4", "--objective", "most-steep")
    assert result.code == 1 and result.out.startswith("No tour (4x4, open)")
    for words in (
        ["6x6"],
        ["6x6", "--objective", "turns"],
        ["6x6", *["--objective", "most-steep"] * 2],
    ):
        result = kt_cp("optimize", *words)
        assert result.code == 2 and len(result.err.splitlines()) == 1


def changed_file(document, file, **changes):
    file.write_text(json.dumps({**document, **changes}))
    return file


def test_an_optimum_is_judged_as_a_whole(kt_cp, tmp_path):
    file = tmp_path / "best.json"
    kt_cp("optimize", "6x6", "--closed", "--objective", "fewest-turns", "-o", file)
    found = json.loads(file.read_text())
    other = solve("6x6", closed=True).tour
    assert other.measures()["turns"] > 32
    for changes, why in (
        ({"bound": 33}, "its bound is not that of its certificate"),
        ({"objective": "most-turns"}, "its objective is not that of its certificate"),
        ({"value": 31}, "its tour has 32 turns"),
        ({"tour": other.names}, f"its tour has {other.measures()['turns']} turns"),
        ({"tour": found["tour"][:-1]}, "its tour: "),
        ({"tour": [*found["tour"][:-1], 7]}, "its tour: "),
        ({"tour": None}, "it has no tour"),
        (
            {"problem": {**found["problem"], "closed": False}},
            "its certificate is about another problem",
        ),
    ):
        result = kt_cp("check", changed_file(found, file, **changes))
        assert result.code == 1 and f"Not a proof: {why}" in result.out
    file.write_text(json.dumps(found))
    assert (
        json.loads(kt_cp("check", file, "--json").out)["claim"] == "32 turns, and no tour has fewer"
    )
    assert kt_cp("check", file, "--board", "6x6", "--closed").code == 0
    assert kt_cp("check", file, "--board", "6x6").code == 1
    result = kt_cp("check", file, "--cnf", tmp_path / "f.cnf")
    assert (
        result.code == 2
        and "--cnf: expected a certificate, got the JSON of an optimum" in result.err
    )
    none = tmp_path / "none.json"
    kt_cp("optimize", "4x4", "--objective", "fewest-turns", "-o", none)
    assert kt_cp("check", none).code == 0
    tour = kt_cp("check", changed_file(json.loads(none.read_text()), none, tour=["a1"]))
    assert tour.code == 1 and "it has a tour, and proves that none exists" in tour.out


def test_measures_of_any_tour(kt_cp):
    result = kt_cp("solve", "6x6", "--closed", "--measures")
    assert result.code == 0 and all(f"  {name} " in result.err for name in MEASURES)
    result = kt_cp("solve", "5x5", "--surface", "torus", "--measures")
    assert result.code == 2


def test_measures_in_json(kt_cp, tmp_path):
    tour = solve("6x6", closed=True).tour
    result = kt_cp("solve", "6x6", "--closed", "--measures", "--json")
    found = json.loads(result.out)
    assert found["tour"] == tour.names and found["measures"] == tour.measures()
    assert "crossings" not in result.err
    file = tmp_path / "tour.json"
    result = kt_cp("solve", "6x6", "--closed", "--measures", "-o", file)
    assert json.loads(file.read_text()).keys() == found.keys() and "crossings" in result.err
    assert kt_cp("check", file).code == 0
    assert "measures" not in json.loads(kt_cp("solve", "6x6", "--json").out)
    assert "measures" not in json.loads(kt_cp("solve", "4x4", "--measures", "--json").out)
    result = kt_cp("solve", "5x5", "--surface", "torus", "--measures", "-o", tmp_path / "none.json")
    assert result.code == 2 and not (tmp_path / "none.json").exists()


@pytest.mark.clock
@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_keeps_the_best_tour(tmp_path):
    file = tmp_path / "best.json"
    line = command_line("optimize", "12x12", "--objective", "fewest-turns", "-o", file)
    running = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    wait_until(lambda: busy(psutil.Process(running.pid), 5.0))  # well within CP-SAT
    code, _, err = end(running, signal.SIGINT)
    assert code == 130 and err.endswith(b"kt-cp: interrupted\n")
    found = json.loads(file.read_text())
    assert found["limit"] == "interrupted" and len(found["tour"]) == 144


def test_numbers_of_an_empty_case_have_their_shape():
    """A case without a tour needs no numbers, but those that stand there are read."""
    document = copy.deepcopy(best_certificate(Problem("5x6", closed=True), "fewest-turns"))
    evidence = document["evidence"]
    first, number = evidence["trees"][0], len(frame_of(Problem("5x6", closed=True)).edges())
    empty = {"scale": 1, "potentials": [0] * number, "cuts": []}
    evidence["trees"] = [{"move": ["a1", "b3"], "used": first, "unused": empty}]
    assert check(document).claim and verify(document)
    empty["potentials"].pop()
    with pytest.raises(Refusal, match="potentials"):
        check(document)
    with pytest.raises(Invalid, match="not one potential for each edge"):
        verify(document)
