"""A vocabulary, cut by the character classes that constraints repeat.

Where a state repeats a class of characters (`[a-z]+`, `.{0,200}`, the inside of a JSON string), the tokens that consist
of such characters are allowed without looking at them, up to the length that is left; and of the others only those are
looked at that leave the class at a byte that the state can read. (llguidance's slices, with lengths and exits.)

A few classes are surveyed, each when it is first wanted (that of JSON strings with the first schema). What differs from
one of them by ASCII characters only, as nearly every class does, takes its slice from that: tokens with a character too
many are struck out, and a character that is missing is a byte by which the class is left.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np

from outlines_cont import disk_cache

from ..language.lengths import AtMost
from ..language.nodes import Class, Lazy, Ranges, complement, overlap, points, star
from ..patterns import characters, json_strings
from ..patterns.characters import CHARACTERS, TOP, utf8_class
from ..patterns.json_strings import MAY_STAND_PLAINLY, SURVEYED, TEXT_SPELLINGS
from ..patterns.parser import parse
from ..vocabulary import Vocabulary, pack
from . import layout
from .automaton import Automaton
from .native import engine
from .trie import WORTH_KEEPING, Trie, place, trie_of
from .trie import __file__ as trie_file

#: What is surveyed, as patterns: classes of ASCII, and others. (And `json_characters.SURVEYED`, as JSON spells them.)
EVERYDAY = ("[a-z]", "[A-Z]", "[a-zA-Z]", "[a-z0-9]", "[a-zA-Z0-9]", "[\x21-\x7e]", "[\x20-\x7e]")
EVERYDAY_BEYOND = (
    *("(?s:.)", r"[^\n\r\u2028\u2029]", r"[\S\x00-\x7f]", r"[\w\x00-\x7f]", r"[\w\s\x00-\x7f]"),
    *(r"[\d\x00-\x7f]", r"[\s\x00-\x7f]", r"\w", r"\d", r"\s"),
    r"[^\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]",  # `\S` of JSON Schema's patterns
)
SAMPLES = "é\u0663\xa0\u2028\u2603\ufeff"  # of characters beyond ASCII: most classes that differ there differ on these
FEW_CHARACTERS = 16  # a class of so many is walked as quickly
WORTHWHILE_NODES = 4096  # in a smaller trie, a walk takes no longer than a slice
LONGEST_TOKEN = 255  # bytes (the engine's CHAIN)
QUOTE, BACKSLASH = ord('"'), ord("\\")
#: What spells characters one by one, each with those that stand for themselves.
_PLAINLY = {utf8_class: CHARACTERS, **{x.characters: MAY_STAND_PLAINLY for x in TEXT_SPELLINGS.values()}}
LENGTHS = (*range(1, 13), 16, 24, 32, 48, 64, 96, 128, 192)

#: What surveys kept on disk depend on, besides the vocabulary.
SOURCES = (__file__, characters.__file__, json_strings.__file__, trie_file, Path(__file__).parent / "engine.ll")


class Survey:
    """The tokens of a vocabulary, or what is left of those below a node of the trie, seen from one character class.

    Attributes:
        root: the node; 0 for all tokens.
        escaped: whether a character may stand as an escape, as inside a JSON string.
        ascii: the class's characters of ASCII, as a set of bits.
        longest: how many characters of the class a token, or the beginning of one, has at most.
        begins: uint8 [256], the bytes that begin such a character.
        exits, nodes, chars: nodes[exits[b] : exits[b + 1]] are the trie's nodes of byte b after chars[…], ascending,
            characters of the class; for b that is ASCII, or begins no character of the class.
        mid: the nodes where a byte does not go on with a character.
    """

    def __init__(self, ranges: Ranges, arrays: dict[str, np.ndarray], root: int = 0, escaped: bool = False):
        self.root, self.escaped, self.ascii = root, escaped, _split_at_ascii(ranges)[1]
        self.begins, self.exits, self.nodes, self.chars = (arrays[x] for x in ("begins", "exits", "nodes", "chars"))
        self.mid, self._tokens, self._count = arrays["mid"], arrays["tokens"], arrays["count"]
        self.longest = len(self._count) - 2
        self._masks = dict(zip(_lengths(self.longest), arrays["masks"], strict=True))

    @property
    def nbytes(self) -> int:
        arrays = (self._tokens, self.nodes, self.chars, self.mid, *self._masks.values())
        return sum(array.nbytes for array in arrays)

    def upto(self, length: int) -> np.ndarray:
        """The tokens that are at most so many characters of the class. A mask of the caller's own."""
        length = min(length, self.longest)
        if length in self._masks:
            return self._masks[length].copy()
        below = max((n for n in LENGTHS if n < length), default=0)
        if not below:
            return np.zeros_like(self._masks[self.longest])
        mask = self._masks[below].copy()
        more = self._tokens[self._count[below] : self._count[length]]
        engine().set_bits(mask, len(mask), more, len(more))
        return mask


