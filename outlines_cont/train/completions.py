"""What a state tells of its draws: `state.kept`, and, as trainers take it, `state.completions()`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

import torch
from torch import Tensor

from outlines_cont.arguments import is_whole, shown
from outlines_cont.state.draw_notes import Candidate, LikelyToken, NoteKind
from outlines_cont.state.grid import Grid
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished


@dataclass(frozen=True, slots=True, repr=False)
class KeptDraws:
    """What a state keeps of each draw, as `state.kept` gives it: what calls with `keep=oc.Keep(…)` recorded, and which
    tokens were drawn at all.

    Attributes:
        state: the state.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> text("The sky is", max_tokens=2, keep=oc.Keep(candidates=3)).kept
    KeptDraws(candidates of 2 draws, alternatives of 0)
    """

    state: Grid[Any]

    @property
    def generated_mask(self) -> Tensor:
        """Which tokens of the state were generated, drawn or forced: bool `(B, S, T)`, as `state.token_ids`.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> text("The sky is", max_tokens=2).kept.generated_mask.int().tolist()
        [[[0, 0, 0, 0, 0, 0, 1, 1]]]
        """
        return self.state._padded(lambda row: [value is not None for value in row.logprobs], False, torch.bool)

    @property
    def forced_mask(self) -> Tensor:
        """Which tokens were appended without a draw, as all that the constraint allowed: bool `(B, S, T)`. Their
        `proposal_logprobs` are 0, as is that of a certain draw.

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{3}8[0-9]", oc.samplers.greedy()))
        >>> year("Mira came in 1").kept.forced_mask[..., -2:].int().tolist()
        [[[1, 0]]]
        """
        return self.state._padded(lambda row: [at in row.forced for at in range(len(row))], False, torch.bool)

    @property
    def candidates(self) -> list[list[list[list[Candidate] | None]]]:
        """The likeliest candidates of each draw, as calls with `oc.Keep(candidates=n)` keep them.

        B × S nested lists. For each token of a row a list of `Candidate`s, best first under the law drawn from, or
        None: where nothing was drawn (given and forced tokens), and where no call asked for them; a warning says so if
        there are none. They stay as they were when the token was drawn, whatever stands before it now. Each takes about
        0.2 kB of memory.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=1, keep=oc.Keep(candidates=2))
        >>> [[c.bytes for c in each] for each in state.kept.candidates[0][0] if each]
        [[b' blue', b' white']]
        """
        return self._listed("candidates")

    @property
    def stop_candidates(self) -> list[list[list[Candidate] | None]]:
        """The likeliest candidates beside the stop in which a row ends, as calls with `oc.Keep(candidates=n)` keep
        them: B × S lists, None where no stop was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", keep=oc.Keep(candidates=1))
        >>> [(c.token, round(c.logprob, 2)) for c in state.kept.stop_candidates[0][0]]
        [(None, -0.91)]
        """
        return self._listed("candidates", of_stop=True)

    @property
    def alternatives(self) -> list[list[list[list[LikelyToken] | None]]]:
        """The model's likeliest tokens at each position, as calls with `oc.Keep(alternatives=n)` keep them.

        B × S nested lists. For each token of a row a list of `LikelyToken`s, best first under the model's own law,
        before the constraint; each says whether the constraint allowed it. None for what was given, and where no call
        asked for them; a warning says so if there are none. Forced tokens have theirs, too. They stay as they were when
        the token was drawn, whatever stands before it now. Each takes about 0.2 kB of memory.

        >>> word = oc.continuous(oc.generate.choice(model, [" white", " red"], oc.samplers.greedy()))
        >>> state = word("The sky is", keep=oc.Keep(alternatives=2))
        >>> [[(likely.bytes, likely.allowed) for likely in each] for each in state.kept.alternatives[0][0] if each]
        [[(b' blue', False), (b' white', True)]]
        """
        return self._listed("alternatives")

    @property
    def entropies(self) -> list[list[list[float | None]]]:
        """The entropy of each draw's law, in nats, as calls with `oc.Keep(entropies=True)` keep it: B × S nested lists
        with a number for each token of a row.

        It is that of the law drawn from, after constraint, temperature and filters, the stop being one of its
        candidates, and before a predicate (`where`). None where nothing was drawn, and where no call asked for it; a
        warning says so if there are none.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(top_k=3)))
        >>> text("The sky is", max_tokens=1, seed=0, keep=oc.Keep(entropies=True)).kept.entropies  # doctest: +ELLIPSIS
        [[[None, None, None, None, None, None, 0.83...]]]
        """
        self._warn_if_none("entropies")
        return [[row.noted("entropies")[0] for row in rows] for rows in self.state.rows]

    @property
    def stop_alternatives(self) -> list[list[list[LikelyToken] | None]]:
        """The model's likeliest tokens where the stop was drawn in which a row ends, as calls with
        `oc.Keep(alternatives=n)` keep them: B × S lists, None where none was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", keep=oc.Keep(alternatives=1))
        >>> [(likely.bytes, likely.allowed) for likely in state.kept.stop_alternatives[0][0]]
        [(b'<|end|>', True)]
        """
        return self._listed("alternatives", of_stop=True)

    def _listed(self, kind: NoteKind, of_stop: bool = False) -> list[list[Any]]:
        """What is kept of the tokens of each row, or of its stop."""
        self._warn_if_none(kind, 1)
        of_kind = Candidate if kind == "candidates" else LikelyToken

        def listed(noted: Sequence[Any] | None) -> list[Any] | None:
            return None if noted is None else of_kind.listed(noted, self.state.model.vocabulary)

        each = [[row.noted(kind) for row in rows] for rows in self.state.rows]
        if of_stop:
            return [[listed(stop) for _, stop in rows] for rows in each]
        return [[list(map(listed, tokens)) for tokens, _ in rows] for rows in each]

    def _warn_if_none(self, kind: NoteKind, deeper: int = 0) -> None:
        """A warning if something was drawn, and nothing of this kind was kept of any draw."""
        pieces = [
            piece for rows in self.state.rows for row in rows for piece in row.pieces if piece.kind == "generated"
        ]
        if any(piece.hi for piece in pieces) and not any(getattr(piece.origin.notes, kind) for piece in pieces):
            warnings.warn(
                f"state.kept.{kind}: none were kept in any row, so that all are None; a call keeps them with "
                f"keep=oc.Keep({kind}={kind == 'entropies' or 5})",
                stacklevel=3 + deeper,
            )

    def __repr__(self) -> str:
        counts = []
        for kind in get_args(NoteKind):
            noted = [row.noted(kind) for rows in self.state.rows for row in rows]
            counts.append(sum(each is not None for tokens, stop in noted for each in (*tokens, stop)))
        kept = f"candidates of {counts[0]} draws, alternatives of {counts[1]}"
        return f"KeptDraws({kept}{f', entropies of {counts[2]}' * bool(counts[2])})"


class Completion(NamedTuple):
    """A row from its first generated token on: lists with a value for each of its tokens, the stop's at the end.

    Attributes:
        prompt_ids: the tokens before it.
        ids: its tokens.
        mask: True where `logprobs` is the model's log-probability of this very token. At the stop's token that is so
            where eos ended the text, and it is the only eos token of the model or was named (`stop=`). False where the
            stop was something else (a stop string, the end of a constrained value), and at text given between spans.
        forced: True where a token was appended without a draw; at the stop's token where the end was certain.
        logprobs, proposal_logprobs: as those of the state; at the stop's token those of the stop. The stops of earlier
            spans, as of a chain's links, are in no list: `state.spans` has them.
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
    ends, usual = state.model.vocabulary.eos, getattr(state.model.encoder.tokenizer, "eos_token_id", None)
    if not (stop in ("token", "none") if isinstance(stop, str) else is_whole(stop) and stop in ends):
        right = f"it is 'token', 'none', or an id of those that end a text of this model, {list(ends)}"
        raise ValueError(f"completions(stop={shown(stop)}): {right}")
    if all(row.dead for group in state.rows for row in group):
        raise ValueError("completions(): every row is dead (state.errors says why one failed)")
    named = stop != "token" or len(ends) == 1
    token = {"none": [], "token": [usual] if usual in ends else [*ends[:1]]}.get(stop, [stop])
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
    columns += [(token, *facts, of_stop) for token in stop_token for facts in _stop_facts(row, named)]
    begin = min(begins, default=len(row))
    if begin == len(columns):
        right = "so that its completion is empty; state.pick(function) leaves rows out"
        raise ValueError(f"completions(): nothing was generated in row {place}, {right}")
    ids, mask, certain, logprobs, proposals, entropies = map(list, zip(*columns[begin:], strict=True))
    of_model, drawn_from = ([value or 0.0 for value in values] for values in (logprobs, proposals))
    return Completion(list(row.ids[:begin]), ids, mask, certain, of_model, drawn_from, entropies, row.finished)


def _stop_facts(row: Row, named: bool) -> list[tuple[bool, bool, float, float]]:
    """Mask, mark and log-probabilities of the stop that the row ends in; none, if it ends in no stop."""
    last = row.pieces[-1] if row.finished == "stop" else None
    if last is None or (stop := last.stop) is None or (law := last.origin.constraint) is None:
        return []
    of_eos = law.kind == "text" or law.stop == "eos" or last.origin.freed is not None
    mask, certain = named and of_eos and stop.dropped is None, stop.logprob == stop.proposal == 0
    return [(mask, certain, stop.logprob, stop.proposal)]
