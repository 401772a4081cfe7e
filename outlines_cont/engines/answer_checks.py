"""What somebody else gives for needs: logits and claims, checked alike wherever they come in.

Models, passes of an engine, callers of `step` and writers of rows give them. What is wrong is named with who gave it
and what would be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim


def are_logits(value: Any, size: int, lines: int | None = None) -> bool:
    """Whether it is a dense tensor of floats `[lines, size]`. lines: None where the caller looks at them later.

    Nothing waits for the device: no number is looked at.

    >>> import torch
    >>> from outlines_cont.engines.answer_checks import are_logits
    >>> are_logits(torch.zeros(2, 5), 5, 2), are_logits(torch.zeros(2, 5, dtype=torch.int64), 5, 2)
    (True, False)
    """
    return (
        isinstance(value, Tensor)
        and not value.is_nested
        and value.layout is torch.strided
        and value.dim() == 2
        and value.shape[1] == size
        and (lines is None or value.shape[0] == lines)
        and value.is_floating_point()
        and not value.is_meta
    )


def logits_refused(value: Any, giver: str, right: str) -> Exception:
    """The error for what are no logits: a ValueError for another shape, a TypeError for all else.

    giver: who gave it, as "Server.read gave"; right: what the logits must be.
    """
    if not isinstance(value, Tensor):
        return TypeError(f"{giver} {outline(value)}, and logits are a tensor: {right}")
    if value.is_nested or value.layout is not torch.strided:
        kind = "a nested tensor" if value.is_nested else f"a tensor of layout {value.layout}"
        return TypeError(f"{giver} {kind}, and logits are dense: {right}")
    if not value.is_floating_point():
        return TypeError(f"{giver} logits of {value.dtype}, and logits are of a floating type: {right}")
    if value.is_meta:
        return TypeError(f"{giver} logits on the device meta, which have no numbers: {right}")
    return ValueError(f"{giver} logits {tuple(value.shape)}: {right}")


def check_answer(answer: Any, needs: Sequence[Need], size: int, giver: str) -> tuple[Tensor, list[Claim | None]]:
    """The logits and the claims that were given for needs. TypeError or ValueError for anything else.

    size: of the vocabulary.
    """
    lines = sum(len(need.wanted) for need in needs)
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        logits, claims = answer
        if are_logits(logits, size, lines):
            check_claims(claims, len(needs), giver)
            return logits, list(claims)
        raise logits_refused(logits, giver, f"its needs want {_of_needs(lines, size)}")
    raise TypeError(
        f"{giver} {outline(answer)}: it must give logits and claims, for these needs a tensor of "
        f"{_of_needs(lines, size)}, and a list of {len(needs)}"
    )


def _of_needs(lines: int, size: int) -> str:
    return f"({lines}, {size}), a line for each wanted position and a column for each token of the vocabulary"


def check_claims(claims: Any, count: int, giver: str) -> None:
    """TypeError for what is no list of so many claims, or None.

    >>> from outlines_cont.engines.answer_checks import check_claims
    >>> check_claims([None], 2, "Server.read gave")
    Traceback (most recent call last):
    TypeError: Server.read gave claims [None]: they must be a list with a claim, or None, for each of 2 needs
    """
    listed = isinstance(claims, (list, tuple)) and len(claims) == count
    if not listed or not all(claim is None or isinstance(claim, Claim) for claim in claims):
        raise TypeError(
            f"{giver} claims {shown(claims)}: they must be a list with a claim, or None, for each of {count} needs"
        )


def outline(answer: Any) -> str:
    """The kinds and the shapes of what was given."""
    if isinstance(answer, (tuple, list)):
        inside = ", ".join(map(outline, answer[:3])) + ", …" * (len(answer) > 3)
        return f"({inside})" if isinstance(answer, tuple) else f"[{inside}]"
    kind = type(answer)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    if isinstance(answer, Tensor) and answer.is_nested:  # its shape cannot be asked for
        return f"{name} (nested)"
    return f"{name} {tuple(shape)}" if (shape := getattr(answer, "shape", None)) is not None else name
