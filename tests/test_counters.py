"""Masks of counted characters before what they may be themselves: `.{0,80}END`."""

import json
import re
from itertools import product
from random import Random

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from test_machine import BYTES, allowed, one_by_one, shuffled, sliced

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine import layout, masks, slices
from outlines_cont.fsm.json_schema import formats
from outlines_cont.fsm.json_schema.strings import accepts
from outlines_cont.fsm.language import lengths
from outlines_cont.fsm.language.graph import GraphState, graph
from outlines_cont.fsm.language.nodes import VOID, symbol
from outlines_cont.fsm.vocabulary import Vocabulary

__all__ = ["sliced"]  # the fixture

LETTERS = 'abzE <-.é語\\"\n'
words = st.text(st.sampled_from(LETTERS), min_size=1, max_size=9)
vocabularies = st.tuples(st.lists(words, max_size=90), st.randoms()).map(
    lambda p: Vocabulary([b"<eos>", *shuffled(BYTES + [word.encode() for word in p[0]], p[1])], eos=[0])
)
SOME = Vocabulary([b"<eos>", *BYTES, *map(str.encode, ("a<", "ab", "é=", "éa<", "b<b", "azzz", "zz=", "q<"))], eos=[0])
bodies = st.sampled_from(
    [".", "(?s:.)", "[a-z]", "[a-z ]", "[^<]", r"[^\n]", r"\w", r"\S", "[^a]", "[a-zé]", "[a-z-]", r'(?:[^"\\]|\\["b])']
)
ranges = st.tuples(st.integers(0, 5), st.one_of(st.none(), st.integers(0, 14))).map(
    lambda p: f"{{{p[0]},{'' if p[1] is None else p[0] + p[1]}}}"
)
markers = st.sampled_from(
    ["", "a", "ab", " -- ", "<", "é", "語a", r"\\", '"', "[a-c]", "[a-z]", "b?", "END", "[^a]", "."]
)
loops = st.tuples(st.sampled_from(["", "a", "[^a]", r"\w"]), bodies, ranges, markers).map("".join)
patterns = st.recursive(
    loops,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
        st.tuples(inner, ranges).map(lambda p: f"(?:{p[0]}){p[1]}"),
    ),
    max_leaves=3,
)


def walked(g, random, steps: int) -> None:
    """Compare the masks along a way through a guide with what each token by itself is allowed."""
    state = g.initial
    for _ in range(steps):
        expected = one_by_one(g, state)
        assert allowed(g, state) == expected != [], (g, state)
        text = [t for t in expected if t]
        if not text:
            break
        longer = [t for t in text if len(g.vocabulary.tokens[t]) > 1]
        state = g.advance(state, random.choice(longer if longer and random.random() < 0.8 else text))


@pytest.mark.usefixtures("sliced")
@settings(max_examples=200, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=vocabularies, pattern=patterns, seed=st.integers(0, 2**32))
@example(v=SOME, pattern="(?:[à-þa-z]{0,3}=|[ -`b-~é][a-z]{0,9})", seed=0)  # what stands before a loop is none
@example(v=SOME, pattern=r"q(?:[à-þa-z]{0,3}=|.{0,9}b)|\n.{1,9}b", seed=0)
def test_masks_of_counters_allow_what_each_token_by_itself_is_allowed(v, pattern, seed):
    walked(guide.regex(pattern, v), Random(seed), 14)


