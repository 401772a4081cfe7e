"""The probe: whether a backend gives what a model's own plain forwards give, on a small tree of rows.

Three rows are read whole, in one plain forward; then two passes of a backend read the beginnings of two of them, and what
follows: rows that go on, fork, and branch off a crop, and tokens that are read again. That is three forwards for the
backend that fits, and they are short. The answers are compared at every position, and as a rule before the model's head
(`BeforeHead`): the logits of a large vocabulary cost more than all layers of a small model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from outlines_cont.engines.hf.full_forward import OtherCount, full_forward
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.kv.read_plan import TokenRun

LENGTH = 14  # tokens of a row that is read whole
KEPT = 8  # of them the tree has when the second pass begins
READ = 12  # of them a backend reads: fewer than the whole, so that what a forward does at its end is seen
HEAD_POSITIONS = 3  # that the head is asked about at first

BackendForward = Callable[[PreTrainedModel, Tree, Sequence[TokenRun]], tuple[Tensor, int]]
Row = tuple[int, ...]


class NotHeard(Exception):
    """What the head is given cannot be found, or its answer to a position depends on the others: logits tell."""


class BeforeHead:
    """Stands for a model; in the place of its logits it gives what its head is given, `[B, T, hidden size]`.

    A head, and what a model does with its logits (a scale, a softcap), treats each position by itself. That is tested,
    too: at first the head is asked about three positions of the last row, and at every later forward about one of
    these alone, instead of what is its own. NotHeard if the head is not called once with all positions of a forward,
    or if `agrees` finds that the answers differ.
    """

    def __init__(self, hf: PreTrainedModel):
        self._hf = hf
        self._asked: Tensor | None = None  # [1, HEAD_POSITIONS, hidden size]
        self._logits: list[Tensor] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hf, name)

    def __call__(self, **inputs: Any) -> Any:
        given: list[Tensor] = []
        hook = self._hf.get_output_embeddings().register_forward_pre_hook(partial(self._ask, given), prepend=True)
        try:
            logits = self._hf(**inputs).logits
        finally:
            hook.remove()
        positions = 1 if self._logits else HEAD_POSITIONS
        if [states.shape[:-1] for states in given] != [inputs["input_ids"].shape] or logits.shape[:-1] != (1, positions):
            raise NotHeard
        self._logits.append(logits[0])
        return SimpleNamespace(logits=given[0])

    def _ask(self, given: list[Tensor], head: nn.Module, args: tuple[Any, ...]) -> Any:
        if not args or not isinstance(args[0], Tensor) or args[0].dim() != 3:
            raise NotHeard
        given.append(args[0])
        if self._asked is None:
            self._asked = args[0][-1:, -HEAD_POSITIONS:]
            return (self._asked, *args[1:])
        at = self._at(len(self._logits))
        return (self._asked[:, at : at + 1], *args[1:])

    @staticmethod
    def _at(forward: int) -> int:
        """About which of the positions the head is asked at this forward: the first one and the last in turn."""
        return 0 if forward % 2 else HEAD_POSITIONS - 1

    def logit_count(self) -> int:
        """How many logits the model gives after a token."""
        return self._logits[0].shape[-1]

    def agrees(self) -> bool:
        """Whether the head's answer to a position is the same alone and beside others."""
        first, *others = self._logits
        at = [self._at(forward) for forward in range(1, len(self._logits))]
        return not others or _agree([(torch.cat(others), first[at])])


