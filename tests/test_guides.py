"""Guides: masks are sound and complete (law 10), states are values, and every way to say a language says the same."""

import re
import re._parser as sre_parser  # type: ignore[import-not-found]
import threading
from functools import cache
from itertools import product
from random import Random
from weakref import ref

import numpy as np
import pytest
from guides import check_guide
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.masks import mask_cache_of
from outlines_cont.fsm.engine.trie import trie_of
from outlines_cont.fsm.protocol import Guide, concatenated, with_defaults
from outlines_cont.fsm.vocabulary import Vocabulary, pack, unpack

BYTES = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256))], eos=[0])


def allowed(g, state) -> set[int]:
    mask = g.mask(state)
    size = len(g.vocabulary)
    assert mask.dtype == np.int32 and mask.shape == ((size + 31) // 32,) and not mask.flags.writeable
    return set(np.flatnonzero(unpack(mask, size)).tolist())


# Small vocabularies that cut characters, contain one another, repeat, are empty, or cannot spell every byte alone.
PIECES = [
    b"a",
    b"b",
    b"ab",
    b"ba",
    b"aab",
    b"bb",
    "é".encode(),
    b"\xc3",
    b"\xa9",
    b"a\xc3",
    b"\xa9b",
    b"",
    b"c",
    b"\xff",
]
vocabularies = st.tuples(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.integers(1, 2), st.booleans(), st.randoms()
).map(lambda args: make_vocabulary(*args))


def make_vocabulary(tokens, ends, with_special, random):
    """Text tokens, eos tokens and perhaps a special token that looks like text, in any order."""
    marked = [(token, "") for token in tokens] + [(b"<eos>", "eos")] * ends
    marked += [(b"a", "special")] if with_special else []
    random.shuffle(marked)
    kinds = [kind for _, kind in marked]
    return Vocabulary(
        [token for token, _ in marked],
        eos=[i for i, kind in enumerate(kinds) if kind == "eos"],
        special=[i for i, kind in enumerate(kinds) if kind == "special"],
    )


def live_prefixes(language: frozenset[bytes], v: Vocabulary):
    """The oracle for finite languages: whether tokens can complete a prefix to some string."""
    tokens = {v.tokens[i] for i in v.text_ids}
    begun = {word[:n] for word in language for n in range(len(word) + 1)}

    @cache
    def live(prefix: bytes) -> bool:
        return prefix in begun and (prefix in language or any(live(prefix + token) for token in tokens))

    return live


def spelled(data: bytes, v: Vocabulary) -> bool:
    """Whether data is a sequence of text tokens."""
    tokens = {v.tokens[i] for i in v.text_ids}
    good = {0}
    for start in range(len(data)):
        if start in good:
            good |= {start + len(token) for token in tokens if data.startswith(token, start)}
    return len(data) in good


def check_everywhere(g, v: Vocabulary, language: frozenset[bytes]):
    """Follow every token sequence and compare all that the guide says with the oracle."""
    live = live_prefixes(language, v)
    todo, seen = [(b"", g.initial)], {b""}
    while todo:
        prefix, state = todo.pop()
        right = {int(t) for t in v.text_ids if live(prefix + v.tokens[t])}
        expected = right | (set(v.eos) if prefix in language else set())
        assert allowed(g, state) == expected, prefix
        assert g.accepting(state) == (prefix in language)
        assert g.complete(state) == (prefix in language and not right)
        assert not g.final(state)
        for token in range(len(v)):
            after = g.advance(state, token)
            assert (after is not None) == (token in expected)
            if after is not None and token in v.eos:
                assert g.final(after) and g.complete(after) and g.forced(after) == b"" and not g.mask(after).any()
                assert all(g.advance(after, t) is None for t in range(len(v)))
            elif after is not None and prefix + v.tokens[token] not in seen:
                seen.add(prefix + v.tokens[token])
                todo.append((prefix + v.tokens[token], after))
        forced = g.forced(state)
        assert not (forced and prefix in language)
        for word in language:
            if word.startswith(prefix) and spelled(word[len(prefix) :], v):
                assert word.startswith(prefix + forced)


words_of = st.lists(st.text("abé", max_size=4), min_size=1, max_size=6, unique=True)
finite_patterns = st.recursive(
    st.sampled_from(["a", "b", "é", "[ab]", "[^a]", ".", "ab", "(a|é)"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
        st.tuples(inner, st.sampled_from(["?", "{2}", "{0,2}", "??"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
    ),
    max_leaves=4,
)
SMALL = ["".join(letters) for n in range(5) for letters in product("abéc", repeat=n)]


def guide_or_none(make, v, language):
    """The guide, or None where no string of the language can be spelled (and then a ConstraintError says so)."""
    if live_prefixes(language, v)(b""):
        return make()
    with pytest.raises(ConstraintError, match="cannot be spelled with this vocabulary"):
        make()
    return None


@settings(max_examples=300, deadline=None)
@given(options=words_of, v=vocabularies)
def test_a_choice_allows_exactly_what_can_still_be_finished(options, v):
    language = frozenset(option.encode() for option in options)
    g = guide_or_none(lambda: guide.choice(options, v), v, language)
    if g is not None:
        check_everywhere(g, v, language)


@settings(max_examples=300, deadline=None)
@given(pattern=finite_patterns, v=vocabularies)
def test_a_pattern_allows_exactly_what_can_still_be_finished(pattern, v):
    assume(sre_parser.parse(pattern).getwidth()[1] <= 4)  # other characters than SMALL's cannot be spelled
    language = frozenset(text.encode() for text in SMALL if re.fullmatch(pattern, text))
    g = guide_or_none(lambda: guide.regex(pattern, v), v, language)
    if g is not None:
        check_everywhere(g, v, language)


@settings(max_examples=300, deadline=None)
@given(one=words_of, two=words_of, data=st.binary(max_size=3), v=vocabularies)
def test_sum_and_union_are_those_of_languages(one, two, data, v):
    first, second = ({w.encode() for w in words} for words in (one, two))
    full = Vocabulary([*v.tokens, *(bytes([b]) for b in {*b"ab\xc3\xa9", *data})], v.eos, v.special)
    for g, language in [
        (guide.choice(one, full) + guide.choice(two, full), {a + b for a in first for b in second}),
        (guide.choice(one, full) | guide.choice(two, full), first | second),
        (guide.choice(one, full) + guide.literal(data, full), {a + data for a in first}),
    ]:
        check_everywhere(g, full, frozenset(language))


@settings(max_examples=300, deadline=None)
@given(
    pattern=st.sampled_from(["(ab)*", "a*b", "(aab|b)*", "(a|ba)+", "[ab]*é", "(é|ab)*a?", "(aa)*", "(bab|é)+", ".*"]),
    v=vocabularies,
    walk=st.lists(st.integers(0, 20), max_size=6),
)
def test_endless_languages_too(pattern, v, walk):
    texts = sorted({v.tokens[t] for t in v.text_ids})

    def matches(data: bytes) -> bool:
        try:
            return re.fullmatch(pattern, data.decode()) is not None
        except UnicodeDecodeError:
            return False

    @cache
    def reach(prefix: bytes, depth: int = 4) -> bool:
        """By trying everything: these languages have small automata, so what can be finished at all, can be soon."""
        return matches(prefix) or (depth > 0 and any(reach(prefix + token, depth - 1) for token in texts))

    if not reach(b""):
        with pytest.raises(ConstraintError):
            guide.regex(pattern, v)
        return
    g = guide.regex(pattern, v)
    state, prefix = g.initial, b""
    for pick in walk:
        right = [int(t) for t in v.text_ids if reach(prefix + v.tokens[t])]
        assert allowed(g, state) == set(right) | (set(v.eos) if matches(prefix) else set()), (prefix, texts)
        if not right:
            break
        token = right[pick % len(right)]
        state, prefix = g.advance(state, token), prefix + v.tokens[token]


# ------------------------------------------------------------------------------------------------ random walks


def walk(g, random, length: int = 40) -> bytes | None:
    """Text by uniform choice among the allowed tokens; None if it got too long."""
    state, ids, data = g.initial, [], b""
    for _ in range(length):
        choices = sorted(allowed(g, state))
        assert choices, "a dead end"
        forced = g.forced(state)
        token = random.choice(choices)
        if g.complete(state) or (g.accepting(state) and random.random() < 0.3):
            assert state == g.advance_all(g.initial, ids)  # states are values: replaying leads to the same one
            return data
        if token in g.vocabulary.eos:
            continue
        state = g.advance(state, token)
        ids.append(token)
        data += g.vocabulary.tokens[token]
        assert g.vocabulary.tokens[token].startswith(forced) or forced.startswith(g.vocabulary.tokens[token])
    return None


RICH = Vocabulary(
    [
        b"<eos>",
        *(bytes([b]) for b in range(256)),
        "é".encode(),
        "語".encode(),
        b"12",
        b"0-",
        b"ab",
        b'"}',
        b'{"',
        b'":',
        b"\xa9a",
    ],
    eos=[0],
)


@settings(max_examples=300, deadline=None)
@given(
    pattern=st.sampled_from(
        [
            r"[a-z]{1,20}",
            r"(?i)k\w{0,3}",
            r"\d+(\.\d+)?",
            "é+|語{2,4}",
            r"[^a-z\n]{3}",
            "(0-|12)+",
            r"\S+\s?",
            "(?s).{0,9}",
        ]
    ),
    seed=st.integers(0, 2**32),
)
def test_every_walk_ends_in_the_language(pattern, seed):
    data = walk(guide.regex(pattern, RICH), Random(seed))
    assert data is None or re.fullmatch(pattern, data.decode())


def test_text_is_anything():
    g = guide.text(RICH)
    assert allowed(g, g.initial) == set(range(len(RICH)))
    state = g.advance_all(g.initial, [0xFF, 0xC4, 0xAA])
    assert g.accepting(state) and not g.complete(state) and g.forced(state) == b""


# --------------------------------------------------------------------------------------------------- the interface


def test_the_states_of_equal_guides_mean_the_same():
    one, two = (guide.regex("a(b|é)*", v) for v in (RICH, Vocabulary(RICH.tokens, RICH.eos)))
    assert one is not two
    ids = [1 + ord("a"), 257, 1 + ord("b")]
    for n in range(4):
        s, t = one.advance_all(one.initial, ids[:n]), two.advance_all(two.initial, ids[:n])
        assert (one.mask(s) == two.mask(t)).all() and one.accepting(s) == two.accepting(t)


def test_forced_bytes():
    g = guide.regex("(hello|help)( wörld)?", BYTES)
    assert g.forced(g.initial) == b"hel"
    state = g.advance_all(g.initial, [1 + b for b in b"help"])
    assert g.accepting(state) and g.forced(state) == b""
    assert g.forced(g.advance(state, 1 + ord(" "))) == "wörld".encode()


def test_repr_and_attributes():
    g = guide.literal(b"x", BYTES) + (guide.regex("[0-9]+", BYTES) | guide.choice(["a", "b"], BYTES))
    assert g.vocabulary is BYTES
    assert repr(g).startswith(
        "<Guide (the literal b'x' + (the pattern '[0-9]+' | the choice ['a', 'b'])), 257 tokens, "
    )


def test_tokens_outside_the_vocabulary():
    g = guide.regex("a", BYTES)
    for token in (-1, 257):
        with pytest.raises(IndexError, match=f"token {token} is not in a vocabulary of 257 tokens"):
            g.advance(g.initial, token)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda v: guide.regex("[^\\s\\S]", v), ConstraintError, "the pattern '[^\\\\s\\\\S]' matches no string"),
        (lambda v: guide.regex("a€", v), ConstraintError, "the pattern 'a€' cannot be spelled with this vocabulary: "
         "no token has byte 0x82, byte 0xAC, byte 0xE2"),
        (lambda v: guide.regex("xa", v), ConstraintError,
         "the pattern 'xa' cannot be spelled with this vocabulary: no token has 'x'"),
        (lambda v: guide.regex("ax|ayz|by", v), ConstraintError, "vocabulary: no token has 'x', 'y'"),
        (lambda v: guide.regex("zyxwvutsrq?", v), ConstraintError,
         "vocabulary: no token has 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', …"),
        (lambda v: guide.regex("b", v), ConstraintError, "the pattern 'b' cannot be spelled with this vocabulary: "
         "no sequence of its tokens matches"),
        (lambda v: guide.choice([], v), ConstraintError, "a choice between no options"),
        (lambda v: guide.choice(["a", "b", "a"], v), ValueError, "the option 'a' is given twice in a choice of 3"),
        (lambda v: guide.choice(["a", 1], v), TypeError, "the options of a choice are strings, not int: 1"),
        (lambda v: guide.choice("ab", v), TypeError, "a choice is between several strings; got the one string 'ab'"),
        (lambda v: guide.choice(["\ud800"], v), ConstraintError, "the option '\\ud800' is not Unicode text"),
        (lambda v: guide.literal("a", v), TypeError, "a literal is bytes, not str"),
        (lambda v: guide.regex(b"a", v), TypeError, "a pattern is a str, not bytes"),
        (lambda v: guide.text(v) + guide.text(BYTES), ValueError, "are about different vocabularies"),
    ],
)  # fmt: skip
def test_errors(make, error, message):
    v = Vocabulary([b"<eos>", b"a", b"ab"], eos=[0])
    with pytest.raises(error) as caught:
        make(v)
    assert message in str(caught.value)
    assert type(caught.value) is error


def test_ten_thousand_options():
    options = [f"option {i}: {i * 7919 % 10007}" for i in range(10_000)]
    g = guide.choice(options, BYTES)
    for option in options[::997]:
        state = g.advance_all(g.initial, [1 + b for b in option.encode()])
        assert state is not None and g.accepting(state)
    assert g.forced(g.initial) == b"option "


def test_large_counters_cost_nothing_until_they_are_reached():
    g = guide.regex("(?s).{0,2000}", BYTES) + guide.regex("[a-z]{1,200}!", BYTES)
    assert "states met" in repr(g) and len(g._automaton) == 1
    state = g.advance_all(g.initial, [1 + ord("q")] * 2200 + [1 + ord("!")])
    assert g.complete(state)
    assert g.advance_all(g.initial, [1 + ord("q")] * 2201 + [1 + ord("!")]) is None


# ------------------------------------------------------------------------------------------------------ the protocol


class Evens:
    """A guide as a third party writes it: texts with an even number of `a`, over any vocabulary.

    Its states are pairs: whether the number is odd, and whether the text has ended.
    """

    initial = (False, False)

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary = vocabulary

    def __repr__(self) -> str:
        return "<Evens>"

    def mask(self, state: tuple[bool, bool]) -> np.ndarray:
        odd, ended = state
        allowed = np.zeros(len(self.vocabulary), bool)
        if not ended:
            allowed[self.vocabulary.text_ids] = True
            allowed[list(self.vocabulary.eos)] = not odd
        return pack(allowed)

    def advance(self, state: tuple[bool, bool], token: int) -> tuple[bool, bool] | None:
        if not 0 <= token < len(self.vocabulary):
            raise IndexError(token)
        odd, ended = state
        if token in self.vocabulary.eos:
            return None if odd or ended else (False, True)
        spelled = b"" if token in self.vocabulary.special else self.vocabulary.tokens[token]
        return None if ended or not spelled else (odd ^ spelled.count(b"a") % 2 == 1, False)

    def accepting(self, state: tuple[bool, bool]) -> bool:
        return not state[0]


FEW = Vocabulary([b"<eos>", b"a", b"b", b"ab", b"<tool>", b"", b"aab", b"</s>"], eos=[0, 7], special=[4])
OBJECT = {"type": "object", "properties": {"a": {"type": "integer"}}}
UNIQUE = {"type": "array", "items": {"enum": [1, 2, 12]}, "uniqueItems": True}
TREE = {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}, "maxItems": 2}}}


