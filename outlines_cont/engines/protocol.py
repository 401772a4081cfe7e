"""What computes logits, as protocols: `LanguageModel`, which all floors above use, and `Engine`, which one is made of.

Laws, draws, constraints, chains, beams and scores are pure functions of logits. So everything above this floor knows a
model by the members of `LanguageModel` only, and whatever has them may stand behind a state. There are two ways:

- An engine with slots has an addressable memory for keys and values. It is an `Engine`, and `SlotModel` makes a
  `LanguageModel` of it: the KV tree decides what is computed, and counts it.
- An engine with a cache of its own (a server, as a rule) is a `LanguageModel` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from types import NoneType
from typing import Any, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor

from outlines_cont.arguments import is_whole, shown
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.forward import Forward
from outlines_cont.kv.needs import Need, TokenRun
from outlines_cont.kv.pool import SlotPool
from outlines_cont.kv.radix_tree import Claim, Tree

# --- what somebody else gives for needs: logits and claims, checked alike wherever they come in
#
# Models, passes of an engine, callers of `step` and writers of rows give them. What is wrong is named with who gave it
# and what would be right.


def are_logits(value: Any, size: int, lines: int | None = None) -> bool:
    """Whether it is a dense tensor of floats `[lines, size]`. lines: None where the caller looks at them later.

    Nothing waits for the device: no number is looked at.
    """
    return (
        isinstance(value, Tensor)
        and not value.is_nested
        and value.layout is torch.strided
        and value.dim() == 2
        and value.shape[1] == size
        and (lines is None or value.shape[0] == lines)
        and value.is_floating_point()
        and not value.is_meta
    )


def logits_refused(value: Any, giver: str, right: str) -> Exception:
    """The error for what are no logits: a ValueError for another shape, a TypeError for all else.

    giver: who gave it, as "Server.read gave"; right: what the logits must be.
    """
    if not isinstance(value, Tensor):
        return TypeError(f"{giver} {outline(value)}, and logits are a tensor: {right}")
    if value.is_nested or value.layout is not torch.strided:
        kind = "a nested tensor" if value.is_nested else f"a tensor of layout {value.layout}"
        return TypeError(f"{giver} {kind}, and logits are dense: {right}")
    if not value.is_floating_point():
        return TypeError(f"{giver} logits of {value.dtype}, and logits are of a floating type: {right}")
    if value.is_meta:
        return TypeError(f"{giver} logits on the device meta, which have no numbers: {right}")
    return ValueError(f"{giver} logits {tuple(value.shape)}: {right}")


def check_answer(answer: Any, needs: Sequence[Need], size: int, giver: str) -> tuple[Tensor, list[Claim | None]]:
    """The logits and the claims that were given for needs. TypeError or ValueError for anything else.

    size: of the vocabulary.
    """
    lines = sum(len(need.wanted) for need in needs)
    right = f"({lines}, {size}), a line for each wanted position and a column for each token of the vocabulary"
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(
            f"{giver} {outline(answer)}: it must give logits and claims, for these needs a tensor of {right}, and a "
            f"list of {len(needs)}"
        )
    logits, claims = answer
    if not are_logits(logits, size, lines):
        raise logits_refused(logits, giver, f"its needs want {right}")
    check_claims(claims, len(needs), giver)
    return logits, list(claims)


def check_claims(claims: Any, count: int, giver: str) -> None:
    """TypeError for what is no list of so many claims, or None."""
    listed = isinstance(claims, (list, tuple)) and len(claims) == count
    if not listed or not {*map(type, claims)} <= {Claim, NoneType}:
        raise TypeError(
            f"{giver} claims {shown(claims)}: they must be a list with a claim, or None, for each of {count} needs"
        )


def outline(answer: Any) -> str:
    """The kinds and the shapes of what was given."""
    if isinstance(answer, (tuple, list)):
        inside = ", ".join(map(outline, answer[:3])) + ", …" * (len(answer) > 3)
        return f"({inside})" if isinstance(answer, tuple) else f"[{inside}]"
    kind = type(answer)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    if isinstance(answer, Tensor) and answer.is_nested:  # its shape cannot be asked for
        return f"{name} (nested)"
    return f"{name} {tuple(shape)}" if (shape := getattr(answer, "shape", None)) is not None else name


# a need, its lines of the logits (from, to), and a claim, or what its row holds; from −1 on where it is not answered
AnsweredNeed = tuple[Need, int, int, Any]


def answered_needs(
    logits: Any, claims: Any, pending: Sequence[Need], size: int, rows: Sequence[int] | None = None
) -> tuple[Tensor, Iterable[AnsweredNeed]]:
    """The logits that a step was given, their lines in the order of the needs; and each need with its own, and a claim;
    where no claims are given, with those that the needs have noted.

    size: of the vocabulary; rows: the places of the needs that are answered, None for all.
    """
    answered = pending if rows is None else [pending[row] for row in rows]
    ends = [0]
    for need in answered:
        ends.append(ends[-1] + len(need.wanted))
    if not are_logits(logits, size, ends[-1]):
        asks = "pending asks" if rows is None else f"rows={shown(list(rows))} of pending ask"
        raise logits_refused(logits, "step() got", f"{asks} for ({ends[-1]}, {size})")
    if claims is None:
        claims = [need.computed[0] if need.computed else None for need in answered]
    else:
        check_claims(claims, len(answered), "step() got")
    if rows is None:
        return logits, zip(pending, ends[:-1], ends[1:], claims, strict=True)
    return _in_order(logits, claims, pending, rows, ends)


def _in_order(
    logits: Tensor, claims: Sequence[Claim | None], pending: Sequence[Need], rows: Sequence[int], ends: Sequence[int]
) -> tuple[Tensor, Iterable[AnsweredNeed]]:
    """Answers of some needs, given in any order. ends: of their lines, after a 0."""
    order = sorted(range(len(rows)), key=rows.__getitem__)
    lines = [line for i in order for line in range(ends[i], ends[i + 1])]
    if lines != list(range(len(lines))):
        logits = logits[lines]
    answers: list[AnsweredNeed] = [(need, -1, -1, None) for need in pending]
    begin = 0
    for i in order:
        need = pending[rows[i]]
        answers[rows[i]] = need, begin, begin + len(need.wanted), claims[i]
        begin += len(need.wanted)
    return logits, answers


# --- protocol


class KeptRow(Protocol):
    """What a model has to know of a row to find its keys and values."""

    @property
    def ids(self) -> tuple[int, ...]:
        """The row's token ids."""
        ...

    @property
    def claim(self) -> Claim | None:
        """On the keys and values of its beginning, if it has one already."""
        ...

    def hold(self, claim: Claim | None, /) -> None:
        """Note a claim on more of them."""
        ...

    @property
    def dead(self) -> bool:
        """Whether the row stands for no sample, and has no tokens."""
        ...


