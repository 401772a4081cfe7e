"""The certified posterior of a field of a JSON text: which values a model would have written there, with bounds.

Only closed fields have one: those for which the constraint left finitely many values, and not too many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from heapq import heappop, heappush
from math import exp, fsum, inf
from typing import NamedTuple

import numpy as np

from outlines_cont.fsm.protocol import Defaults, FullGuide, GuideState
from outlines_cont.fsm.vocabulary import pack, unpack
from outlines_cont.masses import Masses, MassNode

MOST_VALUES, LONGEST = 1 << 22, 64  # of a closed field: the dates of 10,000 years are fewer; and bytes of a value
AT_ONCE = 8  # prefixes in a pass
ROUNDING = 64 * 2.0**-52  # of a product of so many factors, as a share of it
_VALUE = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"|true|false|null|[\[{]|-?[0-9][-+.0-9eE]*+(?=[^-+.0-9eE])',
    re.S,
)
_BARE = re.compile(rb"-?[0-9][-+.0-9eE]*")


class FieldPosterior(NamedTuple):
    """Which values a model would have written in a field, given the tokens before it and that the value begins there.

    Each counts with all its spellings, and a number with the byte that ends it. The law is the model's own, at
    temperature 1, of the values that the constraint allows. The tokens before are those before the first one that
    writes a byte of the field; what this one writes before the field is given, too.

    Attributes:
        alternatives: JSON text → (lower, upper), between which its probability lies, likeliest first. An object or an
            array is named by its first byte, "{" or "[".
        open: at most the probability of all values that are not listed.
        positions: how many prefixes were read.
    """

    alternatives: dict[str, tuple[float, float]]
    open: float
    positions: int


State = tuple[GuideState, bytes]


@dataclass(frozen=True, eq=False)
class FieldGuide(Defaults):
    """Of a guide the texts up to the end of one value: a guide itself. Its states hold the text so far.

    Attributes:
        guide: the guide of the whole text.
        begin: where it stood before the first token that writes the value.
        before: what this token writes before the value.
    """

    guide: FullGuide
    begin: GuideState
    before: bytes

    @property
    def vocabulary(self):  # type: ignore[override]
        """The tokens that the guide is about."""
        return self.guide.vocabulary

    @property
    def initial(self) -> State:
        """Before the first token."""
        return self.begin, b""

    def value(self, text: bytes, ended: bool = False) -> bytes | None:
        """The value that a text has written, if that is certain. ended: the text goes no further."""
        pattern = _BARE if ended else _VALUE
        match = pattern.match(text, len(self.before))
        return match and match[0]

    def fits(self, text: bytes) -> bool:
        """Whether the value may begin in a text: nothing else stands before it."""
        size = len(self.before)
        return text[:size] == self.before[: len(text)] and text[size : size + 1] not in (b" ", b"\t", b"\n", b"\r")

    def mask(self, state: State) -> np.ndarray:
        """The allowed tokens: see `Guide`."""
        at, text = state
        if self.value(text) is not None:
            return np.zeros((len(self.vocabulary) + 31) // 32, np.int32)
        mask = self.guide.mask(at)
        if len(text) > len(self.before):
            return mask
        allowed, tokens = unpack(mask, len(self.vocabulary)), self.vocabulary.tokens
        for token in np.flatnonzero(allowed).tolist():
            allowed[token] = token not in self.vocabulary.eos and self.fits(text + tokens[token])
        return pack(allowed)

    def advance(self, state: State, token: int) -> State | None:
        """The state after a token: see `Guide`."""
        at, text = state
        longer = text + self.vocabulary.tokens[token]
        if self.value(text) is not None or not self.fits(longer):
            return None
        after = self.guide.advance(at, token)
        return None if after is None else (after, longer)

    def accepting(self, state: State) -> bool:
        """Whether the value may end here: it has ended, or is a number after which the whole text may end."""
        at, text = state
        return self.value(text) is not None or (self.value(text, True) is not None and self.guide.accepting(at))

    def closed(self) -> bool:
        """Whether there are at most `MOST_VALUES` values, none of them long. Counted byte by byte, by tokens of one."""
        tokens = self.vocabulary.tokens
        letters = {tokens[i]: i for i in range(len(tokens)) if len(tokens[i]) == 1 and i not in self.vocabulary.special}
        counts: dict[GuideState, int] = {}

        def count(at: GuideState, text: bytes) -> int:
            if at in counts or len(text) > len(self.before) + LONGEST:
                return counts.get(at, MOST_VALUES + 1)
            counts[at] = MOST_VALUES + 1  # while it is counted: who comes back here may do so without end
            ended = {text} if self.value(text, True) is not None and self.guide.accepting(at) else set()
            total = 0
            for letter, token in letters.items():
                if total > MOST_VALUES:
                    break
                longer = text + letter
                if not self.fits(longer) or (after := self.guide.advance(at, token)) is None:
                    continue
                value = self.value(longer)
                if value is None:
                    total += count(after, longer)
                else:
                    ended.add(self.before + value)
            counts[at] = total + len(ended)
            return counts[at]

        return 0 < count(self.begin, b"") <= MOST_VALUES


def field_posterior(masses: Masses, width: float, positions: int) -> FieldPosterior:
    """Read prefixes of a field, the likeliest first, until what is open is at most `width` of what is known, or so many
    are read. masses: of a `FieldGuide`."""
    guide = masses.rules.guide
    assert isinstance(guide, FieldGuide)
    values: dict[bytes, list[float]] = {}
    frontier: list[tuple[float, int, MassNode]] = []  # −mass; a number, so that nodes are not compared
    unlisted: list[tuple[float, MassNode]] = []  # masses of tokens that a node does not list
    batch, depth = [masses.root], 0
    while batch:
        masses.read(batch)
        reached = [(node, node.stop) for node in batch]
        for node in batch:
            unlisted += [(exp(node.log_mass) * node.others, node)] if node.others else []
            for child in [masses.child(node, place) for place in range(len(node.tokens))]:
                depth = max(depth, len(child.ids))
                if child.ended:
                    reached.append((child, 1.0))
                elif child.log_mass > -inf:
                    heappush(frontier, (-exp(child.log_mass), masses.positions << 20 | len(frontier), child))
        for node, stop in reached:
            if stop:
                value = guide.value(node.text) or guide.value(node.text, ended=True)
                assert value is not None
                values.setdefault(value, []).append(exp(node.log_mass) * stop)
        left = [(-mass, node) for mass, _, node in frontier] + unlisted
        lower = {value: fsum(masses) for value, masses in values.items()}
        known, unknown = fsum(lower.values()), fsum(mass for mass, _ in left)
        batch = []
        while frontier and unknown > width * known and len(batch) < min(AT_ONCE, positions - masses.positions):
            batch.append(heappop(frontier)[2])
    slack = 2 * (depth + 8) * ROUNDING
    size, bounds = len(guide.before), {}
    for value, mass in sorted(lower.items(), key=lambda each: (-each[1], each[0])):
        more = fsum(other for other, node in left if value.startswith(node.text[size:]))
        most = (mass + more) / (known + more) * (1 + slack)
        bounds[value.decode("utf-8", "replace")] = (mass / (known + unknown) * (1 - slack), min(most, 1.0))
    return FieldPosterior(bounds, unknown / (known + unknown), masses.positions)
