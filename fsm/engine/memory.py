"""Texts that a state has to remember, because they decide what may follow them.

No name may come twice in one object, and no item in an array of `uniqueItems`. The languages of `json_schema` put a
`TextMark` behind such a text, and a `Pending` node for what follows: it waits for the text. A mask is made without
knowing the text: a `Pending` node can be walked as far as the text does not matter. When tokens are read, byte by byte,
the text that was written is filled in.

    a state is (automaton state, the texts that are being written, outermost first)

The bytes that belong to a text are those after which its mark still lies on the stack.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence

from ..language.nodes import EMPTY, VOID, Bounds, Class, Lazy, Node, SpellClass, SpellWord, inside_out
from . import layout
from .automaton import Automaton
from .trie import Trie, place

Texts = tuple[bytes, ...]
RecallState = tuple[int, Texts]
# What a token may hold before a comma at which a text has to be known: anything; a value, after the end of its name,
# which may have been in the token before; a name and a value; or an array and an item of it.
_ANY, _VALUE, _NAME, _ITEM = (
    re.compile(b"(?s)" + s)
    for s in (
        *(rb".*,", rb'(.*")?\s*:\s*([-\d\[{tfn].*|".*"\s*),'),
        *(rb'.*".*"\s*:.*,', rb'.*(\[|".*"\s*:).*,'),
    )
)
IMPOSSIBLE = Class(())


class Part(Lazy):
    """A part of a schema's language, which is only ever used within it."""

    __slots__ = ()

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        raise NotImplementedError("a part of a schema is substituted as a whole")

    def symbols(self) -> set[int]:
        return set(range(256))

    def lengths(self) -> Bounds:
        return 0, None


class TextMark(Part):
    """The end of a text that matters, and what is matched after it."""

    __slots__ = ("rest",)
    weight = 1

    def __init__(self, after: Node = EMPTY):
        self.nullable, self.rest = after.nullable, after

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return () if self.rest is EMPTY else ((self.rest, EMPTY),)


class Marked(Part):
    """A text that matters, and its mark: by itself on the stack, whatever the text is made of."""

    __slots__ = ("kind", "mark", "text")
    forgets = ("mark", "text")

    def __init__(self, text: Node, after: Node = EMPTY, kind: Hashable = None):
        """kind: equal for those that differ in the texts that may not come again; None: it is one of its own."""
        self.nullable, self.text, self.mark = text.nullable and after.nullable, text, TextMark(after)
        self.kind = (text, after) if kind is None else kind

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((self.text, self.mark),)


class Pending(Part):
    """What follows a text that is not known yet; walked without knowing it, it goes no further than the next comma."""

    __slots__ = ()
    weight = 1 << 32

    @abstractmethod
    def resolved(self, text: bytes) -> Node:
        """What follows this text; VOID if nothing can."""


class Wall(Pending):
    """Where no way leads on without knowing the text: it matches no byte."""

    __slots__ = ("behind", "least")
    forgets = ("behind",)

    def __init__(self, least: int, behind: Callable[[bytes], Node]):
        """least: a bound on the bytes behind it."""
        self.nullable, self.least, self.behind = False, least, behind

    def lengths(self) -> Bounds:
        return self.least, None

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return ((IMPOSSIBLE, self),)  # by which a state that holds it is known

    def resolved(self, text: bytes) -> Node:
        return self.behind(text)


def remembers(language: Node, most: int) -> bool:
    """Whether a language has marks; True, too, if it takes over `most` nodes to find that out."""
    todo, seen = [language], {language}
    while todo:
        for node in inside_out(todo.pop()):
            if isinstance(node, (Marked, TextMark, Pending)):
                return True
            if isinstance(node, Lazy):
                parts = {part for edge in node.edges for part in edge} - seen
                seen |= parts
                todo += parts
        if len(seen) > most:
            return True
    return False


class RememberedTexts:
    """The texts that a guide's states remember: each is the automaton's | several << 32 | number of its texts << 33."""

    def __init__(self, automaton: Automaton):
        self._automaton = automaton
        self._texts: list[Texts] = [()]  # by number
        self._bits: dict[Texts, int] = {(): 0}

    def of(self, state: int) -> Texts:
        """The texts of a state; none if it is no state."""
        number = state >> 33
        return self._texts[number] if 0 <= number < len(self._texts) else ()

    def without(self, state: int) -> int:
        """The automaton's part of a state."""
        return state - self._bits[self.of(state)] if state > layout.AUTOMATON_STATE else state

    def bits(self, texts: Texts) -> int:
        """What these texts add to a state."""
        bits = self._bits.get(texts)
        if bits is not None:
            return bits
        with self._automaton.lock:
            if texts not in self._bits:
                number = len(self._texts)
                self._texts.append(texts)  # first: Ctrl-C may come between the two
                self._bits[texts] = number << 33 | (len(texts) > 1) << 32
                self._automaton.cells[layout.TEXTS] = number
            return self._bits[texts]