R = TypeVar("R", bound=KeptRow)


class Counted(Protocol):
    """What a model counts: the members of `Stats` that a progress bar reads. None for what it cannot count."""

    @property
    def tokens(self) -> int | None:
        """Token positions that were computed."""
        ...

    @property
    def reused(self) -> int | None:
        """Positions that were needed and not computed again."""
        ...


class LanguageModel(Protocol):
    """A causal language model: it gives logits after tokens, and may have a cache.

    Generators take any object with these members; `oc.Model(language_model)` adds prompts, chats and calls.

    >>> from outlines_cont.engines.protocol import missing_members
    >>> missing_members(model), missing_members("gpt2")[:3]
    ([], ['vocabulary', 'encoder', 'context_length'])
    """

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of every token, and which tokens end a text. As large as a line of logits."""
        ...

    @property
    def encoder(self) -> Encoder:
        """Text ↔ token ids, at the start and in the middle of a row."""
        ...

    @property
    def context_length(self) -> int | None:
        """The most tokens that a row may have; None for no bound. Then calls must give `max_tokens`."""
        ...

    @property
    def device(self) -> torch.device:
        """Where logits lie, and the tensors of states."""
        ...

    @property
    def dtype(self) -> torch.dtype:
        """The number format of the parameters, for display."""
        ...

    @property
    def identity(self) -> str:
        """A digest that is equal for equal vocabularies and parameters, also in another process."""
        ...

    @property
    def stats(self) -> Counted:
        """Counts: `tokens`, the positions computed, and `reused`, those that were needed and not computed again."""
        ...

    def read(self, needs: Sequence[Need], /) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(need.wanted), V]`, in the order of the needs, and for each need a claim or None.

        A claim holds the keys and values of the tokens that were read. Equal tokens give equal logits up to rounding,
        whatever else is read with them. A need without wanted positions has no line: an engine that keeps keys and
        values computes those of its row, any other engine ignores it. ValueError for positions that a need does not
        have, and for rows longer than the context.
        """
        ...

    def claimed(self, row: R, /) -> R:
        """The row itself, after `row.hold(claim)` with a claim on its longest beginning that has keys and values."""
        ...

    def kv_lengths(self, rows: Iterable[KeptRow], /) -> list[int]:
        """For each row, how many of its first tokens have their keys and values kept now; 0 if that is not known."""
        ...


