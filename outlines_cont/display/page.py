"""A state as HTML: no script, one small style sheet, readable on light and dark and without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from outlines_cont.display import headline
from outlines_cont.display.headline import Headline
from outlines_cont.display.legend import legend
from outlines_cont.display.marks import (
    CountedStates,
    LikelyFact,
    Mark,
    Ranked,
    kept_likeliest,
    marks,
    number,
    outcome,
    percent,
    ranked,
)
from outlines_cont.display.outline import outlined
from outlines_cont.display.protocol import DrawnPiece, DrawnRow, DrawnState, DrawnStop
from outlines_cont.display.repeats import RowPart, parts_of, repeated_beginning, repeated_parts, worth_compacting
from outlines_cont.display.style import STYLE
from outlines_cont.display.text import row_key, summary
from outlines_cont.display.weighing import head_part
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import Picture, characters, markup, seen

CLASSES = {"prompt": "p", "text": "t", "generated": "g", "forced": "f", "beside": "u"}
HIDDEN_SIGNS = 12  # so many seams and stops of the tokens that are left out are shown
INVISIBLE = {" ": "w", "\t": "h", "\n": "n"}  # kept as they are, so that what is copied is the text; a sign is drawn
TOKENS_WITH_FACTS = 2500  # a picture of more has no tooltips: each takes a third of a kilobyte
ERROR_CHARACTERS = 200  # of the text of an error that ended a row


def page(
    state: DrawnState,
    rows: int,
    tokens: int,
    ranks: bool,
    compact: bool | None = None,
    facts: bool | None = None,
) -> Picture:
    """See `SequenceState.html`."""
    grid = [(b, s) for b, group in enumerate(state.rows) for s in range(len(group))]
    shown, compact = _shown_rows(state, grid[:rows], tokens, compact)
    kept = state.model.kv_lengths(each.row for each in shown)
    count = sum(len(part) for each in shown for part in each.parts if part.shown == "shown")
    facts = (ranks or count <= TOKENS_WITH_FACTS) if facts is None else facts
    drawing = _Drawing(state.model, compact, facts)
    rank_tables = ranked(state.model, [(each.row, each.places) for each in shown]) if ranks else [{}] * len(shown)
    body = "".join(drawing.row(*each) for each in zip(shown, kept, rank_tables, strict=True))
    more = len(grid) - len(shown)
    body += _below(len(grid), more, count if not facts else 0)
    head = _head(state, kept if not more else None, shown)
    if compact:
        head += headline.line(headline.of_rows(drawing.headlines))
        body = f'<div class="v">{body}</div>'
    return Picture(f'<div class="oc"><style>{STYLE}</style>{head}{body}{legend(head + body)}</div>')


def _head(state: DrawnState, kept: Sequence[int] | None, shown: Sequence[ShownRow]) -> str:
    """The line that sums up the state; `kept`: of each row, where all rows are shown."""
    return f'<div class="o">{markup(summary(state, kept) + head_part(state, [each.b for each in shown]))}</div>'


def _below(rows: int, more: int, without_facts: int) -> str:
    """What is not shown: so many of the rows, and the facts of so many tokens."""
    lines = []
    if more:
        lines.append(f"… and {more:,} more row{'s' * (more > 1)}: state.html(rows={rows})")
    if without_facts:
        lines.append(f"{without_facts:,} tokens, without tooltips: html(facts=True), or html() of a slice, has them")
    return "".join(f'<div class="o">{line}</div>' for line in lines)


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


def _shown_rows(
    state: DrawnState, places: Sequence[tuple[int, int]], tokens: int, compact: bool | None
) -> tuple[list[ShownRow], bool]:
    """The rows of these places, and whether they are shown in compact form; None: if that is worth it."""
    rows = [state.rows[b][s] for b, s in places]
    above = [None, *rows][: len(rows)]
    plain = [
        repeated_beginning(row, before) if before is not None and s else []
        for row, before, (_, s) in zip(rows, above, places, strict=True)
    ]
    full = []
    if compact is not False:
        pairs = zip(rows, above, strict=True)
        full = [[] if before is None else repeated_parts(row, before) for row, before in pairs]
    compact = worth_compacting(rows, plain, full) if compact is None else compact
    repeated = full if compact else plain
    each = zip(places, rows, repeated, strict=True)
    return [ShownRow(b, s, row, parts_of(row, ranges, tokens)) for (b, s), row, ranges in each], compact


@dataclass
class _Drawing:
    """What the rows of one page share. `headlines`: of the rows that are drawn already."""

    model: LanguageModel
    compact: bool
    facts: bool
    counted: CountedStates = field(default_factory=dict)
    headlines: list[Headline] = field(default_factory=list)

    def row(self, shown: ShownRow, kept: int, ranks: dict[int, Ranked]) -> str:
        """The markup of a row, of which the tree holds the first `kept` tokens."""
        row = shown.row
        above = headline.headline(self.model, row, self.counted)
        self.headlines.append(above)
        title = f"{outcome(row)}, {len(row)} tokens, {kept} in the KV tree"
        title += f"\n{above}" if self.compact and str(above) else ""
        weight = number(row) if row.generated else ""
        label = f'<div title="{_attribute(title)}">{row_key(shown.b, shown.s)} {weight}</div>'
        text = _nothing(row) if row.dead else "".join(self._parts(shown, kept, ranks))
        line = "" if self.compact else headline.line(str(above))
        return f'<div class="r">{label}<div>{line}<div class="x">{text}</div></div></div>'

    def _parts(self, shown: ShownRow, kept: int, ranks: dict[int, Ranked]) -> Iterator[str]:
        row = shown.row
        likeliest = kept_likeliest(self.model, row, shown.places) if self.facts else {}
        signs = _signs(row, self.model.vocabulary.tokens if self.facts else ())
        drawn = iter(marks(self.model, row, kept, shown.places, ranks, likeliest, self.counted))
        for part in shown.parts:
            if part.shown != "shown":
                first = signs.get(part.start, ())
                yield from (sign for sign in first if not sign.startswith(SEAM))  # they end what is shown
                yield _gap(part, brief=self.compact and part is not shown.parts[0])
            if part.shown == "more":
                hidden = [sign for sign in first if sign.startswith(SEAM)]
                hidden += [sign for at in range(part.start + 1, part.end) for sign in signs.get(at, ())]
                yield from hidden[:HIDDEN_SIGNS]
            if part.shown == "shown":
                yield from self._tokens([next(drawn) for _ in range(len(part))], signs)
        yield from signs.get(len(row), ())

    def _tokens(self, drawn: Sequence[Mark], signs: dict[int, list[str]]) -> Iterator[str]:
        """Tokens that follow each other, with the signs before each."""
        if self.facts:
            for mark in drawn:
                yield from signs.get(mark.position, ())
                yield _token(mark)
            return
        begin = 0
        for n, mark in enumerate(drawn):
            if mark.position in signs:
                yield from outlined(drawn[begin:n], _names, _character)
                yield from signs[mark.position]
                begin = n
        yield from outlined(drawn[begin:], _names, _character)


def _token(mark: Mark) -> str:
    drawn = f' style="--d:{mark.drawn:.2f};--m:{mark.own:.2f}"' if mark.source in ("generated", "forced") else ""
    shown = "".join(map(_character, characters(mark.data))) or "∅"
    if mark.special or not mark.data:
        shown = f'<i class="e">{shown}</i>'
    return f'<span class="{_names(mark)}"{drawn} title="{_attribute(mark.facts)}">{shown}</span>'


def _names(mark: Mark) -> str:
    """The classes of a token's element."""
    return CLASSES[mark.source] + (" q" if mark.grafted_keys else " k" * mark.kept)


