"""Many byte strings, each with what may follow it, as tries that are made as they are walked."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, groupby
from operator import itemgetter
from typing import NamedTuple

from .nodes import EMPTY, VOID, Bounds, Lazy, Node, SpellClass, SpellWord, alt, cat, symbol
from .terms import alphabet, longest, shortest, substitute

# --- literal byte strings, and sets of them as tries that are made as they are walked


class Words(Lazy):
    """The tails, from `depth` on, of sorted distinct byte strings that agree before it: a trie."""

    __slots__ = ("depth", "words")

    def __init__(self, words: Sequence[bytes], depth: int):
        self.nullable, self.words, self.depth = len(words[0]) == depth, words, depth

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        words, depth, edges = self.words, self.depth, []
        start = int(self.nullable)
        while start < len(words):
            byte, stop = words[start][depth], start + 1
            while stop < len(words) and words[stop][depth] == byte:
                stop += 1
            ends = stop == start + 1 and len(words[start]) == depth + 1
            edges.append((symbol(byte), EMPTY if ends else Words(words[start:stop], depth + 1)))
            start = stop
        return edges

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        tails = [word[self.depth :] for word in self.words]
        spelled = [new for tail in tails if (new := spell_word(tail)) is not None]
        return self if spelled == tails else words(spelled)

    def symbols(self) -> set[int]:
        return set().union(*(word[self.depth :] for word in self.words))

    def lengths(self) -> Bounds:
        sizes = [len(word) - self.depth for word in self.words]
        return min(sizes), max(sizes)


class Branches(Lazy):
    """Several words, each with what follows it; that is only made when a walk gets there.

    Attributes:
        words: sorted; none begins with another.
    """

    __slots__ = ("words",)
    words: Sequence[bytes]

    @abstractmethod
    def after(self, i: int) -> Lazy:
        """What follows word i: not nullable."""

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return [(literal(word), self.after(i)) for i, word in enumerate(self.words)]


@lru_cache(maxsize=4096)
def literal(data: bytes) -> Node:
    """These bytes."""
    return Words((data,), 0) if data else EMPTY


def words(options: Iterable[bytes]) -> Node:
    """Any one of these byte strings, as a trie: sorting is all the work done now."""
    ordered = sorted(set(options))
    if not ordered:
        return VOID
    if ordered[0]:
        return Words(ordered, 0)
    return alt(EMPTY, Words(ordered[1:], 0)) if len(ordered) > 1 else EMPTY


# --- many texts, each with what may follow it, as a trie that is made as it is walked; some may be struck out
#
# A node of the trie is a range of sorted entries that agree so far, less those that are struck out. There is one object
# for equal nodes. So to strike out one more makes anew what lies on the way to that one, and shares all else.
#
# Law:   L(entries.without(struck)) == the union of L(spell(e.text)) L(e.following) over the entries e not struck out

SpellCharacter = Callable[[str], Node]


class Entry(NamedTuple):
    """A text, whether nothing may follow it, and what else may (VOID: nothing else)."""

    text: str
    ends: bool
    more: Node

    @property
    def following(self) -> Node:
        """What may follow the text."""
        return alt(EMPTY, self.more) if self.ends else self.more


def _one_byte(character: str) -> Node:
    return symbol(ord(character))


class Entries:
    """Entries, by number in the order of their texts.

    Args:
        spell: what spells a character of a text.
        plain: the characters that are spelled as their byte.
    """

    def __init__(
        self, entries: Iterable[Entry], spell: SpellCharacter = _one_byte, plain: Callable[[str], bool] = lambda c: True
    ):
        self.entries, self.spell, self._is_plain = sorted(entries, key=lambda entry: entry.text), spell, plain
        self.texts = [entry.text for entry in self.entries]
        simple = (entry.ends and entry.more is VOID and all(map(plain, entry.text)) for entry in self.entries)
        self._not_words = [0, *accumulate(not is_word for is_word in simple)]  # how many of the first n are no words
        self._made: dict[tuple[int, int, int, int], Node] = {}

    def spelled(self, text: str) -> Node:
        """A text, each of its characters as it is spelled."""
        parts = (
            [literal("".join(run).encode())] if is_plain else map(self.spell, run)
            for is_plain, run in groupby(text, self._is_plain)
        )
        return cat(*chain.from_iterable(parts))

    def without(self, struck: int = 0) -> Node:
        """All but the entries that are struck out, a set of bits by number; VOID if none is left."""
        return self.node(0, len(self.entries), 0, struck)

    def node(self, low: int, high: int, depth: int, struck: int) -> Node:
        """What follows `depth` characters in the entries from `low` to `high`, but for some (bit 0: entry `low`)."""
        if struck.bit_count() == high - low:
            return VOID
        key = (low, high, depth, struck)
        node = self._made.get(key)
        if node is None:
            if struck or self._not_words[high] > self._not_words[low] or len(self.texts[low]) == depth:
                node = Remaining(self, *key)
            else:
                words = dict.fromkeys(text.encode() for text in self.texts[low:high])  # distinct, and sorted
                node = Words([*words], depth)
            self._made[key] = node
        return node

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> tuple[Entries, list[int]]:
        """The entries of which something is left after a substitution; and their former numbers.

        A word is spelled character by character.
        """
        spelled: dict[str, Node] = {}
        left: list[tuple[Entry, int]] = []

        def is_plain(character: str) -> bool:
            return self._is_plain(character) and spell_word(character.encode()) == character.encode()

        def spell(character: str) -> Node:
            if character not in spelled:
                node = self.spell(character)
                if self._is_plain(character):
                    word = spell_word(character.encode())
                    spelled[character] = VOID if word is None else node if is_plain(character) else literal(word)
                else:
                    spelled[character] = substitute(node, leaf, spell_word)
            return spelled[character]

        for i, (text, ends, more) in enumerate(self.entries):
            if all(spell(c) is not VOID for c in text):
                entry = Entry(text, ends, more if more is VOID else substitute(more, leaf, spell_word))
                if entry.ends or entry.more is not VOID:
                    left.append((entry, i))
        left.sort(key=lambda pair: pair[0].text)  # which they are, and sorting keeps the order of equal ones
        return Entries([entry for entry, _ in left], spell, is_plain), [i for _, i in left]


def _common(a: str, b: str, start: int) -> int:
    """Up to where two texts are equal that are equal up to `start`."""
    least = min(len(a), len(b))
    return least if a is b else next((i for i in range(start, least) if a[i] != b[i]), least)


class Remaining(Lazy):
    """What follows the first `depth` characters of a range of entries, less those that are struck out."""

    __slots__ = ("depth", "entries", "high", "low", "struck")

    def __init__(self, entries: Entries, low: int, high: int, depth: int, struck: int):
        self.entries, self.low, self.high, self.depth, self.struck = entries, low, high, depth, struck
        self.nullable = any(entry.ends for entry in self._ended())

    def _ended(self) -> Iterable[Entry]:
        """The entries whose text ends here."""
        for i in range(self.low, self.high):
            if len(self.entries.texts[i]) > self.depth:  # the shortest come first
                return
            if not self.struck >> (i - self.low) & 1:
                yield self.entries.entries[i]

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        entries, depth = self.entries, self.depth
        texts, start = entries.texts, self.low
        common = _common(texts[start], texts[self.high - 1], depth)  # of all: they are sorted
        if common > depth + 1:
            alone, spelled = self.high - start == 1, entries.spelled(texts[start][depth:common])
            after = entries.entries[start].following if alone else entries.node(start, self.high, common, self.struck)
            return [(spelled, after)]
        while start < self.high and len(texts[start]) == depth:
            start += 1
        edges = [(entry.more, EMPTY) for entry in self._ended() if entry.more is not VOID]
        while start < self.high:
            character = texts[start][depth]
            stop = bisect_right(texts, character, start, self.high, key=itemgetter(depth))
            struck = self.struck >> (start - self.low) & ((1 << (stop - start)) - 1)
            if stop == start + 1 and not struck and len(texts[start]) == depth + 1:
                edges.append((entries.spell(character), entries.entries[start].following))
            else:
                after = entries.node(start, stop, depth + 1, struck)
                if after is not VOID:
                    edges.append((entries.spell(character), after))
            start = stop
        return edges

    def _left(self) -> list[Entry]:
        """The entries that are left, each with the text that follows here."""
        entries = self.entries.entries[self.low : self.high]
        left = (entry for i, entry in enumerate(entries) if not self.struck >> i & 1)
        return [entry._replace(text=entry.text[self.depth :]) for entry in left]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        entries = Entries(self._left(), self.entries.spell, self.entries._is_plain)
        return entries.substituted(leaf, spell_word)[0].without()

    def symbols(self) -> set[int]:
        left = self._left()
        spelled = map(self.entries.spell, set().union(*(entry.text for entry in left)))
        return set().union(*map(alphabet, (*spelled, *dict.fromkeys(entry.more for entry in left))))

    def lengths(self) -> Bounds:
        shortest_of = {c: shortest(self.entries.spell(c)) for c in set("".join(entry.text for entry in self._left()))}
        longest_of = {c: longest(self.entries.spell(c)) for c in shortest_of}
        low, high = [], []
        for text, ends, more in self._left():
            low.append(sum(shortest_of[c] for c in text) + (0 if ends else shortest(more)))
            tail = 0 if more is VOID else longest(more)
            sizes = [*(longest_of[c] for c in text), tail]
            high.append(None if None in sizes else sum(size or 0 for size in sizes))
        return min(low), None if None in high else max(size or 0 for size in high)
