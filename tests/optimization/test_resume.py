"""Runs that are stopped and go on: the same answer in the end, and no false start."""

from __future__ import annotations

import copy
import json

import networkx as nx
import pytest

from kt_cp import NotTakenError, check, optimize
from kt_cp.model.errors import InputError
from kt_cp.verify import verify

QUESTION = ("8x8", "fewest-turns")


def stop_after(cases):
    """Return a callback that interrupts the proof after ``cases`` cases."""

    def progress(counts):
        if (counts.get("cases") or 0) > cases:
            raise KeyboardInterrupt

    return progress


def as_json(best):
    return json.loads(json.dumps(best.to_dict()))


@pytest.fixture(scope="module")
def stopped():
    """An answer whose proof was interrupted."""
    best = optimize(*QUESTION, closed=True, progress=stop_after(6))
    assert (best.value, best.bound, best.limit) == (45, 44, "interrupted")
    return as_json(best)


def leaves(tree):
    if tree is None or "move" not in tree:
        return [tree]
    return [*leaves(tree["used"]), *leaves(tree["unused"])]


def test_a_stopped_proof_goes_on(stopped):
    (entry,) = stopped["unfinished"]
    assert entry["bound"] == 45 and leaves(entry["tree"]).count(None) > 1
    assert not check(stopped["certificate"]).refutes and verify(json.dumps(stopped["certificate"]))
    runs, answer = 1, stopped
    while answer["bound"] < 45:
        best = optimize(*QUESTION, closed=True, resume=answer, progress=stop_after(6))
        answer, runs = as_json(best), runs + 1
        assert answer["statistics"]["runs"] == runs < 20
    assert runs > 2 and best.proved and "unfinished" not in answer
    assert verify(best.certificate.to_json())
    uninterrupted = optimize(*QUESTION, closed=True)
    assert len(leaves(answer["certificate"]["evidence"]["trees"][0])) < 3 * len(
        leaves(uninterrupted.certificate.document["evidence"]["trees"][0])
    )
    again = optimize(*QUESTION, closed=True, resume=best)
    assert again.proved and "search_seconds" in again.statistics
    assert again.statistics["cases"] == best.statistics["cases"]  # nothing was left to do


def test_what_cannot_be_resumed():
    for objective in ("longest-uncrossed", "most-run"):
        best = optimize("4x5", objective)
        with pytest.raises(NotTakenError, match=f"{objective} cannot resume"):
            optimize("4x5", objective, resume=best)
    ring = nx.DiGraph([(1, 2), (2, 3), (3, 1)])
    nx.set_edge_attributes(ring, 1, "weight")
    best = optimize(ring, "least-weight", closed=True)
    with pytest.raises(NotTakenError, match="a directed graph cannot resume"):
        optimize(ring, "least-weight", closed=True, resume=best)


@pytest.mark.parametrize(
    ("board", "objective", "options"),
    [
        ("6x6", "most-direction", {"closed": True}),
        ("3x8", "longest", {"closed": True}),
        ("4x4", "path-cover", {}),
        ("5x6", "fewest-crossings", {"closed": True}),
    ],
)
def test_other_objectives_go_on(board, objective, options):
    best = optimize(board, objective, progress=stop_after(3), **options)
    on = optimize(board, objective, resume=as_json(best), **options)
    assert on.value == on.bound and on.has_no_gap
    assert on.value == optimize(board, objective, **options).value


def test_weights_go_on():
    import networkx as nx

    graph = nx.grid_graph((4, 4))
    for number, (_, _, data) in enumerate(graph.edges(data=True)):
        data["weight"] = number * number % 11
    best = optimize(graph, "least-weight", closed=True)
    on = optimize(graph, "least-weight", closed=True, resume=as_json(best))
    assert on.proved and (on.value, on.bound) == (best.value, best.bound)
    for _, _, data in graph.edges(data=True):
        data["weight"] += 1
    with pytest.raises(InputError, match=r"^resume: .*(weights|its value is not)"):
        optimize(graph, "least-weight", closed=True, resume=as_json(best))


def raise_potential(answer):
    leaf = next(leaf for leaf in leaves(answer["unfinished"][0]["tree"]) if leaf is not None)
    leaf["potentials"] = [number + 3 * leaf["scale"] for number in leaf["potentials"]]


def set_in(*keys, value):
    def change(answer):
        *path, last = keys
        for key in path:
            answer = answer[key]
        answer[last] = value

    return change


BROKEN = {
    "a leaf": (raise_potential, "show less than the bound"),
    "a bound": (set_in("unfinished", 0, "bound", value=47), "show less than the bound"),
    "no tree": (set_in("unfinished", 0, "tree", value=[1]), "object|keys"),
    "no number": (set_in("unfinished", 0, "bound", value="45"), "whole number"),
    "two trees": (set_in("unfinished", value=[None, None]), "answer of optimize"),
    "a tour": (set_in("tour", value=["a1", "b3"]), "2 of 64 squares"),
    "no tour": (set_in("tour", value=None), "without"),
    "a value": (set_in("value", value=44), "its value is not 45"),
    "the bound": (set_in("bound", value=45), "its certificate is about something else"),
    "the certificate": (set_in("certificate", "evidence", "bound", value=45), "was changed"),
    "statistics": (set_in("statistics", "seconds", value=float("nan")), "answer of optimize"),
    "a text": (set_in("statistics", "seconds", value="long"), "answer of optimize"),
    "an objective": (set_in("objective", value="most-turns"), "got one for 'most-turns'"),
    "a problem": (set_in("problem", "closed", value=False), "about another problem"),
    "no key": (lambda answer: answer.pop("certificate"), "answer of optimize"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_answers_are_refused(stopped, name):
    change, text = BROKEN[name]
    answer = copy.deepcopy(stopped)
    change(answer)
    with pytest.raises(InputError, match=rf"^resume: .*({text})"):
        optimize(*QUESTION, closed=True, resume=answer)


@pytest.mark.parametrize("answer", [[], 7, "best.json", {}, {"objective": "fewest-turns"}])
def test_no_answers_are_refused(answer):
    with pytest.raises(InputError, match="expected an answer of optimize in JSON"):
        optimize(*QUESTION, closed=True, resume=answer)


def test_resume_on_the_command_line(kt_cp, tmp_path, stopped):
    file, on = tmp_path / "best.json", tmp_path / "on.json"
    file.write_text(json.dumps(stopped))
    line = ["optimize", "8x8", "--closed", "--objective", "fewest-turns", "--resume", file]
    result = kt_cp(*line, "-o", on)
    assert (
        result.code == 0
        and "45 turns; no tour has fewer; " in result.err
        and " in 2 runs" in result.err
    )
    assert json.loads(on.read_text())["statistics"]["seconds"] > stopped["statistics"]["seconds"]
    assert kt_cp("check", file).code == kt_cp("check", on).code == 0
    broken = tmp_path / "broken.json"
    broken.write_text(file.read_text()[:-9])
    for words in (
        ["8x8", "--objective", "fewest-turns", "--resume", file],
        ["8x8", "--closed", "--objective", "most-turns", "--resume", file],
        ["8x8", "--closed", "--objective", "fewest-turns", "--resume", broken],
        ["8x8", "--closed", "--objective", "fewest-turns", "--resume", tmp_path / "none.json"],
        ["5x5", "--objective", "longest-uncrossed", "--resume", file],
    ):
        result = kt_cp("optimize", *words)
        assert result.code == 2 and len(result.err.splitlines()) == 1, result.err
