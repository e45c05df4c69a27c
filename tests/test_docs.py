"""Examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re

import pytest

import kt_cp
from tests.support.command_line import ROOT

MODULES = ["kt_cp"] + [
    found.name
    for found in pkgutil.walk_packages(kt_cp.__path__, "kt_cp.")
    if not found.name.endswith("__main__")  # which runs the command line
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} says nothing of itself"
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(
        len(test.examples)
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
    )
    assert examples > 40


def test_measurements_are_found_by_file():
    page = (ROOT / "benchmarks" / "MEASURED.md").read_text(encoding="utf-8")
    files = [line[3:] for line in page.splitlines() if line.startswith("## ")]
    assert files == sorted(set(files))
    assert not [name for name in files if not (ROOT / "kt_cp" / name).exists()]


def test_links_lead_somewhere():
    for page in (*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/*.md"), *ROOT.glob("docs/*/*.md")):
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert link.startswith("http") or (page.parent / link).exists(), f"{page}: {link}"


def test_the_paper_has_the_form_of_its_journal():
    """The paper follows the rules of JOSS: <https://joss.readthedocs.io/en/latest/paper.html>."""
    folder = ROOT / "docs" / "paper"
    _, header, body = (folder / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
    for field in ("title", "tags", "authors", "affiliations", "date", "bibliography: paper.bib"):
        assert re.search(rf"^{field}", header, re.M), field
    headings = re.findall(r"^# (.+)$", body, re.M)
    assert headings[:3] == ["Summary", "Statement of need", "State of the field"]
    assert headings[-1] == "References"
    assert 750 <= len(body.split()) <= 1750
    library = (folder / "paper.bib").read_text(encoding="utf-8")
    known = re.findall(r"^@\w+\{(\w+),", library, re.M)
    assert sorted(known) == sorted({*known, *re.findall(r"@(\w+)", body)})
    for entry in library.split("\n@"):
        assert re.search(r"year +=", entry) and re.search(r"title +=", entry), entry
    assert all(re.match(r"10\.\d{4,}/\S+$", doi) for doi in re.findall(r"doi += \{(.+)\}", library))
