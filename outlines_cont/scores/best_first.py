"""The likeliest prefixes of a language first: what is known of its mass, and what is still open.

A text is its bytes: the masses of all its spellings are summed. Open are the prefixes that were not read, and the
tokens after a prefix that were not looked at. Nothing here is got by subtraction, so that a small number stays exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import exp, fsum, inf
from time import monotonic

import numpy as np

from outlines_cont.masses import Masses, MassNode, read_together

AT_ONCE = 16  # prefixes of a prompt that are read in one pass
LEFT = 0.25  # of the width: a pass leaves prefixes out that have less together
LEAST = -700.0  # nats: an open mass counts as no smaller, so that it is never 0
ROUNDING = 64 * 2.0**-52  # by so much, relatively, each token of a prefix may change a mass

#: What is open: minus its mass, a number of its own, a prefix, and which of its tokens is meant with all that come
#: after it; −1: the prefix itself, which is not read.
Entry = tuple[float, int, MassNode, int]


@dataclass(eq=False)
class BestFirst:
    """A search of one trie.

    Attributes:
        masses: what is searched; None of texts that are listed already.
        healed: the bytes that all texts begin with, which are no part of their values.
        included: whether the string that a text ends at is part of its value.
        stop_tokens: special tokens that a text ends at, which are never part of it.
        found_masses: by value, the masses of its spellings that were found.
        heap: what is open, the largest mass first.
        tails: of each prefix that was read: of each of its tokens the probability of this and all later ones.
        again: prefixes that were read twice, each with what the second reading says of it.
        likeliest: the mass of the likeliest spelling that was found, and its last prefix.
        depth: the most tokens of a prefix that was read.
    """

    masses: Masses | None = None
    healed: bytes = b""
    included: bool = False
    stop_tokens: frozenset[int] = frozenset()
    found_masses: defaultdict[bytes, list[float]] = field(default_factory=lambda: defaultdict(list))
    heap: list[Entry] = field(default_factory=list)
    tails: dict[MassNode, np.ndarray] = field(default_factory=dict)
    again: dict[MassNode, MassNode] = field(default_factory=dict)
    likeliest: tuple[float, MassNode | None] = (-inf, None)
    depth: int = 0
    pushed: int = 0

    def __post_init__(self) -> None:
        self.tokens: Sequence[bytes] = ()
        self.stop_strings: tuple[bytes, ...] = ()
        if self.masses is not None:
            self.tokens = self.masses.rules.guide.vocabulary.tokens
            self.stop_strings = self.masses.rules.stop_strings
            self._add(self.masses.root)

    # --- the search

    def next_nodes(self, most: int, width: float) -> list[MassNode]:
        """The likeliest prefixes to be read, at most so many: without those that the width will hardly need, and none
        if it is reached. They are not open until they are `taken`."""
        entries: list[Entry] = []
        left, lower, masses = self.open, self.lower, self.masses
        while masses and self.heap and len(entries) < AT_ONCE and (left > LEFT * width * (lower + left) or not entries):
            entry = heappop(self.heap)
            mass, _, node, place = entry  # minus the mass
            if place in (-1, len(node.tokens)):
                entries.append(entry)
            else:
                self._push(node, place + 1)
                child = masses.child(node, place)
                self._add(child)
                if not child.is_read:
                    continue
                lower -= mass
            left += mass
        if self.reached(width, fsum(map(self.mass_of, entries))):
            most = 0
        for entry in entries[most:]:
            heappush(self.heap, entry)
        return [node for _, _, node, _ in entries[:most]]

    def taken(self, node: MassNode) -> None:
        """A prefix was read, or lists more tokens than before."""
        again = node in self.tails
        self.tails[node] = np.cumsum(np.append(node.shares, node.others)[::-1])[::-1]
        if not again:
            self._ends(node)
        self._push(node, node.ends[-2] if again else 0)

    def _add(self, node: MassNode) -> None:
        if node.is_read:  # the guide says how it goes on
            self._ends(node)
        else:
            self._push(node, -1)

    def _ends(self, node: MassNode) -> None:
        self.depth = max(self.depth, len(node.ids))
        if node.stop:
            mass = exp(node.log_mass) * node.stop
            self.found_masses[self._value(node)].append(mass)
            self.likeliest = max(self.likeliest, (mass, node), key=lambda pair: pair[0])

    def _value(self, node: MassNode) -> bytes:
        text = node.text[len(self.healed) :]
        if node.ids and node.ids[-1] in self.stop_tokens:
            return text[: len(text) - len(self.tokens[node.ids[-1]])]
        hits = [(at, -len(each)) for each in self.stop_strings if (at := text.find(each)) >= 0]
        start, length = min(hits, default=(len(text), 0))
        return text[: start - length] if self.included else text[:start]

    def _push(self, node: MassNode, place: int) -> None:
        share = 1.0 if place < 0 else float(node.shares[place]) if place < len(node.shares) else node.others
        if share and node.log_mass > -inf:
            self.pushed += 1
            heappush(self.heap, (-share * _open_mass(node), self.pushed, node, place))

    # --- what is known

    @property
    def slack(self) -> float:
        """By so much, relatively, rounding may have changed a mass."""
        return ROUNDING * (self.depth + 8)

    @property
    def open(self) -> float:
        """The mass of all that is open."""
        return fsum(map(self.mass_of, self.heap))

    def mass_of(self, entry: Entry) -> float:
        """The mass of an entry, with all tokens that come after it."""
        _, _, node, place = entry
        return _open_mass(node) * (1.0 if place < 0 else float(self.tails[node][place]))

    @property
    def lower(self) -> float:
        """The mass of all texts that were found."""
        return fsum(mass for masses in self.found_masses.values() for mass in masses)

    def reached(self, width: float, aside: float = 0.0) -> bool:
        """Whether what is open, and this mass besides, is no more than this share of what was found."""
        opened = self.open + aside
        return not opened or opened * (1 + 2 * self.slack) <= width * self.lower

    @property
    def drift(self) -> float:
        """By how much, relatively, what follows each prefix of the likeliest text changed when it was read again."""
        return fsum(_moved(node, self.again[node]) for node in self.way() if node in self.again)

    def way(self, nodes: Sequence[MassNode] = ()) -> Iterator[MassNode]:
        """The prefixes that were read before the first of these; of none, those of the likeliest text, or of what is
        open."""
        node = nodes[0].parent if nodes else self.likeliest[1] or (self.heap[0][2] if self.heap else None)
        while node is not None:
            if node in self.tails:
                yield node
            node = node.parent

    def unchecked(self, nodes: Sequence[MassNode]) -> list[MassNode]:
        """Of the `way` what was read once; in the end also what may list more tokens before."""
        return [node for node in self.way(nodes) if node not in self.again and not (nodes and node.others)]

    def open_for(self, value: bytes) -> Iterator[float]:
        """The masses of what is open and may still become this value, as far as the bytes tell."""
        whole = self.healed + value
        for entry in self.heap:
            _, _, node, place = entry
            left, more = whole.removeprefix(node.text), node.text.removeprefix(whole)
            if not whole.startswith(node.text):
                begun = node.text.startswith(whole) and any(each.startswith(more) for each in self.stop_strings)
                yield self.mass_of(entry) * begun
            elif place < 0 or self.stop_strings:
                yield self.mass_of(entry)
            elif left:
                later = zip(node.tokens[place:].tolist(), node.shares[place:].tolist(), strict=True)
                fitting = (share for token, share in later if left.startswith(self.tokens[token]))
                yield from (_open_mass(node) * share for share in (*fitting, node.others))


def _open_mass(node: MassNode) -> float:
    return exp(max(node.log_mass, LEAST))


def _moved(node: MassNode, again: MassNode) -> float:
    """The difference of two readings of a node, over the probability of all that was looked into after it."""
    shares, places = dict(zip(again.tokens.tolist(), again.shares.tolist(), strict=True)), [*node.children]
    pairs = zip(node.tokens[places].tolist(), node.shares[places].tolist(), strict=True)
    both = [(node.stop, again.stop), *((share, shares.get(token, share)) for token, share in pairs)]
    return fsum(abs(a - b) for a, b in both) / (fsum(a for a, _ in both) or 1.0)


def search_together(searches: Sequence[BestFirst], width: float, positions: int, seconds: float) -> None:
    """Search until each has reached its width, or has read so many positions; at most so long. The prefixes of the
    likeliest texts are read again: in a pass that goes on with them, or in one of their own."""
    end = monotonic() + seconds
    by_masses = {search.masses: search for search in searches if search.masses is not None}
    while True:
        late, parts, again = monotonic() >= end, list[tuple[Masses, list[MassNode]]](), list[tuple[Masses, MassNode]]()
        for masses, search in by_masses.items():
            nodes = search.next_nodes(0 if late else min(AT_ONCE, positions - masses.positions), width)
            parts.append((masses, nodes))
            again += ((masses, node) for node in search.unchecked(nodes))
        if not again and not any(nodes for _, nodes in parts):
            return
        for (masses, node), logits in zip(again, read_together(parts, again), strict=True):
            second = MassNode(node.ids, node.text, node.state, node.open_state, spent=node.spent)
            by_masses[masses].again[node] = second
            masses.list_next(second, logits)
        for masses, nodes in parts:
            for node in nodes:
                by_masses[masses].taken(node)
