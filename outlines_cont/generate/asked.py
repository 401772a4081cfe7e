"""What a generator is asked for, read: a kind of constraint with its argument, and what reads the values.

One function for each kind, and `asked_of` for all that `oc.Generator` takes. None of these knows a model: `parts_of`
makes the constraint on its vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from inspect import isroutine
from os import PathLike
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar, cast, get_args, get_origin

from pydantic import TypeAdapter

from outlines_cont.arguments import flag, refuse_media, shown, word
from outlines_cont.decode import samplers
from outlines_cont.decode.canonical import Forced
from outlines_cont.decode.samplers.filters.bad_words import banned_texts, only_bans_texts
from outlines_cont.decode.samplers.protocol import Sampler, missing_sampler_members
from outlines_cont.decode.where import checked_where
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.explained import MODELS, no_model
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.guide import literal
from outlines_cont.fsm.json_schema.quotes import Quotation
from outlines_cont.fsm.json_schema.strings import GrammarTexts
from outlines_cont.fsm.kinds import BYTES, Section, part_guide, sections
from outlines_cont.fsm.patterns.character_machines import is_machine, listing
from outlines_cont.fsm.protocol import Guide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.schemas import outlines_terms, python_types
from outlines_cont.schemas.outlines_terms import is_schema_builder, is_term
from outlines_cont.schemas.pydantic_schemas import TextAnnotation
from outlines_cont.schemas.python_types import unwrapped
from outlines_cont.schemas.sources import schema_and_parser
from outlines_cont.schemas.tools import Tools
from outlines_cont.state.constraint import Constraint, make_constraint

T_co = TypeVar("T_co", covariant=True)  # of the values


class Asked(NamedTuple):
    """A constraint before it has a vocabulary: the arguments of `make_constraint`.

    Attributes:
        kind, argument, parse, values: see `Constraint`.
        options: the others, by their names.
    """

    kind: str
    argument: Any = None
    parse: Callable[[str], Any] = str
    values: Any = None
    options: dict[str, Any] = {}  # noqa: RUF012 (never changed)


def text(include_stop: bool = False) -> Asked:
    """Any text."""
    return Asked("text", options={"include_stop": include_stop})


def choice(source: Any, called: str, by: str = "token", normalize: str = "sum") -> Asked:
    """One of the options of a list, a `Literal` or an `Enum`. Values are the options as they were given.

    A `Choice` of Outlines is a list, too.
    """
    if outlines_terms.is_choice_of_values(source):
        source = source.items
    options = python_types.options_of(source, called)
    texts, asked_by = list(options), {"by": by, "normalize": normalize}
    if all(type(value) is str for value in options.values()):
        return Asked("choice", texts, options=asked_by)
    values = tuple((type(value), value) for value in options.values())
    return Asked("choice", texts, options.__getitem__, values, asked_by)


def regex(pattern: Any, called: str) -> Asked:
    """A text that a pattern matches, a str or what `re.compile` gives, or a term of Outlines."""
    if is_term(pattern):
        pattern = outlines_terms.pattern_of(pattern, called)
    if isinstance(pattern, re.Pattern):
        if isinstance(pattern.pattern, bytes):
            raise TypeError(f"{called} takes a pattern of text, not of bytes: {shown(pattern)}")
        pattern = python_types.with_flags(pattern)
    if not isinstance(pattern, str):
        raise TypeError(f"{called} takes a pattern, a str or what re.compile gives, not {shown(pattern)}")
    return Asked("regex", pattern)


def cfg(grammar: Any, called: str, syntax: str = "lark", parts: Mapping[str, Any] | None = None) -> Asked:
    """A text of a grammar, a str or a `CFG` of Outlines. parts: types by names that stand for them in it."""
    if is_term(grammar) and outlines_terms.kind_of(grammar) == "CFG":
        grammar = grammar.definition
    if not isinstance(grammar, str):
        right = ": path.read_text()" if isinstance(grammar, PathLike) else ""
        raise TypeError(f"{called} takes a grammar as a str, not {type(grammar).__name__}{right}")
    if parts is not None and not isinstance(parts, Mapping):
        raise TypeError(f"{called} takes parts={{'NAME': type, …}}, not parts={shown(parts)}")
    given = {name: part(each, f"{called}, parts={{{name!r}: …}}") for name, each in (parts or {}).items()}
    return Asked("cfg", grammar, options={"syntax": syntax, "parts": given})


def part(given: Any, called: str) -> list[Any]:
    """A type that is a part of another one, as JSON: the kind of its constraint, the argument and the options."""
    wanted = asked_of(given, called)
    if wanted.kind == "guide":
        raise TypeError(f"{called} is a type; guides go together by the functions of outlines_cont.fsm.guide")
    if wanted.options.get("by") == "sequence":
        raise ValueError(f"{called}: by='sequence' is for a choice by itself")
    options = {name: value for name, value in wanted.options.items() if name not in _OF_WHOLE_VALUES}
    return [wanted.kind, wanted.argument, options]


def triggered(triggers: Any, called: str, at_least: int = 0, at_most: int | None = None) -> Asked:
    """Text with values that triggers begin. Values are lists of texts, and of pairs of a trigger and its value."""
    if not isinstance(triggers, Mapping) or not all(isinstance(x, tuple) and len(x) == 2 for x in triggers.values()):
        raise TypeError(f"{called} takes {{trigger: (type, end), …}}, texts around a type, not {shown(triggers)}")
    types = {mark: asked_of(given, f"{called}, {mark!r}") for mark, (given, _) in triggers.items()}
    listed = [[mark, end, part(given, f"{called}, {mark!r}")] for mark, (given, end) in triggers.items()]
    values = tuple((mark, each.kind, each.values) for mark, each in types.items())

    @cache
    def sections_of() -> list[Section]:
        return [Section(mark.encode(), part_guide(part, BYTES), end.encode()) for mark, end, part in listed]

    def parse(text: str) -> list[Any]:
        parts = [(n, data.decode("utf-8", "replace")) for n, data in sections(text.encode(), sections_of())]
        return [each if n is None else (listed[n][0], types[listed[n][0]].parse(each)) for n, each in parts]

    return Asked("triggered", [at_least, at_most, listed], parse, values)


_OF_WHOLE_VALUES = ("by", "normalize", "include_stop", "wider")


def fsm(machine: Any, called: str) -> Asked:
    """A text that an `interegular.FSM` accepts."""
    if not is_machine(machine):
        hint = ": its to_fsm() makes one" if hasattr(machine, "to_fsm") else ""
        raise TypeError(f"{called} takes an interegular.FSM, not {shown(machine)}{hint}")
    return Asked("fsm", listing(machine))


def json(source: Any, called: str, **options: str) -> Asked:
    """JSON of a schema, a class, a type or a function's arguments. options: those of `fsm.guide.json_schema`."""
    source, options = outlines_terms.schema_and_options(source, called, options)
    schema, parse = schema_and_parser(source, called)
    values = None if isinstance(source, (dict, bool, str)) else unwrapped(source)
    return Asked("json", schema, parse, values, {"spelling": "plain", **options})


