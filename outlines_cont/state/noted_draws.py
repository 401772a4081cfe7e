"""What states tell of single draws, where calls were asked to keep it: candidates, and the model's likeliest tokens."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Literal

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.kernels.laws import Option
from outlines_cont.state.row import Row
from outlines_cont.state.token_notes import Candidate, LikelyToken, NotedToken


class NotedDraws:
    """The members of a state that read the notes of its spans (`TokenNotes`)."""

    __slots__ = ()

    model: LanguageModel
    rows: tuple[tuple[Row, ...], ...]

    @property
    def candidates(self) -> list[list[list[list[Candidate] | None]]]:
        """The likeliest candidates of each draw, as calls with `oc.Keep(candidates=n)` keep them: B × S nested lists.

        For each token of a row a list of `Candidate`s, best first under the law drawn from, or None: where nothing was
        drawn (given and forced tokens), and where no call asked for them; a warning says so if there are none. They
        stay as they were when the token was drawn, whatever stands before it now. Each takes about 0.2 kB of memory.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=1, keep=oc.Keep(candidates=2))
        >>> [[c.bytes for c in each] for each in state.candidates[0][0] if each]
        [[b' blue', b' white']]
        """
        self._check_noted("candidates")
        return [[list(map(self._listed, row.candidates)) for row in rows] for rows in self.rows]

    @property
    def stop_candidates(self) -> list[list[list[Candidate] | None]]:
        """As `candidates`, of the draw of the stop in which a row ends: B × S lists, None where no stop was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", keep=oc.Keep(candidates=1))
        >>> [(c.token, round(c.logprob, 2)) for c in state.stop_candidates[0][0]]
        [(None, -0.91)]
        """
        self._check_noted("candidates")
        return [[self._listed(row.stop_candidates) for row in rows] for rows in self.rows]

    @property
    def alternatives(self) -> list[list[list[list[LikelyToken] | None]]]:
        """The model's likeliest tokens at each position, as calls with `oc.Keep(alternatives=n)` keep them.

        B × S nested lists. For each token of a row a list of `LikelyToken`s, best first under the model's own law,
        before the constraint; each says whether the constraint allowed it. None for what was given, and where
        `alternatives` was not asked for; a warning says so if there are none. Forced tokens have theirs, too. They stay
        as they were when the token was drawn, whatever stands before it now. Each takes about 0.2 kB of memory.

        >>> word = oc.continuous(oc.generate.choice(model, [" white", " red"], oc.samplers.greedy()))
        >>> state = word("The sky is", keep=oc.Keep(alternatives=2))
        >>> [[(likely.bytes, likely.allowed) for likely in each] for each in state.alternatives[0][0] if each]
        [[(b' blue', False), (b' white', True)]]
        """
        self._check_noted("alternatives")
        return [[list(map(self._likely, row.alternatives)) for row in rows] for rows in self.rows]

    @property
    def stop_alternatives(self) -> list[list[list[LikelyToken] | None]]:
        """As `alternatives`, where the stop was drawn in which a row ends: B × S lists, None where none was drawn.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The capital of France is Paris.", keep=oc.Keep(alternatives=1))
        >>> [(likely.bytes, likely.allowed) for likely in state.stop_alternatives[0][0]]
        [(b'<|end|>', True)]
        """
        self._check_noted("alternatives")
        return [[self._likely(row.stop_alternatives) for row in rows] for rows in self.rows]

    def _check_noted(self, member: Literal["candidates", "alternatives"]) -> None:
        """A warning if something was drawn, and these were not noted of any draw."""
        pieces = [piece for rows in self.rows for row in rows for piece in row.pieces if piece.kind == "generated"]
        if any(piece.hi for piece in pieces) and not any(getattr(piece.origin.notes, member) for piece in pieces):
            warnings.warn(
                f"state.{member}: none were kept in any row, so that all are None; a call keeps them with "
                f"keep=oc.Keep({member}=5)",
                stacklevel=3,
            )

    def _likely(self, noted: Sequence[NotedToken] | None) -> list[LikelyToken] | None:
        return None if noted is None else LikelyToken.listed(noted, self.model.vocabulary)

    def _listed(self, options: Sequence[Option] | None) -> list[Candidate] | None:
        return None if options is None else Candidate.listed(options, self.model.vocabulary)