@pytest.mark.parametrize(
    ("make", "texts"),
    [
        (lambda: guide.regex("(hello|help)( wörld)?", RICH), ["hello", "help wörld", b"help"]),
        (lambda: guide.regex("[ab]{0,3}b", FEW), [[2], [3, 2], "aab"]),
        (lambda: guide.choice(["blue sky", "blue sea"], BYTES), ["blue sky"]),
        (lambda: guide.json_schema(OBJECT, RICH, spelling="any"), ['{"a":12}']),
        (lambda: guide.json_schema(UNIQUE, RICH, spelling="any"), ["[1,12]", "[12,2,1]"]),
        (lambda: guide.json_schema(TREE, RICH, spelling="any"), ["[[],[[]]]"]),
        (lambda: guide.grammar('start: "(" start ")" | "x"', BYTES), ["((x))"]),
        (lambda: guide.text(FEW), [[], [1, 2, 3]]),
        (lambda: guide.literal(b"ab12", RICH), [[1 + ord("a"), 1 + ord("b"), 259]]),
        (lambda: guide.literal(b"a", FEW) + (guide.text(FEW) | guide.literal(b"b", FEW)), ["a", "abab"]),
        (lambda: Evens(FEW), ["", "aab", [1, 2, 1]]),
        (lambda: Evens(RICH), ["", "aéa"]),
    ],
)  # fmt: skip
def test_the_laws_of_guides_hold(make, texts):
    check_guide(make(), texts)


