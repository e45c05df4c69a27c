"""The text of the project is plain English: a short list of phrases, and how often they may occur.

The list has words that this project used with meanings of its own.  A few of them are right in some
places, so the first test counts: fewer than one for every thousand words.  Some words are never
needed, also not in names: the second test finds any of them.  Two participles say nothing about a
value: the third test finds variables with these names.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from tests.support.command_line import ROOT

PHRASES = re.compile(
    r"\b(?:told|said|asked|brought|posed|whoever|somebody|of which|in place of|but for|for want of|"
    r"all the same|whose word|(?<!there )(?:is|are) none|"
    r"some \d+ (?:s|seconds|minutes|lines|squares|nodes))\b"
)

MOST = 1.0
"""Phrases for every thousand words: this project has 0.4, and networkx has 1.4."""

WORDS = re.compile(
    r"(?<![a-z.\"'])(?:told|said|posed|brought|tells?|whoever|somebody)(?![a-z])", re.IGNORECASE
)
"""Words for people.  A value is a message, an output or a document; a program prints or reports."""

PARTICIPLES = {"asked", "ran"}
"""Not names of variables: they hold arguments, conditions, a problem or a result."""

THIS = "tests/test_language.py"

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("kt_cp/**/*.md")]


def text_of_code(source):
    """Return comments, docstrings and messages, without examples."""
    texts = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING:
            texts.append(re.sub(r"(?m)^\s*(?:>>>|\.\.\.).*$", "", token.string))
        elif tokenize.tok_name[token.type] in ("COMMENT", "FSTRING_MIDDLE"):
            texts.append(token.string)
    return "\n".join(texts)


def text_of_page(page):
    """Return the prose without blocks of code and inline code."""
    return re.sub(r"```.*?```|`[^`\n]+`", " ", page.read_text(encoding="utf-8"), flags=re.S)


def texts(kind):
    if kind == "pages":
        return {page: text_of_page(page) for page in PAGES}
    files = sorted(ROOT.glob("kt_cp/**/*.py"))
    return {file: text_of_code(file.read_text(encoding="utf-8")) for file in files}


@pytest.mark.parametrize("kind", ["code", "pages"])
def test_private_phrases_are_rare(kind):
    words, found = 0, {}
    for file, text in texts(kind).items():
        words += len(re.findall(r"[A-Za-z']+", text))
        found[str(file.relative_to(ROOT))] = PHRASES.findall(text)
    count = sum(map(len, found.values()))
    worst = sorted(found.items(), key=lambda pair: -len(pair[1]))[:5]
    assert words > 10_000
    assert 1000 * count / words < MOST, (count, words, worst)


def test_no_words_for_people():
    found = {}
    for folder in ("kt_cp", "tests", "benchmarks"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if name != THIS:
                found[name] = WORDS.findall(file.read_text(encoding="utf-8"))
    assert len(found) > 400
    assert {name: words for name, words in found.items() if words} == {}


def variables(source):
    """Return the names of variables and parameters."""
    nodes = [*ast.walk(ast.parse(source))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}


def test_variables_are_not_participles():
    folders = ("kt_cp", "tests", "benchmarks")
    files = [file for folder in folders for file in ROOT.glob(f"{folder}/**/*.py")]
    found = {str(file): variables(file.read_text(encoding="utf-8")) & PARTICIPLES for file in files}
    assert len(files) > 400
    assert {file: names for file, names in found.items() if names} == {}


def test_variables_are_found():
    source = 'def run(asked, *ran): puzzle.asked, f(asked=1), {"ran": ran}'
    assert variables(source) == {"asked", "ran", "puzzle", "f"}


def test_words_are_found():
    assert WORDS.findall("def told_twice(said): ...  # Whoever tells") == [
        "told", "said", "Whoever", "tells",
    ]  # fmt: skip
    assert WORDS.findall('retold = file.tell(), {"said": answer}') == []


def test_phrases_are_found():
    text = "it is told, of which he is none; some 20 s, and there is none"
    assert PHRASES.findall(text) == ["told", "of which", "is none", "some 20 s"]
    code = '"""Say it.\n\n>>> told\n"""\nx = 1  # said\n'
    assert PHRASES.findall(text_of_code(code)) == ["said"]
