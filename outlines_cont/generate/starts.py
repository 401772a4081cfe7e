"""Where a call begins: its prompts and states, other contexts beside its rows, spans that are resumed, its settings."""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple, cast

from outlines_cont import waiting
from outlines_cont.arguments import meant, shown
from outlines_cont.decode.draws import Watch
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.growing_row import Sent
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.hypothesis import Hypothesis, begun
from outlines_cont.decode.resume import resumed
from outlines_cont.decode.samplers.filters.bad_words import banned_texts
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import GoingBack, Inspection, Limits, Noted, SpanSettings
from outlines_cont.decode.where import Where
from outlines_cont.engines.protocol import LanguageModel, how_to_enlarge
from outlines_cont.errors import BatchMismatch, ConstraintError, SampleMismatch, warn
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.call_options import KEYS_OF_A_STATE, RETRIES, Call, Forced, Mix, Seam
from outlines_cont.state.beside import Combination, OtherContext
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.ends import replay
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.grid import of_another
from outlines_cont.state.prompts import Prompts, lineages, listed, prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece
from outlines_cont.state.state import SequenceState, with_rows_changed

# --- prompts and states that a model can go on from, and spans that are resumed


def started(
    model: LanguageModel, prompts: Prompts | SequenceState, keys: tuple[int, ...] | None = None
) -> SequenceState:
    """Prompts as a state to go on from. Those that cannot be read have failed. keys: as `checked_keys` gives them."""
    if isinstance(prompts, SequenceState):
        if keys is not None:
            raise TypeError(f"keys= are those of prompts, and this is a state: {KEYS_OF_A_STATE}")
        state = checked(prompts, model)
    else:
        texts = listed(prompts)
        paths = lineages(keys, len(texts))
        rows = [[_prompt_row(model, prompt, path)] for prompt, path in zip(texts, paths, strict=True)]
        state = SequenceState(model, rows, samples=1)
    return with_rows_changed(state, lambda row: _fitting(row, model))


def _prompt_row(model: LanguageModel, prompt: Any, lineage: tuple[int, ...]) -> Row:
    try:
        return replace(prompt_row(model, prompt), lineage=lineage)
    except ValueError as error:
        return FailedRow.of(error)


def _fitting(row: Row, model: LanguageModel) -> Row:
    """The row, if the model can go on from it; else it has failed."""
    if row.dead:
        return row
    if not row.ids:
        return FailedRow.of(ValueError("the row is empty: generation needs at least one token to go on from"), (row,))
    context = model.context_length
    if context is not None and len(row) > context:
        problem = f"the prompt has {len(row)} tokens; the model's context is {context}{how_to_enlarge(model)}"
        if any(piece.origin.chat for piece in row.pieces):
            problem += ". In a conversation, turn(…, forget=n) lets the first n messages drop out"
        return FailedRow.of(ValueError(problem), (row,))
    return row


def in_time(begin: Callable[[], Frontier], call: Call) -> Callable[[], Frontier]:
    """What makes the frontier of a call, which ends when its time is over, counted from now."""
    if call.max_seconds is None:
        return begin
    until = waiting.clock() + call.max_seconds
    return lambda: replace(begin(), until=until)


