"""``kt-cp check``: tours in every format, their defects, certificates, and other checkers."""

from __future__ import annotations

import json
import os
import sys

import pytest

from kt_cp import Board, Problem, check, prove, solve
from kt_cp.cli import output
from kt_cp.cli.check import ACCEPTING, CheckerVerdict, run_checker
from kt_cp.formats import read
from kt_cp.formats.table import FORMATS, Subject, formats_of
from kt_cp.model.board import parse_squares, square_name
from kt_cp.model.document import problem_document
from kt_cp.proofs import certificate as certificates
from kt_cp.proofs.certificate import search_report
from kt_cp.trust.check import certificate as checker
from kt_cp.trust.check.certificate import digest_of
from tests.support.command_line import DATA, refused, run_cli


def test_the_default_is_the_smallest_board_of_the_squares(check):
    result = check("b1 a3 c2")
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("Not a tour (3x3, open): 1 defect\n  6 squares unvisited")
    assert check("a1").out == "A valid tour (1x1, open): 1 square\n"


@pytest.fixture(scope="module")
def names():
    return solve(Problem(Board(6, 6), closed=True)).tour.names


@pytest.mark.parametrize("separator", [" ", ",", "\n", "-", " – ", "->", ";\t", "\r\n"])
def test_separators(check, names, separator):
    result = check(separator.join(names))
    assert (result.code, result.out) == (
        0,
        "A valid tour (6x6, open): 36 squares, closed as well\n",
    )


def test_rank_and_file(check, names):
    pairs = [f"{row + 1},{column + 1}" for row, column in parse_squares(" ".join(names))]
    assert check("\n".join(pairs), "--closed").code == 0
    assert check(" ".join(pairs), "--closed").code == 0


def test_an_open_tour_is_not_closed(check):
    tour = solve(Problem(Board(3, 4))).tour  # which has no closed one
    text = " ".join(tour.names)
    assert check(text).out == "A valid tour (3x4, open): 12 squares\n"
    result = check(text, "--closed")
    assert result.code == 1
    assert result.out.startswith("Not a tour (3x4, closed): 1 defect\n  not closed: ")


def test_every_defect_is_printed(check, names):
    walk = [*names[:10], "h8", names[3], *names[12:-1]]
    result = check(" ".join(walk), "--board", "6x6", "--start", "b1", "--end", "b2")
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    count = len(lines) - 1
    assert lines[0].endswith(f"from b1 to b2): {count} defects")
    assert all(line.startswith("  ") for line in lines[1:])
    for words in (
        "h8 at step 11 is off the 6x6 board",
        f"{names[3]} ",
        "illegal move from ",
        "3 squares unvisited",
        "b1",
        "b2",
    ):
        assert words in result.out


def test_options_override_the_file(check, names):
    tour = solve(Problem(Board(5, 6), start=(0, 0), end=(0, 5)))
    text = json.dumps(
        {
            "problem": {"rows": 5, "columns": 6, "missing": [], "start": "a1", "end": "f1"},
            "tour": tour.tour.names,
        }
    )
    assert check(text).out == "A valid tour (5x6, open, from a1 to f1): 30 squares\n"
    assert check(text, "--end", "f3").code == 1
    assert check(text, "--start", "b1").code == 1
    assert check(text, "--board", "6x6").code == 1
    # ``--closed`` replaces the condition on the end
    assert check(text, "--closed").out.startswith("Not a tour (5x6, closed, from a1): 1 defect")
    refused(check(text, "--closed", "--end", "f1"), "expected no end")
    refused(check(text, "--board", "3x3", "--end", "a2", "--start", "f1"), "3x3")
    assert check(text, "--missing", "c3").code == 1
    closed = json.dumps({"problem": {"rows": 6, "columns": 6, "closed": True}, "tour": names})
    assert check(closed).out == "A valid tour (6x6, closed): 36 squares\n"
    assert check(closed, "--open").out == "A valid tour (6x6, open): 36 squares, closed as well\n"


def test_a_board_states_the_whole_question(check):
    torus = Problem(Board(5, 6, surface="torus"), closed=True, start="a1")
    tour = solve(torus).tour.names
    text = json.dumps({"problem": problem_document(torus), "tour": tour})
    assert check(text).out == "A valid tour (5x6 torus, closed, from a1): 30 squares\n"
    assert check(text, "--board", "5x6").out.startswith("Not a tour (5x6, open): ")
    same = check(text, "--board", "5x6", "--surface", "torus")
    assert same.out == "A valid tour (5x6 torus, open): 30 squares, closed as well\n"


