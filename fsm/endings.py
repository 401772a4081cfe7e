"""How many tokens end a text: what `Within` needs to know of a guide's states.

An *ending* is a way to the end of some text. The search for one goes from state to state by bytes, the most promising
state first (A*, with weighted bounds), and then takes the fewest tokens that spell the bytes it has come along. So an
ending that is known need not be the shortest. But each that is found is noted for all states at its token borders, so
that whoever follows it always has one token less to go: nobody comes to a dead end.
"""

from __future__ import annotations

import heapq
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from outlines_cont.errors import ConstraintError
from outlines_cont.processes import whole_at_fork

from .automaton_guide import FINAL, AutomatonGuide
from .engine import layout
from .engine.least_bytes import FAR, LeastBytes
from .engine.trie import trie_of
from .language.nodes import Lazy
from .protocol import FullGuide, GuideState, given
from .vocabulary import Vocabulary, unpack

SEARCHED = 5_000  # states at most, for one ending
#: How much more the bytes to come weigh than those behind, and for how many states: an ending need not be the shortest.
#: Whether texts that have to be remembered are ended as soon as they may be.
ATTEMPTS = ((2, 256, False), (2, 256, True), (8, 1_024, False), (2, 1_024, True), (1_000, SEARCHED, False))
#: States after which a search is given up that comes nearer too slowly: at this pace it would take more than it may.
LOOKED = 128
SMALL = 1024  # states of an automaton of which one number says how far any is from its end
KEPT_ENDINGS = 20_000  # of states
KEPT = 64 << 20  # bytes of what is kept of the tokens after states
#: Tokens by which an ending may be longer after another text that has to be remembered: it may be taken.
DOUBT = 6
TRIED = 8  # tokens that lead to one state of the automaton
_SPELLINGS = 8  # bytes tried where a text that has to be remembered goes on: one alone may be taken


class After(NamedTuple):
    """What a token makes of a state.

    Attributes:
        tokens: int32 [n], those after which an ending takes more than `least` tokens; the nearest come first.
        needs: int32 [n], how many.
        least, most: of all tokens.
    """

    tokens: np.ndarray
    needs: np.ndarray
    least: int
    most: int

    @classmethod
    def of(cls, tokens: np.ndarray, needs: np.ndarray) -> After:
        """After these tokens, of which each needs so many more."""
        if not len(tokens):
            return cls(tokens, needs, FAR, 0)
        least, most = int(needs.min()), int(needs.max())
        further = needs > least
        tokens, needs = tokens[further], needs[further]
        order = np.argsort(needs, kind="stable")
        return cls(tokens[order], needs[order], least, most)


class Ending(NamedTuple):
    """A text to the end, from a place in it on; and how many tokens spell what is left of it, at each place."""

    text: bytes
    fewest: list[int]
    sizes: list[int]
    place: int = 0


