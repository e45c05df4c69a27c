"""The architecture: folders are layers, and trusted code stands alone."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter

import pytest

from kt_cp.trust.check import RULES
from tests.examples.certificates import (
    all_examples,
    certificate,
    on_graph,
)
from tests.support.imports import HOUSE, home, imports

FILES = sorted(HOUSE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in FILES})


def folders_used(path):
    return {home(each).parent for each in imports(path) if home(each)} - {path.parent, HOUSE}


def test_folders_form_layers():
    used = {folder: set() for folder in FOLDERS}
    for path in FILES:
        used[path.parent] |= folders_used(path)
    tuple(TopologicalSorter(used).static_order())  # raises CycleError with the cycle


def test_nothing_imports_the_contract():
    testing = HOUSE / "testing"
    assert not [path for path in FILES if testing in folders_used(path)]


def test_what_is_trusted_imports_the_model_alone():
    for path in (HOUSE / "trust").rglob("*.py"):
        allowed = {HOUSE / "model", *(each for each in FOLDERS if HOUSE / "trust" in each.parents)}
        assert folders_used(path) <= allowed, path


def test_the_model_imports_no_other_folder():
    assert not set().union(*map(folders_used, (HOUSE / "model").glob("*.py")))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.relative_to(HOUSE).as_posix())
def test_a_folder_says_what_lives_there(folder):
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert docstring and len(docstring) > 40


def foreign_imports(path):
    """Return the packages of others that a file imports anywhere."""
    return {each.split(".")[0] for each in imports(path)} - {"kt_cp"} - set(sys.stdlib_module_names)


def test_judge_and_checker_need_little_of_others():
    assert not foreign_imports(HOUSE / "trust" / "judge" / "squares.py")
    for path in (HOUSE / "trust" / "judge").glob("*.py"):
        assert foreign_imports(path) <= {"numpy"}, path
    for path in (HOUSE / "trust" / "check").glob("*.py"):
        # ``instance.py`` returns its graph as one of networkx.
        assert foreign_imports(path) <= ({"networkx"} if path.stem == "instance" else set()), path


def test_solvers_are_imported_where_they_are_used():
    at_the_top = re.compile(r"^(import|from) (ortools|pysat|networkx|matplotlib)\b", re.MULTILINE)
    for path in FILES:
        assert not at_the_top.search(path.read_text(encoding="utf-8")), path.name


def python(code, stdin=""):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], input=stdin, capture_output=True, text=True
    )


JUDGE = """
import sys
for name in ("kt_cp.model.graph", "networkx", "ortools", "pysat", "numpy"):
    sys.modules[name] = None  # importing it raises ImportError
from kt_cp.model.board import Board, parse_squares
from kt_cp.model.problem import Problem
from kt_cp.trust.judge import defects
problem = Problem(Board(3, 4), start=(0, 0))
tour = parse_squares("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
assert defects(problem, tour) == [], [str(defect) for defect in defects(problem, tour)]
rules = {defect.rule.name for defect in defects(problem, [*tour[:5], (0, 0), (9, 9)])}
assert rules == {"REPEATED", "ILLEGAL_MOVE", "OFF_BOARD", "UNVISITED"}, rules
assert defects(Problem(Board(3, 4), closed=True), tour)
"""

CHECKER = """
import json, sys
for name in ("networkx", "ortools", "pysat", "numpy", "numba", "llvmlite",
             "kt_cp.model.problem", "kt_cp.model.simple_graph", "kt_cp.model.graph",
             "kt_cp.model.cycle", "kt_cp.trust.judge", "kt_cp.trust.reference"):
    sys.modules[name] = None  # importing it raises ImportError
from kt_cp.trust.check import check
for text in json.load(sys.stdin):
    check(text)
"""


@cache
def modules_loaded(code):
    """Return the modules of the package that a program for certificates of every kind needs."""
    documents = [certificate(*each) for each in [*all_examples(), *digraphs()]]
    assert {document["evidence"]["kind"] for document in documents} == {*RULES}
    loaded = "\nprint(*{each for each in sys.modules if sys.modules[each]})"
    ended = python(code + loaded, json.dumps([json.dumps(each) for each in documents]))
    assert ended.returncode == 0, ended.stderr
    return {each for each in ended.stdout.split() if each.split(".")[0] == "kt_cp"}


def digraphs():
    """Return a directed graph without a tour: the arcs of one node all lead to it."""
    arcs = on_graph(["ab", "bc", "ac", "cb"], closed=True)
    return [({**arcs, "directed": True}, {"kind": "degrees", "squares": ["in a"]})]


@pytest.mark.parametrize("code", [JUDGE, CHECKER], ids=["judge", "checker"])
def test_the_trusted_stand_alone(code):
    loaded = modules_loaded(code)
    assert {name.split(".")[1] for name in loaded if "." in name} == {"model", "trust"}


def test_importing_the_package_loads_no_solver():
    ended = python(
        "import sys, kt_cp, kt_cp.cli\n"
        "assert not {'ortools', 'pysat', 'networkx', 'numpy', 'matplotlib'} & set(sys.modules)"
    )
    assert ended.returncode == 0, ended.stderr


def code_lines(path):
    """Return the number of lines of code, without blank lines, comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    texts = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            texts.update(range(node.lineno, node.end_lineno + 1))
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in blank | {tokenize.ENDMARKER}:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - texts)


def test_the_format_states_how_much_the_checker_needs():
    page = (HOUSE / "trust" / "check" / "FORMAT.md").read_text(encoding="utf-8")
    pattern = r"has ([\d,]+) lines of code .* from ([\d,]+) lines .* single file of ([\d,]+) lines"
    check, model, single = re.search(pattern, page).groups()
    lines = Counter()
    for name in modules_loaded(CHECKER):
        path = HOUSE.parent.joinpath(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        lines[".".join(name.split(".")[:3] if "trust" in name else name.split(".")[:2])] += (
            code_lines(path)
        )
    assert int(check.replace(",", "")) == pytest.approx(lines["kt_cp.trust.check"], rel=0.02)
    assert int(model.replace(",", "")) == pytest.approx(lines["kt_cp.model"], rel=0.02)
    assert int(single.replace(",", "")) == pytest.approx(code_lines(HOUSE / "verify.py"), rel=0.02)


def test_the_map_shows_every_folder_below_what_it_imports():
    text = (HOUSE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\| `(\w+)/` \|", text, re.MULTILINE)
    assert sorted(rows) == sorted(
        each.name for each in FOLDERS if each.parent == HOUSE and each != HOUSE
    )
    for path in FILES:
        folder = path.relative_to(HOUSE).parts[0]
        for used in folders_used(path) if folder in rows else ():
            assert rows.index(used.relative_to(HOUSE).parts[0]) <= rows.index(folder), path


def test_files_named_in_the_map_exist():
    text = (HOUSE / "README.md").read_text(encoding="utf-8")
    files = {name for name in re.findall(r"`([\w/]+\.(?:py|md))`", text) if "/" in name}
    assert len(files) > 20
    places = (HOUSE, HOUSE.parent)
    assert not [name for name in files if not any((at / name).exists() for at in places)]