def gone_on(
    settings: SpanSettings, index: int, given_out: bool, row: Row, before: object = None
) -> tuple[Hypothesis, ...]:
    """The span that is the piece of this index goes on. ConstraintError if what the row holds does not fit it.

    given_out: whether the text that it has was given out already, as far as its characters are whole; of what it had
    taken back, the rest is given out. before: the row as it waited for its turn.
    """
    piece = row.pieces[index]
    constraint, made = settings.constraint, piece.origin.constraint
    if made is not None and constraint.kind == "text":
        constraint = constraint.stopping_at(made.stop_at, made.include_stop)
    if constraint.bans:
        before = settings.encoder.spell(row.before(index).ids)
        constraint = constraint.after(before + piece.origin.healed)
    limits = settings.limits._replace(stop_bytes=constraint.stop_bytes)
    settings = replace(settings, constraint=constraint, limits=limits)
    if _had_no_room(piece) and index == len(row.pieces) - 1:
        return begun(Hypothesis, settings, row.before(index))
    if not piece.emptied:
        chosen_by = settings.noted.chosen_by or piece.origin.chosen_by
        noted = settings.noted._replace(combined=piece.origin.combined, chosen_by=chosen_by)
        settings = replace(settings, noted=noted)
    hypotheses = resumed(replace(settings, healed=piece.origin.healed), row, index)
    if not hypotheses:
        ids, decode = row.ids[len(row.before(index)) :], settings.encoder.vocabulary.decode
        text = decode(ids, special=True).removeprefix(piece.origin.healed).decode("utf-8", "replace")
        fitting = ""
        if constraint.controller is None:
            *_, widest = constraint.readings
            guide = widest.guide_after(piece.origin.healed)
            told = piece.told(ids)
            fits = next((n for n in range(len(told), 0, -1) if replay(guide, told[:n]) is not None), 0)
            fitted = decode(told[:fits]).removeprefix(piece.origin.healed).decode("utf-8", "replace")
            fitting = f"; it fits as far as {fitted!r}"
        raise ConstraintError(
            f"{text!r} does not begin a value of the {constraint.kind} generator of {_step(settings.name)}{fitting}"
        )
    if given_out:
        ids, vocabulary = row.ids[len(row.before(index)) :], settings.encoder.vocabulary
        missing = piece.origin.healed[len(piece.text(ids, vocabulary)) :]
        given = whole_characters(piece.value(ids, vocabulary))
        return tuple(h.changed(sent=Sent(missing, given)) for h in hypotheses)
    return hypotheses


def _had_no_room(piece: Piece) -> bool:
    """Whether a span has no tokens because it was allowed none, so that it took nothing back of the text before it."""
    return not piece.origin.length and piece.origin.finished == "length" and not piece.origin.healed


def whole_characters(data: bytes) -> int:
    """How many bytes there are before a character that is not whole."""
    return utf_8_decode(data, "replace", False)[1]


def checked(state: Prompts | SequenceState, model: LanguageModel) -> SequenceState:
    """The state. TypeError or ValueError if a generator of this model cannot go on from it."""
    if not isinstance(state, SequenceState):
        raise TypeError(
            f"resume() takes a SequenceState, not {type(state).__name__}: to begin after a prompt, call the generator, "
            "step or chain itself"
        )
    if state.model is not model:
        raise ValueError(
            f"a state of {state.model!r} was given to a generator of {model!r}: {of_another(state, model)}"
        )
    return state


#: Why a row may have no span that could go on.
NO_SPAN = (
    "a state made of a text has none, nor has one that was cut before the place where the span began: put what you "
    "write behind the cut state, cut + text, and give up_to(text, span=…) the name or the index of the span to look in"
)


def open_span(row: Row, name: str | None) -> tuple[int, Origin | None]:
    """The index of the last piece of this name, and the span as it was made; None if it has ended in its stop."""
    named = [i for i, piece in enumerate(row.pieces) if piece.kind == "generated" and piece.origin.name == name]
    if not named:
        raise _no_span(row, name)
    index = named[-1]
    piece = row.pieces[index]
    if piece.finished == "stop":
        return index, None
    later = [p.origin.name for p in row.pieces[index + 1 :] if p.kind == "generated" and not p.emptied]
    if later:
        raise ValueError(
            f"resume() of {_step(name)}: another generated span ({later[0]!r}) follows the cut; slice it off first"
        )
    return index, piece.origin


def _no_span(row: Row, name: str | None) -> ValueError:
    """The error for a row without a generated span of this name: with the names that it has."""
    made = [piece.origin.name for piece in row.pieces if piece.kind == "generated"]
    near = meant(name or "", [each for each in made if each is not None])
    names = ", ".join(sorted(set(map(repr, made)))) or "none"
    return ValueError(
        f"resume() of {_step(name)}: no such span in this row{near}; its generated spans: {names} ({NO_SPAN})"
    )


def made_by(settings: SpanSettings, origin: Origin) -> bool:
    """Whether a call, or a link, with these settings makes such a span."""
    made = origin.constraint
    return origin.name == settings.name and made is not None and made.spec == settings.constraint.spec


