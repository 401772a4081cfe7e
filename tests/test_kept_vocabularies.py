"""The trie of a vocabulary, the compiled engine, and what is kept of them on disk: never another constraint."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from drawn_constraints import PATTERN_STRATEGIES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from json_cases import random_schema

from outlines_cont import disk_cache
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine import native, slices, trie
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

BYTES = [bytes([byte]) for byte in range(256)]
#: Texts that differ in few bytes, at every distance, and end in zeros: by eights they are sorted.
alike = st.lists(st.sampled_from([b"", b"\0", b"a", b"\xff", b"\0" * 7, b"a" * 8, b"abcdefg"]), max_size=4).map(
    b"".join
)


def of_words(r: Random, count: int) -> Vocabulary:
    """Every byte, and words: with enough of them, classes of characters are surveyed."""
    letters = [*"aeiounrst -.,<é語0123", "\\n", '\\"', "\\u00e9", '":"', '","', "true"]
    words = ["".join(r.choices(letters, k=r.randint(1, 7))).encode() for _ in range(count)]
    return Vocabulary([b"<eos>", *BYTES, *words], eos=[0])


@given(tokens=st.lists(alike | st.binary(max_size=3), max_size=30), data=st.data())
def test_a_trie_has_the_prefixes_of_the_text_tokens(tokens: list[bytes], data: st.DataObject):
    special = data.draw(st.sets(st.integers(0, len(tokens) - 1))) if tokens else set()
    v = Vocabulary(tokens, eos=[], special=special)
    made = trie.trie_of(v)
    texts = {i: token for i, token in enumerate(tokens) if token and i not in special}
    prefixes = {text[:n] for text in texts.values() for n in range(len(text) + 1)} | {b""}
    paths = [made.path(node) for node in range(len(made))]
    assert paths == sorted(prefixes, key=lambda path: (len(path), path))  # level by level
    for node, path in enumerate(paths):
        children = range(made.first[node], made.first[node + 1])
        assert [paths[child] for child in children] == [p for p in paths if p and p[:-1] == path]
        entry = made.token[node : node + 1]
        spelled = made.all_of(entry, entry)[0].tolist() if entry[0] != -1 else []
        assert spelled == [i for i, text in texts.items() if text == path], "in the order of ids"
    assert [made.spelling_of(i) for i in range(len(tokens))] == [texts.get(i, b"") for i in range(len(tokens))]
    assert made.depth == max(map(len, texts.values()), default=0)
    assert made.symbols == {byte for text in texts.values() for byte in text}
    assert made.singles == {text[0] for text in texts.values() if len(text) == 1}


def test_surveys_are_the_same_in_whatever_order_they_are_made():
    v = of_words(Random(0), 6000)
    one, other = (slices.Surveys(trie.Trie(trie.laid_out(v.tokens, v.text_ids)), (len(v) + 31) // 32) for _ in "ab")
    assert one.possible and not one._surveys
    wanted = [(ranges, root, False) for ranges in slices._everyday(False) + slices._everyday(True) for root in (0, 33)]
    wanted += [(ranges, root, True) for ranges in slices.SURVEYED for root in (0, one.space)]
    wanted = [(ranges, root and one.space, escaped) for ranges, root, escaped in wanted]
    cuts = {each: one.near(*each) for each in wanted}
    for each in reversed(wanted):
        cut, again = cuts[each], other.near(*each)
        assert (cut is None) is (again is None)
        if cut is not None and again is not None:
            for length in (0, 1, 5, 7, 1000):
                np.testing.assert_array_equal(cut.upto(length), again.upto(length))


def made(constraint: str | int, v: Vocabulary) -> guide.AutomatonGuide | None:
    """The guide of a pattern, or of the schema that a number stands for; None if it is refused."""
    try:
        if isinstance(constraint, str):
            return guide.regex(constraint, v)
        return guide.json_schema(random_schema(Random(constraint)), v, spelling="any")
    except ConstraintError:
        return None


def assert_same_masks(r: Random, guides: list[guide.AutomatonGuide]) -> None:
    states = [g.initial for g in guides]
    for _ in range(12):
        masks = [g.mask(state) for g, state in zip(guides, states, strict=True)]
        for mask in masks[1:]:
            np.testing.assert_array_equal(mask, masks[0])
        allowed = np.flatnonzero(unpack(masks[0], len(guides[0].vocabulary)))
        allowed = allowed[allowed > 0]
        if not len(allowed):
            break
        token = int(r.choice(allowed))
        after = [g.advance(state, token) for g, state in zip(guides, states, strict=True)]
        assert None not in after
        states = [state for state in after if state is not None]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    constraints=st.lists(st.one_of(*PATTERN_STRATEGIES, st.integers(0, 2**32)), min_size=1, max_size=3),
)
def test_masks_are_equal_with_the_cache_and_without(
    seed: int, constraints: list[str | int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """And with a cache that was damaged, cut, or is another vocabulary's."""
    r = Random(seed)
    monkeypatch.setattr(trie, "WORTH_KEEPING", 0)
    v = of_words(r, r.choice([0, 10, 300, 3000]))
    monkeypatch.setenv(disk_cache.SWITCH, "")
    without = Vocabulary(v.tokens, v.eos, v.special)
    plain = [made(constraint, without) for constraint in constraints]
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path))
    for path in tmp_path.iterdir():
        path.unlink()
    vocabularies = [Vocabulary(v.tokens, v.eos, v.special) for _ in range(4)]
    for turn, each in enumerate(vocabularies):  # made, read, made anew, read
        if turn == 2:
            for path in tmp_path.glob("trie-*"):
                damage(r, path)
        trie.trie_of(each)
    for constraint, expected in zip(constraints, plain, strict=True):
        guides = [made(constraint, each) for each in vocabularies]
        assert all((g is None) is (expected is None) for g in guides)
        if expected is not None:
            assert_same_masks(r, [expected, *(g for g in guides if g is not None)])


def damage(r: Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(r.choice([1, 1, 10])):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    path.write_bytes(data[: r.choice([len(data), r.randrange(len(data))])])


def test_machine_code_is_read_and_made_anew_where_it_was_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path))
    r, made = Random(0), []
    for turn in range(5):
        engine = native.CompiledEngine()
        mask, tokens = np.zeros(4, np.int32), np.array([0, 33, 127], np.int32)
        engine.set_bits(mask, 4, tokens, 3)
        assert np.flatnonzero(unpack(mask, 128)).tolist() == [0, 33, 127]
        [path] = tmp_path.glob("engine-*")
        made.append((path.read_bytes(), path.stat().st_ino))
        if turn > 0:
            damage(r, path)
    assert made[0] == made[1] and len({data for data, _ in made}) == 1