def test_missing_squares(check):
    grid = "  5  .\n  .  2\n  3  .\n  .  6\n  1  .\n  .  4"
    result = check(grid)
    assert "6x2 without" in result.out
    assert result.code == 1
    tour = solve(Problem(Board(6, 6, missing=parse_squares("c3,c4")))).tour
    assert check(" ".join(tour.names), "--missing", "c3,c4").code == 0
    result = check(" ".join(tour.names))
    assert (result.code, "2 squares unvisited: c3, c4" in result.out) == (1, True)


def test_a_grid_that_counts_from_0_is_not_short_of_a_square(check):
    tour = solve(Problem(Board(5, 5))).tour
    grid = [
        " ".join(str(tour.step((row, column)) - 1) for column in range(5))
        for row in reversed(range(5))
    ]
    assert check("\n".join(grid)).out == "A valid tour (5x5, open): 25 squares\n"


def test_the_illustrated_walk_of_document_002(check):
    # The step from d1 to c4 is no knight's move, and one square remains unvisited.
    walk = "a1 c2 d4 b3 c1 a2 b4 d3 b2 d1 c4 d2 b1 c3 a4"
    result = check(walk, "--board", "4x4")
    assert result.code == 1
    assert result.out.splitlines() == [
        "Not a tour (4x4, open): 2 defects",
        "  illegal move from d1 to c4 at step 11",
        "  1 square unvisited: a3",
    ]


def test_the_same_walk_up_to_its_step_back(kt_cp):
    # The first fourteen boards in document 002, copied by hand as names.
    walk = DATA / "walk_of_document_002.txt"
    result = kt_cp("check", walk)
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        "Not a tour (4x4, open): 2 defects",
        "  illegal move from d1 to c4 at step 11",
        "  2 squares unvisited: c3, a4",
    ]


def test_json(check, names):
    document = json.loads(check(" ".join(names), "--json").out)
    assert document == {
        "schema_version": 1,
        "problem": {
            "rows": 6, "columns": 6, "missing": [], "piece": [[1, 2]], "surface": "plane",
            "closed": False, "start": None, "end": None,
            "require": [], "forbid": [], "given": [], "symmetry": None,
        },
        "squares": 36,
        "start": names[0],
        "end": names[-1],
        "valid": True,
        "defects": [],
    }  # fmt: skip
    result = check(" ".join(names[:-1]), "--board", "6x6", "--json")
    document = json.loads(result.out)
    assert (result.code, document["valid"]) == (1, False)
    assert document["defects"] == [
        {
            "rule": "square unvisited",
            "step": None,
            "text": f"1 square unvisited: {names[-1]}",
            "many": 1,
        }
    ]
    empty = json.loads(check("[]", "--board", "3x3", "--json").out)
    assert (empty["squares"], empty["start"], empty["end"]) == (0, None, None)


def test_squares_off_every_board(check):
    refused(check("[[-1, 5]]"), "expected --board", "(-1, 5)")
    assert "is off the 3x3 board" in check("[[-1, 5]]", "--board", "3x3").out


def test_a_claim_about_a_huge_board(check):
    result = check("a1 b3", "--board", "1000000000x1000000000")
    assert (result.code, "999999999999999998 squares unvisited" in result.out) == (1, True)
    far = square_name((10**6, 10**6))
    assert check(f"a1 {far}").code == 1


def test_what_is_wrong_all_over_is_counted(check):
    """Garbage takes no more memory than a tour, and prints a few lines."""
    text = "a1 b3 " * 2_000
    result = check(text, "--board", "3x4")
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    assert lines[0] == "Not a tour (3x4, open): 3,999 defects"
    assert lines[6:] == [
        "  3993 more of this kind: square repeated",
        "  10 squares unvisited: b1, c1, d1, a2, b2, …",
    ]
    document = json.loads(check(text, "--board", "3x4", "--json").out)
    assert sum(defect["many"] for defect in document["defects"]) == 3_999


@pytest.mark.parametrize(
    "options",
    [
        ["--board", "0x0"],
        ["--board", "8"],
        ["--start", "zz"],
        ["--start", "i9", "--board", "8x8"],
        ["--missing", "hello"],
        ["--missing", "h8"],
        ["--closed", "--end", "a1"],
        ["--nope"],
    ],
    ids=" ".join,
)
def test_bad_options(check, options):
    refused(check("a1 b3", *options))


