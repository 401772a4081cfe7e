"""`oc.scores`: what a model makes of given texts, of the next token, and of the tokens of a state.

`oc.score` gives numbers at once; `scoring` makes a function of states of it, for `oc.map`. The other names are what is
given: `BoundedLaw` by `oc.bounds`, `NextLaw` by `model.next`, `Candidate` and `LikelyToken` by a state that keeps them
(`oc.Keep`), `Comparison` by `oc.compare`, and `Fields` of `Field`s with a `FieldPosterior` by
`state.captures.fields(name)`.

>>> colours = oc.scores.scoring(model, [" blue", " red"])
>>> colours(model.state("The sky is")).round(decimals=2).tolist()
[[[-0.82, -4.17]]]
"""

from typing import TYPE_CHECKING, Any

from outlines_cont.scores.bounds import BoundedLaw
from outlines_cont.scores.closed_fields import FieldPosterior
from outlines_cont.scores.fields import Field, Fields
from outlines_cont.scores.score import Scoring, scoring
from outlines_cont.state.draw_notes import Candidate, LikelyToken
from outlines_cont.state.next_law import NextLaw

if TYPE_CHECKING:
    from outlines_cont.pictures.compare import Comparison

__all__ = ["BoundedLaw", "Candidate", "Comparison", "Field", "FieldPosterior", "Fields", "LikelyToken", "NextLaw"]
__all__ += ["Scoring", "scoring"]

if not TYPE_CHECKING:  # so that a type checker finds misspelled names

    def __getattr__(name: str) -> Any:
        """`Comparison`: pictures are not imported before one is made."""
        if name == "Comparison":
            from outlines_cont.pictures.compare import Comparison

            return Comparison
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
