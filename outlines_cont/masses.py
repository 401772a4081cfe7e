"""The masses of prefixes: how likely a model writes a beginning of a text that a guide allows, as a trie that is read
node by node.

Whoever bounds the mass of a language, or draws from it exactly, asks only about the prefixes that matter, many in one
pass, and each once. All numbers are float64. What is left of a mass is added up, and never got by subtraction: a tiny
rest of something large would be nothing but rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, log
from typing import Any

import numpy as np
import torch

from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.kv.given_tokens import NO_PROBABILITY
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim

FIRST, WIDER = 1024, 16  # tokens that a node lists; and how many times as many when it is widened
WarpScores = Callable[[torch.Tensor], torch.Tensor]  # log-probabilities `[1, candidates]`, to others, not normalised


@dataclass(frozen=True, eq=False)
class MassRules:
    """Which texts a trie is of, and by which law.

    Attributes:
        guide: which tokens may follow.
        open_guide: the guide whose tokens go on with a text, if another one: a ban makes no end likelier.
        at_eos: whether the stop has the probability of all eos tokens; else that of all tokens that do not go on.
        stop_strings: a text ends where it has one of these.
        most: the most tokens of a text; those that end in its first `uncounted` bytes do not count.
        longest: the most tokens of prompt and text.
        cut: whether a text that has so many is one. Else only those are that end by then.
        temperature: that of the model, whose tokens all keep some probability.
        warp: None for the model's own law, in which what the guide forbids keeps its probability. Else the law is that
            of a sampler: its candidates are the tokens that are allowed and the stop, changed by this function.
    """

    guide: FullGuide
    open_guide: FullGuide | None = None
    at_eos: bool = False
    stop_strings: tuple[bytes, ...] = ()
    most: float = inf
    uncounted: int = 0
    longest: float = inf
    cut: bool = False
    temperature: float = 1.0
    warp: WarpScores | None = None


@dataclass(slots=True, eq=False)
class MassNode:
    """A prefix of the texts that are allowed.

    Attributes:
        ids, text: its tokens, after those of the prompt, and their bytes.
        state: where the guide stands; and `open_state`, where the other one does.
        log_mass: how likely the model writes it, after the prompt.
        ended: whether it is a whole text, after which nothing is asked: its `stop` is 1.
        is_read: whether it has been read, or need not be.
        tokens, shares: what may follow, likeliest first, int64; and how likely each does, float64.
        bounds: the bounds of the nodes of these, 1 where none was made.
        ends: how many of these are listed after each reading.
        others: the probability of the allowed tokens that are not listed.
        stop: the probability that the text ends here; and `own_stop`, the log of that at temperature 1.
        lost: the probability of all that is no beginning of a text.
        children: those that were made, by their place in `tokens`.
        bound: at least the probability that the model goes on from here so that a whole text is written.
        offset: log-probabilities of tokens at temperature 1 are temperature · log(share) + offset.
        spent: how many of its tokens count for the most that it may have.
        problem: why its logits are those of no law, if they are.
        refused: whether a text that ends here is not wanted after all.
    """

    ids: tuple[int, ...]
    text: bytes
    state: GuideState
    open_state: GuideState
    log_mass: float = 0.0
    parent: MassNode | None = None
    place: int = 0
    ended: bool = False
    is_read: bool = False
    tokens: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    shares: np.ndarray = field(default_factory=lambda: np.zeros(0))
    bounds: np.ndarray = field(default_factory=lambda: np.zeros(0))
    ends: tuple[int, ...] = ()
    others: float = 0.0
    stop: float = 0.0
    own_stop: float = 0.0
    lost: float = 0.0
    offset: float = 0.0
    spent: int = 0
    problem: Exception | None = None
    refused: bool = False
    children: dict[int, MassNode] = field(default_factory=dict)
    bound: float = 1.0
    claim: Claim | None = None

    def settle(self) -> None:
        """Take its bound anew, and those of all prefixes of it."""
        node: MassNode | None = self
        while node is not None:
            node.bound = min(1.0, float(node.shares @ node.bounds) + node.others + (0 if node.refused else node.stop))
            if node.parent is not None:
                node.parent.bounds[node.place] = node.bound
            node = node.parent

    def refuse(self) -> None:
        """The text that ends here is none that is wanted; of a node that is not read, none that begins with it is."""
        self.is_read = self.refused = True
        self.settle()


class Masses:
    """The trie of the texts that may follow a prompt.

    Attributes:
        ids, rules, vocabulary: the prompt, the texts, and their tokens.
        root: the empty text, or, where a text has been begun, that (`begun`).
        positions, passes: what was read.
        size: how many tokens all nodes list.
        user: what its owner wants to live as long.
    """

    def __init__(self, model: LanguageModel, ids: Sequence[int], rules: MassRules, begun: MassNode | None = None):
        self.model, self.ids, self.rules, self.vocabulary = model, tuple(ids), rules, rules.guide.vocabulary
        self.positions = self.passes = self.size = 0
        self.user: object = None
        other = rules.open_guide
        self.root = self._made(begun or MassNode((), b"", rules.guide.initial, other and other.initial))

    def _made(self, node: MassNode) -> MassNode:
        rules, full = self.rules, self._full(node)
        before = len(node.parent.text) if node.parent else len(node.text)
        node.ended = (full and rules.cut) or any(
            node.text.find(each, max(rules.uncounted, before - len(each) + 1)) >= 0 for each in rules.stop_strings
        )
        if not node.ended and not rules.at_eos and rules.guide.complete(node.state):
            node.ended = rules.open_guide is None or rules.open_guide.complete(node.open_state)
        if node.ended:
            node.is_read, node.stop = True, 1.0
        elif full and not rules.guide.accepting(node.state):
            node.is_read, node.bound = True, 0.0
        return node

    def _full(self, node: MassNode) -> bool:
        return node.spent >= self.rules.most or len(self.ids) + len(node.ids) >= self.rules.longest

    def child(self, node: MassNode, place: int) -> MassNode:
        """The prefix that goes on with one of a node's `tokens`."""
        child = node.children.get(place)
        if child is None:
            rules, token, share = self.rules, int(node.tokens[place]), float(node.shares[place])
            ids, text = (*node.ids, token), node.text + self.vocabulary.tokens[token]
            other = rules.open_guide and rules.open_guide.advance(node.open_state, token)
            state, log_mass = rules.guide.advance(node.state, token), node.log_mass + log(share) if share else -inf
            spent = node.spent + (len(text) > rules.uncounted)
            child = MassNode(ids, text, state, other, log_mass, node, place, spent=spent, claim=node.claim)
            node.children[place] = self._made(child)
            if child.is_read:
                child.settle()
        return child

    def need(self, node: MassNode) -> Need:
        """The logits after a node."""
        return Need(node.ids, (len(self.ids) + len(node.ids) - 1,), node.claim, self.ids)

    def read(self, nodes: Iterable[MassNode]) -> None:
        """Read those that are not read yet, in one pass; see `read_together`."""
        read_together([(self, [node for node in dict.fromkeys(nodes) if not node.is_read])])

    def list_next(self, node: MassNode, logits: torch.Tensor) -> None:
        """List the next tokens of a node, or more of them, by the logits after it, `[V]`."""
        scores = logits.detach().cpu().double().numpy()
        if not isfinite(top := float(scores.max())):
            raise ValueError(NO_PROBABILITY)
        rules, size, temperature = self.rules, len(scores), self.rules.temperature
        weights = np.exp((scores - top) / temperature)
        plain = weights if temperature == 1 else np.exp(scores - top)
        eos = list(self.vocabulary.eos)
        allowed = unpack(rules.guide.mask(node.state), size)
        allowed[eos] = False
        ends = ~allowed
        if rules.open_guide is not None:
            ends = ~unpack(rules.open_guide.mask(node.open_state), size)
            ends[eos] = True
        if rules.at_eos or not rules.guide.accepting(node.state):
            ends = np.zeros(size, bool)
            ends[eos] = rules.guide.accepting(node.state)
        if self._full(node):
            allowed = np.zeros(size, bool)
        inside, stop, lost = weights[allowed], float(weights[ends].sum()), float(weights[~(allowed | ends)].sum())
        total = float(inside.sum()) + stop + lost
        with np.errstate(divide="ignore"):
            of_all, of_stop = (total, stop) if plain is weights else (plain.sum(), plain[ends].sum())
            node.offset = float(temperature * np.log(total) - np.log(of_all))
            node.own_stop = float(np.log(of_stop / of_all))
            if rules.warp is None:
                shares, node.stop, node.lost = inside / total, stop / total, lost / total
            else:
                candidates = torch.from_numpy(np.log(np.append(inside, stop)))[None]
                impossible = not candidates.isfinite().any()  # then it draws nothing
                law = (candidates.exp() if impossible else torch.softmax(rules.warp(candidates), -1))[0].numpy()
                shares, node.stop = law[:-1], float(law[-1])
        tokens, listed = np.flatnonzero(allowed), len(node.tokens)
        if listed:
            new = np.isin(tokens, node.tokens, invert=True)
            tokens, shares = tokens[new], shares[new]
        width = WIDER * listed or FIRST
        order = np.argpartition(-shares, width)[:width] if len(shares) > width else np.arange(len(shares))
        order = order[np.lexsort((tokens[order], -shares[order]))]
        others, tokens = float(np.delete(shares, order).sum()), np.append(node.tokens, tokens[order])
        shares, bounds = np.append(node.shares, shares[order]), np.append(node.bounds, np.ones(len(order)))
        # in one piece: Ctrl-C may come between two lines, and the node is kept
        node.tokens, node.shares, node.bounds, node.ends, node.others, node.is_read = (
            *(tokens, shares, bounds),
            (*node.ends, len(tokens)),
            others,
            True,
        )
        self.size += len(order)

    def forget_keys(self) -> None:
        """Give up all claims on keys and values. What was read stays."""
        below = [self.root]
        while below:
            node = below.pop()
            node.claim = None
            below += node.children.values()