#: Which token comes next in some rows, from the logits `[rows, V]` after those that they have. Each row is given by its
#: handle and its number of tokens. None: the request ends there.
Answers = Callable[[Sequence[tuple[int, int]], Tensor], Sequence[int | None]]


class WrittenRow(NamedTuple):
    """What an engine reports of a row: how many tokens it has, and whether its request is over. The end that was
    answered (None) counts as a token."""

    length: int
    over: bool


class RowWriter(Protocol):
    """Rows that an engine writes in its own batches, and asks after its passes which token comes next.

    A language model with a cache of its own may offer that: `row_writer(answers)` makes one. It may ask for the same
    row at the same length again, and show other logits: those of the last time count, once `step` has reported the
    token. What `answers` raises, `step` raises.
    """

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held while rows are asked about. It can be held twice by a thread."""
        ...

    def add(self, tokens: Sequence[int], /) -> int:
        """Begin a row; its handle. The first question is about the logits after these tokens."""
        ...

    def drop(self, handle: int, /) -> None:
        """End a row that is not over."""
        ...

    def step(self) -> dict[int, WrittenRow]:
        """Make a pass, and report the rows that have become longer since the last report, or are over."""
        ...

    def close(self) -> None:
        """End all rows."""
        ...


class Engine(Protocol):
    """An engine with slots: it computes passes, and has an addressable memory for keys and values.

    `oc.Model(engine, tokenizer)` keeps a KV tree in slots of the engine's pool. The tree decides which tokens a pass
    computes, and never asks again for a token that it holds. Its locks, budgets, counts and versions are the same for
    every engine. Calls come one at a time, from any thread.

    An engine may have these as well:

    - `check()`: called before every pass; it raises a ValueError with the reason if the engine cannot compute now.
    - `keeps = False`: its keys and values cannot be kept exactly (a recurrent state, say). Then `forward` gets whole
      rows, each a run below the root that is not stored and has no slots; `pool` is asked for and not used.
    - `alone = True`, where `keeps` is False: logits after a token are right only at the end of a row. Then each run
      wants logits after its last token only.
    - `asynchronous`: whether `forward` may come back before the logits are computed. Without it: on all devices but
      the CPU.
    - `lock`: a lock that can be held twice by a thread (`threading.RLock`), for engines that share something.
    - `key_shift()`, where `pool` gives a `Pool`: a function that moves keys to other positions, for `oc.grafts.graft`
      (`outlines_cont.kv.forward.KeyShift`). ValueError, with the reason, if there is none. Without it, grafts keep
      their positions: then their tokens are those of other rows' slots.
    - `kv_layout()`, `copied(tree, slots)` and `put(tree, run, copies, start)`, all three, for keys and values on disk:
      `outlines_cont.store.copies.CopyingEngine` describes them. Without them, `store=` and `save(kv=True)` are refused.
    - `window`, beside `key_shift`: how many tokens its layers see, if some of them see only the last ones, else None.
      In longer rows no keys are moved.
    - `name` and `tier`, for `repr(model)`: what it is (without it, the name of its class), and how it keeps keys and
      values.
    - `larger_context`: how users get a larger context, for the error of a row that is too long.
    - what else users should have of it: `model.engine` is the engine, and `model.x` is `model.engine.x` for all names
      that models do not have themselves.

    docs/engines.md has a whole one.

    >>> from outlines_cont.engines.protocol import missing_members
    >>> missing_members(model.engine, oc.stepping.Engine)
    []
    >>> oc.Model(model.engine, model.tokenizer).engine is model.engine
    True
    """

    @property
    def n_vocab(self) -> int:
        """The number of logits after a token."""
        ...

    @property
    def eos(self) -> Sequence[int]:
        """The ids that end a text, according to the model's own files. Those of the tokenizer are added."""
        ...

    @property
    def context_length(self) -> int | None:
        """The most tokens that a row may have; None if there is no bound."""
        ...

    @property
    def device(self) -> torch.device:
        """Where the logits lie, and the tensors of states."""
        ...

    @property
    def dtype(self) -> torch.dtype:
        """The number format of the parameters, for display."""
        ...

    def pool(self) -> SlotPool:
        """An empty pool of slots, for a new KV tree. `outlines_cont.kv.pool.Pool` is one that is made of tensors."""
        ...

    def forward(self, tree: Tree, runs: Sequence[TokenRun], /) -> tuple[Tensor, int]:
        """Compute the tokens of some runs. Returns the logits `[wanted, V]`, and the number of passes.

        runs: parents first. Run i has the tokens `ids`, the first of them at position `depth` of its rows. Above it are
        the tokens in the slots `run.slots_above(tree)`. Its keys and values go to `run.slots`; if it is not `stored`,
        they are there already, and only the logits are wanted.

        The logits are those after `run.wanted_tokens()` of each run, in the order of the runs. Equal tokens after equal
        tokens give equal logits, up to rounding, whatever else is in the pass.
        """
        ...

    def version(self) -> int:
        """A number that changes whenever the parameters change. After a change, keys and values are computed again."""
        ...

    def identity(self) -> str:
        """A digest of the parameters, equal for equal parameters, also in another process. It may take a while: it is
        needed when a state is saved, once for each version."""
        ...


