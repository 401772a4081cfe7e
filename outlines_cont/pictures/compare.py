"""`compare`: two states row by row, where they part, and where they meet again; as a picture and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

import torch

from outlines_cont.arguments import brief, positive, shown
from outlines_cont.engines.protocol import LanguageModel, kept_logits
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.pictures.marks import marks, percentage, signed, whole
from outlines_cont.pictures.markup import attribute, cut, end_of, markup, readable, seen
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.protocol import DrawnRow, DrawnState
from outlines_cont.pictures.rows import FEW_TOKENS, note, signs_of, signs_within, token
from outlines_cont.pictures.style import framed
from outlines_cont.pictures.text import row_key, summary
from outlines_cont.prefixes import common_length

LEAST_MEETING = 3  # fewer equal tokens in the middle of two rows that differ are no meeting
MOST_PAIRS = 4_000_000  # of tokens of two rows: beyond, only their beginnings and their ends are compared
SHARED_SHOWN = 12  # tokens before the place where two rows part
SAME_SHOWN = 4  # tokens at either end of what is the same again
TEXT_SHOWN, LONGEST_LABEL = 72, 20  # characters: of a stretch, as text; of a name beside a row


class TokenThere(NamedTuple):
    """What one of two rows has at the place where they part.

    Attributes:
        token: its id; None where the row has ended.
        bytes: the token's.
        logprob: the model's own log-probability of it, or of the stop; None where nothing was drawn.
        proposal_logprob: that of the law drawn from.
        others_logprob: the model's own log-probability of the other row's token, if it was noted
            (`oc.Keep`), or if the logits are still in the KV tree; else None.
    """

    token: int | None
    bytes: bytes
    logprob: float | None
    proposal_logprob: float | None
    others_logprob: float | None


class Stretch(NamedTuple):
    """Tokens a.start … a.stop − 1 of one row and b.start … b.stop − 1 of the other: the same, or different ones."""

    same: bool
    a: range
    b: range


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Two rows of the same place.

    Attributes:
        rows: both.
        position: the first place where their tokens differ, or one has ended; None if all tokens are the same.
        there: what each has at that place; None if they do not part, or if a row is dead.
        stretches: what is the same and what is not, from the beginning to the end.
    """

    rows: tuple[DrawnRow, DrawnRow]
    position: int | None
    there: tuple[TokenThere, TokenThere] | None
    stretches: tuple[Stretch, ...]

    __repr__ = brief

    @property
    def weights(self) -> tuple[float, float]:
        """The weight of each."""
        return self.rows[0].weight, self.rows[1].weight

    @property
    def difference(self) -> float:
        """The weight of the first minus that of the second, in nats."""
        return 0.0 if self.weights[0] == self.weights[1] else self.weights[0] - self.weights[1]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two states side by side: see `compare`. A notebook shows it as a picture; `print` shows it as text.

    >>> compared = oc.compare(model.state(["The sky is blue", "Mira"]), model.state(["The sky is white", "Mira"]))
    >>> compared, compared.pairs[0][0].position
    (<Comparison of 2 pairs of rows: 1 differs>, 6)

    Attributes:
        a, b: the states.
        names: what they are called.
        pairs: B × S nested lists of what is compared at each place.
    """

    a: DrawnState
    b: DrawnState
    names: tuple[str, str]
    pairs: list[list[RowComparison]]

    @property
    def differ(self) -> list[list[int | None]]:
        """The first place where the rows differ: B × S nested lists, None where all tokens are the same.

        >>> oc.compare(model.state("The sky is blue"), model.state("The sky is white")).differ
        [[6]]
        """
        return [[pair.position for pair in pairs] for pairs in self.pairs]

    @property
    def differences(self) -> list[list[float]]:
        """The weights of `a` minus those of `b`, in nats: B × S nested lists.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=2)
        >>> oc.compare(state, state).differences
        [[0.0]]
        """
        return [[pair.difference for pair in pairs] for pairs in self.pairs]

    def html(self, rows: int = 8, tokens: int = 120) -> Picture:
        """What a notebook shows: for each pair of rows their numbers, the end of what they share, and then both sides,
        in which tokens that are the same in both are pale. `save` writes it to a file.

        rows: how many pairs are shown; tokens: how many of each side.

        >>> oc.compare(model.state("The sky is blue"), model.state("The sky is white")).html()
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        return _page(self, positive(rows, "rows"), positive(tokens, "tokens"))

    def _repr_html_(self) -> str:
        return self.html()

    def __str__(self) -> str:
        return "\n".join(line for place in self._places() for line in _text_lines(self, *place))

    def _places(self) -> Iterator[tuple[int, int, RowComparison]]:
        return ((b, s, pair) for b, pairs in enumerate(self.pairs) for s, pair in enumerate(pairs))

    def __repr__(self) -> str:
        places = [place for row in self.differ for place in row]
        parted = sum(place is not None for place in places)
        count = f"{len(places)} pair{'s' * (len(places) != 1)}"
        return f"<Comparison of {count} of rows: {parted} differ{'s' * (parted == 1)}>"


