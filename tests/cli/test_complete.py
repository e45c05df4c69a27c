"""``enumerate --certificate`` and ``check`` of what it writes; ``prove`` with clues."""

from __future__ import annotations

import json

import pytest

from kt_cp.model.outcome import Certificate
from kt_cp.proofs import complete as completing
from kt_cp.proofs.certify import Finding
from kt_cp.trust.check.refutation import check_lemmas


@pytest.fixture
def listed(kt_cp, tmp_path):
    """Enumerate with a certificate; what was said, and the certificate's file."""

    def run(*options):
        file = tmp_path / "all.json"
        return kt_cp("enumerate", *options, "--certificate", file), file

    return run


def test_all_tours_and_that_there_are_no_others(kt_cp, listed):
    ran, file = listed("3x4", "--start", "a1")
    assert ran.code == 0 and ran.out.startswith("Tour 1\n") and "2 tours (3x4" in ran.out
    document = json.loads(file.read_text())
    assert [len(tour) for tour in document["evidence"]["tours"]] == [12, 12]
    judged = kt_cp("check", file)
    assert (judged.code, judged.err) == (0, "")
    assert judged.out.startswith("A proof (3x4, open, from a1): all 2 tours, by list: with all 2 ")
    told = json.loads(kt_cp("check", file, "--json").out)
    assert (told["claim"], told["tours"], told["proved"]) == ("all 2 tours", 2, True)
    text = file.read_text().replace('"start": "a1"', '"start": "c1"')
    file.write_text(text)
    assert kt_cp("check", file).code == 1


def test_the_only_tour(kt_cp, listed):
    ran, file = listed("3x4", "--start", "a1", "--end", "d3")
    assert ran.code == 0 and "1 tour (" in ran.out
    assert ": the only tour, by list: with the only tour excluded, " in kt_cp("check", file).out


def test_no_tour_is_certified_as_such(kt_cp, listed):
    ran, file = listed("3x4", "--closed")
    assert ran.code == 1 and "No tour" in ran.out
    judged = kt_cp("check", file)
    assert judged.code == 0 and ": no tour, by removal: " in judged.out


