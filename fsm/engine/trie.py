"""The text tokens of a vocabulary as one trie, laid out for walks."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from outlines_cont import disk_cache
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import whole_at_fork
from outlines_cont.waiting import told

from ..language.lengths import AtLeast, AtMost
from ..language.narrowed import SPECIAL
from ..language.nodes import VOID, Node, inside_out
from ..language.terms import alphabet, restrict
from ..vocabulary import Vocabulary
from ..vocabulary import __file__ as vocabulary_file
from . import layout

SHOWN = 8  # bytes that no token has, in messages
WORTH_KEEPING = 1 << 14  # tokens: a smaller trie is made as quickly as it is read


def place(array: np.ndarray) -> tuple[int, int, int]:
    """Where the engine finds an array: what its memory says of a table, none of whose records count as used."""
    return array.__array_interface__["data"][0], 0, len(array)


class Trie:
    """All text tokens of a vocabulary, as the prefixes that they have.

    Nodes are numbered level by level, the root is 0, and the children of a node are consecutive: a walk looks at
    neighbours, and a byte that is refused costs its whole subtree nothing.

    Args:
        arrays: what `laid_out` gives.

    Attributes:
        byte: uint8 [n], the last byte of each prefix.
        parent: int32 [n]; −1 for the root.
        first: int32 [n + 1]; the children of node i are first[i] … first[i + 1] − 1.
        token: int32 [n], the token t that spells node i, or −1; or −2 − t where several do, t being the first.
        twin: int32 [V], the next token with the same bytes, or −1.
        twins: how many have the same bytes, at most.
        spelling, spelled: uint8, int32 [V + 1]; text token t is spelling[spelled[t] : spelled[t + 1]], others nothing.
        depth: the bytes of the longest token.
    """

    def __init__(self, arrays: dict[str, np.ndarray]):
        self.byte, self.first, self.token = arrays["byte"], arrays["first"], arrays["token"]
        self.twin, self.spelling, self.spelled = arrays["twin"], arrays["spelling"], arrays["spelled"]
        self.depth, self.twins = arrays["most"].tolist()
        size, tokens, fan = len(self.byte), len(self.twin), np.diff(self.first)
        self.parent = np.empty(size, np.int32)
        self.parent[0], self.parent[1:] = -1, np.repeat(np.arange(size, dtype=np.int32), fan)
        #: What walks write to: results, and (node, state) pairs. Whoever uses them, or an automaton of this trie, holds
        #: the lock. There is room for every token and every node.
        self.lock = whole_at_fork(threading.RLock())
        self.result = np.empty(tokens + 4096, np.int32)
        self.queue = np.empty(2 * np.count_nonzero(fan) + 2 * int(fan.max(initial=0)) + 4, np.int64)
        nodes, tokens_of = (self.byte, self.first, self.token), (self.twin, self.spelling, self.spelled)
        placed = (self.result, self.queue, *nodes, *tokens_of, self.parent)
        #: Where the engine finds all this; to be put into its memory from RESULT on.
        self.places = np.array(list(map(place, placed)), np.int64).ravel()
        self._commas: dict[re.Pattern[bytes], np.ndarray | None] = {}
        #: The bytes that occur, and those that are a token by themselves.
        self.symbols = frozenset(np.unique(self.byte[1:]).tolist())
        self.singles = frozenset(self.byte[1 : self.first[1]][self.token[1 : self.first[1]] != -1].tolist())

    def __len__(self) -> int:
        return len(self.byte)

    def path(self, node: int, root: int = 0) -> bytes | None:
        """The bytes from a node to one below it; None if it is not below."""
        path = bytearray()
        while node > root:
            path.append(int(self.byte[node]))
            node = int(self.parent[node])
        path.reverse()
        return bytes(path) if node == root else None

    def following(self, data: bytes) -> bytes:
        """The bytes that come next in tokens which begin with these and are longer."""
        node = self._node(data)
        return b"" if node is None else self.byte[self.first[node] : self.first[node + 1]].tobytes()

    def beginning_with(self, data: bytes, most: int) -> list[bytes]:
        """What tokens say that begin with these bytes: the shortest ones, so many."""
        node, shortest = self._node(data), []
        nodes = [] if node is None else [node]
        while nodes and len(shortest) < most:
            shortest += [data + (self.path(n, node) or b"") for n in nodes if self.token[n] != -1]  # type: ignore[arg-type]
            nodes = [child for n in nodes for child in range(self.first[n], self.first[n + 1])]
        return shortest[:most]

    def _node(self, data: bytes) -> int | None:
        """Where these bytes lead; None if no token begins with them."""
        node = 0
        for byte in data:
            first, last = int(self.first[node]), int(self.first[node + 1])
            at = first + int(np.searchsorted(self.byte[first:last], byte))
            if at == last or self.byte[at] != byte:
                return None
            node = at
        return node

    def commas(self, pattern: re.Pattern[bytes]) -> np.ndarray | None:
        """The nodes that end in a comma and match, and what leads there, as `layout.WALLS` wants it; None: no node."""
        if pattern not in self._commas:
            ends = [n for n in np.flatnonzero(self.byte == ord(",")).tolist() if pattern.fullmatch(self.path(n) or b"")]
            marked = np.zeros(len(self), np.uint8)
            for node in ends:
                marked[node] |= layout.AT_COMMA
                while node >= 0 and not marked[node] & layout.ON_THE_WAY:
                    marked[node] |= layout.ON_THE_WAY
                    node = int(self.parent[node])
            self._commas[pattern] = marked if ends else None
        return self._commas[pattern]

    def spelling_of(self, token: int) -> bytes:
        """The bytes of a text token; none for others."""
        return self.spelling[self.spelled[token] : self.spelled[token + 1]].tobytes()

    def all_of(self, entries: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tokens that entries of `token` stand for, and the value of each one's entry."""
        tokens, of_tokens = [entries[entries >= 0]], [values[entries >= 0]]
        entries, values = -2 - entries[entries < -1], values[entries < -1]
        while len(entries):
            tokens.append(entries)
            of_tokens.append(values)
            entries = self.twin[entries]
            entries, values = entries[entries >= 0], values[entries >= 0]
        return np.concatenate(tokens), np.concatenate(of_tokens)