def warn_of_cuts(state: SequenceState, settings: Sequence[SpanSettings]) -> None:
    """Say so if a row ends in an unfinished value that one of these began: a new one begins in the middle of it."""
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            piece = next(reversed(row.ready(state.model.encoder).pieces), None)
            if piece is None or piece.kind != "generated" or piece.finished == "stop":
                continue
            maker = next((each for each in settings if made_by(each, piece.origin)), None)
            if maker is not None and maker.constraint.constrained:
                part = maker.encoder.vocabulary.decode(row.ids[len(row) - (piece.hi - piece.lo) :])
                warn(
                    f"row ({b}, {s}) ends in {part.decode('utf-8', 'replace')!r}, a value of {_step(maker.name)} that "
                    "was cut. This call begins a new value after it; resume(state), or stream(state, resume=True), "
                    "goes on with the old one"
                )
                return


def _step(name: str | None) -> str:
    return "a step without a name" if name is None else f"the step {name!r}"


# --- other contexts beside the rows of a call: they are checked, and put there


class GivenContext(NamedTuple):
    """A context of a call: its rows, one for each row or batch row, or one for all; its weight; its name in errors."""

    state: SequenceState
    weight: float
    name: str

    def row(self, b: int, s: int) -> Row:
        """The context beside the row `b, s` of the call's state."""
        rows = self.state.rows[b if len(self.state.rows) > 1 else 0]
        return rows[s if len(rows) > 1 else 0]


def with_contexts(
    state: SequenceState, call: Call, samplers: Sequence[Sampler], start: Callable[[Row], int] = len
) -> SequenceState:
    """The state that a call goes on from, with the contexts that it names beside its rows; those that it has, if the
    call names none.

    samplers: that draw in the call; start: the position of a row from which on the contexts share its tokens.
    """
    mix = call.beside
    if mix is None:
        return state
    for sampler in samplers:
        if mix.proposes and sampler.ranks_by_logprobs:
            raise ValueError(
                f"oc.Mix.proposal(…) under {sampler!r}: it draws nothing, so that nothing could be drawn elsewhere"
            )
    contexts, alone = list(_given(state, mix)), not mix.contexts and mix.own == 1.0
    if not alone:
        _check_exact(state, "the state that the call goes on from")

    def placed(row: Row, b: int, s: int) -> Row:
        if row.dead or alone:
            return replace(row, beside=None) if row.beside else row
        try:
            shared = start(row)
            others = tuple(_context(each, each.row(b, s), state.model, len(row) - shared) for each in contexts)
        except ValueError as error:
            return FailedRow.of(error, (row,))
        return replace(row, beside=Combination(shared, others, mix.own, mix.product, row))

    rows = [[placed(row, b, s) for s, row in enumerate(group)] for b, group in enumerate(state.rows)]
    return SequenceState(state.model, rows, state.shape[1])


def _given(state: SequenceState, mix: Mix) -> Iterator[GivenContext]:
    """The contexts of a mix. TypeError or ValueError for those that cannot stand beside the state."""
    for i, (each, weight) in enumerate(mix.contexts):
        name = "proposal" if mix.proposes else f"beside[{i}]"
        context = _read(state.model, each, name)
        if context.model is not state.model and context.model.vocabulary != state.model.vocabulary:
            raise ValueError(
                f"{name} is a state of {context.model!r}, whose vocabulary is not that of "
                f"{state.model!r}: laws are combined token by token, of equal vocabularies"
            )
        batch, samples = context.shape[:2]
        wanted, several = state.shape[:2]
        if batch not in (1, wanted):
            raise BatchMismatch(f"{name} has {batch} batch rows beside a state of {wanted}: {_takes(wanted)}")
        if samples not in (1, several):
            raise SampleMismatch(f"{name} has {samples} samples beside a state of {several}: {_takes(several)}")
        _check_exact(context, name)
        yield GivenContext(context, weight, name)


def _takes(count: int) -> str:
    return "it takes 1" if count == 1 else f"it takes 1 or {count}"


def _check_exact(state: SequenceState, name: str) -> None:
    """ValueError if a row reads a graft: nothing would tell of the combined law that it is approximate."""
    if any(row.reads_graft for group in state.rows for row in group):
        raise ValueError(
            f"{name} reads a graft (oc.grafts.graft), whose law is approximate: a combined law (beside=) is of exact "
            "ones; state.kv.drop() is read exactly"
        )


def _read(model: LanguageModel, context: Any, name: str) -> SequenceState:
    """A context as a state; a prompt is read for the model of the call."""
    if isinstance(context, SequenceState):
        return context
    try:
        state = started(model, context)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}={shown(context)}: {error}") from None
    return state