def test_the_files_that_other_checkers_read(kt_cp, listed, tmp_path):
    _, file = listed("3x4", "--start", "a1")
    cnf, drat, lrat = (tmp_path / f"all.{ending}" for ending in ("cnf", "drat", "lrat"))
    ran = kt_cp("check", file, "--cnf", cnf, "--drat", drat, "--lrat", lrat)
    assert ran.code == 0 and ran.out.startswith("A proof ")
    formula = cnf.read_text().splitlines()
    (place,) = (i for i, line in enumerate(formula) if line.startswith("p cnf "))
    clauses = [[*map(int, line.split()[:-1])] for line in formula[place + 1 :]]
    lines = [line.split(" ", 1)[1] for line in lrat.read_text().splitlines()]
    assert check_lemmas(int(formula[place].split()[2]), clauses, lines) == len(lines)
    assert drat.read_text().splitlines()[-1] == "0"
    assert any("one of the moves of each listed tour is not made" in line for line in formula)
    again = kt_cp("check", file, "--cnf", cnf)
    assert again.code == 2 and "--force" in again.err
    # Of what is no refutation there are none.
    none = tmp_path / "none.cnf"
    kt_cp("prove", "3x4", "--closed", "-o", tmp_path / "no.json")
    ran = kt_cp("check", tmp_path / "no.json", "--cnf", none)
    assert ran.code == 2 and "--cnf: expected a refutation" in ran.err and not none.exists()
    tour = tmp_path / "tour.txt"
    tour.write_text("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    ran = kt_cp("check", tour, "--lrat", none)
    assert ran.code == 2 and "--lrat: expected a certificate" in ran.err and not none.exists()
    file.write_text(file.read_text().replace('"start": "a1"', '"start": "c1"'))
    assert kt_cp("check", file, "--cnf", none).code == 1 and not none.exists()


def test_what_does_not_go_with_a_certificate(kt_cp, tmp_path, listed):
    for options in (["--count"], ["--unique"], ["--limit", "1"]):
        ran, file = listed("3x4", *options)
        assert ran.code == 2 and "--certificate is about all tours" in ran.err
        assert not file.exists()
    ran = kt_cp("enumerate", "3x4", "--certificate", "-")
    assert ran.code == 2 and "expected the name of a file" in ran.err
    both = tmp_path / "both"
    ran = kt_cp("enumerate", "3x4", "-o", both, "--certificate", both)
    assert ran.code == 2 and "name the same file" in ran.err
    both.write_text("mine")
    ran = kt_cp("enumerate", "3x4", "--certificate", both)
    assert ran.code == 2 and "--force" in ran.err and both.read_text() == "mine"


def test_the_tours_in_a_file_beside(kt_cp, listed, tmp_path):
    beside = tmp_path / "tours.json"
    ran, file = listed("3x4", "--start", "a1", "--tours", beside)
    assert ran.code == 0 and '"c2"' not in file.read_text()
    judged = kt_cp("check", file, "--tours", beside, "--board", "3x4", "--start", "a1")
    assert judged.code == 0 and ": all 2 tours, by list: with all 2 " in judged.out
    judged = kt_cp("check", file, "--tours", beside, "--board", "3x4")
    assert judged.code == 1 and "another question: expected no start, found a1" in judged.out
    told = json.loads(kt_cp("check", file, "--tours", beside, "--json").out)
    assert (told["claim"], told["tours"], told["proved"]) == ("all 2 tours", 2, True)
    cnf = tmp_path / "all.cnf"
    assert kt_cp("check", file, "--tours", beside, "--cnf", cnf).code == 0
    assert "one of the moves of each listed tour is not made" in cnf.read_text()
    alone = kt_cp("check", file)
    assert alone.code == 2 and "expected --tours TOURS: they stand in a file" in alone.err
    assert kt_cp("check", file, "--tours", file).code == 2
    beside.write_text(beside.read_text().replace('"a1", "c2"', '"c2", "a1"'))
    ran = kt_cp("check", file, "--tours", beside)
    assert ran.code == 1 and "the tours beside it are not those" in ran.out
    tour = tmp_path / "tour.txt"
    tour.write_text("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    ran = kt_cp("check", tour, "--tours", beside)
    assert ran.code == 2 and "--tours: expected a certificate, got a tour" in ran.err


def test_what_does_not_go_with_tours_beside(kt_cp, listed, tmp_path):
    beside = tmp_path / "tours.json"
    ran = kt_cp("enumerate", "3x4", "--tours", beside)
    assert ran.code == 2 and "--tours: expected --certificate beside it" in ran.err
    ran, file = listed("3x4", "--tours", tmp_path / "all.json")
    assert ran.code == 2 and "name the same file" in ran.err
    beside.write_text("mine")
    ran, file = listed("3x4", "--start", "a1", "--tours", beside)
    assert ran.code == 2 and "--force" in ran.err and beside.read_text() == "mine"
    # Of no tours there is no such file: the certificate says why.
    beside.unlink()
    ran, file = listed("3x4", "--closed", "--tours", beside)
    assert ran.code == 1 and not beside.exists() and kt_cp("check", file).code == 0


def test_no_certificate_in_time(listed, monkeypatch):
    monkeypatch.setattr(completing, "complete", lambda *_args, **_more: Finding())
    ran, file = listed("3x4", "--start", "a1")
    assert ran.code == 3 and "no certificate was found" in ran.err and not file.exists()


def test_a_tour_that_the_enumeration_has_missed_is_a_bug(listed, monkeypatch):
    def other(problem, tours, *_args, **_more):
        return Finding(tour=tours[0])

    monkeypatch.setattr(completing, "complete", other)
    ran, file = listed("3x4", "--start", "a1")
    assert ran.code == 70 and "has missed a tour: a1 c2" in ran.err and not file.exists()


def test_the_judge_looks_at_the_tours_too(kt_cp, listed, monkeypatch):
    _, file = listed("3x4", "--start", "a1")
    monkeypatch.setattr("kt_cp.cli.check.defects", lambda *_: ["something wrong"])
    ran = kt_cp("check", file)
    assert ran.code == 70 and "the checker accepts a list of tours" in ran.err


def test_prove_names_two_clues_that_clash(kt_cp):
    ran = kt_cp("prove", "8x8", "--closed", "--given", "e4=17,c3=19")
    assert ran.code == 0
    assert ran.out == (
        "No tour (8x8, closed, c3 at 19, e4 at 17): e4 is at step 17 and c3 at step 19, 2 moves "
        "later, but every way from e4 to c3 has an odd number of moves.\n"
    )
    assert "proved by clash" in ran.err


def test_prove_names_a_clue_of_the_wrong_colour(kt_cp, tmp_path):
    said = (
        "No tour (7x7, open, b1 at 9, e4 at 21): b1 is at step 9 and a knight changes colour with "
        "every move, so the odd steps need 25 squares of b1's colour, but moves from there reach "
        "24.\n"
    )
    asked = ("7x7", "--given", "e4=21,b1=9")
    assert kt_cp("prove", *asked, "-o", tmp_path / "no.json").out == said
    checked = kt_cp("check", tmp_path / "no.json")
    assert checked.code == 0 and "changes colour" in checked.out
    for command in ("solve", "enumerate"):
        ran = kt_cp(command, *asked)
        assert (ran.code, ran.out) == (1, said)


def test_prove_says_that_no_clue_can_be_left_out(kt_cp):
    ran = kt_cp("prove", "3x4", "--given", "a1=1,c2=2,d3=10,b2=9")
    assert ran.code == 0 and "): with a1 at step 1 and d3 at step 10, the formula" in ran.out
    assert ran.err.endswith("; none of these clues can be left out\n")


def test_a_list_in_a_sentence(listed, tmp_path):
    _, file = listed("3x4", "--start", "a1")
    document = json.loads(file.read_text())
    from kt_cp import Problem

    made = Certificate(Problem("3x4", start="a1"), "list", document["argument"], document)
    assert made.claim == "all 2 tours"
    for ending, within in (("txt", "All 2 tours (3x4"), ("svg", "All 2 tours (3x4")):
        made.save(tmp_path / f"told.{ending}")
        assert within in (tmp_path / f"told.{ending}").read_text()
