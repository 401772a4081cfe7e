"""The compiled automata: slices against walks, stacks of any depth, tables, bounds, interruptions."""

import json
import re
import sys
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from test_regex import row

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine import automaton, masks, node_tables, slices, tables
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.engine.layout import QUEUE, REPEATS, RESULT, UNKNOWN, WALK
from outlines_cont.fsm.engine.masks import mask_cache_of
from outlines_cont.fsm.engine.trie import trie_of
from outlines_cont.fsm.language.nodes import EMPTY, Lazy, Node, alt, cat, chars, opt
from outlines_cont.fsm.language.terms import substitute
from outlines_cont.fsm.language.tries import literal
from outlines_cont.fsm.patterns.characters import utf8
from outlines_cont.fsm.patterns.json_strings import TEXT_SPELLINGS
from outlines_cont.fsm.patterns.parser import parse
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

ANY = TEXT_SPELLINGS["any"]
BYTES = [bytes([i]) for i in range(256)]
V = Vocabulary([b"<eos>", *BYTES], eos=[0])

letters = st.sampled_from(
    ["a", "b", "z", "A", "0", "_", " ", "\n", "é", "ÿ", "ß", "語", "誟", "😀", '"', "\\", "@", "."]
)
pieces = st.tuples(st.lists(letters, min_size=1, max_size=7).map("".join), st.integers(0, 2), st.integers(0, 2)).map(
    lambda p: p[0].encode()[p[1] : len(p[0].encode()) - p[2]]  # a character may be cut at either end
)
vocabularies = st.tuples(st.lists(pieces, max_size=60), st.randoms()).map(
    lambda p: Vocabulary([b"<eos>", *shuffled(BYTES + p[0], p[1])], eos=[0])
)
classes = st.sampled_from(
    [
        "[a-z]",
        "[^a]",
        r"\w",
        r"\S",
        ".",
        "(?s:.)",
        r'[^"\\]',
        "[^@]",
        "[à-þ]",
        "[a-zé]",
        "[^.ÿ]",
        "[ab]",
        "[語-誟]",
        r"[\w.]",
    ]
)
counts = st.sampled_from(["*", "+", "?", "{1,3}", "{2,}", "{0,5}", "{3,20}", "{1,2}"])
patterns = st.recursive(
    st.one_of(
        st.tuples(classes, counts).map("".join),
        st.sampled_from(["a", "foo", "@", "é", "ÿ", r"\n", '"', "語"]),
        st.tuples(classes, counts).map(lambda p: rf'(?:{p[0]}|\\["b]){p[1]}'),
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.tuples(inner, inner, st.sampled_from(["", "*", "{0,2}"])).map(lambda p: f"(?:{p[0]}|{p[1]}){p[2]}"),
    ),
    max_leaves=4,
)


def shuffled(items, random):
    items = list(items)
    random.shuffle(items)
    return items


@pytest.fixture
def sliced(monkeypatch):
    """Small vocabularies are cut, too, and every class at once."""
    constants = (
        (slices, "WORTHWHILE_NODES", 0),
        (slices, "FEW_CHARACTERS", 0),
        (masks, "FEW_CHARACTERS", 0),
        (masks, "TOKENS_FOR_A_SLICE", 0),
        (masks, "STATES_FOR_A_SLICE", 1),
        (masks, "REACHES", (6, 3, 1)),
    )
    for module, name, value in constants:
        monkeypatch.setattr(module, name, value)


def allowed(g, state) -> list[int]:
    return np.flatnonzero(unpack(g.mask(state), len(g.vocabulary))).tolist()


def one_by_one(g, state) -> list[int]:
    """The same, a token at a time."""
    v = g.vocabulary
    return [t for t in range(len(v)) if g.advance(state, t) is not None]


