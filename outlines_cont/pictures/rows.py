"""A state as HTML: no script, one small style sheet, readable on light and dark and without colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import perf_counter
from typing import Any, Literal, NamedTuple

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.pictures.marks import (
    CountedStates,
    LikelyFact,
    Mark,
    headline,
    kept_likeliest,
    likely_facts,
    marks,
    number,
    outcome,
    percent,
    whole,
)
from outlines_cont.pictures.markup import attribute, characters, cut, markup, seen
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.protocol import DrawnPiece, DrawnRow, DrawnState, DrawnStop
from outlines_cont.pictures.style import framed
from outlines_cont.pictures.text import one_line, row_key, summary, weighings
from outlines_cont.prefixes import common_length

CLASSES = {"prompt": "p", "text": "t", "generated": "g", "forced": "f", "beside": "u"}
INVISIBLE = {" ": "w", "\t": "h", "\n": "n"}  # kept as they are, so that what is copied is the text; a sign is drawn
MANY_ROWS = 4  # from so many on, all that a row repeats of the one above is left out, and rows stand close
FEW_TOKENS = 4  # fewer tokens are shown rather than left out and counted
LONG_REPEAT = 12  # generated tokens that are as in the row above are left out if there are more of them
HIDDEN_SIGNS = 12  # so many seams and stops of the tokens that are left out are shown
TOKENS_WITH_FACTS = 2500  # a picture of more has no tooltips: each takes a third of a kilobyte
LIKELY, POSSIBLE = 0.8, 0.2  # as drawn
ERROR_CHARACTERS = 200  # of the text of an error that ended a row
LONGEST_NAME = 200  # characters
SEAM = '<b class="s"'


def page(state: DrawnState, rows: int, tokens: int) -> Picture:
    """See `SequenceState.html`."""
    grid = [(b, s) for b, group in enumerate(state.rows) for s in range(len(group))]
    shown = list(_shown_rows(state, grid[:rows], tokens))
    kept = state.model.kv_lengths(each.row for each in shown)
    count = sum(len(each.places) for each in shown)
    drawing = _Drawing(state.model, len(shown) >= MANY_ROWS, count <= TOKENS_WITH_FACTS)
    body = "".join(drawing.row(*each) for each in zip(shown, kept, strict=True))
    more = len(grid) - len(shown)
    head = "; ".join([summary(state, None if more else kept), *weighings(state, [each.b for each in shown])])
    top = _line("o", head)
    if drawing.many:
        body = f'<div class="v">{body}</div>'
    if more:
        body += _line("o", f"… and {more:,} more row{'s' * (more > 1)}: state.html(rows={len(grid)})")
    if not drawing.facts:
        body += _line("o", f"{count:,} tokens, without tooltips: html() of a slice has them")
    return Picture(framed(top + body))


def _line(kind: str, text: str) -> str:
    """A line of its own; none where there is nothing to say."""
    return f'<div class="{kind}">{markup(text, quote=False)}</div>' if text else ""


# ------------------------------------------------------------------------------------------------------ what is shown


class RowPart(NamedTuple):
    """Tokens start … end − 1 of a row: shown, left out as they are those of the row above, or left out as too many."""

    start: int
    end: int
    shown: Literal["shown", "above", "more"]

    def __len__(self) -> int:
        return self.end - self.start


class ShownRow(NamedTuple):
    """A row, with its place in the grid, and which parts of it are shown."""

    b: int
    s: int
    row: DrawnRow
    parts: Sequence[RowPart]

    @property
    def places(self) -> list[int]:
        """The places of its tokens that are shown."""
        return [at for part in self.parts if part.shown == "shown" for at in range(part.start, part.end)]


def _shown_rows(state: DrawnState, places: Sequence[tuple[int, int]], tokens: int) -> Iterator[ShownRow]:
    above: DrawnRow | None = None
    for b, s in places:
        row = state.rows[b][s]
        repeated = [False] * len(row) if above is None else repeats(row, above, len(places) >= MANY_ROWS)
        yield ShownRow(b, s, row, parts_of(repeated, tokens))
        above = row


def repeats(row: DrawnRow, above: DrawnRow, many: bool) -> list[bool]:
    """Which tokens a row repeats of the one above it, span by span: given text, and long beginnings of what was
    generated. Not `many`: only the long given text that both begin with.

    A short answer is shown in any case, so that one sees the answers of each row.
    """
    repeated = [False] * len(row)
    for (start, end, piece), (begin, stop, other) in zip(row.shown, above.shown, strict=False):
        if (piece.kind, piece.name) != (other.kind, other.name) or not (many or piece.kind != "generated"):
            break
        count = common_length(row.ids[start:end], above.ids[begin:stop])
        if piece.kind != "generated" or count > LONG_REPEAT:
            repeated[start : start + count] = [True] * count
    least = FEW_TOKENS if many else LONG_REPEAT
    runs = [(is_repeated, len(list(group))) for is_repeated, group in groupby(repeated)]
    return [is_repeated and length > least for is_repeated, length in runs for _ in range(length)]


def parts_of(repeated: Sequence[bool], tokens: int) -> list[RowPart]:
    """The parts of a row of which these tokens are repeated, and at most about `tokens` are shown, most of its end."""
    kinds: list[Literal["shown", "above", "more"]] = ["above" if each else "shown" for each in repeated]
    places = [at for at, kind in enumerate(kinds) if kind == "shown"]
    if len(places) >= tokens + FEW_TOKENS:
        head = tokens // 4
        for at in range(places[head], places[len(places) - (tokens - head) - 1] + 1):
            kinds[at] = "more"
    parts, start = [], 0
    for kind, group in groupby(kinds):
        end = start + sum(1 for _ in group)
        parts.append(RowPart(start, end, kind))
        start = end
    return parts


# ----------------------------------------------------------------------------------------------------------------- rows


@dataclass
class _Drawing:
    """What the rows of one page share."""

    model: LanguageModel
    many: bool
    facts: bool
    counted: CountedStates = field(default_factory=dict)

    def row(self, shown: ShownRow, kept: int) -> str:
        """The markup of a row, of which the tree holds the first `kept` tokens."""
        row = shown.row
        above = str(headline(self.model, row, self.counted))
        title = f"{outcome(row)}, {len(row)} tokens, {kept} in the KV tree"
        title += f"\n{above}" if self.many and above else ""
        weight = number(row) if row.generated else ""
        label = f'<div title="{attribute(title)}">{row_key(shown.b, shown.s)} {weight}</div>'
        line = "" if self.many else _line("m", above)
        text = _nothing(row) if row.dead else "".join(self._parts(shown, kept))
        return f'<div class="r">{label}<div>{line}<div class="x">{text}</div></div></div>'

    def _parts(self, shown: ShownRow, kept: int) -> Iterator[str]:
        row = shown.row
        likeliest = kept_likeliest(self.model, row, shown.places) if self.facts else {}
        signs = signs_of(row, self.model.vocabulary.tokens if self.facts else ())
        drawn = iter(marks(self.model, row, kept, shown.places, likeliest, self.counted))
        for part in shown.parts:
            if part.shown == "shown":
                yield from self._tokens([next(drawn) for _ in range(len(part))], signs)
                continue
            first = signs.get(part.start, ())
            yield from (sign for sign in first if not sign.startswith(SEAM))  # they end what is shown
            if part.shown == "more":
                yield note(f"… {len(part):,} more tokens …")
                seams = [sign for sign in first if sign.startswith(SEAM)]
                yield from [*seams, *signs_within(signs, part.start + 1, part.end)][:HIDDEN_SIGNS]
            elif self.many and part is not shown.parts[0]:
                yield note(f"… {len(part):,} …", "as above")
            else:
                yield note(f"… {len(part):,} token{'s' * (len(part) > 1)} as above …")
        yield from signs.get(len(row), ())

    def _tokens(self, drawn: Sequence[Mark], signs: dict[int, list[str]]) -> Iterator[str]:
        """Tokens that follow each other, with the signs before each."""
        drawn = list(whole(drawn, signs))
        begins = [n for n, mark in enumerate(drawn) if not n or self.facts or mark.position in signs]
        for begin, end in zip(begins, [*begins[1:], len(drawn)], strict=True):
            yield from signs.get(drawn[begin].position, ())
            yield from [token(drawn[begin])] if self.facts else _alike(drawn[begin:end])


def token(mark: Mark, more: str = "") -> str:
    """The markup of a token. more: its other classes."""
    drawn = f' style="--d:{mark.drawn:.2f};--m:{mark.own:.2f}"' if mark.source in ("generated", "forced") else ""
    shown = "".join(map(_character, characters(mark.data))) or "∅"
    if mark.special or not mark.data:
        shown = f'<i class="e">{shown}</i>'
    return f'<span class="{_names(mark)}{more}"{drawn} title="{attribute(mark.facts)}">{shown}</span>'


def _names(mark: Mark) -> str:
    """The classes of a token's element."""
    return CLASSES[mark.source] + (" q" if mark.grafted_keys else " k" * mark.kept)