def test_a_board_that_is_to_be_solved_is_no_tour(check):
    for drawn in ("1 . .\n. # .\n8 . .\n", " 00\n0100\n  00\n"):
        refused(check(drawn), "expected a tour, got a board with", "kt-cp solve")
    refused(check("1 2\n. 4\n"), "step 3")  # a single number is missing


QUESTIONS = [
    ("1x1", []),
    ("3x4", []),
    ("6x6", ["--closed"]),
    ("6x6", ["--missing", "c3,c4", "--start", "a1", "--end", "f1"]),
    ("5x6", ["--missing", "a1,f1"]),
    ("4x30", []),
    ("30x5", ["--missing", "c30"]),
    ("100x100", ["--closed"]),
]


READ = [each for each in formats_of(Subject.TOUR) if FORMATS[each].read_by == "check"]


@pytest.mark.parametrize("shape", READ)
@pytest.mark.parametrize(("board", "options"), QUESTIONS, ids=lambda value: "".join(value))
def test_what_solve_writes_is_a_tour(kt_cp, tmp_path, board, options, shape):
    path = tmp_path / "tour"
    result = kt_cp("solve", board, *options, "--format", shape, "-o", path)
    assert result.code == 0
    # An outcome states all conditions, a grid its board, an array its sides, a list nothing.
    holes = options[:2] if options[:1] == ["--missing"] else []
    known = {"json": options, "grid": holes}
    options_needed = [option for option in options if option not in known.get(shape, [])]
    if shape in ("names", "csv"):
        options_needed += ["--board", board]
    result = kt_cp("check", path, *options_needed)
    assert result.err == ""
    squares = len(Board.parse(board, options[1] if "--missing" in options else ""))
    assert result.out.startswith(f"A valid tour ({board}")
    assert f"): {squares} square" in result.out
    assert result.code == 0


def test_pictures_are_not_read(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "5x5", "-o", path).code == 0
    refused(kt_cp("check", path), "line 1")


