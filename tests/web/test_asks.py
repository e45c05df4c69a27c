"""What each kind of question answers, and that its command line and its Python say the same."""

from __future__ import annotations

import json
import re
import shlex
from itertools import chain

import pytest

import kt_cp as package
from kt_cp import make_puzzle, prove, solve
from kt_cp.compare import compare
from kt_cp.model.errors import InputError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Verdict
from kt_cp.sources.registry import find_source
from kt_cp.sources.run import run_source
from kt_cp.web import handlers, request_schema
from kt_cp.web.request_schema import text_document

NAMES = {name: getattr(package, name) for name in package.__all__}
NAMES |= {"compare": compare, "Limits": Limits, "run_source": run_source}
NAMES |= {"find_source": find_source}


def answered(kind, **body):
    """All events of a question that is answered here and now."""
    events = []
    handlers.answer(kind, request_schema.read_request(kind, body), emit=events.append)
    json.dumps(events, default=bytes.hex)
    return events


def last(kind, **body):
    return answered(kind, **body)[-1]


def board(sides, **more):
    rows, columns = map(int, sides.split("x"))
    return {"rows": rows, "columns": columns, **more}


QUESTIONS = [
    board("3x4"),
    *(
        pytest.param(question, marks=pytest.mark.slow)
        for question in (
            board("5x6", closed=True, require=[["a1", "c2"]], forbid=[["a5", "c4"]], start="c3"),
            board("5x5", missing=["c3"], given=[["e4", 24]], end="a1"),
            board("4x4", piece="camel", surface="torus"),
            board("3x3", piece=[[0, 1], [1, 1]], closed=True),
            board("6x6", closed=True, symmetry="half-turn"),
            board("4x4", closed=True),
        )
    ),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_an_answer_says_how_it_is_asked_elsewhere(question, kt_cp):
    told = last("solve", problem=question, engine="auto", seed=2)
    ran = kt_cp(*shlex.split(told["command"])[1:], "--json")
    same = json.loads(ran.out)
    there, outcome = eval(told["python"], NAMES), told["outcome"]
    assert same["problem"] == outcome["problem"]
    assert same["tour"] == outcome["tour"] and same["verdict"] == outcome["verdict"]
    assert outcome["tour"] == (there.tour and there.tour.names)
    assert outcome["verdict"] == there.verdict.value
    checks = ("verified", "replayed") if there.tour else ()
    assert all(outcome[check] is True for check in checks) and told["backed"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (board("3x3", missing=["d4"]), "3x3 --missing d4"),
        (board("1x2", missing=["a1", "b1"]), "1x2 --missing a1,b1"),
        (board("3x4", closed=True, end="a1"), "3x4 --closed --end a1"),
        (board("3x4", start="b1", end="b1"), "3x4 --start b1 --end b1"),
        (board("3x4", start="z9"), "3x4 --start z9"),
        (board("3x4", end="a"), "3x4 --end a"),
        (board("3x4", require=[["a1", "a2"]]), "3x4 --require a1-a2"),
        (board("3x4", given=[["a1", 2], ["a1", 3]]), "3x4 --given a1=2,a1=3"),
        (board("3x4", given=[["a1", 99]]), "3x4 --given a1=99"),
        (board("3x4", require=[["a1", "c2"]], forbid=[["a1", "c2"]]),
         "3x4 --require a1-c2 --forbid a1-c2"),
        (board("3x4", symmetry="twist"), "3x4 --symmetry twist"),
        (board("3x4", piece="unicorn"), "3x4 --piece unicorn"),
        (board("3x4", piece=[[0, 0]]), "3x4 --piece 0,0"),
        (board("3x4", surface="moon"), "3x4 --surface moon"),
    ],
    ids=str,
)  # fmt: skip
def test_what_the_command_line_refuses_is_refused_in_the_same_words(question, words, kt_cp):
    with pytest.raises(InputError) as refused:
        request_schema.read_request("solve", {"problem": question})
    assert kt_cp("solve", *words.split()).err == f"kt-cp: {refused.value}\n"