@settings(max_examples=100, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=vocabularies, chosen=st.lists(patterns, min_size=1, max_size=3), seed=st.integers(0, 2**32))
def test_masks_by_slices_allow_what_each_token_by_itself_is_allowed(sliced, v, chosen, seed):
    random = Random(seed)
    guides = [guide.regex(pattern, v) for pattern in chosen]
    mask_cache_of(v).limit = random.choice([1_000, 20_000, 1 << 28])
    met = [(g, g.initial) for g in guides]
    for _ in range(12):
        g, state = random.choice(met)
        expected = one_by_one(g, state)
        assert allowed(g, state) == expected, (g, state)
        assert allowed(g, state) == expected
        if random.random() < 0.1:
            v.clear_caches()
        text = [t for t in expected if t]
        if text:
            met.append((g, g.advance(state, random.choice(text))))


def test_a_real_sized_vocabulary_is_cut_and_allows_the_same(monkeypatch):
    random = Random(0)
    made = {"".join(random.choices('aeiounrst -.,"\\é語', k=random.randint(2, 9))).encode() for _ in range(6000)}
    v = Vocabulary([b"<eos>", *BYTES, *sorted(made)], eos=[0])
    taken: dict[bool, int] = {True: 0, False: 0}
    below = masks.Masks._below

    def counted(self, *args):
        answer = below(self, *args)
        taken[answer[0] is not None] += 1
        return answer

    monkeypatch.setattr(masks.Masks, "_below", counted)
    for pattern in [
        r"[a-z]{1,40}",
        r'"(?:[^"\\\x00-\x1f]|\\["\\n])*"',
        ".{0,200}",
        r"\S+ \S+",
        "[^,]*,[^,]*",
        r"[éa-z]{3,9}!",
    ]:
        g = guide.regex(pattern, v)
        state = g.initial
        for _ in range(6):
            found = allowed(g, state)
            assert found == one_by_one(g, state)
            state = g.advance(state, random.choice(found[1:] or found))
            if g.final(state):
                break
    assert taken[True] > 15


@pytest.mark.parametrize("count", ["{1,30}", "*", "+"])
def test_classes_beyond_ascii_repeat_as_others_do(count):
    def loop(pattern: str) -> tuple[int, int]:
        g = guide.regex(pattern + count, Vocabulary([b"<eos>", *BYTES], eos=[0]))
        return g._automaton.answer(WALK, g.initial)

    answers = [loop(pattern) for pattern in ("[a-z]", "[ぁ-ゖ々]", "[一-龥]", "[à-þ]")]
    assert {tag for tag, _ in answers} == {REPEATS} and len({value & 7 for _, value in answers}) == 1


# -------------------------------------------------------------------------------------------------- JSON strings


class Members(Lazy):
    """The members of an object that has any of some names, each at most once, in any order, and others beside them."""

    __slots__ = ("made", "names", "other", "value")

    def __init__(self, names: frozenset[str], declared: tuple[str, ...], value: Node, made: dict):
        self.nullable, self.names, self.value, self.made = False, names, value, made
        self.other = cat(literal(b'"'), ANY.others(declared), literal(b":"), value)

    @property
    def edges(self) -> list[tuple[Node, Node]]:
        edges = [
            (cat(ANY.quoted(name), literal(b":"), self.value), self.after(self.names - {name}))
            for name in sorted(self.names)
        ]
        return [*edges, (self.other, self.after(self.names))]

    def after(self, names: frozenset[str]) -> Node:
        if names not in self.made:
            self.made[names] = members = Members(names, (), self.value, self.made)
            members.other = self.other
        return alt(EMPTY, cat(literal(b","), self.made[names]))

    def substituted(self, leaf, keep):
        raise NotImplementedError

    def symbols(self) -> set[int]:
        return set(range(256))

    def lengths(self):
        return 4, None


def object_of(names: list[str], value: Node) -> Node:
    members = Members(frozenset(names), tuple(names), value, {})
    return cat(literal(b"{"), alt(EMPTY, members), literal(b"}"))


def inside_json(pattern: str) -> Node:
    """A JSON string whose text matches."""
    return cat(literal(b'"'), substitute(parse(pattern), ANY.characters), literal(b'"'))


