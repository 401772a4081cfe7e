"""Keys and values that leave the memory of llama.cpp and come back: as it saves and restores the state of a sequence.

A spare sequence takes the cells of some tokens, and is saved; or it is restored, and its cells are shared with the
sequence that they are for. The library leaves out of a state what the window of its last token does not see. So tokens
are copied in pieces, none of which reaches over more than one window.

Rows that share little move so into lanes, where each has cells of its own, and back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.errors import ContextFull, EngineError
from outlines_cont.llama_cpp.cells import NOWHERE, CellTable, Sequences
from outlines_cont.llama_cpp.context import Context, available_memory
from outlines_cont.llama_cpp.library import F32
from outlines_cont.llama_cpp.packed_pass import BatchArrays

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
        of, start = self._sequences.lanes.leave(table.sequence[slots]), table.position.item(slots[0])
        assert (of != NOWHERE).all(), "tokens are copied that are not in the memory"
        copies = {}
        for begin, end in self._borders(start, len(slots)):
            spare = self._spare(begin)
            self._sequences.gather(of[begin - start : end - start], spare, begin)
            copies[_name(begin)] = _saved(self._context, spare, self._size(end - begin))
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
        """Make tokens of a state, which has those from `first` to before `last`, the next ones of a sequence."""
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
        return self._sequences.branch(NOWHERE, 0, begins)


def _saved(context: Context, sequence: int, right: int | None = None) -> Tensor:
    """The state of a sequence, which has so many bytes if they are given."""
    library, pointer = context.library, context.pointer
    state = torch.empty(library.llama_state_seq_get_size(pointer, sequence), dtype=torch.uint8)
    written = library.llama_state_seq_get_data(pointer, state.data_ptr(), len(state), sequence)
    if written != len(state) or right not in (None, written):
        raise EngineError(
            f"llama.cpp wrote {written} bytes of {len(state)} for the state of a sequence, which has "
            f"{right or len(state)}: {library.errors() or 'it does not say why'}"
        )
    return state


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

NEVER = np.iinfo(np.int32).max  # of a lane whose row began to leave: it lacks what is not its own
LANES, LANE_TOKENS = 16, 256  # a context has a multiple of so many; so many tokens at once
#: What it costs to move a row, and each of its tokens, in cells that a row attends to in the first context; and what it
#: costs there with flash attention to pass over a cell that is not of the row, and in a lane to attend to one.
ROW_MOVES, TOKEN_MOVES, PASSED_OVER, LANE_CELL = 1024, 4, 1 / 6, 1.5


class Lanes:
    """Rows in a second context, in which every sequence, a lane, has cells of its own: for steps of rows that share
    little.

    In the first context every row attends to the cells of all rows. Once that has cost as much as to move the rows of
    a step, they move: into adjacent lanes, since llama.cpp computes others one after the other. What they write then is
    in the lanes alone, until something other than a step concerns it.

    Attributes:
        context, arrays: the second context and its batch, once rows have moved.
    """

    def __init__(self, home: Context, sequences: Sequences, copies: CellCopies, slot_bytes: int):
        self._home, self._sequences, self._copies, self._slot_bytes = home, sequences, copies, slot_bytes
        self.context: Any = None
        self.arrays: Any = None
        self._count = self._cells = 0
        self._origin = np.zeros(0, np.int32)  # of each lane, the sequence that its row came from
        self._whole = np.zeros(0, np.int32)  # of each lane, the length from which on it has all that its row attends to
        self._lost = 0.0  # how many cells too many each row has attended to

    def seats(self, at: np.ndarray, tokens: int) -> np.ndarray:
        """Where a step of so many tokens is computed, which goes on at the ends of sequences: in adjacent lanes, or in
        the first context. Rows in other places stay there if there are more tokens than rows."""
        rows, most, grows = len(at), self._sequences.most, 1 + tokens - len(at)
        longest = int(self._sequences.length[at].max()) + grows
        lanes = at[at >= most]
        if (moved := bool(len(lanes))) and not (tokens <= LANE_TOKENS and self._fit(lanes, longest, grows)):
            at = self.leave(at, step=True)
        inside = bool((at >= most).all())
        if (inside and at.max() - at.min() == rows - 1) or (tokens > rows and not inside):
            return at
        if not moved and not self._pays(longest):
            return at
        if rows > self._count or longest > self._cells:
            at = self._opened(at, longest)
        return self._seated(at) if rows <= self._count and longest <= self._cells else self.leave(at, step=True)

    def leave(self, of: np.ndarray, step: bool = False) -> np.ndarray:
        """Rows leave their lanes: where tokens are of which these were the sequences. step: it goes on there."""
        lanes = np.unique(of[of >= self._sequences.most]).tolist()
        if lanes:
            of, self._lost = of.copy(), 0.0
        for lane in lanes:
            of[of == lane] = self._left(lane, of if step else ())
        return of

    def _fit(self, lanes: np.ndarray, longest: int, grows: int) -> bool:
        """Whether rows can go on in their lanes, and leave them afterwards."""
        new = int((self._sequences.length - self._sequences.begins)[lanes].max()) + grows
        window = self._home.model.window or new  # the library saves of a lane what its last token sees
        whole = (self._sequences.length[lanes] >= self._whole[lanes - self._sequences.most]).all()
        return longest <= self._cells and new <= window and bool(whole)

    def _pays(self, longest: int) -> bool:
        """Whether steps in the first context have cost as much as it costs to move."""
        options, looked_at = self._home.options, -(-longest // 256) * 256  # in a lane
        if self._sequences.streams or (options.flash_attention and F32 in (options.type_k, options.type_v)):
            return False  # with flash attention llama.cpp rounds all cells that it looks at anew, which takes longer
        cells = sum(each.used for each in self._sequences.tables)
        lost = (cells - looked_at) * PASSED_OVER if options.flash_attention else cells - LANE_CELL * looked_at
        self._lost += max(lost, 0)
        return lost > 0 and self._lost > ROW_MOVES + TOKEN_MOVES * longest

    def _opened(self, at: np.ndarray, longest: int) -> np.ndarray:
        """Make a context for so many rows, and rows twice as long, if there is memory; where the rows are now."""
        sequences, options, count = self._sequences, self._home.options, -(-len(at) // LANES) * LANES
        cells, memory = min(-(-2 * longest // 256), options.n_ctx // count // 256) * 256, available_memory()
        self._lost = 0.0
        if cells < longest + LANES or (memory is not None and 4 * cells * count * self._slot_bytes > memory):
            return at
        used = sequences.most + np.flatnonzero(sequences.length[sequences.most :] > 0)
        at = self.leave(np.append(at, used), step=True)[: len(at)]
        sequences.make_lanes(0)
        self.context, self._count = None, 0  # the memory of the old one is free first
        options = replace(options, n_ctx=count * cells, n_batch=LANE_TOKENS, n_ubatch=LANE_TOKENS, n_seq_max=count)
        with suppress(EngineError):  # rows then stay where they are
            self.context = Context(self._home.model, replace(options, n_outputs=count, streams=True))
            self.context.finalizer.atexit = False  # other threads may be in it
            self.arrays, self._cells = BatchArrays(LANE_TOKENS, count), cells
            self._origin, self._whole = np.zeros((2, count), np.int32)
            sequences.make_lanes(count)
            self._count = count
        return at

    def _seated(self, at: np.ndarray) -> np.ndarray:
        """Rows in adjacent lanes. Other rows that are there leave them."""
        sequences, rows, most, seats, at = self._sequences, len(at), self._sequences.most, set(at.tolist()), at.copy()
        inside, free = at[at >= most], (sequences.length[most:] == 0).tobytes().find(b"\1" * rows)
        first = min(int(inside.min()) if len(inside) else most + max(free, 0), most + self._count - rows)
        block = range(first, first + rows)
        for lane in block:
            if sequences.length[lane] and lane not in seats:
                self._left(lane, at)
        vacant = (lane for lane in block if lane not in seats)
        for i, sequence in enumerate(at.tolist()):
            if sequence not in block:
                at[i] = next(vacant)
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
        self._whole[lane - sequences.most] = length if begin else 0
        if other >= 0:
            table, slots = self._own(sequence)
            table.sequence[slots] = lane
            sequences.drop(sequence)

    def _left(self, lane: int, ends: Sequence[int] | np.ndarray) -> int:
        """A row leaves its lane, behind the tokens that it stands on: its sequence now. ends: others go on at these."""
        sequences, begin = self._sequences, self._sequences.begins.item(lane)
        base, (table, slots) = self._origin.item(lane - sequences.most), self._own(lane)
        needed = table.position[np.setdiff1d(slots, table.given())]
        end = int(needed.max(initial=begin - 1)) + 1
        self._whole[lane - sequences.most] = NEVER
        sequences.remove(lane, end)
        sequences.remove(lane, 0, begin)
        if begin < end:
            if sequences.length.item(base) != begin or base in ends:
                base = sequences.branch(base, begin, begin)
            self._copies.put_state(base, begin, end, begin, end, self._state(lane, base))
            sequences.length[base] = end
        table.sequence[slots] = base
        table.free(slots[table.position[slots] >= end])
        sequences.drop(lane)
        return base

    def _own(self, lane: int) -> tuple[CellTable, np.ndarray]:
        """What a lane has of its own: in which table, and which slots."""
        each = ((table, np.flatnonzero(table.sequence == lane)) for table in self._sequences.tables)
        return next((table, slots) for table, slots in each if len(slots))

    def _state(self, sequence: int, into: int) -> Tensor:
        """The state of a sequence, as another one takes it, which may be in the other context.

        It says of each memory, of which a model with windows has two, how many parts it has, then of each how many
        cells, and which. A part is a lane. Without lanes a memory has one.
        """
        most, lane = self._sequences.most, sequence - self._sequences.most
        context, number = (self._home, sequence) if lane < 0 else (self.context, lane)
        state = _saved(context, number)
        borders = [8, len(state)]
        if self._home.model.window:  # the second memory's part
            borders.insert(1, len(state) - context.library.llama_state_seq_get_size_ext(context.pointer, number, 1) + 8)
        above, below = (0, 0) if lane < 0 else (lane, self._count - 1 - lane)
        head, tail = ([1], 0) if into < most else ([self._count] + [0] * (into - most), self._count - 1 - into + most)
        pieces = [state[:8]]
        for begin, end in pairwise(borders):
            pieces += [torch.tensor(head, dtype=torch.int32).view(torch.uint8)]
            pieces += [state[begin + 4 * (1 + above) : end - 4 * below], torch.zeros(4 * tail, dtype=torch.uint8)]
        return torch.cat(pieces)
