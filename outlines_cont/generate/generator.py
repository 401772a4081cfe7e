"""A model, a constraint and a sampler: what is called with prompts; and the functions that make one."""

from __future__ import annotations

import inspect
import json as json_
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

import torch
from pydantic import BaseModel, TypeAdapter, create_model

from outlines_cont.decode import samplers
from outlines_cont.decode.frontier import Frontier, Stage, run, stream
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.resume import resumed
from outlines_cont.decode.samplers import Sampler
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.stream import Streamed
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.errors import ConstraintError, InvalidValueError
from outlines_cont.generate import python_types
from outlines_cont.state.constraint import Constraint, Controller, make_constraint, replay
from outlines_cont.state.errors import IncompleteError
from outlines_cont.state.indexing import whole_number
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin
from outlines_cont.state.state import SequenceState, of_another, prompt_state

SHOWN = 100  # characters of a value's beginning and of its end, in messages


@dataclass(frozen=True, eq=False)
class Generator:
    """A model, a constraint and a sampler.

    `generator(prompts)` gives plain values. One prompt and one sample give the value itself, everything else nested
    lists, batch then sample. `continuous(generator)` gives states instead.

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
    >>> city("The capital of France is ")
    'Paris'
    >>> city(["The capital of France is ", "The capital of Italy is "])
    [['Paris'], ['Rome']]
    """

    model: LanguageModel
    constraint: Constraint
    sampler: Sampler
    forced: bool = True  # whether what the constraint leaves no choice about is appended without drawing it

    def __repr__(self) -> str:
        return f"Generator({self.constraint.kind}, {self.sampler!r})"

    def __rshift__(self, other: object) -> NoReturn:
        raise TypeError(f"a chain is made of steps and texts: continuous({self!r}) makes a step")

    __rrshift__ = __rshift__

    def __call__(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        seam: str = "keep",
        progress: bool = False,
    ) -> Any:
        """Generate after each prompt and parse.

        max_tokens: of each row's new span; stop_at: strings that end a text; seed: of the random draws (None takes one
        from torch's global generator); hooks: asked about every draw (`oc.Draw`); retries: how often they, or a
        controller, may send a row back without its growing, before `HookLimit`; seam: "heal" to let a token cross
        the end of the prompt, see `continuous`; progress: draw a bar on stderr. IncompleteError, with the state, if a
        constrained value was cut short.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> text("The sky is", max_tokens=2), text("The capital of France is ", stop_at=".")
        (' blue.', 'Paris')
        """
        state = self.run(prompts, max_tokens, stop_at, seed, None, hooks, retries, seam, progress)
        return self.values(state)

    def values(self, state: SequenceState) -> Any:
        """What the last spans of the live rows say, as a call gives it: of one made by this generator, or resumed.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> try:
        ...     year("In the year 19", max_tokens=1)
        ... except oc.IncompleteError as error:
        ...     len(year.values(year.resume(error.state)))
        4
        """
        checked(state, self.model)
        values = [[self._value(row, state) for row in rows if not row.dead] for rows in state.rows]
        return values[0][0] if state.shape[:2] == (1, 1) and values[0] else values

    def _value(self, row: Row, state: SequenceState) -> Any:
        piece = row.pieces[-1] if row.pieces else None
        made = piece and piece.origin.constraint
        alike = made is not None and (made.spec == self.constraint.spec or made.kind == self.constraint.kind == "text")
        if piece is None or not alike:  # (a text's specification has the strings that one call ended at)
            raise ValueError(f"values() of {self!r}: a row does not end in a span of this generator")
        data = self.model.vocabulary.decode(row.ids[len(row) - piece.hi :])[len(piece.origin.healed) :]
        text = data.decode("utf-8", "replace")
        shown = repr(text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} … {text[-SHOWN:]}")
        if self.constraint.constrained and piece.origin.freed is not None:
            raise IncompleteError(f"the constraint of the {self.constraint.kind} value {shown} was given up", state)
        if self.constraint.constrained and piece.finished != "stop":
            raise IncompleteError(
                f"the {self.constraint.kind} value {shown} was cut short ({piece.finished}): give it more max_tokens, "
                "or go on: generator.values(generator.resume(error.state))",
                state,
            )
        try:
            return self.constraint.parse(text)
        except ValueError as error:  # what pydantic checks beyond the schema
            raise InvalidValueError(f"the value {shown} was generated but not accepted: {error}", state) from error

    def run(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        name: str | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        seam: str = "keep",
        progress: bool = False,
    ) -> SequenceState:
        """The state with one new span after every live row.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> str(text.run("The sky is", max_tokens=2))
        'The sky is blue.'
        """
        return run(self.begin(prompts, max_tokens, stop_at, seed, name, hooks, retries, seam), progress)

    def stream(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        seam: str = "keep",
        horizon: int | None = None,
        progress: bool = False,
    ) -> Iterator[Streamed]:
        """The states on the way, one a step, each with the text that became final: `partial.delta`.

        horizon: how many of a row's last tokens hooks and controllers may take back, and how many are held back for
        them; None: all of the span; progress: draw a bar on stderr.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> [partial.delta for partial in text.stream("The sky is", max_tokens=2)]
        [' blue', '.']
        """
        frontier = self.begin(prompts, max_tokens, stop_at, seed, None, hooks, retries, seam, horizon)
        return stream(frontier, progress)

    def begin(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        name: str | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        seam: str = "keep",
        horizon: int | None = None,
    ) -> Frontier:
        """The frontier from which `run` steps on. horizon: how many of a row's last tokens may be taken back.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=1)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        state = started(self.model, prompts)
        settings = self.settings(max_tokens, stop_at, name, hooks, retries, seam, horizon)
        return Frontier.begin(
            state, [Stage(self.sampler, settings, partial(Hypothesis.begin, settings))], seeded(seed), tuple(hooks)
        )

    def resume(
        self,
        state: SequenceState,
        max_tokens: int | None = None,
        seed: int | None = None,
        name: str | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        progress: bool = False,
    ) -> SequenceState:
        """The state in which the last span of this name goes on in every row; see `Step.resume`.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> state = year.run("Mira came in 1", max_tokens=2)
        >>> str(state), state.finished, str(year.resume(state))
        ('Mira came in 196', [['length']], 'Mira came in 19600')
        """
        checked(state, self.model)
        settings = self.settings(max_tokens, None, name, hooks, retries)

        def start(row: Row, before: Hypothesis | None) -> tuple[Hypothesis, ...]:
            index, origin = _open_span(row, name)
            return (Hypothesis.keep(settings, row),) if origin is None else gone_on(settings, row, index)

        stages = [Stage(self.sampler, settings, start, True)]
        return run(Frontier.begin(state, stages, seeded(seed), tuple(hooks)), progress)

    def probabilities(self, prompts: Prompts | SequenceState) -> torch.Tensor:
        """Of a choice by sequence: how likely each option is after each row, float64 `(B, S, options)`.

        Together 1, in the order of the options; 0 after dead rows. All rows are read in one pass.

        >>> colour = oc.generate.choice(model, [" blue", " red", " green"], by="sequence")
        >>> colour.probabilities("The sky is").round(decimals=2).tolist()
        [[[0.83, 0.03, 0.14]]]
        """
        if not self.constraint.options:
            raise TypeError(f"probabilities() of {self!r}: only choice(…, by='sequence') knows them")
        state = started(self.model, prompts)
        settings = self.settings(1, None, None, (), 0)  # none is written
        table = torch.zeros(
            *state.shape[:2], len(self.constraint.options), dtype=torch.float64, device=self.model.device
        )
        places = {row.ids: Hypothesis.begin(settings, row)[0] for rows in state.rows for row in rows if not row.dead}
        waiting = [h for h in places.values() if h.ballot is not None]
        logits, _ = self.model.read([query for h in waiting for query in h.queries])
        lines = torch.split(logits, [sum(len(query.wanted) for query in h.queries) for h in waiting])
        known = {h.row.ids: _shares(h, own) for h, own in zip(waiting, lines, strict=True)}
        for b, rows in enumerate(state.rows):
            for s, row in enumerate(rows):
                if row.ids in known:
                    table[b, s] = known[row.ids]
                elif not row.dead and places[row.ids].finished == "stop":
                    table[b, s] = 1.0  # the only option is ""
                elif not row.dead:
                    raise ValueError(f"a row of {len(row)} tokens: the model's context has no room for every option")
        return table

    def heals(self, seam: str) -> bool:
        """Whether a call with this seam heals it.

        >>> oc.generate.text(model).heals("heal"), oc.generate.text(model).heals("keep")
        (True, False)
        """
        if seam not in ("keep", "heal"):
            raise ValueError(f"seam={seam!r}: it is 'keep' or 'heal'")
        if seam == "heal" and self.constraint.controller is not None:
            raise ValueError("seam='heal' on a controller: it heals what one constraint goes on with")
        return seam == "heal"

    def settings(
        self,
        max_tokens: int | None,
        stop_at: str | Sequence[str] | None,
        name: str | None,
        hooks: Sequence[Hook],
        retries: int,
        seam: str = "keep",
        horizon: int | None = None,
    ) -> SpanSettings:
        """What all hypotheses of a call share.

        >>> oc.generate.text(model).settings(max_tokens=5, stop_at="\\n", name=None, hooks=(), retries=0).stop_bytes
        (b'\\n',)
        """
        if not isinstance(hooks, (list, tuple)) or not all(map(callable, hooks)):
            raise TypeError(f"hooks={hooks!r}: it takes a list of functions")
        constraint = self.constraint.stopping_at(self._stop_strings(stop_at), self.constraint.include_stop)
        if (retries := whole_number(retries, "retries", "an int ≥ 0")) < 0:
            raise ValueError(f"retries={retries}: it must be an int ≥ 0")
        if horizon is not None and (horizon := whole_number(horizon, "horizon", "an int ≥ 0 or None")) < 0:
            raise ValueError(f"horizon={horizon}: it must be an int ≥ 0, or None for all")
        if max_tokens is not None:
            right = "an int ≥ 0, or None for no limit but the model's context"
            if (max_tokens := whole_number(max_tokens, "max_tokens", right)) < 0:
                raise ValueError(f"max_tokens={max_tokens}: it must be {right}")
        elif self.model.context_length is None:
            raise ValueError(f"{self.model!r} states no context length: give max_tokens")
        return SpanSettings(
            constraint,
            self.model.encoder,
            name,
            self.sampler.length_penalty,
            max_tokens,
            self.model.context_length,
            constraint.stop_bytes,
            self.forced,
            retries,
            horizon,
            revised=bool(hooks) or constraint.controller is not None,
            heals=self.heals(seam),
        )

    def _stop_strings(self, stop_at: str | Sequence[str] | None) -> tuple[str, ...]:
        if stop_at is None:
            return ()
        strings = (stop_at,) if isinstance(stop_at, str) else stop_at
        if not isinstance(strings, (list, tuple)) or not all(isinstance(text, str) and text for text in strings):
            raise ValueError(f"stop_at={stop_at!r}: it must be a non-empty string or a list of them")
        if any("\ud800" <= character <= "\udfff" for text in strings for character in text):
            raise ValueError(f"stop_at={stop_at!r} holds half a character (a lone surrogate)")
        if strings and self.constraint.kind != "text":
            raise ValueError(f"stop_at={stop_at!r} on a {self.constraint.kind} generator: only text ends at a string")
        return tuple(strings)


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
    return _generator(model, sampler, "text", None, forced=forced, include_stop=include_stop, stop=stop)


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
    proper distribution. Each is the sum over all its spellings in tokens; beams see the spellings one by one.

    by: "token", the walk that draws one token after the other; or "sequence": every option, spelled canonically, is
    scored to its end, its stop included, in one tree-shaped pass, and one is taken (greedy) or drawn by its normalised
    probability; beams go on with the best. `generator.probabilities(prompts)` gives all. normalize: what is compared of
    an option, its log-probability ("sum"), that over its tokens + 1 ("mean"), or that minus the log-probability of the
    same tokens after nothing but a bos ("unconditional", see `oc.score`). Hooks are asked about draws of tokens only.

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy(), by="sequence")
    >>> city("The capital of France is ")
    'Paris'
    """
    if normalize != "sum" and isinstance(sampler, samplers.BeamSearch):
        raise ValueError(
            f"normalize={normalize!r} with beam_search(): beams are ranked by the model's own log-probabilities"
        )
    listed = list(options) if isinstance(options, Iterable) and not isinstance(options, str) else [None]
    if not all(isinstance(option, str) for option in listed):
        raise TypeError(f"choice() takes a list of strings, not {options!r}")
    return _generator(model, sampler, "choice", listed, forced=forced, stop=stop, by=by, normalize=normalize)


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