class Recall:
    """The states of an automaton whose language has marks. Its lock must be held.

    Args:
        items: whether marks stand behind items of arrays, too, and not only behind names.
        in_strings: whether marks stand in JSON inside strings, too, where quotes are escaped.

    Attributes:
        possible: whether a token of this vocabulary may lead over a comma at which a text has to be known.
    """

    def __init__(self, automaton: Automaton, trie: Trie, items: bool, in_strings: bool = False):
        self.automaton, self.trie, self.items = automaton, trie, items
        self._walls: dict[tuple[int, int], list[int]] = {}
        # Where walls may stand: while no text is being written, and while one is.
        patterns = (_ANY, _ANY) if in_strings else (_ITEM, _ANY) if items else (_NAME, _VALUE)
        self._commas = [trie.commas(pattern) for pattern in patterns]
        self.possible = any(commas is not None for commas in self._commas)

    def read(self, state: RecallState, data: bytes, whole: bool = True) -> RecallState | None:
        """The state after some bytes; None if they may not come. If not `whole`, it is only asked whether they may."""
        here, texts = state
        automaton, at = self.automaton, 0
        while at < len(data):
            here, stop = automaton.run_on(here, data, at, len(texts))
            texts = tuple(text + data[at:stop] for text in texts)
            if stop == len(data):
                break
            byte, at = data[stop], stop + 1
            afters = [automaton.follow(after, byte) for bytes_, after in automaton.ways(here) if bytes_[byte]]
            depth = max((automaton.depth(after)[0] for after in afters), default=0)
            if depth < len(texts):  # a text has ended before this byte
                resolved = [self._resolved(after, texts[-1]) for after in afters]
                afters = [after for after in resolved if after is not None]
            if not afters:
                return None
            texts = (*texts[:depth], *((b"",) * (depth - len(texts))))
            texts = tuple(text + data[stop:at] for text in texts)
            if at < len(data) or whole:
                here = automaton.join(list(dict.fromkeys(afters)))
        return here, texts

    def wary(self, state: int) -> bool:
        """Whether a mask of the automaton's state may have to be put right."""
        return bool(self._at_walls(state, 0))

    def below(self, state: RecallState, root: int = 0) -> tuple[list[int], list[int]]:
        """The tokens below a node of the trie for which a mask of the automaton's state is wrong.

        Returns:
            more: tokens that may come as well. less: tokens that may not.
        """
        more: list[int] = []
        less: list[int] = []
        for node in self._at_walls(state[0], root):
            further = bool(self.trie.first[node] < self.trie.first[node + 1])
            after = self.read(state, self.trie.path(node, root) or b"", whole=further)
            if after is None:
                entry = self.trie.token[node : node + 1]
                less += self.trie.all_of(entry, entry)[0].tolist() if entry[0] != layout.NO_TOKEN else []
            elif further:
                here = self.automaton.results(self.automaton.ask(layout.WALK_ALL, after[0], node)).tolist()
                others, fewer = self.below(after, node)
                gone = set(fewer)  # a further wall tells better
                more += [token for token in here if token not in gone] + others
                less += fewer
        return more, less

    def up_to_walls(self, state: int) -> list[int]:
        """The tokens that end at a wall: what lies behind it is not known to the automaton's state."""
        entries = [self.trie.token[node : node + 1] for node in self._at_walls(state, 0)]
        ending = [self.trie.all_of(entry, entry)[0].tolist() for entry in entries if entry[0] != layout.NO_TOKEN]
        return [token for tokens in ending for token in tokens]

    def _at_walls(self, state: int, root: int) -> Sequence[int]:
        """The nodes of the trie below `root` at which a walk from `state` comes to a wall."""
        commas = self._commas[self.automaton.marked(state)]
        if commas is None:
            return ()
        key = (state, root)
        nodes = self._walls.get(key)
        if nodes is None:
            self.automaton.memory[layout.LEFT : layout.LEFT + 3] = place(commas)
            count = self.automaton.ask(layout.WALLS, state, root)
            nodes = self._walls[key] = self.automaton.results(count).tolist()
        return nodes

    def _resolved(self, term: int, text: bytes) -> int | None:
        """The stack, with the text filled in where it is waited for; None if then nothing can follow."""
        automaton, above, below = self.automaton, [], term
        while below != layout.END:
            number, after = automaton.top(below)
            node = automaton.lazy_node(number)
            if isinstance(node, (TextMark, Marked)):  # what lies further down waits for another text
                return term
            below = after
            if isinstance(node, Pending):
                following = node.resolved(text)
                if following is VOID:
                    return None
                whole = below if following is EMPTY else automaton.push(following, below)
                for number in reversed(above):
                    whole = automaton.push(number, whole)
                return whole
            above.append(number)
        return term