def broken(**members):
    """`Evens`, with some members that are wrong."""
    return type("Broken", (Evens,), members)(FEW)


def all_tokens(self, state):
    return pack(np.ones(len(FEW), bool))


@pytest.mark.parametrize(
    ("wrong", "law"),
    [
        (lambda: broken(mask=lambda self, s: Evens.mask(self, s).astype(np.int64)), "a mask is an int32 array"),
        (lambda: broken(mask=lambda self, s: np.zeros(2, np.int32)), "a mask has .* words"),
        (lambda: broken(mask=lambda self, s: Evens.mask(self, s) | np.int32(1 << 9)), "bits beyond the vocabulary"),
        (lambda: broken(mask=all_tokens), "special tokens are not allowed"),
        (lambda: broken(mask=lambda self, s: Evens.mask(self, s) & ~np.int32(1)), "eos is allowed if and only if"),
        (lambda: broken(mask=lambda self, s: Evens.mask(self, s) & ~np.int32(2)), "mask and advance agree"),
        (lambda: broken(mask=lambda self, s: Evens.mask(self, s) * (not s[0])), "there are no dead ends"),
        (lambda: broken(advance=lambda self, s, t: s), "after eos, nothing is allowed"),
        (lambda: broken(advance=lambda self, s, t: Evens.advance(self, s, t) if t - 2 else None), "mask and advance"),
        (lambda: broken(advance=lambda self, s, t: Evens.advance(self, s, t % 8)), "raises IndexError"),
        (lambda: broken(initial=[False, False]), "states are hashable"),
        (lambda: broken(masks=lambda self, states: np.stack([self.mask(self.initial)] * len(states))), "masks stacks"),
        (lambda: broken(complete=lambda self, s: not s[0]), "complete: it accepts, and allows nothing but eos"),
        (lambda: broken(forced=lambda self, s: b"a" if s[0] else b""), "forced bytes begin every continuation"),
        (lambda: broken(forced=lambda self, s: b"a"), "nothing is forced where the text may end"),
    ],
)  # fmt: skip
def test_the_check_finds_what_is_broken(wrong, law):
    with pytest.raises(AssertionError, match=law):
        check_guide(wrong())


