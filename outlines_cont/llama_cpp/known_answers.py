"""What a file and the library must be able to do, tried by known answers: whole rows, beside the same rows in parts."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from outlines_cont.engines.protocol import Engine
from outlines_cont.errors import ContextFull, ModelFileError
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.needs import Need, TokenRun
from outlines_cont.kv.radix_tree import Tree

# --- whether rows can be forked, cropped and branched exactly: a known answer, tried when a file is loaded

#: How far logits may lie apart, relative to the largest one: everywhere if all is float32; at most positions of two
#: plain rows if parameters, or keys and values, are rounded. (llama.cpp rounds in float32 files, too: 6e-4 on Gemma 3.)
EXACT, ROUNDED = 2e-3, 5e-2
#: How far rounded logits after a branch may lie from those of its row, relative to those of the nearest row that has
#: other tokens before the branch. On Gemma 3 in 4 bits they are at 0 to .28, and at up to .56 with keys in 4 bits, too.
NEAR = 2 / 3

Row = tuple[int, ...]


def fails(engine: Engine, tolerance: float, name: str) -> str:
    """The reason why no keys and values can be kept; empty if a tree of rows gives the logits of whole rows.

    tolerance: EXACT, ROUNDED, or 0 for equal bits; name: of the file, for the error. ModelFileError if its logits are
    no laws of tokens, or if those after a token depend on the tokens after it.
    """
    line = tuple(i * (i + 7) * 5 % engine.n_vocab for i in range(1, 9))
    trunk, first, second, third = line[:4], line[4:6], line[6:8], line[3:4]
    calls: list[list[Row]] = [
        [trunk],
        [trunk + first, trunk[:2] + second, trunk + third],
        [trunk + first + second, trunk[:2] + second, trunk[:1], second],
    ]
    # the branches, and what may be before them
    contexts: list[tuple[Row, list[Row]]] = [
        (first, [(), trunk[:2], trunk]),
        (second, [(), trunk[:2], trunk, trunk + first]),
        (third, [(), trunk]),
    ]
    others = [context + branch for branch, before in contexts for context in before]
    plain = _plain(engine, list(dict.fromkeys([*(row for call in calls for row in call), *others])))
    if not all(_are_laws(logits) for logits in plain.values()):
        raise ModelFileError(
            f"{name}: it is damaged, or its parameters are too large to compute with: it gives logits that hold NaN or "
            "+inf, or are all equal"
        )
    if not _agree(tolerance, [(plain[line][:4], plain[trunk])]):
        raise ModelFileError(
            f"{name}: its logits at a token depend on the tokens after it: it is no causal language model"
        )
    try:
        answers = _answers(engine, calls)
    except Exception as error:
        return f"branches do not fit it ({type(error).__name__}: {error})"
    if tolerance == ROUNDED:
        equal = all(_near(row, answer, plain, *context) for row, answer in answers for context in contexts)
    else:
        equal = _agree(tolerance, [(answer, plain[row]) for row, answer in answers])
    return "" if equal else "branches give other logits than whole rows"


def _answers(engine: Engine, calls: list[list[Row]]) -> list[tuple[Row, Tensor]]:
    """The logits `[T, V]` of the rows of all calls, through one tree."""
    tree, held = Tree(None, engine.pool()), list[Any]()
    answers: list[tuple[Row, Tensor]] = []
    for rows in calls:
        lines, claims, _ = read_logits(engine.forward, tree, [Need(row, tuple(range(len(row)))) for row in rows])
        held += claims
        answers += zip(rows, lines.split([len(row) for row in rows]), strict=True)
        tree.forget_logits()
    return answers


def _plain(engine: Engine, rows: list[Row]) -> dict[Row, Tensor]:
    """The logits `[T, V]` of whole rows."""
    tree = Tree(None, engine.pool())
    runs = [TokenRun(row, (tree.root, 0), 0, stored=False, marks=[(i, 0) for i in range(len(row))]) for row in rows]
    logits, _ = engine.forward(tree, runs)
    return dict(zip(rows, logits.split([len(row) for row in rows]), strict=True))


def _are_laws(logits: Tensor) -> bool:
    """Whether something can be drawn from logits `[T, V]`, and they tell one token from another."""
    least, most = logits.aminmax(dim=-1)
    return bool((most.isfinite() & ~least.isnan() & (least < most)).all())


def _agree(tolerance: float, pairs: list[tuple[Tensor, Tensor]]) -> bool:
    """Whether logits are equal up to rounding: everywhere if nothing is rounded, else at most positions."""
    errors = torch.cat([(a - b).abs().amax(-1) / b.abs().max() for a, b in pairs])
    return bool((errors.median() if tolerance == ROUNDED else errors).le(tolerance).all())


def _near(row: Row, answer: Tensor, plain: dict[Row, Tensor], branch: Row, contexts: list[Row]) -> bool:
    """Whether the logits of a branch, if the row ends in it, are those after its tokens alone, up to rounding."""
    above = row[: -len(branch)]
    if above not in contexts or row != above + branch:
        return True
    logits = [
        each[-len(branch) :] for each in (answer, plain[row], *(plain[c + branch] for c in contexts if c != above))
    ]
    given, right, *wrong = [each - each.mean(-1, keepdim=True) for each in logits]
    return bool((given - right).norm() <= NEAR * min((each - right).norm() for each in wrong))


def copies_fail(engine: Any, tolerance: float) -> str:
    """The reason why copies of keys and values cannot be used; empty if a row that goes on from copies of its beginning
    has the logits of the whole row. tolerance: as above. ContextFull: the memory has no room to try it.

    The whole row and those beside it are computed in one pass, whose branches are right: that was tried before.
    """
    line = tuple(i * (i + 7) * 5 % engine.n_vocab for i in range(1, 9))
    above, below = line[:6], line[6:]
    contexts = [above, (), line[:2], line[:4]]
    rows = [context + below for context in contexts]
    source = Tree(None, engine.pool())
    try:
        needs = [Need(row, (len(row) - 2, len(row) - 1)) for row in rows]
        logits, claims, _ = read_logits(engine.forward, source, needs)
        answer = _from_copies(engine, source, claims[0], line, [4, 6])
    except ContextFull:
        raise
    except Exception as error:
        return f"copies do not fit it ({type(error).__name__}: {error})"
    plain = dict(zip(rows, logits.split(2), strict=True))
    if tolerance == ROUNDED:
        equal = _near(line, answer, plain, below, contexts)
    else:
        equal = _agree(tolerance, [(answer, plain[line])])
    return "" if equal else "a row that goes on from copies has other logits than the whole row"


def _from_copies(engine: Any, source: Tree, computed: Any, line: Row, borders: list[int]) -> Tensor:
    """The logits `[tokens, V]` after the last border of a row, in a new tree with copies of what stands before it."""
    slots, tree = source.slots(computed.point), Tree(None, engine.pool())
    claim, point, start = None, (tree.root, 0), 0
    for end in borders:
        copies = engine.copied(source, slots[start:end])
        with tree.planning():
            run = TokenRun(line[start:end], point, start)
            run.slots = tree.take(len(run.ids))
            engine.put(tree, run, copies, 0)
            with tree.lock, tree.changing:
                run.place = tree.store(point, run.ids, run.slots)
                tree.stored()
                point = run.point(len(run.ids) - 1)
                claim = tree.hold(point)
        start = end
    logits, _, counts = read_logits(engine.forward, tree, [Need(line, tuple(range(start, len(line))), claim)])
    assert counts.tokens == len(line) - start
    return logits
