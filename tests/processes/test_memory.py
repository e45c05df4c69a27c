"""Room in memory: what says that there is none, and what is not begun where there is too little."""

from __future__ import annotations

import pytest

from kt_cp.processes import memory


def test_what_says_that_memory_ran_out(monkeypatch):
    cause = RuntimeError("something else")
    cause.__cause__ = OSError(12, "Cannot allocate memory")
    assert memory.is_out_of_memory(MemoryError()) and memory.is_out_of_memory(cause)
    for bounded in (False, True):  # Python itself fails where an address space is too small
        monkeypatch.setattr(memory, "is_address_space_bounded", lambda bounded=bounded: bounded)
        assert memory.is_out_of_memory(SystemError("error return without exception set")) is bounded
        assert not memory.is_out_of_memory(ValueError("bad"))


def test_no_room_is_a_memory_error():
    memory.require_memory(1 << 20, "it")
    with pytest.raises(MemoryError, match="no room for it"):
        memory.require_memory(1 << 62, "it")