class Endings:
    """Of the states of a guide: how many tokens end the text, in a way that is known.

    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> g = regex("a+b|cc", Vocabulary([b"<eos>", b"a", b"b", b"ab", b"c"], eos=[0]))
    >>> endings = endings_of(g)
    >>> endings.need(g.initial), endings.need(g.advance(g.initial, 4)), endings.after(g.initial).most
    (2, 1, 1)
    """

    def __init__(self, guide: AutomatonGuide):
        self.guide, self._automaton, self._recall = guide, guide._automaton, guide._recall
        self._trie = trie_of(guide.spelled)
        self._bytes, self._first = self._trie.byte.tobytes(), self._trie.first.data
        self._token = self._trie.token.data
        self._runs = guide.spelled.derived(_runs)
        self._known: dict[GuideState, int] = {}
        self._next: dict[GuideState, int] = {}  # the first token of the ending that is known
        self._endings: dict[GuideState, Ending] = {}
        self._alike: dict[int, Ending] = {}  # where texts have to be remembered: by the kind of state
        self._failed: set[int] = set()  # of those kinds: the search was given up
        self._kinds: dict[int, int] = {}  # of states of the automaton
        self._kinds_of_terms: dict[int, int] = {layout.END: -1}
        self._numbers: dict[Hashable, int] = {}  # of kinds
        self._after: OrderedDict[int, After] = OrderedDict()
        self._size = 0
        self.limited: WeakValueDictionary[Any, Any] = WeakValueDictionary()  # see `within.within`
        self._bounds = LeastBytes(self._automaton)
        self._furthest: int | None = None  # not yet looked for

    def need(self, state: GuideState) -> int:
        """How many tokens end the text from here, in a way that is known: 0 where it may end. FAR: none was met."""
        need = self._known.get(state)
        if need is None:
            with self._automaton.lock:
                need = self._searched(state)
        return need

    def next(self, state: GuideState) -> int | None:
        """The token with which the ending that is known begins; None where the text may end, or none was met."""
        self.need(state)
        return self._next.get(state)

    @property
    def furthest(self) -> int:
        """No state needs more tokens than that; FAR where that is not known."""
        if self._furthest is None:
            with self._automaton.lock:
                self._furthest = self._found_furthest()
        return self._furthest

    def after(self, state: GuideState) -> After:
        """What tokens make of a state."""
        here = self.guide._automaton_state(state)
        after = self._after.get(here)
        if after is None:
            with self._automaton.lock:
                after = self._looked_after(state, here)
                self._after[here] = after
                self._size += after.tokens.nbytes + after.needs.nbytes
                while self._size > KEPT and len(self._after) > 1:
                    _, old = self._after.popitem(last=False)
                    self._size -= old.tokens.nbytes + old.needs.nbytes
        return after

    # --- all states at once

    def _found_furthest(self) -> int:
        """By the whole automaton, if it is small: the bytes that end a text, of which each may be a token."""
        guide, automaton = self.guide, self._automaton
        if (self._recall is not None and self._recall.possible) or not guide._every_state_live:
            return FAR
        if guide._recursive or not automaton.complete(SMALL) or any(map(automaton.marked, range(len(automaton)))):
            return FAR
        following, accepting = automaton.table()
        distance = np.where(accepting, 0, FAR)
        while True:
            nearest = np.where(following >= 0, distance[following], FAR).min(1) + 1
            if (nearest >= distance).all():
                return int(distance.max())
            distance = np.minimum(distance, nearest)

    # --- one ending

    def _searched(self, state: GuideState) -> int:
        if state == FINAL or self.guide.accepting(state):
            self._known[state] = 0
        elif self._ends_alike(state) or (self._failed and self._kind(state) in self._failed):
            pass
        elif self.guide._every_state_live:
            for eagerness, most, closing in ATTEMPTS:
                if closing and self._recall is None:
                    continue
                if (way := self._text_to_an_end(state, eagerness, most, closing)) is not None:
                    self._failed.discard(self._kind(state))
                    self._note(state, *way)
                    break
        else:
            self._note_by_tokens(state)
        return self._known.setdefault(state, FAR)

    def _text_to_an_end(
        self, start: GuideState, eagerness: int, most: int, closing: bool
    ) -> tuple[bytes, GuideState] | None:
        """Bytes that lead to the end, or to a state with a known ending; and that state. None if none are met."""
        best: dict[GuideState, int] = {start: 0}
        came: dict[GuideState, tuple[GuideState, bytes]] = {}
        queue: list[tuple[int, int, int, GuideState]] = [(0, 0, 0, start)]
        looked_at = number = 0
        first = nearest = self._bounds.of(self.guide._automaton_state(start))
        while queue:
            left = most - looked_at
            far = looked_at >= LOOKED and nearest > left and (first - nearest) * left < nearest * looked_at
            if far or not left:
                self._failed.add(self._kind(start))
                break
            _, _, size, state = heapq.heappop(queue)
            if size > best[state]:
                continue
            if state != start and self._is_known(state):
                pieces, last = [], state
                while state != start:
                    state, data = came[state]
                    pieces.append(data)
                return b"".join(reversed(pieces)), last
            looked_at += 1
            for data, after, doubt in self._closing(state) if closing else self._ways(state):
                if size + len(data) < best.get(after, inf):
                    best[after], came[after], number = size + len(data), (state, data), number + 1
                    to_come = min(self._known.get(after, FAR), self._bounds.of(self.guide._automaton_state(after)))
                    nearest = min(nearest, to_come)
                    heapq.heappush(queue, (best[after] + eagerness * (to_come + doubt), -number, best[after], after))
        return None

    def _is_known(self, state: GuideState) -> bool:
        return self._known.get(state, FAR) < FAR or self.guide.accepting(state) or self._ends_alike(state)

    def _closing(self, state: GuideState) -> list[tuple[bytes, GuideState, int]]:
        """Of `_ways` those that end a text, at once or with the next byte, if there are some."""
        texts, ways = self.guide._texts, list(self._ways(state))
        if not texts.of(state) or len(ways) < 2:
            return ways
        ended = [way for way in ways if not all(texts.of(after) for _, after, _ in (way, *self._ways(way[1])))]
        return ended or ways

    def _ways(self, state: GuideState) -> Iterator[tuple[bytes, GuideState, int]]:
        """Some bytes that may come next, and the state after them: one byte of those that no way on tells apart; of a
        text that has to be remembered some more, which are looked at later."""
        automaton, here = self._automaton, self.guide._automaton_state(state)
        run = automaton.forced(here)
        if run:
            after = self._read(state, run)
            if after is not None:
                yield run, after, 0
                return
        ways = [of for of, _ in automaton.ways(here)]
        if not ways:
            return
        kinds: dict[bytes, list[int]] = {}
        table = np.stack(ways).astype(bool)
        for byte in np.flatnonzero(table.any(0)).tolist():
            kinds.setdefault(table[:, byte].tobytes(), []).append(byte)
        marked = automaton.marked(here)
        for listed in kinds.values():
            listed = sorted(listed, key=self._runs.__getitem__, reverse=True)
            for doubt, byte in enumerate(listed[:_SPELLINGS] if marked else listed[:1]):
                after = self._read(state, bytes((byte,)))
                if after is not None:
                    yield bytes((byte,)), after, doubt
                    if not self.guide._texts.of(after):
                        break

    def _read(self, state: GuideState, data: bytes) -> GuideState | None:
        """The state after some bytes; None if they may not come."""
        automaton, recall = self._automaton, self._recall
        here = self.guide._automaton_state(state)
        if recall is None:
            after = automaton.run(here, data)
            return after if after >= 0 else None
        texts = self.guide._texts.of(state)
        for at in range(len(data)):
            byte = data[at : at + 1]
            if not texts and not automaton.marked(here):
                after = automaton.run(here, byte)
                if after >= 0 and not automaton.marked(after):
                    here = after
                    continue
            read = recall.read((here, texts), byte)
            if read is None:
                return None
            here, texts = read
        return here | self.guide._texts.bits(texts) if texts else here

    def _note(self, state: GuideState, text: bytes, last: GuideState) -> None:
        """Note the fewest tokens that spell a text, for the states at their borders. It leads to `last`, whose ending
        is known, and goes on with it to the very end, as far as that is kept."""
        new = len(text)
        fewest, sizes = [FAR] * new, [0] * new
        if (behind := self._endings.get(last)) is not None:
            text += behind.text[behind.place :]
            fewest += behind.fewest[behind.place :]
            sizes += behind.sizes[behind.place :]
        else:
            self._known.setdefault(last, 0)
            fewest.append(self._known[last])
        bytes_, first, token = self._bytes, self._first, self._token
        for begin in range(new - 1, -1, -1):
            node = 0
            for end in range(begin, len(text)):
                node = bytes_.find(text[end], first[node], first[node + 1])
                if node < 0:
                    break
                if token[node] != layout.NO_TOKEN and fewest[end + 1] + 1 < fewest[begin]:
                    fewest[begin], sizes[begin] = fewest[end + 1] + 1, end + 1 - begin
        self._note_borders(state, Ending(text, fewest, sizes))

    def _note_borders(self, state: GuideState, ending: Ending, alike: bool = False) -> bool:
        """Note an ending for a state and for those at the borders of its tokens. False: it is none. alike: their kinds
        have it."""
        text, fewest, sizes, place = ending
        met: list[tuple[GuideState, int]] = []
        while place < len(text):
            met.append((state, place))
            after = self._read(state, text[place : place + sizes[place]]) if sizes[place] else None
            if after is None:
                return False
            place, state = place + sizes[place], after
            if self._known.get(state, FAR) <= fewest[place]:
                break
        else:
            if not self.guide.accepting(state):
                return False
            self._known[state] = 0
        if len(self._endings) > KEPT_ENDINGS:
            self._endings.clear()
        for here, at in reversed(met):  # from the end on: Ctrl-C may come between two lines, and others read meanwhile
            if fewest[at] < self._known.get(here, FAR):
                here_on = ending._replace(place=at)
                if self._recall is not None and not alike:
                    self._alike[self._kind(here)] = here_on
                self._endings[here] = here_on
                self._next[here] = self._token_of(text[at : at + sizes[at]])
                self._known[here] = fewest[at]
        return True

    def _token_of(self, data: bytes) -> int:
        node = 0
        for byte in data:
            node = self._bytes.find(byte, self._first[node], self._first[node + 1])
        token = self._token[node]
        return token if token >= 0 else layout.NO_TOKEN - 1 - token

    def _ends_alike(self, state: GuideState) -> bool:
        """Note an ending for a state, if that of another one fits, which differs in the texts that came before."""
        if self._recall is None or (ending := self._alike.get(self._kind(state))) is None:
            return False
        return self._note_borders(state, ending, alike=True)

    def _kind(self, state: GuideState) -> int:
        """A number of what a state is, but for the texts that may not come again."""
        here = self.guide._automaton_state(state)
        kind = self._kinds.get(here)
        if kind is None:
            terms, fold = self._kinds_of_terms, self._automaton.folded
            leaves = self._automaton._leaves(here).tolist()
            parts = frozenset((leaf >> 32, fold(leaf & 0xFFFFFFFF, terms, self._kind_with)) for leaf in leaves)
            kind = self._kinds[here] = self._numbers.setdefault(parts, len(self._numbers))
        return kind

    def _kind_with(self, number: int, behind: int) -> int:
        """Of a term that begins with this node, and goes on with one of the kind `behind`."""
        node = self._automaton.lazy_node(number)
        of_node = number if node is None or node.forgets is None else _kind(node)
        return self._numbers.setdefault((of_node, behind), len(self._numbers))

    def _note_by_tokens(self, start: GuideState) -> None:
        """Note an ending from here, found token by token: where some bytes are no token of their own."""
        guide = self.guide
        came: dict[GuideState, tuple[GuideState, int] | None] = {start: None}
        layer = [start]
        while layer and len(came) < SEARCHED:
            further: list[GuideState] = []
            for state in layer:
                if state != start and guide.accepting(state):
                    self._known[state], tokens = 0, 0
                    while (before := came[state]) is not None:
                        state, token = before
                        tokens += 1
                        self._known[state], self._next[state] = tokens, token
                    return
                for token in _text_tokens(guide, state).tolist():
                    after = guide.advance(state, token)
                    if after is not None and after not in came:
                        came[after] = state, token
                        further.append(after)
            layer = further

    # --- all tokens after a state

    def _looked_after(self, state: GuideState, here: int) -> After:
        """See `after`. For a state with a text that has to be remembered, it holds for any other text, too."""
        ends = self._automaton.ends(here)
        tokens, states = self._trie.all_of(ends[:, 0], ends[:, 1])
        distinct, which = np.unique(states, return_inverse=True)
        remembered = (
            state != here or self._automaton.marked(here) or any(map(self._automaton.marked, distinct.tolist()))
        )
        if not remembered:
            needs = [self.need(each) if self.guide._masks.live(each) else FAR for each in distinct.tolist()]
            return After.of(tokens, np.array(needs, np.int32)[which])
        needs = [self._need_after(state, tokens[which == at]) for at in range(len(distinct))]
        each = np.array(needs, np.int32)[which] if needs else np.empty(0, np.int32)
        beyond = np.setdiff1d(_text_tokens(self.guide, state), tokens)  # over a wall
        more = [self._need_after(state, beyond[at : at + 1]) for at in range(len(beyond))]
        return After.of(np.concatenate([tokens, beyond]), np.concatenate([each, np.array(more, np.int32)]))

    def _need_after(self, state: GuideState, tokens: np.ndarray) -> int:
        """A bound on what is needed after any of these tokens, which lead to one state of the automaton."""
        for token in tokens[:TRIED].tolist():
            after = self.guide.advance(state, token)
            if after is not None and (need := self.need(after)) < FAR:
                return need + DOUBT * self._automaton.marked(self.guide._automaton_state(after))
        return FAR


