"""The checker in one file: what it accepts and refuses, its command, and its independence."""

from __future__ import annotations

import ast
import base64
import itertools
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import zlib
from collections import Counter
from copy import deepcopy
from pathlib import Path

import networkx as nx
import pytest

from kt_cp import Board, Problem, solve, verify
from kt_cp.formats.write import outcome_json
from tests.examples.certificates import (
    accepts,
    certificate,
    examples_1,
    examples_2,
    examples_4,
    examples_5,
    on_board,
    on_graph,
    reason_of,
    refuted,
    signed,
)

FILE = Path(verify.__file__)
EXAMPLES = [
    certificate(problem, evidence)
    for problem, evidence in [*examples_1(), *examples_2(), *examples_4(), *examples_5()]
]


def reason(document, tours=None):
    """Return the reason for which a file is refused, or None."""
    try:
        verify.verify(document, tours)
    except verify.Invalid as refusal:
        return str(refusal)
    return None


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Run a copy of the file in an empty folder, where kt_cp cannot be imported."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copy(FILE, folder)

    def run(*arguments):
        command = [sys.executable, "-I", "-W", "error", "verify.py", *map(str, arguments)]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return result.returncode, result.stdout, result.stderr

    run.folder = folder
    return run


def test_it_imports_the_standard_library_alone():
    imported = set()
    for node in ast.walk(ast.parse(FILE.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            imported.add(node.module)
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_are_valid(number):
    document = signed(EXAMPLES[number])
    kind = document["evidence"]["kind"]
    assert f"({kind})" in verify.verify(json.dumps(document))


# The command


def write(folder, name, document):
    (folder / name).write_text(json.dumps(document), "utf-8")


def test_a_copy_runs_alone(alone):
    write(alone.folder, "no.json", certificate(on_board(3, 3, closed=True), {"kind": "colours"}))
    assert alone("no.json") == (0, "valid: 3x3, closed: no tour (colours)\n", "")
    write(alone.folder, "open.json", certificate(on_board(3, 3), {"kind": "colours"}))
    assert alone("open.json") == (
        1,
        "not valid: the evidence (colours) leaves room for a tour\n",
        "",
    )
    assert alone("none.json") == (2, "", "none.json: No such file or directory\n")


def test_usage(capsys, tmp_path):
    for arguments in ([], ["a", "b", "c"], ["--json", "no.json"]):
        assert verify.main(arguments) == 2
        assert capsys.readouterr() == ("", f"{verify.USAGE}\n")
    assert verify.main(["--help"]) == 0
    assert capsys.readouterr() == (f"{verify.USAGE}\n{verify.HELP}", "")
    assert verify.main([str(tmp_path)]) == 2  # a folder
    assert capsys.readouterr().err.count("\n") == 1


def test_tours_in_a_second_file(alone):
    names = ["ä", "b", "c", "d"]
    ring = on_graph([], nodes=names, closed=True)
    ring["edges"] = [list(edge) for edge in itertools.pairwise([*names, "ä"])]
    evidence = {**refuted(ring, tours=[names]), "kind": "list"}
    tours = {"format": "kt_cp tours", "tours": [names]}
    beside = {"number": 1, "digest": verify.digest_of(tours)}
    write(alone.folder, "list.json", certificate(ring, {**evidence, "tours": beside}))
    write(alone.folder, "tours.json", tours)
    claim = "valid: graph, closed, 4 nodes, 4 edges: the only tour (list)\n"
    assert alone("list.json", "tours.json") == (0, claim, "")
    assert alone("list.json")[:2] == (
        1,
        "not valid: the tours stand in another file, which is not here\n",
    )


def test_ctrl_c(monkeypatch, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "verify", interrupt)
    write(tmp_path, "no.json", EXAMPLES[0])
    assert verify.main([str(tmp_path / "no.json")]) == 128 + signal.SIGINT


def test_names_that_a_terminal_cannot_show(alone):
    problem = on_graph([], nodes=["é", "b", "c"], closed=False, start="é")
    write(alone.folder, "e.json", certificate(problem, {"kind": "degrees", "squares": ["b"]}))
    command = [sys.executable, "-I", "verify.py", "e.json"]
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, cwd=alone.folder, capture_output=True, env=locale, check=True)
    assert b"valid: graph, open, 3 nodes" in result.stdout


# Certificates: one corruption for each rule

ROOM = "leaves room for a tour"
COLOURS = {"kind": "colours"}
ODD = on_board(3, 3, closed=True)
SQUARES = {"kind": "degrees", "squares": ["b2"]}
HOLE = on_board(3, 3)
STRIP = on_board(3, 4, closed=True)
RING = on_graph(["ab", "bc", "cd", "da"], closed=True)
NARROW = on_graph(["ab", "bc", "ca", "cd", "de", "ec"], closed=True)
FORCED = {"kind": "forced", "tree": {}}
USE = {"use": ["a", "b"], "unless": {"kind": "degrees", "squares": ["a"]}}
SPLIT = {"kind": "split", "steps": [USE, "plain"], "then": FORCED}


def test_originals_of_the_corruptions_are_valid():
    for problem, evidence in (
        (ODD, COLOURS),
        (HOLE, SQUARES),
        (STRIP, {"kind": "removal", "squares": ["c1", "c3"]}),
        (NARROW, SPLIT),
    ):
        assert accepts(certificate(problem, evidence))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "a certificate"}, "format is 'a certificate', which does not exist"),
        ({"schema_version": 8}, "schema_version is not a whole number from 1 to 7"),
        ({"schema_version": True}, "schema_version is not a whole number"),
        ({"schema_version": 1}, "the problem has the key 'piece', which plays no part"),
        ({"argument": 1}, "argument is not a text"),
        ({"made_by": []}, "made_by is not an object"),
        ({"made_by": {"kt_cp": 1}}, "a version in made_by is not a printable text"),
        ({"made_by": {"kt\ncp": "1"}}, "a version in made_by is not a printable text"),
        ({"made_by": {"kt_cp": "1\x1b[2J"}}, "a version in made_by is not a printable text"),
        ({"digest": "0" * 64}, "the digest of the file does not fit"),
        ({"remark": "true"}, "the certificate has the key 'remark', which plays no part"),
        ({"evidence": {"kind": "magic"}}, "'magic', which does not exist"),
        (
            {"evidence": {**COLOURS, "squares": []}},
            "the key 'squares', which plays no part",
        ),
        ({"evidence": {"kind": "sweep", "order": []}}, "sweep is evidence from version 6 on"),
        ({"problem": []}, "the problem is not an object"),
    ],
)
def test_corrupted_files(change, why):
    assert why in reason({**certificate(ODD, COLOURS), **change})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"rows": 0}, "rows is not a whole number from 1"),
        ({"rows": 3.0}, "rows is not a whole number"),
        ({"columns": True}, "columns is not a whole number"),
        ({"missing": ["d1"]}, "a missing square is not on the board"),
        ({"missing": ["A1"]}, "a missing square is not on the board"),
        ({"missing": ["a1", "a1"]}, "a missing square is not on the board, or stands twice"),
        ({"rows": 1, "columns": 1, "missing": ["a1"]}, "no square remains"),
        ({"piece": []}, "not 1 to 16 leaps"),
        ({"piece": [[1, 2], [1, 2]]}, "two equal leaps"),
        ({"piece": [[2, 1]]}, "[a, b] with a > b"),
        ({"piece": [[0, 0]]}, "an entry of an entry of piece is not a whole number from 1"),
        ({"surface": "sphere"}, "surface is 'sphere', which does not exist"),
        ({"closed": 1}, "closed is not true or false"),
        ({"end": "a1"}, "a closed tour has no end"),
        ({"closed": False, "start": "a1", "end": "a1"}, "start and end are one square"),
        ({"require": [["a1", "b1"]]}, "a required or forbidden move is none"),
        ({"forbid": [["a1", "c2"], ["c2", "a1"]]}, "a required or forbidden move stands twice"),
        ({"require": [["a1", "c2"]], "forbid": [["a1", "c2"]]}, "move stands twice"),
        (
            {"rows": 4, "require": [["b1", "d2"], ["b1", "c3"], ["b1", "a3"]], "columns": 4},
            "three required moves at one square",
        ),
        ({"given": [["a1", 10]]}, "given is not a whole number from 1 to 9"),
        ({"given": [["a1", 1], ["b1", 1]]}, "a square or a step stands twice in given"),
        ({"symmetry": "third-turn"}, "symmetry is 'third-turn', which does not exist"),
    ],
)
def test_corrupted_boards(change, why):
    assert why in reason(certificate({**ODD, **change}, COLOURS))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"nodes": []}, "not one node or more"),
        ({"nodes": [*"abcde", "end"]}, "a node is called end"),
        ({"nodes": [*"abcde", "a\nb"]}, "a node's name cannot be printed"),
        ({"edges": [["a", "a"]]}, "['a', 'a'] is no edge between two nodes"),
        (
            {"edges": [["a", "b"], ["b", "a"]]},
            "['b', 'a'] is no edge between two nodes, or stands twice",
        ),
        ({"edges": [["a", "z"]]}, "['a', 'z'] is no edge between two nodes"),
        ({"symmetry": "half-turn"}, "a graph has no symmetry"),
        ({"directed": None}, "directed is not true or false"),
        (
            {"directed": True, "require": [["c", "a"], ["c", "d"]]},
            "two required arcs lead from one node, or to one",
        ),
    ],
)
def test_corrupted_graphs(change, why):
    document = certificate({**NARROW, **change}, {"kind": "cut", "squares": ["c"]})
    assert why in reason({**document, "schema_version": 5})