@pytest.mark.usefixtures("sliced")
@settings(max_examples=200, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(
    v=vocabularies,
    pattern=patterns,
    most=st.one_of(st.none(), st.integers(1, 30)),
    spelling=st.sampled_from(["plain", "any"]),
    seed=st.integers(0, 2**32),
)
def test_masks_of_counters_in_json_strings(v, pattern, most, spelling, seed):
    schema = {"type": "string", "pattern": f"^(?:{pattern})$"} | ({} if most is None else {"maxLength": most})
    try:
        g = guide.json_schema(schema, v, spelling=spelling)
    except ConstraintError as error:
        assert "no string" in str(error) or "need over" in str(error), json.dumps(schema)
        reject()
    walked(g, Random(seed), 14)


held = st.lists(st.sampled_from(["[a-z]", "[A-Z]", "[<.-]", "é|語", "a.*b", "^[^é]", "zz?$"]), max_size=3, unique=True)


@pytest.mark.usefixtures("sliced")
@settings(max_examples=150, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=vocabularies, held=held, low=st.integers(0, 3), most=st.integers(3, 40), seed=st.integers(0, 2**32))
def test_masks_of_bounded_strings_that_hold_something(v, held, low, most, seed):
    """As passwords do. A bound that only long tokens reach is asked of these alone."""
    schema = {"type": "string", "minLength": low, "maxLength": most, "allOf": [{"pattern": p} for p in held]}
    try:
        g = guide.json_schema(schema, v)
    except ConstraintError as error:
        assert "no string" in str(error), json.dumps(schema)
        reject()
    walked(g, Random(seed), 14)


AHEAD = [
    r"^(?=.*[a-z])(?=.*é).{3,}$",
    r"^(?=.*[A-Z])(?!.*zz)[^<]{2,9}$",
    r"^(?=[^a])(.*b){1,3}$",
    r"^.{4,30}$",
    r"^(ab|z|é)*$",
    r"^(a{0,4}|z+)$",
    r"^([a-z][^<])*$",
    r"^(.*bab|a{2,5})$",
    r"^.{3,}$",
    r"^[^b]*$",
    r"^a*b$",
]
sized = st.fixed_dictionaries({}, optional={"minLength": st.integers(0, 14), "maxLength": st.integers(3, 40)})
ahead = st.lists(st.sampled_from(AHEAD), max_size=2)


@pytest.mark.usefixtures("sliced")
@settings(max_examples=250, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(v=vocabularies, held=held, ahead=ahead, sizes=sized, text=words, more=words, seed=st.integers(0, 2**32))
@example(v=SOME, held=[], ahead=[r"^(a{0,4}|z+)$"], sizes={"minLength": 6}, text="z", more="zz", seed=2)
@example(v=SOME, held=[], ahead=[r"^([a-z][^<])*$"], sizes={"minLength": 5, "maxLength": 5}, text="z", more="z", seed=0)
@example(v=SOME, held=[], ahead=["^a*b$"], sizes={"minLength": 6}, text="aaa", more="b", seed=0)
@example(v=SOME, held=[], ahead=["^[^a]*$", "^a*$"], sizes={"minLength": 2}, text="z", more="z", seed=0)  # none
@example(v=SOME, held=[], ahead=["^.{4,30}$", "^.{3,}$"], sizes={}, text=9 * "a", more=9 * "b", seed=0)
def test_masks_of_passwords(v, held, ahead, sizes, text, more, seed):
    """A minimum is asked of the tokens that may end the string. The language is that of `re`."""
    schema, named = {"type": "string", **sizes, "allOf": [{"pattern": p} for p in ahead + held]}, seed % 2
    try:
        g = guide.json_schema({"properties": {"p": schema}, "required": ["p"]} if named else schema, v)
    except ConstraintError as error:
        assert "no " in str(error), json.dumps(schema)
        reject()
    walked(g, Random(seed), 20)
    text += more * 3
    right = sizes.get("minLength", 0) <= len(text) <= sizes.get("maxLength", 99)
    right &= all(re.search(p.replace("$", r"\Z"), text) for p in ahead + held)
    said = json.dumps({"p": text} if named else text, ensure_ascii=False, separators=(",", ":")).encode()
    state = g._automaton.run(g.initial & 0xFFFFFFFF, said)
    assert (state >= 0 and g._automaton.accepting(state)) == bool(right), (schema, text)


HELD = [
    *(f"[{c}]" for c in ("a", "az", "A-Z", "<.-", "^a-z", 'E"', "\\\\b", " \n", "é", "^é")),
    "語|z",
    r"\S",
    r"\d",
    r"\W",
    "b",
]
asked = st.lists(st.tuples(st.booleans(), st.sampled_from(HELD)), min_size=1, max_size=4)


@pytest.mark.usefixtures("sliced")
@settings(max_examples=250, deadline=None, suppress_health_check=["function_scoped_fixture"])
@given(
    v=vocabularies,
    asked=asked,
    body=st.sampled_from([".", "(?s:.)", "[^<]", r"\S", "[^a]", "[ -~]", "[a-zA-Z<.-]"]),
    behind=st.sampled_from([*[""] * 12, "b", "<", "(?:a|é)", '"', "-.{0,3}"]),
    low=st.integers(0, 9),
    more=st.integers(0, 12),
    json_text=st.booleans(),
    text=st.text(st.sampled_from(LETTERS + "A9٣"), max_size=14),
    seed=st.integers(0, 2**32),
)
def test_masks_of_strings_of_which_only_the_characters_matter(v, asked, body, behind, low, more, json_text, text, seed):
    """Lookaheads of one character each, before bounded characters: as `re` has them, and as each token by itself."""
    pattern = "".join(f"(?{'=' if wanted else '!'}(?s:.*){held})" for wanted, held in asked)
    pattern += f"{body}{{{low},{low + more}}}{behind}"
    try:
        if json_text:
            g = guide.json_schema({"type": "string", "pattern": f"^{pattern}$"}, v)
        else:
            g = guide.regex(pattern, v)
    except ConstraintError as error:
        assert re.search("matches no|no string|no way", str(error)), (pattern, error)
        reject()
    walked(g, Random(seed), 16)
    said = json.dumps(text, ensure_ascii=False) if json_text else text
    state = g._automaton.run(g.initial, said.encode())
    right = re.fullmatch(pattern, text, re.A if json_text else 0)
    if not json_text or r"\S" not in pattern:  # (of ECMA-262's spaces, some are beyond ASCII)
        assert (state >= 0 and g._automaton.accepting(state)) == bool(right), (pattern, text)


@settings(max_examples=300, deadline=None)
@given(
    met=st.lists(st.integers(0, 3), min_size=3, max_size=3),
    changed=st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 2)), st.integers(0, 4), max_size=3),
    ends=st.lists(st.booleans(), min_size=4, max_size=4),
)
@example(met=[1, 2, 0], changed={(2, 0): 2, (2, 2): 3}, ends=[False, True, False, True])  # the first of two says it
@example(met=[1, 2, 0], changed={}, ends=[False, False, False, True])
def test_what_lasts_tells_how_many_symbols_are_left(met, changed, ends):
    """Of a graph whose states are what was met, and of others like it: for all short strings, one symbol at a time."""
    rows = [[changed.get((i, c), i | met[c]) for c in range(3)] for i in range(4)]
    node = graph([[(symbol(97 + c), j) for c, j in enumerate(row) if j < 4] for row in rows], ends)
    if not isinstance(node, GraphState):
        reject()
    lasting = lengths._Minimums(node.graph).lasting(frozenset([node.index]))
    assert lasting or changed or ends != [False, False, False, True]
    for text in (t for size in range(1, 5) for t in product("abc", repeat=size) if lasting):
        state: int | None = node.index
        for c in text:
            ways = {label.ranges[0][0]: j for label, j in node.graph.leaving(state)} if state is not None else {}
            state = ways.get(ord(c))
        left = [left for kept, left in lasting if all(any(a <= ord(c) <= b for a, b in kept) for c in text)]
        assert left[-1:] == ([] if state is None else [node.graph.shortest(state)]), (rows, text)


