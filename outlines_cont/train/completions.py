"""`state.completions()`: what the model wrote in each row, as trainers take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from outlines_cont.arguments import is_whole, shown
from outlines_cont.state.grid import Grid
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished


class Completion(NamedTuple):
    """A row from its first generated token on: lists with a value for each of its tokens, the stop's at the end.

    Attributes:
        prompt_ids: the tokens before it.
        ids: its tokens.
        mask: True where `logprobs` is the model's log-probability of this very token. At the stop's token that is so
            where eos ended the text, and it is the only eos token of the model or was named (`stop=`). False where the
            stop was something else (a stop string, the end of a constrained value), and at text given between spans.
        forced: True where a token was appended without a draw; at the stop's token where the end was certain.
        logprobs, proposal_logprobs: as those of the state; at the stop's token those of the stop.
        entropies: of the law drawn from, in nats, where a call kept them (`oc.Keep(entropies=True)`), else None.
        finished: how the last span ended, as in `state.finished`: only after "stop" there is a stop's token.

    >>> year = oc.continuous(oc.generate.regex(model, "in [0-9]{4}", oc.samplers.greedy()))
    >>> [[written]] = year("Mira came ").completions()
    >>> model.vocabulary.decode(written.ids), written.mask[-2:], written.forced[-2:]
    (b' in 1960', [True, False], [False, True])
    """

    prompt_ids: list[int]
    ids: list[int]
    mask: list[bool]
    forced: list[bool]
    logprobs: list[float]
    proposal_logprobs: list[float]
    entropies: list[float | None]
    finished: Finished | None


def completions_of(state: Grid[Any], stop: Any) -> list[list[Completion | None]]:
    """See `SequenceState.completions`."""
    ends, usual = state.model.vocabulary.eos, getattr(state.model.tokenizer, "eos_token_id", None)
    if not (stop in ("token", "none") if isinstance(stop, str) else is_whole(stop) and stop in ends):
        right = f"it is 'token', 'none', or an id of those that end a text of this model, {list(ends)}"
        raise ValueError(f"completions(stop={shown(stop)}): {right}")
    if all(row.dead for group in state.rows for row in group):
        raise ValueError("completions(): every row is dead (state.errors says why one failed)")
    named = stop != "token" or len(ends) == 1
    token = [] if stop == "none" else [int(stop)] if stop != "token" else [usual] if usual in ends else ends[:1]
    return [
        [None if row.dead else _completion(row, token, named, f"({b}, {s})") for s, row in enumerate(group)]
        for b, group in enumerate(state.rows)
    ]


def _completion(row: Row, stop_token: Sequence[int], named: bool, place: str) -> Completion:
    """What was written in a row. stop_token: what stands for its stop; named: whether no other eos could be meant."""
    begins = [start for start, _, piece in row.placed if piece.begins and not piece.emptied]
    begins += [at for at, value in enumerate(row.logprobs) if value is not None][:1]
    entropies, of_stop = row.noted("entropies")
    drawn, forced = [value is not None for value in row.logprobs], row.forced
    marks = (at in forced for at in range(len(row)))
    columns = list(zip(row.ids, drawn, marks, row.logprobs, row.proposals, entropies, strict=True))
    if row.finished == "stop" and (stop := row.pieces[-1].stop) is not None:
        origin = row.pieces[-1].origin
        law = origin.constraint
        of_eos = law is not None and (law.kind == "text" or law.stop == "eos" or origin.freed is not None)
        mask, certain = named and of_eos and stop.dropped is None, stop.logprob == stop.proposal == 0
        columns += [(token, mask, certain, stop.logprob, stop.proposal, of_stop) for token in stop_token]
    begin = min(begins, default=len(row))
    if begin == len(columns):
        right = "so that its completion is empty; state.pick(function) leaves rows out"
        raise ValueError(f"completions(): nothing was generated in row {place}, {right}")
    ids, mask, certain, logprobs, proposals, entropies = map(list, zip(*columns[begin:], strict=True))
    scores = ([value or 0.0 for value in values] for values in (logprobs, proposals))
    return Completion(list(row.ids[:begin]), ids, mask, certain, *scores, entropies, row.finished)
