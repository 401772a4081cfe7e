"""What controllers and hooks see and say: views of a growing row, branches, and answers to what was drawn.

A controller is a function from a `Writing` to a list of `Branch`es; a hook one from a `Draw` to an answer: None
(accept), `Replace`, `Resample`, `Backtrack` or `Stop`. All of these are values; how a row follows them is told in
`hypothesis.py` and `review.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from outlines_cont.decode.canonical import spelled_after
from outlines_cont.engines.encoding import Encoder
from outlines_cont.fsm.engine.masks import pack, unpack
from outlines_cont.fsm.guide import Guide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.row import Span

if TYPE_CHECKING:
    from outlines_cont.decode.hypothesis import Hypothesis
    from outlines_cont.kernels.laws import Law, Option


class Keep:
    """The type of `KEEP`.

    >>> oc.Branch(forced=" so").memory
    KEEP
    """

    def __repr__(self) -> str:
        return "KEEP"


KEEP = Keep()


class Writing:
    """A row while it is written, as a controller or a hook sees it: frozen, and good for keeping.

    All its tokens have their scores. Positions count the tokens of the whole row.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row)])
    Writing('The sky is' + '', memory=None)
    Writing('The sky is' + ' blue', memory=None)
    """

    def __init__(self, hypothesis: Hypothesis):
        self._hypothesis = hypothesis

    @property
    def ids(self) -> tuple[int, ...]:
        """The token ids of the whole row.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row.ids)])
        (0, 341, 324, 78, 92, 263)
        (0, 341, 324, 78, 92, 263, 781)
        """
        return self._hypothesis.row.ids + self._hypothesis.ids

    @property
    def start(self) -> int:
        """The position at which the span begins that is being written.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row.start, len(draw.row))])
        6 6
        6 7
        """
        return len(self._hypothesis.row)

    @property
    def logprobs(self) -> tuple[float | None, ...]:
        """The model's own log-probabilities of the whole row; None where nothing was generated.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> def hook(draw):
        ...     print(draw.row.logprobs[:4], [round(value, 2) for value in draw.row.logprobs[4:]])
        >>> said = text("Mira is a", max_tokens=2, hooks=[hook])
        (None, None, None, None) []
        (None, None, None, None) [-0.99]
        """
        return self._hypothesis.row.logprobs + self._hypothesis.logprobs

    @property
    def proposal_logprobs(self) -> tuple[float | None, ...]:
        """Those of the law drawn from.

        >>> year = oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy())
        >>> def hook(draw):
        ...     print([round(value, 2) for value in draw.row.proposal_logprobs[draw.row.start :]])
        >>> said = year("Mira is ", hooks=[hook])
        []
        [-0.51]
        """
        return self._hypothesis.row.proposals + self._hypothesis.proposals

    @cached_property
    def text(self) -> str:
        """What the span says so far, without what healing took back; U+FFFD for half a character.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(repr(draw.row.text))])
        ''
        ' blue'
        """
        return self._hypothesis.value.decode("utf-8", "replace")

    @cached_property
    def before(self) -> str:
        """The text before the span.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print(draw.row.before)])
        The sky is
        """
        return self._hypothesis.job.encoder.decode(self._hypothesis.row.ids)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans before this one.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print([s.kind for s in draw.row.spans])])
        ['prompt']
        """
        return self._hypothesis.row.spans

    @property
    def weight(self) -> float:
        """Σ log-probabilities of all that the row generated, stops included.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("Mira is a", max_tokens=3, hooks=[lambda draw: print(f"{draw.row.weight:.2f}")])
        0.00
        -0.99
        -1.05
        """
        return self._hypothesis.weight

    @property
    def score(self) -> float:
        """The weight over (generated tokens) ^ length penalty.

        >>> seen, text = set(), oc.generate.text(model, oc.samplers.beam_search(1, length_penalty=1.0))
        >>> def hook(draw):
        ...     seen.add((f"{draw.row.weight:.2f}", f"{draw.row.score:.2f}"))
        >>> said = text("Mira is a", max_tokens=3, hooks=[hook])
        >>> sorted(seen)
        [('-0.99', '-0.99'), ('-1.05', '-0.53'), ('0.00', '0.00')]
        """
        return self._hypothesis.score

    @property
    def lineage(self) -> tuple[int, ...]:
        """Which prompt, which sample, which copy: equal in no two rows.

        >>> text = oc.generate.text(model, oc.samplers.multinomial(samples=2))
        >>> said = text("The sky is", max_tokens=1, seed=0, hooks=[lambda draw: print(draw.row.lineage)])
        (0, 0)
        (0, 1)
        """
        return self._hypothesis.lineage

    @property
    def memory(self) -> Any:
        """What the controller's last branch gave its row to remember; None at first.

        >>> def count(row):
        ...     return [oc.Branch(forced=" ha", memory=(row.memory or 0) + 1)] if row.memory != 3 else []
        >>> oc.generate.control(model, count)("Mira laughed:")
        ' ha ha ha'
        """
        return self._hypothesis.at.memory

    @property
    def labels(self) -> dict[str, int]:
        """The positions of the named points that the row still has.

        >>> def wish(row):
        ...     print(repr(row.text), row.labels)
        ...     return [] if row.text else [oc.Branch(forced=" blue", label="colour")]
        >>> said = oc.generate.control(model, wish)("The sky is")
        '' {}
        ' blue' {'colour': 6}
        """
        return {name: self.start + at for name, at, _ in self._hypothesis.at.labels}

    def __len__(self) -> int:
        return self._hypothesis.position

    def __repr__(self) -> str:
        return f"Writing({self.before[-20:]!r} + {self.text!r}, memory={self.memory!r})"