@pytest.mark.parametrize(
    "more",
    [{"rows": "3"}, {"rows": 0}, {"rows": True}, {"columns": None}, {"closed": 1},
     {"missing": "a1"}, {"missing": [1]}, {"require": [["a1"]]}, {"given": [["a1", "2"]]},
     {"given": [["a1", True]]},
     {"start": 5}, {"nodes": []}, {"piece": [[1, "2"]]}, {"piece": 7}, {"symmetry": []},
     {"rows": 10**20}, {"rows": 201, "columns": 200}],
    ids=str,
)  # fmt: skip
def test_what_is_not_of_its_kind_is_refused(more):
    with pytest.raises(InputError) as refused:
        request_schema.read_request("solve", {"problem": {**board("3x4"), **more}})
    assert "expected" in str(refused.value) and len(str(refused.value)) < 400


@pytest.mark.parametrize("name", ["nope", "sat:nope", "sat:lazy:nope", "cpsat:1"])
def test_so_is_an_engine(name, kt_cp):
    with pytest.raises(InputError) as refused:
        last("solve", problem=board("3x4"), engine=name)
    assert kt_cp("solve", "3x4", "--engine", name).err == f"kt-cp: {refused.value}\n"


@pytest.mark.slow
def test_a_no_comes_with_its_argument_and_its_certificate():
    told = last("prove", problem=board("4x4", closed=True))
    here = prove("4x4", closed=True)
    assert told["certificate"] == json.loads(here.certificate.to_json())
    assert told["backed"] == "backed by: removal, a checked certificate"
    assert [each["text"][:9] for each in told["argument"]] == [
        "Take away",
        "What is l",
        "No tour: ",
    ]
    removed = set(told["argument"][0]["squares"])
    parts = told["argument"][1]["parts"]
    assert removed.isdisjoint(chain(*parts)) and len(removed) + sum(map(len, parts)) == 16
    assert here.certificate.argument.split(";")[0].split(" and ")[0] in told["svg"]
    checked = last("check", certificate=told["certificate"])
    assert checked["accepted"] and here.certificate.argument in checked["text"]
    told["certificate"]["evidence"]["squares"].pop()
    assert not last("check", certificate=told["certificate"])["accepted"]


def test_numbers_and_tours_are_each_others():
    asked_of = board("5x6", closed=True)
    first = last("unrank", problem=asked_of, number="7")
    (found,) = first["numbered"]
    assert first["tours"] == "8" and found["number"] == "7"
    back = last("rank", problem=asked_of, tour=found["tour"][::-1])
    assert back["numbered"][0]["number"] == "7" and eval(back["python"], NAMES) == 7
    assert eval(first["python"], NAMES).names == found["tour"]
    drawn = last("sample", problem=asked_of, many=4, seed=3)
    here = [tour.names for tour in eval(drawn["python"], NAMES)]
    assert [each["tour"] for each in drawn["numbered"]] == here and len(here) == 4
    with pytest.raises(InputError, match="from 0 to 7"):
        last("unrank", problem=asked_of, number="8")


@pytest.mark.slow
def test_classes_and_counts():
    told = last("classes", problem=board("3x4"))
    assert sorted(each["size"] for each in told["classes"]) == [2, 2, 4] and told["complete"]
    assert len(list(eval(told["python"], NAMES))) == 3
    few = last("classes", problem=board("3x4"), many=2)
    assert len(few["classes"]) == 2 and not few["complete"]
    counted = last("count", problem=board("3x4"))
    assert counted["tours"] == str(eval(counted["python"], NAMES).tours) == "16"
    assert last("count", problem=board("3x4"), classes=True)["tours"] == "3"


@pytest.mark.slow
def test_a_comparison_is_told_row_by_row():
    boards, engines = ["3x3", "3x4"], ["backtrack", "warnsdorff"]
    events = answered("compare", boards=boards, engines=engines, kinds="o", time_limit=5)
    rows, told = events[:-1], events[-1]
    assert [row["done"] for row in rows] == [1, 2, 3, 4] and rows[0]["of"] == 4
    runs = told["comparison"]["runs"]
    assert [(run["board"], run["engine"]) for run in runs] == [
        (name, engine) for name in boards for engine in engines
    ]
    assert told["svg"].lstrip().startswith("<")
    assert shlex.split(told["command"])[:4] == ["kt-cp", "compare", *boards]
    assert "Problem('3x4', closed=False)" in told["python"]