@pytest.mark.parametrize("options", [["--json"], ["--format", "names"], []])
def test_stdin(kt_cp, options):
    tour = kt_cp("solve", "6x6", "--closed", *options)
    result = run_cli("check", "-", "--closed", stdin=tour.out.encode())
    assert (result.code, result.out) == (0, "A valid tour (6x6, closed): 36 squares\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"a1 b3 \xff", "line 1: expected UTF-8 text, got byte 0xff"),
        ("a1 b3".encode("utf-16"), "UTF-8"),
        (b'{"problem": {"rows": 5, "col', "line 1: not valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"problem": ' * 100_000, "nested too deeply"),
        (b"[" + b"9" * 10_000 + b"]", "number too long"),
        (b"step,square\n", "--board"),
        (b"[]", "--board"),
        (bytes(range(1, 128)), "line 1"),
        (b"hello", "'hello'"),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_malformed(check, data, words):
    refused(check(data), words)


def test_truncated_anywhere(check):
    # A truncated outcome is never a tour; a truncated list is a wrong one.
    outcome = run_cli("solve", "5x5", "--json").out
    for length in range(0, len(outcome.rstrip()), 23):
        refused(check(outcome[:length]))
    assert check(outcome).code == 0


def test_unreadable(kt_cp, tmp_path, monkeypatch):
    refused(kt_cp("check", tmp_path / "nowhere"), "cannot read", "no such file")
    refused(kt_cp("check", tmp_path), "cannot read")
    refused(kt_cp("check", ""), "cannot read")
    refused(kt_cp("check", os.devnull), "empty")
    (tmp_path / "long").write_bytes(b"a1 " * 400_000)
    monkeypatch.setattr(read, "MOST_BYTES", 1 << 20)
    refused(kt_cp("check", tmp_path / "long"), "expected a tour in at most 1 MB of text, got 1")
    monkeypatch.setattr(output, "MOST_BYTES", 1 << 20)
    refused(kt_cp("check", tmp_path / "long"), "expected a tour in at most 1 MB, got more")


@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_the_json_of_a_source_program(kt_cp, check, number):
    document = kt_cp("reference", "3x4", "--source", number, "--start", "a1", "--json").out
    phrases = ("2 tours", " each") if number == "004" else ("A valid tour", "")
    assert (
        check(document).out.rstrip() == f"{phrases[0]} (3x4, open, from a1): 12 squares{phrases[1]}"
    )


# An independent checker of LRAT: it does reverse unit propagation along the hints only.
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
    """Install a program on a PATH that contains nothing else."""
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
    result = kt_cp("prove", "3x8", "--closed", "-o", path, "--cnf", files[0], "--lrat", files[1])
    assert result.code == 0 and "proved by refutation" in result.err
    return path, *files


def test_the_files_are_lrat(refutation, install):
    _, formula, proof = refutation
    install("lrat-check", CHECKER.format(python=sys.executable))
    formula, lines = formula.read_text(), proof.read_text().splitlines(keepends=True)
    assert run_checker("lrat-check", formula, "".join(lines)) == CheckerVerdict(
        "lrat-check", True, "c VERIFIED"
    )
    refused = CheckerVerdict("lrat-check", False, "c NOT VERIFIED")
    assert run_checker("lrat-check", formula, "".join(lines[:-1])) == refused  # no empty clause
    number, *rest = lines[-1].split()
    assert run_checker("lrat-check", formula, " ".join([number, *rest[:2], "0"])) == refused
    clauses = [line for line in formula.splitlines() if line[0] not in "cp"]
    assert int(lines[0].split()[0]) == len(clauses) + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTING)
def test_another_accepts_as_well(kt_cp, refutation, install, name):
    kind, verdict = ACCEPTING[name]
    # Like a real checker, it prints comments, then the verdict.  It also inspects its arguments.
    install(name, f"import sys\nassert sys.argv[2].endswith('.{kind}'), sys.argv\n"
                  f"print('c', open(sys.argv[1]).read(1))\nprint({verdict!r})\n")  # fmt: skip
    result = kt_cp("check", refutation[0], "--with", name)
    assert (result.code, result.err) == (0, "")
    first, second = result.out.splitlines()
    assert first.startswith("A valid proof (3x8, closed): no tour, by refutation: ")
    assert second == f"{name} accepts it as well: {verdict}"
    document = json.loads(kt_cp("check", refutation[0], "--with", name, "--json").out)
    assert document["valid"] and document["with"] == {
        "checker": name,
        "accepted": True,
        "message": verdict,
    }
    assert "with" not in json.loads(kt_cp("check", refutation[0], "--json").out)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code", "message"),
    [("print('s NOT VERIFIED')", 70, "drat-trim REFUSES it: s NOT VERIFIED"),
     ("print('c failed at line 3'); raise SystemExit(1)", 70, "REFUSES it: c failed at line 3"),
     ("print('s TIMEOUT')", 3, "drat-trim gave no verdict: s TIMEOUT (exit code 0)"),
     ("raise SystemExit(4)", 3, "drat-trim gave no verdict: nothing (exit code 4)"),
     ("import sys; print('s VERIFIED, or so'); sys.exit(1)", 3, "s VERIFIED, or so (exit code 1)"),
     ("#!/no/such/interpreter\n", 3, "gave no verdict: it does not run: no such file")],
    ids=str,
)  # fmt: skip
def test_another_verdict_is_printed_as_it_is(kt_cp, refutation, install, text, code, message):
    install("drat-trim", text)
    result = kt_cp("check", refutation[0], "--with", "drat-trim")
    assert (result.code, result.err) == (code, "")
    assert "A valid proof (3x8, closed)" in result.out and message in result.out.splitlines()[1]


@pytest.mark.parametrize(
    ("checker", "output"),
    # As the real ones print them, the first two on stderr and with exit code 0.
    [("cake_lpr", "c empty clause not derived at end of proof"),
     ("cake_lpr", "c Checking failed at line: 0. Reason: clause index has no reduction sequence"),
     ("lrat-check", "c failed while checking clause: -18 -21 0"),
     ("lrat-check", "c NOT VERIFIED"),
     ("drat-trim", "s NOT VERIFIED")],
)  # fmt: skip
def test_every_checker_is_understood_when_it_refuses(install, checker, output):
    install(
        checker, f"import sys\nprint('c parsed', file=sys.stderr)\nsys.stderr.write({output!r})"
    )
    assert run_checker(checker, "p cnf 0 0\n", "").accepted is False


