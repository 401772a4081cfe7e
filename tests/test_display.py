"""Pictures of states: what they say is so, and nothing in them is anything but text."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from decimal import Decimal, localcontext
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from math import exp, inf, log, nan, prod
from pathlib import Path
from random import Random
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from test_generation import small_model, toy_model

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.needs import Need
from outlines_cont.pictures.automaton import picture as picture_of
from outlines_cont.pictures.marks import headline, marks, percentage, whole
from outlines_cont.pictures.markup import characters, readable, seen
from outlines_cont.pictures.picture import Picture, as_svg
from outlines_cont.pictures.rows import parts_of, repeats
from outlines_cont.pictures.style import STYLE
from outlines_cont.pictures.text import row_key
from outlines_cont.pictures.tree import Stem, forest
from outlines_cont.state.constraint import make_constraint
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.spans import Origin, Piece, SpanStop

SVG = "{http://www.w3.org/2000/svg}"


class Reader(HTMLParser):
    """The rows of a page: (class, title, text) of each token, and what else stands there.

    signs, classes: of the rows; lines: those above rows; legend: what each of its signs means.
    """

    def __init__(self, page: str):
        super().__init__()
        self.rows: list[list[list[str]]] = []
        self.signs: list[dict[str, str | None]] = []
        self.classes: set[str] = set()
        self.lines: list[str] = []
        self.legend: list[str] = []
        self.open: list[str] = []
        self.style = self.outside = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert tag in ("div", "style", "span", "i", "b", "u", "details", "summary") and known.keys() <= {
            "class",
            "title",
            "style",
            "data-n",
        }
        token = tag == "span" and "title" in known
        names = known.get("class") or ""
        self.open.append("token" if token else {"l": "legend", "m": "line"}.get(names, tag))
        if "legend" in self.open:
            return
        self.classes |= {names, *names.split(), *(["f"] if tag == "i" and not names else [])}
        if names == "x":
            self.rows.append([])
        if tag == "b" and names:
            self.signs.append(known)
        if token:
            self.rows[-1].append([known["class"] or "", known["title"] or "", ""])

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "legend" in self.open:
            self.legend.append(data)
        elif self.open[-1] == "line":
            self.lines.append(data)
        elif "token" in self.open:
            self.rows[-1][-1][2] += data
        elif self.open[-1] == "style":
            self.style += data
        else:
            self.outside += data

    def texts(self) -> list[str]:
        return ["".join(text for _, _, text in row) for row in self.rows]


def shown(data: bytes) -> str:
    """As a page shows it: whitespace is kept, and has a sign beside it."""
    return "".join(c if c in " \n\t" else seen(c) for c in characters(data))


def marked(state: oc.SequenceState) -> list[list]:
    [rows] = state.rows
    kept = state.model.kv_lengths(rows)
    return [marks(state.model, row, count, range(len(row))) for row, count in zip(rows, kept, strict=True)]


HARD = [
    "<script>alert(1)</script>",
    "a & b",
    "\"'`",
    "]]>",
    "<!--",
    "&lt;",
    "\u202e\u200b\x00\x1b",
    "日本 ä😀",
    " \t\n",
    "</style>",
]


@given(st.lists(st.sampled_from(HARD) | st.text(max_size=8) | st.binary(max_size=6), min_size=1, max_size=6))
@example(["<script>alert(1)</script>"] * 6)
@settings(max_examples=60)
def test_whatever_the_tokens_are_a_picture_shows_them_as_text(parts: list[str | bytes]) -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    data = b"".join(p if isinstance(p, bytes) else p.encode("utf-8", "replace") for p in parts) or b"x"
    state = model.state([spell[bytes([byte])] for byte in data])
    page = Reader(state.html(tokens=1000))
    assert page.texts() == [shown(data)], "a character is whole, also one of several tokens"
    assert page.style == STYLE and "prompt" in page.legend
    assert ElementTree.fromstring(state.tree(tokens=1000)).find(SVG + "svg") is not None


def test_tokens_of_many_characters_are_text() -> None:
    tokens = [b"<eos>", b"<script>", b"</span>", b'" title="', b"&lt;", b"<i>\n\xe4", b"a b"]
    model = small_model.__wrapped__()
    row = Row().append([1, 2, 3, 4, 5, 6, 0], kind="prompt")
    fake = SimpleNamespace(
        vocabulary=Vocabulary(tokens, eos=[0]), kv_lengths=lambda rows: [0], dtype=model.dtype, device="cpu"
    )
    page = oc.SequenceState(fake, [[row]], samples=1).html()
    reader = Reader(page)
    assert [text for _, _, text in reader.rows[0]] == [shown(token) for token in [*tokens[1:], tokens[0]]]
    assert "'<i>\\n\\xe4'" in reader.rows[0][4][1] and page.count('<i class="e">&lt;eos&gt;</i>') == 1
    assert "(special)" in reader.rows[0][-1][1] and "(special)" not in reader.rows[0][0][1]


def test_names_are_text_too() -> None:
    name = '"><script>x</script>&\x00\ud800'
    step = oc.continuous(oc.generate.choice(small_model(), ["ab"], oc.samplers.greedy()), name=name)
    state = step("a")
    signs = Reader(state.html()).signs
    assert [sign["data-n"] for sign in signs if "data-n" in sign] == ["".join(map(seen, name))]
    assert "<script" not in state.html() and "<script" not in state.tree()


@given(
    st.text(st.sampled_from("a<&\"'\x00\x01\x1f\x7f\x85\r\n\ud800\ufffe\uffff\U0010ffff") | st.characters(), min_size=1)
)
@example("a\x01\x1b" * 9)
@settings(max_examples=60, deadline=None)
def test_whatever_the_names_are_every_picture_is_well_formed(name: str) -> None:
    model = small_model()
    constraint = oc.generate.choice(model, ["ab", "ba"], oc.samplers.beam_search(2))
    state = oc.continuous(constraint, name=name)("a")
    compared = oc.compare(state[:, :1, :], state[:, 1:, :], names=(name, name + "2"))
    guide = oc.generate.regex(model, "[ab]+").constraint.guide
    table, graph = picture_of(guide, name, None, 24), picture_of(guide, name, guide._whole(100), 24)
    for picture in (state.html(), state.tree(), compared.html(), table, graph):
        for written in (picture, as_svg(picture)):
            ElementTree.fromstring(written)


EXTREME = st.sampled_from([-inf, -1e308, -800.0, -1.0, 0.5, 710.0, 800.0, 1e308, inf, nan])


@given(st.lists(st.tuples(EXTREME, EXTREME, EXTREME), min_size=6, max_size=6))
@example([(-1.0, 800.0, 800.0)] * 6)
@settings(max_examples=40, deadline=None)
def test_pictures_show_any_number(numbers: list[tuple[float, float, float]]) -> None:
    state = golden()
    rows = []
    for row, [first, second, third] in zip(state.rows[0] * 3, [numbers[:3], numbers[1:4], numbers[2:5]], strict=False):
        logprobs = (*row.logprobs[:-2], first[0], second[0])
        proposals = (*row.proposals[:-2], first[1], second[1])
        rows.append(replace(row, logprobs=logprobs, proposals=proposals, pieces=_stopped(row, third)))
    forged = oc.SequenceState(state.model, [rows], samples=len(rows))
    compared = oc.compare(forged[:, :1, :], forged[:, 1:2, :])
    assert str(forged) and str(compared)
    for picture in (forged.html(), forged[:, :2, :].html(), forged.tree(), compared.html()):
        ElementTree.fromstring(as_svg(picture))
    if all(abs(value) < 1e3 for each in numbers for value in each):  # matplotlib itself cannot draw 1e308
        forged.plot(axes=Figure().subplots(2))


def _stopped(row: Row, numbers: tuple[float, float, float]) -> tuple[Piece, ...]:
    """The pieces of a row whose last stop has these numbers."""
    *before, last = row.pieces
    return (*before, replace(last, origin=replace(last.origin, stop=SpanStop(*numbers[1:]))))


@given(st.floats(-1e300, 1e300, allow_nan=False) | st.floats(-1000, 1000))
def test_a_percentage_has_three_digits_of_the_number_itself(logprob: float) -> None:
    with localcontext(prec=330):
        exact = 100 * Decimal(logprob).exp() if abs(logprob) < 1e6 else None
    written = percentage(logprob).removesuffix("%")
    if exact is not None:
        assert abs(Decimal(written) / exact - 1) < Decimal("0.00501")
    else:
        exponent = int(written.partition("e")[2])
        assert exponent == pytest.approx(logprob / log(10) + 2, rel=1e-9, abs=2)


@given(st.binary(max_size=12))
def test_bytes_are_readable_and_nothing_is_lost(data: bytes) -> None:
    text = readable(data)
    assert text.isprintable() or text == ""
    plain = data.decode("utf-8", "surrogateescape")
    assert plain.encode("utf-8", "surrogateescape") == characters(data).encode("utf-8", "surrogateescape") == data
    if plain.isprintable():
        assert text == plain


def random_walks(model: oc.Model, seed: int, **options: str) -> oc.SequenceState:
    sampler = oc.samplers.multinomial(samples=3)
    walk = oc.continuous(oc.generate.regex(model, "(ab|ba?)+c1{2}", sampler, **options), name="walk")
    return walk("ab", seed=seed, max_tokens=12) + "-x"


@pytest.mark.parametrize("options", [{}, {"stop": "eos"}, {"forced": "never"}])
@pytest.mark.parametrize("seed", range(3))
def test_marks_are_what_the_constraint_and_the_model_say(seed: int, options: dict[str, str]) -> None:
    model = small_model()
    state = random_walks(model, seed, **options)
    vocabulary = model.vocabulary
    guide = oc.generate.regex(model, "(ab|ba?)+c1{2}").constraint.guide
    for row, found in zip(state.rows[0], marked(state), strict=True):
        here = guide.initial
        logits = torch.log_softmax(model.hf(torch.tensor([row.ids])).logits[0].detach().double(), -1)
        for mark in found:
            kind = next(span.kind for span in row.spans if span.start <= mark.position < span.end)
            assert mark.data == vocabulary.tokens[mark.token] and mark.token == row.ids[mark.position]
            if kind != "generated":
                assert mark.source == kind and mark.allowed is None
                continue
            after = {t: guide.advance(here, t) for t in range(len(vocabulary))}
            assert mark.allowed is not None
            assert mark.allowed.tokens == sum(a is not None for t, a in after.items() if t not in vocabulary.eos)
            assert mark.allowed.stop == guide.accepting(here)
            # forced: all that may follow begins with this token's bytes, or goes into them
            legal = [vocabulary.tokens[t] for t, a in after.items() if a is not None and t not in vocabulary.eos]
            alone = all(data.startswith(mark.data) or mark.data.startswith(data) for data in legal)
            if mark.source == "forced":
                assert alone and not mark.allowed.stop
            elif len(legal) == 1:
                assert mark.allowed.stop
            law = logits[mark.position - 1]
            assert mark.own == pytest.approx(float(law[mark.token].exp()), abs=1e-5)
            assert f"{mark.allowed.tokens} token" in mark.facts
            here = after[mark.token]


def test_the_bar_is_what_the_tree_holds() -> None:
    model = small_model.__wrapped__()
    state = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))("abc12", max_tokens=4, seed=0)
    for some in (state, state + "-xy", state[..., 1:], state[:, 1]):
        rows = Reader(some.html()).rows
        bars = [sum("k" in names.split() for names, _, _ in row) for row in rows]
        known = some.kv.lengths[0].tolist()
        assert bars == known


def test_healed_freed_and_open_spans_are_marked() -> None:
    model = small_model()
    words = oc.generate.regex(model, "(abc)*1?", oc.samplers.multinomial(), forced="never")
    rest = oc.generate.regex(model, "bc(abc)*1?", oc.samplers.multinomial(), forced="never")
    healed = oc.continuous(rest, seam="heal")("xa", seed=1, max_tokens=6)
    assert healed.rows[0][0].pieces[-1].origin.healed
    stops = set()
    for state in (healed, *(oc.continuous(words)("x", seed=seed, max_tokens=6) for seed in range(6))):
        [found] = marked(state)
        origin = state.rows[0][0].pieces[-1].origin
        guide = origin.constraint.guide_after(origin.healed)
        here = guide.initial
        for mark in found[-origin.length :] if origin.length else []:
            legal = [t for t in range(len(model.vocabulary)) if guide.advance(here, t) is not None]
            text = [t for t in legal if t not in model.vocabulary.eos]
            assert mark.allowed is not None and mark.allowed.tokens == len(text)
            assert mark.allowed.stop == guide.accepting(here) == (len(legal) > len(text))
            stops.add(mark.allowed.stop)
            here = guide.advance(here, mark.token)
    assert stops == {True, False}
    x = next(t for t, data in enumerate(model.vocabulary.tokens) if data == b"x")

    def free(draw: oc.steer.Draw) -> oc.steer.Replace | None:
        return oc.steer.Replace(x, unconstrained=True) if len(draw.row) == 3 else None

    [found] = marked(oc.continuous(words)("-x", seed=3, max_tokens=5, hooks=[free]))
    assert [mark.allowed is None for mark in found] == [True, True, False, *[True] * (len(found) - 3)]


def test_signs_tell_how_spans_ended() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.choice(model, ["ab1"], oc.samplers.greedy()), name="word")
    state = step(step("x") + "-")
    ended = [sign for sign in Reader(state.html()).signs if sign["class"] in ("z", "c")]
    assert [sign["class"] for sign in ended] == ["z", "z"] and all(
        "stop: model 0.00 (100%)" in s["title"] for s in ended
    )
    cut = Reader(state[..., :-1].html()).signs
    assert [sign["class"] for sign in cut if sign["class"] in ("z", "c")] == ["z", "c"]
    assert cut[-1]["title"] == "cut: sliced"
    seams = [sign["title"] for sign in Reader(state[..., 2:].html()).signs if sign["class"] == "s"]
    assert seams[0] == "text" and seams[-1] == "generated choice 'word'"
    # left out in the middle, and still told
    longer = model.state("abcabc12" * 3) + step("x") + "abcabc12" * 3
    page = Reader(longer.html(tokens=6))
    assert "word" in [sign.get("data-n") for sign in page.signs] and "z" in [sign["class"] for sign in page.signs]
    [gap] = [sign["data-n"] for sign in page.signs if sign["class"] == "y"]
    assert gap == f"… {len(longer.rows[0][0]) - 6} more tokens …"
    parts = oc.generate.regex(model, "[ab]+", stop="elsewhere")

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [oc.steer.Branch(allowed=parts), oc.steer.Branch(forced="-")][:1] if len(row) < 6 else []

    made = oc.continuous(oc.generate.control(model, controller, oc.samplers.multinomial()))("x", seed=0, max_tokens=12)
    stops = sum(1 for _ in made.rows[0][0].stops)
    assert sum(sign["class"] == "z" for sign in Reader(made.html()).signs) == stops > 1


def test_weights_that_are_not_known_make_no_shares() -> None:
    state = golden()
    nan, low = (replace(state.rows[0][0], logprobs=(None, None, value, -1.0)) for value in (float("nan"), -800.0))
    for row, known in ((nan, False), (low, True)):
        some = oc.SequenceState(state.model, [[state.rows[0][1], row]], samples=2)
        Reader(some.html())
        [root] = forest(some, 9)
        assert [stem.mass for stem in root.branches] == ([1.0, 0.0] if known else [0.5, 0.5])
        assert ("% of the probability" in some.tree()) == known
    a = state.rows[0][0]
    plain = Row().append(list(a.ids))
    tree = oc.SequenceState(state.model, [[plain, a, a]], samples=3).tree()
    assert "<title>[0, 0, :]: weight 0.0000" in tree and "weight −3.50 ×2<" in tree and "fill-opacity" in tree


def test_pictures_do_not_run_the_model() -> None:
    model = small_model()
    state = random_walks(model, 1).kv.drop()
    before = repr(model.stats)
    state.html(), state.tree(), repr(state), str(state)
    assert repr(model.stats) == before


def test_what_a_controller_wrote_is_marked() -> None:
    model = small_model()
    parts = oc.generate.regex(model, "[ab]{2}")

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return {None: [oc.steer.Branch(allowed=parts, memory=1)], 1: [oc.steer.Branch(forced="12", memory=2)]}.get(
            row.memory, []
        )

    state = oc.continuous(oc.generate.control(model, controller, oc.samplers.greedy()), name="own")("abc")
    [found] = marked(state)
    sources = "".join(mark.source[0] * len(mark.data) for mark in found)
    assert sources == "ppp" + "gg" + "ff" and list(state)[0].endswith("12")
    assert [m.allowed.tokens for m in found if m.source == "generated"][0] == 3  # a, b, ab
    [cut] = marked(state[..., :-1])
    assert [m.facts.splitlines()[:-1] for m in cut] == [m.facts.splitlines()[:-1] for m in found[:-1]]


def test_long_rows_and_many_rows_are_cut_short_and_it_says_so() -> None:
    model = small_model()
    state = model.state("abcabcab" * 5).fork(5)
    page = state.html(rows=2, tokens=8)
    tokens = [model.vocabulary.tokens[t].decode() for t in state.rows[0][0].ids]
    assert Reader(page).texts()[0] == "".join(tokens[:2] + tokens[-6:])
    assert "more tokens …" in page and "and 3 more rows" in page and "tokens as above" in page
    assert "and 3 more rows" in state.tree(rows=2)
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"rows={wrong}"):
            state.html(rows=wrong)
    with pytest.raises(ValueError, match="more than 200 rows"):
        state.tree(rows=201)
    for gone, instead in (("compact", "four rows or more"), ("facts", "2,500 tokens"), ("ranks", "alternatives=n")):
        with pytest.raises(TypeError, match=instead):
            state.html(**{gone: True})
    with pytest.raises(TypeError, match="tokens='x'"):
        state.tree(tokens="x")
    with pytest.raises(TypeError, match="rows='x'"):
        state.tree(rows="x")


def test_what_was_drawn_is_shown_in_every_row() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.regex(model, "a{6}", oc.samplers.multinomial(samples=2)), name="a")
    state = step("-x" * 10, seed=0)
    assert state.rows[0][0].ids == state.rows[0][1].ids
    assert Reader(state.html()).texts() == [list(state)[0], "aaaaaa"]


#: Of a class that stands in rows, what the legend says of it.
MEANINGS = {
    "p": "given at the beginning",
    "t": "given later",
    "g": "drawn from the model",
    "f": "the constraint left one way to go on",
    "u": "a hook's; its constraint was not told",
    "k": "keys and values are in the KV tree",
    "z": "the stop: the span ended by itself",
    "c": "the span was cut here, or sliced",
}


@settings(max_examples=30, deadline=None)
@given(
    prompt=st.lists(
        st.sampled_from(["a", "b ", "\t", "\n", "\u200b", '<b class="z">', "abc" * 9]), min_size=1, max_size=4
    ),
    kind=st.sampled_from(["given", "text", "regex", "hook"]),
    after=st.sampled_from(["", "-x", " \n"]),
    low=st.integers(0, 3),
    high=st.integers(0, 3),
    options=st.fixed_dictionaries({}, optional={"tokens": st.integers(1, 9)}),
    name=st.sampled_from([None, "n"]),
)
def test_the_legend_lists_the_signs_of_a_picture_and_no_others(
    prompt: list[str], kind: str, after: str, low: int, high: int, options: dict, name: str | None
) -> None:
    model = toy_model()
    z = model.encoder.append("z")[0]
    state = model.state("".join(prompt))
    if kind != "given":
        generate = oc.generate.text(model) if kind == "text" else oc.generate.regex(model, "[ab]{3}c1{2}")
        hooks = [lambda draw: oc.steer.Insert(z) if len(draw.row.text) == 1 and draw.row.ids[-1] != z else None]
        state = oc.continuous(generate, name=name)(
            state.fork(2), max_tokens=6, seed=low, hooks=hooks * (kind == "hook")
        )
    state = (state + after if after else state)[..., low : -high or None]
    page = Reader(state.html(**options))
    means = set(page.legend)
    for names, meaning in MEANINGS.items():
        assert (meaning in means) == (names in page.classes), names
    assert ("a space, the end of a line, a tab" in means) == bool({"w", "n", "h"} & page.classes)
    seams = [sign for sign in page.signs if sign["class"] == "s"]
    assert ("a seam: here a new span begins" in means) == any("data-n" not in sign for sign in seams)
    assert ("a seam, and the name of the step" in means) == any("data-n" in sign for sign in seams)
    gaps = [sign["data-n"] or "" for sign in page.signs if sign["class"] == "y"]
    assert ("the same tokens as in the row above" in means) == any("as above" in gap for gap in gaps)
    brief = any(sign.get("title") == "as above" for sign in page.signs)
    assert ("so many tokens are those of the row above" in means) == brief
    assert ("left out: tokens=… shows more" in means) == any("more" in gap for gap in gaps)
    data = [model.vocabulary.tokens[row.ids[at]] for [*rows] in state.rows for row in rows for at in range(len(row))]
    boxes = any(seen(c) != c and c not in " \t\n" for each in data for c in characters(each))
    if not gaps:
        special = any(t in model.vocabulary.special for rows in state.rows for row in rows for t in row.ids)
        assert ("a special or an invisible character" in means) == (boxes or special)
    with_style = any("style=" in tag for tag in re.findall("<span[^>]*title", state.html(**options)))
    assert ("fill: how likely it was, as drawn" in means) == with_style
    assert ("perplexity" in means) == any("perplexity" in line for line in page.lines)
    assert ("least sure" in means) == any("least sure" in line for line in page.lines)
    recomputed = any(
        "k" not in names.split()
        for names in re.findall('<span class="([^"]*)"', state.html(**options).split('<div class="l">')[0])
    )
    assert ("keys and values to compute again" in means) == recomputed


@settings(max_examples=30, deadline=None)
@given(
    pattern=st.sampled_from(["(ab|ba?)+c1{2}", "a{6}", "[abc12]{2,5}", None]),
    forced=st.sampled_from(["canonical", "never"]),
    seed=st.integers(0, 99),
    high=st.integers(0, 3),
)
def test_the_line_above_a_row_is_what_a_plain_computation_gives(
    pattern: str | None, forced: str, seed: int, high: int
) -> None:
    model = small_model()
    sampler = oc.samplers.multinomial(samples=2)
    made = (
        oc.generate.text(model, sampler)
        if pattern is None
        else oc.generate.regex(model, pattern, sampler, forced=forced)
    )
    state = (oc.continuous(made)("ab", seed=seed, max_tokens=9) + "-x")[..., : -2 - high]
    [rows] = state.rows
    for row, found in zip(rows, marked(state), strict=True):
        values = [value for value in row.logprobs if value is not None]
        if not values:
            continue
        law = torch.log_softmax(model.hf(torch.tensor([row.ids])).logits[0].detach().double(), -1)
        drawn = [at for at, value in enumerate(row.logprobs) if value is not None]
        fresh = [float(law[at - 1, row.ids[at]]) for at in drawn]
        line = headline(model, row, {})
        assert line.perplexity == pytest.approx(prod(exp(-value) for value in fresh) ** (1 / len(fresh)), rel=1e-4)
        orange = sum(mark.source == "forced" for mark in found)
        assert line.forced_share == (None if pattern is None else orange / len(drawn))
        lowest = sorted(zip(values, drawn, strict=True))[:3]
        named = [(model.vocabulary.tokens[row.ids[at]], v) for n, (v, at) in enumerate(lowest) if not n or v < log(0.5)]
        assert list(line.least_sure) == named
        assert f"perplexity {line.perplexity:,.2f}" in state.html() or line.perplexity >= 100


def test_numbers_that_are_not_known_are_not_in_the_line() -> None:
    state = golden()
    row = state.rows[0][0]
    assert str(headline(state.model, row, {})).startswith("perplexity 3.49 · 50% forced · least sure: '1' 13.5%")
    unknown = replace(row, logprobs=(None, None, float("nan"), -1.0))
    assert str(headline(state.model, unknown, {})) == "50% forced"
    assert str(headline(state.model, replace(row, logprobs=(None, None, -2000.0, 0.0)), {})).startswith("perplexity ∞")
    assert str(headline(state.model, Row().append([1, 2]), {})) == ""
    assert not Reader(state.model.state("a").html()).lines


def beams_of_a_chain() -> oc.SequenceState:
    """Eight beams over two links, with long texts between their answers."""
    model = small_model()
    beams = oc.samplers.beam_search(8)
    first = oc.continuous(oc.generate.regex(model, "[abc]{2}", beams), name="first")
    second = oc.continuous(oc.generate.regex(model, "[12]{2}", beams), name="second")
    return second(first("abcabc12-x" * 2) + "-x" * 8)


def test_the_answers_of_beams_are_seen_and_what_they_share_is_not() -> None:
    state = beams_of_a_chain()
    page = Reader(state.html(rows=8))
    answers = list(zip(*(state.captures[name][0] for name in ("first", "second")), strict=True))
    assert page.texts()[0] == list(state)[0]
    for text, ([one], [two]) in zip(page.texts()[1:], answers[1:], strict=True):
        assert text == one + two
    assert "v" in page.classes and not page.lines, "the numbers of each row are told where the mouse rests"
    few = Reader(state.html(rows=3))
    assert "v" not in few.classes and len(few.lines) == 3
    for text, ([one], [two]) in zip(few.texts()[1:], answers[1:], strict=False):
        assert text.endswith(one + "-x" * 8 + two), "what few rows share is left out only at their beginning"
    different = small_model().state(["a" * 30, "b" * 30, "c" * 30, "1" * 30])
    assert Reader(different.html()).texts() == list(different)
    prompts = small_model().state(["abcabc12" * 3 + end for end in "xabc"])
    assert [len(row) for row in Reader(prompts.html()).rows[1:]] == [1, 1, 1], "batch rows share, too"


@settings(max_examples=40)
@given(
    rows=st.lists(st.lists(st.integers(1, 4), max_size=20), min_size=1, max_size=5),
    tokens=st.integers(1, 30),
    many=st.booleans(),
)
def test_parts_of_a_row_are_all_of_it_and_what_is_left_out_is_as_above(
    rows: list[list[int]], tokens: int, many: bool
) -> None:
    drawn = [Row().append(ids[:12]).append(ids[12:]) for ids in rows]
    for above, row in pairwise(drawn):
        parts = parts_of(repeats(row, above, many), tokens)
        assert [at for part in parts for at in range(part.start, part.end)] == list(range(len(row)))
        assert sum(len(part) for part in parts if part.shown == "shown") < tokens + 4
        for part in parts:
            if part.shown == "above":
                text = bytes(row.ids[part.start : part.end])
                assert len(part) > (4 if many else 12) and text in bytes(above.ids)


def test_a_tooltip_names_the_likeliest_tokens_that_are_kept_or_were_recorded() -> None:
    """Of recorded ones all; else three, from logits that the tree still has. The model does not run."""
    model = small_model.__wrapped__()
    step = oc.continuous(oc.generate.regex(model, "(ab|ba?)+c1{2}", oc.samplers.multinomial(), forced="never"))
    plain = step("ab", seed=1, max_tokens=6)
    recorded = step("ab", seed=1, max_tokens=6, keep=oc.Keep(alternatives=5))
    guide = step.generator.constraint.guide
    for state, count in ((plain, 3), (recorded, 5), (recorded.kv.drop(), 5)):
        passes = model.stats.passes
        tokens = Reader(state.html()).rows[0]
        assert model.stats.passes == passes
        row, here = state.rows[0][0], guide.initial
        law = torch.log_softmax(model.hf(torch.tensor([row.ids])).logits[0].detach(), -1)
        for at, (_, title, _) in enumerate(tokens):
            lines = [line for line in title.splitlines() if line.startswith("likeliest: ")]
            assert len(lines) == (row.logprobs[at] is not None)
            if lines:
                top = law[at - 1].topk(count)
                named = [
                    f"'{readable(model.vocabulary.tokens[t])}' {100 * exp(v):.3g}% "
                    + (
                        "✓"
                        if guide.advance(here, t) is not None or (t in model.vocabulary.eos and guide.accepting(here))
                        else "✗"
                    )
                    for v, t in zip(top.values.tolist(), top.indices.tolist(), strict=True)
                ]
                assert [each.split()[0] for each in named] == [each.split()[0] for each in lines[0][11:].split(", ")]
                assert [each[-1] for each in named] == [each[-1] for each in lines[0][11:].split(", ")]
                here = guide.advance(here, row.ids[at])
    model.tree.forget_logits()
    assert "likeliest" not in plain.html() and "likeliest" in recorded.html()
    stopped = [sign for sign in Reader(recorded.html()).signs if sign["class"] == "z"]
    assert all("likeliest: " in (sign["title"] or "") for sign in stopped)


def test_rows_that_failed_say_why() -> None:
    def hook(draw: oc.steer.Draw) -> None:
        raise RuntimeError("<b>no</b> " + "x" * 300)

    state = oc.continuous(oc.generate.text(small_model()))(["a", "b"], seed=0, errors="return", hooks=[hook])
    page = Reader(state.html())
    assert page.outside.count("RuntimeError: <b>no</b> xxx") == 2 and "x" * 200 not in page.outside
    assert "an error ended the row" in page.legend and "dead" not in page.legend


def test_a_hundred_rows_of_a_thousand_tokens_are_under_a_megabyte() -> None:
    """Half given, half generated, with words, numbers and JSON, sure and unsure draws; and all of it generated."""
    model = oc.load()
    text = 'Mira is a painter from Lisbon. {"name":"Mira","age":34,"married":false}\nQ: How old is Mira?\nA: 34\n'
    every = model.encoder.append(text * 40)[:1000]
    constraint = make_constraint("regex", "(.|\n)*", model.vocabulary)
    dice = Random(0)

    def row(begin: int, turned: int) -> Row:
        ids = every[turned:] + every[:turned]
        given_ids, drawn = model.state([ids]).rows[0][0], tuple(ids[begin:])
        values = tuple(dice.choice([-0.01, -0.05, -0.4, -1.5, -3.0, -0.02]) for _ in drawn)
        origin = Origin("generated", len(drawn), "answer", constraint, "length")
        made = Row(drawn, values, values, (Piece(origin, 0, len(drawn)),))
        return given_ids.take(range(begin)).join(made)

    for begin in (500, 1):
        state = oc.SequenceState(model, [[row(begin, 7 * i)] for i in range(100)], samples=1)
        page = state.html(rows=100, tokens=1000)
        reader = Reader(page)
        assert len(page.encode()) < 1_000_000 and "tokens, without tooltips" in page
        assert reader.outside.count("Lisbon") == sum(row.count("Lisbon") for row in state) > 2000, "all of it is there"
    few = state[:2, :, :]
    assert 'title="[..., 3] token' in few.html(rows=2, tokens=1000)


def test_a_large_picture_has_all_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model()
    state = random_walks(model, 4)
    for most in (2500, 0):
        monkeypatch.setattr("outlines_cont.pictures.rows.TOKENS_WITH_FACTS", most)
        page = state.html()
        shown_rows = re.findall('<div class="x">(.*?)</div>', page, re.S)
        assert [unescape(re.sub("<[^>]*>", "", row)) for row in shown_rows] == list(state)


def test_the_line_knows_when_keys_and_values_are_gone() -> None:
    model = small_model.__wrapped__()
    state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("abc12", max_tokens=2)
    assert "kv 0;" not in repr(state)
    with torch.no_grad():
        next(iter(model.hf.parameters())).add_(0)  # as an optimizer does
    model.logits([Need((1,), (0,))])
    assert "kv 0;" in repr(state) and int(state.kv.lengths.max()) == 0


def test_dead_and_empty_rows_have_pictures() -> None:
    model = small_model()
    few, many = (
        oc.continuous(oc.generate.choice(model, options, oc.samplers.beam_search(3), by="sequence"))("ab")
        for options in (["a"], ["a", "b", "c"])
    )
    state = oc.cat([few, few], 1) if few.shape[1] > 1 else oc.cat([oc.cat([few, few, few], 1).best(3), many], 0)
    dead = oc.SequenceState(model, [[*many.rows[0][:2], DEAD]], samples=3)
    assert "dead" in dead.html() and len(forest(dead, 9)[0].leaves) + len(forest(dead, 9)[0].branches) == 2
    for some in (
        state,
        dead,
        dead[:, 2, :],
        model.state("a")[..., :0],
        state[:0, :, :],
        state[..., :0],
        state[:, :0, :],
    ):
        Reader(some.html()), ElementTree.fromstring(some.tree())


def walked(branch: Stem, before: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Stem]]:
    """Every branch with the tokens that lead to its end."""
    here = (*before, *branch.first.row.ids[branch.begin : branch.end])
    return [(here, branch), *(found for below in branch.branches for found in walked(below, here))]


def leaf_numbers(picture: Picture) -> list[str]:
    """What is written at the leaves of a tree."""
    texts = ElementTree.fromstring(picture).iter(f"{SVG}text")
    return [text.text for text in texts if (text.text or "").startswith("weight −")]


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_shows_what_is_shared_once(seed: int) -> None:
    model = small_model()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=8)))
    state = step(["ab", "c"], max_tokens=3, seed=seed)
    for rows, root in zip(state.rows, forest(state, 99), strict=True):
        found = walked(root)
        leaves = {leaf.s: ids for ids, branch in found for leaf in branch.leaves}
        assert leaves == {s: row.ids for s, row in enumerate(rows)}
        # a trie: no token stands in it twice
        assert sum(branch.end - branch.begin for _, branch in found) == len(
            {row.ids[: i + 1] for row in rows for i in range(len(row))}
        )
        distinct = {row.ids: exp(row.weight) for row in rows}
        for ids, branch in found:
            alone = branch.begin == branch.end and branch.leaves  # rows that end where others go on
            below = [row for row in rows if (row.ids if alone else row.ids[: len(ids)]) == ids]
            mass = sum(distinct[other] for other in {row.ids for row in below})
            assert branch.mass == pytest.approx(mass / sum(distinct.values()))
            assert branch.rows == len(below)
    texts = [text.split(" · ")[0] for text in leaf_numbers(state.tree())]
    for row in state.rows[0]:
        count = sum(other.ids == row.ids for other in state.rows[0])
        end = f"weight {row.weight:.2f}".replace("-", "−")
        assert any(text in (end + (f" ×{count}" if count > 1 else ""), end) for text in texts)


def golden() -> oc.SequenceState:
    """A row made by hand: its numbers are the same on every machine."""
    model = small_model.__wrapped__()
    tokens = {data: token for token, data in enumerate(model.vocabulary.tokens)}
    a, b, ab, one = (tokens[data] for data in (b"a", b"b", b"ab", b"1"))
    constraint = make_constraint("choice", ["ab1", "b1"], model.vocabulary)

    def row(ids: list[int], logprobs: list[float], proposals: list[float], stop: float) -> Row:
        origin = Origin("generated", len(ids), "end", constraint, "stop", SpanStop(stop, 0.0))
        prompt = Row().append([a], kind="prompt").append([b])
        return prompt.join(Row(tuple(ids), tuple(logprobs), tuple(proposals), (Piece(origin, 0, len(ids)),)))

    rows = [row([ab, one], [-0.5, -2.0], [-0.25, 0.0], -1.0), row([b, one], [-3.0, -0.125], [-1.5, 0.0], -0.5)]
    return oc.SequenceState(model, [rows], samples=2)


@pytest.mark.parametrize("name", ["state.html", "tree.svg"])
def test_golden_markup(name: str) -> None:
    """Changed on purpose? Look at it in a browser, on white and on black; then put the new one in its place."""
    state = golden()
    drawn = as_svg(state.tree()) if name.endswith("svg") else state.html().replace(f"<style>{STYLE}</style>", "")
    assert drawn.replace("><", ">\n<") + "\n" == (Path(__file__).parent / "golden" / name).read_text(encoding="utf-8")


def test_characters_of_several_tokens_are_whole_also_where_they_were_drawn() -> None:
    """As one mark, as likely as its tokens together; their facts are all told. A sign between two keeps them apart."""
    model = toy_model()
    ids = model.encoder.append("日a")
    assert len(ids) == 4
    constraint = make_constraint("text", None, model.vocabulary)

    def row(*lengths: int) -> Row:
        made, rest = Row().append([], kind="prompt"), ids
        for length in lengths:
            origin = Origin("generated", length, None, constraint, "length")
            numbers = tuple(-0.5 - n for n in range(length))
            made = made.join(Row(tuple(rest[:length]), numbers, numbers, (Piece(origin, 0, length),)))
            rest = rest[length:]
        return made

    [[first, second]] = Reader(oc.SequenceState(model, [[row(4)]], samples=1).html()).rows
    assert (first[2], second[2]) == ("日", "a") and first[1].count(" token ") == 3
    [mark, _] = whole(marks(model, row(4), 0, range(4)))
    assert mark.logprob == -0.5 - 1.5 - 2.5 and mark.position == 0 and not mark.kept
    assert f"--d:{exp(-4.5):.2f}" in oc.SequenceState(model, [[row(4)]], samples=1).html()
    apart = Reader(oc.SequenceState(model, [[row(1, 3)]], samples=1).html()).rows[0]
    assert "".join(text for _, _, text in apart) == r"\xe6\x97\xa5a"
    assert "日" in as_svg(oc.SequenceState(model, [[row(4)]], samples=1).tree())
    assert [each.data for each in whole(marks(model, row(4), 0, [0, 1]))] == [b"\xe6", b"\x97"], "not all are shown"


def test_a_key_selects_its_row() -> None:
    state = small_model().state(["abc", "b"])
    assert str(eval(f"state{row_key(1, 0)}", {"state": state})) == "b" and row_key(1) == "[1, :, :]"


def test_a_picture_is_a_string() -> None:
    picture = golden().tree()
    assert isinstance(picture, Picture) and picture._repr_html_() == picture
    assert repr(picture).startswith("<Picture: ") and "HTML" in repr(picture) and len(repr(picture)) < 120
    assert "SVG" in repr(oc.generate.regex(small_model(), "a").constraint.guide.to_svg())
    assert golden()._repr_html_() == golden().html()


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="notebook"):
        small_model().state("a").plot()
