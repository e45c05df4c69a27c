"""Engines and encodings of other packages: entry points, and what the contract finds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from kt_cp import engine_names, get_engine
from kt_cp.encodings import encoding_names, get_encoding
from kt_cp.model.errors import EngineFailedError, EngineNameError, UnsoundEngineError
from kt_cp.testing import encoding_contract, engine_contract
from kt_cp.testing import engine as of_engines
from kt_cp.testing.encoding import PROMISES as OF_ENCODINGS
from tests.examples import third_party
from tests.support.command_line import refused
from tests.support.exhaustive import more


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package: what its ``entry_points.txt`` says of engines and encodings."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def written(engines=(), encodings=()):
        folder = tmp_path / "third-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: third\nVersion: 1.0\n")
        lines = ["[kt_cp.engines]", *engines, "[kt_cp.encodings]", *encodings]
        (folder / "entry_points.txt").write_text("\n".join(lines))

    return written


@pytest.fixture
def mine(install):
    install(
        ["mine = tests.examples.third_party:ENGINE"], ["mine = tests.examples.third_party:ENCODING"]
    )


# The three lines of a third party, and the fixture that installs it.

# These take most of the time, and backtracking is held to them by its own name.
ALSO = {"tiny graphs", "random graphs", "random boards", "questions"}
installed = pytest.mark.usefixtures("mine")
test_contract = engine_contract("mine", but={"time limits", *more(ALSO, ())})
test_contract = installed(pytest.mark.slow(test_contract))
test_encoding = encoding_contract("mine", but=more(["random graphs"], []))
test_encoding = installed(pytest.mark.slow(test_encoding))


@pytest.mark.usefixtures("mine")
@pytest.mark.clock
def test_time_limits():
    for outcome in of_engines.time_limits("mine"):
        assert outcome.limit == "time"


# Broken promises are caught


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("lie", third_party.LIARS)
def test_engines_that_lie(lie, monkeypatch):
    engine, promise = third_party.LIARS[lie]
    monkeypatch.setattr(of_engines, "LATE", 0.4)
    with pytest.raises((AssertionError, UnsoundEngineError)):
        of_engines.PROMISES[promise](engine)


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("lie", third_party.ENCODING_LIARS)
def test_encodings_that_lie(lie):
    encoding, promise = third_party.ENCODING_LIARS[lie]
    with pytest.raises((AssertionError, EngineFailedError)):
        OF_ENCODINGS[promise](encoding)


@pytest.mark.usefixtures("mine")
def test_an_encoding_may_keep_its_meaning_to_itself():
    OF_ENCODINGS["damage"](replace(third_party.ENCODING, meaning=None))


@pytest.mark.usefixtures("mine")
def test_promises_are_left_out_by_name():
    with pytest.raises(ValueError, match=r"expected promises of registered.*got \['time'\]"):
        engine_contract("mine", but=["time"])


# Entry points


@pytest.mark.usefixtures("mine")
def test_names():
    assert engine_names()[-1] == encoding_names()[-1] == "mine"
    assert get_engine("mine") is third_party.ENGINE and get_encoding("mine") is third_party.ENCODING
    assert get_engine("sat:mine").name == "sat:mine:cadical195"


@pytest.mark.usefixtures("mine")
def test_the_command_line_knows_them(kt_cp):
    result = kt_cp("engines")
    assert result.err == "" and "\n mine         yes " in result.out
    assert "a third party's formula (SOLVER cadical195)" in result.out
    rows = json.loads(kt_cp("encodings", "3x4", "--json").out)
    clauses = {row["name"]: row["clauses"] for row in rows}
    assert rows[-1]["name"] == "mine" and clauses["mine"] == clauses["position"]
    result = kt_cp("solve", "5x6", "--engine", "mine", "--json")
    assert result.code == 0 and json.loads(result.out)["replayed"]
    assert kt_cp("solve", "3x4", "--engine", "sat:mine").code == 0
    assert kt_cp("solve", "3x3", "--engine", "sat:mine:glucose4").code == 1


@pytest.mark.usefixtures("mine")
def test_export_and_decode(kt_cp, tmp_path):
    formula, answer = tmp_path / "f.cnf", tmp_path / "answer"
    assert kt_cp("export", "3x4", "--encoding", "mine", "-o", formula).code == 0
    comments = [line for line in formula.read_text("utf-8").splitlines() if " is number " in line]
    assert comments[0] == "c 1 a1 is number 1" and len(comments) == 72
    with Solver(bootstrap_with=CNF(from_file=str(formula)).clauses) as solver:
        assert solver.solve()
        answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n")
    result = kt_cp("decode", formula, answer)
    assert result.code == 0, result.err


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mne", ["mne", "did you mean mine?"]),
        ("sat:mne", ["lazy, channel", "got 'mne'", "did you mean mine?"]),
        ("mine:x", ["fewer options"]),
    ],
)
def test_words_for_unknown_names(kt_cp, name, words):
    refused(kt_cp("solve", "3x4", "--engine", name), *words)


@pytest.mark.usefixtures("mine")
def test_a_condition_that_it_does_not_take_is_refused(kt_cp):
    arguments = ("solve", "5x6", "--require", "a1-b3", "--engine", "mine")
    refused(kt_cp(*arguments), "engine mine does not take required moves: use engine auto")


THIRD = "tests.examples.third_party"
BROKEN = {
    "gone": ("nowhere.at_all:ENGINE", "does not load from nowhere.at_all:ENGINE: ModuleNotFound"),
    "absent": (f"{THIRD}:NOTHING", f"does not load from {THIRD}:NOTHING: AttributeError"),
    "three": (f"{THIRD}:NEITHER", "expected its entry point to be an E"),
}


@pytest.fixture
def broken(install):
    points = [f"{name} = {where}" for name, (where, _) in BROKEN.items()]
    other = [f"family = {THIRD}:engine_factory", f"swapped = {THIRD}:ENCODING"]
    install([*points, *other], [*points, f"other = {THIRD}:ENCODING", f"swapped = {THIRD}:ENGINE"])


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("name", BROKEN)
def test_one_line_says_what_is_wrong(kt_cp, name):
    _, message = BROKEN[name]
    refused(kt_cp("solve", "3x4", "--engine", name), f"engine {name}", message)
    refused(kt_cp("solve", "3x4", "--engine", f"sat:{name}"), f"encoding {name}", message)
    refused(kt_cp("export", "3x4", "--encoding", name), f"encoding {name}", message)


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("get", "name", "message"),
    [
        (get_engine, "swapped", "a function that makes one; got Encoding"),
        (get_engine, "family:large", "a function that makes one; got 'large'"),
        (get_encoding, "swapped", "an Encoding of this name, got <Engine: mine"),
        (get_encoding, "other", r"an Encoding of this name, got Encoding\(name='mine'"),
    ],
)
def test_it_is_something_else(get, name, message):
    with pytest.raises(EngineNameError, match=message) as caught:
        get(name)
    assert "\n" not in str(caught.value)
    assert get_engine("family").name == "mine"


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(("words", "lines"), [(["engines"], 9), (["encodings", "3x4"], 5)])
def test_the_others_are_listed(kt_cp, words, lines):
    result = kt_cp(*words)
    assert result.code == 0 and "corridor" in result.out
    assert len(result.err.splitlines()) == lines and "kt-cp: encoding gone does not" in result.err


@pytest.mark.usefixtures("broken")
def test_another_engine_is_advised_past_them(kt_cp):
    result = kt_cp("solve", "6x6", "--require", "a1-b3", "--engine", "construct")
    refused(result, "engine construct does not take required moves: use engine auto")
