"""Pictures of guides: what is drawn accepts what the guide accepts, and everything is escaped."""

import json
import re
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_regex import SIGMA, matches, regexes, sample

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import automaton_guide, guide
from outlines_cont.fsm.language.nodes import overlap
from outlines_cont.fsm.patterns.character_machines import LONE
from outlines_cont.fsm.patterns.characters import escape_class, utf8
from outlines_cont.fsm.patterns.parser import parse
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.pictures import automaton as labels
from outlines_cont.pictures.graph import JSON, character_graph
from outlines_cont.pictures.layers import Box, layout
from outlines_cont.pictures.picture import Picture

BYTES = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256))], eos=[0])
SVG = "{http://www.w3.org/2000/svg}"
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "ok": {"type": "boolean"}},
    "required": ["name", "age", "ok"],
}
NESTED = 'start: "[" [start ("," start)*] "]" | NAME\nNAME: /[a-z<&]+/'
HOSTILE = [
    "<",
    "&amp;",
    "\"'",
    "\x00",
    "]]>",
    "\x1b[0m",
    "<script>",
    "\u202e",
    "\u0301",
    "\ufffe",
    "\ud7ff",
    "--",
    "\\",
]


def drawn(g):
    """The graph that the drawing of a guide is made of."""
    whole = g._whole(automaton_guide.DRAWN_STATES)
    assert whole is not None
    return character_graph(*whole, g.initial)


def arrows(g) -> list[str]:
    """The drawing in short."""
    found = drawn(g)
    end = {node: f"({node})" if node in found.accepting else str(node) for node in found.nodes}
    return [
        f"{end[source]} {'|'.join(''.join(text for text, _ in labels.way_label(way)) for way in ways)} {end[target]}"
        for source, target, ways in found.edges
    ]


def reads(found, data: bytes) -> bool:
    """Whether a way leads along the edges, byte by byte, to where the string may end."""
    places, seen = {(found.initial, 0)}, set()
    while places:
        node, at = place = places.pop()
        if node in found.accepting and at == len(data):
            return True
        seen.add(place)
        for edge in found.edges:
            if edge.source == node:
                for way in edge.ways:
                    ends = {at}
                    for ranges in way:
                        ends = {end for start in ends for end in symbol_ends(ranges, data, start)}
                    places |= {(edge.target, end) for end in ends} - seen
    return False


def symbol_ends(ranges, data: bytes, start: int):
    """Where one symbol of a class may end: a character's bytes, a spelling of it in JSON, or one byte by itself."""
    if ranges[-1][1] >= JSON:
        for end in range(start + 1, min(start + 12, len(data)) + 1):
            try:
                character = json.loads(b'"%s"' % data[start:end])
            except ValueError:
                continue
            if len(character) == 1 and any(low <= JSON + ord(character) <= high for low, high in ranges):
                yield end
    for end in range(start + 1, min(start + 4, len(data)) + 1):
        try:
            code = ord(data[start:end].decode())
        except (UnicodeDecodeError, TypeError):
            continue
        if any(low <= code <= high for low, high in ranges):
            yield end
    if start < len(data) and data[start] >= 0x80 and any(low <= LONE + data[start] <= high for low, high in ranges):
        yield start + 1


def well_formed(picture: Picture):
    assert isinstance(picture, Picture) and picture._repr_html_() == picture and "<script" not in picture
    return ElementTree.fromstring(picture)


# -------------------------------------------------------------------------------------------------------- what is drawn


def test_runs_of_states_are_one_arrow():
    assert arrows(guide.regex("(ab|cd)*e?", BYTES)) == ["(0) e (3)", "(0) ab|cd (0)"]
    assert arrows(guide.choice(["yes", "no"], BYTES)) == ["0 no|yes (3)"]
    assert arrows(guide.regex("[0-9]{4}-(0[1-9]|1[0-2])", BYTES)) == ["0 [0–9]{4}- 5", "5 0[1–9]|1[0–2] (8)"]
    assert arrows(guide.regex("[a-z]+@x( y)?", BYTES)) == ["0 a–z 1", "1 a–z 1", "1 @x (3)", "(3) ␣y (5)"]