json_letters = st.sampled_from(
    [*'ab<"/u06c', "\\", "\\u", "\\u00", "\\u006", "\\u0061", "\\u003C", "\\n", "\\/", "\\ud83d", "\\uDE00", "\\u20"]
    + ["é", "😀", " ", '":"', '","', "\u2028", "\\u2028"]
)
json_pieces = st.tuples(st.lists(json_letters, min_size=1, max_size=5).map("".join), st.integers(0, 1)).map(
    lambda p: p[0].encode()[p[1] :]
)
json_vocabularies = st.tuples(st.lists(json_pieces, max_size=60), st.randoms()).map(
    lambda p: Vocabulary([b"<eos>", *shuffled([b for b in BYTES + p[0] if b], p[1])], eos=[0])
)
json_names = st.lists(st.text('ab</u0é"n', max_size=4), max_size=4, unique=True)
json_values = st.sampled_from(
    [
        *(
            ".",
            "(?s:.)*",
            "(?s:.){0,3}",
            "(?s:.){2,9}",
            "[^<]*",
            "[^<n]{1,5}",
            "[^\\n<a]+",
            "(?s:.)*aa(?s:.)*",
            "[^`-o]*",
        ),
        *("[ab]+", "[^\\x00-\\x1f]{0,4}", "a|(?s:.){2,}", "[é-😀]*", r"[^/\\\\]*", r'[^"]{1,2}<'),
    ]
).map(inside_json)
json_languages = st.one_of(json_values, st.tuples(json_names, json_values).map(lambda p: object_of(*p)))


@settings(max_examples=100, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=json_vocabularies, chosen=st.lists(json_languages, min_size=1, max_size=2), seed=st.integers(0, 2**32))
def test_masks_of_json_strings_allow_what_each_token_by_itself_is_allowed(sliced, v, chosen, seed):
    random = Random(seed)
    guides = [guide.AutomatonGuide(node, v, "some JSON") for node in chosen]
    mask_cache_of(v).limit = random.choice([1_000, 20_000, 1 << 28])
    met = [(g, g.initial) for g in guides]
    for _ in range(16):
        g, state = random.choice(met[-6:])
        expected = one_by_one(g, state)
        assert allowed(g, state) == expected, (g, state)
        if random.random() < 0.1:
            v.clear_caches()
        text = [t for t in expected if t]
        if text:
            met.append((g, g.advance(state, random.choice(text))))