def test_what_is_refused_here_is_not_handed_on(kt_cp, refutation, install, tmp_path):
    install("drat-trim", f"open({str(tmp_path / 'asked')!r}, 'w')\nprint('s VERIFIED')")
    path = refutation[0]
    path.write_text(path.read_text().replace('"rows": 3', '"rows": 5'))
    result = kt_cp("check", path, "--with", "drat-trim")
    assert (
        result.code == 1 and result.out.startswith("Not a proof") and "drat-trim" not in result.out
    )
    assert not (tmp_path / "asked").exists()


def test_what_cannot_be_handed_on(kt_cp, refutation, install, tmp_path):
    arguments = ("check", refutation[0], "--with")
    for name, message in (
        ("drat-trim", "--with drat-trim: expected it on the PATH, where it is not"),
        ("minisat", "--with: expected cake_lpr, lrat-check or drat-trim, got 'minisat'"),
    ):
        result = kt_cp(*arguments, name)
        assert (result.code, result.out) == (2, "") and message in result.err
        assert len(result.err.splitlines()) == 1
    install("drat-trim", "print('s VERIFIED')")
    (tmp_path / "tour").write_text("a1")
    assert kt_cp("prove", "4x4", "-o", tmp_path / "c.json").code == 0
    for name, message in (
        ("tour", "--with drat-trim: expected a certificate, got a tour"),
        ("c.json", "expected a refutation, got evidence of kind 'removal'"),
    ):
        result = kt_cp("check", tmp_path / name, "--with", "drat-trim")
        assert (result.code, result.out) == (2, "") and message in result.err
    assert [each.name for each in (tmp_path / "bin").iterdir()] == ["drat-trim"]


@pytest.fixture(scope="module")
def text():
    return prove(Problem(Board(4, 4))).certificate.to_json()


@pytest.fixture(scope="module")
def report():
    return prove(Problem(Board(3, 3)), "exhausted").certificate.to_json()


@pytest.fixture
def judge(kt_cp, tmp_path):
    """Run ``check`` on some text."""
    path = tmp_path / "certificate"

    def run(text, *options):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return kt_cp("check", path, *options)

    return run


def changed(text, **changes):
    """Return the certificate with other values and the correct digest."""
    document = {**json.loads(text), **changes}
    return json.dumps({**document, "digest": digest_of(document)})


# --- output of check ------------------------------------------------------------------------------


def test_a_certificate_is_a_proof(judge, text):
    accepted = check(text)
    result = judge(text)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        f"A valid proof (4x4, open): no tour, by {accepted.kind}: {accepted.argument}.\n"
    )
    # Whatever its layout, and however late its name occurs in it.
    document = json.loads(text)
    assert judge(json.dumps(document, indent=None, sort_keys=True)).out == result.out
    assert judge("\n  " + json.dumps(document, separators=(",", ":"))).out == result.out


def test_certificate_on_stdin(text):
    result = run_cli("check", "-", stdin=text.encode())
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("A valid proof (4x4, open)")


