"""What comes of the pieces of an executor, kept in a store for another run to find.

They are blocks of the store's first step, by the keys of :mod:`kt_cp.processes.pieces`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kt_cp.counting.store import Folder, Kind
from kt_cp.processes.pieces import Done

if TYPE_CHECKING:
    from pathlib import Path

    from kt_cp.counting.method import Content, Store
    from kt_cp.model.problem import Problem

Packed: TypeAlias = "Callable[[Done], Content | None]"
Unpacked: TypeAlias = Callable[[dict[str, Any], tuple[Any, ...]], Done]


class Pieces(NamedTuple):
    """A store, as pieces see it.

    Attributes
    ----------
    store : Store
    packed : callable
        Gives what is saved of what a piece has come to; None for what is not to be kept.
    unpacked : callable
        Gives that back, from what was saved and the arguments of the piece.
    """

    store: Store
    packed: Packed
    unpacked: Unpacked

    def load(self, key: str, piece: tuple[Any, ...]) -> Done | None:
        """What a piece has come to, where that is known."""
        content = self.store.block(1, key).load()
        return None if content is None else self.unpacked(content, piece)

    def save(self, key: str, done: Done) -> None:
        """Keep what a piece has come to."""
        content = self.packed(done)
        if content is not None:
            self.store.block(1, key).save(content)


@contextmanager
def pieces_in(
    path: Path, problem: Problem, name: str, packed: Packed, unpacked: Unpacked
) -> Iterator[Pieces]:
    """Pieces of work of a name, in a folder of their own.

    Raises
    ------
    StoreError
        As :class:`kt_cp.counting.store.Folder` has it.
    """
    with Folder(path, problem, Kind(name)) as folder:
        yield Pieces(folder, packed, unpacked)
