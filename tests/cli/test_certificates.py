"""Certificates on the command line: ``check`` judges them, ``solve`` keeps them."""

from __future__ import annotations

import json

import pytest

from kt_cp import Board, Problem, check, prove
from kt_cp.proofs import certificate as certificates
from kt_cp.proofs.certificate import search_report
from kt_cp.trust.check import certificate as checker
from kt_cp.trust.check.certificate import digest_of
from tests.support.command_line import DATA, refused, run_cli


@pytest.fixture(scope="module")
def text():
    return prove(Problem(Board(4, 4))).certificate.to_json()


@pytest.fixture(scope="module")
def report():
    return prove(Problem(Board(3, 3)), "exhausted").certificate.to_json()


@pytest.fixture
def judge(kt_cp, tmp_path):
    """Run ``check`` on some text."""
    path = tmp_path / "certificate"

    def run(text, *options):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return kt_cp("check", path, *options)

    return run


def changed(text, **changes):
    """The same certificate with other values, and the digest that fits."""
    document = {**json.loads(text), **changes}
    return json.dumps({**document, "digest": digest_of(document)})


# --- what check says ------------------------------------------------------------------------------


def test_a_certificate_is_a_proof(judge, text):
    accepted = check(text)
    ran = judge(text)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (f"A proof (4x4, open): no tour, by {accepted.kind}: {accepted.argument}.\n")
    # However it is laid out, and however late its name stands in it.
    document = json.loads(text)
    assert judge(json.dumps(document, indent=None, sort_keys=True)).out == ran.out
    assert judge("\n  " + json.dumps(document, separators=(",", ":"))).out == ran.out


def test_stdin(text):
    ran = run_cli("check", "-", stdin=text.encode())
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("A proof (4x4, open)")