NAMES = st.text("aab.-", max_size=12)


@settings(max_examples=200, deadline=None)
@given(
    form=st.sampled_from(["email", "idn-email", "hostname"]),
    patterns=st.lists(
        st.sampled_from(["^.{6,20}$", "^.{3,}$", "^(?=.*a).{5,20}$", "b", "^[^-]*$", "^.*$"]), max_size=3
    ),
    sizes=sized,
    texts=st.lists(st.one_of(NAMES, st.tuples(NAMES, NAMES).map("@".join), st.just("a@" + 252 * "b")), min_size=9),
)
def test_formats_beside_patterns_that_count(form, patterns, sizes, texts):
    strict = {"type": "string", "format": form, **sizes, "allOf": [{"pattern": p} for p in patterns]}
    try:
        g = guide.json_schema(strict, SOME)
    except ConstraintError as error:
        assert "no " in str(error), strict
        reject()
    for text in texts:
        right = sizes.get("minLength", 0) <= len(text) <= sizes.get("maxLength", 999)
        right &= accepts(formats.language(form) or VOID, text) and all(re.search(p, text) for p in patterns)
        state = g._automaton.run(g.initial & 0xFFFFFFFF, json.dumps(text).encode())
        assert (state >= 0 and g._automaton.accepting(state)) == right, (strict, text)


