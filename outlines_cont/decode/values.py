"""Values of which a generation makes another one at every token."""

from __future__ import annotations

from typing import Any, Self


class Value:
    """A frozen dataclass that is changed by a copy."""

    def changed(self, **changes: Any) -> Self:
        """`dataclasses.replace` in a tenth of its time: every token of every row comes by here."""
        changed = _new(self.__class__)
        _set_members(changed, self.__dict__ | changes)
        return changed


_new, _set_members = object.__new__, vars(Value)["__dict__"].__set__
