"""Every case of a finite lemma if its code has changed, and a seeded sample of the cases otherwise.

Some properties hold for all boards because finitely many cases do: each tile that a plan can
require, each pair of ends of a low board.  Other properties are tested on many random cases.  All
cases take minutes, and show nothing new while the code is the same.  So ``data/lemmas.csv`` has a
line for each lemma: its files, and the digest of their code when every case last passed.  The
digest of a file of the package covers all its imports, without comments and docstrings.

If the digest differs, or with ``make test-all FULL=1``, all cases run, in batches; otherwise a
sample runs.  The head of the report and the names of the tests show its seed, and ``SEED=...`` sets
it.  ``FULL=0`` postpones the run of all cases during work.  ``make digests`` runs all cases, and
then writes the digests: commit them with the change.  A new lemma is a line without a digest.
"""

from __future__ import annotations

import ast
import csv
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from tests.support.command_line import DATA, ROOT
from tests.support.imports import reached

TABLE = DATA / "lemmas.csv"
STORE = ROOT / "build" / "digests.json"
FOLDERS = ("benchmarks", "kt_cp", "tests")
"""The folders of the files that lemmas name."""

SEED = os.environ.setdefault("SEED", str(random.randrange(10**6)))
"""The seed, also for the workers of pytest-xdist, which must draw the same sample."""


def exhaustive(lemma: str, cases: Iterable, *, sample: int, batches: int = 8) -> Callable:
    """Parametrise a test by ``cases``: a list of a sample of the cases, or all of them in batches.

    More batches occupy more processors.  Use a sample of 0 for a single case of half a minute that
    has no smaller part.
    """
    every = cases if isinstance(cases, range) else list(cases)
    if full(lemma):
        parts = {f"all-{i}-of-{batches}": list(every[i::batches]) for i in range(batches)}
    else:
        drawn = random.Random(f"{SEED} {lemma}").sample(every, min(sample, len(every)))
        parts = {f"{len(drawn)}-of-{len(every)}-seed-{SEED}": drawn}

    def mark(test):
        each = pytest.mark.parametrize("cases", parts.values(), ids=parts)
        return pytest.mark.exhaustive(each(test))

    return mark


def full(lemma: str) -> bool:
    """Return whether all cases must run."""
    (line,) = (line for line in table() if line["lemma"] == lemma)
    setting = os.environ.get("FULL")
    return line["digest"] != digest(line["code"]) if not setting else setting != "0"


def more(few, many):
    """Return ``many`` with ``make test-all FULL=1``, and ``few`` otherwise."""
    return many if os.environ.get("FULL") == "1" else few


def crossed(*values: Iterable) -> list[tuple]:
    """Return the product of the values with ``FULL=1``, or a third of it by the seed."""
    numbered = product(*map(enumerate, values))
    drawn = more(lambda places: (sum(places) + int(SEED)) % 3 == 0, lambda _: True)
    apart = (tuple(zip(*each, strict=True)) for each in numbered)
    return [chosen for places, chosen in apart if drawn(places)]


@cache
def table() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def digest(code: str) -> str:
    """Return the digest of files, whose paths are one string, with imports of the package."""
    return stored_digests().get(code) or compute_digest(code)


@cache
def stored_digests() -> dict[str, str]:
    """Return the digests of all lemmas, from a file if no source file has changed since.

    Each worker of pytest-xdist needs them in each run, and their computation takes 4 s.
    """
    codes = sorted({line["code"] for line in table()})
    state = sha256(repr(codes).encode())
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        state.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    with suppress(OSError, ValueError):
        stored = json.loads(STORE.read_text("utf-8"))
        if stored["state"] == state.hexdigest():
            return dict(stored["digests"])
    digests = {code: compute_digest(code) for code in codes}
    STORE.parent.mkdir(exist_ok=True)
    part = STORE.with_name(f"{STORE.name}.{os.getpid()}")  # workers write at the same time
    part.write_text(json.dumps({"state": state.hexdigest(), "digests": digests}), "utf-8")
    part.replace(STORE)
    return digests


def compute_digest(code: str) -> str:
    digests = [f"{path.relative_to(ROOT)} {of_file(path)}" for path in reached(files(code))]
    return sha256("\n".join(sorted(digests)).encode()).hexdigest()[:16]


def files(code: str) -> list[Path]:
    return [ROOT / path for path in code.split()]


@cache
def of_file(path: Path) -> str:
    return sha256(repr(shape(ast.parse(path.read_text("utf-8")))).encode()).hexdigest()


def shape(node: object) -> object:
    """Return syntax as plain lists, without docstrings and positions, equal in every Python."""
    if isinstance(node, list):
        return [shape(each) for each in node if not remark(each)]
    if not isinstance(node, ast.AST):
        return node
    return [type(node).__name__, *parts(node)]


def parts(node: ast.AST) -> Iterator[tuple[str, object]]:
    for name, value in ast.iter_fields(node):
        if value not in (None, []):
            yield name, shape(value)


def remark(node: object) -> bool:
    """Return whether a node is a statement that is only a constant, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


if __name__ == "__main__":
    lines = [{**line, "digest": digest(line["code"])} for line in table()]
    with TABLE.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["lemma", "code", "digest"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
