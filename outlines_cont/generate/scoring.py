"""`scoring()`: `score()` as a value, from prompts to log-probabilities, so that it can be mapped over many of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from torch import Tensor

from outlines_cont.arguments import brief
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.explained import explained
from outlines_cont.generate.constraint_of import checked_model
from outlines_cont.generate.score import ScoreNormalization, check_options, score
from outlines_cont.generate.score_texts import listed_texts
from outlines_cont.generate.score_windows import checked_windows
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.prompt_states import prompt_state
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState


@dataclass(frozen=True)
class Scoring(ProcessBoundValue):
    """Texts that are scored after prompts; see `scoring`.

    Attributes:
        model: the model that scores.
        texts: the K texts that are scored after each prompt.
        stop, normalize, windows: see `score`.

    >>> oc.scoring(model, " painter").texts
    (' painter',)
    """

    _instead = "make it in each process, of the model that is loaded there"

    model: LanguageModel
    texts: tuple[str, ...]
    stop: bool = False
    normalize: ScoreNormalization = "sum"
    windows: int | None = None

    __repr__ = brief

    def options(self) -> dict[str, Any]:
        """All that it was made of, but the model.

        >>> oc.scoring(model, " painter").options()["windows"] is None
        True
        """
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "model"}

    def __call__(self, prompts: Prompts | SequenceState) -> Tensor:
        """The log-probability of each text after each row: float64 `(B, S, K)`.

        >>> oc.scoring(model, [" blue.", " red."])("The sky is").round(decimals=1).tolist()
        [[[-0.8, -4.2]]]
        """
        state = prompts if isinstance(prompts, SequenceState) else prompt_state(self.model, prompts)
        return score(state, self.texts, stop=self.stop, normalize=self.normalize, windows=self.windows)


@explained
def scoring(
    model: LanguageModel,
    texts: str | Sequence[str],
    *,
    stop: bool = False,
    normalize: ScoreNormalization = "sum",
    windows: int | None = None,
) -> Scoring:
    """A function from prompts to the log-probabilities of texts after them: `scoring(model, texts)(prompts)` is
    `score(model.state(prompts), texts)`. `oc.map` takes it, and gives a list of K floats for each prompt.

    texts, stop, normalize, windows: see `score`.

    >>> job = oc.scoring(model, [" painter", " sailor"])
    >>> prompt = "Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:"
    >>> job(prompt).round(decimals=1).tolist()
    [[[-0.2, -8.4]]]
    >>> [[round(value, 1) for value in row] for row in oc.map(job, [prompt], seed=0)]
    [[-0.2, -8.4]]
    """
    model = checked_model(model, "scoring()")
    check_options(model, stop, normalize)
    checked_windows(windows, model.context_length)
    return Scoring(model, tuple(listed_texts(texts)), stop, normalize, windows)
