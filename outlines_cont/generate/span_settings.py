"""What the hypotheses of a call share, from a generator's parts and the call's options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from outlines_cont.arguments import shown
from outlines_cont.decode.draws import Watch
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.samplers.filters.bad_words import banned_texts
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.where import Where
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import warn
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.call_options import RETRIES, Call, Seam
from outlines_cont.state.constraint import Constraint

# --- strings of `stop_at` that are meant as special tokens, and are plain text to this vocabulary

#: How known chat formats write their special tokens.
LOOKS_SPECIAL = re.compile(
    r"<[|\uff5c][^<>\s]+[|\uff5c]>"  # <|im_end|>, and DeepSeek's with wide bars
    r"|</?s>|<(?:eos|bos|pad|unk|sep|cls|mask|eot|eom|eod)>|<(?:start|end)_of_[a-z_]+>"
    r"|\[(?:/?INST|EOS|BOS|PAD|UNK|SEP|CLS|MASK|EOT|gMASK|/?SYSTEM_PROMPT|/?AVAILABLE_TOOLS)\]|<</?SYS>>",
    re.IGNORECASE,
)
SHORTEST = 3  # bytes of a special token that is looked for inside of a longer string
MOST_NAMES = 8


def warn_of_plain_stops(stops: Sequence[str], vocabulary: Vocabulary) -> None:
    """One warning for strings that name special tokens and can never meet them: tokens that this vocabulary does not
    have, or that stand in a longer string. It comes once for each string.

    >>> from outlines_cont.generate.span_settings import warn_of_plain_stops
    >>> warn_of_plain_stops([".", "<|end|>", "</div>"], model.vocabulary)  # the first and the last are text
    """
    looked_at: set[str] = vocabulary.cache.setdefault("stop_at", set())
    new = [stop for stop in stops if stop not in looked_at]
    looked_at.update(new)
    reasons = [reason for stop in new if (reason := _reason(stop, vocabulary))]
    if reasons:
        warn(
            f"{'; '.join(reasons)}. This is plain text then, which a model hardly ever writes, so the text will not "
            f"end there. {_right(vocabulary)}"
        )


def _reason(stop: str, vocabulary: Vocabulary) -> str:
    """Why a string is plain text, although it looks like special tokens; "" where it is none, or a token."""
    data = stop.encode()
    if len(data) < SHORTEST:
        return ""
    special = (vocabulary.tokens[token] for token in vocabulary.special)
    inside = [name for name in special if name.startswith((b"<", b"[")) and len(name) >= SHORTEST and name in data]
    if data in inside:
        return ""
    if inside:
        name = max(inside, key=len).decode("utf-8", "replace")
        return f"stop_at={stop!r} is longer than the special token {name!r}, and no text contains that"
    names = [name for name in LOOKS_SPECIAL.findall(stop) if name.encode() not in vocabulary.tokens]
    return f"stop_at={stop!r}: this vocabulary has no token {names[0]!r}" if names else ""


def _right(vocabulary: Vocabulary) -> str:
    ids = [*vocabulary.eos, *sorted(vocabulary.special.difference(vocabulary.eos))]
    names = [vocabulary.tokens[token].decode("utf-8", "replace") for token in ids if vocabulary.tokens[token]]
    if not names:
        return "This vocabulary has no special tokens."
    more = ", …" * (len(names) > MOST_NAMES)
    ends = [vocabulary.tokens[token].decode("utf-8", "replace") for token in vocabulary.eos]
    always = f"; {', '.join(map(repr, ends))} always ends a text" if ends else ""
    return (
        f"Write one special token alone, by its spelling or its id; they are "
        f"{', '.join(map(repr, names[:MOST_NAMES]))}{more}{always}."
    )


# --- span settings


def span_settings(
    model: LanguageModel, constraint: Constraint, sampler: Sampler, forced: bool, call: Call, seam: Seam = "auto"
) -> SpanSettings:
    """The settings of a call. TypeError or ValueError for options that do not go with the constraint or the sampler."""
    if call.max_tokens is None and model.context_length is None:
        raise ValueError(f"{model!r} states no context length: give max_tokens")
    kind, controlled = constraint.kind, constraint.controller is not None
    stops = call.stop_strings(model.vocabulary)
    if stops and kind != "text":
        raise ValueError(f"stop_at={call.stop_at!r} on a {kind} generator: only text ends at a string")
    if stops:
        warn_of_plain_stops(stops, model.vocabulary)
    if seam == "heal" and controlled:
        raise ValueError(
            "seam='heal' on a generator of oc.generate.control(): only a span with one constraint can be healed, "
            "and a controller names one for each branch; use seam='keep'"
        )
    if call.candidates and not sampler.notes_candidates:
        raise TypeError(f"candidates={call.candidates} with {sampler!r}: this sampler keeps no candidates")
    if sampler.weighs_draws:
        only_watched(sampler, call.hooks)
    ending = constraint.stopping_at(stops, constraint.include_stop).banning(banned_texts(sampler.logit_filters))
    return SpanSettings(
        ending,
        model.encoder,
        call.name,
        sampler.length_penalty,
        call.max_tokens,
        model.context_length,
        ending.stop_bytes,
        forced,
        RETRIES if call.retries is None else call.retries,
        call.horizon,
        revised=bool(call.hooks) or controlled,
        seam=seam,
        hooks=call.hooks,
        top=call.candidates,
        alternatives=call.alternatives,
        draft=call.draft,
        where=None if constraint.where is None else Where(constraint.where, _unweighed(sampler)),
        ranks_by_logprobs=sampler.ranks_by_logprobs,
        chosen_by=_chooses(sampler),
        sampler=sampler,
    )


def _unweighed(sampler: Sampler) -> str | None:
    """The sampler, if what a predicate says is not weighed there."""
    return None if getattr(sampler, "honours_where", "nothing") == "potentials" else shown(sampler)


def only_drawn(sampler: Sampler, before: Sequence[Sampler]) -> None:
    """ValueError if an earlier link of a chain chooses several samples, which a sampler that weighs cannot weigh."""
    widest = accumulate((each.samples for each in before), max)
    if chosen := [each for each, samples in zip(before, widest, strict=True) if samples > 1 and _chooses(each)]:
        raise ValueError(
            f"{_chooses(chosen[0])} before {sampler!r} in a chain: samples that it chooses are no random draws, so "
            "that their weights say nothing. Draw them in all links, with multinomial() or smc(); or call the steps "
            "one by one, with state.resample(reset=True) between them, which takes all samples as equal"
        )


def _chooses(sampler: Sampler) -> str | None:
    """Its name, if it takes the best candidates and draws none."""
    return getattr(sampler, "chooses", None)


def only_watched(sampler: Sampler, hooks: Sequence[Hook]) -> None:
    """ValueError if one of the hooks may answer, so that a sampler that weighs draws could not tell their law."""
    if answering := [hook for hook in hooks if not isinstance(hook, Watch)]:
        raise ValueError(
            f"hooks={answering} with {sampler!r}: it weighs each draw by its law, and the answer of a hook changes it; "
            "wrap a hook that only looks, hooks=[oc.Watch(look)], or take multinomial()"
        )
