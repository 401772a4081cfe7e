"""Texts that are banned (`oc.filters.bad_words`), and guides less other guides: beside brute force."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
import torch
from guides import check_guide
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import Vocabulary, unpack

V = Vocabulary([b"<eos>", b"a", b"b", b"(", b")", b"ab", b"ba", b"aab", b"b)", b"(("], eos=[0])
LETTERS, LONGEST = "ab()", 5
TEXTS = ["".join(each) for n in range(LONGEST + 1) for each in itertools.product(LETTERS, repeat=n)]
ban = oc.filters.bad_words
words = st.lists(st.text("ab(", min_size=1, max_size=3), min_size=1, max_size=3, unique=True).map(tuple)
befores = st.text("ab", max_size=3)


def nested(text: str) -> bool:
    """Whether a text is of the rule `start: "(" start ")" | "a" start "b" | "a" | "b"`."""
    if text in ("a", "b"):
        return True
    return len(text) > 2 and (text[0], text[-1]) in (("(", ")"), ("a", "b")) and nested(text[1:-1])


GRAMMAR = 'start: "(" start ")" | "a" start "b" | "a" | "b"'
LANGUAGES: dict[str, tuple[Any, Any]] = {
    "text": (guides.text, lambda text: True),
    "regex": (lambda v: guides.regex("(a|b\\)?)*", v), lambda text: re.fullmatch("(a|b\\)?)*", text)),
    "counted": (lambda v: guides.regex("[ab]{2,4}a", v), lambda text: re.fullmatch("[ab]{2,4}a", text)),
    "choice": (
        lambda v: guides.choice(["a", "ab", "bab", "(ab)", "aabb"], v),
        lambda text: text in ("a", "ab", "bab", "(ab)", "aabb"),
    ),
    "grammar": (lambda v: guides.grammar(GRAMMAR, v), nested),
    "both": (lambda v: guides.regex("a*", v) + guides.choice(["b", "ba"], v), lambda t: re.fullmatch("a*ba?", t)),
}


@cache
def language(name: str) -> tuple[Any, frozenset[str]]:
    make, has = LANGUAGES[name]
    return make(V), frozenset(filter(has, TEXTS))


def written(guide: Any, longest: int = LONGEST) -> set[str]:
    """All texts of so many characters at most that a guide allows, token by token."""
    texts, todo, seen = set(), [("", guide.initial)], set()
    while todo:
        text, state = todo.pop()
        if (text, state) in seen:
            continue
        seen.add((text, state))
        if guide.accepting(state):
            texts.add(text)
        for token in V.text_ids.tolist():
            longer, after = text + V.tokens[token].decode(), guide.advance(state, token)
            if after is not None and len(longer) <= longest:
                todo.append((longer, after))
    return texts


def holds(text: str, banned: Sequence[str], before: str = "") -> bool:
    """Whether one of the words ends in a text."""
    whole = before + text
    places = ((word, at) for word in banned for at in range(len(whole)))
    return any(whole.startswith(word, at) and at + len(word) > len(before) for word, at in places)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), words, befores)
def test_a_guide_without_words_allows_what_brute_force_leaves(name: str, banned: tuple[str, ...], before: str) -> None:
    guide, texts = language(name)
    left = {text for text in texts if not holds(text, banned, before)}
    try:
        without = guides.without(guide, banned, before.encode())
    except ConstraintError as error:
        assert not left and "matches no string" in str(error)
        return
    assert written(without) == left
    check_guide(without, walks=4, steps=8)
    assert isinstance(without, guides.AutomatonGuide) and without.free_text == guide.free_text


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), st.sampled_from(sorted(LANGUAGES)), st.booleans())
def test_guides_are_intersected_and_taken_from_each_other(one: str, other: str, but: bool) -> None:
    (first, first_texts), (second, second_texts) = language(one), language(other)
    expected = first_texts - second_texts if but else first_texts & second_texts
    try:
        guide = first - second if but else first & second
    except ConstraintError as error:
        assert not expected and "matches no string" in str(error)
        return
    assert written(guide) == expected
    check_guide(guide, walks=3, steps=8)


@settings(max_examples=150, deadline=None)
@given(
    words, befores, st.lists(st.text("ab(", min_size=1, max_size=2), min_size=1, max_size=2, unique=True), st.booleans()
)
def test_a_text_that_ends_at_a_string_holds_no_banned_word(
    banned: tuple[str, ...], before: str, stops: list[str], kept: bool
) -> None:
    """Beside brute force: what is left of a text where its first stop string is complete; or that has none."""

    def cut(text: str) -> tuple[str, bool]:
        for end in range(len(text) + 1):
            starts = [end - len(stop) for stop in stops if text[:end].endswith(stop)]
            if starts:
                return text[: end if kept else min(starts)], True
        return text, False

    guide = guides.without(guides.text(V), banned, before.encode(), stops, kept)
    allowed = written(guide, 4)
    for text in (text for text in TEXTS if len(text) <= 4):
        left, stopped = cut(text)
        if text in allowed:
            assert not holds(left, banned, before), (text, left)
        elif not stopped:
            assert holds(text, banned, before), text
    # a word that only the dropped stop string completes does not keep the text from ending there
    for text in (text for text in TEXTS if len(text) <= 4 and cut(text)[1] and not cut(text[:-1])[1]):
        if not holds(text[:-1], banned, before) and (not kept or not holds(text, banned, before)):
            assert text in allowed, text


# --- in generations


def samplers(banned: Sequence[str]) -> Iterator[Any]:
    filters = [ban(banned)]
    yield oc.samplers.greedy(filters)
    yield oc.samplers.multinomial(samples=3, temperature=1.5, filters=filters)
    yield oc.samplers.beam_search(3, filters=filters)
    yield oc.samplers.smc(3, filters=filters, every=1)


OPTIONS = ["a", "ab", "abc", "bc1", "12", "12-ab", "ca"]


SUMS = 'start: "x" start "y" | "ab" | "12"'


def generator_of(kind: str, model: oc.Model, sampler: Any, forced: Any) -> Any:
    if kind == "text":
        return oc.generate.text(model, sampler, forced=forced)
    if kind == "sequence":
        return oc.generate.choice(model, OPTIONS, sampler, by="sequence")
    v = model.vocabulary
    what = {
        "choice": OPTIONS,
        "regex": re.compile("[abc]{1,3}(12|-)?"),
        "cfg": oc.types.cfg(SUMS),
        "guide": guides.choice(OPTIONS, v) + guides.choice(["", "x"], v),
    }
    return oc.Generator(model, what[kind], sampler, forced=forced)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text("abc12-xy", min_size=1, max_size=2), min_size=1, max_size=3, unique=True),
    st.sampled_from(["x-", "ab", "12", "xa"]),
    st.integers(0, 3),
    st.sampled_from(["text", "choice", "regex", "cfg", "guide", "sequence"]),
    st.sampled_from(["auto", "heal", "keep"]),
    st.sampled_from(["canonical", "never"]),
    st.booleans(),
    st.integers(0, 99),
)
def test_no_value_holds_a_banned_word(
    banned: list[str], prompt: str, which: int, kind: str, seam: Any, forced: Any, stops: bool, seed: int
) -> None:
    model = small_model(0)
    sampler = list(samplers(banned))[which]
    stop_at = ["1", "bc"] if kind == "text" and stops else None
    try:
        generator = generator_of(kind, model, sampler, forced)
        state = generator.run(prompt, seed=seed, max_tokens=12, seam=seam, stop_at=stop_at)
    except ConstraintError as error:
        assert kind != "text" and "matches no string" in str(error)
        if kind in ("choice", "sequence"):
            assert all(holds(option, banned, prompt) or holds(option, banned) for option in OPTIONS)
        return
    for row in state.rows[0]:
        if not row.dead:
            text = model.encoder.decode(row.ids)
            assert text.startswith(prompt) and not holds(text[len(prompt) :], banned, prompt), text
    live = state.weights > -torch.inf
    assert torch.allclose(state.rescore().weights[live], state.weights[live], atol=1e-4)


@pytest.mark.parametrize("forced", ["canonical", "never"])
@pytest.mark.parametrize("which", range(4))
def test_a_banned_option_is_not_begun(which: int, forced: Any) -> None:
    model = shipped_model()
    sampler = list(samplers(["in Lisbon"]))[which]
    for seam, space in itertools.product(("auto", "heal", "keep"), ("", " ")):
        places = [(" " if not space else "") + place for place in ("in Lisbon", "at home")]
        given = oc.generate.choice(model, places, sampler, forced=forced)("Mira lives" + space, seed=0, seam=seam)
        assert set(given if isinstance(given, list) else [given]) == {places[1]}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text("abc12", min_size=1, max_size=2), min_size=1, max_size=2, unique=True),
    st.sampled_from(["[abc]{1,3}(12)?", "[abc]+", "a|ab|abc|1[12]*", "[ab12]{2,9}"]),
    st.sampled_from(["canonical", "never"]),
    st.integers(0, 99),
)
def test_a_ban_takes_ways_to_go_on_away_and_makes_no_end_likelier(
    banned: list[str], pattern: str, forced: Any, seed: int
) -> None:
    """The law is that of the constraint, without the banned tokens, renormalised: beside sums over a fresh forward."""
    model = small_model(seed % 3)
    v, size = model.vocabulary, len(model.vocabulary)
    plain = guides.regex(pattern, v)
    try:
        less = guides.without(plain, banned, b"x-")
    except ConstraintError:
        return
    sampler = oc.samplers.multinomial(filters=[ban(banned)])
    state = oc.generate.regex(model, pattern, sampler, forced=forced).run("x-", seed=seed, seam="keep", max_tokens=9)
    [[row]] = state.rows
    logits = model.hf(torch.tensor([row.ids])).logits[0].double()
    [*_, (begin, _, _)] = row.placed
    wide, narrow = plain.initial, less.initial
    for at in range(begin, len(row) + 1):
        line = logits[at - 1]
        on, allowed = (unpack(g.mask(s) & v.no_eos, size) for g, s in ((plain, wide), (less, narrow)))
        stop = line[torch.from_numpy(~on)].logsumexp(0) if less.accepting(narrow) else torch.tensor(-torch.inf)
        norm = torch.cat([line[torch.from_numpy(allowed)], stop[None]]).logsumexp(0)
        if at == len(row):
            if row.finished == "stop" and not plain.complete(wide):
                taken = row.pieces[-1].stop
                assert taken.logprob == pytest.approx((stop - line.logsumexp(0)).item(), abs=1e-4)
                assert taken.proposal == pytest.approx((stop - norm).item(), abs=1e-4)
            break
        token = row.ids[at]
        assert row.logprobs[at] == pytest.approx((line[token] - line.logsumexp(0)).item(), abs=1e-4)
        drawn = (line[token] - norm).item()
        assert row.proposals[at] == pytest.approx(drawn, abs=1e-4) or (row.proposals[at] == 0 and forced == "canonical")
        wide, narrow = plain.advance(wide, token), less.advance(narrow, token)
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-4)


def test_a_choice_by_sequence_gives_banned_options_probability_0() -> None:
    greedy = oc.samplers.greedy([ban(["bc", "-"])])
    choice = oc.generate.choice(small_model(0), OPTIONS, greedy, by="sequence")
    given = choice.probabilities("x-")[0, 0]
    plain = oc.generate.choice(small_model(0), OPTIONS, oc.samplers.greedy(), by="sequence").probabilities("x-")[0, 0]
    left = torch.tensor([not holds(option, ["bc", "-"], "x-") for option in OPTIONS])
    assert (given > 0).equal(left) and not left.all()
    assert torch.allclose(given, plain * left / (plain * left).sum(), atol=1e-5), "the others keep their shares"


def test_a_banned_text_that_is_cut_saved_and_resumed_stays_without_it(tmp_path: Any) -> None:
    model = shipped_model()
    step = oc.continuous(
        oc.generate.regex(model, "[a-z ]+", oc.samplers.greedy([ban(["e", "so"])]), stop="eos"), name="w"
    )
    state = step("The sky is", max_tokens=6)
    state.save(tmp_path / "s")
    again = oc.load_state(tmp_path / "s", model)
    assert again.identical(state)
    assert torch.allclose(again.rescore().weights, state.weights, atol=1e-4)
    for prefix in (again[..., :-2], again[..., :-2] + "s", again):
        text = str(step.resume(prefix, max_tokens=4))
        assert not holds(text[len("The sky is") :], ["e", "so"])
    with pytest.raises(ConstraintError, match="does not begin a value"):
        step.resume(again[..., :-2] + "e", max_tokens=3)
    plain = oc.continuous(oc.generate.regex(model, "[a-z ]+", oc.samplers.greedy(), stop="eos"), name="w")
    assert str(plain.resume(again, max_tokens=2)).startswith(str(again))


def test_a_word_that_begins_in_the_prompt_counts_and_one_that_ends_there_does_not() -> None:
    model = shipped_model()
    sampler = oc.samplers.greedy([ban(["Lisbon"])])
    assert oc.generate.choice(model, ["bon", "to"], sampler)("Mira lives in Lis") == "to"
    assert oc.generate.choice(model, ["bon", "to"], sampler)("Lisbon is a town. Mira is a bon") == "to"
    given = oc.generate.choice(model, ["bon", "to"], sampler)(["Lis", "Por", "Lisbon "], errors="return", seed=0)
    assert given[0] == ["to"]
    [[error]] = oc.generate.choice(model, ["bon"], sampler)(["Mira lives in Lis"], errors="return")
    assert isinstance(error, ConstraintError)


def test_a_chain_counts_what_its_links_have_written() -> None:
    model = shipped_model()
    sampler = oc.samplers.multinomial(samples=4, filters=[ban(["aab"])])
    first = oc.continuous(oc.generate.choice(model, ["a", "aa"], sampler), name="one")
    second = oc.continuous(oc.generate.choice(model, ["b", "ab", "c"], sampler), name="two")
    state = (first >> second)("It says ", seed=0)
    again = second(first("It says ", seed=0), seed=0)
    assert state == again
    assert all("aab" not in text for text in state)


def test_json_that_remembers_names_holds_no_banned_word() -> None:
    model = shipped_model()
    table = oc.generate.json(model, dict[str, int], oc.samplers.greedy([ban(["name", '":1'])]))
    state = table.run("Mira is 34. JSON: ", max_tokens=60)
    assert not holds(str(state).removeprefix("Mira is 34. JSON: "), ["name", '":1'])
    names = table.constraint.guide
    assert isinstance(names, guides.AutomatonGuide)
    for other in (guides.text(model.vocabulary), names):
        with pytest.raises(ConstraintError, match="remember texts"):
            _ = other - names


class Foreign:
    """A guide of a third party, of which nobody knows the bytes."""

    def __init__(self, guide: Any):
        self.vocabulary, self.initial = guide.vocabulary, guide.initial
        self.mask, self.advance, self.accepting = guide.mask, guide.advance, guide.accepting

    def __repr__(self) -> str:
        return "<Foreign>"


def test_a_guide_that_cannot_be_intersected_is_refused_by_name() -> None:
    model = small_model(0)
    foreign = Foreign(guides.choice(["ab", "12"], model.vocabulary))
    with pytest.raises(ConstraintError, match=r"<Foreign> without 'a': it is no guide of outlines_cont.fsm.guide"):
        oc.Generator(model, foreign, oc.samplers.greedy([ban(["a"])]))
    with pytest.raises(ConstraintError, match="matches no string"):
        oc.generate.choice(model, ["ab", "abc"], oc.samplers.greedy([ban(["b"])]))


def test_forced_runs_hold_no_banned_sequence_of_tokens() -> None:
    model = shipped_model()
    ids = model.encoder.append(" in Lisbon")
    for forced in ("canonical", "never"):
        sampler = oc.samplers.greedy([ban([ids])])
        state = oc.generate.choice(model, [" in Lisbon"], sampler, forced=forced).run("Mira lives")
        assert str(state) == "Mira lives in Lisbon"
        row = state.rows[0][0].ids
        assert all(row[at : at + len(ids)] != tuple(ids) for at in range(len(row)))


def test_runs_that_a_guide_of_a_controller_forces_hold_no_banned_word() -> None:
    model = shipped_model()
    places = oc.generate.choice(model, [" in Lisbon", " in Porto"])

    def once(row: Any) -> list[oc.steer.Branch]:
        return [] if row.text else [oc.steer.Branch(allowed=places)]

    control = oc.generate.control(model, once, oc.samplers.multinomial(samples=5, filters=[ban(["isbon"])]))
    assert set(control("Mira lives", seed=0)) == {" in Porto"}
    with pytest.raises(ValueError, match="a controller's branches name themselves"):
        oc.generate.control(model, once, oc.samplers.beam_search(2, filters=[ban(["isbon"])]))


def test_beams_take_no_other_filters() -> None:
    wrong: list[list[Any]] = [[oc.filters.min_tokens(2)], [ban([[1, 2]])], [ban(["a", [1]])]]
    for filters in wrong:
        with pytest.raises(TypeError, match=r"take no filters but oc.filters.bad_words of strings"):
            oc.samplers.beam_search(2, filters=filters)
    assert repr(oc.samplers.beam_search(2)) == repr(oc.samplers.beam_search(2, filters=[]))
    assert oc.samplers.beam_search(2) != oc.samplers.beam_search(2, filters=[ban(["a"])])
