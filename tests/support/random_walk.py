"""A random walk over the page: random actions, and checks of its invariants after each.

Source: monkey testing with invariants, as in QuickCheck's state machines (Claessen and Hughes,
ICFP 2000).  A script in the page records each answer of the server and knows each board that is
drawn.  The checks here use neither the scripts of the page nor the package's judge: the moves of a
piece, the rules of a tour and the squares of a drawn line are computed again, in a few lines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.support.browser import DESK, TELEPHONE, Page
from tests.support.command_line import wait_until

SPY = Path(__file__).with_name("page_spy.js").read_text("utf-8")

Problem = dict[str, Any]

HASHES = (
    "board=8x8", "board=5x6&closed=1", "board=3x4", "board=4x5&surface=torus", "board=5x5",
    "board=5x6&missing=a1,b1", "board=5x5&closed=1", "board=3x10&closed=1&surface=cylinder",
    "board=6x4&surface=moebius",
    "board=4x4&surface=klein&piece=0,1", "board=5x5&start=a1&given=b3=2", "board=7x3&piece=1,3+0,1",
    "board=6x6&closed=1&require=a1-b3&forbid=a1-c2", "board=30x30", "board=1x1", "board=50x60",
)  # fmt: skip
NUMBERS = ("1", "3", "4", "5", "6", "3", "4", "5", "6", "8", "0", "-3", "2.7", "1000", "", "12")
TEXTS = ("3x3 4x5", "1,3", "0,1+1,1", "backtrack", "4,5", "x", "7", "-5", "0")
KEYS = ("x", "s", "e", "n", "r", "f", "1", "2", "h", "+", "Backspace", "Enter", "Escape", "?")
NEVER = re.compile(
    r"SVG|PNG|PDF|JSON|text|\.npy|GIF|MP4|NumPy|Print|[Cc]ertificate|Picture|Save|plot as|rows as"
)
"""Buttons that save a file, which other tests press."""
BROKEN = re.compile(
    r"\bundefined\b|\bNaN\b|\[object |could not start|a bug, please|TypeError|is not a function"
)

# The rules of a tour


def place_of(name: str) -> tuple[int, int]:
    """Return row and column of a square."""
    letters, rank = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 96
    return int(rank) - 1, column - 1


def is_move(problem: Problem, one: str, other: str) -> bool:
    """Return whether the piece moves from one square to another."""
    rows, columns, surface = problem["rows"], problem["columns"], problem["surface"]
    row, column = place_of(one)
    target = place_of(other)
    for a, b in problem["piece"]:
        for up, right in ((a, b), (b, a)):
            for over in ((row + i * up, column + j * right) for i in (1, -1) for j in (1, -1)):
                turns = over[1] // columns
                if turns and surface == "plane":
                    continue
                if over[0] // rows and surface not in ("torus", "klein"):
                    continue
                landed = over[0] % rows
                if turns % 2 and surface in ("moebius", "klein"):
                    landed = rows - 1 - landed
                if (landed, over[1] % columns) == target:
                    return True
    return False


def size_of(problem: Problem) -> int:
    return problem["rows"] * problem["columns"] - len(problem["missing"])


def faults_of_walk(problem: Problem, walk: list[str], closed: bool) -> list[str]:
    """Describe the fault of a walk."""
    faults = [f"{name} is no square" for name in walk if not is_square(problem, name)]
    if faults:
        return faults
    if len(set(walk)) < len(walk):
        faults.append("a square is visited twice")
    pairs = [*pairwise(walk)]
    if closed and len(walk) > 1:
        pairs.append((walk[-1], walk[0]))
    return faults + [f"{a}-{b} is no move" for a, b in pairs if not is_move(problem, a, b)]


def is_square(problem: Problem, name: str) -> bool:
    row, column = place_of(name)
    on_board = row < problem["rows"] and column < problem["columns"]
    return on_board and name not in problem["missing"]


def faults_of_tour(problem: Problem, tour: list[str]) -> list[str]:
    """Return the conditions that a tour does not meet."""
    step = {name: number for number, name in enumerate(tour, 1)}
    faults = [
        f"{name} is not {number}" for name, number in problem["given"] if step[name] != number
    ]
    if problem["start"] and tour[0] != problem["start"]:
        faults.append("it starts elsewhere")
    if problem["end"] and not problem["closed"] and tour[-1] != problem["end"]:
        faults.append("it ends elsewhere")
    moves = {frozenset(pair) for pair in pairwise(tour)}
    if problem["closed"]:
        moves.add(frozenset((tour[-1], tour[0])))
    faults += [f"{a}-{b} is not made" for a, b in problem["require"] if {a, b} not in moves]
    return faults + [f"{a}-{b} is made" for a, b in problem["forbid"] if {a, b} in moves]


def drawn_squares(problem: Problem, line: str) -> list[str]:
    """Return the squares whose middles a drawn line visits; other points lie beyond an edge."""
    names: list[str] = []
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", line):
        column, down = float(x) - 0.5, float(y) - 0.5
        inside = 0 <= column < problem["columns"] and 0 <= down < problem["rows"]
        if not inside or column % 1 or down % 1:
            continue
        name = name_of(problem["rows"] - 1 - int(down), int(column))
        if not names or names[-1] != name:
            names.append(name)
    return names


def name_of(row: int, column: int) -> str:
    letters, left = "", column + 1
    while left:
        letters, left = chr(97 + (left - 1) % 26) + letters, (left - 1) // 26
    return f"{letters}{row + 1}"


def faults_of_board(board: dict[str, Any]) -> list[str]:
    """Describe the faults of the drawing of a board."""
    problem, walk, at = board["problem"], board["walk"], board["at"]
    holes = len(re.findall("M", board["holes"] or ""))
    faults = [] if holes == len(problem["missing"]) else [f"{holes} holes are drawn"]
    faults += faults_of_walk(problem, walk, board["closed"])
    if faults:
        return faults
    if len(walk) == size_of(problem) and board["closed"] == problem["closed"] and len(walk) > 1:
        faults += faults_of_tour(problem, walk)
    line = [*walk, *walk[:1]] if board["closed"] and len(walk) > 1 else walk
    expected = line[: int(at)]
    drawn = drawn_squares(problem, board["line"])
    if drawn[: len(expected)] != expected or len(drawn) > len(expected) + (at % 1 > 0):
        faults.append(f"{drawn} is drawn of {line} at {at}")
    for loop in board["loops"]:
        faults += faults_of_walk(problem, loop, closed=len(loop) > 2)
    for path in board["paths"]:
        faults += faults_of_walk(problem, path, closed=False)
    return faults


# What the page shows


def split_given(text: str) -> list[str]:
    return text.split("=")


def problem_in(address: str) -> Problem | None:
    """Return the problem that an address names."""
    parts = dict(
        each.split("=", 1) for each in unquote(address).lstrip("#").split("&") if "=" in each
    )
    if "board" not in parts:
        return None

    def listed(key: str) -> list[str]:
        return parts[key].split(",") if parts.get(key) else []

    rows, columns = map(int, parts["board"].split("x"))
    return {
        "rows": rows, "columns": columns, "missing": listed("missing"),
        "piece": [[*map(int, pair.split(","))] for pair in parts.get("piece", "1,2").split("+")],
        "surface": parts.get("surface", "plane"), "closed": parts.get("closed") == "1",
        "start": parts.get("start"), "end": parts.get("end"),
        "require": [each.split("-") for each in listed("require")],
        "forbid": [each.split("-") for each in listed("forbid")],
        "given": [[name, int(step)] for name, step in map(split_given, listed("given"))],
        "symmetry": parts.get("symmetry"),
    }  # fmt: skip


BOARD = ("rows", "columns", "piece", "surface", "closed")


def is_same_board(one: Problem | None, other: Problem | None) -> bool:
    if one is None or other is None:
        return False
    same = all(one[key] == other[key] for key in BOARD)
    return same and set(one["missing"]) == set(other["missing"])


def faults_of_numbers(view: dict[str, Any]) -> list[str]:
    """Return numbers on the page that the server has not sent for the board that is shown."""
    board = view["chosen"]
    compared = view["part"] == "compare"
    known: set[str] = set()
    for answer in view["answers"]:
        about = answer["kind"] == "compare" if compared else (
            board is not None and is_same_board(answer["problem"], board["problem"])
        )  # fmt: skip
        if about:
            known.update(answer["numbers"])
    faults = []
    sizes = set() if board is None else {str(board["problem"][key]) for key in ("rows", "columns")}
    for text in view["results"]:
        times = re.findall(r"[\d.]+ m?s\b", text)
        rest = re.sub(r"[\d.]+ m?s\b", "", text)
        if view["part"] == "puzzle":
            rest = ""  # the page itself counts what is left
        counts = [each.replace(",", "") for each in re.findall(r"\d[\d,]*", rest)]
        if re.match(r"(?:Class|The first) ", text) or "×" in text:
            counts = [each for each in counts if each not in sizes and int(each) > 60]
        unknown = [each for each in (*times, *counts) if each not in known]
        if unknown:
            faults.append(f"{', '.join(unknown)} in {text!r} is not the server's")
    sent_at_all = {each for answer in view["answers"] for each in answer["numbers"]}
    for text in view["kept"]:  # of any board
        for each in re.findall(r"[\d.]+ m?s\b|^[\d,]+$", text):
            if each.replace(",", "") not in sent_at_all:
                faults.append(f"{each} among the kept answers is not the server's")
    if view["measures"] and board is not None:
        sent = [
            answer["measures"] for answer in view["answers"]
            if answer["measures"] and answer["tour"] == board["walk"]
            and is_same_board(answer["problem"], board["problem"])
        ]  # fmt: skip
        if sent and view["measures"] not in sent:
            faults.append(f"the measures {view['measures']} are not the server's")
    return faults


def faults_of_boards(view: dict[str, Any]) -> list[str]:
    """Describe the faults of the boards and texts of the visible tab."""
    faults = []
    for number, board in enumerate(view["boards"]):
        if board is not None:
            faults += [f"board {number}: {each}" for each in faults_of_board(board)]
    faults += [f"the page says {each!r}" for each in BROKEN.findall(view["text"])]
    if view["part"] == "draw" and (board := view["chosen"]) is not None:
        found = any(each.startswith("A tour") for each in view["found"])
        alone = view["plays"] and len(view["boards"]) == 1  # otherwise it may be drawn by hand
        if found and alone and board["walk"] and len(board["walk"]) < size_of(board["problem"]):
            faults.append("a tour is announced, and a part of one is shown")
    return faults


def faults_of_address(view: dict[str, Any]) -> list[str]:
    """Describe how the address differs from the page."""
    match = re.search(r"[#&]tab=(\w+)", view["hash"])
    part = match[1] if match else "draw"
    faults = [] if part == view["part"] else [f"the address names {part}, not {view['part']}"]
    problem = problem_in(view["hash"])
    if view["part"] == "draw" and view["chosen"] and problem:
        chosen = view["chosen"]["problem"]
        faults += [
            f"the address has {key} {problem[key]}, and the board {chosen[key]}"
            for key in problem if problem[key] != chosen[key]
        ]  # fmt: skip
    return faults


# The walk


class RandomWalk:
    """Random actions on a page, from a seed."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.seed = page, seed
        self.rng = random.Random(seed)
        self.log: list[str] = []
        self.back, self.forward = 0, 0  # entries of the history on either side
        self.tours, self.numbers = 0, 0  # checked so far
        self.actions: list[tuple[int, Callable[[], str | None]]] = [
            (7, self.press), (3, self.square), (4, self.field), (3, self.choose), (3, self.tick),
            (8, self.tab), (6, self.link), (2, self.history), (1, self.reload), (1, self.resize),
            (2, self.key), (3, self.wait), (16, self.find),
        ]  # fmt: skip

    def run(self, steps: int) -> None:
        """Take ``steps`` steps, and raise AssertionError at the first fault."""
        command = "Page.addScriptToEvaluateOnNewDocument"
        added = self.page.driver.execute_cdp_cmd(command, {"source": SPY})
        try:
            self.page.open("#board=5x6&closed=1")
            weights = [weight for weight, _ in self.actions]
            while len(self.log) < steps:
                (_, action), *_ = self.rng.choices(self.actions, weights)
                done = action()
                if done:
                    self.log.append(done)
                    self.check()
        finally:
            self.page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
            self.page.look(DESK)

    def check(self) -> None:
        """Check the page; only addresses and records of answers may follow a little later."""
        faults: list[str] = []
        script = """
        const [done] = arguments;
        setTimeout(() => requestAnimationFrame(() => done(snapshot())), 20);
        """

        def is_right() -> bool:
            view = self.page.driver.execute_async_script(script)
            faults[:] = faults_of_boards(view)
            if faults:
                return True
            self.tours += sum(bool(board and board["walk"]) for board in view["boards"])
            self.numbers += len(re.findall(r"\d+", " ".join(view["results"])))
            faults[:] = faults_of_numbers(view) + faults_of_address(view)
            return not faults

        with suppress(AssertionError):
            wait_until(is_right, 10)
        refused = ("400 (Bad Request)", "429 ")
        faults += [
            each for each in self.page.complaints() if not any(code in each for code in refused)
        ]
        last = "\n".join(self.log[-12:])
        assert not faults, (
            f"seed {self.seed}, after {len(self.log)} actions, the last:\n{last}\n{faults}"
        )

    # Actions; each returns a line about itself, or None if it was not possible

    def _pick(self, css: str, skip: str = "false") -> Any:
        """Return one of the visible, enabled elements of the shown part or dialog, and its name."""
        found = self.page.run("return controls(...arguments)", css, skip)
        return self.rng.choice(found) if found else None

    def press(self) -> str | None:
        picked = self._pick("button:not([role=tab])", ".saving")
        if picked is None or NEVER.search(picked[1]):
            return None
        self.page.run("arguments[0].click()", picked[0])
        return f"press {picked[1]!r}"

    def find(self) -> str | None:
        buttons = "form button:not(.quiet, .stop, [aria-label])"
        picked = self._pick("button.main" if self.rng.random() < 0.5 else buttons, "dialog")
        if picked is None:
            return None
        self.page.run("arguments[0].click()", picked[0])
        if self.rng.random() < 0.3:
            return f"press {picked[1]!r}"
        self.page.driver.execute_async_script("settle(...arguments)", 2500)
        return f"press {picked[1]!r}, and wait"

    def square(self) -> str | None:
        picked = self._pick("[role=gridcell]")
        if picked is None:
            return None
        at = self.page.run(
            "arguments[0].scrollIntoView({block: 'center'});"
            "const { x, y, width, height } = arguments[0].getBoundingClientRect();"
            "return [x + width / 2, y + height / 2];", picked[0],
        )  # fmt: skip
        for kind in ("mousePressed", "mouseReleased"):
            mouse = {"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}
            self.page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", mouse)
        return f"click the square {picked[1]!r}"

    def _set(self, element: Any, value: str) -> None:
        self.page.run("write(...arguments)", element, value)

    def field(self) -> str | None:
        picked = self._pick("input:is([type=number], [type=text]), textarea")
        if picked is None:
            return None
        is_number = picked[0].get_attribute("type") == "number"
        value = self.rng.choice(NUMBERS if is_number else TEXTS)
        if "econds" in picked[1]:
            value = "1"
        self._set(picked[0], value)
        return f"write {value!r} into {picked[1]!r}"

    def choose(self) -> str | None:
        picked = self._pick("select")
        if picked is None:
            return None
        script = "return [...arguments[0].options].filter((o) => !o.disabled).map((o) => o.value)"
        options = self.page.run(script, picked[0])
        if not options:
            return None
        value = self.rng.choice(options)
        self._set(picked[0], value)
        return f"choose {value!r} of {picked[1][:30]!r}"

    def tick(self) -> str | None:
        picked = self._pick("input:is([type=checkbox], [type=radio])")
        if picked is None:
            return None
        self.page.run("arguments[0].click()", picked[0])
        return f"tick {picked[1]!r}"

    def tab(self) -> str:
        tabs = self.page.run("return [...document.querySelectorAll('[role=tab]')]")
        tab = self.rng.choice(tabs)
        self.page.run("document.querySelector('dialog[open]')?.close(); arguments[0].click()", tab)
        name = tab.get_attribute("aria-controls")
        self.page.see(f"#{name} .work")
        return f"open {name}"

    def link(self) -> str:
        address = self.rng.choice(HASHES) + self.rng.choice(["", "", "&tab=explore", "&tab=puzzle"])
        before = self.page.run("return location.hash")
        self.page.run("location.hash = arguments[0]", address)
        if before != f"#{address}":
            self.back, self.forward = self.back + 1, 0
        return f"follow #{address}"

    def history(self) -> str | None:
        if self.back and (not self.forward or self.rng.random() < 0.6):
            self.back, self.forward, way = self.back - 1, self.forward + 1, "back"
        elif self.forward:
            self.back, self.forward, way = self.back + 1, self.forward - 1, "forward"
        else:
            return None
        self.page.driver.execute_async_script("travel(...arguments)", way)
        return f"go {way}"

    def reload(self) -> str:
        self.page.driver.refresh()
        self.page.see("main > section .work")
        return "reload"

    def resize(self) -> str:
        size = self.rng.choice([DESK, TELEPHONE, (1024, 768), (390, 844)])
        self.page.look(size, dark=self.rng.random() < 0.5, motion=self.rng.random() < 0.5)
        return f"resize to {size}"

    def key(self) -> str | None:
        picked = self._pick("[role=gridcell]")
        if picked is None:
            return None
        key, control = self.rng.choice(KEYS), self.rng.random() < 0.1
        key = self.rng.choice("zy") if control else key
        self.page.run("type(...arguments)", picked[0], key, control)
        return f"press {'Ctrl+' if control else ''}{key} on {picked[1]!r}"

    def wait(self) -> str:
        time = self.rng.choice([50, 300, 800])
        self.page.driver.execute_async_script("setTimeout(arguments[1], arguments[0])", time)
        return f"wait {time} ms"
