"""Guides: what may be generated, token by token.

    g = regex(r"[0-9]+", v)     choice(["red", "blue"], v)     json_schema(schema, v)     text(v)     literal(b"…", v)
    fsm(interegular.parse_pattern("[ab]+").to_fsm(), v)    g.to_interegular()
    g = quote(document, v, words=(3, 40))
    g = grammar('start: "a" start "b" | "c"', v)     grammar('root ::= "a" root "b" | "c"', v, syntax="gbnf")
    g + h    one, then the other      g | h    one or the other      g & h    both      g - h    one and not the other

A guide is a language of byte strings over a vocabulary, and a pure function from states to states: states are small
ints that may be kept, compared, hashed, and gone back to, by the thousand. A guide holds only caches; rows and threads
share it. Laws, for a state s that the tokens t₁ … tₙ lead to, and L the language:

    accepting(s)          ⟺  t₁ … tₙ, as bytes, is in L
    mask(s) allows t      ⟺  t₁ … tₙ t begins some string of L that tokens of this vocabulary can spell
                              (t no special token; eos is allowed ⟺ accepting(s))
    advance(s, t) is None ⟺  mask(s) does not allow t
    forced(s)                begins everything that may still come
    L(g + h) = L(g) L(h)     L(g | h) = L(g) | L(h)     L(g & h) = L(g) & L(h)     L(g - h) = L(g) - L(h)

Of `g & h` and `g - h`, whether a text goes on to an end is searched for in 20,000 steps at most: what leads to a place
from which none is found by then is not allowed. This matters for grammars with recursion alone.

The examples have all names of this module. The guides made here are `AutomatonGuide`s; `protocol.py` says what a guide
of a third party has to be.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from outlines_cont.arguments import plain, shown
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue, uncollected, whole_at_fork
from outlines_cont.waiting import told

from .automaton_guide import FINAL, AutomatonGuide
from .engine.trie import trie_of
from .json_schema import compiler as schemas
from .json_schema.compiler import read_document
from .json_schema.quotes import Quotation
from .language.narrowed import Without
from .language.nodes import chars, star
from .language.tries import literal as word
from .language.tries import words
from .patterns import character_machines, parser
from .patterns.characters import utf8
from .patterns.parser import parse
from .protocol import Defaults, FullGuide, Guide, GuideState
from .stop_tokens import EndingTokens
from .vocabulary import Vocabulary

# --- `Both`: what two guides allow, of which one remembers texts, so that their languages cannot be intersected


class Both(ProcessBoundValue, Defaults):
    """The texts of both guides. States are pairs of theirs.

    Nobody looks ahead: where the two have no way in common any more, `mask` says so by a `ConstraintError`. What only
    one of them forces is drawn.

    >>> from outlines_cont.fsm.guide import Both
    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    >>> g = Both(regex("[ab]+", v), regex("a*b", v))
    >>> state = g.advance(g.advance(g.initial, 1), 2)
    >>> g.mask(g.initial).tolist(), g.complete(state), g.mask(state).tolist()
    ([6], True, [1])
    """

    _instead = "make it in each process"

    def __init__(self, first: FullGuide, second: FullGuide):
        self.first, self.second, self.vocabulary = first, second, first.vocabulary
        self.initial: GuideState = first.initial, second.initial

    def __repr__(self) -> str:
        return f"{self.first!r} & {self.second!r}"

    def mask(self, state: GuideState) -> np.ndarray:
        one, two = state
        mask = self.first.mask(one) & self.second.mask(two)
        if not mask.any() and not self.accepting(state):
            raise ConstraintError(f"{self!r} have no text in common that goes on from here")
        return mask

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        one, two = self.first.advance(state[0], token), self.second.advance(state[1], token)
        return None if one is None or two is None else (one, two)

    def accepting(self, state: GuideState) -> bool:
        return self.first.accepting(state[0]) and self.second.accepting(state[1])

    def __radd__(self, other: Any) -> Both:
        """A text of `other`, then one of this guide; `other` knows its bytes."""
        return Both(other + self.first, other + self.second)


# --- guide

__all__ = [
    "FINAL",
    "AutomatonGuide",
    "Guide",
    "choice",
    "fsm",
    "grammar",
    "json_schema",
    "literal",
    "quote",
    "regex",
    "text",
    "without",
]

GUIDES = "guides"  # where in `Vocabulary.cache` they are kept
RECENT_GUIDES = 32  # how many are kept for a vocabulary
LONGEST_NAME = 200  # characters


def _known(v: Vocabulary, key: Any, name: str, make: Callable[[], AutomatonGuide]) -> AutomatonGuide:
    """The guide of this key, if it was made lately: a guide holds only caches, so one serves all who want it.

    name: what errors call it.
    """
    _checked(v)
    with _making:
        kept: OrderedDict[Any, AutomatonGuide] = v.cache.setdefault(GUIDES, OrderedDict())
        if key in kept:
            kept.move_to_end(key)
            return kept[key]
    with told("making a guide of {}", _shorten(name)):
        made = uncollected(make)
    with _making:
        kept[key] = made
        while len(kept) > RECENT_GUIDES:
            kept.popitem(last=False)
    return made


def _checked(v: Any) -> None:
    if not isinstance(v, Vocabulary):
        raise TypeError(f"a guide is made for a Vocabulary (model.vocabulary), not for {type(v).__name__}")


_making = whole_at_fork(threading.Lock())


def regex(pattern: str, v: Vocabulary) -> AutomatonGuide:
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

    def blamed() -> str:
        part = parser.smallest_part(pattern)
        return name if part is None else f"{name}, at position {part[0]}: {part[1]!r}"

    return _known(v, ("regex", pattern), name, lambda: AutomatonGuide(utf8(parse(pattern)), v, name, blamed))


def fsm(machine: Any, v: Vocabulary) -> AutomatonGuide:
    """The texts that an `interegular.FSM` accepts.

    machine: an FSM whose alphabet is made of characters; or its `character_machines.listing`, which is JSON.

    Raises:
        TypeError: it is no FSM, or its alphabet holds what is no character.
        ConstraintError: it accepts no text, or none that this vocabulary can spell.

    >>> import interegular
    >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
    >>> words, short = (interegular.parse_pattern(p).to_fsm() for p in ("[a-z]+", "a|be"))
    >>> g = fsm(words & short, v)
    >>> [bytes([b]) for b in range(256) if g.advance(g.initial, 1 + b) is not None]
    [b'a', b'b']
    """
    if character_machines.is_machine(machine):
        machine = character_machines.listing(machine)
    if not isinstance(machine, list):
        hint = ": its to_fsm() makes one" if hasattr(machine, "to_fsm") else ""
        raise TypeError(f"fsm() takes an interegular.FSM, not {shown(machine)}{hint}")
    name = f"the FSM of {len(machine)} states"
    return _known(
        v, ("fsm", json.dumps(machine)), name, lambda: AutomatonGuide(character_machines.language(machine), v, name)
    )


def choice(options: Sequence[str], v: Vocabulary) -> AutomatonGuide:
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
    options = plain(options)
    if not isinstance(options, Iterable):
        raise TypeError(f"a choice is between several strings, not {shown(options)}")
    options = list(options)
    for option in options:
        if not isinstance(option, str):
            raise TypeError(f"the options of a choice are strings, not {type(option).__name__}: {shown(option)}")
    if len(set(options)) < len(options):
        seen: set[str] = set()
        twice = next(x for x in options if x in seen or seen.add(x))
        raise ValueError(f"the option {twice!r} is given twice in a choice of {len(options)}")
    if not options:
        raise ConstraintError("a choice between no options")
    name = _shorten(f"the choice {options[:20]!r}")
    return _known(v, ("choice", *options), name, lambda: AutomatonGuide(words(map(_encode, options)), v, name))


def quote(document: str, v: Vocabulary, words: tuple[int, int | None] = (3, 40)) -> AutomatonGuide:
    """A verbatim part of a document, of so many words. `fsm/json_schema/quotes.py` says where one begins and ends.

    words: the least and the greatest number of words; None in place of the latter: any number.

    Raises:
        TypeError, ValueError: `document` is no `str`, or `words` are no such numbers.
        ConstraintError: the document has fewer words, or none that this vocabulary can spell.

    >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
    >>> g = quote("Who's there? Nay, answer me.", v, words=(2, 3))
    >>> g.forced(g.advance(g.initial, 1 + ord("N")))
    b'ay, answer'
    """
    quotation = Quotation.of(document, words)
    name = _shorten(f"a quote of {shown(document[:LONGEST_NAME])}")
    return _known(v, ("quote", *quotation), name, lambda: AutomatonGuide(utf8(quotation.language()), v, name))


def json_schema(
    schema: Any,
    v: Vocabulary,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
    spelling: str = "plain",
) -> AutomatonGuide:
    """JSON texts that are valid under a schema.

    `fsm/json_schema/compiler.py` says what is enforced and how it is spelled.

    Args:
        schema: a dict, or its JSON text.
        whitespace: "compact" (none), "flexible" (as JSON writers put it), or a pattern of JSON whitespace.
        order: of an object's properties: "schema" or "any".
        extra: whether an open object may have properties that its schema does not speak of: "forbid", or what the
            "schema" allows; see there what else these two mean.
        format: whether `format` is enforced ("assert") or only describes ("annotate").
        spelling: "plain" texts and numbers, as `json.dumps(ensure_ascii=False)` writes them, or in "any" way.

    Raises:
        TypeError: `schema` is none of these.
        ConstraintError: the schema is no JSON, allows nothing, or says something that is not supported: named, with its
            place.

    >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
    >>> g = json_schema({"enum": [{"a": 1}, {"a": 2}]}, v)
    >>> g.forced(g.initial)
    b'{"a":'
    >>> json_schema({"type": "string", "minLength": 2, "maxLength": 1}, v)
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: the schema {'type': 'string', 'minLength': 2, 'maxLength': 1} ...
    """
    text, document = uncollected(read_document, schema)
    name = _shorten(f"the schema {shown(schema[:LONGEST_NAME] if isinstance(schema, (str, bytes)) else document)}")
    options = (whitespace, order, extra, format, spelling)
    if not all(isinstance(option, str) for option in options):
        raise TypeError(f"whitespace, order, extra, format and spelling are strs, not {shown(options)}")

    def make() -> AutomatonGuide:
        return AutomatonGuide(schemas.language(document, *options), v, name, blamed)

    def blamed() -> str:
        part = schemas.unsatisfied(document, *options)
        return str(part or name)

    return _known(v, ("schema", text, *options), name, make)


def grammar(
    text: str,
    v: Vocabulary,
    start: str | None = None,
    syntax: str = "lark",
    parts: Mapping[str, AutomatonGuide] | None = None,
) -> AutomatonGuide:
    """The texts of a context-free grammar. `fsm/grammar/grammar.py` says what it means.

    Args:
        start: the rule that a text is: by default `start` in lark's syntax, `root` in GBNF.
        syntax: "lark", or "gbnf", llama.cpp's (see `fsm/grammar/gbnf.py`).
        parts: guides of this module by names that stand for their texts: `%declare NAME` in lark's syntax; in GBNF,
            a name that no rule defines.

    Raises:
        TypeError: `text` or `start` is not a `str`; a part is no such guide.
        ValueError: an unknown syntax; a part of another vocabulary.
        ConstraintError: it is no grammar, uses what is not supported (named, with its line), matches nothing that this
            vocabulary can spell, or nests without bound where this vocabulary lacks bytes (see `check_vocabulary`).

    >>> v = Vocabulary([b"<eos>", b"(", b"((", b")", b"x"], eos=[0])
    >>> g = grammar('start: "(" start ")" | "x"', v)
    >>> state = g.advance_all(g.initial, [2, 4])
    >>> [t for t in range(5) if g.advance(state, t) is not None]
    [3]
    >>> g = grammar('root ::= "(" root ")" | [w-z]', v, syntax="gbnf")
    >>> g.forced(g.advance_all(g.initial, [2, 4]))
    b'))'
    >>> number = regex("x|y", Vocabulary([b"<eos>", b"(", b")", b"x", b"y"], eos=[0]))
    >>> g = grammar('start: "(" start ")" | NUMBER\n%declare NUMBER', number.vocabulary, parts={"NUMBER": number})
    >>> g.forced(g.advance_all(g.initial, [1, 1, 4]))
    b'))'
    """
    from .grammar import grammar as grammars  # when a grammar comes: much is imported that others do not need

    name = _shorten(f"the grammar {shown(text)}")
    _checked(v)

    given = _checked_parts(parts or {}, v)

    def make() -> AutomatonGuide:
        nodes = {name: guide._language for name, guide in given.items()}
        language, trie = grammars.language(text, start, syntax, nodes), trie_of(v)
        grammars.check_vocabulary(language, trie.symbols, trie.singles, name)
        return AutomatonGuide(
            *(language, v, name),
            lambda: name + grammars.what_matches_nothing(text, start, syntax, nodes),
            holding=tuple(given.values()),
        )

    if given:
        return make()
    key = ("grammar", text, start, syntax)
    return _known(v, key, name, make) if all(isinstance(part, str | None) for part in key) else make()


def _checked_parts(parts: Mapping[str, Any], v: Vocabulary) -> dict[str, AutomatonGuide]:
    """The parts of a grammar. TypeError, ValueError, ConstraintError for what cannot be one."""
    for name, guide in parts.items():
        if not isinstance(guide, AutomatonGuide):
            raise TypeError(f"parts={{{name!r}: …}} is a guide of outlines_cont.fsm.guide, not {shown(guide)}")
        if guide.vocabulary != v:
            raise ValueError(f"parts={{{name!r}: …}} is a guide of another vocabulary")
        if guide.lists_items:
            raise ConstraintError(f"parts={{{name!r}: …}}: 'uniqueItems' is not supported in a part of a grammar")
    return dict(parts)


def text(v: Vocabulary) -> AutomatonGuide:
    """Any sequence of text tokens; it may end anywhere.

    >>> g = text(Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
    >>> g.accepting(g.initial), g.accepting(g.advance_all(g.initial, [1, 2, 1]))
    (True, True)
    """
    return _known(v, "text", "text", lambda: AutomatonGuide(star(chars(((0, 255),))), v, "text", free_text=True))


def without(
    guide: FullGuide, words: Sequence[str], before: bytes = b"", stops: Sequence[str] = (), kept: bool = False
) -> FullGuide:
    """The texts of a guide in which none of some words stands.

    Args:
        before: what stands before the text: a word counts if it ends in the text.
        stops: strings at which the text ends. They are part of it if they are `kept`.

    Raises:
        ConstraintError: there is no such text; or the guide is not one of this module.

    >>> v = Vocabulary([b"<eos>", *map(bytes, zip(range(256)))], eos=[0])
    >>> g = without(choice(["in Lisbon", "at home"], v), ["Lisbon"])
    >>> g.forced(g.initial)
    b'at home'
    """
    if isinstance(guide, EndingTokens):
        return EndingTokens(without(guide.guide, words, before, stops, kept), guide.tokens)
    listed = ", ".join(map(repr, words))
    if not isinstance(guide, AutomatonGuide):
        raise ConstraintError(
            f"{guide!r} without {listed}: it is no guide of outlines_cont.fsm.guide, so its bytes are not known"
        )
    name = _shorten(f"{guide.name} without {listed}")
    automaton = Without([_encode(word) for word in words], before, [_encode(stop) for stop in stops], kept)
    if guide.remembers:
        return Both(guide, text(guide.vocabulary).narrowed(automaton, name))
    return guide.narrowed(automaton, name)


def literal(data: bytes, v: Vocabulary, name: str | None = None) -> AutomatonGuide:
    """Exactly these bytes. `name`: what errors call them.

    Raises:
        TypeError: `data` is not `bytes`.
        ConstraintError: this vocabulary cannot spell them.

    >>> g = literal(b"ab", Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
    >>> g.forced(g.initial), g.complete(g.advance_all(g.initial, [1, 2]))
    (b'ab', True)
    """
    if not isinstance(data, bytes):
        raise TypeError(f"a literal is bytes, not {type(data).__name__}")
    _checked(v)
    return AutomatonGuide(word(data), v, _shorten(name or f"the literal {data!r}"))


def _encode(option: str) -> bytes:
    try:
        return option.encode()
    except UnicodeEncodeError as error:
        raise ConstraintError(f"the option {option!r} is not Unicode text: it has a lone surrogate") from error


def _shorten(name: str, limit: int = LONGEST_NAME) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "…"