def test_characters_are_drawn_and_not_their_bytes():
    assert arrows(guide.regex('[^"]é[äöü]', BYTES)) == ['0 [any but "]é[ä ö ü] (12)']
    assert arrows(guide.regex(".", BYTES)) == ["0 any but \\n (1)"]
    assert arrows(guide.text(BYTES)) == ["(0) any byte (0)"]
    assert arrows(guide.literal(b"\xc3(\xc3\xa4", BYTES)) == ["0 \\xc3(ä (4)"]
    assert len(drawn(guide.regex(r"\w+", BYTES)).nodes) == 2


def test_a_small_schema_stays_small():
    found = drawn(guide.json_schema(PERSON, BYTES, spelling="any"))
    assert len(found.nodes) == 11
    assert arrows(guide.json_schema(PERSON, BYTES, spelling="any"))[0] == '0 {"name":" 9'
    for value in ({"name": 'Zoë "\\ud83e\\udd99" \n', "age": -12, "ok": True}, {"name": "", "age": 0, "ok": False}):
        for ascii_only in (False, True):
            text = json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)
            assert reads(found, text.encode())
            assert not reads(found, text[:-1].encode()) and not reads(found, text.encode() + b"}")


def shown_labels(g) -> list[str]:
    root = well_formed(g.to_svg())
    return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "string", "maxLength": 3}, {"minLength": 2}, PERSON])
def test_a_json_strings_characters_have_one_label(schema):
    g = guide.json_schema({"type": "string", **schema} if "minLength" in schema else schema, BYTES, spelling="any")
    texts = shown_labels(g)
    assert "any character of a JSON string" in texts and not any("hexadecimal" in text for text in texts)


def test_classes_are_named_by_what_they_hold():
    assert shown_labels(guide.regex(r"\w", BYTES))[0] == "letter, digit or _"
    assert shown_labels(guide.regex(r"[^\s]", BYTES))[0] == "any but whitespace"
    assert shown_labels(guide.regex("[a-f0-9A-F]", BYTES))[0] == "hexadecimal digit"
    pattern = guide.json_schema({"type": "string", "pattern": "^[a-z]+$"}, BYTES, spelling="any")
    assert shown_labels(pattern).count("a–z or its JSON escape") == 2
    by_hand = guide.regex(r'"[^"\\\x00-\x1f]*"', BYTES)
    assert "any character of a JSON string" not in shown_labels(by_hand), "it has no escapes"


def test_a_word_is_written_in_its_own_direction_and_a_single_letter_by_its_number():
    assert shown_labels(guide.regex("שלום", BYTES))[0] == "שלום"
    assert shown_labels(guide.regex("ש", BYTES))[0] == "\\u05e9"
    assert shown_labels(guide.regex("\u0301a", BYTES))[0] == "\\u0301a", "it has nothing to stand on"


@settings(max_examples=40)
@given(pattern=regexes, texts=st.lists(st.text(SIGMA, max_size=5), min_size=6, max_size=6), seed=st.integers(0, 2**32))
def test_a_drawing_accepts_what_fullmatch_accepts(pattern, texts, seed):
    try:
        g = guide.regex(pattern, BYTES)
    except ConstraintError:
        assume(False)
    whole = g._whole(automaton_guide.DRAWN_STATES)
    assume(whole is not None)
    found = character_graph(*whole, g.initial)
    node = utf8(parse(pattern))
    texts = [*texts, *(text for text in (sample(node, Random(seed + i)) for i in range(3)) if text is not None)]
    for text in texts:
        assert reads(found, text.encode()) == matches(pattern, text), (pattern, text)
    well_formed(g.to_svg(60))


