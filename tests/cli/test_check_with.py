"""``prove --lrat``, and ``check --with``: the word of another checker beside this one's."""

from __future__ import annotations

import json
import sys

import pytest

from kt_cp.processes.checker import ACCEPTING, Word, ask

# A checker of LRAT of its own: reverse unit propagation along the hints, and nothing else.
CHECKER = """#!{python}
import sys

def numbers(path):
    for line in open(path):
        if line[0] not in "cp":
            yield [int(each) for each in line.split()]

clauses = {{n: line[:-1] for n, line in enumerate(numbers(sys.argv[1]), 1)}}
ok = False
for number, *rest in numbers(sys.argv[2]):
    middle = rest.index(0)
    lemma, hints = rest[:middle], rest[middle + 1 : -1]
    false, ok = set(lemma), False
    for hint in hints:
        left = [each for each in clauses[hint] if each not in false]
        ok = not left
        if len(left) == 1 and -left[0] not in false:
            false.add(-left[0])
    if number in clauses or not ok:
        print("c NOT VERIFIED")
        raise SystemExit(1)
    clauses[number] = lemma
print("c VERIFIED" if ok and not lemma else "c NOT VERIFIED")
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a program on a PATH that has nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(name, text):
        path = folder / name
        path.write_text(text if text.startswith("#!") else f"#!{sys.executable}\n{text}")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def refutation(kt_cp, tmp_path):
    path = tmp_path / "no.json"
    files = [tmp_path / name for name in ("f.cnf", "f.lrat")]
    ran = kt_cp("prove", "3x8", "--closed", "-o", path, "--cnf", files[0], "--lrat", files[1])
    assert ran.code == 0 and "proved by refutation" in ran.err
    return path, *files


def test_the_files_are_lrat(refutation, install):
    _, formula, proof = refutation
    install("lrat-check", CHECKER.format(python=sys.executable))
    formula, lines = formula.read_text(), proof.read_text().splitlines(keepends=True)
    assert ask("lrat-check", formula, "".join(lines)) == Word("lrat-check", True, "c VERIFIED")
    refused = Word("lrat-check", False, "c NOT VERIFIED")
    assert ask("lrat-check", formula, "".join(lines[:-1])) == refused  # no empty clause
    number, *rest = lines[-1].split()
    assert ask("lrat-check", formula, " ".join([number, *rest[:2], "0"])) == refused
    clauses = [line for line in formula.splitlines() if line[0] not in "cp"]
    assert int(lines[0].split()[0]) == len(clauses) + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTING)
def test_another_accepts_as_well(kt_cp, refutation, install, name):
    kind, said = ACCEPTING[name]
    # As the real ones do: talk, then the verdict. What they are handed is looked at.
    install(name, f"import sys\nassert sys.argv[2].endswith('.{kind}'), sys.argv\n"
                  f"print('c', open(sys.argv[1]).read(1))\nprint({said!r})\n")  # fmt: skip
    ran = kt_cp("check", refutation[0], "--with", name)
    assert (ran.code, ran.err) == (0, "")
    first, second = ran.out.splitlines()
    assert first.startswith("A proof (3x8, closed): no tour, by refutation: ")
    assert second == f"{name} accepts it as well: {said}"
    told = json.loads(kt_cp("check", refutation[0], "--with", name, "--json").out)
    assert told["valid"] and told["with"] == {"checker": name, "accepted": True, "said": said}
    assert "with" not in json.loads(kt_cp("check", refutation[0], "--json").out)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code", "said"),
    [("print('s NOT VERIFIED')", 70, "drat-trim REFUSES it: s NOT VERIFIED"),
     ("print('c failed at line 3'); raise SystemExit(1)", 70, "REFUSES it: c failed at line 3"),
     ("print('s TIMEOUT')", 3, "drat-trim gave no verdict: s TIMEOUT (exit code 0)"),
     ("raise SystemExit(4)", 3, "drat-trim gave no verdict: nothing (exit code 4)"),
     ("import sys; print('s VERIFIED, or so'); sys.exit(1)", 3, "s VERIFIED, or so (exit code 1)"),
     ("#!/no/such/interpreter\n", 3, "gave no verdict: it does not run: no such file")],
    ids=str,
)  # fmt: skip
def test_another_word_is_told_as_it_is(kt_cp, refutation, install, text, code, said):
    install("drat-trim", text)
    ran = kt_cp("check", refutation[0], "--with", "drat-trim")
    assert (ran.code, ran.err) == (code, "")
    assert "A proof (3x8, closed)" in ran.out and said in ran.out.splitlines()[1]


@pytest.mark.parametrize(
    ("checker", "said"),
    # As the real ones print them, the first two on stderr and with exit code 0.
    [("cake_lpr", "c empty clause not derived at end of proof"),
     ("cake_lpr", "c Checking failed at line: 0. Reason: clause index has no reduction sequence"),
     ("lrat-check", "c failed while checking clause: -18 -21 0"),
     ("lrat-check", "c NOT VERIFIED"),
     ("drat-trim", "s NOT VERIFIED")],
)  # fmt: skip
def test_every_checker_is_understood_when_it_refuses(install, checker, said):
    install(checker, f"import sys\nprint('c parsed', file=sys.stderr)\nsys.stderr.write({said!r})")
    assert ask(checker, "p cnf 0 0\n", "").accepted is False


def test_what_is_refused_here_is_not_handed_on(kt_cp, refutation, install, tmp_path):
    install("drat-trim", f"open({str(tmp_path / 'asked')!r}, 'w')\nprint('s VERIFIED')")
    kept = refutation[0]
    kept.write_text(kept.read_text().replace('"rows": 3', '"rows": 5'))
    ran = kt_cp("check", kept, "--with", "drat-trim")
    assert ran.code == 1 and ran.out.startswith("Not a proof") and "drat-trim" not in ran.out
    assert not (tmp_path / "asked").exists()


def test_what_cannot_be_handed_on(kt_cp, refutation, install, tmp_path):
    asked = ("check", refutation[0], "--with")
    for name, said in (
        ("drat-trim", "--with drat-trim: expected it on the PATH, where it is not"),
        ("minisat", "--with: expected cake_lpr, lrat-check or drat-trim, got 'minisat'"),
    ):
        ran = kt_cp(*asked, name)
        assert (ran.code, ran.out) == (2, "") and said in ran.err
        assert len(ran.err.splitlines()) == 1
    install("drat-trim", "print('s VERIFIED')")
    (tmp_path / "tour").write_text("a1")
    assert kt_cp("prove", "4x4", "-o", tmp_path / "c.json").code == 0
    for name, said in (
        ("tour", "--with drat-trim: expected a certificate, got a tour"),
        ("c.json", "expected a refutation, got evidence of kind 'removal'"),
    ):
        ran = kt_cp("check", tmp_path / name, "--with", "drat-trim")
        assert (ran.code, ran.out) == (2, "") and said in ran.err
    assert [each.name for each in (tmp_path / "bin").iterdir()] == ["drat-trim"]
