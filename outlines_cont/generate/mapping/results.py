"""What a user gets of each prompt, and what the file of values says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from outlines_cont.errors import ConstraintError
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.mapping.folder import error_content, jsonable
from outlines_cont.generate.mapping.job import Job
from outlines_cont.generate.mapping.shards import RowResult, decoded
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


class Reader:
    """Reads the results of shards, as the job gives them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._constraints = {link.constraint.spec: link.constraint for link in job.links}

    def results(self, data: bytes, first: int) -> Iterator[Any]:
        """The result of each prompt of a shard. first: the index of its first prompt."""
        for place, row in enumerate(decoded(data, self.job.model, self._constraints, first)):
            yield self._result(row, first + place)

    def _result(self, row: RowResult, index: int) -> Any:
        if row.error is not None:
            return row.error
        if row.scores is not None:
            return row.scores
        assert row.group is not None
        state = SequenceState(self.job.model, [row.group], samples=len(row.group))
        return self._value(state, index) if isinstance(self.job.work, Generator) else state

    def _value(self, state: SequenceState, index: int) -> Any:
        """The value of a generator's row, or its values; its error, if it has none."""
        generator: Generator[Any, Any] = self.job.work  # type: ignore[assignment]
        failures = [row.error for row in state.rows[0] if isinstance(row, FailedRow)]
        [values] = generator._nested(state, failures, "return")
        for sample, value in enumerate(values):
            if isinstance(value, Exception) and not any(value is failure for failure in failures):
                value.row = (index, sample)  # type: ignore[attr-defined]
        if not values:
            return ConstraintError(f"prompt {index} has no samples: nothing is left of it")
        failed = [value for value in values if isinstance(value, Exception)]
        if len(failed) == len(values):
            return failed[0]
        return values[0] if self.job.single and len(values) == 1 else values

    # --- the file of values

    def content(self, result: Any) -> dict[str, Any]:
        """What the file of values says of a result."""
        if isinstance(result, Exception):
            return {"error": error_content(result)}
        if isinstance(result, SequenceState):
            return self._state_content(result)
        if not isinstance(result, list) or not any(isinstance(each, Exception) for each in result):
            return {"value": jsonable(result)}
        failed = [error_content(each) if isinstance(each, Exception) else None for each in result]
        values = [None if isinstance(each, Exception) else jsonable(each) for each in result]
        return {"value": values, "errors": failed}

    def _state_content(self, state: SequenceState) -> dict[str, Any]:
        """Of a state: what was written after the prompt, and the values of named steps; a list for several samples."""
        [rows] = state.rows
        texts = [None if row.dead else self._written(row) for row in rows]
        names = dict.fromkeys(link.call.name for link in self.job.links if link.call.name is not None)
        names |= dict.fromkeys(state.captures)  # functions of a chain may give other steps
        captures = {name: jsonable(state.captures[name][0]) if name in state.captures else [] for name in names}
        failed = [error_content(row.error) if isinstance(row, FailedRow) else None for row in rows]
        if self.job.single and len(rows) == 1:
            texts, captures = texts[0], {name: values[0] if values else [] for name, values in captures.items()}
        return {"text": texts, "captures": captures, **({"errors": failed} if any(failed) else {})}

    def _written(self, row: Row) -> str:
        """What stands after the prompt."""
        decode = self.job.model.vocabulary.decode
        length = healed = 0
        for piece in row.pieces:
            if piece.kind != "prompt":
                healed = len(piece.origin.healed)
                break
            length += piece.hi - piece.lo
        prompt = len(decode(row.ids[:length])) + healed
        return decode(row.ids)[prompt:].decode("utf-8", "replace")