CUT = [0x28, 0x41, 0x80, 0x9F, 0xA0, 0xA9, 0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF]


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), states=st.integers(1, 7), density=st.sampled_from([1, 1, 2, 4, 9]))
def test_a_graph_accepts_what_its_automaton_accepts(seed, states, density):
    """Also where bytes are no UTF-8, or only begin so."""
    random = Random(seed)
    table = np.full((states, 256), -1)
    for state in range(states):
        for byte in random.sample(CUT, min(density, len(CUT))):
            table[state, byte] = random.randrange(states)
    accepting = np.array([random.random() < 0.4 for _ in range(states)])
    found = character_graph(table, accepting, 0)
    assert len(set((edge.source, edge.target) for edge in found.edges)) == len(found.edges)
    for _ in range(60):
        state, data = 0, b""
        for _ in range(random.randrange(9)):
            ways = np.flatnonzero(table[state] >= 0).tolist()
            data += bytes([random.choice(ways if ways and random.random() < 0.95 else CUT)])
            state = int(table[state, data[-1]])
            if state < 0:
                break
        assert reads(found, data) == bool(state >= 0 and accepting[state]), data


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 9))
def test_no_label_lies_on_a_node_or_on_another_label(seed, count):
    random = Random(seed)
    pairs = [(random.randrange(i), i) for i in range(1, count)]  # all are reached
    pairs += [(a, b) for a in range(count) for b in range(count) if a != b and random.random() < 0.15]
    edges = list(dict.fromkeys(pairs))
    nodes = {i: Box(32, random.choice([16, 60]), 16) for i in range(count)}
    labels = [Box(random.randrange(8, 90), random.randrange(17, 60), 4) for _ in edges]
    placed = layout(nodes, edges, labels, 0, 22)
    boxes = [(*placed.nodes[i], box) for i, box in nodes.items()]
    boxes += [(*spot, box) for spot, box in zip(placed.labels, labels, strict=True)]
    for i, (x, y, a) in enumerate(boxes):
        assert a.width / 2 - 1e-6 <= x <= placed.width - a.width / 2 + 1e-6
        assert a.above - 1e-6 <= y <= placed.height - a.below + 1e-6
        for other_x, other_y, b in boxes[:i]:
            beside = abs(x - other_x) >= (a.width + b.width) / 2 - 1e-6
            assert beside or y - a.above >= other_y + b.below - 1e-6 or other_y - b.above >= y + a.below - 1e-6


# --------------------------------------------------------------------------------------------------------------- markup


def test_the_parts_of_a_drawing():
    root = well_formed(guide.regex("x(ab|cd)*e?", BYTES).to_svg())
    assert root.tag == SVG + "svg" and root.get("aria-label") == "the pattern 'x(ab|cd)*e?'"
    titles = [title.text for title in root.iter(SVG + "title")]
    assert titles == [
        "0 → 1\nx",
        "1 → 4\ne",
        "1 → 1\nab\ncd",
        "state 0",
        "state 1: the string may end here",
        "state 4: the string may end here",
    ]
    assert len(list(root.iter(SVG + "circle"))) == 3 + 2
    assert all(name.islower() and "script" not in name for name in (part.tag.removeprefix(SVG) for part in root.iter()))


def test_long_labels_are_cut_and_told_in_full_elsewhere():
    options = [f"{'long ' * 20}{chr(97 + i) * 40}" for i in range(12)]
    root = well_formed(guide.choice(options, BYTES).to_svg())
    shown = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    assert all(len(text) <= labels.LABEL for text in shown[:-1]) and "… 7 more" in shown
    titles = "".join(title.text or "" for title in root.iter(SVG + "title"))
    assert all(chr(97 + i) * 40 in titles for i in range(12))
    assert float(root.attrib["width"]) < 900


@pytest.mark.parametrize("text", HOSTILE)
def test_everything_is_escaped(text):
    guides = [
        guide.regex(re.escape(text) + "+", BYTES),
        guide.regex(f"[{re.escape(text)}]x", BYTES),
        guide.choice([text, "other"], BYTES) | guide.literal(text.encode() + b"\xe4", BYTES),
        guide.json_schema({"enum": [text]}, BYTES, spelling="any"),
    ]
    for g in guides:
        for limit in (24, 0):
            picture = g.to_svg(limit)
            well_formed(picture)
            assert all(c.isprintable() or c == "\n" for c in picture)


# ---------------------------------------------------------------------------------------------------------------- table


def rows(picture: Picture) -> list[list[str]]:
    root = well_formed(picture)
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")][1:]


def caption(picture: Picture) -> str:
    return "".join(next(well_formed(picture).iter("caption")).itertext())