def test_the_check_finds_texts_that_are_not_accepted():
    with pytest.raises(AssertionError, match="the guide accepts 'ab'"):
        check_guide(Evens(FEW), ["ab"])
    with pytest.raises(AssertionError, match="does not accept after the tokens"):
        check_guide(Evens(FEW), [[1]])


def test_defaults_are_for_what_a_guide_lacks():
    ours, theirs = guide.regex("a", FEW), Evens(FEW)
    assert with_defaults(ours) is ours and isinstance(ours, Guide) and isinstance(theirs, Guide)
    full = with_defaults(theirs)
    assert with_defaults(full) is full and full == with_defaults(theirs) and hash(full) == hash(with_defaults(theirs))
    assert (
        with_defaults(theirs) is full
        and full != with_defaults(Evens(FEW))
        and repr(full) == "<Evens>"
        and full.initial == theirs.initial
    )
    assert full.masks([]).shape == (0, 1) and full.masks([(True, False), (False, True)]).tolist() == [[0b01001110], [0]]
    assert full.forced(full.initial) == b"" and full.complete((False, True)) and not full.complete(full.initial)
    assert with_defaults(broken(forced=lambda self, s: b"b")).forced(full.initial) == b"b"  # its own
    unhashable = broken(masks=all_tokens, complete=Evens.accepting, forced=lambda self, s: b"", __hash__=None)
    assert with_defaults(unhashable) is not unhashable and {with_defaults(unhashable): 1}
    wrapper = ref(with_defaults(Evens(FEW)))
    assert wrapper() is None  # it lives as long as somebody holds it, and is no circle
    with pytest.raises(TypeError, match="3 is no guide: it has no 'vocabulary' and no 'initial' and no 'mask' and no"):
        with_defaults(3)  # type: ignore[arg-type]


