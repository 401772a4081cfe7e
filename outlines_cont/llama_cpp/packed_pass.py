"""One pass over runs of tokens, packed into as few batches of llama.cpp as can be: mostly one.

A run goes on in the sequence of the token above it if that is the sequence's last token; else it begins a new sequence,
which shares the cells of the tokens above. A run on a graft always does, since no sequence has the graft's tokens after
those before it. A token that several runs of a pass stand on is computed once: in its batch it is of all their
sequences. A run that is not stored gets a sequence for this pass only.

Where every sequence has cells of its own, a batch is of one sequence: llama.cpp computes those of several together,
even where it is told to compute one token at a time. And a new one copies the tokens above it, which are in the memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from outlines_cont.kv.needs import TokenRun
from outlines_cont.llama_cpp.cells import NOWHERE, CellTable, Sequences
from outlines_cont.llama_cpp.library import Batch

# --- the arrays of one batch of llama.cpp, filled by numpy: a loop over tokens would take longer than the pass


class BatchArrays:
    """Token ids, positions, sequences and outputs of at most `most_tokens` tokens, `most_outputs` of them with logits.

    twins: each token of a sequence is also of the sequence of that number and this (see `cells.py`); 0: it is not.

    Attributes:
        batch: what `llama_decode` takes, once it is filled.
        outputs: after how many of its tokens logits are wanted, once it is filled.
    """

    def __init__(self, most_tokens: int, most_outputs: int, twins: int = 0):
        self.most_tokens, self.most_outputs, self._twins = most_tokens, most_outputs, twins
        self._tokens, self._positions, self._sizes = np.zeros((3, most_tokens), np.int32)
        self._single = np.zeros((most_tokens, 2 if twins else 1), np.int32)  # of tokens of one sequence, with its twin
        self._outputs = np.zeros(most_tokens, np.int8)
        self._lists = np.zeros(most_tokens, np.uint64)  # the address of each token's sequences
        self._single_lists = self._single.ctypes.data + self._single.strides[0] * np.arange(
            most_tokens, dtype=np.uint64
        )
        self._many: np.ndarray | None = None  # sequences of tokens that have several
        self.batch = Batch(
            0,
            self._tokens.ctypes.data,
            None,
            self._positions.ctypes.data,
            self._sizes.ctypes.data,
            self._lists.ctypes.data,
            self._outputs.ctypes.data,
        )
        self.clear()

    def clear(self) -> None:
        """Begin a new batch."""
        self._ids: list[int] = []
        self._begins: list[int] = []  # the position of the first token of each run
        self._counts: list[int] = []
        self._sequences: list[list[int]] = []
        self._wanted: list[int] = []
        self.outputs = 0

    @property
    def added(self) -> int:
        """How many tokens were added."""
        return len(self._ids)

    def add(self, ids: Sequence[int], position: int, wanted: Sequence[int], sequences: list[int]) -> int:
        """Add tokens from a position on, with logits after the `wanted` of them; returns how many had room.

        The list of sequences is read when the batch is filled: until then it may grow.
        """
        start, room = len(self._ids), min(len(ids), self.most_tokens - len(self._ids))
        if len(self._wanted) + len(wanted) > self.most_outputs:
            room = min(room, wanted[self.most_outputs - len(self._wanted)])
        if room:
            self._ids += ids if room == len(ids) else ids[:room]
            self._begins.append(position)
            self._counts.append(room)
            self._sequences.append(sequences)
            self._wanted += [start + token for token in wanted if token < room]
        return room

    def fill(self) -> None:
        """Write what was added into the arrays."""
        count, runs = len(self._ids), len(self._counts)
        self._tokens[:count] = self._ids
        sizes = None if runs == count else np.array(self._counts)
        self._positions[:count] = self._begins if sizes is None else spread(np.array(self._begins), sizes)
        self._outputs[:count] = 0
        self._outputs[self._wanted] = 1
        if max(map(len, self._sequences)) == 1:
            single = [sequences[0] for sequences in self._sequences]
            self._fill_single(count, single if sizes is None else np.repeat(single, sizes))
        else:
            self._fill_many(count)
        self.batch.n_tokens, self.outputs = count, len(self._wanted)

    def fill_step(
        self, ids: Sequence[int], positions: np.ndarray, sequences: np.ndarray, wanted: Sequence[bool]
    ) -> None:
        """One token for each of some sequences: its id, its position, and whether logits are wanted after it."""
        count = len(ids)
        self._tokens[:count], self._positions[:count] = ids, positions
        self._outputs[:count] = wanted
        self._fill_single(count, sequences)
        self.batch.n_tokens, self.outputs = count, sum(wanted)

    def _fill_single(self, count: int, sequences: Sequence[int] | np.ndarray) -> None:
        """The sequences, where each token has one."""
        self._single[:count, 0] = sequences
        if self._twins:
            self._single[:count, 1] = self._single[:count, 0] + self._twins
        self._sizes[:count] = self._single.shape[1]
        self._lists[:count] = self._single_lists[:count]

    def _fill_many(self, count: int) -> None:
        """The sequences, where tokens have several."""
        counts = np.array(self._counts)
        lists = [np.array(sequences, np.int32) for sequences in self._sequences]
        if self._twins:
            lists = [np.concatenate([sequences, sequences + np.int32(self._twins)]) for sequences in lists]
        sizes = np.repeat([len(sequences) for sequences in lists], counts)
        parts = [np.tile(sequences, n) for sequences, n in zip(lists, self._counts, strict=True)]
        self._many = np.concatenate(parts)
        self._sizes[:count] = sizes
        self._lists[:count] = self._many.ctypes.data + 4 * (np.cumsum(sizes) - sizes).astype(np.uint64)


def spread(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """`[3, 7]` with sizes `[2, 3]` → `[3, 4, 7, 8, 9]`: runs of numbers that count up."""
    ends = np.cumsum(sizes)
    return np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1])


# --- packed pass


@dataclass(slots=True, eq=False)
class PlacedRun:
    """A run of the pass, and its sequence.

    Attributes:
        upper: the run of this pass that it stands on, if there is one.
        batch: the number of the batch in which its last tokens are.
        decoded: how many tokens of its path were in the memory when that batch was begun.
        sequences: of its tokens in that batch: its own, and those of the runs that stand on it.
    """

    sequence: int
    upper: PlacedRun | None
    batch: int
    decoded: int
    sequences: list[int] = field(default_factory=list)


class PackedPass:
    """Runs, parents first, become batches, which `decode` computes; their logits `[wanted, V]` come together.

    Args:
        sequences: the sequences of the context.
        table: where the tokens of the tree are.
        arrays: the batch to fill.
        decode: computes the batch; the logits of its outputs are then at the address that it gives.
        scratch_cells: how many cells there are for runs that are not stored.
        logits: for the answer.
    """

    def __init__(
        self,
        sequences: Sequences,
        table: CellTable,
        arrays: BatchArrays,
        decode: Callable[[BatchArrays], int],
        scratch_cells: int,
        logits: Tensor,
    ):
        self.sequences, self.table, self.arrays, self.decode, self.logits = sequences, table, arrays, decode, logits
        self.batches = 0
        self._lines = 0  # of the logits that are computed
        self._placed: dict[int, PlacedRun] = {}  # by id of the run
        self._scratch: dict[int, int] = {}  # sequences for this pass only, and how many tokens each has of its own
        self._scratch_cells = scratch_cells

    def run(self, runs: Sequence[TokenRun]) -> None:
        """Compute all runs, and note where their tokens are."""
        streams = self.sequences.streams
        if (streams and len(runs) > 1) or not self._step(runs):
            self._leave_lanes(runs)
            for run in runs:
                self._put(run, self._placed_run(run))
                if streams:
                    self._flush()
            self._flush()
            self._drop_scratch(())
            self._note([run for run in runs if run.stored])

    def _step(self, runs: Sequence[TokenRun]) -> bool:
        """A step of decoding, as most passes are: each run is one token at the end of a sequence of its own. In lanes
        it may be several.

        Returns False, and does nothing, if the pass is another one.
        """
        lanes, (ids, sequences, positions) = self.sequences.lanes, self._ends(runs)
        if not len(ids):
            return False
        arrays, first, several = self.arrays, 0, len(ids) > len(runs)
        sequences = lanes.seats(sequences, len(ids))
        if sequences.min() >= self.sequences.most:
            if several or (np.diff(sequences) < 0).any():
                return self._step_in_lanes(runs, sequences)
            arrays, first = lanes.arrays, self.sequences.most
        elif several:
            return False
        self.sequences.length[sequences] += 1
        arrays.fill_step(ids, positions, sequences - first, [bool(run.marks) for run in runs])
        self._compute(arrays)
        self.table.note(np.concatenate([run.slots for run in runs if run.slots is not None]), sequences, positions)
        return True

    def _ends(self, runs: Sequence[TokenRun]) -> tuple[list[int], np.ndarray, np.ndarray]:
        """The ids of runs that are a step, and the sequences at whose ends they go on, and positions; else none."""
        slots, ids, depths, none = [], list[int](), [], ([], _NONE, _NONE)
        for run in runs:
            if isinstance(run.parent, TokenRun) or not run.stored or (len(run.ids) > 1 and len(run.marks) > 1):
                return none
            node, size = run.parent
            if not size or node.lender is not None:
                return none
            slots.append(node.slots[size - 1])
            ids += run.ids
            depths.append(run.depth)
        sequences, positions = self.table.sequence[slots], np.array(depths, np.int32)
        at_ends = (sequences >= 0) & (self.sequences.length[sequences] == positions)
        few = len(runs) <= min(self.arrays.most_tokens, self.arrays.most_outputs)
        return (
            (ids, sequences, positions) if few and at_ends.all() and len({*sequences.tolist()}) == len(runs) else none
        )

    def _step_in_lanes(self, runs: Sequence[TokenRun], lanes: np.ndarray) -> bool:
        """A step of rows in adjacent lanes, which llama.cpp computes at once if they come in the order of the lanes."""
        arrays, order = self.sequences.lanes.arrays, lanes.argsort().tolist()
        arrays.clear()
        for i in order:
            run, lane = runs[i], lanes.item(i)
            arrays.add(run.ids, run.depth, run.wanted_tokens(), [lane - self.sequences.most])
            self.sequences.length[lane] += len(run.ids)
            self._placed[id(run)] = PlacedRun(lane, None, 0, 0)
        arrays.fill()
        self._compute(arrays)
        self.logits = self.logits[np.argsort([i for i in order if runs[i].marks])]
        self._note(runs)
        return True

    def _leave_lanes(self, runs: Sequence[TokenRun]) -> None:
        """What runs stand on leaves the lanes, where nothing is shared."""
        if (self.sequences.length[self.sequences.most :] > 0).any():
            for run in runs:
                if run.depth and not (isinstance(run.parent, TokenRun) and run.parent.place is None):
                    self.sequences.lanes.leave(self.table.sequence[run.base[0].tree.slots(run.base)])

    def place(self, run: TokenRun, fill: Callable[[int], None]) -> None:
        """Note where the tokens of a run are whose keys and values `fill` puts into its sequence."""
        self._leave_lanes([run])
        placed = self._placed[id(run)] = self._placed_run(run)
        fill(placed.sequence)
        self.sequences.length[placed.sequence] = run.depth + len(run.ids)
        self._note([run])

    def _placed_run(self, run: TokenRun) -> PlacedRun:
        """A run of this pass, in the sequence of the token above it or in a new one."""
        upper = self._placed.get(id(run.parent)) if isinstance(run.parent, TokenRun) else None
        base = upper.sequence if upper is not None else self._sequence_at(run)
        if not run.stored:
            self._make_room_for_scratch(run, upper)
        if not self._goes_on(run, base):
            if not self.sequences.free:
                self.sequences.forget(in_a_pass=True)
            if not self._goes_on(run, base):
                return self._branched(run, base, upper)
        if not run.stored:
            self._scratch[base] += len(run.ids)
        return PlacedRun(base, upper, self.batches, self._decoded(run, upper), [base])

    def _sequence_at(self, run: TokenRun) -> int:
        """The sequence of the token that a run hangs on. A graft has none: its cells are in those of other rows."""
        node, size = run.base
        while not size and node.base is not None:
            node, size = node.base.point
        return self.table.sequence.item(node.slots[size - 1]) if size and node.lender is None else NOWHERE

    def _goes_on(self, run: TokenRun, base: int) -> bool:
        """Whether a run goes on in the sequence of the token above it."""
        at_its_end = base >= 0 and self.sequences.length.item(base) == run.depth
        return at_its_end and run.stored == (base not in self._scratch)

    def _decoded(self, run: TokenRun, upper: PlacedRun | None) -> int:
        """How many of the tokens above a run are in the memory."""
        return upper.decoded if upper is not None and upper.batch == self.batches else run.depth

    def _branched(self, run: TokenRun, base: int, upper: PlacedRun | None) -> PlacedRun:
        """A run in a sequence of its own. The tokens above it that are in the batch are of that sequence, too."""
        if not self.sequences.free:
            self._flush()
            self._drop_scratch(_path(upper))
        decoded = self._decoded(run, upper)
        if base == NOWHERE and decoded:
            sequence = self._put_together(run)
        else:
            sequence = self.sequences.branch(base, decoded, run.depth)
        if not run.stored:
            self._scratch[sequence] = len(run.ids)
        above = upper
        while above is not None and above.batch == self.batches:
            above.sequences.append(sequence)
            above = above.upper
        return PlacedRun(sequence, upper, self.batches, decoded, [sequence])

    def _put_together(self, run: TokenRun) -> int:
        """A new sequence for a run that hangs on a graft. All cells above it are in the memory, each in the sequence
        that it was computed in."""
        node, size = run.base
        of = self.table.sequence[node.tree.slots((node, size))]
        sequence = self.sequences.branch(NOWHERE, 0, run.depth)
        self.sequences.gather(of, sequence, 0)
        return sequence

    def _put(self, run: TokenRun, placed: PlacedRun) -> None:
        """Put the tokens of a run into the batch; into the next ones what has no room."""
        self._placed[id(run)] = placed
        self.sequences.length[placed.sequence] = run.depth + len(run.ids)
        ids, wanted, position = run.ids, run.wanted_tokens(), run.depth
        while (added := self.arrays.add(ids, position, wanted, placed.sequences)) < len(ids):
            self._flush()
            position += added
            ids, wanted = ids[added:], [token - added for token in wanted if token >= added]
            placed.batch, placed.decoded, placed.sequences = self.batches, position, [placed.sequence]

    def _flush(self) -> None:
        if self.arrays.added:
            self.arrays.fill()
            self._compute(self.arrays)

    def _compute(self, arrays: BatchArrays) -> None:
        """Compute the batch, and take its logits."""
        address, lines = self.decode(arrays), arrays.outputs
        if lines:
            into = self.logits[self._lines : self._lines + lines]
            ctypes.memmove(into.data_ptr(), address, into.nbytes)
        self._lines += lines
        self.batches += 1
        arrays.clear()

    # --- runs that are not stored

    def _make_room_for_scratch(self, run: TokenRun, upper: PlacedRun | None) -> None:
        """Let go of other runs that are not stored, where the cells do not suffice for all at once."""
        if sum(self._scratch.values()) + len(run.ids) > self._scratch_cells:
            self._flush()
            self._drop_scratch(_path(upper))

    def _drop_scratch(self, but: Sequence[int]) -> None:
        for sequence in [each for each in self._scratch if each not in but]:
            self.sequences.drop(sequence)
            del self._scratch[sequence]

    # --- what is kept

    def _note(self, stored: Sequence[TokenRun]) -> None:
        if not stored:
            return
        slots = np.concatenate([run.slots for run in stored if run.slots is not None])
        sequences = np.array([self._placed[id(run)].sequence for run in stored], np.int32)
        begins = np.array([run.depth for run in stored], np.int32)
        if len(slots) > len(stored):
            sizes = np.array([len(run.ids) for run in stored])
            sequences, begins = np.repeat(sequences, sizes), spread(begins, sizes)
        self.table.note(slots, sequences, begins)


def _path(placed: PlacedRun | None) -> list[int]:
    """The sequences of a run and of those above it in the pass."""
    sequences = []
    while placed is not None:
        sequences.append(placed.sequence)
        placed = placed.upper
    return sequences


_NONE = np.empty(0, np.int32)