def _lengths(longest: int) -> list[int]:
    return [*(n for n in LENGTHS if n < longest), longest]


def surveyed(ranges: Ranges, trie: Trie, words: int, root: int = 0, escaped: bool = False) -> dict[str, np.ndarray]:
    """What a `Survey` is made of: the arrays of its attributes; how many of its `tokens`, which stand in order, have at
    most n characters (`count`); and the masks of those, for some n."""
    home = Automaton(star((TEXT_SPELLINGS["any"].characters if escaped else utf8_class)(ranges)), trie)
    kinds, nodes, chars = home.survey(root).T
    inside = np.flatnonzero(kinds == layout.TOKENS)
    tokens, lengths = trie.all_of(nodes[inside], chars[inside])
    order = np.argsort(lengths.astype(np.uint16), kind="stable")
    tokens = tokens[order]
    leaving = np.flatnonzero(kinds < layout.MID)
    of_exits = (kinds[leaving] << 8 | chars[leaving]).astype(np.uint16)
    leaving = leaving[np.argsort(of_exits, kind="stable")]
    exits, begins = np.zeros(257, np.int32), np.zeros(256, np.uint8)
    np.cumsum(np.bincount(of_exits >> 8, minlength=256), out=exits[1:])
    for bytes_, _ in home.ways(home.initial):
        begins |= bytes_
    longest = int(chars.max(initial=0))
    count = np.searchsorted(lengths[order], np.arange(longest + 2), side="right")
    masks, done = np.zeros((len(_lengths(longest)), words), np.int32), 0
    for i, length in enumerate(_lengths(longest)):
        masks[i] = masks[i - 1] if i else 0
        engine().set_bits(masks[i], words, tokens[done : count[length]], int(count[length]) - done)
        done = int(count[length])
    return {
        **{"begins": begins, "exits": exits, "nodes": nodes[leaving], "chars": chars[leaving]},
        **{"mid": nodes[kinds == layout.MID], "tokens": tokens, "count": count, "masks": masks},
    }