CLUES = on_board(3, 4, given=[["a1", 1], ["b1", 4]])
QUARTER = on_board(4, 4, closed=True, symmetry="quarter-turn")


@pytest.mark.parametrize(
    ("problem", "evidence", "why"),
    [
        (on_board(1, 3, closed=True), {"kind": "size"}, ROOM),
        (on_board(1, 1), COLOURS, "a single square is an open tour"),
        (on_board(3, 3, piece=[[1, 1]], closed=True), COLOURS, "the board does not alternate"),
        (RING, COLOURS, "the board does not alternate"),
        (on_board(3, 3), COLOURS, ROOM),
        (HOLE, {**SQUARES, "squares": []}, ROOM),
        (HOLE, {**SQUARES, "squares": ["a1"]}, ROOM),
        (RING, {**SQUARES, "squares": ["a", "a"]}, "a square stands twice in one list"),
        (
            on_graph(["ab", "bc"], nodes=[*"abc"]),
            {**SQUARES, "squares": ["a", "c"]},
            ROOM,
        ),
        (
            on_graph(["ab", "bc"], nodes=[*"abc"], start="a"),
            {**SQUARES, "squares": ["a", "c"]},
            ROOM,
        ),
        (RING, {"kind": "connectivity", "squares": ["a", "c"]}, ROOM),
        (RING, {"kind": "connectivity", "squares": ["a"]}, "not two squares"),
        (STRIP, {"kind": "removal", "squares": ["c1"]}, ROOM),
        (RING, {"kind": "removal", "squares": [*"abcd"]}, "a set of no squares, or of all"),
        (NARROW, {"kind": "cut", "squares": ["c", "a"]}, "a cut of several squares"),
        (CLUES, {"kind": "clash", "clues": []}, "not two clues"),
        (CLUES, {"kind": "clash", "clues": [["a1", 1]]}, ROOM),
        (CLUES, {"kind": "clash", "clues": [["a1", 1], ["b1", 3]]}, "is not a clue"),
        (CLUES, {"kind": "clash", "clues": [["a1", 1], ["a1", 1]]}, "a clue stands twice"),
        (CLUES, {"kind": "clash", "clues": [["a1", 1], ["b1", 4]]}, ROOM),
        (QUARTER, {"kind": "symmetry", "squares": ["a1"]}, ROOM),
        (STRIP, {"kind": "symmetry", "squares": []}, "the problem has no symmetry"),
        (RING, {"kind": "tight", "sets": [["a"]]}, ROOM),
        (RING, {"kind": "tight", "sets": []}, "no sets"),
        (RING, FORCED, ROOM),
        (RING, {**FORCED, "tree": {"remove": [*"abcd"]}}, "a count of all squares"),
        (RING, {**FORCED, "tree": {"remove": []}}, "a tree lacks the key 'then'"),
        (
            NARROW,
            {**FORCED, "tree": {"remove": []}},
            ROOM,  # the tree goes on below a contradiction
        ),
        (
            on_board(3, 8, closed=True),
            {**FORCED, "tree": {"move": ["d1", "a1"], "used": {}, "unused": {}}},
            "a case of an edge that is not open",
        ),
    ],
)
def test_evidence_that_proves_nothing(problem, evidence, why):
    assert why in reason(certificate(problem, evidence))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"steps": []}, "a split of no steps"),
        ({"steps": [{"keep": [*"abc"]}]}, "a piece is not joined to two nodes"),
        ({"steps": [{"keep": [*"abcde"]}]}, "a set of no squares, or of all"),
        ({"steps": [{"use": ["a", "d"], "unless": FORCED}]}, "is required, or no edge"),
        ({"steps": [{**USE, "unless": {"kind": "size"}}]}, "'size', which does not exist"),
        ({"steps": ["plain", USE]}, "steps go on after a contradiction"),
        ({"then": {"kind": "cut", "squares": ["c"]}}, ROOM),
        ({"steps": [USE], "then": FORCED | {"tree": {"remove": []}}}, ROOM),
    ],
)
def test_splits_that_prove_nothing(change, why):
    assert why in reason(certificate(NARROW, {**SPLIT, **change}))


