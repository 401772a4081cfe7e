"""Where drafts come from, as users make them. All are good for any number of calls, also at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.decode.drafts.auto import Auto
from outlines_cont.decode.drafts.draft_model import SmallModel
from outlines_cont.decode.drafts.lookup import Lookup
from outlines_cont.decode.drafts.ngram import Ngram
from outlines_cont.decode.drafts.wrapping import checked_draft
from outlines_cont.decode.filters import check, is_count
from outlines_cont.engines.protocol import LanguageModel, missing_members

COUNT = "an int ≥ 1"


def ngram(k: int = 16, n: int = 3) -> Ngram:
    """Propose the tokens that followed the same tokens earlier: in the row itself, in the rows beside it, in the KV
    tree.

    It searches for the row's last n tokens, or for fewer if these do not occur elsewhere. It helps for values that are
    copied from the prompt, and for text that repeats itself. It costs no pass.

    k: the largest number of tokens proposed. n: the largest number of tokens searched for. ValueError if one is not an
    int ≥ 1.

    >>> new = oc.load()
    >>> age = oc.generate.text(new, oc.samplers.greedy())
    >>> story = "Bartholomew Lindqvist is a painter. Q: Who is a painter?\\nA: "
    >>> age(story, max_tokens=8) == age(story, max_tokens=8, draft=oc.drafts.ngram())
    True
    """
    check("k", k, is_count(k), COUNT)
    check("n", n, is_count(n), COUNT)
    return Ngram(int(k), int(n))


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
    (3, 4, 4, 0)
    """
    lacking = missing_members(small)
    if lacking:
        raise TypeError(f"drafts.model({shown(small)}): it is no model, oc.load(…) makes one; it lacks {lacking[:3]}")
    check("k", k, is_count(k), COUNT)
    check("width", width, is_count(width), COUNT)
    return SmallModel(small, int(k), int(width))


def lookup(texts: str | Sequence[str | Sequence[int]], k: int = 16, n: int = 3) -> Lookup:
    """Propose the tokens that follow in given texts: documents that an answer quotes, or a text that is edited.

    It searches the texts for the row's last n tokens, or for fewer if these do not occur. Of several places it takes
    the one where the text before agrees longest with the row.

    texts: one or several, each a str or token ids. k: the largest number of tokens proposed. n: the largest number of
    tokens searched for.

    Raises:
        TypeError: something else than texts. ValueError: k or n is not an int ≥ 1; in the call, ids that the model does
            not have.

    >>> new = oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.lookup("The sky is blue. The capital is Rome."))
    ' blue. The cap'
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


def auto(draft: Any = None) -> Auto:
    """Use a draft only if it makes the generation faster; `draft="auto"` is `auto()`.

    Tokens per second are measured with the draft and without it, in turn. If the draft is slower, or fails, it is no
    longer used, with one warning. A slow draft is tried again now and then.

    draft: a draft, as `draft=` takes it. None: `ngram()`.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=2, draft=oc.drafts.auto(oc.drafts.lookup("The sky is blue.")))
    ' blue.'
    """
    return Auto(ngram() if draft is None else checked_draft(draft))


AUTO = auto()  # what it measures it keeps for each model


def draft_option(draft: Any) -> Any:
    """What is given as `draft=`: "auto", or what `checked_draft` takes. TypeError for anything else.

    >>> from outlines_cont.decode.drafts.sources import draft_option
    >>> draft_option("auto")
    auto(Ngram(k=16, n=3))
    """
    if isinstance(draft, str) and draft == "auto":
        return AUTO
    for maker in (ngram, lookup, model, auto):
        if draft is maker:
            call = "oc.drafts.ngram()" if maker is ngram else f"oc.drafts.{maker.__name__}(…)"
            raise TypeError(f"draft={shown(draft)}: this makes drafts, and is none itself; call it, draft={call}")
    if hasattr(draft, "language_model"):
        raise TypeError(f"draft={shown(draft)}: a model proposes by draft=oc.drafts.model(small_model)")
    return checked_draft(draft)