class Slice:
    """A survey, without some characters of ASCII: what a class is cut by.

    Attributes:
        ascii: whether the class is of ASCII characters only.
        places: where the engine finds it; to be put into its memory from BEGINS on.
    """

    def __init__(self, survey: Survey, without: list[int], surveys: Surveys, alone: bool = False):
        self.survey, self._alone, self._trie = survey, alone, surveys.trie
        self.ascii = not survey.begins[128:].any()
        self._left: np.ndarray | None = None
        excluded, begins = np.zeros(256, np.uint8), survey.begins
        excluded[without] = 1
        self._struck: np.ndarray | None = None
        self._escapes = survey.escaped and bool(without)
        if without:
            begins = begins & (1 - excluded)
            which = without
            if survey.escaped:
                begins[BACKSLASH] = excluded[BACKSLASH] = 1  # of other characters; and not to be passed unlooked at
                lacking = ~survey.ascii | sum(1 << c for c in without)
                which = without + [128 + i for i in range(8) if lacking >> 16 * i & 0xFFFF == 0xFFFF]
            self._struck = ~surveys.holding(which, survey.root, survey.escaped)
        self._kept = (begins, survey.exits, survey.nodes, survey.chars, excluded, excluded)
        places = np.array([place(array) for array in self._kept], np.int64).ravel()
        places[layout.EXCLUDED + 1 - layout.BEGINS] = len(without)
        self.places = np.concatenate([places, [survey.root, survey.longest, self._escapes]])

    @property
    def longest(self) -> int:
        return self.survey.longest

    @property
    def nbytes(self) -> int:
        surveyed = self.survey.nbytes if self._alone else 0  # else it is kept with the vocabulary
        return 1024 + surveyed + (0 if self._struck is None else self._struck.nbytes) + len(self._trie)

    def upto(self, length: int) -> np.ndarray:
        """The tokens that are at most so many characters of the class. A mask of the caller's own."""
        mask = self.survey.upto(length)
        if self._struck is not None:
            mask &= self._struck
        return mask

    def place_left(self) -> None:
        """Have in `places`, too, which nodes of the trie leave the class, or lie above or below one that does."""
        if self._left is not None:
            return
        survey, left = self.survey, np.zeros(len(self._trie), np.uint8)
        leaving = np.flatnonzero(self._kept[0] == 0)
        exits = [survey.nodes[survey.exits[byte] : survey.exits[byte + 1]] for byte in leaving.tolist()]
        if self._escapes:
            exits.append(np.flatnonzero(self._trie.byte == BACKSLASH).astype(np.int32))
        nodes, trie = np.concatenate([survey.mid, *exits]), self._trie
        engine().mark_around(left, len(trie), nodes, len(nodes), trie.parent, trie.first)
        self._left = left
        self.places[layout.LEFT - layout.BEGINS : layout.LEFT - layout.BEGINS + 3] = place(left)