def python_type(source: Any, called: str, spelling: str = "plain") -> Asked:
    """A value of a type: a constant of those listed, a scalar without quotes, or JSON."""
    source = unwrapped(source)
    if python_types.is_listed(source):
        return choice(source, called)
    written = python_types.spelling(source, spelling)
    if written is None:
        return json(source, called, spelling=spelling)
    options = {} if written.wider is None else {"wider": written.wider}
    return Asked("format", written.pattern, written.parse, source, options)


def outlines_term(term: Any, called: str, spelling: str = "plain") -> Asked:
    """What a term of Outlines stands for: a schema, a grammar, a choice of values, or a pattern."""
    kind = outlines_terms.kind_of(term)
    if kind == "JsonSchema":
        return json(term, called, spelling=spelling)
    if spelling != "plain":
        raise TypeError(f"{called}: spelling={spelling!r} is for Python types and schemas, not for {shown(term)}")
    if kind == "CFG":
        return cfg(term, called)
    return choice(term, called) if outlines_terms.is_choice_of_values(term) else regex(term, called)


def guide(source: Guide) -> Asked:
    """A text of a guide of the user's."""
    name = source.name if isinstance(source, AutomatonGuide) else type(source).__name__
    return Asked("guide", name, options={"guide": source})


# --- what `oc.types` makes