def test_json(judge, text):
    accepted = check(text)
    document = json.loads(judge(text, "--json").out)
    assert document == {
        "schema_version": 1,
        "problem": {
            "rows": 4, "columns": 4, "missing": [], "piece": [[1, 2]], "surface": "plane",
            "closed": False, "start": None, "end": None,
            "require": [], "forbid": [], "given": [], "symmetry": None,
        },
        "valid": True,
        "proved": True,
        "kind": accepted.kind,
        "argument": accepted.argument,
        "claim": "no tour",
        "tours": 0,
        "reason": None,
        "text": None,
    }  # fmt: skip
    ran = judge(changed(text, evidence={"kind": "magic"}), "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["valid"], document["proved"]) == (1, False, False)
    assert (document["reason"], document["problem"]) == ("UNKNOWN_KIND", None)
    assert document["text"].startswith("no such kind of evidence: expected one of size, ")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[: len(text) // 2], "not complete JSON: line "),
        (lambda text: text[:40], "not complete JSON"),
        (lambda text: text.replace('"rows": 4', '"rows": 5'), "a digest does not fit"),
        (lambda text: text.replace('"rows": 4', '"rows": 4, "rows": 4'), "a key stands twice"),
        (
            lambda text: text.replace('"schema_version": 4', '"schema_version": 7'),
            "another version",
        ),
        (lambda text: text.encode() + b"\xff", "not complete JSON: expected UTF-8"),
        (lambda text: text.replace('"missing": []', '"missing": ' + "[" * 10**5), "too deeply"),
        (lambda text: text + " " * checker.MOST_BYTES, "too large: expected at most 32 MB"),
        (lambda text: changed(text, argument="because"), "the argument in words is another"),
        (lambda text: changed(text, evidence={"kind": "colours"}), "does not prove it"),
        (lambda text: changed(text, evidence={"kind": "size"}), "does not answer this question"),
        (lambda text: changed(text, problem={}), "not as the format says: expected the key 'rows'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(judge, text, damage, reason):
    ran = judge(damage(text))
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("Not a proof: ")
    assert reason in ran.out
    assert ran.out.count("\n") == 1
    assert len(ran.out) < 600


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ("--closed", "expected closed tours, found open tours"),
        ("--board 5x5", "expected 5x5, found 4x4"),
        (
            "--board 5x5 --closed",
            "expected 5x5, found 4x4; expected closed tours, found open tours",
        ),
        ("--board 4x4 --missing a1", "expected 1 missing square (a1), found none"),
        ("--missing a1,b1", "expected 2 missing squares (a1, b1), found none"),
        ("--board 4x4 --surface torus", "expected a torus, found a plane"),
        ("--piece camel", "expected camel, found knight"),
        ("--start a1", "expected start a1, found none"),
        ("--start h8", "expected start to be on the 4x4 board, got h8"),
        ("--end d4", "expected end d4, found none"),
        ("--given c3=2", "expected 1 given step (c3 at 2), found none"),
        ("--symmetry half-turn", "expected symmetry half-turn, found none"),
        ("--closed --end d4", "a closed tour ends beside its start: expected no end, got d4"),
    ],
)
def test_a_certificate_of_another_problem_is_no_proof(judge, text, options, difference):
    ran = judge(text, *options.split())
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith(f"certificate is about another question: {difference}\n")
    document = json.loads(judge(text, *options.split(), "--json").out)
    assert (document["valid"], document["reason"]) == (False, "OTHER_PROBLEM")
    assert document["text"] == difference


SPECIAL = {
    "--forbid a1-c2,b1-d2": "no forbidden moves, found 2 (a1-c2, b1-d2)",
    "--require a1-c2,c2-a1,c2-e1,a1-b3 --forbid b1-d2": "no required moves, found 3 ",
    "--given b1=2,a1=3": "no given steps, found 2 (a1 at 3, b1 at 2)",
    "--start a1 --given f5=2": "no start, found a1; expected no given steps, found 1 (f5 at 2)",
    "--symmetry diagonal": "no symmetry, found diagonal",
    "--missing a1": "no missing squares, found 1 (a1)",
    "--piece zebra": "knight, found zebra",
    "--surface cylinder --piece ferz": "knight, found ferz; expected a plane, found a cylinder",
}


@pytest.mark.parametrize("options", SPECIAL)
def test_what_a_question_does_not_mention_means_its_default(judge, kt_cp, tmp_path, options):
    path = tmp_path / "no.json"
    asked = ["5x6", "--closed", *options.split()]
    assert kt_cp("prove", *asked, "-o", path).code == 0
    made = path.read_bytes()
    assert judge(made).out.startswith("A proof (5x6")
    assert judge(made, "--board", *asked).code == 0
    # Five by six has closed tours: without the rest of the question, no certificate is about it.
    for stated in ("--board 5x6 --closed", "--closed"):
        plain = [*stated.split()]
        if "--board" not in plain and ("--missing" in asked or "--surface" in asked):
            continue  # the board is the file's
        ran = judge(made, *plain)
        assert (ran.code, ran.err, ran.out.count("\n")) == (1, "", 1)
        for part in SPECIAL[options].split("; expected "):
            assert f"expected {part}" in ran.out


def test_one_question_in_other_words(judge, kt_cp, tmp_path):
    path = tmp_path / "no.json"
    said = "--missing c3,e5 --forbid a1-c2,b1-d2 --require b2-d1 --closed --given a1=1,c2=16"
    assert kt_cp("prove", "5x5", *said.split(), "-o", path).code == 0
    same = "--missing 5,5 --missing c3 --forbid d2-b1 --forbid 2,3-a1 --require d1-b2 --piece 2,1"
    same += " --given c2=16 --given a1=1 --closed"
    ran = judge(path.read_text(), "--board", "5x5", *same.split(), "--surface", "plane")
    assert ran.code == 0, ran.out
    drawn = tmp_path / "board.txt"
    drawn.write_text("\n".join([". . . . #", ". . . . .", ". . # . .", ". . 16 . .", "1 . . . ."]))
    said = "--forbid a1-c2,b1-d2 --require b2-d1 --closed"
    assert judge(path.read_text(), "--board", drawn, *said.split()).code == 0
    ran = judge(path.read_text(), "--board", drawn, "--closed")
    assert ran.code == 1 and "expected no required moves, found 1 (b2-d1)" in ran.out
    for version in (1, 2):  # files that do not name a piece
        old = (DATA / f"no-4x4-version-{version}.json").read_bytes()
        closed = ["--closed"] * json.loads(old)["problem"]["closed"]
        assert judge(old, "--board", "4x4", "--piece", "knight", *closed).code == 0
    # A question of its own that makes no sense is bad input, as in every command.
    refused(judge(path.read_text(), "--board", "5x5", "--start", "h8"), "on the 5x5 board, got h8")


@pytest.mark.parametrize("options", [["--open"], ["--board", "4x4"], ["--board", "4x4", "--open"]])
def test_what_the_user_wants_proved(judge, text, options):
    assert judge(text, *options).code == 0


def test_ends_and_missing_squares_that_fit(judge):
    problem = Problem(Board(5, 5, {(0, 1)}), start=(0, 2))
    made = prove(problem).certificate.to_json()
    fitting = ["--missing", "b1", "--start", "c1", "--open"]
    assert judge(made, *fitting).code == 0
    assert judge(made, "--board", "5x5", *fitting).code == 0
    assert judge(made, "--board", "5x5").code == 1  # the whole board is another


def test_a_certificate_says_nothing_about_boards_for_a_graph(judge):
    import networkx as nx

    made = prove(Problem(graph=nx.petersen_graph(), closed=True)).certificate.to_json()
    assert judge(made).out.startswith("A proof (graph with 10 nodes and 15 edges, closed)")
    assert judge(made, "--board", "2x5").code == 1
    assert json.loads(judge(made, "--json").out)["problem"]["closed"] is True


def test_bad_options_are_bad_input(judge, text):
    refused(judge(text, "--board", "0x0"), "expected a board")
    refused(judge(text, "--start", "zz"), "--start: expected a square")
    refused(judge(text, "--missing", "hello"), "expected squares")


def test_an_outcome_without_a_tour_is_still_bad_input(judge, kt_cp):
    refused(judge(kt_cp("solve", "3x3", "--json").out), "the file holds no tour")


# --- a search that can be run again ---------------------------------------------------------------


def test_a_search_is_repeated(judge, report):
    ran = judge(report)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Repeated, not proved (3x3, open): no tour; ")
    document = json.loads(judge(report, "--json").out)
    assert (document["valid"], document["proved"], document["kind"]) == (True, False, "exhausted")
    assert judge(report, "--closed").code == 1


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((-1, 0), "the search places 121 squares"),
        ((1, 0), "the search places 121 squares"),
        ((0, 1), "takes back 121, not 121 and 122"),
    ],
)
def test_other_counts_are_told(judge, report, numbers, why):
    found = json.loads(report)["evidence"]
    placed, taken_back = found["placed"] + numbers[0], found["taken_back"] + numbers[1]
    forged = search_report(Problem(Board(3, 3)), placed, taken_back).to_json()
    ran = judge(forged)
    assert ran.code == 1
    expected = f"goes on after {placed} squares placed" if numbers == (-1, 0) else why
    assert expected in ran.out


