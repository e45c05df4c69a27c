"""Certificates as files: truncated, doubled, oversized, signed wrongly, with tours beside them."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections import Counter
from copy import deepcopy
from functools import cache

import pytest

from kt_cp import Enumeration, Problem
from kt_cp.proofs.certificate import separate_tours
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.check.certificate import MOST_BYTES, MOST_LISTS, digest_of
from tests.examples.certificates import (
    BOWTIE,
    accepts,
    board,
    certificate,
    examples_1,
    graph,
    newer,
    reason,
    reason_of,
    signed,
)
from tests.support.command_line import DATA
from tests.trust.test_check_format import PAGE

PROBLEM = board(3, 4, closed=True)
EVIDENCE = {"kind": "removal", "squares": ["c1", "c3"]}
ARGUMENT = (
    "without c1 and c3 the board falls into 3 pieces; a closed tour goes through those 2 squares "
    "once each, so it can visit at most 2 of them"
)
NEWEST = certificate(
    {**PROBLEM, "piece": [[1, 2]], "surface": "plane", "require": [], "forbid": [], "given": [],
     "symmetry": None},
    EVIDENCE,
)  # fmt: skip
WHOLE = signed(certificate(PROBLEM, EVIDENCE, argument=ARGUMENT, made_by={"kt_cp": "0.1.0"}))
CUT = {"kind": "cut", "squares": ["c"]}


def test_text_and_bytes_and_the_object_are_the_same():
    text = json.dumps(WHOLE)
    for form in (WHOLE, text, text.encode(), json.dumps(WHOLE, indent=2), f"\n {text}\n\n"):
        assert check(form).argument == ARGUMENT


@pytest.mark.parametrize("indent", [None, 2])
def test_every_prefix_is_refused(indent):
    text = json.dumps(WHOLE, indent=indent)
    for length in range(len(text)):
        assert reason_of(text[:length]) is Reason.NOT_JSON, length
        assert reason_of(text[:length].encode()) is Reason.NOT_JSON, length


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "no",
        "{'format': 1}",
        '{"format": }',
        '{"format": "a",}',
        "{} {}",
        "\ufeff{}",
        b"\xff\xfe{\x00}\x00",
        b"\x00\x01\x02",
        b"\x80",
        b'{"a": "\xed\xa0\x80"}',  # half a surrogate pair, which is no UTF-8
        '{"a": "\n"}',
        '{"a": 01}',
        '{"a": +1}',
        '{"a": "\\x"}',
        "// a comment\n{}",
    ],
)
def test_what_is_not_json(text):
    assert reason_of(text) is Reason.NOT_JSON


@pytest.mark.parametrize("text", ["[]", "null", "true", "7", '"a"', "[{}]"])
def test_what_is_no_object(text):
    assert reason_of(text) is Reason.WRONG_SHAPE


@pytest.mark.parametrize("number", ["1.0", "1e3", "-0.5", "NaN", "Infinity", "-Infinity", "1E400"])
def test_numbers_are_whole(number):
    for text in (number, f'{{"schema_version": {number}}}'):
        assert reason_of(text) is Reason.WRONG_SHAPE


def test_too_large_and_too_deep():
    assert reason_of(" " * (MOST_BYTES + 1)) is Reason.TOO_LARGE
    assert reason_of(b" " * (MOST_BYTES + 1)) is Reason.TOO_LARGE
    for marks in ("[" * (MOST_LISTS + 1), b"{" * (MOST_LISTS + 1), "[]{}" * (MOST_LISTS // 2 + 1)):
        assert reason_of(marks) is Reason.TOO_LARGE
    for depth in (5_000, 100_000):
        # How deep JSON may be nested depends on the version of Python: from 3.12 on 5,000 levels
        # are read, and refused for what they hold.
        reasons = {Reason.TOO_DEEP, Reason.NOT_JSON, Reason.WRONG_SHAPE}
        if sys.version_info < (3, 12) or depth > 50_000:
            reasons = {Reason.TOO_DEEP}
        assert reason_of("[" * depth) in reasons
        assert reason_of("[" * depth + "]" * depth) in reasons
        assert reason_of('{"evidence":' * depth) in reasons


def test_deep_but_readable_objects_are_refused_wherever_they_stand():
    nested = []
    for _ in range(600):
        nested = [nested]
    far = nested
    for _ in range(5_000):
        far = {"then": far}
    for value in (nested, far):
        for key in WHOLE:
            changed = {**WHOLE, key: value}
            unsigned = {name: each for name, each in changed.items() if name != "digest"}
            for document in (changed, unsigned):
                assert key == "digest" or reason_of(document) is not None, key
        for key in PROBLEM:
            assert reason({**PROBLEM, key: value}, EVIDENCE) is not None, key
        assert reason(PROBLEM, {**EVIDENCE, "squares": value}) is Reason.WRONG_SHAPE
        assert reason(board(3, 8, closed=True), {"kind": "forced", "tree": value}) is not None


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"evidence": {"kind": "size", "kind": "cut"}}',
        '{"\\u0061": 1, "a": 2}',
        '[{"a": {"b": 1, "c": 2, "b": 1}}]',
    ],
)
def test_a_key_stands_once(text):
    assert reason_of(text) is Reason.DUPLICATE_KEY


def test_a_doubled_key_in_a_certificate():
    text = json.dumps(WHOLE)
    doubled = text.replace('"closed": true', '"closed": false, "closed": true')
    assert reason_of(doubled) is Reason.DUPLICATE_KEY


@pytest.mark.parametrize(
    "format_", [None, "", "kt_cp", "kt_cp certificate ", 1, True, ["kt_cp certificate"]]
)
def test_other_formats(format_):
    assert reason_of({**WHOLE, "format": format_}) is Reason.WRONG_SHAPE


@pytest.mark.parametrize("version", [None, 0, 8, -1, True, "1", [1], 10**30, 1.0])
def test_other_versions(version):
    assert reason_of({**WHOLE, "schema_version": version}) is Reason.WRONG_VERSION


def test_keys():
    for key in ("format", "schema_version", "problem", "evidence"):
        less = {name: value for name, value in WHOLE.items() if name != key}
        assert reason_of(less) is Reason.WRONG_SHAPE
    for key in ("argument", "made_by", "digest"):  # these may be left out
        less = {name: value for name, value in WHOLE.items() if name not in (key, "digest")}
        assert reason_of(less) is None
    for key in ("note", "Format", "format ", ""):
        assert reason_of({**WHOLE, key: "1"}) is Reason.WRONG_SHAPE


@pytest.mark.parametrize(
    ("made_by", "expected"),
    [
        (None, Reason.WRONG_SHAPE),
        ([], Reason.WRONG_SHAPE),
        ({"kt_cp": 1}, Reason.WRONG_SHAPE),
        ({"kt_cp": "\x1b[2J"}, Reason.WRONG_SHAPE),
        ({"kt_cp\n": "1"}, Reason.WRONG_SHAPE),
        ({"kt_cp": "1" * 101}, Reason.TOO_LARGE),
        ({"k" * 101: "1"}, Reason.TOO_LARGE),
        ({str(number): "1" for number in range(51)}, Reason.TOO_LARGE),
        ({}, None),
        ({"kt_cp": "0.1.0", "Größe": "–"}, None),
    ],
)
def test_made_by_holds_versions_and_nothing_else(made_by, expected):
    assert reason_of(certificate(PROBLEM, EVIDENCE, made_by=made_by)) is expected


@pytest.mark.parametrize(
    "argument",
    [
        "",
        ARGUMENT + ".",
        ARGUMENT.upper(),
        ARGUMENT.replace("3", "4"),
        None,
        7,
        [ARGUMENT],
        f" {ARGUMENT}",
    ],
)
def test_the_argument_says_what_the_evidence_says(argument):
    assert reason_of({**NEWEST, "argument": argument}) is Reason.WRONG_TEXT
    # Before version 3 it stood in other words, which are no longer known.
    expected = None if isinstance(argument, str) else Reason.WRONG_TEXT
    assert reason_of(certificate(PROBLEM, EVIDENCE, argument=argument)) is expected
    assert reason_of({**NEWEST, "argument": argument, "schema_version": 2}) is expected


def test_the_digest_is_of_all_the_rest():
    for path, value in [
        (["problem", "rows"], 4),
        (["problem", "closed"], False),
        (["evidence", "squares"], ["c3", "c1"]),
        (["made_by", "kt_cp"], "0.2.0"),
        (["argument"], "trust me"),
    ]:
        changed = json.loads(json.dumps(WHOLE))
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        assert reason_of(changed) is Reason.WRONG_DIGEST, path
    for digest in ("", None, 0, WHOLE["digest"].upper(), WHOLE["digest"][:-1], [WHOLE["digest"]]):
        assert reason_of({**WHOLE, "digest": digest}) is Reason.WRONG_DIGEST


def test_the_digest_as_the_format_describes_it():
    rest = {key: value for key, value in WHOLE.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert WHOLE["digest"] == hashlib.sha256(text.encode("ascii")).hexdigest()


PROBLEMS = [
    ({"rows": 0}, Reason.OUT_OF_RANGE),
    ({"rows": -3}, Reason.OUT_OF_RANGE),
    ({"columns": 10**18 + 1}, Reason.OUT_OF_RANGE),
    ({"rows": 10**400}, Reason.OUT_OF_RANGE),
    ({"rows": True}, Reason.WRONG_SHAPE),
    ({"rows": "3"}, Reason.WRONG_SHAPE),
    ({"rows": None}, Reason.WRONG_SHAPE),
    ({"columns": 4.0}, Reason.WRONG_SHAPE),
    ({"columns": [4]}, Reason.WRONG_SHAPE),
    ({"closed": None}, Reason.WRONG_SHAPE),
    ({"closed": 1}, Reason.WRONG_SHAPE),
    ({"closed": "true"}, Reason.WRONG_SHAPE),
    ({"missing": None}, Reason.WRONG_SHAPE),
    ({"missing": "a1"}, Reason.WRONG_SHAPE),
    ({"missing": ["a1", "a1"]}, Reason.BAD_SQUARE),
    ({"missing": ["e1"]}, Reason.BAD_SQUARE),
    ({"missing": [f"{file}{rank}" for file in "abcd" for rank in "123"]}, Reason.WRONG_PROBLEM),
    ({"start": "e1"}, Reason.BAD_SQUARE),
    ({"start": "a1", "missing": ["a1"]}, Reason.BAD_SQUARE),
    ({"start": 1}, Reason.WRONG_SHAPE),
    ({"start": ["a1"]}, Reason.WRONG_SHAPE),
    ({"end": "a1"}, Reason.WRONG_PROBLEM),  # a closed tour has no end
    ({"closed": False, "start": "a1", "end": "a1"}, Reason.WRONG_PROBLEM),
]


@pytest.mark.parametrize(("change", "expected"), PROBLEMS)
def test_boards_that_make_no_sense(change, expected):
    assert reason({**PROBLEM, **change}, EVIDENCE) is expected


GRAPHS = [
    ({"nodes": []}, Reason.WRONG_PROBLEM),
    ({"nodes": ["a", "b", "c", "d", "e", "a"]}, Reason.WRONG_PROBLEM),
    ({"nodes": ["a", "b", "c", "d", "e", "end"]}, Reason.WRONG_PROBLEM),
    ({"nodes": ["a", "b", "c", "d"]}, Reason.WRONG_PROBLEM),  # e has edges
    ({"nodes": ["a", "b", "c", "d", "e", 5]}, Reason.WRONG_SHAPE),
    ({"nodes": ["a", "b", "c", "d", "e", "x" * 1001]}, Reason.TOO_LARGE),
    ({"nodes": ["a", "b", "c", "d", "e", "\u202e"]}, Reason.WRONG_SHAPE),
    ({"nodes": {"a": 1}}, Reason.WRONG_SHAPE),
    ({"nodes": None}, Reason.WRONG_SHAPE),
    ({"edges": None}, Reason.WRONG_SHAPE),
    ({"edges": [["a", "a"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [["a", "b"], ["b", "a"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [["a", "b", "c"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [["a"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [["a", "a", "b"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [[]]}, Reason.WRONG_PROBLEM),
    ({"edges": ["ab"]}, Reason.WRONG_SHAPE),
    ({"edges": [["a", "z"]]}, Reason.WRONG_PROBLEM),
    ({"edges": [["a", None]]}, Reason.WRONG_SHAPE),
    ({"start": "z"}, Reason.BAD_SQUARE),
    ({"rows": 3}, Reason.WRONG_SHAPE),
]


@pytest.mark.parametrize(("change", "expected"), GRAPHS)
def test_graphs_that_make_no_sense(change, expected):
    assert reason({**BOWTIE, "closed": True}, CUT) is None
    assert reason({**BOWTIE, "closed": True, **change}, CUT) is expected


def test_nodes_may_have_any_printable_name():
    names = ["", " ", "3 and 4", "Ä", "a1", '"', "∞"]
    star = {**graph([]), "nodes": names, "edges": [["∞", name] for name in names[:-1]]}
    assert reason(star, {"kind": "degrees", "squares": names[:-1]}) is None


def test_refusals_are_short_and_printable():
    for value in ("x" * 10**6, "\x00" * 10**5, ["y" * 10**5] * 50, 10**4000, "\ud800"):
        for document in (
            {**WHOLE, "format": value},
            {**WHOLE, "schema_version": value},
            {**WHOLE, "problem": value},
            {"x" * 10**6: 1, **WHOLE},
            certificate(PROBLEM, value),
            certificate(PROBLEM, {"kind": value}),
            certificate(PROBLEM, {"kind": "removal", "squares": value}),
            certificate(PROBLEM, {"kind": "removal", "squares": [value]}),
            certificate({**PROBLEM, "rows": value}, EVIDENCE),
        ):
            with pytest.raises(Refusal) as refused:
                check({key: each for key, each in document.items() if key != "digest"})
            assert len(str(refused.value)) < 400
            assert str(refused.value).isprintable()


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_signed_examples(problem, evidence):
    argument = check(certificate(problem, evidence)).argument
    text = json.dumps(signed(certificate(problem, evidence, argument=argument)))
    assert check(text).argument == argument


@pytest.mark.parametrize("version", [1, 2])
def test_certificates_of_older_versions_are_accepted_as_they_were_written(version):
    text = (DATA / f"no-4x4-version-{version}.json").read_text("utf-8")
    assert json.loads(text)["schema_version"] == version
    checked = check(text)
    assert (checked.problem.label, checked.kind) == ("4x4, open", "removal")
    assert checked.argument != json.loads(text)["argument"]


def keys_replaced(value):
    """The same object again and again, each time with one key that is not a text."""
    for key in value:
        for other in (1, None, 2.5, ("a", "b")):
            yield {other if each == key else each: part for each, part in value.items()}
        yield {**value, 7: None}
        if isinstance(value[key], dict):
            yield from ({**value, key: inside} for inside in keys_replaced(value[key]))


def test_keys_are_texts():
    tree = {"move": ["d1", "e3"], "used": {}, "unused": {}}
    problem = newer(board(3, 8, closed=True))
    document = certificate(problem, {"kind": "forced", "tree": tree}, made_by={"kt_cp": "1"})
    documents = [*keys_replaced(document), *keys_replaced(signed(document))]
    assert len(documents) > 200
    for each in documents:
        assert reason_of(each) in (Reason.WRONG_SHAPE, Reason.UNKNOWN_KIND, Reason.WRONG_DIGEST)


@cache
def made():
    """A certificate of two tours of 3x4 from a1, apart from them."""
    return separate_tours(Enumeration("3x4", start="a1").certificate())


def files():
    return [json.loads(text) for text in made()]


def reason_with_tours(certificate, tours):
    try:
        check(certificate, tours)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_they_say_the_same_as_within():
    certificate, tours = made()
    within = check(Enumeration("3x4", start="a1").certificate().document)
    beside = check(certificate.encode(), tours.encode())
    assert (beside.argument, beside.tours) == (within.argument, within.tours)
    assert check(*files()) == beside and len(certificate) < 2_000
    assert accepts(*files())


def test_the_example_of_the_page():
    (certificate,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tours,) = re.findall(r'`(\{"format": "kt_cp tours".*?\})`', PAGE)
    assert check(certificate, tours).tours == [["a", "b", "c", "d"]]
    assert accepts(json.loads(certificate), json.loads(tours))


def test_names_of_nodes_beyond_ascii():
    import networkx as nx

    ring = nx.cycle_graph(["ä", "b c", "日", "d"])
    certificate, tours = separate_tours(Enumeration(Problem(graph=ring, closed=True)).certificate())
    assert len(check(certificate, tours).tours) == 1


def test_one_without_the_other():
    certificate, tours = made()
    assert reason_with_tours(certificate, None) is Reason.TOURS_ELSEWHERE
    assert not accepts(json.loads(certificate))
    within = Enumeration("3x4", start="a1").certificate().to_json()
    assert reason_with_tours(within, tours) is Reason.WRONG_SHAPE
    none = Enumeration("3x4", closed=True).certificate().to_json()
    assert reason_with_tours(none, tours) is Reason.WRONG_SHAPE


@pytest.mark.parametrize(
    ("tours", "reason"),
    [
        ("", Reason.NOT_JSON),
        ("[]", Reason.WRONG_SHAPE),
        ('{"format": "kt_cp tours"}', Reason.WRONG_SHAPE),
        ('{"format": "kt_cp tours", "tours": {}}', Reason.WRONG_SHAPE),
        ('{"format": "kt_cp tours", "tours": [], "tours": []}', Reason.DUPLICATE_KEY),
        ('{"format": "kt_cp tours", "tours": [], "more": 1}', Reason.WRONG_SHAPE),
        ('{"format": "kt_cp tours", "tours": []}', Reason.WRONG_DIGEST),
        ("[" * 100_000, Reason.TOO_DEEP),
    ],
)
def test_what_is_no_file_of_tours(tours, reason):
    assert reason_with_tours(made()[0], tours) is reason


def test_a_file_of_another_format():
    certificate, tours = files()
    tours["format"] = "kt_cp certificate"
    certificate["evidence"]["tours"]["digest"] = digest_of(tours)
    assert reason_with_tours(signed(certificate), tours) is Reason.WRONG_SHAPE
    assert not accepts(certificate, tours)


def changed(tours, rng):
    """A list of tours with one left out, doubled, turned round, shifted, or altered."""
    which = rng.randrange(len(tours))
    tour = tours[which]
    i, j = sorted(rng.sample(range(len(tour)), 2))
    match rng.randrange(6):
        case 0:
            del tours[which]
        case 1:
            tours.append([*tour])
        case 2:
            tours[which] = tour[::-1]
        case 3:
            tours[which] = tour[i:] + tour[:i]
        case 4:
            tour[i], tour[j] = tour[j], tour[i]
        case 5:
            tours[which] = tour[: i + 1] + tour[i + 1 : j][::-1] + tour[j:]


def test_changed_tours_are_refused():
    """The digest is of just these; made to fit, the rules of a list refuse them."""
    counted = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        certificate, tours = files()
        before = deepcopy(tours)
        changed(tours["tours"], rng)
        if tours == before:
            continue
        assert reason_with_tours(certificate, tours) is Reason.WRONG_DIGEST, seed
        assert not accepts(certificate, tours), seed
        claim = certificate["evidence"]["tours"]
        claim["digest"] = digest_of(tours)
        if rng.random() < 0.8:
            claim["number"] = len(tours["tours"])
        reason = reason_with_tours(signed(certificate), tours)
        assert reason is not None and not accepts(certificate, tours), seed
        counted[reason] += 1
    print(counted)
    reasons = (Reason.WRONG_SHAPE, Reason.WRONG_DIGEST, Reason.NOT_A_TOUR, Reason.TWICE)
    assert min(counted[each] for each in reasons) > 3


@pytest.mark.parametrize("number", [0, 3, "2", 10_001, None, True])
def test_another_number(number):
    certificate, tours = files()
    certificate["evidence"]["tours"]["number"] = number
    assert reason_with_tours(signed(certificate), tours) in (
        Reason.WRONG_SHAPE,
        Reason.OUT_OF_RANGE,
    )
    assert not accepts(certificate, tours)