PATH = on_graph(["ab", "bc", "cd", "ad"], start="a", end="c")
LISTED = {**refuted(RING, pack=False, tours=[[*"abcd"]]), "kind": "list", "tours": [[*"abcd"]]}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("proof", ["0 5 11 4 13"], "a line of the proof has no clauses, ended by 0"),
        ("proof", ["0 5 11 4 99 0"], "names a clause that is no earlier one"),
        ("proof", ["99 0 5 11 4 13 0"], "a lemma has a literal without variable"),
        ("proof", ["1 -1 0 5 11 4 13 0"], "line 1 of the proof does not follow"),
        ("proof", ["0 5 4 13 0"], "line 1 of the proof does not follow"),
        ("proof", ["0 5 11 4 0"], "line 1 of the proof does not follow"),
        ("proof", ["6 0 5 11 4 13 0"], "is not the empty clause"),
        ("proof", ["x"], "other characters than numbers and blanks"),
        ("proof", "AAAA", "a proof that cannot be unpacked"),
        ("cuts", [[]], "a set of no squares, or of all"),
        ("tight", [["a"]], "the tight sets contradict by themselves"),
        ("clues", [], "the key 'clues', which plays no part"),
        ("order", ["a", "b", "c"], "fewer than three vertices are not taken out"),
        ("digests", {"formula": "", "proof": ""}, "the digest of the formula does not fit"),
    ],
)
def test_refutations_that_prove_nothing(key, value, why):
    evidence = {**refuted(PATH, pack=False), key: value}
    if key == "proof" and isinstance(value, list):
        text = "".join(f"{line}\n" for line in value)
        digest = verify.hashlib.sha256(text.encode()).hexdigest()
        evidence["digests"] = {**evidence["digests"], "proof": digest}
    assert why in reason(certificate(PATH, evidence))


