"""Mutated certificates: nothing false is accepted."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from functools import cache
from itertools import islice, product
from random import Random

import pytest
from pysat.solvers import Solver

from kt_cp import Enumeration, Verdict
from kt_cp.model.document import problem_document
from kt_cp.model.request import Request
from kt_cp.proofs.certify import KINDS, certify
from kt_cp.proofs.refutation import refute
from kt_cp.testing.problems import question
from kt_cp.trust.check import RULES, Checked, Reason, Refusal, check
from kt_cp.trust.check.parsing import problem_of
from kt_cp.trust.check.refutation import check_lemmas
from kt_cp.trust.reference import decide
from tests.examples.certificate_changes import MOST, SEEDS, Changes
from tests.examples.certificates import (
    accepts,
    all_examples,
    certificate,
    examples_1,
    examples_4,
    formula,
    hinted,
    lemmas_of,
    newer,
    packed,
    refutation,
    signed,
    unpacked,
)
from tests.examples.certificates import board as board_of
from tests.examples.random_problems import MOTIONS, combined, problems_with_clues, with_clues
from tests.oracles import held_karp, naive
from tests.oracles.naive import is_true, neighbours
from tests.support.exhaustive import SEED, exhaustive

SEARCHED = 12
"""Squares up to which all tours are searched for."""

BUDGET = 400_000
"""Squares that the reference places at most to decide one problem: a second."""


@cache
def has_tour(text):
    """Return whether a problem, given as JSON, has a tour; None if that takes too long."""
    problem = problem_of(json.loads(text))
    if problem.size < 14:
        return held_karp.of_problem(problem)
    verdict = decide(problem, budget=BUDGET).verdict
    return {Verdict.FOUND: True, Verdict.IMPOSSIBLE: False, Verdict.UNKNOWN: None}[verdict]


def parsed(document):
    return document if isinstance(document, dict) else json.loads(document)


def asks_for_more(document):
    """Return whether clues, a symmetry or listed tours play a part in what was accepted."""
    problem, kind = document["problem"], document["evidence"]["kind"]
    stepwise = bool(problem.get("given") or problem.get("symmetry"))
    return kind in ("clash", "symmetry", "list") or (
        kind == "refutation" and document["schema_version"] > 3 and stepwise
    )


MOST_MEASURED = 2_000
"""Tours of a problem that are measured: more than any of the seeds has."""


def is_best(checked, evidence):
    """Return whether the first tours of a problem are no better than a bound."""
    problem, (sense, _, name) = checked.problem, evidence["objective"].partition("-")
    for tour in islice(Enumeration(problem).tours(), MOST_MEASURED):
        value = problem.tour(tour).measures()[name]
        if value < evidence["bound"] if sense == "fewest" else value > evidence["bound"]:
            return False
    return True


def check_verdict(document):
    """Return the verdict of the checker, after a test of it: accepted, refused or undecided."""
    try:
        checked = check(document)
    except Refusal as refusal:
        assert str(refusal).isprintable()
        return refusal.reason.name
    assert isinstance(checked, Checked)
    problem = parsed(document)["problem"]
    if checked.problem.size > MOST:
        return "accepted, not decided"
    if checked.kind == "bound":
        assert is_best(checked, parsed(document)["evidence"]), json.dumps(document)
        return "accepted"
    if asks_for_more(document := parsed(document)):
        if checked.problem.size > SEARCHED:
            return "accepted, not decided"
        assert is_true(document), f"{checked.argument}: {json.dumps(document)}"
        return "accepted"
    found = has_tour(json.dumps(problem, sort_keys=True))
    assert not found, f"{checked.argument}: {json.dumps(document)}"
    return "accepted" if found is False else "accepted, not decided"


@exhaustive("changed values prove nothing false", range(162_000), sample=500)
def test_changed_values(cases):
    counted, number = Counter(), len(cases)
    for seed in cases:
        document = Changes(seed).changed()
        try:
            counted[check_verdict(document)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {json.dumps(document)}") from error
    print(counted)
    assert counted["accepted"] > number // 20
    assert counted["accepted, not decided"] < counted["accepted"] // 20
    # A small sample may miss what comes once in a hundred or two.
    rare = ("WRONG_QUESTION",) if number > 10_000 else ()
    for deep in ("NOT_PROVED", "BAD_LEMMA", "BAD_SQUARE", "OUT_OF_RANGE", *rare):
        assert counted[deep] > number // 1000, deep


@exhaustive("changed bytes prove nothing false", range(312_000), sample=3_000)
def test_changed_bytes(cases):
    texts = [json.dumps(seed).encode() for seed in SEEDS]
    texts += [json.dumps(certificate(*each)).encode() for each in examples_1()]
    counted, number = Counter(), len(cases)
    for seed in cases:
        rng = Random(seed)
        data = bytearray(rng.choice(texts))
        for _ in range(rng.choice([1, 1, 2, 4])):
            place = rng.randrange(len(data))
            change = rng.randrange(5)
            if change == 0:
                data[place] = rng.randrange(256)
            elif change == 1:
                data[place] ^= 1 << rng.randrange(8)
            elif change == 2:
                del data[place : place + rng.choice([1, 1, 3, 30])]
            elif change == 3:
                data[place:place] = data[place : place + rng.choice([1, 2, 10])]
            else:
                data[place] = rng.choice(b'0123456789abcdef"[]{},:- ')
            data = data or bytearray(b"{}")
        try:
            counted[check_verdict(bytes(data))] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {bytes(data)!r}") from error
    print(counted)
    assert counted["NOT_JSON"] > number // 10
    assert counted["accepted"] > number // 200


@exhaustive("changed proofs prove nothing false", range(5_400), sample=200, batches=1)
def test_packed_proofs(cases):
    problem = board_of(3, 8, closed=True)
    (evidence,) = (
        each for other, each in examples_1() if other == problem and each["kind"] == "refutation"
    )
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        text = list(evidence["proof"])
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice("ABCabc012+/=")
        counted[check_verdict(certificate(problem, {**evidence, "proof": "".join(text)}))] += 1
    assert counted["WRONG_SHAPE"] > len(cases) // 2


def test_seeds_are_true_and_formulas_small():
    for document in SEEDS:
        assert check_verdict(document) == "accepted"
        if document["evidence"]["kind"] == "refutation":
            cuts = document["evidence"]["cuts"]
            assert len(formula(document["problem"], cuts)[1]) < 1000
    assert packed("") != ""


def judged(document):
    """Return whether it is accepted, after a comparison with the truth; else why not."""
    try:
        check(document)
    except Refusal as refusal:
        assert not accepts(document), (refusal, json.dumps(document))
        return refusal.reason
    assert naive.is_true(document) and accepts(document), json.dumps(document)
    return None


@cache
def seeds():
    """Certificates of small questions with clues, symmetry or lists, of up to nine squares."""
    made = [certificate(*each) for each in examples_4()]
    for _, naive_question, problem in problems_with_clues(range(70), most=8, least=4):
        named = [[naming(square) for square in walk] for walk in different(naive_question)]
        if len(named) > 30:
            continue
        evidence = refute(problem, 0, [], None, named, emit=lambda _work: None).evidence
        if isinstance(evidence["proof"], list):
            made.append(certificate(problem_document(problem), evidence))
    return made


def different(question):
    """Tours, none of them another one reversed."""
    moves = naive.Question({}, question.closed).moves
    found = {moves(walk): walk for walk in question.tours()}
    return found.values()


def naming(square):
    return f"{chr(ord('a') + square[1])}{square[0] + 1}"


def squares_of(problem):
    if "nodes" in problem:
        return problem["nodes"]
    return [
        f"{chr(ord('a') + column)}{row + 1}"
        for row in range(problem["rows"])
        for column in range(problem["columns"])
        if f"{chr(ord('a') + column)}{row + 1}" not in problem["missing"]
    ]


def change_of_tours(evidence, problem, rng):
    tours = evidence.get("tours")
    if not tours:
        return change_of_problem(evidence, problem, rng)
    which = rng.randrange(len(tours))
    tour = tours[which]
    change = rng.randrange(7)
    if change == 0:
        del tours[which]
    elif change == 1:
        tours.append([*tour])
    elif change == 2:
        tours.append(tour[::-1])
    elif change == 3:
        i, j = rng.sample(range(len(tour)), 2)
        tour[i], tour[j] = tour[j], tour[i]
    elif change == 4:
        tours[which] = tour[::-1]
    elif change == 5:
        shift = rng.randrange(1, len(tour))
        tours[which] = tour[shift:] + tour[:shift]
    else:
        i, j = sorted(rng.sample(range(len(tour) + 1), 2))
        tours[which] = tour[:i] + tour[i:j][::-1] + tour[j:]
    return None


def change_of_problem(_evidence, problem, rng):
    squares, given = squares_of(problem), problem["given"]
    change = rng.randrange(8)
    if change == 0 and given:
        given.pop(rng.randrange(len(given)))
    elif change == 1 and given:
        rng.choice(given)[1] += rng.choice([-2, -1, 1, 2])
    elif change == 2 and given:
        rng.choice(given)[0] = rng.choice(squares)
    elif change == 3:
        given.append([rng.choice(squares), rng.randint(1, len(squares))])
    elif change == 4:
        problem["symmetry"] = rng.choice([None, *MOTIONS])
    elif change == 5:
        problem[rng.choice(["start", "end"])] = rng.choice([None, *squares])
    elif change == 6:
        problem["closed"] = not problem["closed"]
    elif len(squares) > 1:
        key = rng.choice(["require", "forbid"])
        if problem[key] and rng.random() < 0.5:
            problem[key].pop()
        else:
            problem[key].append(rng.sample(squares, 2))


def change_of_clues(evidence, problem, rng):
    clues = evidence.get("clues")
    if not clues:
        return change_of_problem(evidence, problem, rng)
    change = rng.randrange(4)
    if change == 0:
        clues.pop(rng.randrange(len(clues)))
    elif change == 1:
        rng.choice(clues)[1] += rng.choice([-1, 1])
    elif change == 2:
        clues.append(rng.choice([*problem["given"], [squares_of(problem)[0], 1]]))
    else:
        evidence.pop("clues")
    return None


def change_of_proof(evidence, problem, rng):
    proof = evidence.get("proof")
    if not proof:
        return change_of_problem(evidence, problem, rng)
    line = rng.randrange(len(proof))
    numbers = proof[line].split()
    spot = rng.randrange(len(numbers))
    if rng.random() < 0.3:
        del numbers[spot]
    elif rng.random() < 0.5:
        numbers[spot] = str(int(numbers[spot]) + rng.choice([-1, 1, 2]))
    else:
        numbers.insert(spot, rng.choice(numbers))
    proof[line] = " ".join(numbers)
    return None


CHANGES = (change_of_tours, change_of_tours, change_of_problem, change_of_clues, change_of_proof)


def mutated(seed):
    rng = Random(seed)
    document = deepcopy(rng.choice(seeds()))
    problem, evidence = document["problem"], document["evidence"]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(CHANGES)(evidence, problem, rng)
    if evidence["kind"] != "clash" and rng.random() < 0.9:
        more = {key: evidence[key] for key in ("clues", "tours") if key in evidence}
        parts = (evidence[part] for part in ("proof", "cuts", "tight"))
        try:
            fitted = refutation(problem, *parts, pack=False, **more)
        except Exception:  # there is nothing that could be refuted; the checker shall say so
            return document
        document["evidence"] = {**fitted, **more, "kind": evidence["kind"]}
    return document


def hold(cases):
    counted = Counter(judged(mutated(seed)) for seed in cases)
    print(counted)
    return counted


def test_seeds_are_true():
    kinds = Counter(document["evidence"]["kind"] for document in seeds())
    assert min(kinds["clash"], kinds["refutation"], kinds["list"]) > 4 and kinds["list"] > 15
    for document in seeds()[::7]:
        assert judged(document) is None


def test_changed_certificates_prove_nothing_false():
    counted = hold(range(300))
    for each in (Reason.NOT_A_TOUR, Reason.TWICE, Reason.BAD_LEMMA, None):
        assert counted[each] > 3, each


@pytest.mark.slow
@exhaustive("changed lists and clues prove nothing false", range(500, 10_500), sample=100)
def test_ten_thousand_changed_certificates_prove_nothing_false(cases):
    counted = hold(cases)
    for each in (Reason.NOT_A_TOUR, Reason.TWICE, Reason.BAD_LEMMA, Reason.NOT_A_CLUE, None):
        assert counted[each] > 10 or len(cases) < 1000, each


REFUTED = [kind for kind in RULES if kind != "bound"]
"""The kinds of certificate that are false if the problem has another tour."""

IN_GRAPHS = ("degrees", "connectivity", "cut", "removal", "forced", "potentials", "sweep")
"""Kinds of evidence that may be about the undirected graph of a digraph."""

MOST_PLACED = 3_000
"""Squares that the search for a tour may place."""

PIECES = (
    [[1, 2]],
    [[0, 1]],
    [[0, 1], [1, 1]],
    [[0, 1], [1, 2]],
    [[1, 1], [1, 2]],
    [[1, 3], [0, 1]],
)
SURFACES = ("plane", "plane", "cylinder", "torus", "moebius", "klein")


@cache
def pool():
    """Valid certificates by kind, as (problem, evidence)."""
    found = {kind: [] for kind in RULES}
    for problem, evidence in all_examples():
        problem = problem if "require" in problem else newer(problem)
        found[evidence["kind"]].append((problem, evidence))
    for seed in range(60):
        for make in (question, with_clues, combined):
            problem = make(seed, 9).problem()
            if problem.size < 3:
                continue
            for kind in KINDS:
                made = (
                    certify(Request.begin(problem), (kind,)).certificate
                    if len(found[kind]) < 40
                    else None
                )
                if made is not None:
                    found[kind].append((problem_document(problem), made.document["evidence"]))
    return found


def adjacency(problem):
    """Neighbours of each square or node by its name, forbidden moves left out."""
    if "nodes" in problem:
        beside = {name: set() for name in problem["nodes"]}
        for one, other in problem["edges"]:
            beside[one].add(other)
            beside[other].add(one)
    else:
        sides, missing = (problem["rows"], problem["columns"]), {*map(place, problem["missing"])}
        squares = neighbours(*sides, missing, problem["surface"], problem["piece"])
        beside = {name(one): {*map(name, others)} for one, others in squares.items()}
    for one, other in problem["forbid"]:
        beside[one].discard(other)
        beside[other].discard(one)
    return beside


def place(square):
    return int(square[1:]) - 1, ord(square[0]) - ord("a")


def name(square):
    return f"{chr(ord('a') + square[1])}{square[0] + 1}"


def find_tour(problem, rng):
    """A tour as names, fewest ways first and otherwise at random; None if none was found soon."""
    beside, placed = adjacency(problem), 0
    least = 3 if problem["closed"] else 1

    def longer(walk, left):
        nonlocal placed
        placed += 1
        if not left:
            back = walk[0] in beside[walk[-1]] and len(walk) >= least
            return walk if back or not problem["closed"] else None
        ahead = sorted(beside[walk[-1]] & left, key=lambda v: (len(beside[v] & left), rng.random()))
        for other in ahead:
            if placed < MOST_PLACED and (tour := longer([*walk, other], left - {other})):
                return tour
        return None

    first = rng.choice(sorted(beside))
    return longer([first], {*beside} - {first})


def with_tour(problem, rng):
    """The problem changed so that it has a tour, which is returned as well."""
    target = deepcopy(problem)
    target["require"], target["given"], target["start"], target["end"] = [], [], None, None
    target["symmetry"] = None
    if rng.random() < 0.3:
        target["closed"] = not target["closed"]
    if "nodes" in target:
        nodes = rng.sample(target["nodes"], len(target["nodes"]))
        known = {frozenset(edge) for edge in target["edges"]}
        pairs = zip(nodes, nodes[1:] + nodes[:1] * target["closed"], strict=False)
        target["edges"] += [list(pair) for pair in pairs if frozenset(pair) not in known]
        target["edges"] = [edge for edge in target["edges"] if edge[0] != edge[1]]
        target["forbid"] = []
    elif rng.random() < 0.9:
        target["piece"], target["surface"] = rng.choice(PIECES), rng.choice(SURFACES)
        target["forbid"] = []
    return target, find_tour(target, rng)


def with_conditions(target, tour, evidence, rng):
    """Conditions that the tour satisfies, the clues of the evidence among them."""
    made = [*zip(tour, tour[1:] + tour[:1] * target["closed"], strict=False)]
    target["require"] = [list(move) for move in rng.sample(made, rng.choice([0, 0, 1]))]
    ends = rng.random()
    if evidence.get("clues") or evidence["kind"] == "clash":
        clues = [[square, tour.index(square) + 1] for square, _ in evidence["clues"]]
        evidence["clues"] = [*map(list, dict.fromkeys(map(tuple, clues)))]
        target["given"] = evidence["clues"]
    elif ends < 0.3:
        target["start"] = tour[0]
    elif ends < 0.5 and not target["closed"]:
        target["start"], target["end"] = tour[0], tour[-1]
    if evidence["kind"] in ("refutation", "list") and not target["given"]:
        evidence.pop("clues", None)


def transplanted(seed):
    """A certificate that is false, or None where no tour was found; and its kind."""
    rng = Random(seed)
    kind = REFUTED[seed % len(REFUTED)]
    two_way = kind == "undirected"
    own = [each for some in (IN_GRAPHS if two_way else [kind]) for each in pool()[some]]
    own = [each for each in own if "nodes" in each[0]] if two_way else own
    problem, evidence = deepcopy(rng.choice(own))
    if kind == "size":  # no such problem has a tour
        problem = deepcopy(rng.choice(pool()["colours"] + pool()["removal"])[0])
    if problem.get("directed"):
        return None, kind
    target, tour = with_tour(problem, rng)
    if tour is None or len(tour) < 2:
        return None, kind
    with_conditions(target, tour, evidence, rng)
    if two_way:
        target["edges"] += [edge[::-1] for edge in target["edges"]]
        target |= {"directed": True, "require": []}
        evidence = {"kind": kind, "then": evidence}
    if kind == "symmetry" and "nodes" not in target:
        # A tour of a board that is symmetric: the king's way round two ranks, or files.
        target |= {"rows": 2, "missing": [], "piece": [[0, 1], [1, 1]], "surface": "plane"}
        target |= {
            "closed": True,
            "symmetry": rng.choice(["half-turn", "left-right", "top-bottom"]),
        }
        target |= {key: [] for key in ("require", "forbid", "given")} | {"start": None, "end": None}
        target["columns"] = max(2, target["columns"])
        names = adjacency(target)
        evidence["squares"] = [square for square in evidence["squares"] if square in names]
    if kind in ("refutation", "list"):
        lines = evidence["proof"]
        lines = lines if isinstance(lines, list) else unpacked(lines).splitlines()
        parts = {key: evidence.get(key, []) for key in ("cuts", "tight", "order")}
        if kind == "list":
            others = {
                frozenset(map(frozenset, moves(each, target))): each for each in some(target, rng)
            }
            if len(others) < 2:
                return None, kind
            parts["tours"] = [*others.values()][1:]
        try:
            evidence = refutation(target, lines, clues=evidence.get("clues", []), **parts)
        except Exception:  # such cuts, sets or clues make no formula here: the checker shall say so
            evidence |= {key: value for key, value in parts.items() if value}
    return signed(certificate(target, evidence)), kind


def moves(tour, target):
    return zip(tour, tour[1:] + tour[:1] * target["closed"], strict=False)


def some(target, rng):
    """Tours of a problem that begin where it says and make the required moves."""
    for _ in range(30):
        tour = find_tour(target, rng)
        if tour is None:
            continue
        made = {*map(frozenset, moves(tour, target))}
        if target["start"] not in (None, tour[0]) or target["end"] not in (None, tour[-1]):
            continue
        if all(frozenset(move) in made for move in target["require"]):
            yield tour


def expect_refusals(seeds):
    refused = {kind: Counter() for kind in REFUTED}
    for seed in seeds:
        document, kind = transplanted(seed)
        if document is None:
            continue
        try:
            check(document)
        except Refusal as refusal:
            refused[kind][refusal.reason.name] += 1
        else:
            raise AssertionError(f"seed {seed}: accepted {document}")
    for kind, counted in refused.items():
        print(kind, sum(counted.values()), dict(counted.most_common(4)))
    return refused


def test_a_sample():
    first = int(SEED) * 1_000
    print(f"seeds from {first}")
    refused = expect_refusals(range(first, first + 280))
    assert sum(counted.total() for counted in refused.values()) > 140


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(8))
def test_ten_thousand(batch):
    refused = expect_refusals(range(batch * 2_000, batch * 2_000 + 2_000))
    assert sum(counted.total() for counted in refused.values()) >= 1_250
    assert min(counted.total() for counted in refused.values()) >= 30


def random_formula(rng):
    variables = rng.randint(2, 6)
    clauses = []
    for _ in range(rng.randint(3, 6 * variables)):
        chosen = rng.sample(range(1, variables + 1), min(variables, rng.choice([1, 2, 2, 3, 3])))
        clauses.append([rng.choice([-1, 1]) * variable for variable in chosen])
    return variables, clauses


def models(variables, clauses):
    """All of them, by trying every assignment."""
    return [
        signs
        for signs in product((False, True), repeat=variables)
        if all(any(signs[abs(each) - 1] == (each > 0) for each in clause) for clause in clauses)
    ]


def proof(variables, clauses):
    """A solver's proof with hints, of a formula without models."""
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        assert not solver.solve()
        return hinted(variables, clauses, lemmas_of(solver.get_proof()))