def _character(character: str) -> str:
    if character in INVISIBLE:
        return f'<i class="{INVISIBLE[character]}">{character}</i>'
    visible = seen(character)
    return markup(visible, quote=False) if visible == character else f'<i class="e">{visible}</i>'


def note(text: str, title: str = "") -> str:
    """What stands in the place of tokens that are left out."""
    about = f' title="{attribute(title)}"' if title else ""
    return f'<b class="y"{about} data-n="{attribute(text)}"></b>'


def _nothing(row: DrawnRow) -> str:
    """What stands in the place of a row without tokens: that it is dead, or the error that ended it."""
    error = getattr(row, "error", None)
    if error is None:
        return '<i class="e">dead</i>'
    text = "".join(map(seen, f"{type(error).__name__}: {error}"))
    return f'<i class="e">failed</i> {markup(cut(text, ERROR_CHARACTERS))}'


# ------------------------------------------------------------------------------------------------- large pictures


def _alike(run: Sequence[Mark]) -> Iterator[str]:
    """Tokens that follow each other, without facts: one element for those that look alike, in which generated ones have
    elements by how likely they were as drawn: none, `u` and `b`; `i` if they were forced."""
    for names, group in groupby(run, key=lambda mark: re.sub("^[gf]", "g a", _names(mark))):
        members = list(group)
        if all(mark.source == "forced" for mark in members):
            names = names.replace("g", "f", 1)
        yield f'<span class="{names}">{"".join(_run(*each) for each in groupby(members, key=_level))}</span>'