def test_a_guide_without_its_own_concatenation_is_refused_by_name():
    ours, theirs = guide.literal(b"a", FEW), Evens(FEW)
    assert repr(concatenated(ours, ours)).startswith("<Guide (the literal b'a' + the literal b'a')")
    for second in (theirs, with_defaults(theirs)):
        with pytest.raises(ConstraintError, match=r"<Evens> cannot follow <Guide the literal b'a', .*no `__radd__`"):
            concatenated(ours, second)
    behind = concatenated(ours, broken(__radd__=lambda self, first: Evens(FEW)))
    assert isinstance(behind.guide, Evens) and behind.masks([behind.initial]).shape == (1, 1)


# --------------------------------------------------------------------------------------------------------- caches


def test_masks_are_kept_within_a_limit_and_forgotten_on_request():
    v = Vocabulary(BYTES.tokens, BYTES.eos)
    g = guide.regex("[a-z]{1,50}", v)
    state, states = g.initial, []
    for _ in range(50):
        states.append(state)
        state = g.advance(state, 1 + ord("a"))
    before = [g.mask(s).copy() for s in states]
    assert g.mask(states[7]) is g.mask(states[7])
    cache = mask_cache_of(v)
    cache.limit = 10_000
    for s in [*reversed(states), state]:
        kept = g.mask(s)
        assert g.mask(s) is kept  # what was just asked for is still there
        assert cache.size <= cache.limit
    assert all((g.mask(s) == mask).all() for s, mask in zip(states, before, strict=True))
    v.clear_caches()
    assert all((g.mask(s) == mask).all() for s, mask in zip(states, before, strict=True))


