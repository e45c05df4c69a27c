"""Lists whose tours stand in a file beside the certificate: the same as within, or refused."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from copy import deepcopy
from functools import cache

import pytest

from kt_cp import Enumeration, Problem
from kt_cp.proofs.certificate import apart
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.check.certificate import digest_of
from tests.examples.certificates import accepts, signed
from tests.trust.test_check_format import PAGE


@cache
def made():
    """A certificate of two tours of 3x4 from a1, apart from them."""
    return apart(Enumeration("3x4", start="a1").certificate())


def files():
    return [json.loads(text) for text in made()]


def reason_with_tours(certificate, tours):
    try:
        check(certificate, tours)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_they_say_the_same_as_within():
    told, tours = made()
    within = check(Enumeration("3x4", start="a1").certificate().document)
    beside = check(told.encode(), tours.encode())
    assert (beside.argument, beside.tours) == (within.argument, within.tours)
    assert check(*files()) == beside and len(told) < 2_000
    assert accepts(*files())


def test_the_example_of_the_page():
    (told,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tours,) = re.findall(r'`(\{"format": "kt_cp tours".*?\})`', PAGE)
    assert check(told, tours).tours == [["a", "b", "c", "d"]]
    assert accepts(json.loads(told), json.loads(tours))


def test_names_of_nodes_beyond_ascii():
    import networkx as nx

    ring = nx.cycle_graph(["ä", "b c", "日", "d"])
    told, tours = apart(Enumeration(Problem(graph=ring, closed=True)).certificate())
    assert len(check(told, tours).tours) == 1


def test_one_without_the_other():
    told, tours = made()
    assert reason_with_tours(told, None) is Reason.TOURS_ELSEWHERE
    assert not accepts(json.loads(told))
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
    told, tours = files()
    tours["format"] = "kt_cp certificate"
    told["evidence"]["tours"]["digest"] = digest_of(tours)
    assert reason_with_tours(signed(told), tours) is Reason.WRONG_SHAPE
    assert not accepts(told, tours)


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
        told, tours = files()
        before = deepcopy(tours)
        changed(tours["tours"], rng)
        if tours == before:
            continue
        assert reason_with_tours(told, tours) is Reason.WRONG_DIGEST, seed
        assert not accepts(told, tours), seed
        said = told["evidence"]["tours"]
        said["digest"] = digest_of(tours)
        if rng.random() < 0.8:
            said["number"] = len(tours["tours"])
        reason = reason_with_tours(signed(told), tours)
        assert reason is not None and not accepts(told, tours), seed
        counted[reason] += 1
    print(counted)
    reasons = (Reason.WRONG_SHAPE, Reason.WRONG_DIGEST, Reason.NOT_A_TOUR, Reason.TWICE)
    assert min(counted[each] for each in reasons) > 3


@pytest.mark.parametrize("number", [0, 3, "2", 10_001, None, True])
def test_another_number(number):
    told, tours = files()
    told["evidence"]["tours"]["number"] = number
    assert reason_with_tours(signed(told), tours) in (Reason.WRONG_SHAPE, Reason.OUT_OF_RANGE)
    assert not accepts(told, tours)
