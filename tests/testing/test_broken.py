"""Entry points of others that do not load, or give something else: a line, and the rest works."""

from __future__ import annotations

import pytest

from kt_cp import get_engine
from kt_cp.encodings import get_encoding
from kt_cp.model.errors import EngineNameError
from tests.support.command_line import refused

THIRD = "tests.examples.third_party"
BROKEN = {
    "gone": ("nowhere.at_all:ENGINE", "does not load from nowhere.at_all:ENGINE: ModuleNotFound"),
    "absent": (f"{THIRD}:NOTHING", f"does not load from {THIRD}:NOTHING: AttributeError"),
    "three": (f"{THIRD}:NEITHER", "expected its entry point to be an E"),
}


@pytest.fixture(autouse=True)
def broken(install):
    points = [f"{name} = {where}" for name, (where, _) in BROKEN.items()]
    other = [f"family = {THIRD}:engine_factory", f"swapped = {THIRD}:ENCODING"]
    install([*points, *other], [*points, f"other = {THIRD}:ENCODING", f"swapped = {THIRD}:ENGINE"])


@pytest.mark.parametrize("name", BROKEN)
def test_one_line_says_what_is_wrong(kt_cp, name):
    _, said = BROKEN[name]
    refused(kt_cp("solve", "3x4", "--engine", name), f"engine {name}", said)
    refused(kt_cp("solve", "3x4", "--engine", f"sat:{name}"), f"encoding {name}", said)
    refused(kt_cp("export", "3x4", "--encoding", name), f"encoding {name}", said)


@pytest.mark.parametrize(
    ("get", "name", "said"),
    [
        (get_engine, "swapped", "a function that makes one; got Encoding"),
        (get_engine, "family:large", "a function that makes one; got 'large'"),
        (get_encoding, "swapped", "an Encoding of this name, got <Engine: mine"),
        (get_encoding, "other", r"an Encoding of this name, got Encoding\(name='mine'"),
    ],
)
def test_it_is_something_else(get, name, said):
    with pytest.raises(EngineNameError, match=said) as caught:
        get(name)
    assert "\n" not in str(caught.value)
    assert get_engine("family").name == "mine"


@pytest.mark.parametrize(("words", "lines"), [(["engines"], 9), (["encodings", "3x4"], 5)])
def test_the_others_are_listed(kt_cp, words, lines):
    ran = kt_cp(*words)
    assert ran.code == 0 and "corridor" in ran.out
    assert len(ran.err.splitlines()) == lines and "kt-cp: encoding gone does not" in ran.err


def test_another_engine_is_advised_past_them(kt_cp):
    ran = kt_cp("solve", "6x6", "--require", "a1-b3", "--engine", "construct")
    refused(ran, "engine construct does not take required moves: use --engine auto")