#: What reads what each function of `oc.types` is given.
_READERS: dict[str, Callable[..., Asked]] = {"regex": regex, "cfg": cfg, "choice": choice, "json_schema": json}
_READERS["triggered"] = triggered
_READERS["thought"] = lambda budget, _, mark: Asked("thought", [budget, mark], lambda text: text.removesuffix(mark))
_READERS["quote"] = lambda document, called, words: Asked("quote", [*Quotation.of(document, words)])


@dataclass(frozen=True, eq=False)
class OutputType(TextAnnotation, Generic[T_co]):
    """An output type with options, made by a function of `oc.types`; T is the type of the values.

    Attributes:
        name: of the function. given, options: what it was given.

    >>> oc.types.regex("[0-9]{4}").name
    'regex'
    """

    name: str
    given: Any
    options: Mapping[str, Any]

    def asked(self) -> Asked:
        """The constraint that it stands for."""
        return _READERS[self.name](self.given, f"oc.types.{self.name}()", **self.options)

    @property
    def texts(self) -> Quotation | GrammarTexts | None:
        """Which texts a field of this annotation holds, as pydantic asks; None: it annotates no field."""
        argument = self.asked().argument
        if self.name == "cfg" and not self.options.get("parts"):
            return GrammarTexts(argument, self.options["syntax"])
        return Quotation(*argument) if self.name == "quote" else None

    def _key(self) -> tuple[Any, ...]:
        kind, argument, _, values, options = self.asked()
        return kind, repr(argument), values, options  # 1, 1.0 and True are three constants

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutputType) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.name, *self.options))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"oc.types.{self.name}({shown(self.given)}{options})"


# --- what `oc.Generator(model, output_type)` is given, read: one table, from the first row that fits
#
# `READERS` lists what is taken, `HINTS` what users write in its place, with what is right.

Test = Callable[[Any], bool]
Reader = Callable[..., Asked]  # of what is given, of who is given it, and perhaps of the spelling


def _of(*classes: type) -> Test:
    return lambda given: isinstance(given, classes)


def _is_guide(given: Any) -> bool:
    return not isinstance(given, type) and isinstance(given, Guide)


def _is_list(given: Any) -> bool:
    return isinstance(given, (list, tuple, range, set, frozenset)) or (
        hasattr(given, "tolist") and not isinstance(given, type)
    )


#: What is taken. All that fits no other row is a Python type.
READERS: list[tuple[Test, Reader]] = [
    (lambda given: given is None or given is str, lambda given, called: text()),
    (_of(OutputType), lambda given, called: given.asked()),
    (_of(re.Pattern), regex),
    (_of(Tools, dict), json),
    (is_machine, fsm),
    (is_term, outlines_term),
    (is_schema_builder, json),
    (_is_guide, lambda given, called: guide(given)),
    (_is_list, choice),
    (lambda given: True, python_type),
]
_SPELL_VALUES = (json, outlines_term, python_type)


def _text_hint(given: str) -> str:
    return (
        f"the str {shown(given)} may be a pattern, a grammar or an option: write oc.types.regex(…), oc.types.cfg(…), "
        "oc.types.json_schema(…) or a list of options, […]"
    )


def _sampler_hint(given: object) -> str:
    return f"{shown(given)} is a sampler, and comes third: oc.Generator(model, None, sampler) writes any text"