def verdict(variables, clauses, lines):
    """Why lines are refused, or None; and how many lemmas were believed before."""
    believed = []

    def read():
        for line in lines:
            yield line
            believed.append(line)  # the next one is read when this one was accepted

    try:
        check_lemmas(variables, clauses, read())
    except Refusal as refusal:
        return refusal.reason, believed
    return None, believed


def lie(rng, lines, variables, clauses):
    """Lines with a few things changed."""
    lines = [*lines] or ["0 1 0"]
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(lines))
        numbers = lines[place].split()
        spot = rng.randrange(len(numbers))
        change = rng.randrange(7)
        if change == 0:
            numbers[spot] = str(rng.randint(-variables - 1, variables + 1))
        elif change == 1:
            numbers[spot] = str(rng.randint(1, len(clauses) + len(lines)))
        elif change == 2:
            del numbers[spot]
        elif change == 3:
            numbers.insert(spot, str(rng.randint(-variables, len(clauses))))
        elif change == 4:
            rng.shuffle(lines)
        elif change == 5:
            middle = numbers.index("0") if "0" in numbers else 0
            hints = numbers[middle + 1 : -1]
            rng.shuffle(hints)
            numbers[middle + 1 : -1] = hints
        else:
            lines.insert(place, rng.choice(lines))
            continue
        if change != 4:
            lines[place] = " ".join(numbers)
    return lines


