"""Where in rows the tokens stand that a row ends with: an index that grows as the rows do.

Rows that begin alike share what they have in common: the index is a tree of runs, as the KV tree is one. Each new token
of a row costs as many entries as there are lengths of grams, whatever the length of the row. (A *gram* is a tuple of
tokens that follow each other, and ends at a *depth*: so many tokens of the row lie before its end.)
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

Gram = tuple[int, ...]


class WrittenRun:
    """A run of tokens that hangs on a point of another one.

    Attributes:
        base: the run that it hangs on; None for the root.
        depth: how many tokens lie before it, on the path from the root.
        ids: its tokens.
        head: the last tokens before it, as many as grams may reach back.
        last: for each gram that ends in this run, the depth at which it does so for the last time.
        before: for each length of grams and each token, the depth at which the gram that ends with this token ended
            before in this run; 0 if it did not.
        children: the runs that hang on it, by depth and first token.
    """

    __slots__ = ("base", "before", "children", "depth", "head", "ids", "last")

    def __init__(self, n: int, base: WrittenRun | None, depth: int, head: Gram):
        self.base, self.depth, self.head = base, depth, head
        self.ids: list[int] = []
        self.last: dict[Gram, int] = {}
        self.before = [array("q") for _ in range(n)]
        self.children: dict[tuple[int, int], WrittenRun] = {}

    @property
    def end(self) -> int:
        """The depth after its last token."""
        return self.depth + len(self.ids)

    def last_end(self, gram: Gram, most: int) -> int:
        """The greatest depth, `most` at most, at which a gram ends in this run; 0: it does not."""
        end = self.last.get(gram, 0)
        before = self.before[len(gram) - 1]
        while end > most and end:
            end = before[end - self.depth - 1]
        return end

    def last_tokens(self, depth: int, count: int) -> Gram:
        """The tokens before a depth within this run, so many at most."""
        at = depth - self.depth
        here = tuple(self.ids[max(0, at - count) : at])
        return (*self.head, *here)[-count:] if len(here) < count else here


class WrittenRows:
    """The rows of a generation: where each gram of up to n tokens stands in each of them, and in the others.

    >>> from outlines_cont.decode.drafts.written_rows import WrittenRows
    >>> rows = WrittenRows(n=2)
    >>> rows.follow("a row", (5, 6, 7, 8, 5, 6))
    0
    >>> rows.in_row("a row", (5, 6)), rows.in_row("a row", (6, 5))
    (2, 0)
    >>> rows.follow("another row", (4, 5, 6))
    0
    >>> rows.in_others("another row", (5, 6), 3)
    (7, 8, 5)
    """

    def __init__(self, n: int):
        self.n = n
        self.root = WrittenRun(n, None, 0, ())
        self._ids: dict[object, Gram] = {}  # of each row, as it was followed last
        self._ends: dict[object, WrittenRun] = {}  # the run that each row ends in
        self._runs: dict[Gram, list[WrittenRun]] = {}  # in which a gram ends

    def follow(self, key: object, ids: Gram) -> int:
        """A row has these tokens now. Where it goes on from what it was, only the new ones are looked at. How many of
        its tokens are not new; 0 of another row, and where it does not go on from what it was."""
        before = self._ids.get(key)
        if before is not None and ids[: len(before)] == before:
            run, old = self._ends[key], len(before)
        else:
            run, old = self.root, 0
        run, depth = self._descend(run, old, ids)
        if depth < len(ids):
            run = self._with(run, depth, ids[depth:])
        self._ids[key], self._ends[key] = ids, run
        return old

    def forget(self, key: object) -> None:
        """A row is not followed any more. What it wrote stays."""
        self._ids.pop(key, None)
        self._ends.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._ids

    def in_row(self, key: object, gram: Gram, before: int | None = None) -> int:
        """The greatest depth at which a gram ends in a row before some depth; 0 if it does not. None: its end."""
        most = (len(self._ids[key]) if before is None else before) - 1
        run: WrittenRun | None = self._ends[key]
        while run is not None:
            if end := run.last_end(gram, most):
                return end
            most = min(most, run.depth)
            run = run.base
        return 0

    def in_others(self, key: object, gram: Gram, count: int) -> Gram:
        """What follows a gram in another row, in the run where it stood last; or in this row, where tokens were taken
        back. Empty if it stands nowhere, or nothing follows it."""
        for run in reversed(self._runs.get(gram, ())):
            end = run.last_end(gram, run.end - 1)
            if end:
                return tuple(run.ids[end - run.depth : end - run.depth + count])
        return ()

    def _descend(self, run: WrittenRun, depth: int, ids: Gram) -> tuple[WrittenRun, int]:
        """As far down as the runs agree with a row: the run, and the depth in it."""
        while depth < len(ids):
            at = depth - run.depth
            size = min(len(run.ids) - at, len(ids) - depth)
            depth += _agreement(run.ids, at, ids, depth, size)
            child = run.children.get((depth, ids[depth])) if depth < len(ids) else None
            if child is None:
                break
            run = child
        return run, depth

    def _with(self, run: WrittenRun, depth: int, ids: Gram) -> WrittenRun:
        """The run that holds more tokens after a depth of a run: this one, if it ends there, else a new one."""
        if depth < run.end or run is self.root:
            child = WrittenRun(self.n, run, depth, run.last_tokens(depth, self.n - 1) if self.n > 1 else ())
            run.children[depth, ids[0]] = child
            run = child
        tail = run.last_tokens(run.end, self.n - 1) if self.n > 1 else ()
        end = run.end
        for token in ids:
            run.ids.append(token)
            end += 1
            tail = (*tail, token)[-self.n :]
            for size in range(1, self.n + 1):
                self._note(run, tail[-size:] if size <= len(tail) else (), size, end)
        return run

    def _note(self, run: WrittenRun, gram: Gram, size: int, end: int) -> None:
        """A gram ends at this depth of a run; an empty one: so many tokens do not lie before it."""
        if not gram:
            run.before[size - 1].append(0)
            return
        before = run.last.get(gram, 0)
        run.before[size - 1].append(before)
        run.last[gram] = end
        if not before:
            self._runs.setdefault(gram, []).append(run)


def _agreement(run: Sequence[int], at: int, ids: Gram, depth: int, size: int) -> int:
    """How many of `size` tokens of a run, from `at` on, are those of a row, from `depth` on."""
    if size > 1 and tuple(run[at : at + size]) == ids[depth : depth + size]:
        return size
    return next((i for i in range(size) if run[at + i] != ids[depth + i]), size)
