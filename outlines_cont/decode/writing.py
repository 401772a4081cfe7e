"""A row while it is written, as controllers and hooks see it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.hints import ROW_MEMBERS, ROW_SETTINGS, Shown
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.spans import Finished, Span


class Writing(Shown, ProcessBoundValue):
    """A row while it is written, as a controller or a hook sees it. It is immutable, and may be kept.

    Setting a member is an AttributeError that names what to return instead.

    All its tokens have their scores. Positions count the tokens of the whole row.

    Attributes:
        finished: how its span ended, for controllers of several rows (`together`); None if it has not ended.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row)])
    Writing('The sky is' + '', memory=None)
    Writing('The sky is' + ' blue', memory=None)
    """

    _instead = "pass on what it says, as row.ids and row.text"

    _members, _settings = ROW_MEMBERS, ROW_SETTINGS
    _returns = (
        "a controller returns [oc.steer.Branch(…)], a hook an answer such as oc.steer.Replace(id), a filter the logits"
    )

    _growing: GrowingSpan
    finished: Finished | None

    def __init__(self, span: GrowingSpan, finished: Finished | None = None):
        vars(self).update(_growing=span, finished=finished)

    @property
    def ids(self) -> tuple[int, ...]:
        """The token ids of the whole row.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row.ids)])
        (0, 341, 324, 78, 92, 263)
        (0, 341, 324, 78, 92, 263, 781)
        """
        return self._growing.row.ids + self._growing.ids

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of every token.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print(len(draw.row.vocabulary))])
        1536
        """
        return self._growing.encoder.vocabulary

    def tail(self, size: int) -> bytes:
        """The last `size` bytes of the whole row's text.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row.tail(4))])
        b'y is'
        b'blue'
        """
        data = self._growing.text
        if len(data) < size:
            data = self._growing.encoder.spell(self._growing.row.ids) + data
        return data[max(len(data) - size, 0) :]

    @property
    def start(self) -> int:
        """The position at which the span begins that is being written.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(draw.row.start, len(draw.row))])
        6 6
        6 7
        """
        return len(self._growing.row)

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
        return self._growing.row.logprobs + self._growing.logprobs

    @property
    def proposal_logprobs(self) -> tuple[float | None, ...]:
        """The log-probabilities of the whole row under the law of the draws.

        >>> year = oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy())
        >>> def hook(draw):
        ...     print([round(value, 2) for value in draw.row.proposal_logprobs[draw.row.start :]])
        >>> said = year("Mira is ", hooks=[hook])
        []
        [-0.51]
        """
        return self._growing.row.proposals + self._growing.proposals

    @cached_property
    def text(self) -> str:
        """The text of the span so far, without the bytes that healing took back; U+FFFD for an incomplete character.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=2, hooks=[lambda draw: print(repr(draw.row.text))])
        ''
        ' blue'
        """
        return self._growing.value.decode("utf-8", "replace")

    @cached_property
    def before(self) -> str:
        """The text before the span.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print(draw.row.before)])
        The sky is
        """
        return self._growing.encoder.decode(self._growing.row.ids)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans before this one.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, hooks=[lambda draw: print([s.kind for s in draw.row.spans])])
        ['prompt']
        """
        return self._growing.row.spans

    @property
    def weight(self) -> float:
        """The sum of the log-probabilities of all generated tokens of the row, stops included.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("Mira is a", max_tokens=3, hooks=[lambda draw: print(f"{draw.row.weight:.2f}")])
        0.00
        -0.99
        -1.05
        """
        return self._growing.weight

    @property
    def score(self) -> float:
        """The weight divided by (generated tokens) ^ length penalty.

        >>> seen, text = set(), oc.generate.text(model, oc.samplers.beam_search(1, length_penalty=1.0))
        >>> def hook(draw):
        ...     seen.add((f"{draw.row.weight:.2f}", f"{draw.row.score:.2f}"))
        >>> said = text("Mira is a", max_tokens=3, hooks=[hook])
        >>> sorted(seen)
        [('-0.99', '-0.99'), ('-1.05', '-0.53'), ('0.00', '0.00')]
        """
        return self._growing.score

    @property
    def lineage(self) -> tuple[int, ...]:
        """A path of ints for the prompt, the sample and the copies of the row: different for all rows.

        >>> text = oc.generate.text(model, oc.samplers.multinomial(samples=2))
        >>> said = text("The sky is", max_tokens=1, seed=0, hooks=[lambda draw: print(draw.row.lineage)])
        (0, 0)
        (0, 1)
        """
        return self._growing.row.lineage

    @property
    def seed(self) -> int:
        """The seed of the call, for functions that take random numbers of their own.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> said = text("The sky is", max_tokens=1, seed=7, hooks=[lambda draw: print(draw.row.seed)])
        7
        """
        return self._growing.settings.noted.seed or 0

    @property
    def memory(self) -> Any:
        """The value that the controller's last branch gave as `memory`; None at first.

        >>> def count(row):
        ...     return [oc.steer.Branch(forced=" ha", memory=(row.memory or 0) + 1)] if row.memory != 3 else []
        >>> oc.generate.control(model, count)("Mira laughed:")
        ' ha ha ha'
        """
        return self._growing.at.memory

    @property
    def labels(self) -> dict[str, int]:
        """The positions of the named points that the row still has.

        >>> def wish(row):
        ...     print(repr(row.text), row.labels)
        ...     return [] if row.text else [oc.steer.Branch(forced=" blue", label="colour")]
        >>> said = oc.generate.control(model, wish)("The sky is")
        '' {}
        ' blue' {'colour': 6}
        """
        return {name: self.start + at for name, at, _ in self._growing.at.labels}

    @property
    def unfed(self) -> tuple[int, ...]:
        """The positions of the span's tokens that its constraint was not told of; see `oc.steer.Insert`.

        >>> pause = model.vocabulary.tokens.index(b"\\n")
        >>> def hook(draw):
        ...     return oc.steer.Insert(pause) if not draw.row.unfed else print(draw.row.start, draw.row.unfed)
        >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[hook])
        6 (6,)
        'A'
        """
        return tuple(self.start + place for place in self._growing.notes.unfed)

    @property
    def branch(self) -> int | None:
        """The index, from 0 on, of the branch of the controller's last answer that this row takes; None at first.

        >>> def vote(row):
        ...     return [] if row.text else [oc.steer.Branch(forced=" yes"), oc.steer.Branch(forced=" no")]
        >>> seen = []
        >>> said = oc.generate.control(model, lambda row: seen.append(row.branch) or vote(row))("Is it blue?")
        >>> seen
        [None, 0, 1]
        """
        return self._growing.at.followed.index

    @property
    def branch_ended(self) -> bool:
        """Whether its last branch has ended, so that `Branch(allowed=KEEP)` cannot continue it.

        >>> name = oc.generate.regex(model, "[A-Z][a-z]+")
        >>> def stepwise(rows):
        ...     print([(row.text, row.branch_ended) for row in rows])
        ...     first, go_on = oc.steer.Branch(allowed=name), oc.steer.Branch(allowed=oc.steer.KEEP)
        ...     return {row: [go_on] * (not row.branch_ended) if row.text else [first] for row in rows}
        >>> oc.generate.control(model, together=stepwise, pace="token", sampler=oc.samplers.greedy())("Mira lives in ")
        [('', True)]
        [('P', False)]
        [('Pr', False)]
        [('Prag', False)]
        [('Prague', False)]
        [('Prague', True)]
        'Prague'
        """
        return self._growing.branch_ended

    @property
    def last_append(self) -> tuple[int, ...]:
        """The ids of the tokens that were appended since the last call of its controller.

        >>> def ha(row):
        ...     print(row.last_append)
        ...     return [oc.steer.Branch(forced=[781, 34])] if not row.text else []
        >>> oc.generate.control(model, ha)("The sky is")
        ()
        (781, 34)
        ' blue?'
        """
        return self._growing.ids[self._growing.at.followed.place :]

    @property
    def last_backtrack(self) -> int:
        """How many tokens its last branch dropped before it appended tokens.

        >>> def twice(row):
        ...     print(repr(row.text), row.last_backtrack)
        ...     colours = [" blue", " red"][row.memory or 0 :]
        ...     memory = (row.memory or 0) + 1
        ...     return [oc.steer.Branch(len(row.last_append), forced=colour, memory=memory) for colour in colours[:1]]
        >>> oc.generate.control(model, twice)("The sky is")
        '' 0
        ' blue' 0
        ' red' 1
        ' red'
        """
        return self._growing.at.followed.backtrack

    def __len__(self) -> int:
        return self._growing.position

    def __repr__(self) -> str:
        return f"Writing({self.before[-20:]!r} + {self.text!r}, memory={self.memory!r})"