def test_json_of_a_certificate(judge, text):
    accepted = check(text)
    document = json.loads(judge(text, "--json").out)
    assert document == {
        "schema_version": 1,
        "problem": {
            "rows": 4, "columns": 4, "missing": [], "piece": [[1, 2]], "surface": "plane",
            "closed": False, "start": None, "end": None,
            "require": [], "forbid": [], "given": [], "symmetry": None,
        },
        "valid": True,
        "proved": True,
        "kind": accepted.kind,
        "argument": accepted.argument,
        "claim": "no tour",
        "tours": 0,
        "reason": None,
        "text": None,
    }  # fmt: skip
    result = judge(changed(text, evidence={"kind": "magic"}), "--json")
    document = json.loads(result.out)
    assert (result.code, document["valid"], document["proved"]) == (1, False, False)
    assert (document["reason"], document["problem"]) == ("UNKNOWN_KIND", None)
    assert document["text"].startswith("no such kind of evidence: expected one of size, ")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[: len(text) // 2], "not valid JSON: line "),
        (lambda text: text[:40], "not valid JSON"),
        (lambda text: text.replace('"rows": 4', '"rows": 5'), "a digest does not fit"),
        (lambda text: text.replace('"rows": 4', '"rows": 4, "rows": 4'), "a key stands twice"),
        (
            lambda text: text.replace('"schema_version": 4', '"schema_version": 8'),
            "another version",
        ),
        (lambda text: text.encode() + b"\xff", "not valid JSON: expected UTF-8"),
        (lambda text: text.replace('"missing": []', '"missing": ' + "[" * 10**5), "too deeply"),
        (lambda text: text + " " * checker.MOST_BYTES, "too large: expected at most 32 MB"),
        (lambda text: changed(text, argument="because"), "the argument in words is another"),
        (lambda text: changed(text, evidence={"kind": "colours"}), "does not prove it"),
        (lambda text: changed(text, evidence={"kind": "size"}), "does not answer this question"),
        (lambda text: changed(text, problem={}), "not as the format says: expected the key 'rows'"),
    ],
)
def test_what_is_wrong_is_one_line(judge, text, damage, reason):
    result = judge(damage(text))
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("Not a proof: ")
    assert reason in result.out
    assert result.out.count("\n") == 1
    assert len(result.out) < 600


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ("--closed", "expected closed tours, found open tours"),
        ("--board 5x5", "expected 5x5, found 4x4"),
        (
            "--board 5x5 --closed",
            "expected 5x5, found 4x4; expected closed tours, found open tours",
        ),
        ("--board 4x4 --missing a1", "expected 1 missing square (a1), found none"),
        ("--missing a1,b1", "expected 2 missing squares (a1, b1), found none"),
        ("--board 4x4 --surface torus", "expected a torus, found a plane"),
        ("--piece camel", "expected camel, found knight"),
        ("--start a1", "expected start a1, found none"),
        ("--start h8", "expected start to be on the 4x4 board, got h8"),
        ("--end d4", "expected end d4, found none"),
        ("--given c3=2", "expected 1 given step (c3 at 2), found none"),
        ("--symmetry half-turn", "expected symmetry half-turn, found none"),
        ("--closed --end d4", "a closed tour returns to its start: expected no end, got d4"),
    ],
)
def test_a_certificate_of_another_problem_is_no_proof(judge, text, options, difference):
    result = judge(text, *options.split())
    assert (result.code, result.err) == (1, "")
    assert result.out.endswith(f"certificate is about another question: {difference}\n")
    document = json.loads(judge(text, *options.split(), "--json").out)
    assert (document["valid"], document["reason"]) == (False, "OTHER_PROBLEM")
    assert document["text"] == difference


SPECIAL = {
    "--forbid a1-c2,b1-d2": "no forbidden moves, found 2 (a1-c2, b1-d2)",
    "--require a1-c2,c2-a1,c2-e1,a1-b3 --forbid b1-d2": "no required moves, found 3 ",
    "--given b1=2,a1=3": "no given steps, found 2 (a1 at 3, b1 at 2)",
    "--start a1 --given f5=2": "no start, found a1; expected no given steps, found 1 (f5 at 2)",
    "--symmetry diagonal": "no symmetry, found diagonal",
    "--missing a1": "no missing squares, found 1 (a1)",
    "--piece zebra": "knight, found zebra",
    "--surface cylinder --piece ferz": "knight, found ferz; expected a plane, found a cylinder",
}


@pytest.mark.parametrize("options", SPECIAL)
def test_what_a_question_does_not_mention_means_its_default(judge, kt_cp, tmp_path, options):
    path = tmp_path / "no.json"
    arguments = ["5x6", "--closed", *options.split()]
    assert kt_cp("prove", *arguments, "-o", path).code == 0
    certificate = path.read_bytes()
    assert judge(certificate).out.startswith("A valid proof (5x6")
    assert judge(certificate, "--board", *arguments).code == 0
    # 5x6 has closed tours: no certificate applies without the other conditions.
    for stated in ("--board 5x6 --closed", "--closed"):
        claim = [*stated.split()]
        if "--board" not in claim and ("--missing" in arguments or "--surface" in arguments):
            continue  # the file states the board
        result = judge(certificate, *claim)
        assert (result.code, result.err, result.out.count("\n")) == (1, "", 1)
        for part in SPECIAL[options].split("; expected "):
            assert f"expected {part}" in result.out