json_kinds = st.sampled_from(
    [
        {},
        {"type": "string"},
        {"type": "string", "minLength": 2},
        {"type": "integer"},
        {"enum": ["a", "ab", '"']},
        {"const": {}},
    ]
)
json_properties = st.dictionaries(st.text('ab</u0é"n', max_size=4), json_kinds, max_size=5)
json_objects = st.tuples(json_properties, st.integers(0, 2)).map(
    lambda p: {"type": "object", "properties": p[0], "required": sorted(p[0])[: p[1]]}
)
json_others = st.tuples(st.lists(st.text('ab</u0é"n', max_size=3), max_size=3, unique=True), st.integers(0, 2)).map(
    lambda p: {"type": "string", "not": {"enum": [*p[0], 1]}, "minLength": p[1]}
)
json_bounded = st.tuples(
    st.sampled_from(
        [r"^(?:\S+\s+){0,9}\S+$", "^[a-u/<]*$", "^(?:[^<]|<a)*$", "a.*b|/+", "^[b-u]*(?:aa|<{6})$", "^[^a]"]
    ),
    st.integers(3, 24),
    st.integers(0, 2),
).map(lambda s: {"type": "string", "pattern": s[0], "maxLength": s[1], "not": {"enum": ["", "ab", "a b"][: s[2]]}})
json_bounded |= st.tuples(json_bounded, json_bounded).map(lambda s: {"anyOf": [*s]})
json_named = st.tuples(
    json_properties, st.sets(st.sampled_from(["^a", "^[^a/]", "b$", "<", "^u0+$", r"^\S"]), min_size=1, max_size=2)
).map(
    lambda s: {
        "type": "object",
        "properties": s[0],
        "patternProperties": {pattern: {"type": "string"} for pattern in sorted(s[1])},
        "additionalProperties": {"type": "integer"},
    }
)
json_schemas = st.one_of(
    json_objects,
    json_others,
    json_bounded,
    json_named,
    json_others.map(lambda s: {"type": "array", "items": s, "uniqueItems": True}),
    json_objects.map(lambda s: s | {"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}),
)


@settings(max_examples=150, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=json_vocabularies, schema=json_schemas, order=st.sampled_from(["any", "schema"]), seed=st.integers(0, 2**32))
def test_masks_of_schemas_allow_what_each_token_by_itself_is_allowed(sliced, v, schema, order, seed):
    """Names that are declared beside all others, and texts that are excluded: where masks are corrected ones."""
    random = Random(seed)
    try:
        g = guide.json_schema(
            schema, v, order=order, extra="schema", whitespace=random.choice(["compact", "flexible"]), spelling="any"
        )
    except ConstraintError as error:  # a required integer "a", where all names that begin with "a" have strings
        assert "matches no string" in str(error)
        reject()
    quote = v.tokens.index(b'"')
    state = g.initial
    for _ in range(24):
        expected = one_by_one(g, state)
        assert allowed(g, state) == expected, (g, state)
        text = [t for t in expected if t]
        if not text:
            break
        state = g.advance(state, quote if quote in text and random.random() < 0.5 else random.choice(text))


def test_masks_where_no_json_string_may_go_on_as_well(sliced):
    """What is no JSON string differs from all of them elsewhere than at a quote."""
    v = Vocabulary([b"<eos>", *BYTES, b"ab", b"a\t", b"\t\t", b'b"', b'\t"', b"\xff"], eos=[0])
    g = guide.json_schema({"type": "string", "not": {"enum": ["ab", "b"]}}, v, spelling="any") | guide.regex(
        '"a?\t*x', v
    )
    for begun in (b'"', b'"a', b'"a\t'):
        state = g.advance_all(g.initial, [v.tokens.index(bytes([c])) for c in begun])
        expected = one_by_one(g, state)
        assert v.tokens.index(b"\t") in expected and allowed(g, state) == expected, begun


@settings(max_examples=300, deadline=None)
@given(
    names=json_names,
    pieces=st.lists(st.tuples(st.sampled_from('ab</u0é"n\\'), st.integers(0, 2)), max_size=5),
    pick=st.data(),
    spelling=st.sampled_from(["plain", "any"]),
)
def test_other_strings_are_all_but_the_names(names, pieces, pick, spelling):
    if names and pick.draw(st.booleans()):
        pieces = [(c, pick.draw(st.integers(0, 2))) for c in pick.draw(st.sampled_from(names))]
    text = "".join(c for c, _ in pieces)
    short = {'"': '\\"', "\\": "\\\\", "/": "\\/"}
    spelled = "".join(
        c if how == 0 and c not in '"\\' else short.get(c, c) if how < 2 else f"\\u{ord(c):04x}" for c, how in pieces
    )
    assert json.loads(f'"{spelled}"') == text
    others = TEXT_SPELLINGS[spelling].others(names)
    right = text not in names and (spelling == "any" or f'"{spelled}"' == json.dumps(text, ensure_ascii=False))
    for node in (others, substitute(others, chars)):  # unfolded there, and here
        machine = Automaton(node)
        state = machine.run(machine.initial, spelled.encode() + b'"')
        assert (state >= 0 and machine.accepting(state)) == right, spelled


@settings(max_examples=60)
@given(
    pieces=st.lists(st.text(st.sampled_from('ab" \\n\\/\\té☃u061'), min_size=1, max_size=9), min_size=1, max_size=30),
    which=st.lists(st.sampled_from([*b'ab"\n\t/ ', 128 + 6]), min_size=1, max_size=4),
    data=st.data(),
)
def test_the_tokens_that_hold_a_character_are_those_that_show_it(pieces, which, data):
    """Below the space what comes after it counts; in a string of JSON, what an escape stands for."""
    v = Vocabulary([b"<eos>", *sorted({piece.encode() for piece in pieces})], eos=[0])
    surveys, escaped = slices.surveys_of(v), data.draw(st.booleans())
    after = data.draw(st.integers(0, 1))  # of a node of the trie that is one byte deep; its number is not looked at
    holding = unpack(surveys.holding(which, after, escaped), len(v))
    for text, held in list(zip(v.tokens, holding, strict=True))[1:]:
        shown = text[after:]
        if escaped and b"\\" in shown:
            assert held == (not slices._occurring(shown).isdisjoint(which))
        else:
            assert held == any(byte in shown for byte in which if byte < 128)


def test_the_samples_tell_of_every_class_which_ones_may_be_like_it():
    for pattern in slices.EVERYDAY_BEYOND:
        ranges = parse(pattern).ranges
        assert ranges in slices._everyday(slices._samples_of(slices._split_at_ascii(ranges)[0]))
    everything = slices._everyday(slices.SAMPLES)
    assert everything == [slices.SURVEYED[0]]  # so nothing else is looked up for a JSON string, and it is prepared


def test_json_strings_of_a_real_sized_vocabulary_are_cut_and_corrected(monkeypatch):
    random = Random(0)
    letters = [*"aeiounrst -.,<é語", "\\n", '\\"', "\\u00e9", "\\ud83d\\ude00", '":"', '","']
    made = {"".join(random.choices(letters, k=random.randint(1, 7))).encode() for _ in range(6000)}
    v = Vocabulary([b"<eos>", *BYTES, *sorted(made - set(BYTES))], eos=[0])
    assert slices.surveys_of(v).possible
    taken = {"sliced": 0, "corrected": 0}
    below, corrected = masks.Masks._below, masks.Masks._corrected

    def counted_below(self, *args):
        answer = below(self, *args)
        taken["sliced"] += answer[0] is not None
        return answer

    def counted_corrected(self, *args):
        answer = corrected(self, *args)
        taken["corrected"] += answer is not None
        return answer

    monkeypatch.setattr(masks.Masks, "_below", counted_below)
    monkeypatch.setattr(masks.Masks, "_corrected", counted_corrected)
    text = inside_json("(?s:.)*")
    for node in [
        text,
        *map(inside_json, ["(?s:.){0,40}", "[^<]*", "[^n<]{2,30}", ".+", "(?s:.)*on(?s:.)*"]),
        object_of(["soon", "so", "no", "é", " a"], text),
        object_of(["soon", "so", "no", " a"], text),
    ]:
        g = guide.AutomatonGuide(node, v, "some JSON")
        for begun in (b"", b'"', b'{"', b'{"s', b'{"so', b'{"so":"x","', b'{"so":"x","soo'):
            state = g._automaton.run(g.initial, begun)
            if state < 0:
                continue
            for _ in range(7):
                found = allowed(g, state)
                assert found == one_by_one(g, state)
                state = g.advance(state, random.choice(found[1:] or found))
                if g.final(state):
                    break
    assert taken["sliced"] > 15 and taken["corrected"] > 5


# ------------------------------------------------------------------------------------------- stacks of any depth


class Brackets(Lazy):
    """( … ) nested to any depth, and side by side: no regular language. What a grammar's rule will look like."""

    __slots__ = ()

    def __init__(self) -> None:
        self.nullable = True

    @property
    def edges(self) -> list[tuple[Node, Node]]:
        return [(literal(b"("), cat(self, literal(b")"), self))]

    def substituted(self, leaf, keep):
        raise NotImplementedError

    def symbols(self) -> set[int]:
        return set(b"()")

    def lengths(self):
        return 0, None


def balanced(text: bytes) -> bool:
    depth = 0
    for c in text:
        depth += 1 if c == ord("(") else -1
        if depth < 0:
            return False
    return depth == 0


@settings(max_examples=200, deadline=None)
@given(text=st.text("()", max_size=14).map(str.encode))
def test_a_node_that_unfolds_to_itself_is_a_pushdown(text):
    machine = Automaton(Brackets())
    state = machine.run(machine.initial, text)
    assert (state >= 0 and machine.accepting(state)) == balanced(text)
    assert (state >= 0) == any(balanced(text + b")" * n) for n in range(len(text) + 1))


def test_ten_thousand_levels():
    g = guide.AutomatonGuide(Brackets(), V, "brackets")
    state, trail = g.initial, []
    for _ in range(10_000):
        trail.append(state)
        state = g.advance(state, 1 + ord("("))
    assert g.forced(state) == b"" and allowed(g, state) == [1 + ord("("), 1 + ord(")")]
    for before in reversed(trail):
        state = g.advance(state, 1 + ord(")"))
        assert g.accepting(state) == (before == g.initial)
    assert len(set(trail)) == 10_000 and g.advance(state, 1 + ord(")")) is None


# ------------------------------------------------------------------------------------------------------- bounds


parts = st.recursive(
    st.sampled_from(["a", "b", "ab", "[ab]", "a{1,2}", "a*b", "(?:b|ba)"]),
    lambda inner: st.tuples(inner, inner, st.sampled_from(["{}{}", "(?:{}|{})", "(?:{}{}?)+"])).map(
        lambda p: p[2].format(*p[:2])
    ),
    max_leaves=3,
)


@settings(max_examples=100, deadline=None)
@given(options=st.tuples(parts, parts), row=st.lists(st.integers(0, 1), max_size=7), end=parts)
def test_what_may_be_left_out_again_and_again_is_what_fullmatch_says(options, row, end):
    """The same node in a row, and others between."""
    nodes = [opt(utf8(parse(option))) for option in options]
    automaton = Automaton(cat(*(nodes[i] for i in row), utf8(parse(end))))
    pattern = "".join(f"(?:{options[i]})?" for i in row) + f"(?:{end})"
    for text in ("".join(letters) for n in range(8) for letters in product("ab", repeat=n)):
        state = automaton.run(automaton.initial, text.encode())
        assert (state >= 0 and automaton.accepting(state)) == (re.fullmatch(pattern, text) is not None), text


def test_what_may_be_left_out_a_thousand_times_is_begun_in_one_place():
    automaton = Automaton(cat(*[opt(cat(literal(b"a"), literal(b"b")))] * 1000))
    state = automaton.run(automaton.initial, b"ab" * 500)
    assert automaton.accepting(state) and len(automaton._leaves(state)) == 1
    assert automaton.run(state, b"ab" * 501) < 0 <= automaton.run(state, b"ab" * 500)


def table_bytes(machine: Automaton) -> int:
    """The memory of an automaton's own tables: of those that have grown, what is used."""
    own = {table: array for table, array in machine._arrays.items() if table not in (RESULT, QUEUE)}
    grown = {table: array for table, array in own.items() if array.base is not machine._block}
    used = [int(machine.memory[table + 1]) * array[:1].nbytes or array.nbytes for table, array in grown.items()]
    return machine._block.nbytes + sum(used)  # (of scratch, all is used)


@pytest.mark.parametrize(
    "pattern",
    [
        *("[a-z]{1,200}", "(?s).{0,2000}", "(a|b|c)*d{3,50}", "(x{1,30}y){1,30}", "((a{1,100}){1,100}){1,100}"),
        "(a?){200}a{200}",
    ],
)
def test_bounded_repetition_costs_what_is_reached(pattern):
    g = guide.regex(pattern, V)
    assert len(g._automaton) == 1
    g.mask(g.initial)
    assert len(g._automaton) < 20 and table_bytes(g._automaton) < 1 << 19
    assert (re.fullmatch(pattern, "x" * 31) is not None) == (g.advance_all(g.initial, [1 + ord("x")] * 31) is not None)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:" + "a?" * 300 + ")*",
        "(?:" + "[ab]?" * 200 + "){3}",
        "((a{1,100}){1,100}){1,100}",
        "(.*a){30}",
        "(.*a.{20}){2}",
    ],
)
def test_patterns_that_could_blow_up_do_not(pattern):
    g = guide.regex(pattern, Vocabulary(V.tokens, V.eos))
    state = g.advance_all(g.initial, [1 + ord("a")] * 150)
    assert state is not None and g.mask(state).any()
    assert table_bytes(g._automaton) < 16 << 20


