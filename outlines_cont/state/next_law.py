"""The law of the next token of every row, as a value: to look at, and to draw from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import torch
from torch import Tensor

from outlines_cont.arguments import positive
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.draw_notes import Candidate
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.state import SequenceState

NOTHING_DRAWN = -1  # in place of a candidate, of a row that has no law


@dataclass(frozen=True, eq=False, repr=False)
class NextLaw(ProcessBoundValue):
    """Which candidate comes next in each row of a state, under a generator: what `model.next` gives.

    A candidate is a token, named by its id, or the stop, which has the number `stop`: V, one past the last id. A row
    that draws nothing has no candidates: it is dead, its span has ended, or it waits for other particles.

    Attributes:
        state: the rows after which the candidates come. Each has its span begun, so that `resume` of the generator goes
            on from there. There may be more samples than were given, as many as the sampler makes, and rows are shorter
            where a seam is healed.

    >>> colour = oc.generate.choice(model, [" blue", " green"], oc.samplers.multinomial(temperature=0.5))
    >>> law = model.next("The sky is", colour)
    >>> law
    NextLaw(1 × 1 rows, 6 candidates)
    >>> blue = model.vocabulary.tokens.index(b" blue")
    >>> law.logprobs[0, 0, blue].exp().item(), law.proposal_logprobs[0, 0, blue].exp().item()  # doctest: +ELLIPSIS
    (0.43..., 0.96...)
    >>> law.sample(seed=0).tolist() == [[blue]], str(colour.resume(law.state, seed=0))
    (True, 'The sky is blue')
    """

    _instead = "send its tensors, law.logprobs and law.proposal_logprobs"

    state: SequenceState
    _logprobs: Tensor
    _proposal_logprobs: Tensor
    _draw: Callable[[int], Tensor]

    @property
    def stop(self) -> int:
        """The number of the stop: V, the size of the vocabulary.

        >>> law = model.next("The sky is", oc.generate.text(model))
        >>> law.stop == len(model.vocabulary), law.logprobs.shape
        (True, torch.Size([1, 1, 1537]))
        """
        return self._logprobs.shape[-1] - 1

    @property
    def logprobs(self) -> Tensor:
        """The model's own log-probabilities of the candidates: float64 `(B, S, V + 1)`, −inf where a candidate is not
        allowed.

        >>> law = model.next("The sky is", oc.generate.choice(model, [" blue", " green"]))
        >>> law.logprobs.isfinite().sum().item()
        6
        """
        return self._logprobs.clone()

    @property
    def proposal_logprobs(self) -> Tensor:
        """Log-probabilities under the law that is drawn from, after constraint, temperature and filters: float64
        `(B, S, V + 1)`, −inf where it draws nothing. `torch.distributions.Categorical` takes them as `logits`.

        Greedy decoding and beams have the law of temperature 1. A token that the generator would append without a draw
        is the only candidate, with the log-probability 0.

        >>> law = model.next("The sky is", oc.generate.text(model, oc.samplers.multinomial(top_k=3)))
        >>> from torch.distributions import Categorical
        >>> Categorical(logits=law.proposal_logprobs).entropy().round(decimals=2).tolist()
        [[0.84]]
        """
        return self._proposal_logprobs.clone()

    def sample(self, seed: int | None = None) -> Tensor:
        """A candidate of each row, int64 `(B, S)`: the one that the generator draws there in a call with this seed.

        `stop` is the stop; −1 stands where a row has no candidates. Greedy decoding takes the likeliest. seed: None
        takes one from torch's global generator, as a call does.

        TypeError for samplers that compare rows, as beams do: these take several candidates of a row, or none.

        >>> text = oc.generate.text(model)
        >>> token = model.next("The sky is", text).sample(seed=3).item()
        >>> model.vocabulary.tokens[token].decode() == text("The sky is", max_tokens=1, seed=3)
        True
        """
        return self._draw(seeded(seed))

    def top(self, n: int = 5) -> list[list[list[Candidate]]]:
        """The n likeliest candidates of each row under the law that is drawn from, best first: B × S nested lists.

        Fewer where there are fewer.

        >>> law = model.next(["The sky is", "Mira is"], oc.generate.text(model))
        >>> [[(c.bytes, round(c.logprob, 2)) for c in row] for [row] in law.top(2)]
        [[(b' blue', -0.82), (b' white', -2.0)], [(b' a', -1.15), (b' ', -1.25)]]
        """
        n = positive(n, "n")
        vocabulary = self.state.model.vocabulary
        best = torch.sort(self._proposal_logprobs, dim=-1, descending=True, stable=True).indices[..., :n]
        parts = (best, self._logprobs.gather(-1, best), self._proposal_logprobs.gather(-1, best))
        return [
            [
                Candidate.listed([o for o in zip(*columns, strict=True) if o[2] > -inf], vocabulary)
                for columns in zip(*row, strict=True)
            ]
            for row in zip(*(part.tolist() for part in parts), strict=True)
        ]

    def __repr__(self) -> str:
        batch, samples, _ = self._logprobs.shape
        counts = sorted(set((self._proposal_logprobs > -inf).sum(-1).flatten().tolist())) or [0]
        several = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        return f"NextLaw({batch} × {samples} rows, {several} candidates)"
