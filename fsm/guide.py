"""Guides: what may be generated, token by token.

    g = regex(r"[0-9]+", v)     choice(["red", "blue"], v)     json_schema(schema, v)     text(v)     literal(b"…", v)
    g = grammar('start: "a" start "b" | "c"', v)
    g + h    one, then the other            g | h    one or the other

A guide is a language of byte strings over a vocabulary, and a pure function from states to states: states are small
ints that may be kept, compared, hashed, and gone back to, by the thousand. A guide holds only caches; rows and threads
share it. Laws, for a state s that the tokens t₁ … tₙ lead to, and L the language:

    accepting(s)          ⟺  t₁ … tₙ, as bytes, is in L
    mask(s) allows t      ⟺  t₁ … tₙ t begins some string of L that tokens of this vocabulary can spell
                              (t no special token; eos is allowed ⟺ accepting(s))
    advance(s, t) is None ⟺  mask(s) does not allow t
    forced(s)                begins everything that may still come
    L(g + h) = L(g) L(h)     L(g | h) = L(g) | L(h)

The examples have all names of this module and `Vocabulary`.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import index
from typing import Any, NamedTuple

import numpy as np

from outlines_cont.errors import ConstraintError

from .draw import diagram
from .draw.picture import Picture
from .engine.automaton import Automaton
from .engine.masks import Masks, pack, unpack
from .engine.memory import Recall, Texts
from .grammar import grammar as grammars
from .json_schema import compiler as json_schemas
from .json_schema.ground import ground as json_ground
from .json_schema.writer import JsonValue
from .language import nodes
from .language.nodes import VOID, Node
from .language.product import AtMost
from .patterns import parser as patterns
from .vocabulary import Vocabulary

GUIDES = "guides"  # where in `Vocabulary.cache` they are kept
LATELY = 32  # guides
LONG = 200  # characters of a name
DRAWN = 1024  # states over bytes that a drawing may stand for
KEPT = 1024  # masks of states that remember texts, where these matter

State = int
#: The state after eos, of every guide.
FINAL: State = -1
AUTOMATON = 0xFFFFFFFF


class Table(NamedTuple):
    """A deterministic automaton over bytes.

    Attributes:
        next: int32 [states, 256]. The next state for each byte; −1 where there is none.
        ends: uint8 [states]. 1 if a token may end there, because tokens can spell a way to the end of some string; 2
            more if the string may end there.

    >>> table = literal(b"ab", Vocabulary([b"<eos>", b"a", b"b"], eos=[0])).table(limit=10)
    >>> table.next[:, [ord("a"), ord("b")]].tolist(), table.ends.tolist()
    ([[1, -1], [-1, 2], [-1, -1]], [1, 1, 3])
    """

    next: np.ndarray
    ends: np.ndarray


class Guide:
    """A constraint over a vocabulary. Made by the functions of this module.

    States are ints that belong to this object: another guide, even of the same pattern, may number them otherwise.

    Attributes:
        vocabulary: the tokens that it is about.
        name: what the user asked for, for messages.
        initial: the state before the first token.

    Raises:
        ConstraintError: the language is empty, or no string of it can be spelled with this vocabulary.

    >>> v = Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0])
    >>> g = literal(b"a", v) + (literal(b"b", v) | literal(b"bb", v))
    >>> [t for t in range(4) if g.advance(g.initial, t) is not None]
    [1, 3]
    """

    def __init__(self, language: Node, vocabulary: Vocabulary, name: str):
        self.vocabulary, self.name, self._language = vocabulary, name, language
        if language is VOID:
            raise ConstraintError(f"{name} matches no string")
        trie = vocabulary.trie
        spelled, single = trie.symbols, trie.singles
        known, every_state_live = language, len(single) == 256
        if not every_state_live:
            symbols = nodes.alphabet(language)
            if not symbols <= spelled:
                known = nodes.restrict(language, set(spelled))
                if known is VOID:
                    raise _unspellable(name, language, spelled)
                symbols = nodes.alphabet(known)
            # `restrict` leaves no dead ends, but in what has a bound on its length.
            trimmed = known is language or not any(isinstance(node, AtMost) for node in nodes.inside_out(known))
            every_state_live = trimmed and symbols <= single
        #: The JSON Schemas that it is made of.
        self.values = values = [node for node in nodes.inside_out(known) if isinstance(node, JsonValue)]
        self._automaton = Automaton(known, trie, json_ground() if values else None)
        self._masks = Masks(self._automaton, vocabulary, every_state_live)
        items = any(node.unique_items for node in values)
        self._recall = Recall(self._automaton, trie, items) if values else None
        self._texts: list[Texts] = [()]  # what states remember, by number
        self._text_numbers: dict[Texts, int] = {(): 0}
        self._recalled_masks: dict[State, np.ndarray] = {}
        self._sure: set[int] = set()  # automaton states whose masks no text can change
        self.initial: State = self._automaton.initial
        if not self._masks.live(self.initial):
            raise ConstraintError(f"{name} cannot be spelled with this vocabulary: no sequence of its tokens matches")

    def mask(self, state: State) -> np.ndarray:
        """The allowed tokens: int32 [(V + 31) // 32], read-only; bit t of word t // 32 is token t.

        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> g.mask(g.initial), f"{g.mask(g.initial)[0]:04b}"
        (array([14], dtype=int32), '1110')
        """
        state = index(state)
        if state == FINAL:
            return self._nothing
        if self._recall is None:
            return self._masks.of(state)
        here = self._here(state)
        sure = not self._recall.possible or here in self._sure
        return self._masks.of(here) if sure else self._recalled_mask(state, here)

    def masks(self, states: Sequence[State]) -> np.ndarray:
        """The masks of several states, row by row: int32 [len(states), (V + 31) // 32].

        Where all are equal (rows often share a state), it is one row in memory: strides[0] == 0. Not to be written to.

        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> g.masks([g.initial, g.advance(g.initial, 1)]).tolist()
        [[14], [4]]
        """
        rows = list(map(self.mask, states))  # equal masks are one array
        if all(row is rows[0] for row in rows):
            return np.broadcast_to(rows[0] if rows else self._nothing, (len(rows), len(self._nothing)))
        return np.concatenate(rows).reshape(len(rows), -1)

    def advance(self, state: State, token: int) -> State | None:
        """The state after `token`, or None if it is not allowed.

        Raises:
            IndexError: the vocabulary has no such token.

        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> state = g.advance(g.initial, 1)
        >>> g.advance(state, 1), g.accepting(g.advance(state, 2))
        (None, True)
        """
        vocabulary = self.vocabulary
        state, token = index(state), index(token)
        if not 0 <= token < len(vocabulary):
            raise IndexError(f"token {token} is not in a vocabulary of {len(vocabulary)} tokens")
        if state == FINAL:
            return None
        if self._recall is not None:
            after = self._recalled(state, token)
            state = self._here(state)
        else:
            after = self._automaton.advance(state, token)
        if after >= 0:
            return after if self._masks.every_state_live or self._masks.live(after & AUTOMATON) else None
        return FINAL if token in vocabulary.eos and self._automaton.accepting(state) else None

    def advance_all(self, state: State, tokens: Iterable[int]) -> State | None:
        """The state after all of `tokens`, or None if one of them is not allowed.

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

    def accepting(self, state: State) -> bool:
        """Whether the string may end here. (After eos it has: True.)

        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.accepting(g.advance_all(g.initial, tokens)) for tokens in ([], [1], [1, 2], [1, 0])]
        [False, True, True, True]
        """
        return state == FINAL or self._automaton.accepting(self._here(state))

    def complete(self, state: State) -> bool:
        """Whether the string must end here: nothing but eos is allowed.

        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.complete(g.advance_all(g.initial, tokens)) for tokens in ([1], [1, 2])]
        [False, True]
        """
        return state == FINAL or self._masks.only_stop(self._here(state))

    def final(self, state: State) -> bool:
        """Whether eos was taken: nothing is allowed any more.

        >>> g = choice(["a", "ab"], Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> [g.final(g.advance_all(g.initial, tokens)) for tokens in ([1, 2], [1, 2, 0])]
        [False, True]
        """
        return state == FINAL

    def forced(self, state: State) -> bytes:
        """Bytes with which every continuation begins; none where the string may end.

        >>> g = choice(["blue sky", "blue sea"], Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0]))
        >>> g.forced(g.initial)
        b'blue s'
        """
        return b"" if state == FINAL else self._automaton.forced(self._here(state))

    def table(self, limit: int) -> Table | None:
        """The automaton as a whole, for kernels that walk it; None if it has over `limit` states, or recursion, or has
        to remember texts. States have the numbers that the guide gives them.

        >>> g = regex("[ab]*", Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
        >>> g.table(limit=10).next.shape, g.table(limit=0)
        ((1, 256), None)
        """
        whole = self._whole(limit) if self._recall is None else None
        if whole is None:
            return None
        known, accepting = whole
        live = np.fromiter(map(self._masks.live, range(len(known))), bool, len(known))
        return Table(known, live + 2 * accepting.astype(np.uint8))

    def to_svg(self, limit: int = 24) -> Picture:
        """A picture of the automaton; of a large one, a table of the first states that tokens lead to.

        Circles are states, double where the string may end; they hold the numbers that the guide gives them. Arrows
        read characters: as they are, or classes of them, slanted. A state at which nothing is decided is left out, and
        so is one on a finite way back to where it came from (an escape in a JSON string): its arrows become one.

        Args:
            limit: how many circles there may be. Where there would be more, and for a guide that has no finite
                automaton or has to remember texts, it is the table: an HTML one. 0 always gives the table.

        >>> v = Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0])
        >>> picture = regex("[ab]a*", v).to_svg()
        >>> picture[:4], picture.count("<title>state"), picture.count("may end here")
        ('<svg', 2, 1)
        >>> "all states (2)" in regex("[ab]a*", v).to_svg(limit=0)
        True
        """
        return diagram.picture(self, self._whole(DRAWN), limit)

    def __add__(self, other: Guide) -> Guide:
        return self._with(other, " + ", nodes.cat)

    def __or__(self, other: Guide) -> Guide:
        return self._with(other, " | ", nodes.alt)

    def __repr__(self) -> str:
        return f"<Guide {self.name}, {len(self.vocabulary)} tokens, {len(self._automaton)} states met>"

    def _with(self, other: Guide, sign: str, combine: Any) -> Guide:
        if not isinstance(other, Guide):
            return NotImplemented
        if other.vocabulary != self.vocabulary:
            raise ValueError(f"{self!r} and {other!r} are about different vocabularies")
        both = [part for guide in (self, other) for part in guide.values]
        if combine is nodes.alt and self.values and other.values and any(value.unique_items for value in both):
            what = "two JSON Schemas, one with 'uniqueItems', cannot be alternatives: say 'anyOf' in one schema"
            raise ConstraintError(f"{self.name} | {other.name}: {what}")
        return Guide(combine(self._language, other._language), self.vocabulary, f"({self.name}{sign}{other.name})")

    def _whole(self, limit: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The automaton over bytes, as `Automaton.table` gives it, if it is finite, small, and all that there is."""
        recursive = grammars.Rule | grammars.Corner
        if any(isinstance(node, recursive) for node in nodes.inside_out(self._language)):
            return None
        automaton = self._automaton
        with automaton.lock:
            return automaton.table() if automaton.complete(limit) else None

    # Where states remember texts (`recall.py`), one is automaton state | number of the texts << 32.

    def _here(self, state: State) -> int:
        """The automaton's part of a state."""
        state = index(state)
        return state & AUTOMATON if self._recall is not None and 0 <= state >> 32 < len(self._texts) else state

    def _recalled(self, state: State, token: int) -> int:
        """The state after a text token, or a negative number."""
        recall, automaton = self._recall, self._automaton
        assert recall is not None
        with automaton.lock:
            number = state >> 32
            if not 0 <= number < len(self._texts):
                automaton.valid(state)
            found = recall.advance((state & AUTOMATON, self._texts[number]), token)
            if found is None:
                return -1
            if not found[1]:
                return found[0]
            number = self._text_numbers.get(found[1])
            if number is None:
                self._texts.append(found[1])  # first: Ctrl-C may come between the two
                number = self._text_numbers[found[1]] = len(self._texts) - 1
            return found[0] | number << 32

    def _recalled_mask(self, state: State, here: int) -> np.ndarray:
        recall = self._recall
        assert recall is not None
        mask = self._recalled_masks.get(state)
        if mask is not None:
            return mask
        mask = self._masks.of(here)
        with self._automaton.lock:
            if not recall.wary(here):
                self._sure.add(here)
                return mask
            more, less = recall.below((here, self._texts[state >> 32]))
        if more or less:
            allowed = unpack(mask, len(self.vocabulary))
            allowed[less] = False
            allowed[more] = True
            if not self._masks.every_state_live:
                allowed[[t for t in more if self.advance(state, t) is None]] = False
            mask = pack(allowed)
        if len(self._recalled_masks) >= KEPT:
            self._recalled_masks.clear()
        self._recalled_masks[state] = mask
        return mask

    @cached_property
    def _nothing(self) -> np.ndarray:
        return pack(np.zeros(len(self.vocabulary), bool))


def _known(v: Vocabulary, key: Any, make: Callable[[], Guide]) -> Guide:
    """The guide of this key, if it was made lately: a guide holds only caches, so one serves all who want it."""
    with _making:
        kept: OrderedDict[Any, Guide] = v.cache.setdefault(GUIDES, OrderedDict())
        if key in kept:
            kept.move_to_end(key)
            return kept[key]
    made = make()
    with _making:
        kept[key] = made
        while len(kept) > LATELY:
            kept.popitem(last=False)
    return made


_making = threading.Lock()


def regex(pattern: str, v: Vocabulary) -> Guide:
    """The strings that `re.fullmatch(pattern, …)` matches.

    Raises:
        TypeError: `pattern` is not a `str`.
        ConstraintError: it is no regular expression, uses what is not supported (named, with its position), or matches
            nothing that this vocabulary can spell.

    >>> v = Vocabulary([b"<eos>", b"1", b"12", b"a"], eos=[0])
    >>> g = regex("[0-9]{2}", v)
    >>> [t for t in range(4) if g.advance(g.initial, t) is not None]
    [1, 2]
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a str, not {type(pattern).__name__}")
    name = f"the pattern {pattern!r}"
    return _known(v, ("regex", pattern), lambda: Guide(patterns.utf8(patterns.parse(pattern)), v, name))


def choice(options: Sequence[str], v: Vocabulary) -> Guide:
    """One of these strings, literally.

    Raises:
        TypeError: an option that is not a `str`, or one `str` in place of several.
        ValueError: the same option twice.
        ConstraintError: no options, or none that this vocabulary can spell.

    >>> v = Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0])
    >>> g = choice(["ab", "b"], v)
    >>> [v.tokens[t] for t in range(4) if g.advance(g.initial, t) is not None]
    [b'a', b'b', b'ab']
    """
    if isinstance(options, str):
        raise TypeError(f"a choice is between several strings; got the one string {options!r}")
    options = list(options)
    for option in options:
        if not isinstance(option, str):
            raise TypeError(f"the options of a choice are strings, not {type(option).__name__}: {option!r}")
    if len(set(options)) < len(options):
        seen: set[str] = set()
        twice = next(x for x in options if x in seen or seen.add(x))
        raise ValueError(f"the option {twice!r} is given twice in a choice of {len(options)}")
    if not options:
        raise ConstraintError("a choice between no options")
    name = _shorten(f"the choice {options[:20]!r}")
    return _known(v, ("choice", *options), lambda: Guide(nodes.words(map(_encode, options)), v, name))


def json_schema(
    schema: Any,
    v: Vocabulary,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
) -> Guide:
    """JSON texts that are valid under a schema: see `fsm/schema.py` for what is enforced and how it is spelled.

    Args:
        schema: a dict, or its JSON text.
        whitespace: "compact" (none), "flexible" (as JSON writers put it), or a pattern of JSON whitespace.
        order: of an object's properties: "schema" or "any".
        extra: whether an open object may have properties that its schema does not speak of: "forbid", or what the
            "schema" allows; see there what else these two mean.
        format: whether `format` is enforced ("assert") or only describes ("annotate").

    Raises:
        ConstraintError: the schema allows nothing, or says something that is not supported: named, with its place.

    >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
    >>> g = json_schema({"enum": [{"a": 1}, {"a": 2}]}, v)
    >>> g.forced(g.initial)
    b'{"a":'
    >>> json_schema({"type": "string", "minLength": 2, "maxLength": 1}, v)
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: the schema {'type': 'string', 'minLength': 2, 'maxLength': 1} ...
    """
    name = _shorten(f"the schema {(schema[:LONG] if isinstance(schema, (str, bytes)) else schema)!r}")
    if not isinstance(whitespace, str):
        raise TypeError(f"whitespace is a str, not {type(whitespace).__name__}")
    if isinstance(schema, dict):
        try:
            schema = json.dumps(schema, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ConstraintError(f"the schema is not JSON: {error}") from None
    options = (whitespace, order, extra, format)

    def make() -> Guide:
        return Guide(json_schemas.language(schema, *options), v, name)

    return _known(v, ("schema", schema, *options), make) if isinstance(schema, (str, bytes, bool)) else make()


def grammar(text: str, v: Vocabulary, start: str = "start") -> Guide:
    """The texts of a context-free grammar in lark's syntax: see `fsm/grammar.py` for what it means.

    Args:
        start: the rule that a text is.

    Raises:
        TypeError: `text` or `start` is not a `str`.
        ConstraintError: it is no grammar, uses what is not supported (named, with its line), matches nothing that this
            vocabulary can spell, or nests without bound where this vocabulary lacks bytes (see `check_vocabulary`).

    >>> v = Vocabulary([b"<eos>", b"(", b"((", b")", b"x"], eos=[0])
    >>> g = grammar('start: "(" start ")" | "x"', v)
    >>> state = g.advance_all(g.initial, [2, 4])
    >>> [t for t in range(5) if g.advance(state, t) is not None]
    [3]
    """
    name = _shorten(f"the grammar {text!r}")

    def make() -> Guide:
        language = grammars.language(text, start)
        grammars.check_vocabulary(language, v.trie.symbols, v.trie.singles, name)
        return Guide(language, v, name)

    return _known(v, ("grammar", text, start), make) if isinstance(text, str) and isinstance(start, str) else make()


def text(v: Vocabulary) -> Guide:
    """Any sequence of text tokens; it may end anywhere.

    >>> g = text(Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
    >>> g.accepting(g.initial), g.accepting(g.advance_all(g.initial, [1, 2, 1]))
    (True, True)
    """
    return _known(v, "text", lambda: Guide(nodes.star(nodes.chars(((0, 255),))), v, "text"))


def literal(data: bytes, v: Vocabulary) -> Guide:
    """Exactly these bytes.

    Raises:
        TypeError: `data` is not `bytes`.

    >>> g = literal(b"ab", Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
    >>> g.forced(g.initial), g.complete(g.advance_all(g.initial, [1, 2]))
    (b'ab', True)
    """
    if not isinstance(data, bytes):
        raise TypeError(f"a literal is bytes, not {type(data).__name__}")
    return Guide(nodes.literal(data), v, _shorten(f"the literal {data!r}"))


def _encode(option: str) -> bytes:
    try:
        return option.encode()
    except UnicodeEncodeError as error:
        raise ConstraintError(f"the option {option!r} is not Unicode text: it has a lone surrogate") from error


def _shorten(name: str, limit: int = LONG) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "…"


def _unspellable(name: str, language: Node, spelled: frozenset[int]) -> ConstraintError:
    """Name the bytes that every string of the language needs and no token has."""
    missing = sorted(nodes.alphabet(language) - spelled)
    everything = set(range(256))
    needed = [byte for byte in missing if nodes.restrict(language, everything - {byte}) is VOID] or missing
    shown = ", ".join(repr(chr(byte)) if 32 <= byte < 127 else f"byte 0x{byte:02X}" for byte in needed[:8])
    return ConstraintError(f"{name} cannot be spelled with this vocabulary: no token has {shown}")
