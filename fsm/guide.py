"""Guides: what may be generated, token by token.

    g = regex(r"[0-9]+", v)     choice(["red", "blue"], v)     json_schema(schema, v)     text(v)     literal(b"…", v)
    fsm(interegular.parse_pattern("[ab]+").to_fsm(), v)    g.to_interegular()
    g = quote(document, v, words=(3, 40))
    g = grammar('start: "a" start "b" | "c"', v)     grammar('root ::= "a" root "b" | "c"', v, syntax="gbnf")
    g = triggered({"<call>": (json_schema(schema, v), "</call>")}, v)     thought(200, v, "</think>")
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

from outlines_cont.arguments import plain, shown, whole_number
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import uncollected, whole_at_fork
from outlines_cont.waiting import told

from .automaton_guide import FINAL, AutomatonGuide
from .engine.trie import trie_of
from .json_schema import compiler as schemas
from .json_schema.compiler import read_document
from .json_schema.quotes import Quotation
from .language.narrowed import Trigger, Without, as_token, up_to, with_triggers
from .language.nodes import VOID, Ranges, alt, cat, chars, star
from .language.tries import literal as word
from .language.tries import words
from .patterns import character_machines, parser
from .patterns.characters import utf8
from .patterns.parser import parse
from .protocol import Both, FullGuide, Guide
from .stop_tokens import EndingTokens, stop_tokens
from .vocabulary import Vocabulary
from .within import Thought, thought

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
    "thought",
    "triggered",
    "without",
]

GUIDES = "guides"  # where in `Vocabulary.cache` they are kept
RECENT_GUIDES = 32  # how many are kept for a vocabulary
LONGEST_NAME = 200  # characters
MOST_VALUES = 1000  # of a text with triggers that are counted: each has states of its own


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
    >>> g = grammar('start: "(" start ")" | NUMBER\\n%declare NUMBER', number.vocabulary, parts={"NUMBER": number})
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
        if guide._lists_items:
            raise ConstraintError(f"parts={{{name!r}: …}}: 'uniqueItems' is not supported in a part of a grammar")
    return dict(parts)


def text(v: Vocabulary) -> AutomatonGuide:
    """Any sequence of text tokens; it may end anywhere.

    >>> g = text(Vocabulary([b"<eos>", b"a", b"b"], eos=[0]))
    >>> g.accepting(g.initial), g.accepting(g.advance_all(g.initial, [1, 2, 1]))
    (True, True)
    """
    return _known(v, "text", "text", lambda: AutomatonGuide(star(chars(((0, 255),))), v, "text", free_text=True))


def triggered(
    triggers: Mapping[str, tuple[AutomatonGuide, str]], v: Vocabulary, at_least: int = 0, at_most: int | None = None
) -> AutomatonGuide:
    """Text in which a mark begins a value, which another mark ends; and then text again.

    The text may end anywhere but from a trigger to the end of its value. A trigger that is not complete is text, and
    within a value none counts. Where triggers and ends are written as special tokens, these may come in their places,
    and there only; then no token of the text holds the byte 0xFF.

    Args:
        triggers: by the text that begins a value, its guide, and the text that ends it. Of a guide of `text`, a value
            goes as far as its end first comes.
        at_least: how many values there are at least.
        at_most: how many there are at most; None for any number.

    Raises:
        TypeError, ValueError: what is none of these; a trigger that would never be complete, since another one
            stands within it.
        ConstraintError: this vocabulary cannot spell them; 'uniqueItems' where values may be read in several ways.

    >>> v = Vocabulary([b"<eos>", b"a", b"<n>", b"1", b"</n>", b"<", b"n", b">"], eos=[0], special=[2])
    >>> g = triggered({"<n>": (regex("[0-9]", v), "</n>")}, v)
    >>> inside = g.advance_all(g.initial, [1, 2])
    >>> [v.tokens[t] for t in range(8) if g.advance(inside, t) is not None], g.accepting(inside)
    ([b'1'], False)
    >>> g.accepting(g.advance_all(inside, [3, 4, 1, 5, 6])), g.marks
    (True, frozenset({2}))
    """
    _checked(v)
    checked = [(mark, *_checked_trigger(mark, given, v)) for mark, given in dict(triggers).items()]
    least, most = _checked_count(at_least, at_most, len(checked))
    _check_readable(checked)
    marks = stop_tokens([text for mark, _, end in checked for text in (mark, end)], v)
    special = {v.tokens[token] for token in marks}
    symbols: Ranges = ((0, 254),) if marks else ((0, 255),)
    nodes = []
    for mark, guide, end in checked:
        begin, data = _encode(mark), _encode(end)
        if guide._any_text:
            after = up_to(data, data in special, symbols)
        else:
            ends = alt(word(data), word(as_token(data)) if data in special else VOID)
            after = cat(guide._beside(bool(marks)), ends)
        nodes.append(Trigger(begin, after, begin in special))
    language, holding = with_triggers(nodes, least, most, symbols), tuple(guide for _, guide, _ in checked)
    name = _shorten(f"text with {', '.join(mark for mark, _, _ in checked)}")
    return AutomatonGuide(language, v, name, free_text=True, holding=holding, marks=marks)


def _checked_trigger(mark: Any, given: Any, v: Vocabulary) -> tuple[AutomatonGuide, str]:
    """The guide and the end of a trigger. TypeError, ValueError: it is none."""
    pair = given if isinstance(given, tuple) and len(given) == 2 else (None, None)
    guide, end = pair
    if not isinstance(mark, str) or not isinstance(guide, AutomatonGuide) or not isinstance(end, str):
        raise TypeError(f"triggers are {{text: (guide, end)}}, with guides of this module, not {shown({mark: given})}")
    if not mark or not end:
        raise ValueError(f"the trigger {mark!r} with the end {end!r}: both are texts, not empty")
    if guide.vocabulary != v:
        raise ValueError(f"the trigger {mark!r} has a guide of another vocabulary")
    return guide, end


def _checked_count(at_least: Any, at_most: Any, kinds: int) -> tuple[int, int | None]:
    if not kinds:
        raise ValueError("triggers={}: give at least one, {text: (value, end)}")
    least = whole_number(at_least, "at_least", "an int ≥ 0")
    most = None if at_most is None else whole_number(at_most, "at_most", "an int ≥ at_least, or None")
    if not 0 <= least <= MOST_VALUES or not (most is None or max(least, 1) <= most <= MOST_VALUES):
        right = f"0 ≤ at_least ≤ at_most, 1 ≤ at_most, and both ≤ {MOST_VALUES}"
        raise ValueError(f"at_least={least}, at_most={most}: they must be {right}")
    return least, most


def _check_readable(triggers: Sequence[tuple[str, AutomatonGuide, str]]) -> None:
    """ValueError, ConstraintError for triggers that would never be complete, or that values cannot be told by."""
    marks = [mark for mark, _, _ in triggers]
    pairs = [(one, other) for one in marks for other in marks if one != other and one in other]
    for one, other in pairs:
        if one in other[1:-1] and not other.startswith(one):
            raise ValueError(f"the trigger {other!r} is never complete: {one!r} stands within it, and comes first")
    plain = not pairs and all(guide._schemas or guide._any_text for _, guide, _ in triggers)
    if not plain and any(guide._lists_items for _, guide, _ in triggers):
        alone = "all other values are JSON or text, and no trigger stands within another"
        raise ConstraintError(f"'uniqueItems' is supported in values of triggers only if {alone}")


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
    if isinstance(guide, Thought):
        return Thought(without(guide.free, words, before, stops, kept), guide.budget, guide.mark)
    listed = ", ".join(map(repr, words))
    if not isinstance(guide, AutomatonGuide):
        raise ConstraintError(
            f"{guide!r} without {listed}: it is no guide of outlines_cont.fsm.guide, so its bytes are not known"
        )
    name = _shorten(f"{guide.name} without {listed}")
    automaton = Without(
        [_encode(word) for word in words], before, [_encode(stop) for stop in stops], kept, bool(guide.marks)
    )
    if guide.remembers:
        others = text(guide.spelled).narrowed(automaton, name)
        return Both(guide, others)
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