class Surveys:
    """The surveys of a vocabulary: of all tokens, and of what follows a space, made when wanted, or by `prepare`.

    The trie's lock must be held. With the `fingerprint` of the vocabulary, those of all tokens are kept on disk.

    Attributes:
        space: the trie's node of the tokens that begin with a space, half of all; −1 where that is of no importance.
        around_quote: uint8 [nodes], not 0 for the trie's nodes of a quote, and those above or below one; and its place.
    """

    def __init__(self, trie: Trie, words: int, fingerprint: str = ""):
        self.trie, self.words, self.space, self._fingerprint = trie, words, -1, fingerprint
        self.longer, self.around = cache(self._longer), cache(self._around)
        self.around_quote = self.around(QUOTE)[1]
        self.place_around_quote = place(self.around_quote)
        self.possible = len(trie) >= WORTHWHILE_NODES and trie.depth <= LONGEST_TOKEN
        self._surveys: dict[tuple[Ranges, int, bool], Survey] = {}
        self._escaped: dict[int, dict[int, set[int]]] = {}  # by the node
        self._characters: dict[int, np.ndarray] = {}  # those of each token, as a set of bits, by the node
        self._whole: dict[tuple[Ranges, int], Slice] = {}  # of the escaped
        self._near = lru_cache(256)(partial(self.near, root=0, escaped=False, whole=True))
        if not self.possible:
            return
        self._weight = np.zeros(256, np.int64)  # of what follows a byte
        engine().weigh(trie.byte, trie.parent, len(trie), np.ones(len(trie), np.int64), self._weight)
        spaces = np.flatnonzero(trie.byte[1 : trie.first[1]] == 0x20)
        if len(spaces):
            self.space = 1 + int(spaces[0])

    def _longer(self, length: int) -> tuple[np.ndarray, np.ndarray]:
        """The tokens of more bytes, as an int32 mask; and uint8 [nodes], not 0 for their nodes of the trie, and those
        above one of them."""
        first, start, end = self.trie.first, 0, 1
        for _ in range(length + 1):  # level by level
            start, end = int(first[start]), int(first[end])
        return self._marked(np.arange(start, end, dtype=np.int32))

    def _around(self, *held: int) -> tuple[np.ndarray, np.ndarray]:
        """What `longer` says, of the tokens that hold one of some bytes; one that is none (DEAD) is held by none."""
        return self._marked(np.flatnonzero(np.isin(self.trie.byte[1:], held)).astype(np.int32) + 1)

    def _marked(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        trie, left, mask = self.trie, np.zeros(len(self.trie), np.uint8), np.zeros(self.words, np.int32)
        engine().mark_around(left, len(trie), nodes, len(nodes), trie.parent, trie.first)
        entries = trie.token[(left & 2 != 0) & (trie.token != layout.NO_TOKEN)]  # of the nodes, and below them
        tokens, _ = trie.all_of(entries, entries)
        engine().set_bits(mask, self.words, tokens, len(tokens))
        return mask, left

    def lasting(self, node: Lazy, byte: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """The tokens of characters that a node reads, as far as only which, and how many, matter; and what `around`
        says of tokens that hold others: escapes, and `byte`, which comes behind. None if surveys do not tell."""
        if not isinstance(node, AtMost):
            return None
        plainly = overlap(_PLAINLY.get(node.family.leaf, ()), complement(points([byte] * (byte >= 0)), TOP))
        classes = [(x, most) for ranges, most in node.lasting() if (x := overlap(ranges, plainly))]
        mask, cuts = np.zeros(self.words, np.int32), [(cut, most) for x, most in classes if (cut := self._near(x))]
        if len({_split_at_ascii(x)[0] for x, _ in classes}) != 1 or len(cuts) < len(classes):
            return None
        for cut, most in cuts:
            mask = mask & ~cut.upto(cut.longest) | cut.upto(most)
        return mask, *self.around(byte, *[BACKSLASH] * (node.family.leaf is not utf8_class))

    def near(self, ranges: Ranges, root: int, escaped: bool, whole: bool = False) -> Slice | None:
        """The slice of a class that is like one of the surveys; None if there is none, or it would not pay.

        whole: whether a slice has to have all of its characters, however few.
        """
        beyond, ascii_ = _split_at_ascii(ranges)
        if not self.possible or (not whole and not beyond and ascii_.bit_count() <= FEW_CHARACTERS):
            return None
        if escaped and ranges in SURVEYED:
            if (ranges, root) not in self._whole:
                self._whole[ranges, root] = Slice(self._survey(ranges, root, escaped), [], self)
            return self._whole[ranges, root]
        best, nearest, without = len(self.trie) // 8, None, 0
        for candidate in SURVEYED if escaped else _everyday(_samples_of(beyond)):
            other, plain = _split_at_ascii(candidate)
            missing = _bits(ascii_ & ~plain)
            if other == beyond and not missing * (escaped | whole):
                cost = int(self._weight[missing].sum()) + (plain & ~ascii_).bit_count()
                if cost < best:
                    best, nearest, without = cost, candidate, plain & ~ascii_
        return None if nearest is None else Slice(self._survey(nearest, root, escaped), _bits(without), self)

    def prepare(self, escaped: bool) -> None:
        """Survey what most strings of JSON consist of, so that no step has to: it takes ten times as long as others."""
        if self.possible:
            with self.trie.lock:
                self._survey(SURVEYED[0], 0, escaped)

    def _survey(self, ranges: Ranges, root: int, escaped: bool) -> Survey:
        key = ranges, root, escaped
        if key not in self._surveys:
            make = partial(surveyed, ranges, self.trie, self.words, root, escaped)
            kept = (
                disk_cache.kept("survey", f"{self._fingerprint} {key}", make, SOURCES) if self._fingerprint else make()
            )
            self._surveys[key] = Survey(ranges, kept, root, escaped)
        return self._surveys[key]

    def holding(self, which: list[int], root: int, escaped: bool) -> np.ndarray:
        """The tokens below one of the two nodes that hold one of some characters of ASCII (further on). int32 [words]

        which: the characters; 128 + i, escaped: a token ends in what begins the escapes of 16 i … 16 i + 15 only.
        """
        trie, sets = self.trie, self._characters.get(root)
        if sets is None:
            sets = self._characters[root] = np.zeros((len(trie.twin), 2), np.uint64)
            engine().characters(sets, len(sets), trie.spelling, trie.spelled, int(root > 0))
        wanted = sum(1 << c for c in {*which} if c < 128)
        parts = (part & np.uint64(wanted >> 64 * i & 2**64 - 1) for i, part in enumerate(sets.T))
        holding = np.bitwise_or(*parts) != 0
        if escaped:
            if root not in self._escaped:
                self._escaped[root] = _escaped(trie, root, sets)
            for token, characters in self._escaped[root].items():
                holding[token] = not characters.isdisjoint(which)
        return pack(holding)

    def cut(self, ranges: Ranges, root: int, escaped: bool) -> Slice:
        """The slice of any class, surveyed for it alone."""
        made = Survey(ranges, surveyed(ranges, self.trie, self.words, root, escaped), root, escaped)
        return Slice(made, [], self, alone=True)


def surveys_of(vocabulary: Vocabulary) -> Surveys:
    """The text tokens of a vocabulary, cut by everyday classes. Made once for a vocabulary object, and kept with it."""
    return vocabulary.derived(_of)


def _of(vocabulary: Vocabulary) -> Surveys:
    kept = vocabulary.fingerprint if len(vocabulary) >= WORTH_KEEPING else ""
    return Surveys(trie_of(vocabulary), (len(vocabulary) + 31) // 32, kept)


@cache
def _everyday(samples: str) -> list[Ranges]:
    """The everyday classes that have these of the samples. (To look `\\w` up takes 10 ms, and most want only some.)"""
    like = [p for p in EVERYDAY_BEYOND if "".join(re.findall(p, SAMPLES)) == samples] if samples else EVERYDAY
    return [x.ranges for x in map(parse, like) if isinstance(x, Class)]


def _samples_of(beyond: Ranges) -> str:
    return "".join(c for c in SAMPLES if any(low <= ord(c) <= high for low, high in beyond))


def _escaped(trie: Trie, root: int, sets: np.ndarray) -> dict[int, set[int]]:
    """The tokens with a backslash below a node, as pieces of JSON strings: what `Surveys.holding` asks of each."""
    tokens = np.flatnonzero(sets[:, 1] & np.uint64(1 << BACKSLASH - 64)).tolist()
    return {t: _occurring(trie.spelling_of(t)[root > 0 :]) for t in tokens}


def _occurring(text: bytes) -> set[int]:
    """Which characters of ASCII a piece of a JSON string holds; and what it ends in, as `Surveys.holding` counts."""
    rows = set()
    for match in _CHARACTER.finditer(text):
        digits, short, plain = match.groups()
        if digits is not None:
            code = int(digits.ljust(4, b"0"), 16) if digits else 0
            if len(digits) >= 3 and code < 128:
                rows.add(code if len(digits) == 4 else 128 + (code >> 4))
        elif short is not None:
            rows.add(_SHORT.get(short[0], short[0]))
        elif plain is not None:
            rows.add(plain[0])
    return rows


_CHARACTER = re.compile(rb"\\u([0-9a-fA-F]{0,4})|\\([\x00-\x7f])|([\x00-\x5b\x5d-\x7f])")
_SHORT = {ord("b"): 8, ord("t"): 9, ord("n"): 10, ord("f"): 12, ord("r"): 13}


def _split_at_ascii(ranges: Ranges) -> tuple[Ranges, int]:
    """The characters of a class beyond ASCII; and those of ASCII, as a set of bits."""
    ascii_ = 0
    for i, (low, high) in enumerate(ranges):
        if high < 128:
            ascii_ |= (1 << high + 1) - (1 << low)
        elif low < 128:
            return ((128, high), *ranges[i + 1 :]), ascii_ | (1 << 128) - (1 << low)
        else:
            return ranges[i:], ascii_
    return (), ascii_


def _bits(number: int) -> list[int]:
    return [i for i in range(128) if number >> i & 1]