def noise(rng, variables, clauses):
    lines = []
    for _ in range(rng.randint(1, 6)):
        lemma = [rng.choice([-1, 1]) * rng.randint(1, variables) for _ in range(rng.randint(0, 2))]
        known = len(clauses) + len(lines)
        hints = [rng.randint(1, known) for _ in range(rng.randint(1, 4))]
        lines.append(" ".join(map(str, [*lemma, 0, *hints, 0])))
    return lines


def truths(rng, variables, clauses):
    """Lemmas by one or two hints that do follow, so that a long proof is believed at first."""
    known, lines = [*clauses], []
    for _ in range(rng.randint(1, 8)):
        number = rng.randint(1, len(known))
        more = [literal for literal in range(-variables, variables + 1) if literal]
        lemma = {*known[number - 1], rng.choice(more)}
        if any(-literal in lemma for literal in lemma):
            continue
        lines.append(" ".join(map(str, [*lemma, 0, number, 0])))
        known.append([*lemma])
    return lines


@exhaustive("no lemma is believed that does not follow", range(30_000), sample=250)
def test_nothing_is_believed_that_does_not_follow(cases):
    counted, number = Counter(), len(cases)
    earlier = ["0 1 2 0"]
    for seed in cases:
        rng = Random(seed)
        variables, clauses = random_formula(rng)
        possible = models(variables, clauses)
        attempts = [noise(rng, variables, clauses), earlier, lie(rng, earlier, variables, clauses)]
        attempts.append(truths(rng, variables, clauses) + noise(rng, variables, clauses))
        if not possible:
            true = proof(variables, clauses)
            assert verdict(variables, clauses, true)[0] is None, seed
            counted["proofs"] += 1
            attempts += [lie(rng, true, variables, clauses) for _ in range(5)]
            attempts += [lie(rng, true, variables, clauses) + true for _ in range(2)]
            # With a clause less there may be models, and then the same proof must fail.
            for gone in range(len(clauses)):
                fewer = clauses[:gone] + clauses[gone + 1 :]
                if models(variables, fewer):
                    assert verdict(variables, fewer, true)[0] is not None, seed
                    counted["clauses less"] += 1
            earlier = true
        for lines in attempts:
            reason, believed = verdict(variables, clauses, lines)
            counted[reason] += 1
            assert reason is not None or not possible, (seed, clauses, lines)
            for line in believed:
                lemma = [int(each) for each in line.split()[: line.split().index("0")]]
                counted["believed"] += 1
                for signs in possible:
                    assert any(signs[abs(each) - 1] == (each > 0) for each in lemma), (seed, line)
    print(counted)
    assert counted["proofs"] > number // 4
    assert counted["clauses less"] > number // 4
    assert counted["believed"] > number
    assert counted[None] > 20  # not every change makes a lie
    for reason in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE, Reason.WRONG_SHAPE):
        assert counted[reason] > number // 100, reason
    assert counted[Reason.NO_EMPTY_CLAUSE] > number // 1000


@pytest.mark.parametrize("solver", ["glucose4", "cadical153", "lingeling"])
def test_proofs_of_several_solvers(solver):
    # Four pigeons and three holes; CaDiCaL's proof may hold lemmas by RAT, but needs none here.
    place = {each: number for number, each in enumerate(product(range(4), range(3)), start=1)}
    clauses = [[place[pigeon, hole] for hole in range(3)] for pigeon in range(4)]
    clauses += [
        [-place[one, hole], -place[other, hole]]
        for hole in range(3)
        for one in range(4)
        for other in range(one)
    ]
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as made:
        assert not made.solve()
        lines = hinted(len(place), clauses, lemmas_of(made.get_proof()))
    assert check_lemmas(len(place), clauses, lines) == len(lines) > 1