def _level(mark: Mark) -> str:
    """The element of a token within that of its span: none for what was given, and for what was hardly likely."""
    if mark.source == "forced":
        return "i"
    if mark.source != "generated" or mark.drawn < POSSIBLE:
        return ""
    return "b" if mark.drawn >= LIKELY else "u"


def _run(tag: str, run: Iterable[Mark]) -> str:
    shown = ""
    for special, group in groupby(run, key=lambda mark: mark.special):
        text = characters(b"".join(mark.data for mark in group))
        written = "".join(_sparing(text, at) for at in range(len(text)))
        shown += f'<i class="e">{written}</i>' if special else written
    return f"<{tag}>{shown}</{tag}>" if tag else shown


def _sparing(text: str, at: int) -> str:
    """A character as markup; a space between two words is seen as it is."""
    alone = text[at] == " " and text[max(at - 1, 0) : at + 2].count(" ") == 1
    return " " if alone and text[at - 1 : at] != "\n" else _character(text[at])


# ---------------------------------------------------------------------------------------------------------------- signs


def signs_of(row: DrawnRow, tokens: Sequence[bytes] = (), names: int = LONGEST_NAME) -> dict[int, list[str]]:
    """Seams, stops and cuts, by the position before which they stand. tokens: those of the vocabulary, to name what was
    noted where stops were drawn; names: how many characters are shown of a step's name."""
    signs: dict[int, list[str]] = {}
    for start, end, piece in row.shown:
        noted = dict(piece.noted("alternatives")) if tokens else {}
        if start or piece.kind == "generated":
            signs.setdefault(start, []).append(_seam(piece, names))
        for at, stop in piece.stops:
            likely = likely_facts(tokens, noted.get(at, ())) if start + at == end else ()
            signs.setdefault(start + at, []).append(_stop(stop, likely))
        if piece.kind == "generated" and piece.stop is None:
            signs.setdefault(end, []).append(f'<b class="c" title="cut: {piece.finished or "sliced"}"></b>')
    return signs


def signs_within(signs: dict[int, list[str]], begin: int, end: int) -> list[str]:
    """The first few signs before the tokens begin … end − 1, which are left out."""
    return [sign for at in range(begin, end) for sign in signs.get(at, ())][:HIDDEN_SIGNS]


def _seam(piece: DrawnPiece, longest: int) -> str:
    title = " ".join(filter(None, [piece.kind, piece.generator, piece.name and repr(piece.name)]))
    if not piece.whole:
        title += f", tokens {piece.lo}:{piece.hi} of {piece.length}"
    visible = "".join(map(seen, piece.name or ""))
    name = f' data-n="{markup(cut(visible, longest))}"' if piece.name and piece.kind == "generated" else ""
    return f'{SEAM}{name} title="{attribute(title)}"></b>'


def _stop(stop: DrawnStop, likely: Sequence[LikelyFact]) -> str:
    title = f"stop: model {percent(stop.logprob)}, drawn {percent(stop.proposal)}"
    title += f", {len(stop.dropped)} tokens dropped" if stop.dropped else ""
    title += f"\nlikeliest: {', '.join(map(str, likely))}" if likely else ""
    return f'<b class="z" title="{attribute(title)}"></b>'


# --- rows that are drawn anew in their place, in a notebook, while somebody waits

ROWS, TOKENS = 8, 60  # what is shown while it is written
FINAL_TOKENS = 120
SELDOM = 0.25  # seconds between two drawings, at least
IDLE = 9  # times as long as a drawing took nothing is drawn after it
BYTES_A_SECOND = 400_000  # a notebook's server takes a million from all cells together


class LiveRows:
    """The rows of a state in a notebook, drawn anew in their place: not more often than they can be drawn and sent."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._next = 0.0

    @property
    def due(self) -> bool:
        """Whether it is time to draw again."""
        return perf_counter() >= self._next

    def draw(self, state: Callable[[], DrawnState], line: Callable[[], str] | None = None) -> None:
        """Draw a state. line: what stands above it while it is written; without one it is the last drawing."""
        began = perf_counter()
        drawn = state()
        html = str(page(drawn, ROWS, TOKENS if line else FINAL_TOKENS))
        if line is not None:
            html = f'<div style="font-variant-numeric:tabular-nums">{line()}</div>{html}'
        bundle = {"text/html": html, "text/plain": one_line(drawn)}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)
        took = perf_counter() - began
        self._next = perf_counter() + max(SELDOM, IDLE * took, len(html) / BYTES_A_SECOND)