def _character(character: str) -> str:
    if character in INVISIBLE:
        return f'<i class="{INVISIBLE[character]}">{character}</i>'
    visible = seen(character)
    return markup(visible, quote=False) if visible == character else f'<i class="e">{visible}</i>'


def _gap(part: RowPart, brief: bool) -> str:
    """What stands in the place of tokens that are left out. brief: where another one says already what it means."""
    if brief and part.shown == "above":
        return f'<b class="y" title="as above" data-n="… {len(part):,} …"></b>'
    more = "more tokens" if part.shown == "more" else f"token{'s' * (len(part) > 1)} as above"
    return f'<b class="y" data-n="… {len(part):,} {more} …"></b>'


def _nothing(row: DrawnRow) -> str:
    """What stands in the place of a row without tokens: that it is dead, or the error that ended it."""
    error = getattr(row, "error", None)
    if error is None:
        return '<i class="e">dead</i>'
    text = f"{type(error).__name__}: {error}"
    text = text if len(text) <= ERROR_CHARACTERS else text[:ERROR_CHARACTERS] + "…"
    return f'<i class="e">failed</i> {_visible(text)}'


SEAM = '<b class="s"'


def _signs(row: DrawnRow, tokens: Sequence[bytes] = ()) -> dict[int, list[str]]:
    """Seams, stops and cuts, by the position before which they stand. tokens: those of the vocabulary, to name what was
    noted where stops were drawn."""
    signs: dict[int, list[str]] = {}
    for start, end, piece in row.shown:
        noted = dict(piece.alternatives) if tokens else {}
        if start or piece.kind == "generated":
            signs.setdefault(start, []).append(_seam(piece))
        for at, stop in piece.stops:
            likely = [LikelyFact(tokens[token], logprob, allowed) for token, logprob, allowed in noted.get(at, ())]
            signs.setdefault(start + at, []).append(_stop(stop, likely if start + at == end else ()))
        if piece.kind == "generated" and piece.stop is None:
            signs.setdefault(end, []).append(f'<b class="c" title="cut: {piece.finished or "sliced"}"></b>')
    return signs


def _seam(piece: DrawnPiece) -> str:
    title = " ".join(filter(None, [piece.kind, piece.generator, piece.name and repr(piece.name)]))
    if not piece.whole:
        title += f", tokens {piece.lo}:{piece.hi} of {piece.length}"
    name = f' data-n="{_visible(piece.name)}"' if piece.name and piece.kind == "generated" else ""
    return f'{SEAM}{name} title="{_attribute(title)}"></b>'


def _stop(stop: DrawnStop, likely: Sequence[LikelyFact] = ()) -> str:
    title = f"stop: model {percent(stop.logprob)}, drawn {percent(stop.proposal)}"
    title += f", {len(stop.dropped)} tokens dropped" if stop.dropped else ""
    title += f"\nlikeliest: {', '.join(map(str, likely))}" if likely else ""
    return f'<b class="z" title="{_attribute(title)}"></b>'


def _visible(name: str) -> str:
    return markup("".join(map(seen, name)))


def _attribute(text: str) -> str:
    """A text as the value of an attribute between double quotes."""
    return markup(text, quote=False).replace('"', "&quot;").replace("\n", "&#10;")
