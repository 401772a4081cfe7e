"""Text that is final: the bytes of a growing row that no later token can change any more.

Held back are a character that is not whole, what may be the beginning of a stop string, what hooks and controllers may
still take back, and, under beams, what hypotheses do not agree on. Joined, the deltas of a row are its value's text.
"""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Sequence
from typing import Any

from outlines_cont.decode.growing_row import Sent, stop_string_begun
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.partial_json import partial
from outlines_cont.prefixes import common_length
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


class Streamed(SequenceState):
    """The state between two tokens of a generation, with the text that has become final since the one before.

    Rows that go on are marked `"interrupted"`; `resume` takes them further.

    Attributes:
        delta: B × S nested lists of str; a str for 1 × 1. Under beams all samples of a batch row have the text that
            they agree on. Joined over a generation they are the text of its value.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> for partial in text.stream("The sky is", max_tokens=2):
    ...     print(partial, [partial.delta])
    The sky is blue [' blue']
    The sky is blue. ['.']
    """

    __slots__ = ("_written", "delta")
    _instead = "its text, partial.delta, is pickled by itself, and oc.storage.to_bytes(partial) has its state"

    delta: str | list[list[str]]

    def __init__(
        self,
        model: LanguageModel,
        rows: Sequence[Sequence[Row]],
        samples: int,
        delta: list[list[str]],
        written: list[list[tuple[bytes, Sent, bool]]],
    ):
        super().__init__(model, rows, samples)
        object.__setattr__(self, "delta", self._one(delta))
        object.__setattr__(self, "_written", written)

    @property
    def value(self) -> Any:
        """What the final text says so far as JSON (`oc.types.partial`): B × S nested lists; for 1 × 1 the value itself.

        ValueError if it is no JSON that was generated.

        >>> numbers = oc.generate.choice(model, ["[4, 20]"], forced="never")
        >>> [partial.value for partial in numbers.stream("Numbers:\\n", seed=0)]
        [[], [4], [4], [4], [4, 2], [4, 20], [4, 20]]
        """
        try:
            return self._one([[partial(data[: sent.size]) for data, sent, _ in group] for group in self._written])
        except ValueError as error:
            raise ValueError(f"partial.value reads JSON, and the text so far is none: {error}") from None

    def with_rows(self, rows: Sequence[Sequence[Row]]) -> Streamed:
        """The streamed state with other rows in place of its own.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> [partial] = text.stream("The sky is", max_tokens=1)
        >>> partial.with_rows(partial.rows).delta
        ' blue'
        """
        alone = self.shape[:2] == (1, 1)
        delta: Any = [[self.delta]] if alone else self.delta
        return Streamed(self.model, rows, self.shape[1], delta, self._written)

    def _one(self, nested: list[list[Any]]) -> Any:
        return nested[0][0] if self.shape[:2] == (1, 1) else nested


def flushed(group: Sequence[Hypothesis], joint: bool, last: bool) -> tuple[Hypothesis, ...]:
    """One batch row's hypotheses after giving out what is final: `sent` says what is new, and where it ends.

    joint: they are one search, or will be, of which nobody knows before its end which one stays; last: nothing comes
    after it.
    """
    ends = [final_end(h) for h in group]
    over = not joint or (last and all(h.status.ended for h in group))
    if not over:  # what was given out of them may be different texts, where each goes on from a cut of its own
        new = [h.written[h.sent.size : end] for h, end in zip(group, ends, strict=True) if not h.row.dead]
        agreed = _agreed(new) if new else 0
        ends = [h.sent.size + agreed for h in group]
    return tuple(_given(h, end, over) for h, end in zip(group, ends, strict=True))


def _given(h: Hypothesis, end: int, over: bool) -> Hypothesis:
    last = over and h.status.ended
    prior, size, _ = h.sent
    new, used = utf_8_decode(h.written[size:end], "replace", last)
    return h.changed(sent=Sent(prior, size + used, new))


def final_end(h: Hypothesis) -> int:
    """How many bytes of what a hypothesis has written are final, by itself; a character may be cut there."""
    if h.status.ended:
        return len(h.written)
    # what is not scored is not yet in the state that goes with the text
    scored = min(_final_tokens(h), len(h.ids) - h.unscored)
    sure = h.value[: max(0, len(h.value) - sum(h.span.sizes(scored)))]
    held = stop_string_begun(sure, h.settings.limits.stop_bytes)  # what comes after it may change
    return max(h.sent.size, len(h.sent.prior) + len(sure) - held)


def _final_tokens(h: Hypothesis) -> int:
    """How many of its tokens cannot be taken back any more."""
    count, (_, horizon, revised) = len(h.ids), h.settings.going_back
    if h.status.ended or not revised:
        return count
    return 0 if horizon is None else max(0, max(count, h.retries.furthest) - horizon)


def _agreed(texts: Sequence[bytes]) -> int:
    """How many bytes the texts begin with in common."""
    return common_length(min(texts), max(texts))  # what these two agree on, all do
