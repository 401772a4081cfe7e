"""What hooks see and answer: a draw, and what is to become of it.

A hook is a function from a `Draw` to an answer: None (accept), `Replace`, `Insert`, `Resample`, `Backtrack` or `Stop`.
How a row follows an answer is told in `hooks.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import exp
from typing import Any, Literal

import torch
from torch import Tensor

from outlines_cont.arguments import flag, positive, shown, takes_one, whole_number, word
from outlines_cont.decode.filters import Filters
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import Cursor
from outlines_cont.decode.writing import Writing
from outlines_cont.explained import explained_class
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.hints import DRAW_MEMBERS, DRAW_SETTINGS, Shown
from outlines_cont.kernels.laws import Law, Option
from outlines_cont.processes import ProcessBoundValue


class Draw(Shown, ProcessBoundValue):
    """A token, or the stop, that was drawn and is not accepted yet: the argument of a hook.

    Its law (`candidates`, `logits`) can be read until the hook has returned. A hook changes nothing of it: it returns
    an answer. Setting a member is an AttributeError that names the answer.

    Attributes:
        token: its id; None for the stop.
        logprob: the model's own log-probability of it.
        proposal_logprob: that of the law that it was drawn from.
        row: the row that it would continue.
        attempt: how many draws at this position were made before it.
        name: that of the span. In a chain it identifies the link.
        step: how many draws of this row were made before it in this call, also in earlier links of a chain.

    >>> seen = []
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=1, hooks=[seen.append])
    ' blue'
    >>> seen
    [Draw(token 781, b' blue', logprob=-0.824, proposal_logprob=-0.824)]
    """

    _instead = "pass on its numbers, as draw.token and draw.logprob"

    _members, _settings = DRAW_MEMBERS, DRAW_SETTINGS
    _returns = (
        "return an answer: oc.steer.Replace(id), oc.steer.Insert(id), oc.steer.Resample(…), oc.steer.Backtrack(n) or "
        "oc.steer.Stop()"
    )

    token: int | None
    logprob: float
    proposal_logprob: float
    row: Writing
    attempt: int
    name: str | None
    step: int
    _bytes: bytes
    _at: Cursor
    _law: Law | None
    _logits: Tensor | None

    def __init__(self, option: Option, law: Law, logits: Tensor, growing: Hypothesis):
        candidate, logprob, proposal_logprob = option
        stops = candidate == law.stop
        vars(self).update(
            token=None if stops else candidate,
            logprob=logprob,
            proposal_logprob=proposal_logprob,
            row=Writing(growing.span),
            attempt=growing.attempt,
            name=growing.settings.name,
            step=growing.draws,
            _bytes=b"" if stops else growing.encoder.vocabulary.tokens[candidate],
            _at=growing.at,
            _law=law,
            _logits=logits,
        )

    @property
    def bytes(self) -> bytes:
        """The token's bytes; none for the stop.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.bytes)])
        b' blue'
        b'.'
        """
        return self._bytes

    @property
    def probability(self) -> float:
        """The model's own probability of it.

        >>> word = oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy())
        >>> said = word("The sky is", hooks=[lambda draw: print(draw.bytes, f"{draw.probability:.2f}")])
        b' blue' 0.44
        """
        return exp(self.logprob)

    def allows(self, token: int | None) -> bool:
        """Whether the constraint lets this token come here; None: whether the span may end here.

        >>> word = oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy())
        >>> green = model.vocabulary.tokens.index(b" green")
        >>> said = word("The sky is", hooks=[lambda draw: print(draw.allows(draw.token), draw.allows(green))])
        True False
        """
        guide, state = self._at.guide, self._at.state
        if token is None:
            return guide.accepting(state)
        vocabulary, token = guide.vocabulary, whole_number(token, "token", "an id, or None for the stop")
        if not 0 <= token < len(vocabulary):
            raise ValueError(f"token {token} is not in a vocabulary of {len(vocabulary)} tokens")
        return token not in vocabulary.eos and guide.advance(state, token) is not None

    @property
    def mask(self) -> Tensor:
        """The tokens that the constraint lets come here, bool `[V]`. Whether the span may end is `allows(None)`.

        >>> word = oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy())
        >>> said = word("The sky is", hooks=[lambda draw: print(draw.mask.shape, draw.mask[draw.token].item())])
        torch.Size([1536]) True
        """
        guide = self._at.guide
        packed = guide.mask(self._at.state) & guide.vocabulary.no_eos
        return torch.from_numpy(unpack(packed, len(guide.vocabulary)))

    def candidates(self, n: int = 5) -> list[tuple[int | None, float, float]]:
        """The n likeliest candidates under the law of the draw, best first: (token or None, logprob, proposal_logprob).

        Fewer, if the law allows fewer.

        >>> word = oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy())
        >>> def hook(draw):
        ...     for token, logprob, proposal in draw.candidates(2):
        ...         print(model.vocabulary.tokens[token], f"{logprob:.2f} {proposal:.2f}")
        >>> said = word("The sky is", hooks=[hook])
        b' blue' -0.82 -0.13
        b' ' -3.16 -2.47
        """
        n = positive(n, "n")
        law = self._open(self._law)
        return [(None if t == law.stop else t, logprob, p) for t, logprob, p in law.top(n)[0]]

    @property
    def logits(self) -> Tensor:
        """The model's logits `[V]`, as they were before any constraint: a copy.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print(draw.logits.argmax() == draw.token)])
        tensor(True)
        """
        return self._open(self._logits).detach().clone()

    def close(self) -> None:
        """Forget the law and the logits: the hook has returned.

        >>> seen = []
        >>> said = oc.generate.text(model)("The sky is", max_tokens=1, hooks=[seen.append])
        >>> seen[0].logits
        Traceback (most recent call last):
            ...
        RuntimeError: a Draw's candidates and logits are gone once its hook has returned
        """
        vars(self).update(_law=None, _logits=None)

    @staticmethod
    def _open(value: Any) -> Any:
        if value is None:
            raise RuntimeError("a Draw's candidates and logits are gone once its hook has returned")
        return value

    def __repr__(self) -> str:
        candidate = "the stop" if self.token is None else f"token {self.token}, {self._bytes!r}"
        return f"Draw({candidate}, logprob={self.logprob:.3f}, proposal_logprob={self.proposal_logprob:.3f})"


@explained_class
@dataclass(frozen=True, slots=True)
class Replace:
    """Take this token instead (None: the stop). It must fit the constraint, else ConstraintError.

    unconstrained: the token need not fit. The constraint is given up: the span continues as text, and is not captured.
    fed=False: the constraint is not told of the token, and continues as if it were not there; see `Insert`.
    otherwise: if it does not fit, "raise" the error, the default; "keep" the draw; or "resample", as `Resample()` does.

    >>> [*_, green] = model.state("The sky is green").token_ids.flatten().tolist()
    >>> def hook(draw):
    ...     return oc.steer.Replace(green) if draw.bytes == b" blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' green.'
    """

    token: int | None
    unconstrained: bool = False
    otherwise: Literal["raise", "keep", "resample"] = "raise"
    fed: bool = True

    def __post_init__(self) -> None:
        _name_by_id(self)
        flag(self.fed, "fed")
        flag(self.unconstrained, "unconstrained")
        word(self.otherwise, "otherwise", ("raise", "keep", "resample"))
        if not self.fed and (self.unconstrained or self.token is None):
            wrong = "unconstrained=True gives the constraint up" if self.unconstrained else "None is the stop"
            raise ValueError(f"{shown(self)}: with fed=False a token stands beside the constraint, and {wrong}")


@explained_class
@dataclass(frozen=True, slots=True)
class Insert:
    """Reject the draw, put this token in its place, which may be any of the vocabulary, and draw again after it.

    The token is marked. It stands in the row, and the model reads it. The constraint is not told of it, and continues
    as if it were not there. Captures and streams leave it out. It counts for `max_tokens`. Its `logprobs` are 0, as for
    a given token; `Replace(token, fed=False)` does the same, but keeps the model's own score of the token.

    >>> pause = model.vocabulary.tokens.index(b"\\n")
    >>> def hook(draw):
    ...     return oc.steer.Insert(pause) if draw.row.text == "Mira" and draw.row.ids[-1] != pause else None
    >>> name = oc.continuous(oc.generate.regex(model, "Mira (is|was)", forced="never"), name="name")
    >>> state = name("Who? ", seed=0, hooks=[hook])
    >>> state.tolist(), state.captures["name"]
    ([['Who? Mira\\n is']], [[['Mira is']]])
    """

    token: int

    def __post_init__(self) -> None:
        _name_by_id(self)


@explained_class
@dataclass(frozen=True, slots=True)
class Resample:
    """Draw again at this position, as if the constraint did not allow what is banned: no forward is made.

    ban: token ids (None: the stop); by default the token that was drawn. Bans add up until a draw is accepted.
    temperature, top_k, top_p, min_p: draw at random from the sampler's law with these in place of its own. That is then
    the law of `proposal_logprobs`. `particles.log_importance` is NaN, because the probability that the hook asks for
    this is not known.

    >>> def hook(draw):
    ...     return oc.steer.Resample() if draw.bytes == b" blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' white.'
    """

    ban: Iterable[int | None] | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __post_init__(self) -> None:
        Filters.of(self.temperature, self.top_k, self.top_p, self.min_p)  # or it says what is out of range

    @property
    def filters(self) -> Filters:
        """What it changes of the sampler's law. ValueError for a value that is out of range."""
        return Filters.of(self.temperature, self.top_k, self.top_p, self.min_p)


