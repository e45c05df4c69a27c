"""The cost of starting, counted in modules instead of seconds."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys

import networkx as nx
import pytest

from kt_cp import __main__
from kt_cp.cli import COMMANDS, app, command_of
from tests.support.command_line import PATIENCE, environment

HEAVY = {"ortools", "pysat", "networkx", "matplotlib"}


def modules_after(code: str) -> set[str]:
    """Return the top-level packages that an interpreter has loaded after running some code."""
    script = f"{code}\nimport sys\nprint(*sorted({{n.partition('.')[0] for n in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def files_after(code: str) -> set[str]:
    """Return the modules of the package that an interpreter has loaded after running some code."""
    script = "import sys\nprint(*(name for name in sys.modules if name.startswith('kt_cp')))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nprint()\n{script}"],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    return set(done.stdout.splitlines()[-1].split())


def running(*arguments: str) -> str:
    """Return code that runs the command line and returns."""
    return (
        f"import sys; sys.argv = {['kt-cp', *arguments]!r}\n"
        "from kt_cp.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )


def test_import_is_cheap():
    loaded = modules_after("import kt_cp")
    assert not loaded & {*HEAVY, "numpy", "typer", "rich", "psutil"}
    assert "kt_cp" in loaded


def test_names_are_imported_when_used():
    loaded = modules_after("from kt_cp import Board, Problem, Tour, defects\nBoard(8, 8)")
    assert not loaded & {*HEAVY, "numpy"}
    assert "networkx" in modules_after("from kt_cp import *\nknight_graph(Board(3, 3))")


def test_help_loads_no_solver_and_no_numpy():
    # They run one after the other in one interpreter, so loaded modules accumulate.
    commands = [["--help"], *([name, "--help"] for name in COMMANDS)]
    commands += [["prove", "0x0"], ["solve", "0x0"], ["nonsense"]]
    loaded = modules_after("\n".join(running(*arguments) for arguments in commands))
    assert not loaded & {*HEAVY, "numpy", "rich"}
    assert "typer" in loaded


def test_a_command_loads_no_other():
    loaded = files_after(running("export", "3x4"))
    assert loaded & {f"kt_cp.cli.{file}" for file in COMMANDS.values()} == {"kt_cp.cli.export"}


def test_the_version_is_printed_without_typer():
    for option in ("--version", "-V"):
        loaded = modules_after(running(option))
        assert not loaded & {*HEAVY, "numpy", "typer", "rich", "email"}


def test_the_help_of_all_commands_loads_none():
    loaded = files_after(running("--help"))
    assert "kt_cp.cli.parameters" in loaded
    assert not loaded & {f"kt_cp.cli.{file}" for file in COMMANDS.values()}


def test_a_command_is_listed_with_its_own_help():
    listed = app().commands
    assert [*listed] == [*COMMANDS]
    for name, command in listed.items():
        assert command.get_short_help_str() == command_of(name).get_short_help_str()


@pytest.mark.parametrize(
    "line",
    ["solve 8x8", "solve 8x8 --closed", "solve 3x3", "prove 4x4", "prove 5x5 --closed"],
)
def test_a_small_board_loads_no_numpy(line):
    loaded = modules_after(running(*line.split()))
    assert not loaded & {*HEAVY, "numpy", "psutil", "concurrent", "email", "xml"}


def test_a_small_board_loads_only_the_engine_that_answers():
    loaded = files_after(running("solve", "8x8", "--closed"))
    engines = {name for name in loaded if name.startswith("kt_cp.engines.")}
    assert {name.rpartition(".")[2] for name in engines} == {
        "auto", "construct", "directed_adapter", "engine", "registry", "run", "warnsdorff",
    }  # fmt: skip
    folders = {name.split(".")[1] for name in loaded if "." in name}
    assert not folders & {
        "construction", "encodings", "render", "counting", "enumeration", "sources"
    }  # fmt: skip
    assert not loaded & {"kt_cp.trust.check", "kt_cp.processes.isolate", "kt_cp.formats.read"}


def test_a_small_count_loads_no_solver_and_no_checker():
    arguments = "count", "6x6", "--closed"
    loaded = modules_after(running(*arguments))
    assert not loaded & {*HEAVY, "psutil", "numba", "concurrent", "hashlib"}
    loaded = files_after(running(*arguments))
    assert "kt_cp.counting.frontier.frontier" in loaded
    assert not loaded & {"kt_cp.trust", "kt_cp.processes.store", "kt_cp.processes.executors"}


def test_a_sweep_of_a_graph_loads_no_count(tmp_path):
    (tmp_path / "cycle.g6").write_bytes(nx.to_graph6_bytes(nx.cycle_graph(200)))
    loaded = files_after(running("solve", str(tmp_path / "cycle.g6"), "--closed"))
    assert {name for name in loaded if name.startswith("kt_cp.counting.")} == {
        "kt_cp.counting.frontier", "kt_cp.counting.frontier.frontier_sweep"
    }  # fmt: skip


def test_an_easy_puzzle_loads_no_compiler(tmp_path):
    puzzle = tmp_path / "puzzle.txt"
    rows = [". . . . .", ". 19 . . 22", ". . 13 4 .", ". . . . .", ". . . . ."]
    puzzle.write_text("\n".join(["Options: --piece wazir", *rows]))
    loaded = modules_after(running("solve", str(puzzle)))
    assert loaded & {*HEAVY, "numba"} == {"pysat"}  # which loads quickly


def test_engines_load_their_own_solver_only():
    assert not modules_after(running("solve", "5x5", "--engine", "backtrack")) & HEAVY
    # These run in a process of their own, or in this one.
    assert not modules_after(running("solve", "5x5", "--engine", "sat")) & {"ortools", "pysat"}
    loaded = modules_after(running("solve", "5x5", "--engine", "cpsat"))
    assert loaded & HEAVY == {"ortools"}


def test_the_package_lists_its_names_and_no_other():
    import kt_cp

    assert dir(kt_cp) == sorted(kt_cp.__all__) == sorted(kt_cp._HOMES)
    for name in dir(kt_cp):
        assert getattr(kt_cp, name).__name__ == name
    code = "import kt_cp; before = dir(kt_cp); kt_cp.solve; assert dir(kt_cp) == before"
    assert not modules_after(code) & {"ortools", "pysat"}


def test_nothing_is_loaded_before_ctrl_c_is_caught():
    code = "import os, sys; before = set(sys.modules); from kt_cp.__main__ import main\n"
    code += "print(*sorted(set(sys.modules) - before - {'__future__'}))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],  # without the imports of a site at every start
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["kt_cp", "kt_cp.__main__"]


def test_neither_the_beginning_nor_the_end_is_spent_on_garbage(monkeypatch):
    calls, kinds = [], (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(kind) for kind in kinds]
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"))
    monkeypatch.setattr(gc, "set_threshold", calls.append)
    monkeypatch.setattr(sys, "argv", ["kt-cp", "--version"])
    try:
        with pytest.raises(SystemExit):
            __main__.main()
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
    assert calls == [__main__.COLLECT_AFTER, "freeze"]