ENDS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted)


@settings(max_examples=300, deadline=None)
@given(
    inner=ENDS, outer=ENDS, endless=st.sampled_from([0, 1, 2, 3]), body=st.sampled_from(["a", "ab", "(?:a|b)", "a?"])
)
def test_a_counter_of_counters_leaves_out_what_it_should(inner, outer, endless, body):
    (low, high), (least, most) = inner, outer
    one = f"{{{low},{'' if endless & 1 else high}}}"
    two = f"{{{least},{'' if endless & 2 else most}}}"
    pattern = f"(?:(?:{body}){one}){two}"
    machine = Automaton(utf8(parse(f"(?:{pattern})|x")))
    for n in range(12):
        for text in ("a" * n, "ab" * n):
            state = machine.run(machine.initial, text.encode())
            assert (state >= 0 and machine.accepting(state)) == (re.fullmatch(pattern, text) is not None), pattern


def test_equal_wide_masks_are_one_array(sliced):
    v = Vocabulary([b"<eos>", *BYTES, *(bytes([a, b]) for a in range(97, 123) for b in range(97, 123))], eos=[0])
    one, two = (guide.regex(f"(?s:.)*{end}", v) for end in ("XX", "YY"))
    assert one.mask(one.initial) is two.mask(two.initial)
    assert one.masks([one.initial] * 3).strides[0] == 0


