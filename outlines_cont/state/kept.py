"""What a state keeps of single draws, if a call was asked to: candidates, and the model's likeliest tokens."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from outlines_cont.kernels.laws import Option
from outlines_cont.state.draw_notes import Candidate, LikelyToken, NotedToken
from outlines_cont.state.grid import Grid
from outlines_cont.state.row import Row


@dataclass(frozen=True, slots=True, repr=False)
class KeptDraws:
    """What a state keeps of each draw, as `state.kept` gives it: what calls with `candidates=n` and `alternatives=n`
    recorded.

    Attributes:
        state: the state.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> text("The sky is", max_tokens=2, candidates=3).kept
    KeptDraws(candidates of 2 draws, alternatives of 0)
    """

    state: Grid[Any]

    @property
    def candidates(self) -> list[list[list[list[Candidate] | None]]]:
        """The likeliest candidates of each draw, as calls with `candidates=n` keep them: B × S nested lists.

        For each token of a row a list of `Candidate`s, best first under the law drawn from, or None: where nothing was
        drawn (given and forced tokens), and where no call asked for them; a warning says so if there are none. They
        stay as they were when the token was drawn, whatever stands before it now. Each takes about 0.2 kB of memory.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=1, candidates=2)
        >>> [[c.bytes for c in each] for each in state.kept.candidates[0][0] if each]
        [[b' blue', b' white']]
        """
        return self._of_rows("candidates", lambda row: list(map(self._listed, row.candidates)))

    @property
    def stop_candidates(self) -> list[list[list[Candidate] | None]]:
        """The likeliest candidates beside the stop in which a row ends, as calls with `candidates=n` keep them: B × S
        lists, None where no stop was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", candidates=1)
        >>> [(c.token, round(c.logprob, 2)) for c in state.kept.stop_candidates[0][0]]
        [(None, -0.91)]
        """
        return self._of_rows("candidates", lambda row: self._listed(row.stop_candidates))

    @property
    def alternatives(self) -> list[list[list[list[LikelyToken] | None]]]:
        """The model's likeliest tokens at each position, as calls with `alternatives=n` keep them: B × S nested lists.

        For each token of a row a list of `LikelyToken`s, best first under the model's own law, before the constraint;
        each says whether the constraint allowed it. None for what was given, and where `alternatives` was not asked
        for; a warning says so if there are none. Forced tokens have theirs, too. They stay as they were when the
        token was drawn, whatever stands before it now. Each takes about 0.2 kB of memory.

        >>> word = oc.continuous(oc.generate.choice(model, [" white", " red"], oc.samplers.greedy()))
        >>> state = word("The sky is", alternatives=2)
        >>> [[(likely.bytes, likely.allowed) for likely in each] for each in state.kept.alternatives[0][0] if each]
        [[(b' blue', False), (b' white', True)]]
        """
        return self._of_rows("alternatives", lambda row: list(map(self._likely, row.alternatives)))

    @property
    def stop_alternatives(self) -> list[list[list[LikelyToken] | None]]:
        """The model's likeliest tokens where the stop was drawn in which a row ends, as calls with `alternatives=n`
        keep them: B × S lists, None where none was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", alternatives=1)
        >>> [(likely.bytes, likely.allowed) for likely in state.kept.stop_alternatives[0][0]]
        [(b'<|end|>', True)]
        """
        return self._of_rows("alternatives", lambda row: self._likely(row.stop_alternatives))

    def _of_rows(self, kind: Literal["candidates", "alternatives"], kept: Callable[[Row], Any]) -> Any:
        """What is kept of each row. A warning if something was drawn, and nothing of this kind was kept of any draw."""
        rows = [row for group in self.state.rows for row in group]
        pieces = [piece for row in rows for piece in row.pieces if piece.kind == "generated"]
        if any(piece.hi for piece in pieces) and not any(getattr(piece.origin.notes, kind) for piece in pieces):
            warnings.warn(
                f"state.kept.{kind}: none were kept in any row, so that all are None; step(prompt, {kind}=5), and "
                f"generator.run(prompt, {kind}=5), keep them",
                stacklevel=3,
            )
        return [[kept(row) for row in rows] for rows in self.state.rows]

    def _likely(self, noted: Sequence[NotedToken] | None) -> list[LikelyToken] | None:
        return None if noted is None else LikelyToken.listed(noted, self.state.model.vocabulary)

    def _listed(self, options: Sequence[Option] | None) -> list[Candidate] | None:
        return None if options is None else Candidate.listed(options, self.state.model.vocabulary)

    def __repr__(self) -> str:
        rows = [row for group in self.state.rows for row in group]
        candidates = sum(each is not None for row in rows for each in [*row.candidates, row.stop_candidates])
        alternatives = sum(each is not None for row in rows for each in [*row.alternatives, row.stop_alternatives])
        return f"KeptDraws(candidates of {candidates} draws, alternatives of {alternatives})"
