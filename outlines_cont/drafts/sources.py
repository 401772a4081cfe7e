"""Where drafts come from, as users make them. All are good for any number of calls, also at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outlines_cont.arguments import is_whole, plain, shown, takes_one
from outlines_cont.decode.filters import check, is_count
from outlines_cont.drafts.draft_model import SmallModel
from outlines_cont.drafts.protocol import FunctionDraft
from outlines_cont.drafts.text_lookup import Lookup
from outlines_cont.engines.protocol import LanguageModel, missing_members

COUNT = "an int ≥ 1"
RIGHT = (
    "oc.drafts.lookup(), oc.drafts.model(small), a function of one row that gives token ids, or an object with a "
    "method propose(rows)"
)


def model(small: LanguageModel, k: int = 8, width: int = 1) -> SmallModel:
    """Propose the tokens that a second model would draw: under the constraint of the row, by its sampler, with its
    random numbers.

    Each proposed token takes a pass of the small model, for all rows at once. Its own KV tree keeps the keys and values
    from one pass to the next, until the generation ends.

    small: a model with an equal vocabulary; otherwise the call raises a ValueError. k: the largest number of tokens
    proposed. width: how many tokens are proposed for the next position; each is followed by the likeliest ones. If the
    small model fails, or gives something else than logits of its vocabulary, the call raises DraftError.

    Raises:
        TypeError: small is not a model. ValueError: k or width is not an int ≥ 1.

    >>> new, small = oc.load(), oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.model(small, k=3))
    ' blue. The cap'
    >>> new.stats.passes, new.stats.drafted, new.stats.accepted, small.stats.kv_bytes
    (2, 5, 5, 0)
    """
    lacking = missing_members(small)
    if lacking:
        raise TypeError(f"drafts.model({shown(small)}): it is no model, oc.load(…) makes one; it lacks {lacking[:3]}")
    check("k", k, is_count(k), COUNT)
    check("width", width, is_count(width), COUNT)
    return SmallModel(small, int(k), int(width))


def lookup(texts: str | Sequence[str | Sequence[int]] = (), k: int = 16, n: int = 8) -> Lookup:
    """Propose the tokens that followed the same tokens elsewhere: in given texts, in the row itself, in the KV tree,
    which has the rows beside it, too.

    It searches for the row's last n tokens, or for fewer if these stand nowhere else; of several places it takes the
    last one. The more tokens agree, the more it proposes. It helps for values that are copied from the prompt, for text
    that repeats itself, and for answers that quote or edit a text. It costs no pass.

    texts: none, one or several, each a str or token ids. k: the largest number of tokens proposed. n: the largest
    number of tokens searched for.

    Raises:
        TypeError: something else than texts. ValueError: k or n is not an int ≥ 1; in the call, ids that the model does
            not have.

    >>> new = oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.lookup("The sky is blue. The capital is Rome."))
    ' blue. The cap'
    >>> new.stats.passes
    3
    """
    check("k", k, is_count(k), COUNT)
    check("n", n, is_count(n), COUNT)
    return Lookup(_texts(texts), int(k), int(n))


def _texts(texts: Any) -> tuple[str | tuple[int, ...], ...]:
    texts = [texts] if isinstance(texts, str) else plain(texts)
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"lookup({shown(texts)}): it takes a text, or a list of texts")
    checked: list[str | tuple[int, ...]] = []
    for text in map(plain, texts):
        if isinstance(text, str):
            checked.append(text)
        elif isinstance(text, (list, tuple)) and all(map(is_whole, text)):
            checked.append(tuple(map(int, text)))
        else:
            raise TypeError(f"lookup(texts) got {shown(text)} among the texts: each is a str or a list of token ids")
    return tuple(checked)


def draft_option(draft: Any) -> Any:
    """What is given as `draft=`: None, a `Draft`, what makes one for each generation (`begin(model)`), or a function of
    a row. TypeError for anything else.

    >>> from outlines_cont.drafts.sources import draft_option
    >>> draft_option(len)
    len
    >>> draft_option(3)
    Traceback (most recent call last):
        ...
    TypeError: draft=3: it is oc.drafts.lookup(), oc.drafts.model(small), a function of one row that gives token ...
    """
    if draft is None or isinstance(draft, FunctionDraft):
        return draft
    for maker in (lookup, model):
        if draft is maker:
            call = f"oc.drafts.{maker.__name__}({'' if maker is lookup else '…'})"
            raise TypeError(f"draft={shown(draft)}: this makes drafts, and is none itself; call it, draft={call}")
    if hasattr(draft, "language_model"):
        raise TypeError(f"draft={shown(draft)}: a model proposes by draft=oc.drafts.model(small_model)")
    if isinstance(draft, type):
        raise TypeError(f"draft={shown(draft)}: it is a class; make one of it first")
    if callable(getattr(draft, "propose", None)) or callable(getattr(draft, "begin", None)):
        return draft
    if callable(draft) and takes_one(draft):
        return FunctionDraft(draft)
    raise TypeError(f"draft={shown(draft)}: it is {RIGHT}")