#: What is not taken, and what to say of it.
HINTS: list[tuple[Test, Callable[[Any], str]]] = [
    (_of(str), _text_hint),
    (_of(bytes), lambda given: f"the bytes {shown(given)} are no type; patterns, grammars and schemas are text"),
    (_of(bool), lambda given: f"{given} is a value: the type is bool, the schema oc.types.json_schema({given})"),
    (_of(ModuleType), lambda given: f"{given.__name__} is a module: give one of its classes or functions"),
    (lambda given: not isinstance(given, type) and not missing_sampler_members(given), _sampler_hint),
    (
        lambda given: given is OutputType or getattr(given, "__module__", "") == "outlines_cont.generate.output_types",
        lambda given: f"oc.types.{given.__name__} is not called: oc.types.{given.__name__}(…)",
    ),
    (lambda given: not missing_members(given), lambda given: "a model comes first, once: oc.Generator(model, int)"),
    (
        lambda given: type(given).__name__ in ("Generator", "Step", "Chain"),
        lambda given: f"{shown(given)} is a {type(given).__name__.lower()} already: call it, or give its output type",
    ),
    (
        lambda given: type(given).__module__ == "outlines.generator",
        lambda given: f"{shown(given)} has a model and an output type: oc.continuous(generator) makes a step of both",
    ),
    (
        lambda given: not isinstance(given, type) and hasattr(given, "to_fsm"),
        lambda given: f"{shown(given)} is a pattern that interegular has read: its to_fsm() makes an FSM of it",
    ),
    (
        lambda given: type(given).__name__ == "SequenceState",
        lambda given: "a state is a prompt: call the generator with it",
    ),
]


def asked_of(given: Any, called: str, spelling: str = "plain") -> Asked:
    """The constraint that an output type stands for.

    called: who was given it, for errors. spelling: of texts and numbers, "plain" or "any".

    Raises:
        TypeError: it stands for none; with what would be right.
        ValueError, ConstraintError: something in it cannot be generated.

    >>> from outlines_cont.generate.asked import asked_of
    >>> asked_of(["red", 3], "Generator()")[:2]
    ('choice', ['red', '3'])
    >>> asked_of("[0-9]+", "Generator()")
    Traceback (most recent call last):
        ...
    TypeError: Generator(): the str '[0-9]+' may be a pattern, a grammar or an option: write oc.types.regex(…), ...
    """
    given = unwrapped(given)
    refuse_media(given)
    for fits, hint in HINTS:
        if fits(given):
            raise TypeError(f"{called}: {hint(given)}")
    read = next(read for fits, read in READERS if fits(given))
    if spelling == "plain":
        return read(given, called)
    if read not in _SPELL_VALUES:
        raise TypeError(f"{called}: spelling={spelling!r} is for Python types, not for {shown(given)}")
    return read(given, called, spelling=spelling)


def _is_written(given: Any) -> bool:
    """Whether it says what is to be written, or is a name."""
    described = (str, type, re.Pattern, OutputType, Tools, TypeAdapter, dict, list, tuple, set, frozenset)
    return isinstance(given, described) or isroutine(given) or get_origin(given) is not None


def checked_model(model: Any, called: str) -> LanguageModel:
    """The model. TypeError if it is none, with how one is made."""
    if not isinstance(model, type) and not (lacking := missing_members(model)):
        return model
    if _is_written(model):
        raise no_model(called, model)
    if hasattr(model, "generate") and hasattr(model, "config"):
        raise TypeError(
            f"{called} takes a Model first, not a bare transformers model: oc.Model(hf_model, hf_tokenizer) wraps one"
        )
    if hasattr(model, "hf_tokenizer") and hasattr(model, "type_adapter"):
        raise TypeError(
            f"{called} takes a Model first, not one of Outlines: write oc.Model(model.model, model.hf_tokenizer)"
        )
    if hasattr(model, "convert_ids_to_tokens"):
        raise TypeError(f"{called} takes a Model first, not a tokenizer: oc.Model(hf_model, hf_tokenizer)")
    raise TypeError(
        f"{called} takes a Model first ({MODELS}), not {type(model).__name__}, "
        f"which has no {', '.join(lacking[:4])}{' …' if len(lacking) > 4 else ''}"
    )