def _text_tokens(guide: FullGuide, state: GuideState) -> np.ndarray:
    """The text tokens that a state allows. int32 [n]"""
    v = guide.vocabulary
    return np.flatnonzero(unpack(guide.mask(state) & v.no_eos, len(v))).astype(np.int32)


def _kind(node: Any) -> Hashable:
    """What a node is, but for what it forgets."""
    if isinstance(node, list):
        return tuple(node)
    if not isinstance(node, Lazy) or node.forgets is None:
        return node
    names = (name for name in type(node).__slots__ if name not in node.forgets)
    return type(node), *(_kind(getattr(node, name)) for name in names)


def _runs(vocabulary: Vocabulary) -> list[int]:
    """How often each byte stands in the longest token that is made of it alone."""
    runs = [0] * 256
    for token in vocabulary.text_ids.tolist():
        data = vocabulary.tokens[token]
        if data.count(data[0]) == len(data):
            runs[data[0]] = max(runs[data[0]], len(data))
    return runs


class GivenEndings:
    """`Endings` of a guide of the user's, which says itself how many tokens end a text: `need(state)`."""

    furthest = FAR

    def __init__(self, guide: FullGuide, need: Any):
        self.guide, self.need, self.after = guide, need, lru_cache(SMALL)(self._looked_after)
        self.limited: WeakValueDictionary[Any, Any] = WeakValueDictionary()

    def next(self, state: GuideState) -> int | None:
        return None

    def _looked_after(self, state: GuideState) -> After:
        tokens = _text_tokens(self.guide, state)
        needs = [self.need(self.guide.advance(state, token)) for token in tokens.tolist()]
        return After.of(tokens, np.array(needs, np.int32))


_making = whole_at_fork(threading.Lock())


def endings_of(guide: FullGuide) -> Endings | GivenEndings:
    """The endings of a guide: one object for each guide.

    Raises:
        ConstraintError: it is a guide of the user's without `need`, or one whose states nobody can search.
    """
    plain = given(guide)
    with _making:
        made = vars(plain).get("_endings") if hasattr(plain, "__dict__") else None
        if made is None:
            if isinstance(plain, AutomatonGuide):
                made = Endings(plain)
            elif hasattr(type(plain), "furthest"):  # it is these, of its own
                made = plain
            elif callable(need := getattr(plain, "need", None)):
                made = GivenEndings(guide, need)
            else:
                raise ConstraintError(
                    f"{plain!r} within so many tokens (whole=True): it has no `need(state)`, which says how many "
                    "tokens end a text from there, so nobody knows when it has to be ended"
                )
            if hasattr(plain, "__dict__"):
                vars(plain)["_endings"] = made
    return made
