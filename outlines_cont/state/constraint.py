"""`Constraint`: what a generated span must fit, how its text becomes a value, and when it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict

from outlines_cont.arguments import BRIEF, shown, word
from outlines_cont.errors import ConstraintError, CorruptStateError
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.endings import endings_of
from outlines_cont.fsm.kinds import KINDS, plain_values
from outlines_cont.fsm.language.narrowed import begun
from outlines_cont.fsm.protocol import FullGuide, Guide, GuideState, concatenated, given, with_defaults
from outlines_cont.fsm.stop_tokens import EndingTokens, stop_tokens
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.ends import KnownPlaces, replay

Normalization = Literal["sum", "mean", "unconditional"]  # of the log-probability of a whole text
NORMALIZATIONS = get_args(Normalization)
USERS_GUIDE = json.dumps('{"kind": "guide"')[1:-1]  # in the specification of ways, of which one begins with it
NO_MARKS: frozenset[int] = frozenset()
# From a view of the row (`decode.writing.Writing`) to branches; together: from those of all rows, to a dict by row.
Controller = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Constraint(ProcessBoundValue):
    """A generator without its model and sampler: everything that a span must remember of it.

    Attributes:
        kind: one of `KINDS`.
        spec: canonical JSON from which `Constraint.of` builds an equal one: saved states hold it.
        compiled: gives `guide`.
        parse: what turns the span's text into its value.
        stop: "elsewhere" (the model's probability of going on otherwise) or "eos".
        stop_at: strings that end the span.
        include_stop: whether such a string stays in the text.
        controller: says how the span goes on, wherever its guide has come to an end.
        together: the controller is asked about all rows of a batch row at once, which go in lock-step.
        pace: how many tokens each of these gets before it is asked again; 0: until its guide has come to an end.
        options: the texts of a choice that is made at once, by their probabilities; of ways, how each may begin.
        normalize: how these probabilities are normalized.
        source: the file that it was read from, and the place there.
        wider: makes a guide that reads more spellings than `guide` writes; None: there is none.
        values: what `parse` makes of the texts, by a value that is equal for equal ones: a type, the options of a
            choice. None: a str, or what JSON says. Of ways: how each begins; None: `spec` says it.
        where: a predicate of the text so far, or a log-potential; see docs/weighted.md.
        whole: its values close within the tokens that they may have; see `fsm/within.py`.
        bans: texts that a span may not hold; each counts if it ends in the span. They are no part of `spec`: a span
            that was written without them may go on under them.
        before: how the text before the span ends, as far as one of these may begin there.
        unbanned: the same without bans, if there are any.
    """

    _instead = "Constraint.of(constraint.spec, vocabulary) makes an equal one"

    kind: str
    spec: str
    compiled: Callable[[], FullGuide]
    parse: Callable[[str], Any] = str
    stop: str = "elsewhere"
    stop_at: tuple[str, ...] = ()
    include_stop: bool = False
    controller: Controller | None = None
    together: bool = False
    pace: int = 0
    options: tuple[str, ...] = ()
    normalize: str = "sum"
    source: str | None = None
    wider: Callable[[], FullGuide] | None = None
    values: Any = None
    where: Callable[[str, bool], Any] | None = None
    whole: bool = False
    bans: tuple[str, ...] = ()
    before: bytes = b""
    unbanned: Constraint | None = None

    def __repr__(self) -> str:
        return f"Constraint({self.kind!r}, {shown(self.spec, BRIEF)})"

    @classmethod
    def of(cls, spec: str, vocabulary: Vocabulary, source: str) -> Constraint:
        """A constraint from its specification. Its values are plain: a str, or what JSON says.

        It is compiled when its guide is first asked for: loading a state takes no time for that.

        Raises:
            ValueError: the specification has another shape.
            CorruptStateError: later, by `guide` and `guide_after`: it cannot be compiled.
        """
        fields = Specification.model_validate(json.loads(spec))
        options = fields.options.model_dump(exclude_unset=True)
        parse = plain_values(fields.kind, fields.argument)
        return make_constraint(fields.kind, fields.argument, vocabulary, parse, source=source, **options)

    @property
    def guide(self) -> FullGuide:
        """The tokens that may follow, as an automaton."""
        return self.compiled()

    @property
    def record(self) -> str:
        """The specification with the bans: that of a span which is saved."""
        if not self.bans:
            return self.spec
        fields = json.loads(self.spec)
        fields["options"] |= {"bans": list(self.bans), "before": self.before.decode("latin-1")}
        return _canonical(fields)

    def banning(self, texts: tuple[str, ...], before: bytes = b"") -> Constraint:
        """The constraint without the values in which one of these texts stands, after a row that ends in some bytes.

        A controller's is left as it is: the controller names the constraints.
        ConstraintError, when its guide is made: nothing is left, or it is a guide that cannot be intersected.
        """
        if self.unbanned is not None:
            return self.unbanned.banning(texts, before)
        if not texts or self.controller is not None:
            return self
        return self._banning(texts, begun(before, [text.encode() for text in texts]))

    def after(self, before: bytes) -> Constraint:
        """The constraint of a span after this text: its bans count what stands before it."""
        return self if self.unbanned is None else self.unbanned.banning(self.bans, before)

    def closing(self, called: str, banned: tuple[str, ...]) -> Constraint:
        """The constraint whose values are whole. ValueError, ConstraintError: nobody can tell how they are ended."""
        if not self.constrained:
            raise ValueError(f"{called} of a {self.kind} with whole=True: nothing but the stop ends it, so it is whole")
        endings_of(self.banning(banned).guide)
        return replace(self, whole=True)

    @cached_property
    def _banning(self) -> Callable[[tuple[str, ...], bytes], Constraint]:
        @lru_cache(maxsize=256)
        def banning(texts: tuple[str, ...], before: bytes) -> Constraint:
            def narrowed(compiled: Callable[[], FullGuide]) -> Callable[[], FullGuide]:
                def make() -> FullGuide:
                    with _blamed_on(self.source):
                        return guides.without(compiled(), texts, before, self.stop_at, self.include_stop)

                return cache(make)

            wider = None if self.wider is None else narrowed(self.wider)
            narrow = narrowed(self.compiled)
            return replace(self, compiled=narrow, wider=wider, bans=texts, before=before, unbanned=self)

        return banning

    @property
    def guide_is_lost(self) -> bool:
        """Whether it was read from a file, which does not hold its guide (a guide of the user's)."""
        return self.source is not None and (self.kind == "guide" or (self.kind == "ways" and USERS_GUIDE in self.spec))

    def allows_the_same(self, other: Constraint) -> bool:
        """Whether a span of the other one may be a span of this one. Where a guide is lost, its name has to do."""
        if self.spec != other.spec or self.guide_is_lost or other.guide_is_lost:
            return self.spec == other.spec
        return self.kind != "guide" or self.guide is other.guide

    def equals(self, other: Constraint) -> bool:
        """Whether generators of the two are equal: they allow the same, and give equal values."""
        return (
            self.allows_the_same(other)
            and self.values == other.values
            and (self.where, self.whole, self.bans) == (other.where, other.whole, other.bans)
            and (self.controller, self.together, self.pace) == (other.controller, other.together, other.pace)
        )

    def stopping_at(self, strings: tuple[str, ...], include_stop: bool) -> Constraint:
        """The constraint of a span that ends at these strings."""
        if (strings, include_stop) == (self.stop_at, self.include_stop):
            return self
        if self.unbanned is not None:
            return self.unbanned.stopping_at(strings, include_stop).banning(self.bans, self.before)
        fields = json.loads(self.spec)
        fields["options"] |= {"stop_at": list(strings), "include_stop": include_stop}
        compiled = _up_to(strings, self.guide.vocabulary) if self.kind == "text" else self.compiled
        return replace(self, spec=_canonical(fields), compiled=compiled, stop_at=strings, include_stop=include_stop)

    @cached_property
    def stop_tokens(self) -> frozenset[int]:
        """The special tokens that end the span."""
        return stop_tokens(self.stop_at, self.guide.vocabulary) if self.stop_at else frozenset()

    @cached_property
    def marks(self) -> frozenset[int]:
        """The special tokens that are text of the span, see `fsm.guide.triggered`."""
        if self.kind == "control":  # which may name any of them
            return self.guide.vocabulary.special.difference(self.guide.vocabulary.eos)
        marked = self.kind in ("triggered", "thought", "guide")
        return getattr(given(self.guide), "marks", NO_MARKS) if marked else NO_MARKS

    @property
    def special_tokens(self) -> frozenset[int]:
        """The special tokens that may stand in the span, or end it."""
        return self.stop_tokens | self.marks

    def text_of(self, ids: Sequence[int], vocabulary: Vocabulary) -> bytes:
        """What these tokens of a span say: its marks, too, and no other special token."""
        return vocabulary.decode(ids, special=bool(self.marks))

    @property
    def stop_bytes(self) -> tuple[bytes, ...]:
        """The strings that end the span, in UTF-8."""
        return tuple(text.encode() for text in self.stop_at)

    @property
    def constrained(self) -> bool:
        """Whether a span that was cut short is no value."""
        return self.kind not in ("text", "control")

    def is_value(self, finished: str | None) -> bool:
        """Whether a whole span that ended like this is a value, after which a chain goes on. A text may be cut."""
        return finished == "stop" or (finished == "length" and not self.constrained)

    def guide_after(self, healed: bytes) -> FullGuide:
        """The guide of a span that begins with these bytes, taken back from the text before it.

        ConstraintError for a guide that knows no concatenation with others: what it is and what it lacks.
        """
        return self._after(healed) if healed else self.guide

    @cached_property
    def _after(self) -> Callable[[bytes], FullGuide]:
        guide = self.guide

        def after(healed: bytes) -> FullGuide:
            with _blamed_on(self.source):
                name = f"{shown(healed.decode('utf-8', 'replace'))} of the text before"
                return concatenated(guides.literal(healed, guide.vocabulary, name), guide)

        return lru_cache(maxsize=32)(after)

    @cached_property
    def may_follow_text(self) -> bool:
        """Whether there is a guide of a span that begins with text from before it: not of every guide of the user's."""
        try:
            self._after(b" ")
        except ConstraintError:
            return False
        return True

    @cached_property
    def readings(self) -> tuple[Constraint, ...]:
        """This constraint, and then one that reads more spellings, if there is one."""
        return (self,) if self.wider is None else (self, replace(self, compiled=self.wider, wider=None))

    def guide_of(self, tokens: Sequence[int], healed: bytes = b"") -> FullGuide:
        """The guide that these tokens of a span were written under: after a text of the user's it may be the wider one.

        CorruptStateError where they were read from a file and fit none.
        """
        for reading in self.readings:
            guide = reading.guide_after(healed)
            if replay(guide, tokens) is not None:
                return guide
        if self.source is not None and self.constrained:  # a file holds no guides of controllers
            raise CorruptStateError(f"{self.source}: the tokens of the span do not fit it")
        return self.guide_after(healed)

    @cached_property
    def option_scores(self) -> dict[Any, Any]:
        """The last scorings of a choice by sequence (`decode/option_scoring.py`)."""
        return {}

    def must_stop(self, guide: FullGuide, state: GuideState, tokens: Sequence[int], healed: bytes = b"") -> bool:
        """Whether a span of these tokens ends in this state whatever the model thinks: it need not be asked."""
        if self.stop != "elsewhere" or not guide.complete(state):
            return False
        plain, at = self.going_on(guide, state, tokens, healed)
        return plain is guide or plain.complete(at)

    def going_on(
        self, guide: FullGuide, state: GuideState, tokens: Sequence[int], healed: bytes = b""
    ) -> tuple[FullGuide, GuideState]:
        """The guide and the state whose tokens go on with a value, where a span of these tokens stands at `guide`,
        `state`: those without the bans. A ban takes ways to go on away, and does not make an end likelier."""
        place = None if self.unbanned is None else self.unbanned._places.after(tuple(tokens), healed)
        return (guide, state) if place is None else place

    _places = cached_property(KnownPlaces)  # of spans that were written under the same with bans

    def stops_at_eos(self, guide: FullGuide) -> bool:
        """Whether under this guide the stop has the probability of all eos tokens together: as that of a free text has,
        which nothing else ends. Else it has that of all tokens that do not continue the span."""
        return self.stop == "eos" or getattr(guide, "free_text", False)


def _is_schema(argument: Any) -> bool:
    """Whether the argument of a constraint is a JSON schema. A pattern, a grammar or a list of options is none."""
    return isinstance(argument, dict | bool)


def _up_to(strings: Sequence[str], vocabulary: Vocabulary) -> Callable[[], FullGuide]:
    """What makes the guide of a text that ends at one of these strings. Special tokens may be written as one."""
    tokens = stop_tokens(strings, vocabulary)
    if not tokens:
        return lambda: guides.text(vocabulary)
    return cache(lambda: EndingTokens(guides.text(vocabulary), tokens))


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class SpecificationOptions(_Shape):
    """The options of `make_constraint`."""

    stop: str = "elsewhere"
    stop_at: list[str] = []
    include_stop: bool = False
    by: str = "token"
    normalize: str = "sum"
    whitespace: str = ""
    order: str = ""
    extra: str = ""
    format: str = ""
    spelling: str = ""
    syntax: str = ""
    parts: dict[str, list[Any]] = {}
    wider: str | None = None
    bans: list[str] = []
    before: str = ""


class Specification(_Shape):
    """The shape of `Constraint.spec`."""

    kind: str
    argument: Any  # `KINDS` says what
    options: SpecificationOptions


SCHEMA_DEFAULTS = dict(whitespace="compact", order="schema", extra="forbid", format="assert", spelling="plain")
GRAMMAR_DEFAULTS: dict[str, Any] = {"syntax": "lark", "parts": {}}


def make_constraint(
    kind: str,
    argument: Any,
    vocabulary: Vocabulary,
    parse: Callable[[str], Any] = str,
    *,
    stop: str = "elsewhere",
    stop_at: tuple[str, ...] | list[str] = (),
    include_stop: bool = False,
    by: str = "token",
    normalize: str = "sum",
    source: str | None = None,
    wider: str | None = None,
    values: Any = None,
    guide: Guide | None = None,
    bans: Sequence[str] = (),
    before: str = "",
    **guide_options: Any,
) -> Constraint:
    """A constraint of a kind in `KINDS`.

    Args:
        argument: what the kind takes: nothing (None), a list of options, a pattern, a grammar or a schema.
        parse: what turns a text into a value.
        by: of a choice: "token" draws it token by token, "sequence" draws one of the options at once.
        source: where it was read, if it was: it is then compiled when somebody needs its guide.
        wider: a pattern that reads more spellings than the pattern `argument` writes. A schema needs none: if its
            spelling is "plain", "any" is read.
        values: what tells the values of this parse from others; see `Constraint`.
        guide: that of a constraint of the kind "guide".
        bans, before: see `Constraint.bans`; `before` holds a character for each byte.
        guide_options: those of `fsm.guide.json_schema`, or the `syntax` and the `parts` of a grammar.

    Raises:
        ValueError: an unknown kind, or an option that is none of its values.
        ConstraintError: nothing fits the constraint, or it cannot be understood.
    """
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of constraint; the kinds are {', '.join(map(repr, KINDS))}")
    _check_stop(stop, vocabulary)
    _check_normalize(by, normalize)
    defaults = _guide_defaults(kind, argument)

    @cache
    def compiled() -> FullGuide:
        if guide is not None:
            return with_defaults(guide)
        with _blamed_on(source):
            if stop_at:
                return _up_to(stop_at, vocabulary)()
            return KINDS[kind].guide(argument, vocabulary, **defaults | guide_options)

    other_spelling = guide_options.get("spelling") == "plain"

    @cache
    def compiled_wider() -> FullGuide:
        with _blamed_on(source):
            if other_spelling:
                return KINDS[kind].guide(argument, vocabulary, **guide_options | {"spelling": "any"})
            return KINDS[kind].guide(wider, vocabulary)

    if source is None:
        compiled()
    elif not isinstance(argument, KINDS[kind].argument) or not guide_options.keys() <= defaults.keys():
        raise ValueError(f"no {kind} takes {argument!r} with {guide_options}")
    else:
        _check_named(kind, argument, by, wider)
    options: dict[str, Any] = {"stop": stop, "stop_at": list(stop_at), "include_stop": include_stop}
    if defaults:
        options |= defaults | guide_options
    if by == "sequence":
        options |= {"by": by, "normalize": normalize}
    if wider is not None:
        options["wider"] = wider
    at_once = by == "sequence" or kind == "ways"
    whole_texts: tuple[str, ...] = tuple(cast(Any, argument)) if at_once else ()
    made = Constraint(
        kind=kind,
        spec=_canonical({"kind": kind, "argument": argument, "options": options}),
        compiled=compiled,
        parse=parse,
        stop=stop,
        stop_at=tuple(stop_at),
        include_stop=include_stop,
        options=whole_texts,
        normalize=normalize,
        source=source,
        wider=compiled_wider if other_spelling or wider is not None else None,
        values=values,
    )
    if "" in bans or (bans and kind == "control"):
        raise ValueError(f"bans={bans!r} of a {kind}")
    return made.banning(tuple(bans), before.encode("latin-1"))


def _check_named(kind: str, argument: Any, by: str, wider: str | None) -> None:
    """ValueError for what a file says of a kind that only another one has."""
    if by == "sequence" and kind != "choice":
        raise ValueError(f"by={by!r} of a {kind}")
    if wider is not None and kind != "format":
        raise ValueError(f"wider={wider!r} of a {kind}")


def _guide_defaults(kind: str, argument: Any) -> dict[str, Any]:
    """The options that the guide of a kind takes, with their defaults."""
    if _is_schema(argument):
        return SCHEMA_DEFAULTS
    return GRAMMAR_DEFAULTS if kind == "cfg" else {}


@contextmanager
def _blamed_on(source: str | None) -> Iterator[None]:
    """What cannot be compiled is an error of the file that it was read from, if it was."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        if source is None:
            raise
        raise CorruptStateError(f"{source}: {type(error).__name__}: {error}") from None


def _check_stop(stop: str, vocabulary: Vocabulary) -> None:
    right = (
        "'elsewhere' (the model's probability of going on otherwise) or 'eos'; for strings that end a text, give the "
        "call stop_at=[…]"
    )
    word(stop, "stop", ("elsewhere", "eos"), right)
    if stop == "eos" and not vocabulary.eos:
        raise ConstraintError(f"stop='eos': {vocabulary!r} has no eos; stop='elsewhere' needs none")


def _check_normalize(by: str, normalize: str) -> None:
    word(by, "by", ("token", "sequence"), "'token' (one by one) or 'sequence' (all options at once)")
    word(normalize, "normalize", NORMALIZATIONS)
    if normalize != "sum" and by == "token":
        raise ValueError(f"normalize={normalize!r} with by='token': only whole options (by='sequence') are normalized")


def _canonical(fields: dict[str, Any]) -> str:
    """JSON with its keys in the given order: a schema's properties are generated in theirs."""
    return json.dumps(fields, ensure_ascii=False)