# --- controllers


Run = bytes | str | Sequence[int]  # a text, or token ids


@dataclass(frozen=True, slots=True)
class Branch:
    """One way on, said by a controller.

    First `backtrack` tokens of the span are dropped, or all after the point that has this label. Then `forced` is
    appended, if it is given; else something is drawn:

    - under `allowed`, a guide, or a generator, of which only the constraint counts: tokens, until it is complete or its
      stop is drawn;
    - under `allowed`, token ids or a packed mask (int32 `[(V + 31) // 32]`): one token; where eos is among them the
      stop may be drawn instead, and ends the span;
    - with neither: one token of any text, or the stop.

    Then the controller is asked again.

    Attributes:
        backtrack: a number of tokens, or a label.
        allowed: what may be drawn.
        forced: bytes or a str, spelled canonically, or token ids; or a dict {token id: a run that begins with it}, of
            which one is drawn by its first token (or, with `allowed` token ids, one of those) and appended whole.
        memory: an immutable value that the row remembers from now on; KEEP: what it remembers already.
        label: a name for the point at which this branch begins, after its backtrack.

    >>> def both(row):
    ...     return [] if row.text else [oc.Branch(forced=" yes"), oc.Branch(forced=" no")]
    >>> oc.generate.control(model, both)("Is it blue?")
    [[' yes', ' no']]
    """

    backtrack: int | str = 0
    allowed: Any = None
    forced: Run | Mapping[int, Run] | None = None
    memory: Any = KEEP
    label: str | None = None

    def guide(self, encoder: Encoder, before: Sequence[int], everything: np.ndarray) -> Any:
        """The guide of what it says.

        before: the row's last tokens, from which a forced text goes on; everything: the mask of all text tokens.

        Raises:
            TypeError, ValueError: `allowed` or `forced` is none of what a branch takes, or allows nothing.
        """
        vocabulary = encoder.vocabulary
        maker = getattr(self.allowed, "maker", None)
        if getattr(maker, "controller", None) is not None:
            raise TypeError(f"Branch(allowed={self.allowed!r}): a controller cannot stand in another; give it a guide")
        allowed = getattr(maker, "guide", self.allowed)
        if isinstance(allowed, Guide) and allowed.vocabulary != vocabulary:
            raise ValueError(f"Branch(allowed={allowed!r}): a guide over another vocabulary, {allowed.vocabulary!r}")
        if self.forced is None or isinstance(self.forced, Mapping):
            if not isinstance(allowed, Guide):
                return one_token(vocabulary, self, encoder.encode_bytes, everything)
            if self.forced is not None:
                raise TypeError("Branch(allowed=a guide, forced={…}): runs by first token go with token ids")
            return allowed
        if allowed is not None:
            raise TypeError("Branch(allowed=…, forced=…): a branch draws, or appends a run; say the one or the other")

        def spell(data: bytes) -> Sequence[int]:
            found = spelled_after(encoder, before, data)
            return encoder.encode_bytes(data) if found is None else found

        return Given(vocabulary, _run(vocabulary, self.forced, spell))


