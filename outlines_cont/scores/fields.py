"""`state.captures.fields()`: the values inside the JSON that spans hold, each with its tokens and how likely it was."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, fsum, inf
from typing import TYPE_CHECKING, Any, NamedTuple

from outlines_cont.arguments import is_number, positive, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.partial_json import NOTHING, Partial, partial
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.masses import Masses, MassRules
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.scores.best_first import AT_ONCE, search_together
from outlines_cont.scores.closed_fields import FieldGuide, FieldPosterior, FieldSearch
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece, total

if TYPE_CHECKING:
    from outlines_cont.pictures.picture import Picture

# --- where the values of a JSON text stand in it


class JsonPlace(NamedTuple):
    """Bytes begin … end − 1 of a JSON text, which write one value. whole: whether they are all of it."""

    begin: int
    end: int
    whole: bool


_PART = re.compile(rb'(?P<text>"(?:[^"\\]++|\\.)*+(?:(?P<close>")|\\?\Z))|[^\s\[\]{}:,"]++|[\[\]{}:,]', re.S)
_WORDS = (b"true", b"false", b"null")  # which end by themselves; a number ends where something else follows
KINDS = {b"{": "object", b"[": "array", b'"': "string", b"t": "boolean", b"f": "boolean", b"n": "null"}
SHOWN = 8  # alternatives in a tooltip
LOGITS_AT_ONCE = 1 << 26  # in float32 these take a quarter of a GiB


def json_places(data: bytes, ended: bool = True) -> dict[str, JsonPlace]:
    """The place of each value of a JSON text, or of the beginning of one, by its JSON pointer; outer values come first.

    Of equal keys the last counts. A value is there as soon as `partial` knows it. ended: whether the text goes no
    further, so that a number at its end is whole. ValueError if no JSON text begins so.
    """
    Partial().feed(data)
    placed: dict[str, JsonPlace] = {}
    inside = [_OpenPlace(None, 0)]
    for part in _PART.finditer(data):
        last, sign = inside[-1], part[0]
        if sign in (b"]", b"}"):
            closed = inside.pop()
            placed[closed.path or ""] = JsonPlace(closed.begin, part.end(), True)
        elif sign == b",":
            last.step = last.step + 1 if isinstance(last.step, int) else None
        elif last.step is None and sign != b":":
            last.step = json.loads(sign) if part["close"] else ""
        elif sign != b":":
            _place(placed, last.inner, part, ended)
            if sign in (b"[", b"{"):
                inside.append(_OpenPlace(last.inner, part.start(), None if sign == b"{" else 0))
    return placed


def _place(placed: dict[str, JsonPlace], path: str, part: re.Match[bytes], ended: bool) -> None:
    """Note the place of a value that begins, if it is there: that of an array or object as if it had no end."""
    if path in placed:  # an equal key stood before
        for at in [at for at in placed if f"{at}/".startswith(f"{path}/")]:
            del placed[at]
    begin, end, size = *part.span(), len(part.string)
    if part[0] in (b"[", b"{"):
        placed[path] = JsonPlace(begin, size, False)
    elif part["text"]:
        placed[path] = JsonPlace(begin, end, part["close"] is not None)
    elif partial(part[0]) is not NOTHING:
        placed[path] = JsonPlace(begin, end, ended or part[0] in _WORDS or end < size)


@dataclass(slots=True)
class _OpenPlace:
    """An array or object that is not closed yet; without a path, what stands around the whole text. step: the number or
    the name of its next value; None: there is no name yet."""

    path: str | None
    begin: int
    step: int | str | None = 0

    @property
    def inner(self) -> str:
        """The path of its next value."""
        return "" if self.path is None else f"{self.path}/{str(self.step).replace('~', '~0').replace('/', '~1')}"


# --- fields: these values, with the tokens that wrote them


@dataclass(frozen=True, slots=True)
class Field:
    """One value inside a JSON text that a model wrote: a string, a number, a whole object.

    A token writes the field if one of the field's bytes is one of its own. Quotes are bytes of the field; commas,
    colons, names and spaces outside of it are not, nor is the byte that ends a number.

    Attributes:
        path: its JSON pointer, "/address/city"; "" is the whole value.
        kind: "string", "number", "boolean", "null", "object" or "array".
        bytes: what was written of it.
        begin: where its first byte stands in the text of the span.
        whole: whether that is all of it. A number is whole where something follows it, or where the span has ended.
        positions: where the tokens that write it stand in the row, ascending. Tokens of which the constraint was not
            told (`oc.steer.Insert`) write nothing.
        straddling: those of them that write other bytes, too: a border of the field lies inside. Such a token counts
            for every field of which it writes a byte.
        given: those of them that were not drawn. They count 0.
        logprob: the sum of the model's own log-probabilities of its tokens.
        posterior: after `Fields.posteriors()`, which values the model would have written; None of an open field.
        proposal_logprob: the sum of their log-probabilities under the law that was drawn from, so that what the
            constraint forced counts 0: how sure the field is, given the form of the text.

    >>> schema = {"properties": {"age": {"type": "integer"}}, "required": ["age"]}
    >>> record = oc.continuous(oc.generate.json(model, schema, oc.samplers.greedy()), name="record")
    >>> state = record("Mira is 34 years old.\\nJSON with age: ")
    >>> age = state.captures.fields("record").one["/age"]
    >>> age.text, age.value, age.straddling, round(age.proposal_logprob, 2)
    ('34', 34, (), -0.08)
    """

    path: str
    kind: str
    bytes: bytes
    begin: int
    whole: bool
    positions: tuple[int, ...]
    straddling: tuple[int, ...]
    given: tuple[int, ...]
    logprob: float
    proposal_logprob: float
    posterior: FieldPosterior | None = None

    @property
    def probability(self) -> tuple[float, float] | None:
        """Between which bounds the posterior probability of what was written lies; None without a posterior."""
        if self.posterior is None:
            return None
        return self.posterior.alternatives.get(self.text, (0.0, self.posterior.open))

    @property
    def text(self) -> str:
        """What was written of it; `\ufffd` where a character is cut."""
        return self.bytes.decode("utf-8", "replace")

    @property
    def value(self) -> Any:
        """What the text says: a str, a number, a bool, None, a list or a dict; of an unfinished one what is there."""
        return partial(self.bytes)

    @property
    def leaf(self) -> bool:
        """Whether no other field lies inside it. Each byte of a value is written by one leaf, or is punctuation."""
        return self.kind not in ("object", "array") or not self.value


@dataclass(frozen=True, eq=False)
class WrittenJson:
    """What a span has written, as far as its constraint held, without what that was not told of.

    Attributes:
        row, start, piece: the span and the place of its first token.
        tokens: (position in the row, begin, end) of the tokens that write it; what was healed lies before 0.
        data: the text.
        context: the guide and its state before each token of the span; None where that is not known.
    """

    row: Row
    start: int
    piece: Piece
    vocabulary: Vocabulary

    @cached_property
    def tokens(self) -> list[tuple[int, int, int]]:
        piece, vocabulary = self.piece, self.vocabulary
        at, unfed, tokens = -len(piece.origin.healed), set(piece.unfed), []
        for place, token in enumerate(self.ids[: piece.origin.freed]):
            if place not in unfed and token not in vocabulary.special and (data := vocabulary.tokens[token]):
                tokens.append((self.start + place, at, at + len(data)))
                at += len(data)
        return tokens

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens of the span."""
        return self.row.ids[self.start : self.start + self.piece.hi - self.piece.lo]

    @cached_property
    def data(self) -> bytes:
        told = b"".join(self.vocabulary.tokens[self.row.ids[at]] for at, _, _ in self.tokens)
        return told[len(self.piece.origin.healed) :]

    @cached_property
    def contexts(self) -> list[tuple[FullGuide, GuideState] | None]:
        return list(self.piece.contexts(self.ids))

    @property
    def fields(self) -> dict[str, Field]:
        """The fields by their paths. ValueError if the text begins no JSON."""
        places = json_places(self.data, self.piece.finished == "stop")
        return {path: self._field(path, place) for path, place in places.items()}

    def _field(self, path: str, place: JsonPlace) -> Field:
        row, (begin, end, whole) = self.row, place
        first = bisect_left(self.tokens, begin + 1, key=lambda token: token[2])
        tokens = self.tokens[first : bisect_left(self.tokens, end, key=lambda token: token[1])]
        positions = tuple(at for at, _, _ in tokens)
        return Field(
            path=path,
            kind=KINDS.get(self.data[begin : begin + 1], "number"),
            bytes=self.data[begin:end],
            begin=begin,
            whole=whole,
            positions=positions,
            straddling=tuple(at for at, first, last in tokens if first < begin or last > end),
            given=tuple(at for at in positions if row.logprobs[at] is None),
            logprob=total(row.logprobs[at] or 0.0 for at in positions),
            proposal_logprob=total(row.proposals[at] or 0.0 for at in positions),
        )

    def search(self, field: Field, model: LanguageModel) -> FieldSearch | None:
        """A search of the values that a field might have had, if it is closed."""
        first = field.positions[0]
        context, constraint = self.contexts[first - self.start], self.piece.origin.constraint
        if not (field.leaf and field.whole and context and constraint):
            return None
        begin = next(begin for at, begin, _ in self.tokens if at == first)
        before = self.vocabulary.tokens[self.row.ids[first]][: max(field.begin - begin, 0)]
        guide = FieldGuide(*context, before, self.vocabulary)
        if not guide.closed():
            return None
        rules = MassRules(guide, at_eos=constraint.stops_at_eos(context[0]))
        return FieldSearch(Masses(model, self.row.ids[:first], rules), before)


