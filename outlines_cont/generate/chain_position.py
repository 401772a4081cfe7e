"""Where in a chain a row stands, and how it goes on from there: for new rows, for stages, for `resume`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import Cursor, SpanSettings
from outlines_cont.decode.status import ENDED
from outlines_cont.generate.starts import NO_SPAN, gone_on, made_by, whole_characters
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Origin


class Position(NamedTuple):
    """The last span of a chain in a row: its link, the index of its piece, and where the piece ends."""

    link: int
    index: int
    end: int


def onward(
    links: Sequence[SpanSettings], stage: range, given_out: bool, row: Row, before: Hypothesis | None
) -> tuple[Hypothesis, ...]:
    """A row goes on from where it stands in a chain, if that is a link of this stage; else it comes back as it is.

    links: the settings of all links; stage: those that are written now; given_out: as of `gone_on`; before: what wrote
    the row a moment ago.
    """
    link, index, end = position(links, row)
    settings, piece, here = links[link], row.pieces[index], link in stage
    if _ended_before_its_text(links, link, row, index):
        [*_, again] = hypotheses = onward(links, stage, given_out, row.before(index), before)
        return kept(settings, row, before, here and "length") if again.status.finished == "length" else hypotheses
    if not piece.whole or not _passed(links, link, piece.origin):
        return gone_on(settings, row, index, given_out) if here else kept(settings, row, before)
    missing = _missing_text(settings, link, row, end)
    before = before or _written_up_to_here(settings, row, end)
    if link + 1 not in stage:
        return kept(settings, row.append(missing), before, here and "stop")
    return Hypothesis.linked(links[link + 1], row, missing, before)


def stands_in(links: Sequence[SpanSettings], stage: range, row: Row) -> bool:
    """Whether the last span of a row is a link of this stage."""
    return position(links, row).link in stage


def position(links: Sequence[SpanSettings], row: Row) -> Position:
    """Where a row stands. ValueError if its last span is none of this chain."""
    ends = [(end, index) for index, (_, end, piece) in enumerate(row.placed) if piece.kind == "generated"]
    if not ends:
        raise ValueError(
            f"resume() of a chain: a row has no span of it ({NO_SPAN}); to begin it, call the chain instead"
        )
    end, index = ends[-1]
    origin = row.pieces[index].origin
    if origin.link >= len(links) or not made_by(links[origin.link], origin):
        kind = origin.constraint and origin.constraint.kind
        raise ValueError(
            f"resume() of a chain: the last span of a row is link {origin.link} of a chain, {kind} {origin.name!r}; "
            f"this chain has {[(settings.constraint.kind, settings.name) for settings in links]}"
        )
    return Position(origin.link, index, end)


def _ended_before_its_text(links: Sequence[SpanSettings], link: int, row: Row, index: int) -> bool:
    """Whether a row ended before the text that leads to this link, because the context had no room for it."""
    origin = row.pieces[index].origin
    fresh = not origin.length and not origin.healed
    return bool(fresh and link and links[link - 1].text and index and row.pieces[index - 1].kind == "generated")


def _passed(links: Sequence[SpanSettings], link: int, origin: Origin) -> bool:
    """Whether the chain goes on after a span that ended like this. What is last has to end in its stop."""
    last = link == len(links) - 1 and not links[link].text
    return origin.finished == "stop" or (links[link].passes(origin.finished) and not last)


def _missing_text(settings: SpanSettings, link: int, row: Row, end: int) -> tuple[int, ...]:
    """The tokens of the text after a link that a row does not have yet. ValueError if it has another text there."""
    present, text = row.ids[end:], settings.text_after(row.ids[:end])
    if present == text[: len(present)]:
        return text[len(present) :]
    # After a cut inside a token the same text is spelled by other tokens.
    decode = settings.encoder.vocabulary.decode
    written, whole = decode(present, special=True), decode(text, special=True)
    if not whole.startswith(written):
        raise ValueError(
            f"resume() of a chain: {settings.encoder.decode(present)!r} follows link {link}, where the chain has "
            f"{settings.text!r}"
        )
    return tuple(settings.encoder.encode_bytes(whole[len(written) :]))


def _written_up_to_here(settings: SpanSettings, row: Row, end: int) -> Hypothesis:
    """What would have written the row: a link that has ended, and whose text is what the row does not have yet."""
    present = settings.encoder.vocabulary.decode(row.ids[end:])
    missing = settings.text.encode()[whole_characters(present) :].decode()
    start = Cursor(settings.constraint.guide, settings.constraint.guide.initial)
    return Hypothesis.fresh(replace(settings, text=missing), row, start, ENDED["stop"])


def kept(
    settings: SpanSettings, row: Row, before: Hypothesis | None, how: Finished | Literal[False] = False
) -> tuple[Hypothesis, ...]:
    """The row as it is, for a call that has nothing to do there. how: it ended like this in this stage, if it did."""
    hypothesis = Hypothesis.keep(settings, row, how or None)
    return (hypothesis if before is None else hypothesis.after(before),)