def test_one_question_in_other_words(judge, kt_cp, tmp_path):
    path = tmp_path / "no.json"
    line = "--missing c3,e5 --forbid a1-c2,b1-d2 --require b2-d1 --closed --given a1=1,c2=16"
    assert kt_cp("prove", "5x5", *line.split(), "-o", path).code == 0
    same = "--missing 5,5 --missing c3 --forbid d2-b1 --forbid 2,3-a1 --require d1-b2 --piece 2,1"
    same += " --given c2=16 --given a1=1 --closed"
    result = judge(path.read_text(), "--board", "5x5", *same.split(), "--surface", "plane")
    assert result.code == 0, result.out
    drawn = tmp_path / "board.txt"
    drawn.write_text("\n".join([". . . . #", ". . . . .", ". . # . .", ". . 16 . .", "1 . . . ."]))
    line = "--forbid a1-c2,b1-d2 --require b2-d1 --closed"
    assert judge(path.read_text(), "--board", drawn, *line.split()).code == 0
    result = judge(path.read_text(), "--board", drawn, "--closed")
    assert result.code == 1 and "expected no required moves, found 1 (b2-d1)" in result.out
    for version in (1, 2):  # files that do not name a piece
        old = (DATA / f"no-4x4-version-{version}.json").read_bytes()
        closed = ["--closed"] * json.loads(old)["problem"]["closed"]
        assert judge(old, "--board", "4x4", "--piece", "knight", *closed).code == 0
    # An invalid question of the user is bad input, as in every command.
    refused(judge(path.read_text(), "--board", "5x5", "--start", "h8"), "on the 5x5 board, got h8")


@pytest.mark.parametrize("options", [["--open"], ["--board", "4x4"], ["--board", "4x4", "--open"]])
def test_what_the_user_wants_proved(judge, text, options):
    assert judge(text, *options).code == 0


def test_ends_and_missing_squares_that_fit(judge):
    problem = Problem(Board(5, 5, {(0, 1)}), start=(0, 2))
    made = prove(problem).certificate.to_json()
    fitting = ["--missing", "b1", "--start", "c1", "--open"]
    assert judge(made, *fitting).code == 0
    assert judge(made, "--board", "5x5", *fitting).code == 0
    assert judge(made, "--board", "5x5").code == 1  # the whole board is a different one


def test_a_certificate_says_nothing_about_boards_for_a_graph(judge):
    import networkx as nx

    made = prove(Problem(graph=nx.petersen_graph(), closed=True)).certificate.to_json()
    assert judge(made).out.startswith("A valid proof (graph with 10 nodes and 15 edges, closed)")
    assert judge(made, "--board", "2x5").code == 1
    assert json.loads(judge(made, "--json").out)["problem"]["closed"] is True


def test_bad_options_are_bad_input(judge, text):
    refused(judge(text, "--board", "0x0"), "expected a board")
    refused(judge(text, "--start", "zz"), "--start: expected a square")
    refused(judge(text, "--missing", "hello"), "expected squares")


def test_an_outcome_without_a_tour_is_still_bad_input(judge, kt_cp):
    refused(judge(kt_cp("solve", "3x3", "--json").out), "the file holds no tour")


# --- a search that can be run again ---------------------------------------------------------------


def test_a_search_is_repeated(judge, report):
    result = judge(report)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Repeated, not proved (3x3, open): no tour; ")
    document = json.loads(judge(report, "--json").out)
    assert (document["valid"], document["proved"], document["kind"]) == (True, False, "exhausted")
    assert judge(report, "--closed").code == 1


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((-1, 0), "the search places 121 squares"),
        ((1, 0), "the search places 121 squares"),
        ((0, 1), "takes back 121, not 121 and 122"),
    ],
)
def test_other_counts_are_reported(judge, report, numbers, why):
    found = json.loads(report)["evidence"]
    placed, taken_back = found["placed"] + numbers[0], found["taken_back"] + numbers[1]
    forged = search_report(Problem(Board(3, 3)), placed, taken_back).to_json()
    result = judge(forged)
    assert result.code == 1
    expected = f"goes on after {placed} squares placed" if numbers == (-1, 0) else why
    assert expected in result.out


def test_reports_of_what_is_not_so(judge, report, monkeypatch):
    lie = search_report(Problem(Board(5, 5)), 10**6, 10**6).to_json()
    assert "the search finds a tour" in judge(lie).out
    result = judge(search_report(Problem(Board(8, 8), closed=True), 5000, 5000).to_json())
    assert (result.code, "goes on after 5,000 squares placed" in result.out) == (1, True)
    result = judge(search_report(Problem(Board(8, 8)), 10**18, 10**18).to_json())
    assert (result.code, "a number out of range" in result.out) == (1, True)
    result = judge(search_report(Problem(Board(10**9, 10**9)), 1, 1).to_json())
    assert (result.code, "too large" in result.out) == (1, True)
    assert "another" in judge(changed(report, argument="because")).out
    assert judge(changed(report, evidence={"kind": "exhausted"})).code == 1
    monkeypatch.setattr(certificates, "MOST_SQUARES", 8)
    assert judge(report).code == 1