def test_a_guide_made_lately_is_found_again():
    v = Vocabulary(V.tokens, V.eos)
    one = guide.regex("[ab]+", v)
    assert guide.regex("[ab]+", v) is one and guide.choice(["a", "b"], v) is guide.choice(["a", "b"], v)
    assert guide.choice(["b", "a"], v) is not guide.choice(["a", "b"], v)
    for n in range(guide.RECENT_GUIDES):
        guide.regex(f"x{{{n}}}", v)
    assert guide.regex("[ab]+", v) is not one
    assert len(v.cache[guide.GUIDES]) == guide.RECENT_GUIDES
    again = guide.regex("[ab]+", v)
    v.clear_caches()
    assert guide.regex("[ab]+", v) is not again and allowed(again, again.initial) == [98, 99]


@pytest.mark.parametrize("state", [-2, 5, 10**9, 2**32, 2**40, 2**70])
def test_a_state_that_is_none_is_refused(state):
    g = guide.regex("ab", V)
    g.mask(g.initial)
    for ask in (g.mask, g.forced, g.accepting, g.complete, lambda s: g.advance(s, 98), lambda s: g.masks([s])):
        with pytest.raises(ValueError, match=f"{state} is no state of this automaton"):
            ask(state)


@pytest.mark.parametrize("token", [np.int32(98), np.int64(98), np.uint8(98)])
def test_tokens_of_any_integer_type(token):
    g = guide.regex("ab", V)
    assert g.advance(g.initial, token) == g.advance(g.initial, 98)


