"""Values of which a generation makes another one at every token."""

from __future__ import annotations

from typing import Any, Self


class Value:
    """A frozen dataclass that is changed by a copy."""

    def changed(self, **changes: Any) -> Self:
        """`dataclasses.replace` in a third of its time: every token of every row comes by here."""
        changed = object.__new__(self.__class__)
        members = changed.__dict__
        members.update(self.__dict__)
        members.update(changes)
        return changed