class Probe:
    """The rows, with their known answers.

    Args:
        hf: the model.
        ids: some different token ids, among them the padding id if there is one.
        before_head: whether to compare what the head is given. If not, logits are compared.
        one_by_one: whether each row is read in a plain forward of its own.

    Attributes:
        n_vocab: how many logits the model gives after a token. A forward says so: a quantised head does not in its shape.
        one_by_one: as given; True also after `by_length` has found that rows of one forward change each other.
    """

    def __init__(self, hf: PreTrainedModel, ids: Sequence[int], before_head: bool, one_by_one: bool):
        self._whole, self.one_by_one = hf, one_by_one
        self._before_head = BeforeHead(hf) if before_head else None
        self.hf = cast(PreTrainedModel, self._before_head or hf)
        first, second, self._other = (_row(ids, start) for start in (1, 6, 11))
        self._rows = [first, second, second[:KEPT] + self._other[KEPT:]]
        try:
            self._plain = self._read(self._rows)
        except OtherCount:
            raise
        except Exception as error:
            if before_head:
                raise NotHeard from error
            name, cause = type(hf).__name__, f"{type(error).__name__}: {error}"
            bare = "" if hf.get_output_embeddings() is not None else "; it has no head: load it with AutoModelForCausalLM"
            raise ValueError(f"{name} cannot be served: its own forward of {LENGTH} tokens fails ({cause}){bare}") from error
        self.n_vocab = self._before_head.logit_count() if self._before_head else self._plain[0].shape[-1]
        self._scale = _spread(torch.cat(self._plain)) if self._before_head else 1.0

    def _read(self, rows: Sequence[Row]) -> list[Tensor]:
        """What plain forwards give at every token of equally long rows."""
        if self.one_by_one:
            return [full_forward(self.hf, [row])[0] for row in rows]
        return list(full_forward(self.hf, rows))

    def fails(self, name: str, forward: BackendForward) -> str:
        """The reason against the backend of this name; empty if its forward gives the known answer.

        NotHeard if the head does not treat each position by itself.
        """
        first, second, third = self._rows
        new = tuple(range(KEPT, READ))
        try:
            tree, forward = Tree(), partial(forward, self.hf)
            rows = [first[:READ], second[:KEPT] + self._other[: READ - KEPT]]
            begun, claims, _ = read_logits(forward, tree, [Need(row, tuple(range(READ))) for row in rows])
            tree.forget_logits()
            after, _, _ = read_logits(forward, tree, [Need(row[:READ], new) for row in (first, second, third)])
            del claims  # until now they kept the keys and values alive
        except NotHeard:
            raise
        except Exception as error:
            return f"the {name} tier does not fit it ({type(error).__name__}: {error})"
        found = [begun[:READ], begun[READ : READ + KEPT], *after.split(len(new))]
        known = [self._plain[0][:READ], self._plain[1][:KEPT], *(plain[KEPT:READ] for plain in self._plain)]
        if not self._agree(found, known):
            return f"the {name} tier gives other logits than its own forward"
        if self._before_head and not self._before_head.agrees():
            raise NotHeard
        return ""

    def by_length(self) -> bool:
        """Whether the logits after a token depend on how many tokens follow it, though not on which.

        ValueError if they depend on the tokens that follow: then no backend is exact.
        """
        [short] = self._read([self._rows[1][:KEPT]])
        if not self.one_by_one and not self._agree([short], [self._plain[1][:KEPT]]):
            self.one_by_one = True
            self._plain = self._read(self._rows)
        if self._agree([short], [self._plain[1][:KEPT]]):
            return False
        if self._agree([self._plain[2][:KEPT]], [self._plain[1][:KEPT]]):
            return True
        raise ValueError(
            f"{type(self._whole).__name__} cannot be served: its logits at a token depend on the tokens after it. Either "
            "it is not a causal language model as it is configured, or its layers quantise their inputs with one scale "
            "for a whole forward, as quantize_dynamic makes them (then quantise its weights only)"
        )

    def _agree(self, found: Sequence[Tensor], known: Sequence[Tensor]) -> bool:
        return _agree([*zip(found, known, strict=True)], self._scale)


def can_be_heard(hf: PreTrainedModel) -> bool:
    """Whether `BeforeHead` may stand for a model: not where somebody's function may look at its logits (a `forward`
    put in place of another, other than accelerate's), and not where it is compiled: with our hook in it."""
    modules = list(hf.modules())
    compiled = any("_orig_mod" in module._modules or module._compiled_call_impl is not None for module in modules)
    patched = any("forward" in vars(module) and not hasattr(module, "_hf_hook") for module in modules)
    return isinstance(hf.get_output_embeddings(), nn.Module) and not compiled and not patched


def _row(ids: Sequence[int], start: int) -> Row:
    """A row of different tokens, one of them the last of `ids`."""
    places = [*range(1, LENGTH // 2), 0, *range(LENGTH // 2, LENGTH)]
    return tuple(ids[-1] if place == 0 else ids[(start + place * (place + 3) // 2) % len(ids)] for place in places)


def _spread(states: Tensor) -> Tensor:
    """By how much each number of hidden states `[T, H]` varies between positions: a measure for its errors. Some of
    them are large everywhere, and say little."""
    spread = states.float().std(0)
    least = torch.maximum(0.1 * spread.median(), 1e-3 * states.float().pow(2).mean().sqrt())
    return torch.maximum(spread, least)


def _agree(pairs: Sequence[tuple[Tensor, Tensor]], scale: Tensor | float = 1.0) -> bool:
    """Whether numbers `[T, …]` are equal up to rounding, measured by `scale`: everywhere in float32, at most positions
    in half precision, where a rounded router or a rounded score may go either way."""
    errors = torch.cat([((a - b) / scale).abs().amax(-1) / (b / scale).abs().max() for a, b in pairs])
    if pairs[0][0].dtype in (torch.float32, torch.float64):
        return bool((errors <= 1e-4).all())
    return bool(errors.median() <= 5e-2)
