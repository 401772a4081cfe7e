"""Pictures of trees: they fit their page, no answer is left out of them, and nothing in them lies on anything else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model
from test_models import shipped_model

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.pictures.markup import SKY, characters, seen
from outlines_cont.pictures.picture import Picture, as_svg
from outlines_cont.pictures.tree import LONGEST, PAGE
from outlines_cont.state.constraint import make_constraint
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece, SpanStop

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Written:
    """A text of a picture: its title, and the box that it takes."""

    text: str
    title: str
    left: float
    right: float
    base: float
    height: float

    def overlaps(self, other: Written) -> bool:
        beside = self.right <= other.left + 0.2 or other.right <= self.left + 0.2
        return not (beside or self.base <= other.base - other.height or other.base <= self.base - self.height)


class Tree:
    """What a picture of a tree says, read from its markup."""

    def __init__(self, picture: str):
        self.root = ElementTree.fromstring(as_svg(Picture(picture)))
        self.legend = "".join(ElementTree.fromstring(picture).find("details").itertext())
        self.body = list(self.root)
        self.texts = [text for part in self.body for text in written(part, "")]

    @property
    def width(self) -> float:
        return float(self.root.attrib["width"])

    def tokens(self) -> dict[tuple[tuple[int, int], ...], str]:
        """All that is written for each (position, id), or for several that have characters in common."""
        texts: dict[tuple[tuple[int, int], ...], str] = {}
        for text in self.texts:
            each = re.findall(r"^\[\.\.\., (\d+)\] token (\d+):", text.title, re.M)
            if each:
                key = tuple((int(at), int(token)) for at, token in each)
                texts[key] = texts.get(key, "") + text.text
        return texts

    def left_out(self) -> int:
        return sum(int(match[1]) for t in self.texts if (match := re.match(r"(\d+) tokens? left out", t.title)))


def written(part: ElementTree.Element, title: str) -> Iterator[Written]:
    titles = [child.text or "" for child in part if child.tag == SVG + "title"]
    title = titles[0] if titles else title
    if part.tag == SVG + "text":
        text = "".join((part.text or "", *((child.tail or "") for child in part)))
        letters, width = float(part.get("font-size", 13)), float(part.attrib["textLength"])
        place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", part.get("transform", ""))
        left, base = map(float, place.groups() if place else (part.attrib["x"], part.attrib["y"]))
        yield Written(text, title, left, left + width, base, 0.75 * letters)
    for child in part:
        yield from written(child, title)


def shown(data: bytes) -> str:
    signs = {"\n": "⏎", "\t": "→", " ": " "}
    return "".join(signs.get(character) or seen(character) for character in characters(data)) or "∅"


def generated(row: Row) -> list[int]:
    return [at for start, end, piece in row.placed if piece.kind == "generated" for at in range(start, end)]


def check(state: oc.SequenceState, tokens: int | None = None) -> Tree:
    """Everything that holds of every tree."""
    tree = Tree(state.tree(**({} if tokens is None else {"tokens": tokens}), rows=200))
    left, top, width, height = map(float, tree.root.attrib["viewBox"].split())
    assert (left, top) == (0, 0) and width == tree.width and "height:auto" in tree.root.attrib["style"]
    for text in tree.texts:
        assert text.left >= 0 and text.right <= width + 0.5
        assert text.base >= text.height and text.base <= height
    for one, other in combinations(tree.texts, 2):
        assert not one.overlaps(other), (one, other)
    spell = state.model.vocabulary.tokens
    rows = [(b, row) for b, group in enumerate(state.rows) for row in group if not row.dead]
    prefixes = {(b, row.ids[: at + 1]) for b, row in rows for at in range(len(row))}
    every = Counter((len(ids) - 1, ids[-1]) for _, ids in prefixes)
    times: Counter[tuple[int, int]] = Counter()
    for each, text in tree.tokens().items():
        whole = shown(b"".join(spell[token] for _, token in each))
        count = len(text) // len(whole)
        assert text == whole * count and all(1 <= count <= every[key] for key in each)
        times.update(dict.fromkeys(each, count))
    assert times.total() + tree.left_out() == len(prefixes), "a token is shown once, or counted where it is left out"
    if tokens is None and max((len(generated(row)) for _, row in rows), default=0) <= LONGEST:
        drawn = {(b, row.ids[: at + 1]) for b, row in rows for at in generated(row)}
        for key, count in Counter((len(ids) - 1, ids[-1]) for _, ids in drawn).items():
            assert times[key] >= count, "an answer is left out"
    check_legend(tree)
    return tree


def check_legend(tree: Tree) -> None:
    """The legend names every sign that is used, and only those."""
    texts = [text.text for text in tree.texts]
    titles = "\n".join(title.text or "" for part in tree.body for title in part.iter(SVG + "title"))
    looks = "\n".join(f"{key}={value}" for part in tree.body for each in part.iter() for key, value in each.items())
    spelled = "".join(text.text for text in tree.texts if " token " in text.title)
    used = {
        "the stop": "■" in "".join(texts),
        "was cut here": "✂" in "".join(texts),
        "width: ": "of its rows" in titles,
        "in the KV tree": "keys and values are kept" in titles,
        "to compute again": "keys and values would be" in titles,
        "of a graft": "stroke-dasharray=6 3" in looks,
        "left out: tokens=… shows more": " left out: " in titles,
        "log-probability of the row": any("weight " in text for text in texts),
        "share of the probability of this tree": any("weight" in text and text.endswith("%") for text in texts),
        "two equal rows": any("×" in text and "weight" in text for text in texts),
        "a space, the end of a line, a tab": any(sign in spelled for sign in " ⏎→"),
        "name of the step": "font-size=9" in looks,
        "drawn from the model": "fill=#0072b2" in looks,
        "left one way": "fill=#d55e00" in looks,
    }
    for words, is_used in used.items():
        assert (words in tree.legend) == is_used, (words, is_used, tree.legend)


# --- random states


@st.composite
def states(draw: st.DrawFn) -> oc.SequenceState:
    """Rows that share their beginnings, of given and generated spans over any bytes."""
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    texts = st.sampled_from(
        [b"a", b"Lisbon", b" is ", b"The end.\nQ: ", "日本ä".encode(), b"\x00<&", b"\xe4", b"ab" * 14]
    )
    rows = [Row().append([spell[bytes([byte])] for byte in draw(texts) * draw(st.integers(1, 5))], kind="prompt")]
    for _ in range(draw(st.integers(0, 9))):
        row = draw(st.sampled_from(rows))
        for _ in range(draw(st.integers(1, 3))):
            ids = [spell[bytes([byte])] for byte in draw(texts | st.just(b""))]
            row = row.append(ids) if draw(st.booleans()) and ids else span(row, model, ids, draw(st.integers(0, 3)))
        rows.append(row)
    return oc.SequenceState(model, [rows], samples=len(rows))


def span(row: Row, model: oc.Model, ids: list[int], kind: int, name: str = "") -> Row:
    """A row with one more generated span: with a stop or without, with a name or without."""
    constraint = make_constraint("text", None, model.vocabulary)
    stop = SpanStop(-0.25, -0.125) if kind % 2 else None
    name = name or ["", "a", "city", "a long name of a step"][kind]
    origin = Origin("generated", len(ids), name or None, constraint, "stop" if stop else "length", stop)
    more = Row(tuple(ids), (-0.5,) * len(ids), (-0.25,) * len(ids), (Piece(origin, 0, len(ids)),))
    return row.join(more)


@settings(max_examples=60, deadline=None)
@given(states())
def test_every_answer_is_in_the_picture_and_nothing_overlaps(state: oc.SequenceState) -> None:
    assert check(state).width <= PAGE


@settings(max_examples=20, deadline=None)
@given(states(), st.integers(1, 30))
def test_a_limit_of_tokens_is_kept(state: oc.SequenceState, tokens: int) -> None:
    tree = check(state, tokens)
    assert tree.width <= PAGE or tokens > 8


# --- chains and beams


def facts(model: oc.Model, sampler: object, links: int) -> oc.SequenceState:
    state = model.state("Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n")
    age = oc.continuous(oc.generate.regex(model, "[0-9]+", sampler), name="age")
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], sampler), name="city")
    job = oc.continuous(oc.generate.choice(model, ["painter", "baker", "sailor"], sampler), name="job")
    chain = "Q: How old is Mira?\nA: " >> age >> "\nQ: Where does Mira live?\nA: " >> city
    return (chain >> "\nQ: What is Mira's job?\nA: " >> job if links == 3 else chain)(state)


def test_sixteen_beams_over_three_links_show_every_answer() -> None:
    state = facts(shipped_model(), oc.samplers.beam_search(16), 3)
    tree = check(state)
    assert tree.width <= PAGE and len(state) == 16
    written = "".join(text.text for text in tree.texts if " token " in text.title)
    assert written.count("Lisbon") + written.count("Porto") >= 14, "the city of each branch"
    names = Counter(text.text for text in tree.texts if text.title.startswith("generated "))
    assert names["city"] >= 14 and names["job"] >= 15 and names["age"] >= 7
    assert "How old is Mira?" in written.replace("⏎", ""), "the question stands where it is shared"


@pytest.mark.parametrize("beams", [1, 5])
def test_names_stand_before_the_beginning_of_their_spans(beams: int) -> None:
    tree = check(facts(shipped_model(), oc.samplers.beam_search(beams), 2))
    names = [text for text in tree.texts if text.title.startswith("generated ")]
    assert {name.text for name in names} == {"age", "city"}
    for name in names:
        after = [t for t in tree.texts if 0 < t.left - name.right < 10 and 0 < t.base - name.base < 10]
        assert after and "model " in after[0].title, "a token that was drawn"


def test_leaves_say_what_their_number_is() -> None:
    tree = check(facts(shipped_model(), oc.samplers.beam_search(3), 2))
    numbers = [text for text in tree.texts if "weight" in text.text]
    assert len(numbers) == 3 and all(re.fullmatch(r"weight −\d+\.\d\d · .*%", text.text) for text in numbers)
    assert all("in nats" in text.title and "stop" in text.title for text in numbers)
    shares = [float(text.text.split(" · ")[1][:-1].split()[-1]) for text in numbers if "er " not in text.text]
    assert sum(shares) == pytest.approx(100, abs=0.5)


def test_a_share_too_small_or_too_large_for_a_number_is_told_in_words() -> None:
    model, few = toy_model(), Row().append([5], kind="prompt")
    for length in (10, 20, 60, 2000):  # tokens of −0.5: the other row is e⁻⁵ to 0 times as likely
        rows = [span(few, model, [6], 0), span(few, model, [7] * (1 + length), 0)]
        tree = Tree(oc.SequenceState(model, [rows], samples=2).tree(tokens=9))
        numbers = [text.text.rpartition(" · ")[2] for text in tree.texts if text.text.startswith("weight")]
        assert numbers == (["99.3%", "0.669%"] if length == 10 else ["over 99.9%", "under 0.1%"])


def test_an_edge_is_no_wider_than_half_the_gap_that_it_crosses() -> None:
    model = toy_model()
    row, rows = Row().append([5], kind="prompt"), []
    for _ in range(40):
        rows.append(span(row, model, [6, 7], 1, "a"))
        row = span(row, model, [8, 9], 0)
    for state in (rows[:2], rows):
        edges = list(Tree(oc.SequenceState(model, [state], samples=len(state)).tree()).root.iter(SVG + "path"))
        edges = [edge for edge in edges if edge.get("stroke") == SKY]
        for edge in edges:
            places = [float(x) for x in re.findall(r"([\d.]+),", edge.get("d", ""))]
            assert float(edge.get("stroke-width", 0)) <= (places[-1] - places[0] + 5.2) / 2
        assert max(float(edge.get("stroke-width", 0)) for edge in edges) > (7 if len(state) == 2 else 2)


def test_a_space_that_hangs_over_a_line_leaves_no_less_room() -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    start = Row().append([spell[b"x"]], kind="prompt")
    places = set()
    for length in range(60, 79):  # characters before a space, which hangs over the line in one case
        texts = [b"a" + b"b" * length + b" c", b"d" * 7 + b" e"]
        rows = [span(start, model, [spell[bytes([byte])] for byte in text], 1, "streets") for text in texts]
        places |= {
            text.left for text in check(oc.SequenceState(model, [rows], samples=2)).texts if text.text == "streets"
        }
    assert len(places) == 1, "a tree for which there is too little room has narrower gaps"


def test_very_long_spans_lose_their_middle_and_it_says_how_much() -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    long, short = ([spell[bytes([byte])] for byte in text] for text in (b"0123456789" * 20, b"short"))
    row = span(span(Row().append(short, kind="prompt"), model, long, 1), model, short, 3)
    tree = check(oc.SequenceState(model, [[row]], samples=1))
    [gap] = [text for text in tree.texts if "left out" in text.title]
    assert gap.text == f"…{200 - LONGEST}…" and gap.title.startswith(f"{200 - LONGEST} tokens left out: '")
    written = "".join(text.text for text in tree.texts if " token " in text.title)
    assert written.endswith("short") and written.startswith("short0123") and "6789short" in written


def test_a_token_wider_than_the_page_is_written_on_several_lines() -> None:
    tokens = [b"<eos>", b"-" * 300, b"x"]
    model = SimpleNamespace(vocabulary=Vocabulary(tokens, eos=[0]), kv_lengths=lambda rows: [1 for _ in rows])
    row = span(Row().append([2], kind="prompt"), small_model(), [1, 2, 1], 1)
    tree = Tree(oc.SequenceState(model, [[row, row.append([2])]], samples=2).tree())
    assert tree.width <= PAGE
    assert "".join(text.text for text in tree.texts if " token " in text.title).count("-") == 600


def test_deep_trees_stay_on_the_page() -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    row, rows = Row().append([spell[b"x"]], kind="prompt"), []
    for depth in range(16):
        rows.append(span(row, model, [spell[b"a"], spell[b"b"]], 1, "a"))
        row = span(row, model, [spell[b"c"], spell[bytes([48 + depth])]], 0)
    assert check(oc.SequenceState(model, [rows], samples=len(rows))).width <= PAGE
