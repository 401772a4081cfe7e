"""Which values a model would have written in a field of a JSON text: a search of the likeliest, with proved bounds.

Only closed fields are searched: those for which the constraint left finitely many values, and not too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from outlines_cont.fsm.protocol import Defaults, FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary, pack, unpack
from outlines_cont.masses import MassNode
from outlines_cont.scores.best_first import BestFirst

MOST_STATES = 20_000  # of the guide that are looked at to count them
MOST_VALUES, LONGEST = 1 << 22, 64  # of a closed field: the dates of 10,000 years are fewer; and bytes of a value
SPACES = b" \t\n\r"
_BARE = re.compile(rb"-?[0-9][-+.0-9eE]*+")
_VALUE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|true|false|null|[\[{]|-?[0-9][-+.0-9eE]*+(?!\Z)', re.S)


class FieldPosterior(NamedTuple):
    """Which values a model would have written in a field, given all that stands before its value, and that this begins
    there.

    The law is the model's own, at temperature 1, of the values that the constraint allows. A value counts with all its
    spellings, and a number with the byte that ends it. Given are the tokens before the first one that writes a byte of
    the field, and the bytes that this one writes before it.

    Attributes:
        alternatives: JSON text → (lower, upper), between which its probability lies, likeliest first. An object or an
            array is named by its first byte.
        open: at most the probability of all values that are not listed.
        positions: how many positions of the model were read for it.
        drift: by how much, relatively, the masses of the likeliest value's tokens changed when they were read again.

    >>> schema = {"properties": {"job": {"enum": ["painter", "baker"]}}, "required": ["job"]}
    >>> record = oc.continuous(oc.generate.json(model, schema, oc.samplers.greedy()), name="record")
    >>> fields = record("Mira is a painter.\\nJSON with job: ").captures.fields("record").posteriors()
    >>> posterior = fields.one["/job"].posterior
    >>> next(iter(posterior.alternatives)), posterior.open < 0.01, posterior.positions > 0
    ('"painter"', True, True)
    """

    alternatives: dict[str, tuple[float, float]]
    open: float
    positions: int
    drift: float


class FieldSearch(BestFirst):
    """A search of the values that texts of a `FieldGuide` have written; `healed` is what stands before these.

    A token may go on beyond the value. So all that is open, and begins like a value, counts for it.
    """

    def _value(self, node: MassNode) -> bytes:
        match = _VALUE.match(node.text, len(self.healed)) or _BARE.match(node.text, len(self.healed))
        assert match is not None
        return match[0]

    def open_for(self, value: bytes) -> Iterator[float]:
        """The masses of what is open and may still become this value."""
        whole = self.healed + value
        return (self.mass_of(entry) for entry in self.heap if whole.startswith(entry[2].text))

    @property
    def posterior(self) -> FieldPosterior:
        """What is known of the field."""
        assert self.masses is not None
        lower, unknown, slack, bounds = self.lower, self.open, 2 * self.slack, {}
        masses = {value: fsum(each) for value, each in self.found_masses.items()}
        for value, mass in sorted(masses.items(), key=lambda each: (-each[1], each[0])):
            more = fsum(self.open_for(value))
            low, high = mass / (lower + unknown) * (1 - slack), (mass + more) / (lower + more) * (1 + slack)
            bounds[value.decode("utf-8", "replace")] = (low, min(high, 1.0))
        opened = unknown / (lower + unknown) if unknown else 0.0
        return FieldPosterior(bounds, opened, self.masses.positions, self.drift)


State = tuple[GuideState, bytes]


@dataclass(frozen=True, eq=False)
class FieldGuide(Defaults):
    """Of the texts of a guide the part that writes one value, up to the token by which that is certain; a guide itself.
    Its states are those of the guide, with the text so far.

    Attributes:
        guide, begin: the guide of the whole text, and where it stood before the first token of the value.
        before: what this token writes before the value.
        vocabulary: that of the guide.
    """

    guide: FullGuide
    begin: GuideState
    before: bytes
    vocabulary: Vocabulary

    @property
    def initial(self) -> State:
        return self.begin, b""

    def mask(self, state: State) -> np.ndarray:
        at, text = state
        if self._ended(text):
            return pack(np.zeros(len(self.vocabulary), bool))
        mask = self.guide.mask(at)
        if len(text) > len(self.before):
            return mask
        allowed, tokens = unpack(mask, len(self.vocabulary)), self.vocabulary.tokens
        for token in np.flatnonzero(allowed).tolist():
            allowed[token] = self._fits(text + tokens[token])
        return pack(allowed)

    def advance(self, state: State, token: int) -> State | None:
        at, text = state
        longer = text + self.vocabulary.tokens[token]
        after = None if self._ended(text) or not self._fits(longer) else self.guide.advance(at, token)
        return None if after is None else (after, longer)

    def accepting(self, state: State) -> bool:
        at, text = state
        return self._ended(text) or (bool(_BARE.match(text, len(self.before))) and self.guide.accepting(at))

    def _ended(self, text: bytes) -> bool:
        """Whether the value is certain."""
        return _VALUE.match(text, len(self.before)) is not None

    def _fits(self, text: bytes) -> bool:
        """Whether the value begins where it should, as far as the text goes."""
        size = len(self.before)
        return text[:size] == self.before[: len(text)] and (len(text) <= size or text[size] not in SPACES)

    def closed(self) -> bool:
        """Whether there are at most `MOST_VALUES` values, none of them long; counted byte by byte."""
        bytes_of, special = self.vocabulary.tokens, self.vocabulary.special
        letters = {data: token for token, data in enumerate(bytes_of) if len(data) == 1 and token not in special}
        counts: dict[GuideState, int] = {}

        def count(state: State) -> int:
            at, text = state
            if at not in counts and len(counts) >= MOST_STATES:  # texts that are remembered, say: each its own state
                return MOST_VALUES + 1
            if at not in counts:
                counts[at] = MOST_VALUES + 1  # while it is counted: who comes back here may do so without end
                following = [after for token in letters.values() if (after := self.advance(state, token))]
                total = self.accepting(state) or any(self._ended(longer) for _, longer in following)
                for after in following if len(text) < len(self.before) + LONGEST else ():
                    total += 0 if total > MOST_VALUES or self._ended(after[1]) else count(after)
                counts[at] = total if len(text) < len(self.before) + LONGEST else MOST_VALUES + 1
            return counts[at]

        return 0 < count(self.initial) <= MOST_VALUES
