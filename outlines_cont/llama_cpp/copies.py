"""Keys and values that leave the memory of llama.cpp and come back: as it saves and restores the state of a sequence.

A spare sequence takes the cells of some tokens, and is saved; or it is restored, and its cells are shared with the
sequence that they are for. The library leaves out of a state what the window of its last token does not see. So tokens
are copied in pieces, none of which reaches over more than one window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch import Tensor

from outlines_cont.errors import ContextFull, EngineError
from outlines_cont.llama_cpp.cells import NOWHERE, CellTable, Sequences
from outlines_cont.llama_cpp.context import Context

Piece = tuple[int, int, Tensor]  # the positions of its first token and after its last one, and its state


class CellCopies:
    """Copies of cells. The engine's lock guards them.

    Args:
        context, sequences: whose cells they are.
        one, more: bytes of the state of a sequence of one token, and of each further token.
    """

    def __init__(self, context: Context, sequences: Sequences, one: int, more: int):
        self._context, self._sequences, self._one, self._more = context, sequences, one, more

    def copied(self, table: CellTable, slots: np.ndarray) -> dict[str, Tensor]:
        """The states of the tokens in slots, in pieces: by their names, uint8 `[bytes]`."""
        of, start = table.sequence[slots], table.position.item(slots[0])
        assert (of != NOWHERE).all(), "tokens are copied that are not in the memory"
        copies = {}
        for begin, end in self._borders(start, len(slots)):
            spare = self._spare(begin)
            self._sequences.gather(of[begin - start : end - start], spare, begin)
            copies[_name(begin)] = self._saved(spare, end - begin)
            self._sequences.drop(spare)
        return copies

    def pieces(self, first: int, copies: Mapping[str, Tensor]) -> list[Piece]:
        """What was copied of the tokens from a position on. ValueError for copies of another form."""
        count = sum((copy.numel() - self._one) // self._more + 1 for copy in copies.values())
        borders = list(self._borders(first, count))
        right = {_name(begin): (torch.uint8, (self._size(end - begin),)) for begin, end in borders}
        given = {name: (copy.dtype, tuple(copy.shape)) for name, copy in copies.items()}
        if given != right:
            raise ValueError(f"copies of {count} tokens from position {first} on are {right}, and these are {given}")
        return [(begin, end, copies[_name(begin)].contiguous()) for begin, end in borders]

    def put(self, into: int, pieces: list[Piece], start: int, end: int, room: int) -> None:
        """Make the tokens from position `start` to before `end` the next ones of a sequence.

        room: how many cells are free besides those for them. ContextFull if it does not suffice for what the pieces
        have more; EngineError if the library does not take them.
        """
        if not pieces or not pieces[0][0] <= start or not end <= pieces[-1][1]:
            raise ValueError(f"the copies do not reach from position {start} to {end}")
        for first, last, state in pieces:
            begins, ends = max(first, start), min(last, end)
            if begins < ends:
                if last - first - (ends - begins) > room:
                    raise ContextFull(f"{room} cells are free, too few to copy {last - first} tokens")
                spare = self._spare(first)
                self._restore(spare, first, last, state)
                self._sequences.share(spare, into, begins, ends)
                self._sequences.drop(spare)

    def _borders(self, start: int, count: int) -> Iterator[tuple[int, int]]:
        """The positions where the pieces of so many tokens begin and end: at every whole window."""
        if self._sequences.streams:
            raise ValueError(
                "with batch_invariant=True every sequence has cells of its own, and llama.cpp copies only whole ones"
            )
        window = self._context.model.window or start + count
        while count > 0:
            size = min(count, window - start % window)
            yield start, start + size
            start, count = start + size, count - size

    def _size(self, tokens: int) -> int:
        return self._one + (tokens - 1) * self._more

    def _spare(self, begins: int) -> int:
        if not self._sequences.free:
            raise EngineError("llama.cpp has no sequence free to copy keys and values with: all are in use")
        return self._sequences.branch(NOWHERE, 0, begins)

    def _saved(self, sequence: int, tokens: int) -> Tensor:
        """The state of a sequence of so many tokens."""
        library, pointer = self._context.library, self._context.pointer
        size = library.llama_state_seq_get_size(pointer, sequence)
        state = torch.empty(size, dtype=torch.uint8)
        written = library.llama_state_seq_get_data(pointer, state.data_ptr(), size, sequence)
        if size != self._size(tokens) or written != size:
            raise EngineError(
                f"llama.cpp wrote {written} bytes of {size} for the state of {tokens} tokens, which is "
                f"{self._size(tokens)} bytes: {library.errors() or 'it does not say why'}"
            )
        return state

    def _restore(self, sequence: int, begin: int, end: int, state: Tensor) -> None:
        """Make a state the only cells of a sequence, at positions from `begin` to before `end`."""
        library, pointer, memory = self._context.library, self._context.pointer, self._context.memory
        library.errors()
        read = library.llama_state_seq_set_data(pointer, state.data_ptr(), len(state), sequence)
        first, last = (getattr(library, f"llama_memory_seq_pos_{each}")(memory, sequence) for each in ("min", "max"))
        size = library.llama_state_seq_get_size(pointer, sequence)
        if (read, size, first, last) != (len(state), len(state), begin, end - 1):
            raise EngineError(
                f"llama.cpp took {read} of the {len(state)} bytes of a state of positions {begin} to {end - 1}, and "
                f"has those from {first} to {last}: {library.errors() or 'it does not say why'}"
            )


def _name(begin: int) -> str:
    return f"cells from {begin}"
