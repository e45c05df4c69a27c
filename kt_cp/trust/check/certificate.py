"""Certificates: a problem, and evidence that it has no tour, or no others, as one JSON object.

:func:`check` reads a certificate and checks it by the rules.  You trust this folder, and the parts
of the model that describe boards, names and problems.  It imports no code that searches: no engine
and no solver.  ``FORMAT.md`` beside this file describes certificates so exactly that you can write
another checker.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from kt_cp.model.board import shorten
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.terms import claim_of, terms
from kt_cp.trust.check import argument, bound, clash, forced, refutation, split, sweep, symmetric
from kt_cp.trust.check.instance import (
    DIRECTED_PREFIX,
    Instance,
    directed_tour,
    two_way_instance,
    undirected_instance,
)
from kt_cp.trust.check.parsing import (
    keys_of,
    list_of,
    number_of,
    quote,
    read_instance,
    squares_of,
    text_of,
)
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.refutation import MOST_TOURS

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

FORMAT = "kt_cp certificate"
KEYS = ("format", "schema_version", "problem", "evidence")
SCHEMA_VERSION = 7
"""The latest version of the format.

Version 1 has only a knight on the plane, a start and an end.  Version 2 words arguments
differently.  In versions 1 to 3, given steps and symmetry play no part.  Version 4 has no directed
graphs, no splits and no clue that clashes alone, and its refutations take no vertices out of the
cycle.  Version 5 has no sweeps, and version 6 has no kinds ``bound``, ``potentials`` and
``undirected``.  All versions are still checked.  The lowest version from 4 on that suffices is
written."""

MOST_BYTES = 1 << 25
"""Longest certificate that is read."""

MOST_LISTS = 4_000_000
"""Lists and objects of a certificate; each takes up to 240 bytes, all of them under a gigabyte."""

MOST_PROGRAMS = 50
MOST_VERSION = 100
"""Programs in ``made_by``, and characters of a name or version there."""


def _undirected(problem: Instance, evidence: object) -> str:
    """Check evidence about the undirected graph of a digraph in which every arc has its reverse."""
    then = keys_of(evidence, "kind", "then")["then"]
    kind = then.get("kind") if isinstance(then, Mapping) else None
    if not isinstance(kind, str) or kind not in REFUTING or kind == UNDIRECTED:
        raise Refusal(Reason.UNKNOWN_KIND, f"expected evidence of no tour, got {quote(kind)}")
    return f"each arc has its reverse, and {RULES[kind](two_way_instance(problem), then)}"


RULES: dict[str, Callable[[Instance, object], str]] = {
    "size": argument.size,
    "colours": argument.colours,
    "clash": clash.clash,
    "degrees": argument.degrees,
    "connectivity": argument.connectivity,
    "symmetry": symmetric.symmetry,
    "cut": argument.cut,
    "removal": argument.removal,
    "tight": forced.tight,
    "forced": forced.forced,
    "split": split.split,
    "potentials": bound.potentials,
    "sweep": sweep.sweep,
    "refutation": refutation.refutation,
    "undirected": _undirected,
    "list": refutation.complete,
    "bound": bound.bound,
}
"""The kinds of evidence, the simplest first; the last two do not prove "no tour"."""

LIST, BOUND, UNDIRECTED = "list", "bound", "undirected"
REFUTING = tuple(kind for kind in RULES if kind not in (LIST, BOUND))
"""The kinds that prove that there is no tour."""

TOURS = "kt_cp tours"
"""The format of a separate file with the tours of a certificate."""

_SINCE = {
    "clash": 4,
    "symmetry": 4,
    LIST: 4,
    "split": 5,
    "sweep": 6,
    "potentials": 7,
    UNDIRECTED: 7,
    BOUND: 7,
}
"""The first version that has a kind, if it is not version 1."""

MOVES = ("clash", "degrees", "connectivity", "symmetry", "cut", "removal", "tight", "forced")
"""The kinds whose sentences mention moves and do not mention forbidden ones."""


@dataclass(frozen=True)
class Checked:
    """An accepted certificate: the problem, which has no tour, and the argument.

    With the kind ``"list"``, the problem has no tours other than ``tours``, each a list of squares
    or nodes.  With the kind ``"bound"``, no tour is better than ``claim`` states.
    """

    instance: Instance
    kind: str
    argument: str
    tours: Sequence[Sequence[Any]] = ()
    claim: str = "no tour"

    @property
    def refutes(self) -> bool:
        """Whether it proves that there is no tour."""
        return self.kind in REFUTING

    @property
    def problem(self) -> Problem:
        """The problem as a value of the package; the checker itself uses ``instance``."""
        return self.instance.problem


Document = bytes | str | Mapping[str, Any]
"""The text of a file, or the object that it contains."""


def check(certificate: Document, tours: Document | None = None) -> Checked:
    """Check a certificate, given as text or as the object that the text contains.

    Parameters
    ----------
    tours : bytes, str or mapping, optional
        The file with the tours of a list, if they are in a separate file.

    Returns
    -------
    Checked
        The problem, its tours if it is a list, and the argument as a sentence.

    Raises
    ------
    Refusal
        If the certificate is not valid, with the reason.

    Examples
    --------
    >>> problem = {"rows": 3, "columns": 3, "missing": [], "closed": True, "start": None,
    ...            "end": None}
    >>> document = {"format": FORMAT, "schema_version": 1, "problem": problem,
    ...             "evidence": {"kind": "colours"}}
    >>> check(document).argument.partition(", so ")[0]
    'a knight changes colour with every move'
    """
    document = certificate if isinstance(certificate, Mapping) else parse_document(certificate)
    keys_of(document, *KEYS, optional=("argument", "made_by", "digest"))
    if document["format"] != FORMAT:
        raise Refusal(Reason.WRONG_SHAPE, f"expected the format {FORMAT!r}")
    version = document["schema_version"]
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        raise Refusal(
            Reason.WRONG_VERSION,
            f"expected version 1 to {SCHEMA_VERSION}, got {quote(version)}",
        )
    _check_programs(document.get("made_by", {}))
    if "digest" in document and document["digest"] != digest_of(document):
        raise Refusal(Reason.WRONG_DIGEST, "something was changed after the certificate was made")
    problem = read_instance(document["problem"], version)
    evidence = document["evidence"]
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if kind == "exhausted":
        raise Refusal(Reason.NOT_A_PROOF, "a search can only be run again, not checked")
    if not isinstance(kind, str) or kind not in RULES or version < _SINCE.get(kind, 1):
        raise Refusal(Reason.UNKNOWN_KIND, f"expected one of {', '.join(RULES)}; got {quote(kind)}")
    if version < first_version(evidence):
        raise Refusal(Reason.WRONG_SHAPE, f"such evidence plays no part in version {version}")
    if problem.size == 1 and not problem.closed:
        raise Refusal(Reason.WRONG_QUESTION, "a single square is a tour")
    evidence = insert_tours(document, tours)["evidence"]
    has_split_nodes = problem.directed and kind != UNDIRECTED
    question = undirected_instance(problem) if has_split_nodes else problem
    if version < 4:
        older = [each for each in question.conditions if not isinstance(each, Given | Symmetry)]
        question = replace(question, conditions=tuple(older))
    sentence = RULES[kind](question, evidence)
    if problem.forbid and kind in MOVES:
        sentence = f"with the forbidden {terms(question).move}s left out, {sentence}"
    sentence = f"{DIRECTED_PREFIX}{sentence}" if has_split_nodes else sentence
    _argument(document.get("argument", sentence), sentence, version)
    listed = [squares_of(question, names) for names in (evidence["tours"] if kind == LIST else ())]
    proved = [directed_tour(problem, tour) for tour in listed] if problem.directed else listed
    return Checked(problem, kind, sentence, proved, claim_of(evidence))


def first_version(evidence: Mapping[str, Any]) -> int:
    """Return the first version of the format that has such evidence; its kind is known."""
    found, waiting = 1, [evidence]
    while waiting:
        part = waiting.pop()
        kind, clues = part.get("kind"), part.get("clues")
        found = max(found, _SINCE.get(kind, 1) if isinstance(kind, str) else 1)
        if (kind == "clash" and isinstance(clues, list) and len(clues) == 1) or "order" in part:
            found = max(found, 5)
        if kind in ("split", UNDIRECTED):
            steps = part.get("steps")
            steps = steps if isinstance(steps, list) else []
            inside = [each.get("unless") for each in steps if isinstance(each, Mapping)]
            waiting += (each for each in (part.get("then"), *inside) if isinstance(each, Mapping))
    return found


def insert_tours(certificate: Mapping[str, Any], tours: Document | None) -> Mapping[str, Any]:
    """Return a certificate with its tours inserted; only its evidence is read."""
    evidence = certificate["evidence"]
    reference = evidence.get("tours") if evidence["kind"] == LIST else None
    if not isinstance(reference, Mapping):
        if tours is not None:
            raise Refusal(
                Reason.WRONG_SHAPE, "expected no tours beside it: it has its own, or none"
            )
        return certificate
    keys_of(reference, "number", "digest")
    if tours is None:
        raise Refusal(Reason.TOURS_ELSEWHERE, "they stand in a file beside it: expected both")
    beside = tours if isinstance(tours, Mapping) else parse_document(tours)
    listed = list_of(keys_of(beside, "format", "tours")["tours"], "tours")
    if beside["format"] != TOURS:
        raise Refusal(Reason.WRONG_SHAPE, f"expected tours of the format {TOURS!r}")
    if reference["digest"] != digest_of(beside):
        raise Refusal(Reason.WRONG_DIGEST, "the tours beside it are not those that were listed")
    if number_of(reference["number"], 1, MOST_TOURS, "the number of tours") != len(listed):
        raise Refusal(
            Reason.WRONG_SHAPE, f"expected {reference['number']:,} tours, got {len(listed):,}"
        )
    return {**certificate, "evidence": {**evidence, "tours": listed}}


def _argument(given: object, sentence: str, version: int) -> None:
    """Compare the argument with the sentence; versions 1 and 2 may word it differently."""
    if given != sentence and (version >= 3 or not isinstance(given, str)):
        raise Refusal(Reason.WRONG_TEXT, f"expected the argument: {sentence}")


def digest_of(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all but ``digest``: JSON with sorted keys and no blanks, in ASCII."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    try:
        return refutation.digest(json.dumps(rest, sort_keys=True, separators=(",", ":")))
    except RecursionError:
        raise Refusal(Reason.TOO_DEEP, "nested beyond all reason") from None
    except (TypeError, ValueError):  # an object that JSON cannot represent
        raise Refusal(Reason.WRONG_SHAPE, "expected JSON values, and texts as keys") from None


def parse_document(data: bytes | str) -> Mapping[str, Any]:
    """Return the object in a certificate's text, within bounds of size and depth."""
    if not isinstance(data, bytes | str):
        what = "a certificate as text, bytes or its document"
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what}, got {type(data).__name__}")
    if len(data) > MOST_BYTES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_BYTES >> 20} MB")
    marks = (b"[", b"{") if isinstance(data, bytes) else ("[", "{")
    if sum(map(data.count, marks)) > MOST_LISTS:  # type: ignore[arg-type]
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_LISTS:,} lists and objects")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        document = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_no_number
        )
    except UnicodeDecodeError:
        raise Refusal(Reason.NOT_JSON, "expected UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise Refusal(Reason.NOT_JSON, f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise Refusal(Reason.TOO_DEEP, "nested beyond all reason") from None
    except ValueError:  # Python limits the digits of one number
        raise Refusal(Reason.OUT_OF_RANGE, "a number has thousands of digits") from None
    if not isinstance(document, dict):
        raise Refusal(Reason.WRONG_SHAPE, f"expected an object, got {quote(document)}")
    return document


def _check_programs(value: object) -> None:
    """Check that programs and versions are short texts; their content is not used."""
    if not isinstance(value, Mapping):
        raise Refusal(Reason.WRONG_SHAPE, "expected an object of versions")
    if len(value) > MOST_PROGRAMS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_PROGRAMS} programs")
    for name, version in value.items():
        text_of(name, "a name", MOST_VERSION)
        text_of(version, "a version", MOST_VERSION)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = max(counted, key=lambda key: counted[key])
        raise Refusal(Reason.DUPLICATE_KEY, f"{shorten(twice)!r} stands twice in one object")
    return found


def _no_number(text: str) -> NoReturn:
    raise Refusal(Reason.WRONG_SHAPE, f"expected whole numbers, got {shorten(text)}")
