"""Functions that the tests call in a child process, by name.

They have a file of their own, so that the child loads no other modules of the tests, such as
pytest: half a second each.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time

from kt_cp.processes import isolate
from kt_cp.processes.worker import interruptible


def double(value, *, emit):
    emit("working")
    return 2 * value


def abort(*, emit):
    os.abort()


def dies_saying(message, *, emit):
    os.write(2, message.encode() + b"\n")
    os.abort()


def segfault(*, emit):
    import ctypes

    ctypes.string_at(0)


def leaves_a_grandchild(seconds, *, emit):
    subprocess.Popen(["sleep", str(seconds)])
    return "gone"


def leave(*, emit):
    os._exit(3)


def complain(*, emit):
    import sys

    print("last words", file=sys.stderr, flush=True)
    os._exit(4)


def interruptible_sleep(seconds, *, emit):
    with interruptible():
        try:
            emit("asleep")
            time.sleep(seconds)
        except KeyboardInterrupt:
            return "interrupted"
    return "slept"


def raising(*, emit):
    raise KeyError("what went wrong")


def exiting(*, emit):
    raise SystemExit(0)


class StubbornError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def stubborn(*, emit):
    raise StubbornError("this", "that")


def unpicklable(size, *, emit):
    return [bytes(size), lambda: None]


class OnlyThere:
    def __reduce__(self):
        return (_only_there, ())


def _only_there():
    if not isolate.in_child():
        raise ValueError("not on this side")
    return OnlyThere()


def only_there(*, emit):
    return OnlyThere()


def fill(*, emit):
    held = []
    while True:
        held.append(bytearray(os.urandom(1 << 20)))
        time.sleep(0.002)


def grab(*, emit):
    return len(bytearray(1 << 45))


def sleep(seconds, *, emit):
    time.sleep(seconds)


def printing(*, emit):
    print("solvers print where they like")
    os.write(1, b"at any level\n")
    return "intact"


def pid_and_sleep(*, emit):
    emit(os.getpid())
    time.sleep(60)


def pid(*, emit):
    return os.getpid()


def take(megabytes, *, emit):
    return len(b"x" * (megabytes * 1_000_000))


def room(*, emit):
    return resource.getrlimit(resource.RLIMIT_AS)


def emit_and_sleep(seconds, *, emit):
    emit(os.getpid())
    time.sleep(seconds)


def work(*, emit):
    while True:
        pass