@explained
def compare(a: DrawnState, b: DrawnState, names: Sequence[str] = ("a", "b")) -> Comparison:
    """Two states side by side: where their rows part, how likely each side was there, and where they meet again.

    a, b: states with as many batch rows and samples; an axis of size 1 is compared with all of the other's. They may
    be of two models with the same vocabulary. names: what the two are called. The model does not run.

    Raises:
        BatchMismatch, SampleMismatch: they have not as many.
        ValueError: their vocabularies differ.

    >>> text = oc.continuous(oc.generate.text(model))
    >>> one, two = text("The sky is", max_tokens=6, seed=0), text("The sky is", max_tokens=6, seed=1)
    >>> print(oc.compare(one, two))
    [0, 0, :] ...
    """
    for name, state in (("a", a), ("b", b)):
        if not (hasattr(state, "rows") and hasattr(state, "model") and hasattr(state, "shape")):
            raise TypeError(f"compare(a, b): {name} must be a SequenceState, not {shown(state)}")
    names = tuple(names) if not isinstance(names, str) else ()
    if len(names) != 2 or not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
        raise ValueError(f"compare(names={shown(names)}): it must be two different names")
    if a.model is not b.model and a.model.vocabulary != b.model.vocabulary:
        raise ValueError(
            "compare(a, b): the states are of two models whose vocabularies differ, so that their tokens cannot be "
            "compared; a.model.state(list(b)) reads the texts of b anew"
        )
    batch = _common(a.shape[0], b.shape[0], "batch rows", BatchMismatch)
    samples = _common(a.shape[1], b.shape[1], "samples", SampleMismatch)
    models = a.model, b.model
    pairs = [[_pair(models, _at(a, i, s), _at(b, i, s)) for s in range(samples)] for i in range(batch)]
    return Comparison(a, b, ("".join(map(seen, names[0])), "".join(map(seen, names[1]))), pairs)


def _common(a: int, b: int, axis: str, error: type[Exception]) -> int:
    if a != b and 1 not in (a, b):
        raise error(f"compare(a, b): a has {a} {axis} and b has {b}; they must have as many, or one of them 1")
    return b if a == 1 else a


def _at(state: DrawnState, b: int, s: int) -> DrawnRow:
    rows = state.rows[b if len(state.rows) > 1 else 0]
    return rows[s if len(rows) > 1 else 0]


def _pair(models: tuple[LanguageModel, LanguageModel], a: DrawnRow, b: DrawnRow) -> RowComparison:
    stretches = tuple(_stretches(a.ids, b.ids))
    parting = next((each for each in stretches if not each.same), None)
    if parting is None and a.dead == b.dead:
        return RowComparison((a, b), None, None, stretches)
    at = 0 if parting is None else parting.a.start
    there = None if a.dead or b.dead else (_there(models[0], a, b, at), _there(models[1], b, a, at))
    return RowComparison((a, b), at, there, stretches)


def _there(model: LanguageModel, row: DrawnRow, other: DrawnRow, at: int) -> TokenThere:
    """What a row has at a place where another one of the same beginning has something else."""
    others = other.ids[at] if at < len(other) else None
    if at < len(row):
        token = row.ids[at]
        logprob = None if others is None else _logprob_of(model, row, at, others)
        return TokenThere(token, model.vocabulary.tokens[token], row.logprobs[at], row.proposals[at], logprob)
    pieces = list(row.shown)
    stop = pieces[-1][2].stop if pieces else None
    drawn = (None, None) if stop is None else (stop.logprob, stop.proposal)
    return TokenThere(None, b"", *drawn, None)


