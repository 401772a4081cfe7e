"""The kinds of generators: one function for each, from a model and what is to be written to a `Generator`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from outlines_cont.arguments import flag, plain, shown, takes_one, whole_number, word
from outlines_cont.decode import samplers
from outlines_cont.decode.samplers.protocol import Sampler, missing_sampler_members
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.fsm import guide
from outlines_cont.generate import python_types
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.python_schemas import schema_and_parser
from outlines_cont.hints import explained
from outlines_cont.state.constraint import Controller, make_constraint


@explained
def text(
    model: LanguageModel,
    sampler: Sampler | None = None,
    *,
    include_stop: bool = False,
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """Any text, up to eos, a stop string (kept in the value with `include_stop`), max_tokens or the model's context.

    Where a stop string begins inside a token, that token is replaced by the tokens of its leading bytes. Only what is
    healed is ever forced.

    >>> oc.generate.text(model, oc.samplers.greedy())("The capital of France is ", stop_at=".")
    'Paris'
    """
    include_stop = flag(include_stop, "include_stop")
    return _generator(model, sampler, "text", None, forced=forced, include_stop=include_stop, stop=stop)


@explained
def choice(
    model: LanguageModel,
    options: Sequence[str],
    sampler: Sampler | None = None,
    *,
    by: str = "token",
    normalize: str = "sum",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """One of the options, literally.

    An option that begins another may end where the model would go elsewhere, so the options' probabilities are a
    proper distribution. Each is the sum over all its spellings in tokens; beams see the spellings one by one. An option
    that no tokens of the vocabulary spell is a ConstraintError.

    by: "token", the walk that draws one token after the other; or "sequence": every option, spelled canonically, is
    scored to its end, its stop included, in one tree-shaped pass, and one is taken (greedy) or drawn by its normalised
    probability; beams go on with the best. `generator.probabilities(prompts)` gives all. normalize: what is compared of
    an option, its log-probability ("sum"), that over its tokens + 1 ("mean"), or that minus the log-probability of the
    same tokens after nothing but a bos ("unconditional", see `oc.score`). Hooks are asked about draws of tokens only.

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy(), by="sequence")
    >>> city("The capital of France is ")
    'Paris'
    """
    if isinstance(normalize, str) and normalize != "sum" and getattr(sampler, "ranks_by_logprobs", False):
        raise ValueError(
            f"normalize={normalize!r} with {sampler!r}, which ranks rows by their log-probabilities: use 'sum'"
        )
    options = plain(options)
    given = list[Any](options) if isinstance(options, Iterable) and not isinstance(options, str) else [None]
    listed = [option for option in given if isinstance(option, str)]
    if len(listed) < len(given):
        raise TypeError(f"choice() takes a list of strings, not {shown(options)}")
    generator = _generator(model, sampler, "choice", listed, forced=forced, stop=stop, by=by, normalize=normalize)
    if len(model.vocabulary.single_bytes) < 256:
        for option in listed:  # one that no tokens spell would never be taken
            guide.literal(option.encode(), model.vocabulary, f"the option {option!r}")
    return generator


@explained
def regex(
    model: LanguageModel,
    pattern: str,
    sampler: Sampler | None = None,
    *,
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """A string that the pattern matches from end to end (`re.fullmatch`).

    Where the pattern would let it end or go on, it ends with the model's probability of going elsewhere; `stop="eos"`
    makes that the probability of eos.

    >>> oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.greedy())("The capital of France is ")
    'Paris'
    """
    if not isinstance(pattern, str):
        raise TypeError(f"regex() takes a pattern as a str, not {type(pattern).__name__}")
    return _generator(model, sampler, "regex", pattern, forced=forced, stop=stop)


@explained
def cfg(
    model: LanguageModel,
    grammar: str,
    sampler: Sampler | None = None,
    *,
    syntax: str = "lark",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """A text of a context-free grammar. Values are the texts.

    syntax: "lark" (a text is one of the rule `start`), or "gbnf", that of llama.cpp (`root`). Every way to split a text
    into terminals counts; see docs/grammars.md.

    >>> colour = oc.generate.cfg(model, 'start: "(" start ")" | "blue" | "red"', oc.samplers.greedy())
    >>> colour("The sky is ")
    'blue'
    >>> name = oc.generate.cfg(model, "root ::= [A-Z] [a-z]+", oc.samplers.greedy(), syntax="gbnf")
    >>> name("The capital of France is ")
    'Paris'
    """
    if not isinstance(grammar, str):
        raise TypeError(f"cfg() takes a grammar as a str, not {type(grammar).__name__}")
    return _generator(model, sampler, "cfg", grammar, forced=forced, stop=stop, syntax=syntax)


@explained
def json(
    model: LanguageModel,
    schema: type[BaseModel] | dict[str, Any] | str | Callable[..., Any],
    sampler: Sampler | None = None,
    *,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
    numbers: str = "python",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """JSON that fits a schema.

    schema: a pydantic class (values are its objects), a JSON Schema as dict or str (values are what `json.loads`
    gives), or a function (values are dicts of its validated arguments). whitespace: "compact", "flexible" or a regex.
    order: of properties, "schema" or "any". extra: whether an open object may have properties that its schema does not
    speak of: "forbid", or what the "schema" allows. format: whether `format` is enforced, "assert" or "annotate".
    numbers: spelled as "python" writes ints and floats, or in every way that "json" has (see docs/json.md).

    >>> def person(name: str, age: int): ...
    >>> oc.generate.json(model, person, oc.samplers.greedy())("Mira is 34.\\nJSON: ")
    {'name': 'Mira', 'age': 34}
    """
    source, parse = schema_and_parser(schema)
    options = {"whitespace": whitespace, "order": order, "extra": extra, "format": format, "numbers": numbers}
    return _generator(model, sampler, "json", source, parse, forced=forced, stop=stop, **options)


@explained
def format(
    model: LanguageModel,
    python_type: Any,
    sampler: Sampler | None = None,
    *,
    numbers: str = "python",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """A value of a Python type: int, float, bool, date, time, datetime, a Literal, an Enum, or Optional, Union, list,
    dict and tuple of those.

    Scalars are written as Python prints them (`True`, `None`, `2024-02-29`), containers as JSON. numbers: as "python"
    writes ints and floats, or spelled in every way that "json" has.

    >>> from datetime import date
    >>> when = oc.generate.format(model, date, oc.samplers.greedy())
    >>> when("Dapo's birthday is 1983-09-15.\\nQ: When was Dapo born?\\nA: ")
    datetime.date(1983, 9, 15)
    """
    argument, parse = python_types.spelling(python_type, numbers)
    options = {"numbers": numbers}
    if isinstance(argument, str):
        wider, _ = python_types.spelling(python_type, "json")
        options = {"wider": wider} if wider != argument else {}
    return _generator(model, sampler, "format", argument, parse, forced=forced, stop=stop, **options)


@explained
def control(
    model: LanguageModel,
    controller: Controller | None = None,
    sampler: Sampler | None = None,
    *,
    together: Controller | None = None,
    pace: str | int = "branch",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """What a function says: it is shown the row (`oc.Writing`), and gives the branches to go on with (`oc.Branch`).

    Asked at the start of the span, and again wherever its last branch has come to its end. `[]` ends the span; several
    branches fork the row into samples. It must be a pure function of the row: of a state that was loaded, `resume` asks
    it again along the tokens that were kept.

    together: in its place, a function of all rows of a batch row, which go in lock-step. It is given a tuple of them,
    those that have ended, too (`row.finished`), and gives a dict {row: branches}. A row that it leaves out is dropped.
    It is asked when every row has ended, or has come as far as `pace` says: to the end of its "branch", one "token"
    further, or so many tokens. A branch that is not over goes on with `Branch(allowed=KEEP)`. A row that was cut short
    ("length") stays as it is, unless it is dropped. In a chain, a row that has ended goes on to the next link, and is
    seen no more.

    >>> def twice(row):
    ...     return [oc.Branch(forced=" ha")] if len(row.text) < 6 else []
    >>> oc.generate.control(model, twice)("Mira laughed:")
    ' ha ha'
    >>> name = oc.generate.regex(model, " [A-Z][a-z]+")
    >>> def best(rows):
    ...     winner = max(rows, key=lambda row: row.weight)
    ...     return {winner: []} if winner.text else {row: [oc.Branch(allowed=name)] for row in rows}
    >>> three = oc.samplers.multinomial(samples=3)
    >>> oc.generate.control(model, together=best, sampler=three)("Mira lives in", seed=0)
    ' Bern'
    """
    function = together if controller is None else controller
    if (controller is None) == (together is None) or not callable(function) or not takes_one(function):
        given = shown(controller) + f" and together={shown(together)}" * (together is not None)
        raise TypeError(
            "control() takes a function from a row to a list of branches, or together=, a function from all rows to a "
            f"dict of such lists; not {given}"
        )
    if together is None and pace != "branch":
        raise TypeError(f"control(pace={pace!r}): a controller of one row is asked wherever its last branch has ended")
    generator = _generator(model, sampler, "control", None, forced=forced, stop=stop)
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
    constraint = replace(
        generator.constraint,
        controller=function,
        together=together is not None,
        pace=_pace(pace),
    )
    return replace(generator, constraint=constraint)


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
    model: LanguageModel,
    sampler: Sampler | None,
    kind: str,
    argument: Any,
    parse: Callable[[str], Any] = str,
    forced: str | None = None,
    **options: Any,
) -> Generator:
    if lacking := missing_members(model):
        raise TypeError(
            f"{kind}() takes a Model first (oc.load() or oc.Model(hf, tokenizer)), not {type(model).__name__}, "
            f"which has no {', '.join(lacking[:4])}{' …' if len(lacking) > 4 else ''}"
        )
    sampler = samplers.multinomial() if sampler is None else sampler
    if lacking := missing_sampler_members(sampler):
        raise TypeError(
            f"{kind}() takes a sampler (oc.samplers.greedy(), …), not {shown(sampler)}, "
            f"which has no {', '.join(lacking)}"
        )
    if isinstance(sampler, type):
        raise TypeError(f"{kind}() takes a sampler, not the class {sampler.__name__}: call it")
    if forced is not None:
        word(forced, "forced", ("canonical", "never"))
    constraint = make_constraint(kind, argument, model.vocabulary, parse, **options)
    return Generator(model, constraint, sampler, sampler.forced if forced is None else forced == "canonical")
