"""Pictures of states: what they say is so, and nothing in them is anything but text."""

from __future__ import annotations

import sys
from dataclasses import replace
from html.parser import HTMLParser
from math import exp
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model

import outlines_cont as oc
from outlines_cont.display.marks import marks, ranked
from outlines_cont.display.page import STYLE
from outlines_cont.display.tree_shape import Stem, forest
from outlines_cont.fsm.draw.picture import Picture, characters, readable, seen
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.need import Need
from outlines_cont.state.constraint import make_constraint
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.spans import Origin, Piece, SpanStop

SVG = "{http://www.w3.org/2000/svg}"


class Reader(HTMLParser):
    """The rows of a page: (class, title, text) of each token, and what else stands there."""

    def __init__(self, page: str):
        super().__init__()
        self.rows: list[list[list[str]]] = []
        self.signs: list[dict[str, str | None]] = []
        self.open: list[str] = []
        self.style = self.outside = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert tag in ("div", "style", "span", "i", "b") and known.keys() <= {"class", "title", "style", "data-n"}
        token = tag == "span" and "title" in known
        self.open.append("token" if token else tag)
        if known.get("class") == "x":
            self.rows.append([])
        if tag == "b":
            self.signs.append(known)
        if token:
            self.rows[-1].append([known["class"] or "", known["title"] or "", ""])

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "token" in self.open:
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


def marked(state: oc.SequenceState, ranks: bool = False) -> list[list]:
    [rows] = state.rows
    kept = state.model.kv_lengths(rows)
    known = ranked(state.model, [(row, range(len(row))) for row in rows]) if ranks else [{}] * len(rows)
    every = zip(rows, kept, known, strict=True)
    return [marks(state.model, row, count, range(len(row)), its) for row, count, its in every]


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
    assert page.texts() == ["".join(shown(bytes([byte])) for byte in data)]
    assert page.style == STYLE and "prompt" in page.outside
    assert ElementTree.fromstring(state.tree(tokens=1000)).tag == SVG + "svg"


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
    for row, found in zip(state.rows[0], marked(state, ranks=True), strict=True):
        here = guide.initial
        logits = torch.log_softmax(model.hf(torch.tensor([row.ids])).logits[0].detach().double(), -1)
        for mark in found:
            kind = next(span.kind for span in row.spans if span.start <= mark.position < span.end)
            assert mark.data == vocabulary.tokens[mark.token] and mark.token == row.ids[mark.position]
            if kind != "generated":
                assert mark.source == kind and mark.allowed is None and mark.ranked is None
                continue
            after = {t: guide.advance(here, t) for t in range(len(vocabulary))}
            assert mark.allowed is not None and mark.ranked is not None
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
            place = int((law > law[mark.token] + 1e-6).sum()) + 1
            assert mark.ranked.place == place
            assert [data for data, _ in mark.ranked.likelier] == [
                vocabulary.tokens[t] for t in law.topk(min(place - 1, 3)).indices
            ]
            better = [float(law[t].exp()) for t in law.topk(min(place - 1, 3)).indices]
            assert [p for _, p in mark.ranked.likelier] == pytest.approx(better, abs=1e-5)
            assert mark.own == pytest.approx(float(law[mark.token].exp()), abs=1e-5)
            assert f"{mark.allowed.tokens} token" in mark.facts and f"rank {place}" in mark.facts
            here = after[mark.token]


def test_a_rank_that_was_not_looked_up_is_bounded_by_the_probability() -> None:
    state = random_walks(small_model(), 5)
    for plain, known in zip(marked(state), marked(state, ranks=True), strict=True):
        for mark, exact in zip(plain, known, strict=True):
            if exact.ranked is not None:
                if mark.own < 1 / len(state.model.vocabulary):  # then it says nothing
                    assert mark.bound is None and "rank" not in mark.facts
                    continue
                [bound] = [line for line in mark.facts.splitlines() if line.startswith("rank")]
                assert exact.ranked.place <= int(bound.split()[-1].replace(",", ""))
                assert ("at most" in bound) == (mark.own < 0.5)


def test_the_bar_is_what_the_tree_holds() -> None:
    model = small_model.__wrapped__()
    state = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))("abc12", max_tokens=4, seed=0)
    for some in (state, state + "-xy", state[..., 1:], state[:, 1]):
        rows = Reader(some.html()).rows
        bars = [sum("k" in names.split() for names, _, _ in row) for row in rows]
        known = some.kv_lengths[0].tolist()
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

    def free(draw: oc.Draw) -> oc.Replace | None:
        return oc.Replace(x, unconstrained=True) if len(draw.row) == 3 else None

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

    def controller(row: oc.Writing) -> list[oc.Branch]:
        return [oc.Branch(allowed=parts), oc.Branch(forced="-")][:1] if len(row) < 6 else []

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
    assert (
        "<title>[0, 0]: weight 0.0000" in tree
        and ">weight −3.50 ■ ×2<" in tree.replace("</title>", ">")
        and "fill-opacity" in tree
    )


def test_pictures_do_not_run_the_model() -> None:
    model = small_model()
    state = random_walks(model, 1).drop_kv()
    before = repr(model.stats)
    state.html(), state.tree(), repr(state), str(state)
    assert repr(model.stats) == before
    state.html(ranks=True)
    assert model.stats.passes > 0


def test_what_a_controller_wrote_is_marked() -> None:
    model = small_model()
    parts = oc.generate.regex(model, "[ab]{2}")

    def controller(row: oc.Writing) -> list[oc.Branch]:
        return {None: [oc.Branch(allowed=parts, memory=1)], 1: [oc.Branch(forced="12", memory=2)]}.get(row.memory, [])

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


def test_the_line_knows_when_keys_and_values_are_gone() -> None:
    model = small_model.__wrapped__()
    state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("abc12", max_tokens=2)
    assert "kv 0;" not in repr(state)
    with torch.no_grad():
        next(iter(model.hf.parameters())).add_(0)  # as an optimizer does
    model.logits([Need((1,), (0,))])
    assert "kv 0;" in repr(state) and int(state.kv_lengths.max()) == 0


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
    here = (*before, *branch.first.ids[branch.begin : branch.end])
    return [(here, branch), *(found for below in branch.branches for found in walked(below, here))]


def leaf_numbers(picture: Picture) -> list[str]:
    """What is written at the leaves of a tree."""
    texts = ElementTree.fromstring(picture).iter(f"{SVG}text")
    return [text[0].tail or "" for text in texts if len(text) and "weight" in (text[0].tail or "")]


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
            below = [weight for other, weight in distinct.items() if other[: len(ids)] == ids]
            assert branch.mass == pytest.approx(sum(below) / sum(distinct.values()))
            assert branch.rows == sum(row.ids[: len(ids)] == ids for row in rows)
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
    drawn = state.tree() if name.endswith("svg") else state.html().replace(f"<style>{STYLE}</style>", "")
    assert drawn.replace("><", ">\n<") + "\n" == (Path(__file__).parent / "golden" / name).read_text(encoding="utf-8")


def test_a_picture_is_a_string() -> None:
    picture = golden().tree()
    assert isinstance(picture, Picture) and picture._repr_html_() == picture
    assert repr(picture).startswith("<Picture: ") and "SVG" in repr(picture) and len(repr(picture)) < 120
    assert golden()._repr_html_() == golden().html()


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="notebook"):
        small_model().state("a").plot()