def test_reports_of_what_is_not_so(judge, report, monkeypatch):
    lie = search_report(Problem(Board(5, 5)), 10**6, 10**6).to_json()
    assert "the search finds a tour" in judge(lie).out
    ran = judge(search_report(Problem(Board(8, 8), closed=True), 5000, 5000).to_json())
    assert (ran.code, "goes on after 5,000 squares placed" in ran.out) == (1, True)
    ran = judge(search_report(Problem(Board(8, 8)), 10**18, 10**18).to_json())
    assert (ran.code, "a number out of range" in ran.out) == (1, True)
    ran = judge(search_report(Problem(Board(10**9, 10**9)), 1, 1).to_json())
    assert (ran.code, "too large" in ran.out) == (1, True)
    assert "another" in judge(changed(report, argument="because")).out
    assert judge(changed(report, evidence={"kind": "exhausted"})).code == 1
    monkeypatch.setattr(certificates, "MOST_SQUARES", 8)
    assert judge(report).code == 1


# --- solve --certificate --------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat", "reference"])
def test_solve_keeps_a_certificate_of_any_engine(kt_cp, tmp_path, engine):
    path = tmp_path / "no.json"
    ran = kt_cp("solve", "3x5", "--engine", engine, "--certificate", path)
    accepted = check(path.read_bytes())
    assert ran.code == 1
    assert ran.out == f"No tour (3x5, open): {accepted.argument}.\n"
    assert f"; backed by: {accepted.kind}, a checked certificate" in ran.err
    assert accepted.problem == Problem(Board(3, 5))


def test_an_outcome_names_its_certificate(kt_cp, tmp_path):
    evidence = json.loads(kt_cp("solve", "3x3", "--json").out)["evidence"]
    assert evidence == {
        "kind": "argument",
        "text": "b2 has no moves at all",
        "certificate": "degrees",
    }
    claimed = json.loads(kt_cp("solve", "3x3", "--engine", "cpsat", "--json").out)["evidence"]
    assert claimed["certificate"] is None
    outcome, kept = tmp_path / "outcome.json", tmp_path / "kept.json"
    asked = ("solve", "3x3", "--engine", "cpsat", "-o", outcome, "--certificate", kept)
    assert kt_cp(*asked).code == 1
    assert json.loads(outcome.read_text())["evidence"]["certificate"] == "degrees"
    assert check(kept.read_bytes()).kind == "degrees"


def test_without_a_certificate_nothing_is_written(kt_cp, tmp_path):
    path = tmp_path / "no.json"
    path.write_text("before")
    ran = kt_cp("solve", "5x5", "--certificate", path, "--force")
    assert (ran.code, ran.out) == (0, kt_cp("solve", "5x5").out)
    assert ran.err.endswith(f"\nkt-cp: nothing was written to {path}: there is a tour\n")
    ran = kt_cp("solve", "3x3", "--engine", "warnsdorff", "--certificate", path, "--force")
    assert ran.code == 3
    assert ran.err.endswith(f"\nkt-cp: nothing was written to {path}: nothing is proved\n")
    ran = kt_cp("solve", "4x999999999", "--closed", "--certificate", path, "--force")
    assert ran.code == 1
    assert ran.err.endswith(f"\nkt-cp: nothing was written to {path}: no certificate was found\n")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_a_tour_on_the_way_to_a_certificate_is_70(kt_cp, fake, tmp_path, monkeypatch):
    from tests.support.fakes import false_no

    fake(false_no)
    monkeypatch.setattr("kt_cp.trust.crosscheck.BUDGET", 2_000)
    # Beyond what the reference decides.
    asked = ("solve", "8x8", "--closed", "--engine", "fake")
    assert kt_cp(*asked).code == 1
    ran = kt_cp(*asked, "--certificate", tmp_path / "no.json")
    assert (ran.code, ran.out) == (70, "")
    assert "fake says IMPOSSIBLE on 8x8, closed, seed 0, but a tour was found: a1 " in ran.err
    assert list(tmp_path.iterdir()) == []
