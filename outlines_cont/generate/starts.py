"""Where a call begins: prompts and states that a model can go on from, and spans that are resumed."""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outlines_cont.arguments import meant
from outlines_cont.decode.growing_row import Sent
from outlines_cont.decode.hypothesis import Hypothesis, begun
from outlines_cont.decode.resume import resumed
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import LanguageModel, how_to_enlarge
from outlines_cont.errors import ConstraintError, warn
from outlines_cont.generate.call_options import KEYS_OF_A_STATE
from outlines_cont.state.ends import replay
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.one_model import of_another
from outlines_cont.state.prompts import Prompts, lineages, listed, prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece
from outlines_cont.state.state import SequenceState, with_rows_changed


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
        return FailedRow.of(ValueError(problem), (row,))
    return row


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
    settings = replace(settings, constraint=constraint, stop_bytes=constraint.stop_bytes)
    if _had_no_room(piece) and index == len(row.pieces) - 1:
        return begun(Hypothesis, settings, row.before(index))
    if not piece.emptied:
        combined, chosen_by = piece.origin.combined, settings.chosen_by or piece.origin.chosen_by
        settings = replace(settings, combined=combined, chosen_by=chosen_by)
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
        missing = piece.origin.healed[len(vocabulary.decode(piece.told(ids))) :]
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