def read_together(
    parts: Sequence[tuple[Masses, Sequence[MassNode]]], again: Sequence[tuple[Masses, MassNode]] = ()
) -> Sequence[torch.Tensor]:
    """Read nodes of several tries of one model in one pass; those that are read already are listed further.

    again: nodes that were read, each with its trie. They stay as they are: the logits that are read now come back.

    ValueError if the logits after a node are those of no law: its `problem` says so, and all others are read.
    """
    each = [(masses, node) for masses, nodes in parts for node in nodes]
    if not (every := [*each, *again]):
        return ()
    model, needs = every[0][0].model, [masses.need(node) for masses, node in every]
    for need in needs[len(each) :]:
        forget(model, need.claim, need.wanted)
    logits, claims = read(model, needs)
    for (masses, node), line, claim in zip(each, logits, claims, strict=False):
        node.claim, masses.positions = claim, masses.positions + 1
        try:
            masses.list_next(node, line)
        except ValueError as error:
            node.problem = error
    for masses, nodes in parts:
        masses.passes += bool(nodes)
        for node in sorted(nodes, key=lambda node: -len(node.ids)):
            node.settle()
    for _, node in each:
        if node.problem is not None:
            raise node.problem
    return [*logits[len(each) :]]


def forget(model: Any, claim: Claim | None, positions: Iterable[int]) -> None:
    """Have tokens of a claim read again by whoever asks for their logits. (An engine of its own does so anyway.)"""
    tree = getattr(getattr(model, "language_model", model), "tree", None)
    if tree is not None and claim is not None:
        tree.forget_logits(claim, [position + 1 for position in positions])