@pytest.mark.parametrize(
    ("tours", "why"),
    [
        ([], "a list of no tours"),
        ([["a", "b", "c"]], "3 of 4 squares are visited"),
        ([["a", "c", "b", "d"]], "from 'a' the tour makes no move"),
        ([[*"abcd"], [*"dcba"]], "two tours of the list have the same moves"),
        ({"number": 1, "digest": ""}, "the tours stand in another file"),
    ],
)
def test_corrupted_lists(tours, why):
    assert why in reason(certificate(RING, {**LISTED, "tours": tours}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        (b"\xff", "not JSON in UTF-8"),
        ("[]", "the file is not a JSON object"),
        ("{}", "neither a certificate nor an outcome"),
        ('{"format": 1, "format": 1}', "a key stands twice in one object"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_texts_that_are_no_certificate(text, why):
    assert why in reason(text)


def test_packed_proofs_are_complete():
    text = b"0 5 11 4 13 0\n"
    for packed, why in (
        (zlib.compress(text), None),
        (zlib.compress(text) + b"x", "cut short, or goes on"),
        (zlib.compress(text)[:-1], "cut short, or goes on"),
        (zlib.compress(text[:-1]), "the last line of the proof is not ended"),
    ):
        evidence = {**refuted(PATH, pack=False), "proof": base64.b64encode(packed).decode()}
        message = reason(certificate(PATH, evidence))
        assert message is None if why is None else why in message


def test_a_square_with_two_clues_fits_no_step():
    problem = on_board(2, 3, piece=[[0, 1]], start="a1", given=[["a1", 3]])
    assert accepts(certificate(problem, refuted(problem, clues=[["a1", 3]])))


@pytest.mark.parametrize("side", [10**9 + 1, 10**18 - 1])
def test_boards_that_nobody_lays_out(side):
    """Both checkers count colours and moves of a huge board by arithmetic."""
    odd = on_board(side, side, closed=True)
    leap = on_board(side, side, piece=[[side - 1, side]], closed=True)
    for problem, evidence, valid in (
        (odd, COLOURS, True),
        ({**odd, "missing": ["b1"]}, COLOURS, True),
        ({**odd, "missing": ["a1"]}, COLOURS, False),
        ({**odd, "missing": ["a1"], "closed": False}, COLOURS, False),
        (leap, {"kind": "degrees", "squares": ["a1", f"a{side}"]}, True),
        (odd, {"kind": "degrees", "squares": ["a1"]}, False),
        (odd, {"kind": "removal", "squares": ["a1"]}, False),
    ):
        document = certificate(problem, evidence)
        assert accepts(document) == (reason_of(document) is None) == valid


# Moves and pieces, against the first checker


def random_problem(rng):
    """Return a problem on a graph of up to six nodes, with random conditions."""
    size = rng.randint(3, 6)
    graph = nx.gnp_random_graph(size, rng.choice([0.4, 0.55, 0.7]), seed=rng.randrange(10**6))
    edges = ["".join("abcdefg"[node] for node in edge) for edge in graph.edges]
    rng.shuffle(edges)
    moves = ["-".join(edge) for edge in edges]
    conditions = {"require": " ".join(moves[: rng.choice([0, 0, 1])])}
    conditions["forbid"] = " ".join(moves[1 : rng.choice([1, 1, 3])])
    closed, (start, end) = rng.random() < 0.5, rng.sample("abcdefg"[:size], 2)
    if not closed:
        conditions |= {"start": rng.choice([None, start]), "end": rng.choice([None, end])}
    return on_graph(edges, closed, [*"abcdefg"[:size]], **conditions)


def test_random_sets_prove_the_same_for_both_checkers():
    rng, accepted = random.Random(7), Counter()
    for case in range(500):
        problem = random_problem(rng)
        nodes = problem["nodes"]
        sets = [rng.sample(nodes, rng.randint(1, len(nodes) - 1)) for _ in range(2)]
        for evidence in (
            {"kind": "removal", "squares": sets[0]},
            {"kind": "tight", "sets": sets},
            {"kind": "forced", "tree": {}},
            {"kind": "forced", "tree": {"remove": sets[0], "then": {"remove": sets[1]}}},
        ):
            document = certificate(problem, evidence)
            proved = accepts(document)
            assert proved == (reason_of(document) is None), (case, document)
            assert not proved or not has_tour(problem), (case, document)
            accepted[evidence["kind"]] += proved
    assert min(accepted.values()) > 20, accepted


def test_an_end_whose_edges_are_known_is_not_taken_away():
    """Both ends of the tour are in one of the two parts, so x has too few edges."""
    edges = ["st", "sa", "sb", "ta", "tb", "ab", "ax", "bx", "cx", "dx", "ex", "cd", "ce", "de"]
    problem = on_graph(edges, start="s", end="t")
    assert accepts(certificate(problem, {"kind": "tight", "sets": [["x"]]}))


def test_the_ends_of_a_path_are_not_joined():
    """b lies between a and c, which would close a cycle with d."""
    complete = ["ef", "eg", "eh", "fg", "fh", "gh"]
    problem = on_graph(["ab", "bc", "ac", "ad", "cd", "de", "df", *complete], closed=True)
    assert accepts(certificate(problem, FORCED))


# Sweeps, against all orders of the nodes


def sweep_certificate(graph, order=None, closed=True, **conditions):
    """Return a certificate with a sweep, by default in the order of the nodes."""
    nodes = [str(node) for node in graph]
    problem = on_graph([], nodes=nodes, closed=closed)
    problem |= {"edges": [[str(u), str(v)] for u, v in graph.edges], **conditions}
    evidence = {"kind": "sweep", "order": [str(node) for node in order or graph]}
    return {**certificate(problem, evidence), "schema_version": 6}


def has_tour(problem):
    """Return whether there is a tour, by trying all orders of the nodes."""
    edges = {frozenset(edge) for edge in problem["edges"]}
    edges -= {frozenset(edge) for edge in problem["forbid"]}
    must = {frozenset(edge) for edge in problem["require"]}
    for tour in itertools.permutations(problem["nodes"]):
        moves = {frozenset(move) for move in itertools.pairwise(tour)}
        if problem["closed"]:
            moves.add(frozenset((tour[0], tour[-1])))
        elif problem["start"] not in (None, tour[0]) or problem["end"] not in (None, tour[-1]):
            continue
        if must <= moves <= edges:
            return True
    return False


def test_sweeps_prove_exactly_what_is_true():
    rng = random.Random(5)
    verdicts = []
    for case in range(250):
        size = rng.randint(3, 6)
        graph = nx.gnp_random_graph(size, rng.choice([0.4, 0.6, 0.8]), seed=case)
        edges = rng.sample([[str(u), str(v)] for u, v in graph.edges], min(4, graph.size()))
        require = edges[:1] + edges[1:2] * (not {*edges[0]} & {*edges[1]}) if edges[1:] else []
        conditions = {"require": require * (case % 2), "forbid": edges[2:] * (case % 3 == 0)}
        closed = rng.random() < 0.5
        if not closed:
            start, end = rng.sample(range(size), 2)
            conditions |= {"start": rng.choice([None, str(start)])}
            conditions |= {"end": rng.choice([None, str(end)])}
        document = sweep_certificate(graph, rng.sample(range(size), size), closed, **conditions)
        verdicts.append(has_tour(document["problem"]))
        assert accepts(document) != verdicts[-1], (case, document)
    assert 60 < sum(verdicts) < 190


def test_a_cycle_without_a_required_edge_is_no_counterexample():
    """Both ends of the required edge have two other edges before the sweep reaches them."""
    graph = nx.Graph(["ab", "bc", "cd", "da", "bd"])
    assert accepts(sweep_certificate(graph, "acbd", require=[["b", "d"]]))
    assert not accepts(sweep_certificate(graph, "acbd"))


def petersen(n):
    """Return the generalized Petersen graph GP(n, 2); it is Hamiltonian unless n % 6 == 5."""
    graph = nx.Graph()
    graph.add_nodes_from(itertools.chain.from_iterable((i, i + n) for i in range(n)))
    for i in range(n):
        graph.add_edges_from([(i, (i + 1) % n), (i, i + n), (i + n, (i + 2) % n + n)])
    return graph


def flower(n):
    """Return the flower snark of n stars, for odd n; it has no Hamiltonian cycle."""
    graph = nx.Graph()
    for i in range(n):
        star = [f"{letter}{i}" for letter in "abcd"]
        graph.add_edges_from((star[0], leaf) for leaf in star[1:])
    for i, letter in itertools.product(range(n), "bcd"):
        last = {"c": "d", "d": "c"}.get(letter, letter) if i == n - 1 else letter
        graph.add_edge(f"{letter}{i}", f"{last}{(i + 1) % n}")
    return graph


@pytest.mark.parametrize("n", [5, 11, 17, 101])
def test_sweeps_of_graphs_that_have_no_cycle(n):
    assert accepts(sweep_certificate(petersen(n)))
    assert accepts(sweep_certificate(flower(min(n, 7))))


@pytest.mark.parametrize("n", [6, 7, 8, 9, 10])
def test_sweeps_of_graphs_that_have_one(n):
    assert reason(sweep_certificate(petersen(n))) == "there is a cycle through all vertices"


def test_a_sweep_on_a_board_and_within_a_split():
    document = certificate(on_board(3, 6), {"kind": "sweep", "order": None})
    squares = [f"{file}{rank}" for file in "abcdef" for rank in "123"]
    for order, why in ((squares, None), (squares[1:], "the order lacks a square")):
        document = {**document, "schema_version": 6}
        document["evidence"]["order"] = order
        assert reason(document) == why
    evidence = {**SPLIT, "steps": [USE], "then": {"kind": "sweep", "order": [*"abcde"]}}
    document = {**certificate(NARROW, evidence), "schema_version": 6}
    assert accepts(document)
    assert reason({**document, "schema_version": 5}) == "sweep is evidence from version 6 on"


# Tours

ARCS = nx.DiGraph(["ab", "ba", "bc", "ca", "ac", "cd", "da", "db"])
QUESTIONS = [
    Problem("5x5"),
    Problem("6x6", closed=True, start="c3"),
    Problem("3x4", start="a1"),
    Problem(Board(5, 6, missing={(0, 0)}), end="b1"),
    Problem("4x5", piece="king", closed=True, require=["a1-b2"], forbid=["a1-a2"]),
    Problem(Board(3, 8, surface="cylinder"), closed=True),
    Problem(Board(5, 5, surface="torus"), piece="wazir", start="b2"),
    Problem(Board(4, 6, surface="moebius"), closed=True),
    Problem(Board(4, 5, surface="klein")),
    Problem("6x6", closed=True, given={"a1": 1, "c2": 2}),
    Problem("5x6", given={"a1": 3}),
    Problem("6x6", closed=True, symmetry="half-turn"),
    Problem("3x10", closed=True, symmetry="left-right"),
    Problem("1x1"),
    Problem(graph=nx.dodecahedral_graph(), closed=True),
    Problem(graph=nx.petersen_graph(), start=0),
    Problem(graph=ARCS, closed=True, require=[("b", "c")]),
    Problem(graph=ARCS, start="a", given={"d": 4}),
]


def found(problem):
    return json.loads(outcome_json(solve(problem, own_process=False)))


@pytest.fixture(scope="module", params=range(len(QUESTIONS)))
def outcome(request):
    return found(QUESTIONS[request.param])


def test_tours_are_valid(outcome):
    assert verify.verify(json.dumps(outcome)).endswith(": a tour")


def test_a_tour_with_one_defect(outcome):
    """A square is left out, stands twice or does not exist, or two squares change places."""
    tour = outcome["tour"]
    for walk in (tour[:-1], [*tour[:-1], tour[0]][-len(tour) :] + tour[:1], [*tour[:-1], "z99"]):
        assert reason({**outcome, "tour": walk}), walk
    refusals = 0
    for i in range(len(tour) - 1):
        swapped = [*tour[:i], tour[i + 1], tour[i], *tour[i + 2 :]]
        refusals += reason({**outcome, "tour": swapped}) is not None
    assert refusals or len(tour) < 5


@pytest.mark.parametrize(
    ("question", "change", "why"),
    [
        ({"board": "5x5"}, {"closed": True}, "makes no move"),
        ({"board": "5x5", "start": "a1"}, {"start": "c3"}, "is not the square of step 1"),
        ({"board": "5x5", "start": "a1"}, {"end": "a3"}, "is not the square of step 25"),
        ({"board": "5x5", "start": "a1"}, {"given": [["a1", 2]]}, "is not the square of step 2"),
        ({"board": "3x4", "piece": "king"}, {"piece": [[1, 2]]}, "makes no move"),
        ({"board": Board(4, 4, surface="torus"), "closed": True}, {"surface": "plane"}, "no move"),
        ({"board": "6x6", "closed": True}, {"symmetry": "diagonal"}, "is not symmetric under"),
        ({"board": "1x1"}, {"closed": True}, "a closed tour of fewer than 3 squares"),
        ({"board": "3x4"}, {"missing": ["a1"]}, "'a1' is no square or node of the problem"),
        ({"board": "3x4"}, {"oracle": True}, "the key 'oracle', which plays no part"),
    ],
)
def test_a_tour_that_breaks_one_condition(question, change, why):
    document = found(Problem(**question))
    document["problem"] |= change
    assert why in reason(document)


def test_moves_that_a_tour_must_and_must_not_make():
    document = found(Problem("6x6", closed=True))
    made = [document["tour"][:2]]
    document["problem"] |= {"require": made}
    assert reason(document) is None
    document["problem"] |= {"require": [], "forbid": made}
    assert reason(document).endswith("makes no move, or a forbidden one")
    moves = {frozenset(move) for move in itertools.pairwise([*document["tour"], made[0][0]])}
    other = next(move for move in (["a1", "b3"], ["b1", "a3"], ["c1", "a2"], ["c3", "d5"])
                 if frozenset(move) not in moves)  # fmt: skip
    document["problem"] |= {"require": [other], "forbid": []}
    assert reason(document) == "a required move is not made"


def test_a_tour_against_the_arcs():
    document = found(Problem(graph=nx.DiGraph(["ab", "bc", "ca"]), closed=True))
    assert reason(document) is None
    assert "makes no move" in reason({**document, "tour": document["tour"][::-1]})


def test_an_outcome_without_a_tour():
    document = found(Problem("4x4"))
    assert reason(document) == "an outcome 'IMPOSSIBLE' proves nothing; a certificate would"
    assert reason({**document, "verdict": "FOUND"}) == "squares is not a list"
    assert reason(deepcopy(document), tours={}) == "a file of tours belongs to a certificate"


def test_it_checks_every_kind_of_the_page():
    page = (FILE.parent / "trust" / "check" / "FORMAT.md").read_text("utf-8")
    kinds = re.findall(r"^##+ `(\w+)`$", page, re.MULTILINE)
    assert set(kinds) == {*verify.KINDS, "undirected"}