@pytest.mark.slow
def test_a_puzzle_has_one_solution_and_says_how_it_is_made_again():
    told = last("puzzle", problem=board("3x4", start="a1"), seed=2)
    made = eval(told["python"], NAMES)
    assert json.loads(made.to_json()) == told["puzzle"]
    assert last("check", certificate=told["certificate"])["accepted"]
    assert told["svg"] != told["solution_svg"]
    question = told["puzzle"]["problem"]
    hint = last("hint", problem=question, entered={})["hint"]
    assert told["puzzle"]["tour"][hint["step"] - 1] == hint["square"] and hint["text"]
    none = last("puzzle", problem=board("3x3"), seed=1)
    assert none["outcome"]["verdict"] == "IMPOSSIBLE"


PAINTED = [pytest.param(shape, marks=pytest.mark.slow) for shape in ("png", "pdf")]


@pytest.mark.parametrize("shape", ["svg", "json", "text", "npy", *PAINTED])
def test_files_are_those_of_the_package(shape, tmp_path):
    tour = solve("3x4").tour
    told = last("picture", problem=board("3x4"), tour=tour.names, format=shape)["content"]
    suffix = {"text": "txt"}.get(shape, shape)
    solve("3x4").save(tmp_path / f"tour.{suffix}")
    there = (tmp_path / f"tour.{suffix}").read_bytes()
    if shape in ("json", "pdf"):
        assert told[:4] == there[:4] and (shape == "pdf" or json.loads(told)["tour"] == tour.names)
    else:
        assert told == there
    with pytest.raises(InputError, match="got none"):
        last("picture", problem=board("3x4"), tour=tour.names[:-1], format=shape)


@pytest.mark.slow
def test_a_puzzle_s_pdf_is_its_sheet():
    puzzle = make_puzzle("3x4", seed=2)
    asked = {"problem": json.loads(puzzle.to_json())["problem"], "tour": puzzle.tour.names,
             "grade": str(puzzle.grade), "seed": 2, "format": "pdf"}  # fmt: skip
    for both, pages in ((False, 1), (True, 2)):
        told = last("picture", **asked, both=both)["content"]
        assert len(re.findall(rb"/Type /Page\b", told)) == pages
    for wrong in ({"grade": "fiendish"}, {"format": "svg"}, {"tour": None}):
        with pytest.raises(InputError, match="expected a grade"):
            last("picture", **asked | wrong)


def test_a_drawing_and_its_text_are_each_others():
    question = board("3x4", missing=["b2"], given=[["a1", 3]])
    text = last("picture", problem=question, tour=None, format="text")["content"].decode()
    told = text_document(text)
    assert told["problem"]["missing"] == ["b2"] and told["problem"]["given"] == [["a1", 3]]
    saved = last("picture", problem=question, tour=None, format="json")["content"].decode()
    assert text_document(saved) == told
    assert text_document("a1 b3 c1")["tour"] == ["a1", "b3", "c1"]
    for wrong in ("nothing of the kind", '{"problem": {"rows": "\ud800"}}', '{"rows": 5}'):
        with pytest.raises(InputError):
            text_document(wrong)
    with pytest.raises(InputError, match="40,000"):
        text_document("a1 zz999")


CUT = type("Cut", (), {"seconds": 1.0, "detail": "ended by SIGKILL", "how": "timeout"})


@pytest.mark.parametrize("how", ["timeout", "memory", "killed", "crash"])
def test_a_search_that_is_ended_says_why(how):
    ended = CUT()
    ended.how = how
    for kind in ("solve", "count"):
        told = handlers.limit_event(
            kind, request_schema.read_request(kind, {"problem": board("3x4")}), ended
        )
        if kind == "solve" and how in ("timeout", "memory"):
            assert told["outcome"]["verdict"] == Verdict.UNKNOWN.value
            assert "limit" in told["outcome"]["reason"]
        else:
            assert told["code"] == 3 and told["text"].startswith("unknown: the ")