class Fields(ProcessBoundValue, Sequence[list[list[dict[str, Field]]]]):
    """The fields of the JSON in spans of a state, as `state.captures.fields(name)` gives them.

    A sequence of B batch rows, each a list of S samples. Each sample is a list with one dict for each span, in order,
    from JSON pointers to fields, outer ones first.

    >>> schema = {"properties": {"job": {"enum": ["painter", "baker"]}}, "required": ["job"]}
    >>> record = oc.continuous(oc.generate.json(model, schema, oc.samplers.greedy()), name="record")
    >>> state = record(["Mira is a painter.\\nJSON with job: ", "Tom is a baker.\\nJSON with job: "])
    >>> fields = state.captures.fields("record")
    >>> fields, [[[span["/job"].text for span in spans] for spans in samples] for samples in fields]
    (Fields(2 × 1 rows, 2 spans, 4 fields), [[['"painter"']], [['"baker"']]])
    """

    _instead = "send fields.to_pandas()"

    def __init__(self, model: LanguageModel, spans: list[list[list[tuple[WrittenJson, dict[str, Field]]]]]):
        self._model, self._spans = model, spans

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            raise TypeError(
                f"{self!r}[{key!r}]: they are B × S lists of spans; write fields.one[{key!r}], or fields[b][s][n]"
            )
        grid = [[[fields for _, fields in spans] for spans in samples] for samples in self._spans]
        return grid[key]

    def __len__(self) -> int:
        return len(self._spans)

    def _placed(self) -> Iterator[tuple[int, int, int, WrittenJson, dict[str, Field]]]:
        """Each span with its batch row, its sample, and its number in the row."""
        for b, samples in enumerate(self._spans):
            for s, spans in enumerate(samples):
                yield from ((b, s, n, *span) for n, span in enumerate(spans))

    @property
    def one(self) -> dict[str, Field]:
        """The fields of the only span. ValueError if there is none, or if there are several.

        >>> digit = oc.continuous(oc.generate.regex(model, "[0-9]", oc.samplers.greedy()), name="digit")
        >>> digit("One and one is ").captures.fields("digit").one[""].kind
        'number'
        """
        each = [fields for *_, fields in self._placed()]
        if len(each) != 1:
            raise ValueError(f"{self!r} are those of {len(each)} spans, not of one: fields[b][s] lists those of a row")
        return each[0]

    def posteriors(self, width: float = 0.01, positions: int = 4096) -> Fields:
        """The fields again, closed ones with their posteriors: which values the model would have written there.

        A field is closed if the constraint left at most about four million values for it, of at most 64 bytes: `enum`,
        `const`, booleans, bounded integers, dates. It must be whole, and hold no other field. The bounds are about the
        logits that were read first: `drift` says by how much these move.

        Args:
            width: it is read until at most this share of the probability is open, 0 to 1.
            positions: the most prefixes that are read for a field; each costs one position of the model.

        Raises:
            TypeError: anything but numbers.
            ValueError: a width beyond 0 … 1, or less than one position.

        >>> schema = {"properties": {"job": {"enum": ["painter", "baker"]}}, "required": ["job"]}
        >>> record = oc.continuous(oc.generate.json(model, schema, oc.samplers.greedy()), name="record")
        >>> fields = record("Mira is a painter.\\nJSON with job: ").captures.fields("record").posteriors()
        >>> [job, *_] = fields.one["/job"].posterior.alternatives.items()
        >>> job[0], [round(bound, 2) for bound in job[1]]
        ('"painter"', [0.99, 1.0])
        """
        if not is_number(width) or not 0 <= width <= 1:
            raise (ValueError if is_number(width) else TypeError)(f"width={shown(width)}: it is a share, 0 to 1")
        positions = positive(positions, "positions")
        asked = [(written, field) for *_, written, fields in self._placed() for field in fields.values()]
        each = ((id(field), written.search(field, self._model)) for written, field in asked)
        closed = [(key, search) for key, search in each if search is not None]
        together, by_field = max(LOGITS_AT_ONCE // AT_ONCE // len(self._model.vocabulary), 1), {}
        for begin in range(0, len(closed), together):
            part = dict(closed[begin : begin + together])
            search_together([*part.values()], width, positions, inf)
            by_field |= {key: search.posterior for key, search in part.items()}

        def with_posteriors(fields: dict[str, Field]) -> dict[str, Field]:
            return {path: replace(field, posterior=by_field.get(id(field))) for path, field in fields.items()}

        return Fields(
            self._model,
            [[[(w, with_posteriors(each)) for w, each in spans] for spans in samples] for samples in self._spans],
        )

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one line for each field, outer ones included. ImportError without pandas.

        Columns: `batch`, `sample`, `span` (its number in the row); `path`, `kind`, `text`, `whole`, `logprob` and
        `proposal_logprob` of the field; `tokens`, `straddling` and `given`, how many there are; `lower` and `upper`,
        the bounds of its posterior probability, None without one.

        >>> digit = oc.continuous(oc.generate.regex(model, "[0-9]", oc.samplers.greedy()), name="digit")
        >>> frame = digit("One and one is ").captures.fields("digit").to_pandas()
        >>> frame[["batch", "path", "kind", "tokens"]].values.tolist()
        [[0, '', 'number', 1]]
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("fields.to_pandas() needs pandas: pip install pandas") from error
        columns = ("batch", "sample", "span", "path", "kind", "text", "whole", "logprob", "proposal_logprob")
        columns += ("tokens", "straddling", "given", "lower", "upper")
        lines = [
            (
                *(b, s, n, field.path, field.kind, field.text, field.whole, field.logprob, field.proposal_logprob),
                *(len(field.positions), len(field.straddling), len(field.given)),
                *(field.probability or (None, None)),
            )
            for b, s, n, _, fields in self._placed()
            for field in fields.values()
        ]
        return pandas.DataFrame(lines, columns=list(columns))

    def html(self, rows: int = 8) -> Picture:
        """The JSON of each span as a picture, coloured by doubt; a field's tooltip has its numbers and alternatives.

        Doubt is 1 − the probability: the lower bound of the posterior, if there is one, else that of the tokens as they
        were drawn.

        rows: how many spans are shown.

        >>> digit = oc.continuous(oc.generate.regex(model, "[0-9]", oc.samplers.greedy()), name="digit")
        >>> digit("One and one is ").captures.fields("digit").html()
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.pictures.picture import Picture
        from outlines_cont.pictures.style import framed
        from outlines_cont.pictures.text import row_key

        each, body = list(self._placed()), ""
        for b, s, _, written, fields in each[: positive(rows, "rows")]:
            body += (
                f'<div class="r"><div>{row_key(b, s)}</div><div class="x">{_drawn(written.data, fields)}</div></div>'
            )
        if len(each) > rows:
            body += f'<div class="o">… and {len(each) - rows:,} more: fields.html(rows={len(each)})</div>'
        return Picture(framed(body))

    _repr_html_ = html

    def __repr__(self) -> str:
        each = [fields for *_, fields in self._placed()]
        samples = max(map(len, self._spans), default=0)
        return f"Fields({len(self)} × {samples} rows, {len(each)} spans, {sum(map(len, each))} fields)"


def _drawn(data: bytes, fields: dict[str, Field]) -> str:
    """The markup of a JSON text, each field that holds no other one in its colour."""
    from outlines_cont.pictures.markup import attribute, markup, readable

    drawn, at = "", 0
    for field in fields.values():
        if not field.leaf:
            continue
        drawn += markup(readable(data[at : field.begin]))
        sure = field.probability[0] if field.probability else exp(min(field.proposal_logprob, 0.0))
        shade = f' class="d" style="--d:{1 - sure:.2f}"' if sure == sure else ""
        drawn += f'<span{shade} title="{attribute(_facts(field))}">{markup(readable(field.bytes))}</span>'
        at = field.begin + len(field.bytes)
    return drawn + markup(readable(data[at:]))


def _facts(field: Field) -> str:
    """What a tooltip tells of a field."""
    from outlines_cont.pictures.marks import percent
    from outlines_cont.pictures.markup import cut

    lines = [f"{field.path or '(the whole value)'}: {field.kind}" + ", not whole" * (not field.whole)]
    lines.append(f"model {percent(field.logprob)}, drawn {percent(field.proposal_logprob)}")
    token = "token" + "s" * (len(field.positions) != 1)
    counts = {token: field.positions, "across its borders": field.straddling, "given": field.given}
    lines.append(", ".join(f"{len(each)} {name}" for name, each in counts.items() if each))
    if field.posterior:
        alternatives = list(field.posterior.alternatives.items())
        lines += [f"{cut(text, 40)} {100 * low:.3g} to {100 * high:.3g}%" for text, (low, high) in alternatives[:SHOWN]]
        lines.append(f"all others: at most {100 * (1 - fsum(low for _, (low, _) in alternatives[:SHOWN])):.3g}%")
    return "\n".join(lines)


def fields_of(model: LanguageModel, rows: Sequence[Sequence[Row]], name: str | None) -> Fields:
    """See `state.captures.fields`."""

    def read(row: Row, place: tuple[int, int]) -> list[tuple[WrittenJson, dict[str, Field]]]:
        placed = [(start, piece) for start, _, piece in row.shown if piece.kind == "generated"]
        placed = placed[-1:] if name is None else [each for each in placed if each[1].name == name]
        each = [WrittenJson(row, start, piece, model.vocabulary) for start, piece in placed]
        try:
            return [(written, written.fields) for written in each]
        except ValueError as error:
            asked = "" if name is None else shown(name)
            raise ValueError(f"captures.fields({asked}): a span of row {place} is no JSON: {error}") from error

    return Fields(model, [[read(row, (b, s)) for s, row in enumerate(samples)] for b, samples in enumerate(rows)])