@pytest.mark.usefixtures("sliced")
def test_a_bound_is_asked_of_long_tokens_alone(monkeypatch):
    made, whole = [], masks.Masks._hardly_bounded

    def counted(self, state):
        made.append(whole(self, state))
        return made[-1]

    monkeypatch.setattr(masks.Masks, "_hardly_bounded", counted)
    patterns = [{"pattern": p} for p in ("ab|zE", "[A-Z]", "<")]
    for seed in range(20):
        walked(guide.json_schema({"type": "string", "maxLength": 9, "allOf": patterns}, SOME), Random(seed), 14)
    assert any(made)


@pytest.fixture
def taken(monkeypatch):
    """How many masks were made by a slice beside another way on, and of how many in two parts."""
    count = {"beside": 0, "parted": 0}
    below, recipe = masks.Masks._below, masks.Masks._recipe

    def counted_below(self, root, state, walked, cache):
        answer = below(self, root, state, walked, cache)
        count["beside"] += answer[0] is not None and walked[1] % 8 & layout.FREE > 0
        return answer

    def counted_recipe(self, state, walked, cache):
        count["parted"] += walked[0] == layout.PARTED
        return recipe(self, state, walked, cache)

    monkeypatch.setattr(masks.Masks, "_below", counted_below)
    monkeypatch.setattr(masks.Masks, "_recipe", counted_recipe)
    return count


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("<think>.{0,60}</think>yes", "<think>" + "so it is <b then" * 3 + "</think>yes"),
        (r"Why: .{20,60}\. So: [A-D]", "Why: " + "aeiou. nst, é語. " * 3 + ". So: B"),
        ("(.{1,12}; ){1,9}", "aeiou; - a é; ; ; " * 3),
        (r"([A-Z].{4,60}\. ){1,5}", "Aeiou. Es ist. Es. Und. Ein. " * 2),
        ("[a-z ]{0,40}end", "so it is then" * 3 + "end"),
    ],
)
def test_counters_of_a_real_sized_vocabulary_are_cut_up_to_their_limits(taken, pattern, text):
    random = Random(0)
    made = {"".join(random.choices('aeiounrst -.,;<"\\é語ES', k=random.randint(2, 9))).encode() for _ in range(6000)}
    v = Vocabulary([b"<eos>", *BYTES, *sorted(made | {b". So", b"; a", b"end", b"</t", b"nd."})], eos=[0])
    assert slices.surveys_of(v).possible
    g = guide.regex(pattern, v)
    state, done = g.initial, text.encode()
    while done:
        assert allowed(g, state) == one_by_one(g, state), done
        size = next((n for n in range(random.randint(1, 4), 0, -1) if done[:n] in v.tokens), 1)
        state, done = g.advance(state, v.tokens.index(done[:size])), done[size:]
        if state is None:
            break
    assert taken["beside"] > 5, taken
    assert taken["parted"] > 0 or "A-Z]." not in pattern, taken


def test_an_automaton_whose_states_are_met_as_parts_first_stays_right():
    """The rest of a state may be a state that a step leads to later: what it repeats is then known already."""
    random = Random(3)
    made = {"".join(random.choices("aeiou Bé.", k=random.randint(2, 7))).encode() for _ in range(3000)}
    v = Vocabulary([b"<eos>", *BYTES, *sorted(made)], eos=[0])
    g = guide.regex(r"(?:[aB].{2,30}\. |B.{0,9}é|a.{3,40}oo){1,9}", v)
    for text in (b"Baeiou B. a", b"aaeioo", b"aaeioo Ba. ", b"Ba\xc3\xa9aaa. B"):
        for stop in range(len(text)):
            state = g._automaton.run(g.initial, text[:stop])
            if state >= 0:
                assert allowed(g, state) == one_by_one(g, state), text[:stop]
