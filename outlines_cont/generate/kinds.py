"""The kinds of generators: one function for each, from a model and what is to be written to a `Generator`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from pydantic import TypeAdapter

from outlines_cont.arguments import flag, shown, takes_one, whole_number
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.where import WhereFunction
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.explained import explained
from outlines_cont.generate import asked
from outlines_cont.generate.asked import Asked, asked_of, checked_model, parts_of
from outlines_cont.generate.call_options import (
    By,
    ChoiceOptions,
    Extra,
    Forced,
    FormatCheck,
    FormatOptions,
    JsonOptions,
    Order,
    Pace,
    SpellingOption,
    Stop,
    Syntax,
    Whitespace,
)
from outlines_cont.generate.generator import Generator, M
from outlines_cont.generate.output_types import OutputType
from outlines_cont.state.constraint import Controller, Normalization

if TYPE_CHECKING:
    from interegular import FSM

T = TypeVar("T")


@explained
def text(
    model: LanguageModel,
    sampler: Sampler[M] | None = None,
    *,
    include_stop: bool = False,
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
) -> Generator[str, M]:
    """Any text, up to eos, a stop string (kept in the value with `include_stop`), max_tokens or the model's context.

    If a stop string begins inside a token, that token is replaced by tokens for the bytes before the string. Text is
    never forced, except for the bytes that healing took back.

    >>> oc.generate.text(model, oc.samplers.greedy())("The capital of France is ", stop_at=".")
    'Paris'
    """
    include_stop = flag(include_stop, "include_stop")
    return _generator("text()", model, sampler, forced, stop, where, False, asked.text, include_stop)


@overload
def choice(
    model: LanguageModel,
    options: type[T] | Iterable[T],
    sampler: Sampler[M] | None = None,
    **others: Unpack[ChoiceOptions],
) -> Generator[T, M]: ...


@overload
def choice(
    model: LanguageModel, options: object, sampler: Sampler[M] | None = None, **others: Unpack[ChoiceOptions]
) -> Generator[Any, M]: ...


@explained
def choice(
    model: LanguageModel,
    options: Any,
    sampler: Sampler[M] | None = None,
    *,
    by: By = "token",
    normalize: Normalization = "sum",
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[Any, Any]:
    """One of the options, literally, as it was given.

    options: a list of them, a `Literal` or an `Enum`. They are str, int, float, bool, None or members of an Enum, and
    are written as Python prints them.

    If an option begins another one, it may end there, with the probability that the model would not continue the longer
    one. So the options' probabilities sum to 1. The probability of an option is the sum over all its spellings in
    tokens; beams see the spellings one by one. ConstraintError if no tokens of the vocabulary spell an option.

    by: "token": draw one token after the other. "sequence": score every option, spelled canonically, to its end, its
    stop included, in one pass over a tree. Then one is taken (greedy) or drawn by its normalised probability; beams
    keep the best ones. `generator.probabilities(prompts)` gives all probabilities. Hooks see draws of tokens only.
    normalize: the number by which options are compared: the log-probability ("sum"), the log-probability divided by the
    tokens + 1 ("mean"), or minus the log-probability of the same tokens after a bos alone ("unconditional", see
    `oc.score`).

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy(), by="sequence")
    >>> city("The capital of France is ")
    'Paris'
    >>> age = oc.generate.choice(model, [30, 34, 40], oc.samplers.greedy())
    >>> age("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    34
    """
    return _generator(
        "choice()", model, sampler, forced, stop, where, whole, asked.choice, options, "choice()", by, normalize
    )


@explained
def regex(
    model: LanguageModel,
    pattern: str | re.Pattern[str],
    sampler: Sampler[M] | None = None,
    *,
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[str, M]:
    """A string that the pattern, a str or what `re.compile` gives, matches from end to end (`re.fullmatch`).

    Where the string may end or continue, it ends with the probability of all tokens that would not continue it; with
    `stop="eos"`, with the probability of eos.

    >>> oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.greedy())("The capital of France is ")
    'Paris'
    """
    return _generator("regex()", model, sampler, forced, stop, where, whole, asked.regex, pattern, "regex()")


@explained
def cfg(
    model: LanguageModel,
    grammar: str,
    sampler: Sampler[M] | None = None,
    *,
    syntax: Syntax = "lark",
    parts: Mapping[str, Any] | None = None,
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[str, M]:
    """A text of a context-free grammar. Values are the texts.

    syntax: "lark" (the first rule is `start`), or "gbnf", that of llama.cpp (the first rule is `root`). A text fits if
    any way to split it into terminals fits; see docs/grammars.md.
    parts: what `oc.Generator` takes, by names that stand for its texts: `%declare NAME` in lark's syntax; in GBNF, a
    name that no rule defines.

    >>> colour = oc.generate.cfg(model, 'start: "(" start ")" | "blue" | "red"', oc.samplers.greedy())
    >>> colour("The sky is ")
    'blue'
    >>> name = oc.generate.cfg(model, "root ::= [A-Z] [a-z]+", oc.samplers.greedy(), syntax="gbnf")
    >>> name("The capital of France is ")
    'Paris'
    >>> years = oc.generate.cfg(
    ...     model, 'start: AGE " years"\\n%declare AGE', oc.samplers.greedy(), parts={"AGE": int}
    ... )
    >>> years("Mira is 34.\\nQ: How old is Mira?\\nA: ")
    '34 years'
    """
    return _generator("cfg()", model, sampler, forced, stop, where, whole, asked.cfg, grammar, "cfg()", syntax, parts)


@explained
def fsm(
    model: LanguageModel,
    machine: FSM,
    sampler: Sampler[M] | None = None,
    *,
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[str, M]:
    """A text that a finite automaton accepts, an `interegular.FSM` over characters. Values are the texts.

    `interegular` computes with languages: `a & b`, `a - b`, `a | b`, `a ^ b`. `guide.to_interegular()` makes such an
    automaton from a guide.

    >>> import interegular
    >>> cities, paris = (interegular.parse_pattern(p).to_fsm() for p in ("Rome|Paris|Lima", "Paris"))
    >>> oc.generate.fsm(model, cities - paris, oc.samplers.greedy())("The capital of Italy is ")
    'Rome'
    """
    return _generator("fsm()", model, sampler, forced, stop, where, whole, asked.fsm, machine, "fsm()")


@overload
def json(
    model: LanguageModel,
    schema: type[T] | TypeAdapter[T],
    sampler: Sampler[M] | None = None,
    **others: Unpack[JsonOptions],
) -> Generator[T, M]: ...


@overload
def json(
    model: LanguageModel, schema: Callable[..., Any], sampler: Sampler[M] | None = None, **others: Unpack[JsonOptions]
) -> Generator[dict[str, Any], M]: ...


@overload
def json(
    model: LanguageModel, schema: object, sampler: Sampler[M] | None = None, **others: Unpack[JsonOptions]
) -> Generator[Any, M]: ...


@explained
def json(
    model: LanguageModel,
    schema: Any,
    sampler: Sampler[M] | None = None,
    *,
    whitespace: Whitespace = "compact",
    order: Order = "schema",
    extra: Extra = "forbid",
    format: FormatCheck = "assert",
    spelling: SpellingOption = "plain",
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[Any, Any]:
    """JSON that fits a schema.

    schema: a pydantic class (values are its objects), any other type that pydantic reads (a dataclass, `list[int]` …),
    a JSON Schema as dict or str (values are those of `json.loads`), or a function (values are dicts of its validated
    arguments).
    whitespace: "compact", "flexible" or a regex.
    order: the order of properties: that of the "schema", or "any".
    extra: properties that the schema does not name: "forbid" them, or allow them as the "schema" does.
    format: whether `format` is enforced, "assert", or not, "annotate".
    spelling: of texts and numbers, "plain" as `json.dumps` writes them, or in "any" way of JSON (see docs/json.md).

    >>> def person(name: str, age: int): ...
    >>> oc.generate.json(model, person, oc.samplers.greedy())("Mira is 34.\\nJSON: ")
    {'name': 'Mira', 'age': 34}
    """
    options = {"whitespace": whitespace, "order": order, "extra": extra, "format": format, "spelling": spelling}
    return _generator("json()", model, sampler, forced, stop, where, whole, asked.json, schema, "json()", **options)


@overload
def format(
    model: LanguageModel,
    python_type: re.Pattern[str] | None,
    sampler: Sampler[M] | None = None,
    **others: Unpack[FormatOptions],
) -> Generator[str, M]: ...


@overload
def format(
    model: LanguageModel,
    python_type: type[T] | OutputType[T] | TypeAdapter[T] | list[T] | tuple[T, ...],
    sampler: Sampler[M] | None = None,
    **others: Unpack[FormatOptions],
) -> Generator[T, M]: ...


@overload
def format(
    model: LanguageModel, python_type: object, sampler: Sampler[M] | None = None, **others: Unpack[FormatOptions]
) -> Generator[Any, M]: ...


@explained
def format(
    model: LanguageModel,
    python_type: Any,
    sampler: Sampler[M] | None = None,
    *,
    spelling: SpellingOption = "plain",
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
    where: WhereFunction | None = None,
    whole: bool = False,
) -> Generator[Any, Any]:
    """A value of a Python type, or of another output type of `oc.Generator` (see there).

    Scalars are written as Python prints them (`True`, `None`, `2024-02-29`), and datetimes with a `T` (a space is read,
    too). Types with containers, and unions of `str` with other types, are written as JSON. numbers: as "python" writes
    ints and floats, or spelled in every way that "json" has.

    >>> from datetime import date
    >>> when = oc.generate.format(model, date, oc.samplers.greedy())
    >>> when("Dapo's birthday is 1983-09-15.\\nQ: When was Dapo born?\\nA: ")
    datetime.date(1983, 9, 15)
    """
    return _generator(
        "format()", model, sampler, forced, stop, where, whole, asked_of, python_type, "format()", spelling
    )


@explained
def control(
    model: LanguageModel,
    controller: Controller | None = None,
    sampler: Sampler[Any] | None = None,
    *,
    together: Controller | None = None,
    pace: Pace | int = "branch",
    stop: Stop = "elsewhere",
    forced: Forced | None = None,
) -> Generator[str, Any]:
    """A span that a controller writes: a function of the row (`oc.steer.Writing`) that returns branches
    (`oc.steer.Branch`).

    The controller is called at the start of the span, and at the end of each branch. `[]` ends the span; several
    branches fork the row into samples. It must be a pure function of the row: for a state that was loaded, `resume`
    calls it again along the tokens that were kept.

    together: instead of `controller`, a function of all samples of a batch row, which go in lock-step. It gets a tuple
    of rows, also those that have ended (`row.finished`), and returns a dict {row: branches}. A row that is not in the
    dict is dropped. It is called when every row has ended or has reached the point that `pace` sets: the end of its
    "branch", one "token", or a number of tokens. `Branch(allowed=KEEP)` continues a branch that has not ended. A row
    that was cut short ("length") stays as it is, unless it is dropped. In a chain, a row that has ended goes on to the
    next link, and is not shown again.

    >>> def twice(row):
    ...     return [oc.steer.Branch(forced=" ha")] if len(row.text) < 6 else []
    >>> oc.generate.control(model, twice)("Mira laughed:")
    ' ha ha'
    >>> name = oc.generate.regex(model, " [A-Z][a-z]+")
    >>> def best(rows):
    ...     winner = max(rows, key=lambda row: row.weight)
    ...     return {winner: []} if winner.text else {row: [oc.steer.Branch(allowed=name)] for row in rows}
    >>> three = oc.samplers.multinomial(samples=3)
    >>> oc.generate.control(model, together=best, sampler=three)("Mira lives in", seed=0)
    [' Bern']
    """
    checked_model(model, "control()")
    function = together if controller is None else controller
    if (controller is None) == (together is None) or not callable(function) or not takes_one(function):
        given = shown(controller) + f" and together={shown(together)}" * (together is not None)
        raise TypeError(
            "control() takes a function from a row to a list of branches, or together=, a function from all rows to a "
            f"dict of such lists; not {given}"
        )
    if together is None and pace != "branch":
        raise TypeError(f"control(pace={pace!r}): a controller of one row is asked wherever its last branch has ended")
    generator = _generator("control()", model, sampler, forced, stop, None, False, Asked, "control")
    if together is not None and (generator.sampler.joint or generator.sampler.ranks_by_logprobs):
        raise ValueError(
            f"control(together=…) with {generator.sampler!r}: this sampler chooses among the rows; take greedy() "
            "or multinomial()"
        )
    if generator.sampler.weighs_draws:
        raise ValueError(
            f"control() with {generator.sampler!r}: it weighs each draw by its law, and a controller may fork a row or "
            "send it back, which no law says; take multinomial()"
        )
    constraint = replace(generator.constraint, controller=function, together=together is not None, pace=_pace(pace))
    return Generator._of(generator.model, constraint, generator.sampler, generator.forced)


def _pace(pace: Any) -> int:
    """How many tokens rows in lock-step get at once; 0: those of a branch."""
    named = {"branch": 0, "token": 1}
    if isinstance(pace, str) and pace in named:
        return named[pace]
    right = "'branch', 'token' or an int ≥ 1"
    if isinstance(pace, str) or (count := whole_number(pace, "pace", right)) < 1:
        raise ValueError(f"pace={pace!r}: it is {right}")
    return count


def _generator(
    called: str,
    model: Any,
    sampler: Any,
    forced: str | None,
    stop: str,
    where: Any,
    whole: bool,
    read: Any,
    *given: Any,
    **options: Any,
) -> Generator[Any, Any]:
    """A generator of what a function of `asked` reads."""
    model = checked_model(model, called)
    return Generator._of(*parts_of(called, model, read(*given, **options), sampler, stop, forced, where, whole))