# --- parts

Parts = tuple[LanguageModel, Constraint, Sampler[Any], Forced]


def parts_of(
    called: str,
    model: Any,
    wanted: Asked,
    sampler: Any,
    stop: str,
    forced: str | None,
    where: Any = None,
    whole: bool = False,
) -> Parts:
    """The parts of a generator that is asked for. called: who is given them, for errors.

    Raises:
        TypeError, ValueError: something that is none of these, or does not go together.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.
    """
    model, sampler = checked_model(model, called), _checked_sampler(sampler, called)
    forced = cast(Forced, word(sampler.forced if forced is None else forced, "forced", get_args(Forced)))
    normalize = wanted.options.get("normalize", "sum")
    if isinstance(normalize, str) and normalize != "sum" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"normalize={normalize!r} with {sampler!r}, which ranks rows by their log-probabilities: use 'sum'"
        )
    if wanted.options.get("by") == "sequence" and not only_bans_texts(sampler.logit_filters):
        raise ValueError(
            f"by='sequence' with {sampler!r}: whole options are drawn, and no token that a filter could see; take "
            "by='token'"
        )
    banned = banned_texts(sampler.logit_filters)
    if banned and wanted.kind == "control" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"control() with {sampler!r}: bad_words() is a constraint, which a controller's branches name themselves; "
            "ban the texts in their guides, allowed=outlines_cont.fsm.guide.without(guide, [...]), or draw, with "
            "multinomial()"
        )
    if wanted.kind == "guide" and (vocabulary := wanted.options["guide"].vocabulary) != model.vocabulary:
        raise ValueError(f"{called}: a guide over another vocabulary, {vocabulary!r}, than {model!r}")
    constraint = constraint_on(model.vocabulary, wanted, stop)
    constraint.banning(banned).guide  # noqa: B018 (which says at once if nothing is left)
    if checked_where(where, called) is not None:
        _check_takes_where(sampler, where)
        constraint = replace(constraint, where=where)
    constraint = constraint.closing(called, banned) if flag(whole, "whole") else constraint
    return model, constraint, sampler, forced


def _check_takes_where(sampler: Sampler[Any], where: Any) -> None:
    """ValueError if a predicate cannot be asked about what is drawn."""
    given = f"where={getattr(where, '__name__', None) or shown(where)}"
    if getattr(sampler, "honours_where", "nothing") == "nothing":
        raise ValueError(
            f"{given} with {sampler!r}: this sampler asks no predicates; take greedy(), multinomial(), smc() or "
            "beam_search()"
        )


def constraint_on(vocabulary: Vocabulary, wanted: Asked, stop: str = "elsewhere") -> Constraint:
    """What is asked for, on a vocabulary.

    ConstraintError if nothing fits it, or if the vocabulary cannot spell it, or one of the options of a choice.
    """
    constraint = make_constraint(
        wanted.kind, wanted.argument, vocabulary, wanted.parse, values=wanted.values, stop=stop, **wanted.options
    )
    if wanted.kind == "choice" and len(vocabulary.single_bytes) < 256:
        for option in wanted.argument:  # one that no tokens spell would never be taken
            literal(option.encode(), vocabulary, f"the option {option!r}")
    return constraint


def _checked_sampler(sampler: Any, called: str) -> Sampler[Any]:
    sampler = samplers.multinomial() if sampler is None else sampler
    if isinstance(sampler, type) or isroutine(sampler):
        kind = "class" if isinstance(sampler, type) else "function"
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not the {kind} {sampler.__name__}: call it"
        )
    if isinstance(sampler, str):
        named = sampler if sampler in samplers.__all__ else "greedy"
        raise TypeError(f"{called} takes a sampler, not the name {shown(sampler)}: oc.samplers.{named}()")
    if lacking := missing_sampler_members(sampler):
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not {shown(sampler)}, "
            f"which has no {', '.join(lacking)}"
        )
    return sampler