def _context(given: GivenContext, row: Row, model: LanguageModel, shared: int) -> OtherContext:
    """A row of a context, beside one that has written so many tokens since. ValueError if there can be none."""
    if isinstance(row, FailedRow):
        raise ValueError(f"{given.name}: {row.error}")
    if row.dead:
        raise ValueError(f"{given.name} is a dead row beside one that is alive")
    if not row.ids:
        raise ValueError(f"{given.name} is empty: a context needs at least one token")
    longest = given.state.model.context_length
    if longest is not None and len(row) + shared > longest:
        raise ValueError(
            f"{given.name} has {len(row) + shared} tokens; the context of its model is {longest}"
            f"{how_to_enlarge(given.state.model)}"
        )
    other = None if given.state.model is model else given.state.model
    return OtherContext(row.ids, given.weight, other, row.claim, row)


def check_carried(state: SequenceState, call: Call) -> None:
    """ValueError if a call goes on with a span that was drawn beside other contexts, which the state has lost."""
    if call.beside is not None:
        return
    for b, group in enumerate(state.rows):
        for s, row in enumerate(group):
            piece = next((piece for piece in reversed(row.pieces) if piece.kind == "generated"), None)
            if piece and piece.origin.combined and row.beside is None and piece.finished != "stop":
                raise ValueError(
                    f"row ({b}, {s}) ends in a span whose law was combined with that of other contexts, and the state "
                    "has these no longer: give them to this call, beside=[(state, weight), …], or beside=[] to go on "
                    "without"
                )


# --- strings of `stop_at` that are meant as special tokens, and are plain text to this vocabulary

#: How known chat formats write their special tokens.
LOOKS_SPECIAL = re.compile(
    r"<[|\uff5c][^<>\s]+[|\uff5c]>"  # <|im_end|>, and DeepSeek's with wide bars
    r"|</?s>|<(?:eos|bos|pad|unk|sep|cls|mask|eot|eom|eod)>|<(?:start|end)_of_[a-z_]+>"
    r"|\[(?:/?INST|EOS|BOS|PAD|UNK|SEP|CLS|MASK|EOT|gMASK|/?SYSTEM_PROMPT|/?AVAILABLE_TOOLS)\]|<</?SYS>>",
    re.IGNORECASE,
)
SHORTEST = 3  # bytes of a special token that is looked for inside of a longer string
MOST_NAMES = 8


def warn_of_plain_stops(stops: Sequence[str], vocabulary: Vocabulary) -> None:
    """One warning for strings that name special tokens and can never meet them: tokens that this vocabulary does not
    have, or that stand in a longer string. It comes once for each string.

    >>> from outlines_cont.generate.starts import warn_of_plain_stops
    >>> warn_of_plain_stops([".", "<|end|>", "</div>"], model.vocabulary)  # the first and the last are text
    """
    looked_at: set[str] = vocabulary.cache.setdefault("stop_at", set())
    new = [stop for stop in stops if stop not in looked_at]
    looked_at.update(new)
    reasons = [reason for stop in new if (reason := _reason(stop, vocabulary))]
    if reasons:
        warn(
            f"{'; '.join(reasons)}. This is plain text then, which a model hardly ever writes, so the text will not "
            f"end there. {_right(vocabulary)}"
        )


def _reason(stop: str, vocabulary: Vocabulary) -> str:
    """Why a string is plain text, although it looks like special tokens; "" where it is none, or a token."""
    data = stop.encode()
    if len(data) < SHORTEST:
        return ""
    special = (vocabulary.tokens[token] for token in vocabulary.special)
    inside = [name for name in special if name.startswith((b"<", b"[")) and len(name) >= SHORTEST and name in data]
    if data in inside:
        return ""
    if inside:
        name = max(inside, key=len).decode("utf-8", "replace")
        return f"stop_at={stop!r} is longer than the special token {name!r}, and no text contains that"
    names = [name for name in LOOKS_SPECIAL.findall(stop) if name.encode() not in vocabulary.tokens]
    return f"stop_at={stop!r}: this vocabulary has no token {names[0]!r}" if names else ""