def cfg(
    model: LanguageModel,
    lark_grammar: str,
    sampler: Sampler | None = None,
    *,
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """A text of a context-free grammar in lark's syntax, of its rule `start`. Values are the texts.

    Every way to split a text into terminals counts; see docs/grammars.md.

    >>> colour = oc.generate.cfg(model, 'start: "(" start ")" | "blue" | "red"', oc.samplers.greedy())
    >>> colour("The sky is ")
    'blue'
    """
    if not isinstance(lark_grammar, str):
        raise TypeError(f"cfg() takes a grammar as a str, not {type(lark_grammar).__name__}")
    return _generator(model, sampler, "cfg", lark_grammar, forced=forced, stop=stop)


def json(
    model: LanguageModel,
    schema: type[BaseModel] | dict[str, Any] | str | Callable[..., Any],
    sampler: Sampler | None = None,
    *,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """JSON that fits a schema.

    schema: a pydantic class (values are its objects), a JSON Schema as dict or str (values are what `json.loads`
    gives), or a function (values are dicts of its validated arguments). whitespace: "compact", "flexible" or a regex.
    order: of properties, "schema" or "any". extra: whether an open object may have properties that its schema does not
    speak of: "forbid", or what the "schema" allows. format: whether `format` is enforced, "assert" or "annotate".

    >>> def person(name: str, age: int): ...
    >>> oc.generate.json(model, person, oc.samplers.greedy())("Mira is 34.\\nJSON: ")
    {'name': 'Mira', 'age': 34}
    """
    source, parse = _schema(schema)
    options = {"whitespace": whitespace, "order": order, "extra": extra, "format": format}
    return _generator(model, sampler, "json", source, parse, forced=forced, stop=stop, **options)


def format(
    model: LanguageModel,
    python_type: Any,
    sampler: Sampler | None = None,
    *,
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """A value of a Python type: int, float, bool, date, time, datetime, a Literal, an Enum, or Optional, Union, list,
    dict and tuple of those.

    Scalars are written as Python prints them (`True`, `None`, `2024-02-29`), containers as JSON.

    >>> from datetime import date
    >>> when = oc.generate.format(model, date, oc.samplers.greedy())
    >>> when("Dapo's birthday is 1983-09-15.\\nQ: When was Dapo born?\\nA: ")
    datetime.date(1983, 9, 15)
    """
    argument, parse = python_types.spelling(python_type)
    return _generator(model, sampler, "format", argument, parse, forced=forced, stop=stop)


def control(
    model: LanguageModel,
    controller: Controller,
    sampler: Sampler | None = None,
    *,
    stop: str = "elsewhere",
    forced: str | None = None,
) -> Generator:
    """What a function says: it is shown the row (`oc.Writing`), and gives the branches to go on with (`oc.Branch`).

    Asked at the start of the span, and again wherever its last branch has come to its end. `[]` ends the span; several
    branches fork the row into samples. It must be a pure function of the row: of a state that was loaded, `resume` asks
    it again along the tokens that were kept.

    >>> def twice(row):
    ...     return [oc.Branch(forced=" ha")] if len(row.text) < 6 else []
    >>> oc.generate.control(model, twice)("Mira laughed:")
    ' ha ha'
    """
    if not callable(controller):
        raise TypeError(f"control() takes a function from a row to a list of branches, not {controller!r}")
    generator = _generator(model, sampler, "control", None, forced=forced, stop=stop)
    return replace(generator, constraint=replace(generator.constraint, controller=controller))


def _generator(
    model: LanguageModel,
    sampler: Sampler | None,
    kind: str,
    argument: Any,
    parse: Callable[[str], Any] = str,
    forced: str | None = None,
    **options: Any,
) -> Generator:
    if missing_members(model):
        raise TypeError(
            f"{kind}() takes a Model first (oc.load() or oc.Model(hf, tokenizer)), not {type(model).__name__}"
        )
    sampler = samplers.multinomial() if sampler is None else sampler
    if isinstance(sampler, type) or not hasattr(sampler, "choose"):
        raise TypeError(f"{kind}() takes a sampler (oc.samplers.greedy(), …), not {sampler!r}")
    if forced not in (None, "canonical", "never"):
        raise ValueError(f"forced={forced!r}: it is 'canonical' or 'never'")
    constraint = make_constraint(kind, argument, model.vocabulary, parse, **options)
    return Generator(model, constraint, sampler, sampler.forced if forced is None else forced == "canonical")


def _schema(schema: Any) -> tuple[dict[str, Any] | bool, Callable[[str], Any]]:
    """A JSON Schema and what turns a text into a value."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema.model_json_schema(), schema.model_validate_json
    if isinstance(schema, str):
        try:
            schema = json_.loads(schema)
        except json_.JSONDecodeError as error:
            raise ValueError(f"the schema is not JSON: {error}; it begins {schema[:60]!r}") from None
    if isinstance(schema, (dict, bool)):
        return schema, json_.loads
    if inspect.isfunction(schema) or inspect.ismethod(schema):
        arguments = _arguments(schema)
        return arguments.model_json_schema(), lambda text: dict(arguments.model_validate_json(text))
    try:
        adapter = TypeAdapter(schema)  # dataclasses, TypedDicts, annotated types
    except Exception as error:
        raise TypeError(
            f"json() takes a pydantic class, a JSON Schema (dict or str) or a function, not {schema!r}"
        ) from error
    return adapter.json_schema(), adapter.validate_json


def _arguments(function: Callable[..., Any]) -> type[BaseModel]:
    """A model of a function's arguments."""
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{function.__name__}() takes *{name}: a schema needs arguments with names")
        if parameter.annotation is parameter.empty:
            raise TypeError(f"{function.__name__}(): the argument {name!r} has no annotation")
        fields[name] = (parameter.annotation, ... if parameter.default is parameter.empty else parameter.default)
    return create_model(function.__name__, **fields)


def _open_span(row: Row, name: str | None) -> tuple[int, Origin | None]:
    """The index of the last piece of this name, and the span as it was made; None if it has ended in its stop."""
    named = [i for i, piece in enumerate(row.pieces) if piece.kind == "generated" and piece.origin.name == name]
    if not named:
        names = sorted({repr(p.origin.name) for p in row.pieces if p.kind == "generated"}) or ["none"]
        raise ValueError(
            f"resume() of {_step(name)}: no such span in this row; its generated spans: {', '.join(names)} (a state "
            "made of a text has none: put what you write behind the cut state, cut + text)"
        )
    index = named[-1]
    piece = row.pieces[index]
    if piece.finished == "stop":
        return index, None
    later = [p.origin.name for p in row.pieces[index + 1 :] if p.kind == "generated"]
    if later:
        raise ValueError(
            f"resume() of {_step(name)}: another generated span ({later[0]!r}) follows the cut; slice it off first"
        )
    return index, piece.origin


def _step(name: str | None) -> str:
    return "a step without a name" if name is None else f"the step {name!r}"


def _shares(h: Hypothesis, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option of a ballot, `[options]`, from the logits that it asked for."""
    assert h.ballot is not None
    shares = torch.empty(len(h.ballot.numbers), dtype=torch.float64)
    shares[list(h.ballot.numbers)] = torch.tensor(h.option_scores(logits).shares, dtype=torch.float64).exp()
    return shares


def started(model: LanguageModel, prompts: Prompts | SequenceState) -> SequenceState:
    """Prompts as a state to go on from."""
    state = prompts if isinstance(prompts, SequenceState) else prompt_state(model, prompts)
    checked(state, model)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            if model.context_length is not None and len(row) > model.context_length:
                raise ValueError(f"row ({b}, {s}) has {len(row)} tokens; the model's context is {model.context_length}")
    return state


def gone_on(settings: SpanSettings, row: Row, index: int) -> tuple[Hypothesis, ...]:
    """The span that is the piece of this index goes on. ConstraintError if what the row holds does not fit it."""
    piece = row.pieces[index]
    constraint, made = settings.constraint, piece.origin.constraint
    if made is not None and constraint.kind == "text":
        constraint = constraint.stopping_at(made.stop_at, made.include_stop)
    found = resumed(
        replace(settings, constraint=constraint, stop_bytes=constraint.stop_bytes, healed=piece.origin.healed),
        row,
        index,
    )
    if not found:
        ids, decode = row.ids[len(row.before(index)) :], settings.encoder.vocabulary.decode
        text = decode(ids, special=True).decode("utf-8", "replace")
        known = ""
        if constraint.controller is None:
            guide = constraint.guide_after(piece.origin.healed)
            fits = next((n for n in range(len(ids), 0, -1) if replay(guide, ids[:n]) is not None), 0)
            known = f"; it fits as far as {decode(ids[:fits]).decode('utf-8', 'replace')!r}"
        raise ConstraintError(
            f"{text!r} does not begin a value of the {constraint.kind} generator of {_step(settings.name)}{known}"
        )
    return found


def checked(state: SequenceState, model: LanguageModel) -> None:
    """TypeError or ValueError if a generator of this model cannot go on from a state."""
    if not isinstance(state, SequenceState):
        raise TypeError(f"resume() takes a SequenceState, not {type(state).__name__}")
    if state.model is not model:
        raise ValueError(
            f"a state of {state.model!r} was given to a generator of {model!r}: {of_another(state, model)}"
        )
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            if row.dead:
                continue
            if not len(row):
                raise ValueError(f"row ({b}, {s}) is empty: generation needs at least one token to go on from")
