"""`AutomatonGuide`: a guide that walks an automaton over bytes. `guide.py` has the functions that make one.

States are ints: numbers of the automaton's states. Where the language has to remember texts (JSON names that may not
come twice, see `engine/memory.py`), the bits above say which texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from outlines_cont.arguments import shown, whole_number
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue

from .engine.automaton import Automaton, TransitionTable
from .engine.layout import AUTOMATON_STATE, BEGUN, DEAD, NEED, SLOW, TEXT, UNKNOWN
from .engine.masks import Masks
from .engine.memory import Recall, RememberedTexts, remembers
from .engine.native import engine
from .engine.slices import surveys_of
from .engine.trie import spellable_part, trie_of
from .grammar.rules import Corner, Rule
from .json_schema.writer import JsonValue, ground
from .language import nodes
from .language.narrowed import ReadTexts, StringReader, narrowed
from .language.nodes import VOID, Node, inside_out
from .language.terms import restrict
from .patterns import character_machines
from .protocol import Defaults
from .stop_tokens import spelled_with
from .vocabulary import Vocabulary, pack

if TYPE_CHECKING:
    from interegular import FSM

    from outlines_cont.pictures.picture import Picture

DRAWN_STATES = 1024  # states over bytes that a drawing may stand for
SEARCHED_NODES = 20_000  # of a schema, for what has to remember texts
#: The state after eos, of every guide.
FINAL = -1


def _whole(number: Any, kind: str = "state") -> int:
    """A state or a token as an int; TypeError for what is none."""
    try:
        return index(number)
    except TypeError:
        raise TypeError(f"the {kind} {shown(number)} is no int") from None


class AutomatonGuide(ProcessBoundValue, Defaults):
    """A constraint over a vocabulary, as an automaton over bytes. The functions of `guide.py` make one.

    States are ints that belong to this object: another guide, even of the same pattern, may number them otherwise.

    Attributes:
        vocabulary: the tokens that it is about.
        name: what the user asked for, for messages.
        initial: the state before the first token.
        free_text: whether it allows any text, perhaps without some strings in it, so that only an eos ends it.
        marks: special tokens that are text here (`triggered` has them); spelled: the vocabulary, with these as text.

    Raises:
        ConstraintError: the language is empty, or no string of it can be spelled with this vocabulary.

    >>> from outlines_cont.fsm.guide import literal
    >>> v = Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0])
    >>> g = literal(b"a", v) + (literal(b"b", v) | literal(b"bb", v))
    >>> [t for t in range(4) if g.advance(g.initial, t) is not None]
    [1, 3]
    """

    _instead = "make it in each process, as outlines_cont.fsm.guide does: a Vocabulary is pickled"

    def __init__(
        self,
        language: Node,
        vocabulary: Vocabulary,
        name: str,
        blamed: Callable[[], str] | None = None,
        free_text: bool = False,
        holding: Sequence[AutomatonGuide] = (),
        marks: frozenset[int] = frozenset(),
    ):
        """
        Args:
            blamed: names, in messages, what matches no string where the language is empty: by default `name` does.
            holding: guides whose languages are parts of this one.
            marks: see above; those of the guides that it holds are added.
        """
        self.vocabulary, self.name, self.free_text, self._language = vocabulary, name, free_text, language
        if language is VOID:
            raise ConstraintError(f"{name if blamed is None else blamed()} matches no string")
        self.marks = marks.union(*(guide.marks for guide in holding))
        self.spelled = spelled = spelled_with(vocabulary, self.marks)
        trie = trie_of(spelled)
        spellable, every_state_live = spellable_part(language, trie, name, bool(self.marks))
        #: What writes the JSON Schemas that the language is made of.
        self._schemas = schemas = [node.writer for node in inside_out(spellable) if isinstance(node, JsonValue)]
        schemas += [schema for guide in holding for schema in guide._schemas]
        self._holding = holding
        self._ground = ground(schemas[0].spelling.texts) if schemas else None
        self._automaton = Automaton(spellable, trie, self._ground)
        self._masks = Masks(self._automaton, spelled, every_state_live)
        if schemas:
            surveys_of(spelled).prepare(not schemas[0].spelling.texts.plain)
        items = any(schema.keywords.unique for schema in schemas)
        in_strings = any(schema.keywords.nested_texts for schema in schemas)
        self._recall = Recall(self._automaton, trie, items, in_strings) if schemas else None
        self._texts = RememberedTexts(self._automaton)
        self._sure: set[int] = set()  # automaton states whose masks no text can change
        # of states that were asked about: every row asks at every step
        self._accepting: dict[int, bool] = {}
        self._complete: dict[int, bool] = {}
        self._forced: dict[int, bytes] = {}
        self._only: dict[int, bytes | None] = {}
        self._size, self._every_state_live = len(vocabulary), every_state_live
        self._advance, self._address, self._lock = engine().advance, self._automaton.address, trie.lock
        self.initial: int = self._automaton.initial
        if not self._masks.live(self.initial):
            raise ConstraintError(f"{name} cannot be spelled with this vocabulary: no sequence of its tokens matches")

    def mask(self, state: int) -> np.ndarray:
        """The allowed tokens: int32 [(V + 31) // 32], read-only; bit t of word t // 32 is token t.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> g.mask(g.initial), f"{g.mask(g.initial)[0]:04b}"
        (array([14], dtype=int32), '1110')
        """
        if type(state) is not int:
            state = _whole(state)
        if state == FINAL:
            return self._nothing
        if self._recall is None:
            return self._masks.of(state)
        here = self._automaton_state(state)
        sure = not self._recall.possible or here in self._sure
        return self._masks.of(here) if sure else self._recalled_mask(state, here)

    def advance(self, state: int, token: int) -> int | None:
        """The state after `token`, or None if it is not allowed.

        Raises:
            IndexError: the vocabulary has no such token.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> state = g.advance(g.initial, 1)
        >>> g.advance(state, 1), g.accepting(g.advance(state, 2))
        (None, True)
        """
        try:
            after = self._advance(self._address, state, token, True)
        except (TypeError, OverflowError):
            after = SLOW
        if after == UNKNOWN:
            with self._lock:
                while (after := self._advance(self._address, state, token, False)) == NEED:
                    self._automaton.supply()
        if after <= TEXT:
            after = self._with_text(state, token, TEXT - after)
        return after if after >= 0 and self._every_state_live else self._advanced(state, token, after)

    def _advanced(self, state: int, token: int, after: int) -> int | None:
        """What `advance` returns, where the engine says `after`."""
        state, token = _whole(state), _whole(token, "token")
        if not 0 <= token < self._size:
            raise IndexError(f"token {token} is not in a vocabulary of {self._size} tokens")
        if state == FINAL:
            return None
        if after < DEAD:
            after = self._recalled(state, token)
        if after >= 0:
            return after if self._masks.live(after & AUTOMATON_STATE) else None
        return FINAL if token in self.vocabulary.eos and self.accepting(state) else None

    def advance_all(self, state: int, tokens: Iterable[int]) -> int | None:
        """The state after all of `tokens`, or None if one of them is not allowed.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> g.advance_all(g.initial, [1, 2]) == g.advance(g.initial, 3), g.advance_all(g.initial, [1, 1])
        (True, None)
        """
        for token in tokens:
            after = self.advance(state, token)
            if after is None:
                return None
            state = after
        return state

    def accepting(self, state: int) -> bool:
        """Whether the string may end here. (After eos it has: True.)

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.accepting(g.advance_all(g.initial, tokens)) for tokens in ([], [1], [1, 2], [1, 0])]
        [False, True, True, True]
        """
        answer = self._accepting.get(state) if type(state) is int else None
        if answer is None:
            if type(state) is not int:
                state = _whole(state)
            answer = self._accepting[state] = state == FINAL or self._automaton.accepting(self._automaton_state(state))
        return answer

    def complete(self, state: int) -> bool:
        """Whether the string must end here: nothing but eos is allowed.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.complete(g.advance_all(g.initial, tokens)) for tokens in ([1], [1, 2])]
        [False, True]
        """
        answer = self._complete.get(state)
        if answer is None:
            answer = self._complete[state] = state == FINAL or self._masks.only_stop(self._automaton_state(state))
        return answer

    def final(self, state: int) -> bool:
        """Whether eos was taken: nothing is allowed any more.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.final(g.advance_all(g.initial, tokens)) for tokens in ([1, 2], [1, 2, 0])]
        [False, True]
        """
        return state == FINAL

    def forced(self, state: int) -> bytes:
        """Bytes with which every continuation begins; none where the string may end.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["blue sky", "blue sea"], Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0]))
        >>> g.forced(g.initial)
        b'blue s'
        """
        answer = self._forced.get(state)
        if answer is None:
            answer = self._forced[state] = (
                b"" if state == FINAL else self._automaton.forced(self._automaton_state(state))
            )
        return answer

    def only(self, state: int) -> bytes | None:
        """The one text that can follow; None if there may be others (or it is very long).

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["blue", "green", "greens"], Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0]))
        >>> [g.only(g.advance(g.initial, 1 + ord(letter))) for letter in "bg"]
        [b'lue', None]
        """
        if state not in self._only:
            text: bytes | None = self.forced(state)
            if not self.complete(state):
                end = self._automaton.run(self._automaton_state(state), text) if text else DEAD
                text = text if end != DEAD and self._masks.only_stop(end) else None
            self._only[state] = text
        return self._only[state]

    def endless(self, states: Iterable[int]) -> bool:
        """Whether these states, one after the other, show that strings may be as long as one likes: in a grammar with
        recursion, and where one of them comes twice (the texts that it remembers do not count).

        >>> from outlines_cont.fsm.guide import regex
        >>> g = regex("a+", Vocabulary([b"<eos>", b"a"], eos=[0]))
        >>> one = g.advance(g.initial, 1)
        >>> g.endless([g.initial, one]), g.endless([g.initial, one, g.advance(one, 1)])
        (False, True)
        """
        places = [self._automaton_state(state) for state in states]
        return self._recursive or len(set(places)) < len(places)

    def table(self, limit: int) -> TransitionTable | None:
        """The automaton as a whole, for kernels that walk it; None if it has over `limit` states, or recursion, or has
        to remember texts, or has marks. States have the numbers that the guide gives them.

        >>> from outlines_cont.fsm.guide import regex
        >>> g = regex("[ab]*", Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> g.table(limit=10).next.shape, g.table(limit=0)
        ((1, 256), None)
        """
        whole = self._whole(limit) if self._recall is None and not self.marks else None
        if whole is None:
            return None
        following, accepting = whole
        live = np.fromiter(map(self._masks.live, range(len(following))), bool, len(following))
        return TransitionTable(following, live + 2 * accepting.astype(np.uint8))

    def to_interegular(self, limit: int = 1000) -> FSM:
        """The language as a finite automaton over characters, an `interegular.FSM`, to be computed with.

        It accepts the texts of the language, whether or not this vocabulary spells them. Algebra over automata takes
        time that grows with the square of their states: small ones are for it.

        Args:
            limit: how many states over bytes there may be.

        Raises:
            ConstraintError: there are more states; the language is recursive, has to remember texts, or holds bytes
                that are no UTF-8.

        >>> from outlines_cont.fsm.guide import fsm, regex
        >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
        >>> digits, bit = regex("[0-9]+", v).to_interegular(), regex("[01]", v).to_interegular()
        >>> (digits - bit).accepts("7"), (digits - bit).accepts("1"), (digits - bit).accepts("10")
        (True, False, True)
        """
        limit = whole_number(limit, "limit", "an int ≥ 1")
        if self._recursive:
            raise ConstraintError(f"{self.name} is recursive: no finite automaton accepts it")
        automaton = Automaton(self._language, None, self._ground)
        if not automaton.complete(limit):
            if len(automaton) <= limit:
                raise ConstraintError(f"{self.name} has to remember texts: no finite automaton accepts it")
            raise ConstraintError(
                f"{self.name} has more than {limit:,} states over bytes; to_interegular(limit=…) sets the limit, "
                "and algebra over large ones is slow"
            )
        return character_machines.machine(*automaton.table(), self.name)

    def to_svg(self, limit: int = 24) -> Picture:
        """A picture of the automaton; of a large one, a table of the first states that tokens lead to.

        Circles are states, double where the string may end; they hold the numbers that the guide gives them. Arrows
        read characters: as they are, or classes of them, slanted. A state at which nothing is decided is left out, and
        the escapes of a JSON string are drawn as the characters that they stand for.

        Args:
            limit: how many circles there may be. Where there would be more, and for a guide that has no finite
                automaton or has to remember texts, it is the table: an HTML one. 0 always gives the table.

        >>> from outlines_cont.fsm.guide import regex
        >>> v = Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0])
        >>> picture = regex("[ab]a*", v).to_svg()
        >>> picture[:4], picture.count("<title>state"), picture.count("may end here")
        ('<svg', 2, 1)
        >>> "all states (2)" in regex("[ab]a*", v).to_svg(limit=0)
        True
        """
        from outlines_cont.pictures import automaton

        guide: Any = self  # type checkers take `fsm` and `outlines_cont.fsm` for two packages
        return automaton.picture(guide, self.name, self._whole(DRAWN_STATES), limit)

    def narrowed(self, automaton: StringReader, name: str) -> AutomatonGuide:
        """The texts that an automaton over bytes accepts, too. name: for errors. ConstraintError if there are none.

        >>> from outlines_cont.fsm.guide import choice, without
        >>> without(choice(["a", "b"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0])), ["a"])  # made of it
        <Guide the choice ['a', 'b'] without 'a', 3 tokens, 1 states met>
        """
        self.check_forgets(name)
        language, options = narrowed(self._language, automaton), {"free_text": self.free_text, "marks": self.marks}
        return AutomatonGuide(language, self.vocabulary, name, **options)

    def check_forgets(self, name: str) -> None:
        """ConstraintError if a part of what is so called remembers texts.

        >>> from outlines_cont.fsm.guide import literal
        >>> literal(b"a", Vocabulary([b"<eos>", b"a"], eos=[0])).check_forgets("a name for errors")
        """
        if self.remembers:
            reason = "has to remember texts (free names, unique items), and cannot be intersected with others"
            raise ConstraintError(f"{name}: {self.name} {reason}")

    @cached_property
    def remembers(self) -> bool:
        """Whether its states remember texts, or may: of a very large schema that is not looked for to the end.

        >>> from outlines_cont.fsm.guide import literal
        >>> literal(b"a", Vocabulary([b"<eos>", b"a"], eos=[0])).remembers
        False
        """
        return bool(self._schemas) and remembers(self._language, SEARCHED_NODES)

    @property
    def _lists_items(self) -> bool:
        """Whether it has to remember the items of arrays: then no array of another schema may stand in their place."""
        return any(schema.keywords.unique for schema in self._schemas)

    @property
    def _any_text(self) -> bool:
        """Whether its texts are all texts."""
        node = self._language
        return self.free_text and isinstance(node, nodes.Repeat) and node.body is nodes.chars(((0, 255),))

    def _beside(self, marked: bool) -> Node:
        """Its texts. marked: those that can be told from special tokens which are text, see `spelled_with`."""
        plain = not marked or self.marks or self._schemas  # (JSON has no such byte)
        return self._language if plain else restrict(self._language, set(range(255)))

    def __add__(self, other: AutomatonGuide) -> AutomatonGuide:
        return self._with(other, " + ", nodes.cat)

    def __or__(self, other: AutomatonGuide) -> AutomatonGuide:
        return self._with(other, " | ", nodes.alt)

    def __and__(self, other: AutomatonGuide) -> AutomatonGuide:
        return self._with(other, " & ", lambda one, two: narrowed(one, ReadTexts(two)))

    def __sub__(self, other: AutomatonGuide) -> AutomatonGuide:
        return self._with(other, " - ", lambda one, two: narrowed(one, ReadTexts(two, but=True)))

    def __repr__(self) -> str:
        return f"<Guide {self.name}, {len(self.vocabulary)} tokens, {len(self._automaton)} states met>"

    def _with(self, other: AutomatonGuide, sign: str, combine: Callable[[Node, Node], Node]) -> AutomatonGuide:
        if not isinstance(other, AutomatonGuide):
            return NotImplemented
        if other.vocabulary != self.vocabulary:
            raise ValueError(f"{self!r} and {other!r} are about different vocabularies")
        name, free_text = f"({self.name}{sign}{other.name})", combine is nodes.cat and other.free_text
        unique = self._lists_items or other._lists_items
        if combine is nodes.alt and self._schemas and other._schemas and unique:
            reason = "two JSON Schemas, one with 'uniqueItems', cannot be alternatives: say 'anyOf' in one schema"
            raise ConstraintError(f"{self.name} | {other.name}: {reason}")
        if combine not in (nodes.cat, nodes.alt):
            self.check_forgets(name)
            other.check_forgets(name)
            free_text = self.free_text
        marked = bool(self.marks or other.marks)
        language = combine(self._beside(marked), other._beside(marked))
        return AutomatonGuide(language, self.vocabulary, name, free_text=free_text, holding=(self, other))

    def _whole(self, limit: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The automaton over bytes, as `Automaton.table` gives it, if it is finite, small, and all that there is."""
        if self._recursive:
            return None
        with self._lock:
            return self._automaton.table() if self._automaton.complete(limit) else None

    def _automaton_state(self, state: int) -> int:
        return self._texts.without(state if type(state) is int else _whole(state))

    def _with_text(self, state: int, token: int, answer: int) -> int:
        """The state after a token, of which the engine says the automaton's part, and where the text began."""
        (after, begun), data = divmod(answer, BEGUN), self.vocabulary.tokens[token]
        return after | self._texts.bits((data[begun - 1 :] if begun else self._texts.of(state)[0] + data,))

    def _recalled(self, state: int, token: int) -> int:
        """The state after a text token, or DEAD, where the engine alone does not find it."""
        with self._lock:
            here = self._automaton.valid(self._automaton_state(state))
            assert self._recall is not None
            text = self._recall.trie.spelling_of(token)
            following = self._recall.read((here, self._texts.of(state)), text) if text else None
            return DEAD if following is None else following[0] | self._texts.bits(following[1])

    def _recalled_mask(self, state: int, here: int) -> np.ndarray:
        recall, kept_as = self._recall, ~state  # no state of the automaton
        assert recall is not None
        mask = self._masks.kept(kept_as)
        if mask is not None:
            return mask
        mask = self._masks.of(here)
        with self._automaton.lock:
            if not recall.wary(here):
                self._sure.add(here)
                return mask
            more, less = recall.below((here, self._texts.of(state)))
            unsure = [] if self._masks.every_state_live else more + recall.up_to_walls(here)
        wrong = less + [t for t in unsure if self.advance(state, t) is None]
        return self._masks.changed(kept_as, mask, more + [-1 - t for t in wrong])

    @cached_property
    def _recursive(self) -> bool:
        of_parts = any(guide._recursive for guide in self._holding)
        return of_parts or any(isinstance(node, Rule | Corner) for node in inside_out(self._language))

    @cached_property
    def _nothing(self) -> np.ndarray:
        return pack(np.zeros(len(self.vocabulary), bool))
