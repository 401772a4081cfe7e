"""A comparison of two states as HTML, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from outlines_cont.display.legend import legend
from outlines_cont.display.marks import FEW_TOKENS, marks, percentage
from outlines_cont.display.page import HIDDEN_SIGNS, _attribute, _signs, _token
from outlines_cont.display.protocol import DrawnRow, DrawnState
from outlines_cont.display.style import STYLE
from outlines_cont.display.text import row_key, summary
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import Picture, markup, readable

SHARED_SHOWN = 12  # tokens before the place where two rows part
SAME_SHOWN = 4  # tokens at either end of what is the same again
TEXT_SHOWN = 72  # characters of a stretch, as text

SHEET = """
.oc .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27em),1fr));gap:0 2em;align-items:start}
.oc .same{opacity:.5}
.oc .nums{border-collapse:collapse;table-layout:auto;margin:.2em 0 .4em;font-variant-numeric:tabular-nums}
.oc .nums td,.oc .nums th{padding:.1em 1.1em .1em 0;border:0;text-align:left;font-weight:400;background:none}
.oc .nums th{opacity:.75}
.oc .nums{font-size:13px}
.oc .pair{margin:1em 0 1.4em}
.oc .pair .o{white-space:normal}
"""
PALE = '<div><i><span class="same">pale</span></i><i>the same in both rows</i></div>'


class _Compared(Protocol):
    """Two rows: see `RowComparison`."""

    @property
    def rows(self) -> tuple[DrawnRow, DrawnRow]: ...
    @property
    def position(self) -> int | None: ...
    @property
    def there(self) -> Any: ...
    @property
    def stretches(self) -> Sequence[Any]: ...
    @property
    def weights(self) -> tuple[float, float]: ...
    @property
    def difference(self) -> float: ...


class _ComparedStates(Protocol):
    """Two states: see `Comparison`."""

    @property
    def a(self) -> DrawnState: ...
    @property
    def b(self) -> DrawnState: ...
    @property
    def names(self) -> tuple[str, str]: ...
    @property
    def pairs(self) -> Sequence[Sequence[Any]]: ...


def comparison_page(compared: _ComparedStates, rows: int, tokens: int) -> Picture:
    """See `Comparison.html`."""
    places = _places(compared)
    body = "".join(_pair(compared, *place, tokens) for place in places[:rows])
    if (more := len(places) - rows) > 0:
        body += f'<div class="o">… and {more:,} more pair{"s" * (more > 1)}: html(rows={len(places)})</div>'
    states = zip(compared.names, (compared.a, compared.b), strict=True)
    head = "".join(f'<div class="o">{_shown(name)}: {markup(summary(state, None))}</div>' for name, state in states)
    signs = legend(body).removesuffix("</div>") + PALE * ('class="same ' in body) + "</div>"
    return Picture(f'<div class="oc"><style>{STYLE}{SHEET}</style>{head}{body}{signs}</div>')


def _places(compared: _ComparedStates) -> list[tuple[int, int, _Compared]]:
    return [(b, s, pair) for b, pairs in enumerate(compared.pairs) for s, pair in enumerate(pairs)]


def _pair(compared: _ComparedStates, b: int, s: int, pair: _Compared, tokens: int) -> str:
    models = compared.a.model, compared.b.model
    kept = [model.kv_lengths([row])[0] for model, row in zip(models, pair.rows, strict=True)]
    sides = list(zip(models, pair.rows, kept, strict=True))
    shared = pair.stretches[0] if pair.stretches and pair.stretches[0].same else None
    both = _row("both", _both(*sides[0], shared.a, pair.position is None)) if shared else ""
    columns = ""
    if pair.position is not None:
        for i, name in enumerate(compared.names):
            columns += _row(name, "".join(_side(*sides[i], pair, i, tokens)))
        columns = f'<div class="two">{columns}</div>'
    title = f'<div class="o">{row_key(b, s)} {markup(sentence(pair))}</div>'
    return f'<div class="pair">{title}{_numbers(compared, pair)}{both}{columns}</div>'


def _row(name: str, body: str) -> str:
    return f'<div class="r"><div>{_shown(name)}</div><div class="x">{body}</div></div>'


def _both(model: LanguageModel, row: DrawnRow, kept: int, shared: range, whole: bool) -> str:
    """The end of what two rows share, with the signs before it; the signs at the end, if the rows end there."""
    first = len(shared) - SHARED_SHOWN if len(shared) >= SHARED_SHOWN + FEW_TOKENS else 0
    note = _note(f"… {first:,} tokens in both …") if first else ""
    parts = [note, *_written(model, row, kept, range(first, len(shared)), "")]
    return "".join([*parts, *(_signs(row).get(len(shared), ()) if whole else ())])


def _side(model: LanguageModel, row: DrawnRow, kept: int, pair: _Compared, side: int, tokens: int) -> Iterator[str]:
    """One row from the place on where it parts from the other."""
    if row.dead:
        yield '<i class="e">dead</i>'
        return
    budget, signs = tokens, _signs(row)
    begin = 0
    for stretch in pair.stretches:
        places = (stretch.a, stretch.b)[side]
        if stretch.same and not stretch.a.start and not stretch.b.start:  # what both begin with
            begin = places.stop
            continue
        ends = SAME_SHOWN if stretch.same else (budget + 1) // 2
        cut = len(places) >= 2 * ends + FEW_TOKENS
        head = places[:ends] if cut else places
        yield from _written(model, row, kept, head, " same" * stretch.same)
        if cut:
            tail = places[len(places) - ends :]
            skipped = f"{len(places) - 2 * ends:,} {'tokens in both' if stretch.same else 'more tokens'}"
            yield _note(f"… {skipped} …")
            hidden = [sign for at in range(head.stop, tail.start) for sign in signs.get(at, ())]
            yield from hidden[:HIDDEN_SIGNS]
            yield from _written(model, row, kept, tail, " same" * stretch.same)
        budget = max(budget - len(places) * (not stretch.same), FEW_TOKENS)
    if begin == len(row):
        yield '<i class="e">end</i>'
    yield from signs.get(len(row), ())


def _written(model: LanguageModel, row: DrawnRow, kept: int, places: range, names: str) -> Iterator[str]:
    """Tokens, each with the signs before it. names: more classes."""
    signs = _signs(row)
    for mark in marks(model, row, kept, places):
        yield from signs.get(mark.position, ())
        _, classes, others = _token(mark).split('"', 2)
        yield f'<span class="{classes}{names}"{others}'


def _note(text: str) -> str:
    return f'<b class="y" data-n="{text}"></b>'


def _numbers(compared: _ComparedStates, pair: _Compared) -> str:
    """A table: the weight of each row, and its token at the place where they part."""
    heads = ["", "weight", "tokens", "ended"]
    if pair.there:
        heads += [f"token {pair.position}", "model", "drawn"]
        heads += ["other's token"] * any(each.others_logprob is not None for each in pair.there)
    lines = []
    for i, name in enumerate(compared.names):
        row = pair.rows[i]
        cells = [name, signed(row.weight), f"{len(row):,}", row.finished or "—"]
        if pair.there:
            there = pair.there[i]
            cells += [_spelled(compared, there), share(there.logprob), share(there.proposal_logprob)]
            cells += [share(there.others_logprob)] * (len(heads) == 8)
        lines.append(cells)
    lines.append([" − ".join(compared.names), signed(pair.difference, plus=True)])
    body = "".join("<tr>" + "".join(f"<td>{_shown(cell)}</td>" for cell in cells) + "</tr>" for cells in lines)
    head = "".join(f"<th>{markup(title)}</th>" for title in heads)
    return f'<table class="nums"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _spelled(compared: _ComparedStates, there: Any) -> str:
    if there.token is None:
        return "the stop" if there.logprob is not None else "the end"
    return f"'{readable(compared.a.model.vocabulary.tokens[there.token])}'"


def sentence(pair: _Compared) -> str:
    """Where two rows part, and where they meet again."""
    a, b = pair.rows
    if a.dead and b.dead:
        return "both are dead"
    if a.dead or b.dead:
        return "one of them is dead"
    if pair.position is None:
        return f"the same {len(a):,} tokens"
    text = f"the first {pair.position:,} tokens are the same" if pair.position else "they part at the beginning"
    again = [each for each in pair.stretches if each.same and (each.a.start or each.b.start)]
    if again:
        count = sum(len(stretch.a) for stretch in again)
        places = f"from tokens {again[0].a.start:,} and {again[0].b.start:,} on"
        text += f"; they meet again {places} ({count:,} token{'s' * (count > 1)} in common)"
    return text


def comparison_text(compared: _ComparedStates) -> str:
    """See `Comparison`: every pair in a few lines."""
    return "\n".join(line for place in _places(compared) for line in _text_lines(compared, *place))


def _text_lines(compared: _ComparedStates, b: int, s: int, pair: _Compared) -> Iterator[str]:
    difference = f"{' − '.join(compared.names)} = {signed(pair.difference, plus=True)}"
    yield f"{row_key(b, s)} {sentence(pair)}; {difference}"
    width = max(len(name) for name in (*compared.names, "both"))
    for i, name in enumerate(compared.names):
        row, there = pair.rows[i], pair.there and pair.there[i]
        line = (
            f"    {name:<{width}}  weight {signed(row.weight)}, {len(row):,} tokens, {row.finished or 'not finished'}"
        )
        if there:
            line += f"; {_spelled(compared, there)}"
            if there.logprob is not None:
                line += f" model {share(there.logprob)}, drawn {share(there.proposal_logprob)}"
            if there.others_logprob is not None:
                line += f", the other's token {share(there.others_logprob)}"
        yield line
    for stretch in pair.stretches:
        if stretch.same:
            yield f"    {'both':<{width}}  {_quoted(compared, pair.rows[0], stretch.a, stretch.a.start == 0)}"
            continue
        for name, row, places in zip(compared.names, pair.rows, (stretch.a, stretch.b), strict=True):
            yield f"  {'-+'[name == compared.names[1]]} {name:<{width}}  {_quoted(compared, row, places)}"


def _quoted(compared: _ComparedStates, row: DrawnRow, places: range, end: bool = False) -> str:
    """The text of some tokens on one line, shortened. end: only its end is shown."""
    tokens = compared.a.model.vocabulary.tokens
    text = readable(b"".join(tokens[row.ids[at]] for at in places))
    if len(text) > TEXT_SHOWN:
        half = TEXT_SHOWN // 2
        text = f"…{text[1 - TEXT_SHOWN :]}" if end else f"{text[:half]} … {text[-half:]}"
    return f"'{text}'" if len(places) else "(nothing)"


def signed(value: float, plus: bool = False) -> str:
    """A number with a minus sign that can be seen."""
    return format(value, "+.2f" if plus else ".2f").replace("-", "−")


def share(logprob: float | None) -> str:
    """A log-probability as a percentage; "—" where it is not known."""
    return "—" if logprob is None or logprob != logprob else percentage(logprob)


def _shown(text: str) -> str:
    return _attribute(text)