def _right(vocabulary: Vocabulary) -> str:
    ids = [*vocabulary.eos, *sorted(vocabulary.special.difference(vocabulary.eos))]
    names = [vocabulary.tokens[token].decode("utf-8", "replace") for token in ids if vocabulary.tokens[token]]
    if not names:
        return "This vocabulary has no special tokens."
    more = ", …" * (len(names) > MOST_NAMES)
    ends = [vocabulary.tokens[token].decode("utf-8", "replace") for token in vocabulary.eos]
    always = f"; {', '.join(map(repr, ends))} always ends a text" if ends else ""
    return (
        f"Write one special token alone, by its spelling or its id; they are "
        f"{', '.join(map(repr, names[:MOST_NAMES]))}{more}{always}."
    )


# --- span settings


def span_settings(
    model: LanguageModel, constraint: Constraint, sampler: Sampler, forced: Forced, call: Call, seam: Seam = "auto"
) -> SpanSettings:
    """The settings of a call. TypeError or ValueError for options that do not go with the constraint or the sampler."""
    if call.max_tokens is None and model.context_length is None:
        raise ValueError(f"{model!r} states no context length: give max_tokens")
    kind, controlled = constraint.kind, constraint.controller is not None
    stops = call.stop_strings(model.vocabulary)
    if stops and kind != "text":
        raise ValueError(f"stop_at={call.stop_at!r} on a {kind} generator: only text ends at a string")
    if stops:
        warn_of_plain_stops(stops, model.vocabulary)
    if seam == "heal" and controlled:
        raise ValueError(
            "seam='heal' on a generator of oc.generate.control(): only a span with one constraint can be healed, "
            "and a controller names one for each branch; use seam='keep'"
        )
    if max(call.keep.candidates, call.keep.entropies) and not sampler.notes_candidates:
        raise TypeError(f"{call.keep} with {sampler!r}: this sampler keeps no candidates, and no entropies")
    if sampler.weighs_draws:
        only_watched(sampler, call.hooks.functions)
    if sampler.draws_texts:
        sampler = cast(Any, sampler).bound_to(model, constraint, forced, call)
    ending = constraint.stopping_at(stops, constraint.include_stop).banning(banned_texts(sampler.logit_filters))
    return SpanSettings(
        ending,
        model.encoder,
        sampler,
        call.name,
        Limits(call.max_tokens, model.context_length, ending.stop_bytes),
        forced == "canonical",
        seam,
        inspection=Inspection(
            call.hooks.functions,
            None if constraint.where is None else Where(constraint.where, _unweighed(sampler)),
            call.keep.candidates,
            call.keep.alternatives,
            call.keep.entropies,
        ),
        going_back=GoingBack(
            RETRIES if call.hooks.retries is None else call.hooks.retries,
            call.hooks.horizon,
            bool(call.hooks.functions) or controlled,
        ),
        noted=Noted(chosen_by=_chooses(sampler), seed=call.seed),
        draft=call.draft,
    )


def _unweighed(sampler: Sampler) -> str | None:
    """The sampler, if what a predicate says is not weighed there."""
    return None if getattr(sampler, "honours_where", "nothing") == "potentials" else shown(sampler)


def only_drawn(sampler: Sampler, before: Sequence[Sampler]) -> None:
    """ValueError if an earlier link of a chain chooses several samples, which a sampler that weighs cannot weigh."""
    widest = accumulate((each.samples for each in before), max)
    if chosen := [each for each, samples in zip(before, widest, strict=True) if samples > 1 and _chooses(each)]:
        raise ValueError(
            f"{_chooses(chosen[0])} before {sampler!r} in a chain: samples that it chooses are no random draws, so "
            "that their weights say nothing. Draw them in all links, with multinomial() or smc(); or call the steps "
            "one by one, with state.particles.resample(reset=True) between them, which takes all samples as equal"
        )


def _chooses(sampler: Sampler) -> str | None:
    """Its name, if it takes the best candidates and draws none."""
    return getattr(sampler, "chooses", None)


def only_watched(sampler: Sampler, hooks: Sequence[Hook]) -> None:
    """ValueError if one of the hooks may answer, so that a sampler that weighs draws could not tell their law."""
    if answering := [hook for hook in hooks if not isinstance(hook, Watch)]:
        raise ValueError(
            f"hooks={answering} with {sampler!r}: it weighs each draw by its law, and the answer of a hook changes it; "
            "wrap a hook that only looks, hooks=[oc.steer.Watch(look)], or take multinomial()"
        )