def checked_forward(engine: Engine) -> Forward:
    """The passes of an engine. TypeError and ValueError for an answer that is no tensor `[lines, n_vocab]` and a count.
    (`outlines_cont.kv.forward` knows how many lines there must be, and looks at that.)"""
    n_vocab = engine.n_vocab

    def forward(tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        answer = engine.forward(tree, runs)
        if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], Tensor):
            raise TypeError(
                f"{forward.__qualname__} gave {outline(answer)}: it must give a tensor of logits [wanted, {n_vocab}], "
                "and how many passes that took"
            )
        if not are_logits(answer[0], n_vocab) and not _is_empty(answer[0]):
            right = f"n_vocab is {n_vocab}, so they must be [wanted, {n_vocab}]"
            raise logits_refused(answer[0], f"{forward.__qualname__} gave", right)
        if type(answer[1]) is not int and not is_whole(answer[1]):
            raise TypeError(f"{forward.__qualname__} gave {outline(answer)}: the second is a count of passes, an int")
        return answer

    forward.__qualname__ = f"{type(engine).__name__}.forward"
    return forward


def _is_empty(logits: Tensor) -> bool:
    """Of a pass that wants none: a tensor of any shape."""
    return not logits.is_nested and logits.dim() > 0 and not len(logits)


def how_to_enlarge(model: LanguageModel) -> str:
    """What errors say of a row that is too long, besides the length of the context: how to get a longer one, if so."""
    hint = getattr(model, "larger_context", "")
    return f"; {hint}" if hint else ""


def members_of(protocol: type) -> list[str]:
    """The names that an object has to have."""
    return [name for name in vars(protocol) if not name.startswith("_")]


def keeps(model: LanguageModel) -> bool:
    """Whether a model keeps what it reads now. One that keeps nothing may say so, by an attribute: `keeps = False`."""
    return getattr(model, "keeps", True)


def read(model: LanguageModel, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
    """What a model reads, checked: all that is read above this floor is read here.

    TypeError or ValueError, by the name of the model's class, for what are no logits and claims of these needs.
    """
    return check_answer(model.read(needs), needs, len(model.vocabulary), f"{type(model).__name__}.read gave")


def kept_logits(model: LanguageModel, row: KeptRow, positions: Iterable[int]) -> dict[int, Tensor]:
    """The logits `[V]` after these positions of a row that a model still has, which computes nothing for that. A model
    that keeps some may say so, by a method of this name. TypeError or ValueError for what are no logits."""
    method = getattr(model, "kept_logits", None)
    if method is None:
        return {}
    wanted, giver = list(positions), f"{type(model).__name__}.kept_logits gave"
    kept, size = method(row, wanted), len(model.vocabulary)
    if not isinstance(kept, dict) or not kept.keys() <= set(wanted):
        raise TypeError(f"{giver} {shown(kept)}: it must give a dict with logits ({size},) of some of {wanted}")
    for logits in kept.values():
        line = logits[None] if isinstance(logits, Tensor) and not logits.is_nested else logits
        if not are_logits(line, size, 1):
            raise logits_refused(logits, giver, f"after a position they are ({size},)")
    return kept


def asynchronous(model: LanguageModel) -> bool:
    """Whether its `read` may come back before the logits are computed, for which those wait who look at them. Such a
    model says so, by an attribute: `asynchronous = True`. Meanwhile its rows are prepared for the next step."""
    return getattr(model, "asynchronous", False)


def missing_members(model: Any, protocol: type = LanguageModel) -> list[str]:
    """Which members of a protocol an object lacks. Nothing of it is computed."""
    attributes = getattr(model, "__dict__", {})
    return [name for name in members_of(protocol) if name not in attributes and not hasattr(type(model), name)]