@pytest.mark.parametrize("token", [98.0, "a", None])
def test_other_tokens_and_states_are_refused(token):
    g = guide.regex("ab", V)
    for ask in (
        lambda: g.advance(0, token),
        lambda: g.advance(token, 98),
        lambda: g.mask(token),
        lambda: g.forced(token),
    ):
        with pytest.raises(TypeError):
            ask(token)


# ------------------------------------------------------------------------------------------------- many at a time


@settings(max_examples=100, deadline=None)
@given(pattern=patterns, walk=st.lists(st.integers(0, 255), max_size=8), asked=st.lists(st.integers(0, 99), max_size=8))
def test_many_masks_are_the_masks_one_by_one(pattern, walk, asked):
    g = guide.regex(pattern, V)
    met = [g.initial]
    for pick in walk:
        after = g.advance(met[-1], 1 + pick)
        met.append(g.initial if after is None else after)
    met += [guide.FINAL]
    states = [met[i % len(met)] for i in asked]
    together = g.masks(states)
    assert together.shape == (len(states), (len(V) + 31) // 32) and together.dtype == np.int32
    assert all((row == g.mask(state)).all() for row, state in zip(together, states, strict=True))
    if len(set(states)) == 1:
        assert together.strides[0] == 0


@settings(max_examples=100, deadline=None)
@given(pattern=patterns, texts=st.lists(st.text("ab@é語. ", max_size=6).map(str.encode), max_size=6))
def test_the_table_is_what_steps_say(pattern, texts):
    g = guide.regex(pattern, Vocabulary(V.tokens, V.eos))
    machine = g._automaton
    trails = []
    for text in texts:
        trail = [machine.initial]
        for byte in text:
            trail.append(machine.step(trail[-1], byte))
            if trail[-1] < 0:
                break
        trails.append((text, trail))
    known, accepting = machine.table()
    assert known.shape == (len(machine), 256) and known.dtype == np.int32 and accepting.shape == (len(machine),)
    for text, trail in trails:
        for byte, before, after in zip(text, trail, trail[1:], strict=False):
            assert known[before, byte] == after
    for state in range(len(known)):
        assert accepting[state] == machine.accepting(state)
        reached = row(machine, state)
        assert ((known[state] == reached) | (known[state] == UNKNOWN)).all()


# -------------------------------------------------------------------------------------------------- interruptions


FILES = {automaton.__file__, node_tables.__file__, tables.__file__}


def interrupted_at(line: int, work) -> bool:
    """Whether `work` was cut short by Ctrl-C at the given line of these files, counting those that are run."""
    left = line

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename not in FILES:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_automaton_goes_on_after_ctrl_c_at_any_line():
    node = utf8(parse("(?:[à-þ語]{1,9}|[a-z]+é?|(?:x|yz){2,40}\\d)*"))
    rng = Random(1)
    texts = ["".join(rng.choices("aàxyzé語7", k=30)).encode() for _ in range(40)]

    def ends(machine) -> list[bool]:
        states = [machine.run(machine.initial, text) for text in texts]
        return [state >= 0 and machine.accepting(state) for state in states]

    right = ends(Automaton(node))
    line = 1
    while True:
        machine = Automaton(node)
        if not interrupted_at(line, lambda machine=machine: ends(machine)):
            break
        assert ends(machine) == right
        fresh = Automaton(node)
        assert ends(fresh) == right
        assert len(machine) == len(fresh)
        line += 1 if line < 150 else rng.randint(1, 60)
    assert line > 500


def test_bounds_that_no_token_reaches_are_left_out_of_masks(monkeypatch):
    """A length matters to a mask only where a token may reach it: near the end, and where much has to come yet."""
    random = Random(1)
    letters = [*"aeiou <<-.,é\t", "\\n", '\\"', '":"', '","']
    made = {"".join(random.choices(letters, k=random.randint(1, 6))).encode() for _ in range(6000)}
    v = Vocabulary([b"<eos>", *BYTES, *sorted(made - set(BYTES))], eos=[0])
    without, found = Automaton.unbounded, []

    def counted(self, state, reach=None):
        answer = without(self, state, reach)
        found.append(answer is not None and reach is None)
        return answer

    monkeypatch.setattr(Automaton, "unbounded", counted)
    deepest = trie_of(v).depth
    for pattern in (r"^(?:\S+\s+){0,29}\S+$", "^[a-u .-]*(?:aa|<{6})$", "^(?:[^<]+<)*[^<]{3}$", "^[^a]"):
        for most in (deepest + 2, deepest + 7, 3 * deepest):
            g = guide.json_schema({"type": "string", "pattern": pattern, "maxLength": most}, v, spelling="any")
            state = g.advance(g.initial, v.tokens.index(b'"'))
            for _ in range(24):
                assert state is not None
                expected = one_by_one(g, state)
                assert allowed(g, state) == expected, (pattern, most, state)
                further = [t for t in expected if t and not v.tokens[t].endswith(b'"')]
                if not further:
                    break
                state = g.advance(state, random.choice(further))
    assert sum(found) >= 20, (len(found), deepest)