def _logprob_of(model: LanguageModel, row: DrawnRow, at: int, token: int) -> float | None:
    """The model's own log-probability of a token in the place of one that was drawn, if it is known without a pass: it
    was noted then, or the logits are still kept."""
    if row.logprobs[at] is None:
        return None
    candidates, alternatives = (row.noted(kind)[0][at] or () for kind in ("candidates", "alternatives"))
    noted = [*candidates, *alternatives]
    logprob = next((each[1] for each in noted if each[0] == token), None)
    if logprob is not None or not 0 < at < row.exact_length:
        return logprob
    kept = kept_logits(model, row, [at - 1])
    return float(torch.log_softmax(kept[at - 1].float(), -1)[token]) if kept else None


def _stretches(a: tuple[int, ...], b: tuple[int, ...]) -> Iterator[Stretch]:
    """The longest common beginning, then what differs, with the equal stretches in it, and the longest common end."""
    begin = common_length(a, b)
    end = common_length(a[begin:][::-1], b[begin:][::-1])
    if begin:
        yield Stretch(True, range(begin), range(begin))
    at_a = at_b = begin
    for i, j, count in [*_meetings(a, b, begin, end), (len(a) - end, len(b) - end, end)]:
        if i > at_a or j > at_b:
            yield Stretch(False, range(at_a, i), range(at_b, j))
        if count:
            yield Stretch(True, range(i, i + count), range(j, j + count))
        at_a, at_b = i + count, j + count


