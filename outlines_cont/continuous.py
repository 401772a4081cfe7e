"""`continuous()`: generators as functions from states to states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outlines_cont.decoding import Frontier, run, stream
from outlines_cont.generate import Generator
from outlines_cont.model import Prompts
from outlines_cont.review import Hook
from outlines_cont.state import SequenceState
from outlines_cont.stream import Streamed


@dataclass(frozen=True, eq=False)
class Step:
    """A generator that takes a state, or prompts, and gives the state with one new span after every live row."""

    generator: Generator
    name: str | None = None
    seam: str = "keep"

    def __call__(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
    ) -> SequenceState:
        """Generate.

        max_tokens: of each row's new span; stop_at: strings that end a text; seed: of the random draws (None takes one
        from torch's global generator); hooks: asked about every draw (`oc.Draw`); retries: how often they, or a
        controller, may send a row back without its growing, before `HookLimit`. A span that was cut short says so in
        `state.finished`.
        """
        return run(self.begin(prompts, max_tokens, stop_at, seed, hooks, retries))

    def stream(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        horizon: int | None = None,
    ) -> Iterator[Streamed]:
        """As a call, but all the states on the way, one a step, each with the text that became final: `partial.delta`.

        The last one is what the call gives. horizon: how many of a row's last tokens hooks and controllers may take
        back, and how many are held back for them; None: all of the span.
        """
        return stream(self.begin(prompts, max_tokens, stop_at, seed, hooks, retries, horizon))

    def begin(
        self,
        prompts: Prompts | SequenceState,
        max_tokens: int | None = None,
        stop_at: str | Sequence[str] | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
        horizon: int | None = None,
    ) -> Frontier:
        """The frontier from which a call, or with `horizon` a stream, steps on; see docs/stepping.md."""
        return self.generator.begin(prompts, max_tokens, stop_at, seed, self.name, hooks, retries, self.seam, horizon)

    def resume(
        self,
        state: SequenceState,
        max_tokens: int | None = None,
        seed: int | None = None,
        hooks: Sequence[Hook] = (),
        retries: int = 100,
    ) -> SequenceState:
        """Go on with the last span of this step's name in every row, from the constraint state its tokens lead to.

        Rollback is slicing: `step.resume(s[..., :-5])` is as if the last five tokens had never been drawn. Text that
        was appended after the cut joins the span; ConstraintError if it does not fit. Rows whose span ended in its
        stop come back unchanged. The budget of tokens is fresh; a text still ends at the stop strings that it was made
        with. ValueError if a row has no such span (where all of it was cut off, call the step instead).
        """
        return self.generator.resume(state, max_tokens, seed, self.name, hooks, retries)

    def __repr__(self) -> str:
        return f"continuous({self.generator.maker.kind}, {self.generator.sampler!r}, name={self.name!r})"


def continuous(generator: Generator, name: str | None = None, seam: str = "keep") -> Step:
    """Make a step of a generator. The spans of a named step are found again in `state.captures[name]`.

    seam: "keep" the tokens of the text before a span, or "heal": its last tokens (at most four, none that was
    generated) are taken back where a longer token could begin with them, and the span begins with their bytes, so that
    the model may choose a token that crosses the seam. Those bytes belong to no capture. The law is that of the
    language "these bytes, and then what the generator allows", token by token.
    """
    if not isinstance(generator, Generator):
        raise TypeError(f"continuous() takes a generator (oc.generate.text(model), …), not {type(generator).__name__}")
    if name is not None and (not isinstance(name, str) or not name):
        raise TypeError(f"the name of a step is a non-empty str, not {name!r}")
    generator.heals(seam)
    return Step(generator, name, seam)