def test_a_guide_is_shared_by_threads():
    pattern = "(é|[a-z]{2,5}-?)*[0-9]"
    reference = guide.regex(pattern, Vocabulary(RICH.tokens, RICH.eos))
    shared = guide.regex(pattern, RICH)
    failures = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        s, t = shared.initial, reference_states[0]
        for _ in range(60):
            mask = shared.mask(s)
            with lock:
                same = (mask == reference.mask(t)).all()
            if not same:
                failures.append(seed)
            token = int(rng.choice(np.flatnonzero(unpack(mask, len(RICH))[1:]) + 1))
            s = shared.advance(s, token)
            with lock:
                t = reference.advance(t, token)
            if shared.complete(s):
                break

    lock, reference_states = threading.Lock(), [reference.initial]
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@settings(max_examples=100, deadline=None)
@given(tokens=st.lists(st.binary(max_size=4), min_size=1, max_size=30))
def test_the_trie_spells_every_token(tokens):
    v = Vocabulary([b"<eos>", *tokens], eos=[0])
    trie = trie_of(v)
    assert trie.first[0] == 1 and trie.first[-1] == len(trie)  # level by level: children follow one another
    spellings = [b""] * len(trie)
    for node in range(len(trie)):
        for child in range(trie.first[node], trie.first[node + 1]):
            assert trie.parent[child] == node
            spellings[child] = spellings[node] + bytes([trie.byte[child]])
    assert len(set(spellings)) == len(trie)
    assert set(spellings) == {b"", *(v.tokens[t][:n] for t in v.text_ids for n in range(1, len(v.tokens[t]) + 1))}
    entries = np.flatnonzero(trie.token != -1)
    ids, nodes = trie.all_of(trie.token[entries], entries)
    assert sorted(ids.tolist()) == v.text_ids.tolist()
    assert all(v.tokens[t] == spellings[node] for t, node in zip(ids.tolist(), nodes.tolist(), strict=True))
    assert all(trie.spelling[trie.spelled[t] : trie.spelled[t + 1]].tobytes() == v.tokens[t] for t in ids.tolist())
    assert trie.twins == max(map([v.tokens[t] for t in ids.tolist()].count, set(tokens) - {b""}), default=0)
