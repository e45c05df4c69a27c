"""Every case of a finite lemma where its code has changed, and a seeded sample of them otherwise.

Some things hold for all boards because finitely many cases do: each tile that a plan can require,
each pair of ends of a low board.  Others are tried on a long range of random cases.  All of them
take minutes, and show nothing new while the code is the same.  So ``data/lemmas.csv`` has a line
for each lemma: the files that it is about, and the digest of their code when every case last
passed.  A file of the package stands for all that it imports.  Comments and docstrings do not
count.

If the digest differs, or with ``make test-all FULL=1``, all cases are tried, in batches; otherwise
some, drawn by a seed.  The head of the report and the names of the tests show the seed, and
``SEED=...`` sets it.  ``FULL=0`` postpones trying all cases during work.  ``make digests`` tries
all, and then writes the digests: commit them with the change.  A new lemma is a line without a
digest.
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
"""Set for the workers of pytest-xdist as well, which must draw the same."""


def exhaustive(lemma: str, cases: Iterable, *, sample: int, batches: int = 8) -> Callable:
    """Call a test with ``cases=``, a list of so many of the cases, or with all in batches.

    More batches make work for more processors at a time.  A sample of 0 is for a single case of
    half a minute, which has no smaller part.
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
    """Whether all cases are to be tried."""
    (line,) = (line for line in table() if line["lemma"] == lemma)
    setting = os.environ.get("FULL")
    return line["digest"] != digest(line["code"]) if not setting else setting != "0"


def more(few, many):
    """What is tried by ``make test-all FULL=1``, and what otherwise."""
    return many if os.environ.get("FULL") == "1" else few


def crossed(*values: Iterable) -> list[tuple]:
    """Each value with each of the others: by ``FULL=1`` all of these, else a third, by the seed."""
    numbered = product(*map(enumerate, values))
    drawn = more(lambda places: (sum(places) + int(SEED)) % 3 == 0, lambda _: True)
    apart = (tuple(zip(*each, strict=True)) for each in numbered)
    return [chosen for places, chosen in apart if drawn(places)]


@cache
def table() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def digest(code: str) -> str:
    """Of files, given by their paths in one string, and of all that those of the package import."""
    return stored_digests().get(code) or compute_digest(code)


@cache
def stored_digests() -> dict[str, str]:
    """The digests of all lemmas, read from a file if no source file has changed since.

    Each worker of pytest-xdist needs them in each run, and to compute them takes 4 s.
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
    """Syntax as plain lists, without docstrings and places, and the same in every Python."""
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
    """Whether it is a statement that is a text and nothing else, as a docstring is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


if __name__ == "__main__":
    lines = [{**line, "digest": digest(line["code"])} for line in table()]
    with TABLE.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["lemma", "code", "digest"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