class Given:
    """A guide for a run of tokens that are given, not drawn: its states count them."""

    initial = 0

    def __init__(self, vocabulary: Vocabulary, ids: tuple[int, ...]):
        self.vocabulary, self.ids = vocabulary, ids

    def mask(self, state: int) -> np.ndarray:
        return _packed(self.vocabulary, self.ids[state : state + 1])

    def masks(self, states: Sequence[int]) -> np.ndarray:
        return np.stack([self.mask(state) for state in states])

    def advance(self, state: int, token: int) -> int | None:
        return state + 1 if self.ids[state : state + 1] == (token,) else None

    def accepting(self, state: int) -> bool:
        return state == len(self.ids)

    complete = accepting

    def forced(self, state: int) -> bytes:
        return b""


class OneToken:
    """A guide for one token, or the stop. States: −1 before it, then its id.

    Attributes:
        runs: what follows each token that begins a run.
    """

    initial = -1

    def __init__(
        self, vocabulary: Vocabulary, mask: np.ndarray, may_stop: bool, runs: Mapping[int, tuple[int, ...]] = {}
    ):
        self.vocabulary, self._mask, self._may_stop, self.runs = vocabulary, mask, may_stop, runs
        self._nothing = np.zeros_like(mask)

    def mask(self, state: int) -> np.ndarray:
        return self._mask if state == self.initial else self._nothing

    def masks(self, states: Sequence[int]) -> np.ndarray:
        return np.stack([self.mask(state) for state in states])

    def advance(self, state: int, token: int) -> int | None:
        return token if state == self.initial and self._mask[token // 32] >> (token % 32) & 1 else None

    def accepting(self, state: int) -> bool:
        return self._may_stop and state == self.initial

    def complete(self, state: int) -> bool:
        return state != self.initial

    def forced(self, state: int) -> bytes:
        return b""


def one_token(vocabulary: Vocabulary, branch: Branch, spell: Any, everything: np.ndarray) -> OneToken:
    """The guide of a branch that draws one token. `spell`: bytes → ids; `everything`: the mask of all text tokens."""
    size, eos = len(vocabulary), set(vocabulary.eos)
    allowed, runs = branch.allowed, {}
    if isinstance(branch.forced, Mapping):
        for token, run in branch.forced.items():
            ids = _run(vocabulary, run, spell, _checked(vocabulary, token))
            if ids[0] != token:
                raise ValueError(f"Branch(forced={{{token!r}: {run!r}}}): the run does not begin with its token")
            runs[token] = ids[1:]
        allowed = [] if allowed is None else allowed
    if allowed is None:
        return OneToken(vocabulary, everything, True)
    if isinstance(allowed, np.ndarray) and allowed.dtype == np.int32 and allowed.shape == ((size + 31) // 32,):
        ids = set(np.flatnonzero(unpack(allowed, size)).tolist())
    elif isinstance(allowed, Iterable) and not isinstance(allowed, (str, bytes)):
        ids = {_checked(vocabulary, token, eos) for token in allowed}
    else:
        raise TypeError(
            f"Branch(allowed={allowed!r}): it takes a guide, a generator, token ids or a packed mask "
            f"(int32 [{(size + 31) // 32}])"
        )
    may_stop = bool(ids & eos)
    ids = ids - vocabulary.special | runs.keys()
    if not ids and not may_stop:
        raise ValueError(f"Branch(allowed={branch.allowed!r}, forced={branch.forced!r}) allows no token")
    return OneToken(vocabulary, _packed(vocabulary, ids), may_stop, runs)


def _run(vocabulary: Vocabulary, run: Run, spell: Any, first: int | None = None) -> tuple[int, ...]:
    """The tokens of a run; those of a text begin with `first`, if it is given."""
    if isinstance(run, str):
        run = run.encode()
    if isinstance(run, (bytes, bytearray)):
        if first is None:
            return tuple(spell(bytes(run)))
        lead = vocabulary.tokens[first]
        if not run.startswith(lead):
            raise ValueError(f"Branch(forced={{{first}: {run!r}}}): the run does not begin with its token, {lead!r}")
        return (first, *(spell(bytes(run[len(lead) :])) if len(run) > len(lead) else ()))
    if not isinstance(run, Iterable):
        raise TypeError(f"Branch(forced={run!r}): it takes bytes, a str, token ids, or a dict of those by first token")
    return tuple(_checked(vocabulary, token) for token in run) or (() if first is None else (first,))


def _checked(vocabulary: Vocabulary, token: Any, fine: Container[int] = ()) -> int:
    """The id of a text token, or of one that is fine."""
    try:
        number = operator.index(token)
    except TypeError:
        raise TypeError(f"{token!r} is no token id") from None
    if isinstance(token, bool) or not 0 <= number < len(vocabulary):
        raise ValueError(f"token {token!r} is not in a vocabulary of {len(vocabulary)} tokens")
    if number in vocabulary.special and number not in fine:
        raise ValueError(f"token {number} is a special token: rows that are generated hold text")
    return number


def _packed(vocabulary: Vocabulary, ids: Iterable[int]) -> np.ndarray:
    allowed = np.zeros(len(vocabulary), bool)
    allowed[list(ids)] = True
    return pack(allowed)


# --- hooks


class Draw:
    """What was drawn and is not yet accepted: a token, or the stop.

    What it says of the law (`candidates`, `logits`) can be asked for until the hook has returned.

    Attributes:
        token: its id; None for the stop.
        logprob: the model's own log-probability of it.
        proposal_logprob: that of the law that it was drawn from.
        row: the row that it would continue.
        attempt: how many draws at this position came before it.

    >>> seen = []
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=1, hooks=[seen.append])
    ' blue'
    >>> seen
    [Draw(token 781, b' blue', logprob=-0.824, proposal_logprob=-0.824)]
    """

    def __init__(self, option: Option, law: Law, logits: Tensor, hypothesis: Hypothesis):
        candidate, self.logprob, self.proposal_logprob = option
        self.token = None if candidate == law.stop else candidate
        self.row = Writing(hypothesis)
        self.attempt = hypothesis.attempt
        self._bytes = hypothesis.job.encoder.vocabulary.tokens[candidate] if self.token is not None else b""
        self._law: Law | None = law
        self._logits: Tensor | None = logits

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

    def candidates(self, n: int = 5) -> list[tuple[int | None, float, float]]:
        """The n likeliest under the law drawn from, best first: (token or None, logprob, proposal_logprob).

        Fewer, if the law allows fewer.

        >>> word = oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy())
        >>> def hook(draw):
        ...     for token, logprob, proposal in draw.candidates(2):
        ...         print(model.vocabulary.tokens[token], f"{logprob:.2f} {proposal:.2f}")
        >>> said = word("The sky is", hooks=[hook])
        b' blue' -0.82 -0.13
        b' ' -3.16 -2.47
        """
        law = self._open(self._law)
        top = law.scores.topk(min(n, law.stop + 1), dim=-1).indices
        options = law.options(top)[0]
        return [(None if t == law.stop else t, own, p) for t, own, p in options if p > -float("inf")]

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
        self._law = self._logits = None

    @staticmethod
    def _open(value: Any) -> Any:
        if value is None:
            raise RuntimeError("a Draw's candidates and logits are gone once its hook has returned")
        return value

    def __repr__(self) -> str:
        what = "the stop" if self.token is None else f"token {self.token}, {self._bytes!r}"
        return f"Draw({what}, logprob={self.logprob:.3f}, proposal_logprob={self.proposal_logprob:.3f})"


@dataclass(frozen=True, slots=True)
class Replace:
    """Take this token instead (None: the stop). It must fit the constraint, else ConstraintError.

    unconstrained: it need not, and the constraint is given up: the span goes on as text, and is not captured.

    >>> [*_, green] = model.state("The sky is green").token_ids.flatten().tolist()
    >>> def hook(draw):
    ...     return oc.Replace(green) if draw.bytes == b" blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' green.'
    """

    token: int | None
    unconstrained: bool = False


@dataclass(frozen=True, slots=True)
class Resample:
    """Draw again at this position, as if the constraint did not allow what is banned: no forward is made.

    ban: token ids (None: the stop); not given, what was drawn. Bans add up until a draw is accepted.

    >>> def hook(draw):
    ...     return oc.Resample() if draw.bytes == b" blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' white.'
    """

    ban: Iterable[int | None] | None = None


@dataclass(frozen=True, slots=True)
class Backtrack:
    """Do not take what was drawn, and drop the n tokens before it, which must be of this span; then go on from there.

    Where the constraint forces a run, it is forced again. ban: what may not be drawn first after going back.

    >>> def hook(draw):
    ...     return oc.Backtrack(1, ban=draw.row.ids[-1:]) if draw.row.text == " blue" else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
    ' white.'
    """

    n: int
    ban: Iterable[int | None] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """Do not take what was drawn, and end the span here: as a stop where the constraint lets it, else cut short.

    >>> def hook(draw):
    ...     return oc.Stop() if draw.bytes == b"." else None
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", hooks=[hook])
    ' blue'
    """


Answer = Replace | Resample | Backtrack | Stop | None
