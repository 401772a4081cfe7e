"""What users give as a draft, as a `Draft`; and what it proposes, checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outlines_cont.arguments import is_whole, plain, shown, takes_one
from outlines_cont.decode.drafts.ahead import Ids
from outlines_cont.decode.drafts.protocol import Draft, DraftRow
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import DraftError

TOKEN_BYTES = 64  # longer than nearly all tokens
RIGHT = "'auto', oc.drafts.…, a function of one row that gives token ids, or an object with a method propose(rows)"


def checked_draft(draft: Any) -> Any:
    """What is given as `draft=`: None, a `Draft`, what makes one for each generation (`begin(model)`), or a function of
    a row. TypeError for anything else.

    >>> from outlines_cont.decode.drafts.wrapping import checked_draft
    >>> checked_draft(len)
    len
    >>> checked_draft(3)
    Traceback (most recent call last):
        ...
    TypeError: draft=3: it is 'auto', oc.drafts.…, a function of one row that gives token ids, or an object with ...
    """
    if draft is None or isinstance(draft, FunctionDraft):
        return draft
    if isinstance(draft, type):
        raise TypeError(f"draft={shown(draft)}: it is a class; make one of it first")
    if callable(getattr(draft, "propose", None)) or callable(getattr(draft, "begin", None)):
        return draft
    if callable(draft) and takes_one(draft):
        return FunctionDraft(draft)
    raise TypeError(f"draft={shown(draft)}: it is {RIGHT}")


@dataclass(frozen=True)
class FunctionDraft:
    """A function of one row as a draft."""

    function: Callable[[DraftRow], Any]

    def propose(self, rows: Sequence[DraftRow]) -> list[Any]:
        return [_listed(row, self.function(row)) for row in rows]

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", "") if isinstance(self.function, type(len)) else repr(self.function)


def begun(draft: Any, model: LanguageModel) -> Draft:
    """The draft of one generation of a model."""
    return draft.begin(model) if hasattr(draft, "begin") else draft


def _listed(row: DraftRow, proposed: Any) -> Any:
    """Continuations as a list of them, of one or several, which may be texts."""
    proposed = plain(proposed)
    if proposed is None:
        return []
    if isinstance(proposed, (str, bytes)) or _is_ids(proposed):
        proposed = [proposed]
    if not isinstance(proposed, (list, tuple)):
        raise DraftError(f"it gave {shown(proposed)} after {_end(row)}: token ids, a str or bytes, or a list of these")
    return [_ids_of(row, each) for each in proposed]


def _is_ids(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(map(is_whole, value))


def _ids_of(row: DraftRow, continuation: Any) -> Any:
    if isinstance(continuation, str):
        continuation = continuation.encode(errors="replace")
    if not isinstance(continuation, bytes):
        return continuation
    return row.encoder.encode_bytes(continuation[: TOKEN_BYTES * (row.budget + 1)])  # more would be cut off


def checked_proposals(rows: Sequence[DraftRow], proposals: Any) -> list[list[Ids]]:
    """For each row its continuations. DraftError for what are none."""
    if not isinstance(proposals, (list, tuple)) or len(proposals) != len(rows):
        count = f"{len(proposals)} of them" if isinstance(proposals, (list, tuple)) else shown(proposals)
        raise DraftError(f"it gave {count} for {len(rows)} rows: propose(rows) gives a list of continuations for each")
    return [_checked(row, proposed) for row, proposed in zip(rows, proposals, strict=True)]


def _checked(row: DraftRow, proposed: Any) -> list[Ids]:
    proposed = plain(proposed)
    if not isinstance(proposed, (list, tuple)):
        raise DraftError(f"it proposed {shown(proposed)} after {_end(row)}: continuations are a list of lists of ids")
    size, checked = len(row.vocabulary), []
    for continuation in map(plain, proposed):
        if not isinstance(continuation, (list, tuple)) or not all(map(is_whole, continuation)):
            raise DraftError(f"it proposed {shown(continuation)} after {_end(row)}: a continuation is a list of ids")
        ids = tuple(map(int, continuation))
        if wrong := [token for token in ids if not 0 <= token < size]:
            raise DraftError(f"it proposed token {wrong[0]} after {_end(row)}; the vocabulary has {size} tokens")
        checked.append(ids)
    return checked


def _end(row: DraftRow) -> str:
    """The end of a row's text, for messages."""
    text = row.encoder.decode(row.ids[-16:])
    return repr(text)