def laid_out(tokens: Sequence[bytes], text_ids: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays that a `Trie` is made of: those of its attributes, and `most`, int64 [2]: `depth` and `twins`.

    Args:
        tokens: the bytes of each id.
        text_ids: the ids that are text, each of at least one byte. int64 [n]
    """
    texts = [tokens[i] for i in text_ids.tolist()]
    spelling = np.frombuffer(b"".join(texts), np.uint8)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    spelled = np.zeros(len(tokens) + 1, np.int32)
    spelled[1 + text_ids] = sizes
    np.cumsum(spelled, out=spelled)

    order = _sorted(spelling, spelled[text_ids].astype(np.int64), sizes)
    ids, sizes = text_ids[order], sizes[order]
    starts = spelled[ids].astype(np.int64)
    node_of = np.zeros(len(ids), np.int64)  # of each token in order
    byte, fans = [np.zeros(1, np.uint8)], []
    size, depth, level = 1, 0, 1  # level: nodes of this depth, the last ones
    alive, at = np.arange(len(ids)), np.zeros(len(ids), np.int64)  # tokens longer than depth; their prefix's node
    while len(alive):
        if len(alive) == 1:  # the longest token by far: its nodes follow one another
            tail = spelling[starts[alive[0]] + depth : starts[alive[0]] + sizes[alive[0]]]
            byte.append(tail)
            fans += [np.bincount(at - (size - level), minlength=level), np.ones(len(tail) - 1, np.int64)]
            size, depth, level = size + len(tail), depth + len(tail), 1
            node_of[alive] = size - 1
            break
        symbol = spelling[starts[alive] + depth]
        new = np.ones(len(alive), bool)  # sorted: equal prefixes are neighbours
        new[1:] = (at[1:] != at[:-1]) | (symbol[1:] != symbol[:-1])
        byte.append(symbol[new])
        fans.append(np.bincount(at[new] - (size - level), minlength=level))
        at = size - 1 + np.cumsum(new)
        level = len(byte[-1])
        size += level
        depth += 1
        longer = sizes[alive] > depth
        node_of[alive[~longer]] = at[~longer]
        alive, at = alive[longer], at[longer]
    first = np.ones(size + 1, np.int32)
    np.cumsum(np.concatenate([*fans, np.zeros(level, np.int64)]), out=first[1:])
    first[1:] += 1
    token, twin = np.full(size, -1, np.int32), np.full(len(tokens), -1, np.int32)
    token[node_of[::-1]] = ids[::-1]  # of several, the first
    again = np.flatnonzero(node_of[1:] == node_of[:-1])  # sorted: twins are neighbours
    twin[ids[again]] = ids[again + 1]
    several = np.unique(node_of[again])
    token[several] = -2 - token[several]
    most = np.array([depth, np.bincount(node_of).max(initial=0)], np.int64)
    return {
        **{"byte": np.concatenate(byte), "first": first, "token": token, "twin": twin},
        **{"spelling": spelling, "spelled": spelled, "most": most},
    }


def _sorted(spelling: np.ndarray, starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The order of texts by their bytes, equal ones as they stand; each has at least one byte. int64 [n]

    They are compared by eight bytes at a time, as one number: the first ones of all texts, and further ones of those
    that are equal so far. Zeros stand behind the end of a text, so among equal numbers the shorter text comes first.
    """
    padded = np.concatenate([spelling, np.zeros(8, np.uint8)])
    eights = np.ndarray(len(padded) - 7, ">u8", padded, strides=(1,))  # those that begin at each byte
    order = np.arange(len(starts))
    places, run, depth = order.copy(), np.zeros(len(order), np.int64), 0  # not decided yet; equal so far: the same run
    while len(places):
        texts = order[places]
        left = np.minimum(sizes[texts] - depth, 9)  # 9: more than these eight
        unused = (8 * np.maximum(8 - left, 0)).astype(np.uint64)
        number = eights[starts[texts] + depth].astype(np.uint64) >> unused << unused
        better = np.lexsort((left.astype(np.uint8), number, run))
        order[places] = texts[better]
        left, number, run = left[better], number[better], run[better]
        new = np.ones(len(places), bool)
        new[1:] = (run[1:] != run[:-1]) | (number[1:] != number[:-1]) | (left[1:] != left[:-1])
        run = np.cumsum(new)
        alike = left == 9
        alike[:-1] &= ~new[1:] | ~new[:-1]
        alike[-1:] &= ~new[-1:]
        places, run, depth = places[alike], run[alike], depth + 8
    return order


def trie_of(vocabulary: Vocabulary) -> Trie:
    """The text tokens of a vocabulary as a trie. Made once for a vocabulary object, and kept with it."""
    return vocabulary.derived(_of)


def _of(vocabulary: Vocabulary) -> Trie:
    def make() -> dict[str, np.ndarray]:
        return laid_out(vocabulary.tokens, vocabulary.text_ids)

    with told("sorting the {:,} tokens of the vocabulary for constraints", len(vocabulary)):
        if len(vocabulary) < WORTH_KEEPING:
            return Trie(make())
        return Trie(disk_cache.kept("trie", vocabulary.fingerprint, make, [__file__, vocabulary_file]))


# --- the part of a language that the tokens of a vocabulary can spell


def spellable_part(language: Node, trie: Trie, name: str, marked: bool = False) -> tuple[Node, bool]:
    """The strings of a language that have no byte which no token has; and whether from each state of their automaton
    tokens can surely spell a way to an end.

    marked: special tokens are text there (`spelled_with`): what stands between two `SPECIAL` is always one token.

    Raises:
        ConstraintError: there is no such string.
    """
    singles = trie.singles.union(SPECIAL if marked else b"")
    if len(singles) == 256:
        return language, True
    spellable, symbols = language, alphabet(language)
    if not symbols <= trie.symbols:
        spellable = restrict(language, set(trie.symbols))
        if spellable is VOID:
            raise _unspellable(name, language, trie.symbols)
        symbols = alphabet(spellable)
    # `restrict` leaves no dead ends, except in languages whose lengths are bounded.
    trimmed = spellable is language or not any(isinstance(node, (AtLeast, AtMost)) for node in inside_out(spellable))
    return spellable, trimmed and symbols <= singles


def _unspellable(name: str, language: Node, spelled: frozenset[int]) -> ConstraintError:
    """Name bytes that no token has and that the language needs: all of them, or else one of them."""
    missing = sorted(alphabet(language) - spelled)

    def lacks(*parts: list[int]) -> bool:
        return restrict(language, set(range(256)).difference(*parts)) is VOID

    def each(part: list[int]) -> list[int]:  # by halves: no byte is needed where all of them are not
        if len(part) == 1 or not lacks(part):
            return part if lacks(part) else []
        more = each(part[: len(part) // 2])
        return more if len(more) > SHOWN else more + each(part[len(part) // 2 :])

    needed = each(missing)
    if not needed:
        missing.reverse()
        while len(needed) <= SHOWN and not lacks(needed):  # of the bytes from the last one on, how many are needed
            count = bisect_left(range(len(missing)), True, key=lambda n: lacks(needed, missing[:n]))
            needed, missing = [*needed, missing[count - 1]], missing[: count - 1]
    shown = [repr(chr(byte)) if 32 <= byte < 127 else f"byte 0x{byte:02X}" for byte in needed]
    listed = ", ".join(shown[:SHOWN]) + (", …" if len(shown) > SHOWN else "")
    return ConstraintError(f"{name} cannot be spelled with this vocabulary: no token has {listed}")