def test_a_recursive_grammar_is_a_table():
    v = Vocabulary([b"<eos>", b"[", b"]", b",", b"[]", b"a", b"<b", b"&", b"["], eos=[0])
    picture = guide.grammar('start: "[" [start ("," start)*] "]" | "a"', v).to_svg()
    assert caption(picture).endswith(": the first 20 states of more than 20")
    assert len(rows(picture)) == 20
    assert [row[1:] for row in rows(picture)[:4]] == [
        ["", "no", "", "4", "[ [] a ["],
        ["[", "no", "", "5", "[ ] [] a ["],
        ["[]", "must", "", "0", ""],
        ["[[", "no", "", "5", "[ ] [] a ["],
    ]
    assert "&lt;&amp;" in guide.grammar(NESTED, BYTES).to_svg()


def test_what_remembers_texts_is_a_table():
    schema = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}
    picture = guide.json_schema(schema, BYTES, spelling="any").to_svg()
    first, second, *_ = rows(picture)
    assert first == ["0", "", "no", "[", "1", "["]
    assert second[1:5] == ["[", "no", "", "12"]
    recursive = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    assert "of more than 20" in caption(guide.json_schema(recursive, BYTES, spelling="any").to_svg())


def test_what_is_large_is_a_table_and_says_what_is_left_out():
    assert "the first 20 states of at most 31" in caption(guide.regex("[ab]{30}", BYTES).to_svg(limit=1))
    assert "the first 20 states of more than 20" in caption(guide.regex("[ab]{4000}", BYTES).to_svg())
    assert guide.regex("[ab]{30}", BYTES).to_svg().startswith("<svg"), "one arrow"
    words = ["".join(Random(i).choices("abcdef", k=9)) for i in range(200)]
    assert "the first 20 states of at most" in caption(guide.choice(words, BYTES).to_svg())
    assert caption(guide.regex("a|b", BYTES).to_svg(0)).endswith("all states (2)")
    assert rows(guide.regex("ab?", BYTES).to_svg(0)) == [
        ["0", "", "no", "a", "1", "a"],
        ["1", "a", "yes", "", "1", "b"],
        ["2", "ab", "must", "", "0", ""],
    ]


def test_a_large_vocabulary_is_looked_into_and_not_through():
    v = Vocabulary([b"<eos>", *(f"{i:04}".encode() for i in range(5000)), *(b"%d" % i for i in range(10))], eos=[0])
    picture = guide.grammar('start: "(" start ")" | /[0-9]+/', Vocabulary([*v.tokens, b"(", b")"], [0])).to_svg()
    said = caption(picture)
    assert "by the first 1,000 tokens" in said
    (row,) = [row for row in rows(picture) if row[1] == "0000"]
    assert row[2:5] == ["yes", "", "5,010"]


@settings(max_examples=30, deadline=None)
@given(st.sets(st.sampled_from('ab"\\/\n\t\x00é😀'), min_size=1), st.booleans(), st.sampled_from(["", "x"]), st.data())
def test_characters_that_may_be_escaped_are_read_in_every_spelling(chars, whole, after, data):
    """A JSON string of some characters, or of all: what is drawn accepts what the automaton does, also nearly JSON."""
    pattern = f"^[{''.join(map(re.escape, sorted(chars)))}]{{0,2}}{after}$" if not whole else "^(?s:.)*$"
    g = guide.json_schema({"type": "string", "pattern": pattern}, BYTES, spelling="any")
    found = drawn(g)
    spellings = [*chars, *(json.dumps(c)[1:-1] for c in chars), *(f"\\u{ord(c):04X}" for c in chars if ord(c) < 65536)]
    for _ in range(8):
        text = "".join(data.draw(st.lists(st.sampled_from([*spellings, after, "\\u00", "\\ud83e"]), max_size=3)))
        text = f'"{text}"'.encode()
        state = g.initial
        for byte in text:
            state = None if state is None else g.advance(state, byte + 1)
        assert reads(found, text) == (state is not None and g.accepting(state)), text


def test_classes_have_the_names_that_people_give_them() -> None:
    assert labels.class_label(((48, 57), (97, 98))) == "0–9 a b" and labels.class_label(((32, 32), (228, 228))) == "␣ ä"
    assert labels.class_label(((0, 33), (35, 0xD7FF), (0xE000, 0x10FFFF))) == 'any but "'
    assert labels.class_label(((48, 57), (65, 70), (97, 102))) == "hexadecimal digit"
    assert labels.class_label(overlap(labels.EVERY, escape_class(r"\w", False))) == "letter, digit or _"
