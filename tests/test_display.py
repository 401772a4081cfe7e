"""Pictures of states: what they say is so, and nothing in them is anything but text."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from math import exp
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model

import outlines_cont as oc
from outlines_cont.display.branches import Branch, forest
from outlines_cont.display.marks import marks
from outlines_cont.display.page import STYLE
from outlines_cont.fsm.picture import Picture, characters, readable, seen
from outlines_cont.maker import make
from outlines_cont.row import DEAD, Origin, Piece, Row, Stop

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
    return [marks(state.model, row, k, range(len(row)), ranks) for row, k in zip(rows, kept, strict=True)]


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
@settings(max_examples=60)
def test_whatever_the_tokens_are_a_picture_shows_them_as_text(parts: list[str | bytes]) -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    data = b"".join(p if isinstance(p, bytes) else p.encode("utf-8", "replace") for p in parts) or b"x"
    state = model.state([spell[bytes([byte])] for byte in data])
    page = Reader(state.html(tokens=100))
    assert page.texts() == ["".join(shown(bytes([byte])) for byte in data)]
    assert page.style == STYLE and "prompt" in page.outside
    assert ElementTree.fromstring(state.tree(tokens=100)).tag == SVG + "svg"


def test_names_are_text_too() -> None:
    name = '"><script>x</script>&'
    step = oc.continuous(oc.generate.choice(small_model(), ["ab"], oc.samplers.greedy()), name=name)
    state = step("a")
    signs = Reader(state.html()).signs
    assert [sign["data-n"] for sign in signs if "data-n" in sign] == [name]
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
    guide = oc.generate.regex(model, "(ab|ba?)+c1{2}").maker.guide
    for row, found in zip(state.rows[0], marked(state, ranks=True), strict=True):
        here = guide.initial
        logits = torch.log_softmax(model.hf(torch.tensor([row.ids])).logits[0].double(), -1)
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
            assert mark.probability == pytest.approx(float(law[mark.token].exp()), abs=1e-5)
            assert f"{mark.allowed.tokens} token" in mark.facts and f"rank {place}" in mark.facts
            here = after[mark.token]


def test_a_rank_that_was_not_looked_up_is_bounded_by_the_probability() -> None:
    state = random_walks(small_model(), 5)
    for plain, known in zip(marked(state), marked(state, ranks=True), strict=True):
        for mark, exact in zip(plain, known, strict=True):
            if exact.ranked is not None:
                [bound] = [line for line in mark.facts.splitlines() if line.startswith("rank")]
                assert exact.ranked.place <= int(bound.split()[-1].replace(",", ""))
                assert ("at most" in bound) == (mark.probability < 0.5)


def test_the_bar_is_what_the_tree_holds() -> None:
    model = small_model.__wrapped__()
    state = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))("abc12", max_tokens=4, seed=0)
    for some in (state, state + "-xy", state[..., 1:], state[:, 1]):
        rows = Reader(some.html()).rows
        bars = [sum("k" in names.split() for names, _, _ in row) for row in rows]
        known = some.kv_lengths[0].tolist()
        assert bars[0] == known[0] and all(b == k or b < k <= 12 for b, k in zip(bars, known, strict=True))


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
    with pytest.raises(TypeError, match="tokens='x'"):
        state.tree(tokens="x")


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


def walked(branch: Branch, before: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Branch]]:
    """Every branch with the tokens that lead to its end."""
    here = (*before, *branch.first.ids[branch.begin : branch.end])
    return [(here, branch), *(found for below in branch.branches for found in walked(below, here))]


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
    texts = {"".join(text.itertext()) for text in ElementTree.fromstring(state.tree(tokens=50)).iter(f"{SVG}text")}
    for row in state.rows[0]:
        count = sum(other.ids == row.ids for other in state.rows[0])
        end = f"{row.weight:.2f}".replace("-", "−") + (" ■" if row.finished == "stop" else " ✂")
        assert any(text.endswith(end + (f" ×{count}" if count > 1 else "")) for text in texts)


def golden() -> oc.SequenceState:
    """A row made by hand: its numbers are the same on every machine."""
    model = small_model.__wrapped__()
    tokens = {data: token for token, data in enumerate(model.vocabulary.tokens)}
    a, b, ab, one = (tokens[data] for data in (b"a", b"b", b"ab", b"1"))
    maker = make("choice", ["ab1", "b1"], model.vocabulary)

    def row(ids: list[int], logprobs: list[float], proposals: list[float], stop: float) -> Row:
        origin = Origin("generated", len(ids), "end", maker, "stop", Stop(stop, 0.0))
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


def test_a_picture_is_a_string_with_a_file(tmp_path) -> None:
    picture = golden().tree()
    picture.save(tmp_path / "tree.svg")
    assert isinstance(picture, Picture) and picture._repr_html_() == picture == (tmp_path / "tree.svg").read_text()
    assert repr(picture).startswith("<Picture: ") and "SVG" in repr(picture) and len(repr(picture)) < 120
    assert golden()._repr_html_() == golden().html()


def test_a_chart_draws_the_log_probabilities() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    state = random_walks(small_model(), 2)
    upper, lower = state.plot()
    drawn = [line for line in upper.lines if line.get_label().startswith("[")]
    for row, line, sum_line in zip(state.rows[0], drawn, lower.lines, strict=False):
        places = [at for at, value in enumerate(row.logprobs) if value is not None]
        assert list(line.get_xdata()) == places
        assert list(line.get_ydata()) == [row.logprobs[at] for at in places]
        assert sum_line.get_ydata()[-1] == pytest.approx(sum(row.proposals[at] - row.logprobs[at] for at in places))
    again = state.plot(rows=1, axes=(upper, lower))
    assert again[0] is upper and "first 1 of 3" in upper.get_title()
    model = small_model()
    model.state("a").plot()


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="notebook"):
        small_model().state("a").plot()