@explained_class
@dataclass(frozen=True, slots=True)
class Backtrack:
    """Reject the draw, and drop the n tokens before it, which must belong to this span; then continue from there.

    A run that the constraint forces there is forced again. ban: tokens that may not be the first draw after going back.

    >>> def hook(draw):
    ...     return oc.steer.Backtrack(1, ban=draw.row.ids[-1:]) if draw.row.text == " blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' white.'
    """

    n: int
    ban: Iterable[int | None] = ()


@explained_class
@dataclass(frozen=True, slots=True)
class Stop:
    """Reject the draw, and end the span here: as a stop if the constraint allows one, otherwise as cut short.

    >>> def hook(draw):
    ...     return oc.steer.Stop() if draw.bytes == b"." else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", hooks=[hook])
    ' blue'
    """


@explained_class
@dataclass(frozen=True, slots=True)
class Watch:
    """A hook that only looks: `look` is called with every draw, and whatever it returns, the draw is accepted.

    Samplers that weigh their samples (`smc`) take no other hooks.

    >>> seen = []
    >>> city = oc.generate.choice(model, ["Rome", "Lima"], oc.samplers.smc(2))
    >>> city("Mira lives in ", seed=0, hooks=[oc.steer.Watch(seen.append)])
    ['Lima', 'Rome']
    >>> len(seen)
    4
    """

    look: Callable[[Draw], object]

    def __post_init__(self) -> None:
        if not callable(self.look) or not takes_one(self.look):
            raise TypeError(f"Watch() takes a function of one argument, a Draw, not {shown(self.look)}")

    def __call__(self, draw: Draw) -> None:
        self.look(draw)


def _name_by_id(answer: Replace | Insert) -> None:
    """Make its token a plain int, so that equal answers are equal; None is the stop."""
    if answer.token is not None:
        token = whole_number(answer.token, "token", "the id of a token")
        object.__setattr__(answer, "token", token)


Answer = Replace | Insert | Resample | Backtrack | Stop | None
