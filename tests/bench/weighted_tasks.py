"""The tasks of `weighted.py`, without imports of either side, so that both read the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

PARTICLES = 50
ENDS = (".", "-")  # end a text, as eos does: the shipped model writes sentences, and dates
CITIES = (
    "Lisbon", "Lima", "London", "Rome", "Porto", "Paris", "Prague", "Oslo", "Osaka", "Madrid", "Milan", "Berlin",
)  # fmt: skip
NUMBERS = tuple("".join(digits) for length in (1, 2, 3) for digits in product("0123456789", repeat=length))
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 8}, "age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
JSON_PROMPT, JSON_ROOM = 'Tom is 28. {"name": "Tom", "age": 28}\nMira is 34. ', 40  # tokens
Predicate = Callable[[str, bool], bool]


def _below_10(text: str, done: bool) -> bool:
    return sum(map(int, text)) < 10


def _exactly_10(text: str, done: bool) -> bool:
    total = sum(map(int, text))
    return total == 10 if done else total <= 10


@dataclass(frozen=True)
class Task:
    """Texts with a known law: ∝ Π P(text, its end | prompt) ^ weight over those that the predicate accepts.

    pattern: the language of `texts`; a choice among them, if None.
    """

    name: str
    contexts: tuple[tuple[str, float], ...]
    texts: tuple[str, ...]
    pattern: str | None = None
    where: Predicate | None = None

    def accepts(self, text: str) -> bool:
        """Whether this text may be written, as a whole."""
        return text in self.texts and (self.where is None or self.where(text, True))


TASKS = (
    Task("12 cities", (("Mira lives in ", 1.0),), CITIES),
    Task("number", (("Dapo's birthday is 19", 1.0),), NUMBERS, "[0-9]{1,3}"),
    Task("digit sum < 10", (("Dapo's birthday is 19", 1.0),), NUMBERS, "[0-9]{1,3}", _below_10),
    Task("digit sum = 10", (("Dapo's birthday is 19", 1.0),), NUMBERS, "[0-9]{1,3}", _exactly_10),
    Task("product", (("Mira lives in ", 1.0), ("The capital of Italy is ", 1.0)), CITIES),
    Task("guidance 2·A − 1·B", (("Mira lives in ", 2.0), ("The capital of Italy is ", -1.0)), CITIES),
)


def distinct(rows: Iterable[tuple[int, ...]]) -> int:
    """How many different beginnings rows have, themselves among them: as many tokens as a tree of them has."""
    return len({row[:end] for row in set(rows) for end in range(1, len(row) + 1)})
