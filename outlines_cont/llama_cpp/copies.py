"""Keys and values that leave the memory of llama.cpp and come back: as it saves and restores the state of a sequence.

A spare sequence takes the cells of some tokens, and is saved; or it is restored, and its cells are shared with the
sequence that they are for. The library leaves out of a state what the window of its last token does not see. So tokens
are copied in pieces, none of which reaches over more than one window.

Rows that share little move so into lanes, where each has cells of its own, and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.errors import ContextFull, EngineError
from outlines_cont.llama_cpp.cells import NOWHERE, CellTable, Sequences
from outlines_cont.llama_cpp.context import Context, ContextOptions, available_memory
from outlines_cont.llama_cpp.packed_pass import BatchArrays

Piece = tuple[int, int, Tensor]  # the positions of its first token and after its last one, and its state


class CellCopies:
    """Copies of cells. The engine's lock guards them.

    Args:
        context, sequences: whose cells they are.
        one, more: bytes of the state of a sequence of one token, and of each further token.

    Attributes:
        slot_bytes: of the keys and values of a token, which are multiples of 32.
    """

    def __init__(self, context: Context, sequences: Sequences, one: int, more: int):
        self._context, self._sequences, self._one, self._more = context, sequences, one, more
        self.slot_bytes = more - more % 32

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
                self.put_state(into, begins, ends, first, last, state)

    def put_state(self, into: int, begins: int, ends: int, first: int, last: int, state: Tensor) -> None:
        """Make tokens of a state, which has those from position `first` to before `last`, the next ones of a sequence."""
        spare = self._spare(first)
        _restore(self._context, spare, first, last, state)
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
        state, written = _saved(self._context, sequence)
        if len(state) != self._size(tokens) or written != len(state):
            raise EngineError(
                f"llama.cpp wrote {written} bytes of {len(state)} for the state of {tokens} tokens, which is "
                f"{self._size(tokens)} bytes: {self._context.library.errors() or 'it does not say why'}"
            )
        return state


def _saved(context: Context, sequence: int) -> tuple[Tensor, int]:
    """The state of a sequence, and how many bytes of it were written."""
    library, pointer = context.library, context.pointer
    state = torch.empty(library.llama_state_seq_get_size(pointer, sequence), dtype=torch.uint8)
    return state, library.llama_state_seq_get_data(pointer, state.data_ptr(), len(state), sequence)


def _restore(context: Context, sequence: int, begin: int, end: int, state: Tensor) -> None:
    """Make a state the only cells of a sequence, at positions from `begin` to before `end`."""
    library, pointer, memory = context.library, context.pointer, context.memory
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


# --- lanes

LANES = 16  # contexts have a multiple of so many
LANE_TOKENS = 256  # at once
#: What it costs to move a row, and each of its tokens; and to attend to a cell of a lane, where rows are not computed
#: together: in cells of the first context, to which every row attends.
ROW_MOVES, TOKEN_MOVES, LANE_CELL = 1024, 4, 1.5
SKIPPED = 6  # so many cells that a row does not see cost with flash attention as much as one that it sees


class Lanes:
    """A second context, in which every sequence, a lane, has cells of its own: for steps of rows that share little.

    In the first context every row attends to the cells of all rows. Once that has cost as much as to move the rows of
    a step, they move: each into a lane, one beside the other, since llama.cpp computes only adjacent lanes together.
    Their new tokens are in lanes alone. A row leaves its lane when something other than a step concerns it.

    Args:
        home: the first context.
        sequences, copies: its sequences, and what copies their cells.
        open_context: makes a context.

    Attributes:
        context, arrays: the second context, and its batch; None before rows have moved.
    """

    def __init__(
        self,
        home: Context,
        sequences: Sequences,
        copies: CellCopies,
        open_context: Callable[[ContextOptions], Context],
    ):
        self._home, self._sequences, self._copies, self._open_context = home, sequences, copies, open_context
        self.context: Any = None
        self.arrays: Any = None
        self._count = self._cells = 0
        self._origin = np.zeros(0, np.int32)  # of each lane, the sequence that its row came from
        self._torn = set[int]()  # lanes whose rows were about to leave: what they had from others is gone
        self._lost = 0.0  # what the steps in the first context have cost too much, for each row

    def seats(self, at: np.ndarray, tokens: int) -> np.ndarray:
        """Where a step is computed of so many tokens, which go on at the ends of sequences: in adjacent lanes, or in
        sequences of the first context. Several tokens of a row stay where they are."""
        rows, most = len(at), self._sequences.most
        grows = 1 + tokens - rows  # at most
        longest = int(self._sequences.length[at].max()) + grows
        moved = bool((at >= most).any())
        if moved and not (tokens <= LANE_TOKENS and longest <= self._cells and self._fit(at[at >= most], grows)):
            at = self.bring_home(at, step=True)
        inside = bool((at >= most).all())
        if (inside and at.max() - at.min() == rows - 1) or (tokens > rows and not inside):
            return at
        if not moved and not self._pays(longest):
            return at
        if rows > self._count or longest > self._cells:
            at = self._opened(at, longest)
        return self._seated(at) if rows <= self._count and longest <= self._cells else at

    def bring_home(self, of: np.ndarray, step: bool = False) -> np.ndarray:
        """Rows leave their lanes: where tokens are of which these were the sequences. step: a step goes on at them."""
        of, self._lost = of.copy(), 0.0
        for lane in np.unique(of[of >= self._sequences.most]).tolist():
            of[of == lane] = self._leave(lane, of if step else ())
        return of

    def remove(self, lane: int, begin: int, end: int) -> None:
        """Take the cells from a position to before another out of a lane; all, if they are −1."""
        memory, number = self.context.memory, lane - self._sequences.most
        self._home.library.llama_memory_seq_rm(memory, number, begin, end)

    def _fit(self, lanes: np.ndarray, grows: int) -> bool:
        """Whether rows can go on in their lanes, and leave them afterwards."""
        own = int((self._sequences.length[lanes] - self._sequences.begins[lanes]).max()) + grows
        window = self._home.model.window  # the library saves of a lane what its last token sees
        return not (window and own > window) and not self._torn.intersection(lanes.tolist())

    def _pays(self, longest: int) -> bool:
        """Whether steps in the first context have cost as much as it costs to move."""
        sequences, padded = self._sequences, -(-longest // 256) * 256  # the cells of a lane that llama.cpp looks at
        cells = sum(each.used for each in sequences.tables)
        lost = (cells - padded) / SKIPPED if self._home.options.flash_attention else cells - LANE_CELL * padded
        self._lost += max(lost, 0)
        return lost > 0 and self._lost > ROW_MOVES + TOKEN_MOVES * longest

    def _opened(self, at: np.ndarray, longest: int) -> np.ndarray:
        """Make a context for so many rows, and rows twice as long, if there is memory for it; where the rows are now:
        in none of the lanes."""
        sequences, options, count = self._sequences, self._home.options, -(-len(at) // LANES) * LANES
        cells, memory = min(-(-2 * longest // 256), options.n_ctx // count // 256) * 256, available_memory()
        if cells < longest + LANES or (memory is not None and 4 * cells * count * self._copies.slot_bytes > memory):
            return self.bring_home(at, step=True)
        used = sequences.most + np.flatnonzero(sequences.length[sequences.most :] > 0)
        at = self.bring_home(np.append(at, used), step=True)[: len(at)]
        sequences.make_lanes(0)
        self.context, self._count = None, 0  # the memory of the old one is free first
        options = replace(options, n_ctx=count * cells, n_batch=LANE_TOKENS, n_ubatch=LANE_TOKENS, n_seq_max=count)
        with suppress(EngineError):  # without it, rows are computed where they are
            self.context = self._open_context(replace(options, n_outputs=count, streams=True))
            self.arrays, self._cells, self._origin = BatchArrays(LANE_TOKENS, count), cells, np.zeros(count, np.int32)
            sequences.make_lanes(count)
            self._count = count
        return at

    def _seated(self, at: np.ndarray) -> np.ndarray:
        """Rows in adjacent lanes. Other rows that are there leave them."""
        sequences, rows, most, seats = self._sequences, len(at), self._sequences.most, set(at.tolist())
        free = (sequences.length[most:] == 0).tobytes().find(b"\1" * rows)
        inside = at[at >= most]
        first = min(int(inside.min()) if len(inside) else most + max(free, 0), most + self._count - rows)
        block = range(first, first + rows)
        for lane in block:
            if sequences.length[lane] and lane not in seats:
                self._leave(lane, at)
        vacant, at = [lane for lane in block if lane not in seats], at.copy()
        for i, sequence in enumerate(at.tolist()):
            if sequence not in block:
                at[i] = vacant.pop(0)
                self._move(sequence, at.item(i))
        return at

    def _move(self, sequence: int, lane: int) -> None:
        """A row moves into a lane: from the first context, or from another lane."""
        sequences, window, other = self._sequences, self._home.model.window, sequence - self._sequences.most
        length = sequences.length.item(sequence)
        begin = max(0, length - window) if window else 0
        _restore(self.context, lane - sequences.most, begin, length, self._state(sequence, lane))
        sequences.begins[lane] = length if other < 0 else sequences.begins[sequence]
        sequences.length[lane] = length
        self._origin[lane - sequences.most] = sequence if other < 0 else self._origin[other]
        self._torn.discard(lane)
        if other >= 0:
            self._slots(sequence)[0].move(sequence, lane)
            sequences.drop(sequence)

    def _leave(self, lane: int, ends: Sequence[int] | np.ndarray) -> int:
        """A row leaves its lane, behind the tokens that it stands on: its sequence now. ends: others go on at these."""
        sequences, begin = self._sequences, self._sequences.begins.item(lane)
        base = self._origin.item(lane - sequences.most)
        table, slots = self._slots(lane)
        needed = np.setdiff1d(slots, table.given())
        end = int(table.position[needed].max()) + 1 if len(needed) else begin
        self._torn.add(lane)
        self.remove(lane, end, -1)
        self.remove(lane, 0, begin)
        if begin < end:
            if sequences.length.item(base) != begin or base in ends:
                base = sequences.branch(base, begin, begin)
            self._copies.put_state(base, begin, end, begin, end, self._state(lane, base))
            sequences.length[base] = end
        table.free(slots[table.position[slots] >= end])
        table.move(lane, base)
        sequences.drop(lane)
        return base

    def _slots(self, lane: int) -> tuple[CellTable, np.ndarray]:
        """What a lane has of its own, and of which tree."""
        return next(
            (table, slots) for table in self._sequences.tables if len(slots := np.flatnonzero(table.sequence == lane))
        )

    def _state(self, sequence: int, into: int) -> Tensor:
        """The state of a sequence, as a sequence of the other context takes it.

        It says of each memory, of which a model with windows has two, how many parts it has, and how many cells each:
        a lane is one of as many parts as there are lanes, and a memory without lanes has one.
        """
        most, window = self._sequences.most, self._home.model.window
        context, number = (self._home, sequence) if sequence < most else (self.context, sequence - most)
        state, written = _saved(context, number)
        if written != len(state):
            raise EngineError(f"llama.cpp wrote {written} bytes of {len(state)} for the state of a sequence")
        borders = [8, len(state)]
        if window:  # the second memory's part
            borders.insert(1, len(state) - context.library.llama_state_seq_get_size_ext(context.pointer, number, 1) + 8)
        (_, above, below), counts = self._parts(sequence), self._parts(into)
        pieces = [state[:8]]
        for first, last in pairwise(borders):
            head = torch.tensor([counts[0], *[0] * counts[1]], dtype=torch.int32).view(torch.uint8)
            body = state[first + 4 * (1 + above) : last - 4 * below]
            pieces += [head, body, torch.zeros(4 * counts[2], dtype=torch.uint8)]
        return torch.cat(pieces)

    def _parts(self, sequence: int) -> tuple[int, int, int]:
        """How many parts a memory has, how many before that of a sequence, and how many behind it."""
        lane = sequence - self._sequences.most
        return (1, 0, 0) if lane < 0 else (self._count, lane, self._count - 1 - lane)