# --- solve --certificate --------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat", "reference"])
def test_solve_keeps_a_certificate_of_any_engine(kt_cp, tmp_path, engine):
    path = tmp_path / "no.json"
    result = kt_cp("solve", "3x5", "--engine", engine, "--certificate", path)
    accepted = check(path.read_bytes())
    assert result.code == 1
    assert result.out == f"No tour (3x5, open): {accepted.argument}.\n"
    assert f"; backed by: {accepted.kind}, a checked certificate" in result.err
    assert accepted.problem == Problem(Board(3, 5))


def test_an_outcome_names_its_certificate(kt_cp, tmp_path):
    evidence = json.loads(kt_cp("solve", "3x3", "--json").out)["evidence"]
    assert evidence == {
        "kind": "argument",
        "text": "b2 has no moves at all",
        "certificate": "degrees",
    }
    claimed = json.loads(kt_cp("solve", "3x3", "--engine", "cpsat", "--json").out)["evidence"]
    assert claimed["certificate"] is None
    outcome, certificate = tmp_path / "outcome.json", tmp_path / "kept.json"
    arguments = ("solve", "3x3", "--engine", "cpsat", "-o", outcome, "--certificate", certificate)
    assert kt_cp(*arguments).code == 1
    assert json.loads(outcome.read_text())["evidence"]["certificate"] == "degrees"
    assert check(certificate.read_bytes()).kind == "degrees"


def test_without_a_certificate_nothing_is_written(kt_cp, tmp_path):
    path = tmp_path / "no.json"
    path.write_text("before")
    result = kt_cp("solve", "5x5", "--certificate", path, "--force")
    assert (result.code, result.out) == (0, kt_cp("solve", "5x5").out)
    assert result.err.endswith(f"\nkt-cp: nothing was written to {path}: there is a tour\n")
    result = kt_cp("solve", "3x3", "--engine", "warnsdorff", "--certificate", path, "--force")
    assert result.code == 3
    assert result.err.endswith(f"\nkt-cp: nothing was written to {path}: nothing is proved\n")
    result = kt_cp("solve", "4x999999999", "--closed", "--certificate", path, "--force")
    assert result.code == 1
    assert result.err.endswith(
        f"\nkt-cp: nothing was written to {path}: no certificate was found\n"
    )
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_a_tour_on_the_way_to_a_certificate_is_70(kt_cp, fake, tmp_path, monkeypatch):
    from tests.support.fakes import false_no

    fake(false_no)
    monkeypatch.setattr("kt_cp.trust.crosscheck.BUDGET", 2_000)
    # Beyond the reach of the reference.
    arguments = ("solve", "8x8", "--closed", "--engine", "fake")
    assert kt_cp(*arguments).code == 1
    result = kt_cp(*arguments, "--certificate", tmp_path / "no.json")
    assert (result.code, result.out) == (70, "")
    assert "fake says IMPOSSIBLE on 8x8, closed, seed 0, but a tour was found: a1 " in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["f.drat", "f.LRAT", "f.cnf", "f.cnf.gz", "f.opb"])
def test_files_of_sat_solvers_are_no_tours(kt_cp, tmp_path, name) -> None:
    file = tmp_path / name
    file.write_text("0\n")  # the empty clause; as a grid, a tour of 1x1
    result = kt_cp("check", file)
    assert result.code == 2 and not result.out
    assert "expected a tour or a certificate, got a file of a SAT solver" in result.err
    assert "kt-cp prove -o FILE.json" in result.err


def test_an_outcome_without_a_tour_names_the_command_that_proves_it(kt_cp, tmp_path) -> None:
    file = tmp_path / "outcome.json"
    file.write_text(kt_cp("solve", "3x3", "--json").out)
    result = kt_cp("check", file)
    assert result.code == 2
    assert result.err.endswith(
        'its verdict is "IMPOSSIBLE"; kt-cp prove -o FILE.json or Certificate.save writes a '
        "proof that can be checked\n"
    )


def test_a_file_that_is_no_tour_is_named(kt_cp, tmp_path):
    file = tmp_path / "two.edges"
    file.write_text("a b\nb c\n")
    result = kt_cp("check", file)
    assert result.code == 2 and "two.edges: " in result.err and "\\n" not in result.err