def _meetings(a: tuple[int, ...], b: tuple[int, ...], begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Stretches of equal tokens between the beginning and the end: where they begin in each, and their lengths."""
    middle_a, middle_b = a[begin : len(a) - end], b[begin : len(b) - end]
    if len(middle_a) * len(middle_b) > MOST_PAIRS:
        return
    for i, j, count in SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_matching_blocks():
        if count >= LEAST_MEETING:
            yield begin + i, begin + j, count


# ---------------------------------------------------------------------------------------------------- as a picture


def _page(compared: Comparison, rows: int, tokens: int) -> Picture:
    """See `Comparison.html`."""
    places = list(compared._places())
    states = zip(compared.names, (compared.a, compared.b), strict=True)
    body = "".join(f'<div class="o">{attribute(f"{name}: {summary(state, None)}")}</div>' for name, state in states)
    body += "".join(_pair_shown(compared, *place, tokens) for place in places[:rows])
    if (more := len(places) - rows) > 0:
        body += f'<div class="o">… and {more:,} more pair{"s" * (more > 1)}: html(rows={len(places)})</div>'
    return Picture(framed(body))


def _pair_shown(compared: Comparison, b: int, s: int, pair: RowComparison, tokens: int) -> str:
    models = compared.a.model, compared.b.model
    sides = [_Side(model, row, model.kv_lengths([row])[0]) for model, row in zip(models, pair.rows, strict=True)]
    drawn = f'<div class="o">{row_key(b, s)} {markup(sentence(pair))}</div>{_numbers(compared, pair)}'
    if pair.stretches and pair.stretches[0].same:  # the end of what both begin with
        shared = pair.stretches[0].a
        ends = signs_of(pair.rows[0]).get(shared.stop, ()) if pair.position is None else ()
        drawn += _row("both", [*sides[0].written(shared, 0, SHARED_SHOWN, "tokens in both"), *ends])
    if pair.position is not None:
        rows = (_row(name, sides[i].parted(pair, i, tokens)) for i, name in enumerate(compared.names))
        drawn += f'<div class="two">{"".join(rows)}</div>'
    return f'<div class="pair">{drawn}</div>'


def _row(name: str, body: Iterable[str]) -> str:
    return f'<div class="r"><div>{markup(cut(name, LONGEST_LABEL))}</div><div class="x">{"".join(body)}</div></div>'


class _Side(NamedTuple):
    """A row, of which the tree holds the first `kept` tokens."""

    model: LanguageModel
    row: DrawnRow
    kept: int

    def parted(self, pair: RowComparison, side: int, tokens: int) -> Iterator[str]:
        """The HTML of the row from the place on where it parts from the other."""
        if self.row.dead:
            yield '<i class="e">dead</i>'
            return
        budget, begin = tokens, 0
        for stretch in pair.stretches:
            places = (stretch.a, stretch.b)[side]
            if stretch.same and not stretch.a.start and not stretch.b.start:  # what both begin with
                begin = places.stop
            elif stretch.same:
                yield from self.written(places, SAME_SHOWN, SAME_SHOWN, "tokens in both", " same")
            else:
                yield from self.written(places, (budget + 1) // 2, (budget + 1) // 2, "more tokens")
                budget = max(budget - len(places), FEW_TOKENS)
        if begin == len(self.row):
            yield '<i class="e">end</i>'
        yield from signs_of(self.row).get(len(self.row), ())

    def written(self, places: range, head: int, tail: int, skipped: str, names: str = "") -> Iterator[str]:
        """Tokens, each with the signs before it; of many so many at the beginning and the end. names: more classes."""
        signs = signs_of(self.row)
        left_out = places[head : len(places) - tail] if len(places) >= head + tail + FEW_TOKENS else places[:0]
        drawn = marks(self.model, self.row, self.kept, [at for at in places if at not in left_out])
        for mark in whole(drawn, signs):
            if left_out and mark.position == left_out.stop:
                yield note(f"… {len(left_out):,} {skipped} …")
                yield from signs_within(signs, left_out.start, left_out.stop)
            yield from signs.get(mark.position, ())
            yield token(mark, names)


def _numbers(compared: Comparison, pair: RowComparison) -> str:
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
    body = "".join("<tr>" + "".join(f"<td>{attribute(cell)}</td>" for cell in cells) + "</tr>" for cells in lines)
    head = "".join(f"<th>{markup(title)}</th>" for title in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _spelled(compared: Comparison, there: TokenThere) -> str:
    if there.token is None:
        return "the stop" if there.logprob is not None else "the end"
    return f"'{readable(compared.a.model.vocabulary.tokens[there.token])}'"


def sentence(pair: RowComparison) -> str:
    """Where two rows part, and where they meet again."""
    a, b = pair.rows
    if a.dead and b.dead:
        return "both are dead"
    if a.dead or b.dead:
        return "one of them is dead"
    if pair.position is None:
        return f"the same {len(a):,} token{'s' * (len(a) != 1)}"
    text = f"the first {pair.position:,} token{' is' if pair.position == 1 else 's are'} the same"
    text = text if pair.position else "they part at the beginning"
    again = [each for each in pair.stretches if each.same and (each.a.start or each.b.start)]
    if again:
        count = sum(len(stretch.a) for stretch in again)
        places = f"from tokens {again[0].a.start:,} and {again[0].b.start:,} on"
        text += f"; they meet again {places} ({count:,} token{'s' * (count > 1)} in common)"
    return text


def _text_lines(compared: Comparison, b: int, s: int, pair: RowComparison) -> Iterator[str]:
    difference = f"{' − '.join(compared.names)} = {signed(pair.difference, plus=True)}"
    yield f"{row_key(b, s)} {sentence(pair)}; {difference}"
    width = max(len(name) for name in (*compared.names, "both"))
    for i, name in enumerate(compared.names):
        row, there = pair.rows[i], pair.there and pair.there[i]
        ended = row.finished or "not finished"
        line = f"    {name:<{width}}  weight {signed(row.weight)}, {len(row):,} token{'s' * (len(row) != 1)}, {ended}"
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


def _quoted(compared: Comparison, row: DrawnRow, places: range, end: bool = False) -> str:
    """The text of some tokens on one line, shortened. end: only its end is shown."""
    tokens = compared.a.model.vocabulary.tokens
    text = readable(b"".join(tokens[row.ids[at]] for at in places))
    if len(text) > TEXT_SHOWN:
        half = TEXT_SHOWN // 2
        text = end_of(text, TEXT_SHOWN) if end else f"{text[:half]} … {text[-half:]}"
    return f"'{text}'" if len(places) else "(nothing)"


def share(logprob: float | None) -> str:
    """A log-probability as a percentage; "—" where it is not known."""
    return "—" if logprob is None or logprob != logprob else percentage(logprob)
