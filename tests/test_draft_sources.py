"""Where drafts come from: each source against a naive search or a loop by hand."""

from __future__ import annotations

import copy
import gc
import re
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lawful_model, shipped_model, short_hf
from test_reading_ahead import eager

import outlines_cont as oc
from outlines_cont.drafts.sources import HeldTexts, LookupDraft, packed

GREEDY = oc.samplers.greedy()
PROMPT = "Mira is a painter. Mira is 34 years old.\nQ: How old is Mira?\nA: "
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 8}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
Ids = tuple[int, ...]
ROWS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=12).map(tuple), min_size=1, max_size=3)


def no_tree() -> Any:
    return SimpleNamespace(tree=None)


@cache
def tree_model() -> oc.Model:
    """A KV tree that only the test of it fills."""
    return oc.Model(short_hf(), shipped_model().tokenizer)


# --- lookup


def places_of(ids: Ids, gram: Ids, before: int) -> list[int]:
    """Where a gram ends in a row before a depth, the last place first: by looking at each."""
    return [end for end in range(before - 1, len(gram) - 1, -1) if ids[end - len(gram) : end] == gram]


def naive(ids: Ids, texts: list[Ids], n: int, k: int) -> Ids:
    """What followed the longest end of a row that stands elsewhere: in a text, or in the row itself (the copy may go on
    into itself); and there in the last place."""
    for size in range(min(n, len(ids)), 0, -1):
        count = min(k, size * (size + 1))
        for each in [*texts, ids]:
            if places := places_of(each, ids[-size:], len(each)):
                copy = list(each)
                for i in range(count if each is ids else 0):
                    copy.append(copy[places[0] + i])
                return tuple(copy[len(ids) :] if each is ids else copy[places[0] : places[0] + count])
    return ()


TOKENS = st.sampled_from([0, 1, 256, 257, 65536, 16777216])  # whose bytes occur across the borders of others
TEXT = st.lists(TOKENS, min_size=1, max_size=12).map(tuple)


@settings(max_examples=200)
@given(st.lists(TEXT, min_size=1, max_size=3), st.lists(TEXT, max_size=3), st.integers(1, 4), st.integers(1, 6))
def test_lookups_are_those_of_a_naive_search(rows: list[Ids], texts: list[Ids], n: int, k: int) -> None:
    draft = LookupDraft([packed(each) for each in texts], k, n, no_tree())
    proposed = draft.propose([SimpleNamespace(ids=ids) for ids in rows])
    assert proposed == [[after] if (after := naive(ids, texts, n, k)) else [] for ids in rows]


@settings(max_examples=10)
@given(ROWS, st.integers(1, 3))
def test_the_tree_gives_what_follows_in_it_and_nothing_that_it_has_freed(rows: list[Ids], n: int) -> None:
    model = tree_model()
    rows = [tuple(token + 10 for token in ids) for ids in rows]
    _, claims = model.read([oc.stepping.Need(ids) for ids in rows])
    texts = HeldTexts(n)
    texts.look(model.tree)
    for ids in rows:
        for end in range(n, len(ids)):
            gram = ids[end - n : end]
            after = texts.after(gram, 1)
            following = {each[at : at + 1] for each in rows for at in places_of(each, gram, len(each) + 1)}
            assert after in following
    del claims
    assert not model.stats.kv_bytes
    assert not any(texts.after(ids[end - n : end], 1) for ids in rows for end in range(n, len(ids)))


def test_what_the_tree_holds_of_an_earlier_call_is_proposed() -> None:
    new = oc.load()
    text = oc.generate.text(new, GREEDY)
    state = oc.continuous(text)("Once upon a time there was", max_tokens=24)
    new.stats.reset()
    again = oc.continuous(text)(new.state("And once upon a time there was"), max_tokens=8, draft=oc.drafts.lookup())
    assert str(again) == str(oc.continuous(text)("And once upon a time there was", max_tokens=8))
    draft = oc.drafts.lookup(k=4, n=3).begin(new)
    ids = state.rows[0][0].ids
    row = SimpleNamespace(ids=(new.vocabulary.tokens.index(b"Q"), *ids[8:12]))
    assert draft.propose([row]) == [[ids[12:16]]]


def test_a_row_is_searched_in_no_more_calls_if_it_is_long() -> None:
    from counts import counted

    def calls(length: int) -> int:
        draft, random = LookupDraft([], 8, 3, no_tree()), Random(0)
        row = SimpleNamespace(ids=tuple(random.randrange(1000) for _ in range(length)))
        return counted(lambda: draft.propose([row]))[1].ours

    assert calls(20_000) <= calls(200) + 2


# --- given texts


def test_a_text_that_is_quoted_takes_fewer_passes() -> None:
    new = oc.load()
    line = oc.generate.regex(new, "Bar[a-z]{4,9} Lind[a-z]{4,9} came to Rot[a-z]{4,9}\\.", GREEDY)
    plain = line(PROMPT)
    passes = {"no draft": new.stats.passes}
    for name, texts in (
        ("the line", ["Nobody.", plain]),
        ("its tokens", [new.encoder.append(plain)]),
    ):
        new.stats.reset()
        assert line(PROMPT, draft=oc.drafts.lookup(texts)) == plain
        passes[name] = new.stats.passes
    assert max(passes["the line"], passes["its tokens"]) < 0.8 * passes["no draft"]


# --- a second model


def by_hand(small: oc.Model, row: oc.drafts.DraftRow, k: int) -> Ids:
    """What the small model writes greedily after a row, with the constraint's masks: one token after the other."""
    ids: Ids = ()
    for _ in range(min(k, row.budget)):
        allowed = row.allowed_after(ids)
        if allowed is None:
            break
        [logits] = small.logits([oc.stepping.Need((*row.ids, *ids), (len(row.ids) + len(ids) - 1,))])
        token = int(logits.masked_fill(~allowed, -torch.inf).argmax())
        if row.agreed((*ids, token)) <= len(ids):
            break
        ids = (*ids, token, *row.forced_after((*ids, token)))
    return ids


@pytest.mark.parametrize("kind", ["regex", "json"])
@eager()
def test_a_small_model_proposes_what_a_loop_by_hand_does(kind: str) -> None:
    model, small = shipped_model(), lawful_model()
    generator = (
        oc.generate.regex(model, "[a-z]{12} [0-9]{4}", GREEDY)
        if kind == "regex"
        else oc.generate.json(model, PERSON, GREEDY)
    )
    seen: list[int] = []

    class Compared:
        def begin(self, model: oc.Model) -> Compared:
            self.draft = oc.drafts.model(small, k=4).begin(model)
            return self

        def propose(self, rows: list[oc.drafts.DraftRow]) -> list[list[Ids]]:
            proposals = self.draft.propose(rows)
            for row, proposed in zip(rows, proposals, strict=True):
                expected = by_hand(small, row, 4)
                ours = proposed[0] if proposed else ()
                assert ours == expected[: len(ours)]  # where the stop is likelier than any token, it ends before
                seen.append(len(ours))
            return proposals

    prompts = [PROMPT, "Tom is a baker.\n"]
    assert generator(prompts, draft=Compared()) == generator(prompts)
    assert sum(seen) >= 16 and max(seen) >= 4


def test_a_model_that_drafts_for_itself_is_always_right_also_where_tokens_are_drawn() -> None:
    """It draws with the random numbers of the row, from the same law."""
    new, small = oc.load(), oc.load()
    filters = [oc.filters.repetition_penalty(1.2)]
    for sampler in (
        GREEDY,
        oc.samplers.multinomial(temperature=0.8, top_p=0.9),
        oc.samplers.multinomial(filters=filters),
    ):
        text = oc.generate.text(new, sampler)
        plain = text(PROMPT, max_tokens=20, seed=2)
        new.stats.reset()
        assert text(PROMPT, max_tokens=20, seed=2, draft=oc.drafts.model(small, k=4)) == plain
        assert new.stats.accepted == new.stats.drafted >= 3
    several = oc.generate.text(new, oc.samplers.multinomial(samples=3, top_k=50))
    plain = several(PROMPT, max_tokens=20, seed=2)
    new.stats.reset()
    assert several(PROMPT, max_tokens=20, seed=2, draft=oc.drafts.model(small, k=4)) == plain and new.stats.passes <= 6
    beams = oc.generate.text(new, oc.samplers.beam_search(3))
    assert beams(PROMPT, max_tokens=8, draft=oc.drafts.model(small, k=2, width=3)) == beams(PROMPT, max_tokens=8)


def test_a_wider_tree_holds_more_often() -> None:
    new, hf = oc.load(), copy.deepcopy(shipped_model().hf)
    hf.config.num_hidden_layers = 3
    del hf.model.layers[3:]
    small = oc.Model(hf, new.tokenizer)
    text, passes = oc.generate.text(new, oc.samplers.multinomial()), []
    for width in (1, 4):
        passes.append(0)
        for seed in range(2):
            new.stats.reset()
            text(PROMPT, max_tokens=32, seed=seed, draft=oc.drafts.model(small, k=2, width=width))
            passes[-1] += new.stats.passes
    assert passes[1] < passes[0] < 2 * 32


def test_one_pass_of_the_small_model_drafts_one_token_of_all_rows_and_reads_nothing_twice() -> None:
    new, small = oc.load(), oc.load()
    text = oc.generate.text(new, GREEDY)
    state = oc.continuous(text)([PROMPT, "The sky is", "Mira"], max_tokens=12, draft=oc.drafts.model(small, k=3))
    longest = max(map(len, (row.ids for group in state.rows for row in group)))
    total = len({row.ids[:n] for group in state.rows for row in group for n in range(1, len(row.ids) + 1)})
    assert small.stats.tokens <= total and small.stats.passes <= longest
    assert new.stats.passes <= 5


def test_what_the_small_model_has_read_is_freed_with_the_generation() -> None:
    new, small = oc.load(), oc.load()
    text = oc.generate.text(new, GREEDY)
    held: list[int] = []
    held.extend(small.stats.kv_bytes for _ in text.stream(PROMPT, max_tokens=12, draft=oc.drafts.model(small, k=2)))
    gc.collect()
    assert max(held) > 0 and small.stats.kv_bytes == 0
    state = oc.continuous(text)(PROMPT, max_tokens=12, draft=oc.drafts.model(small, k=2))
    assert state.kv.lengths.min() > 0 and small.stats.kv_bytes == 0


# --- what goes wrong


class Broken:
    """A model that breaks one of its promises after some passes."""

    def __init__(self, inner: oc.Model, how: str, after: int = 2):
        self.inner, self.how, self.left = inner, how, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def read(self, needs: Any) -> Any:
        logits, claims = self.inner.read(needs)
        self.left -= 1
        if self.left >= 0:
            return logits, claims
        if self.how == "raises":
            raise RuntimeError("out of memory")
        return {"narrow": logits[:, :-1], "nan": logits * torch.nan, "few": logits[:0]}[self.how], claims


def broken(how: str) -> Any:
    class Model(Broken):
        vocabulary = encoder = context_length = device = dtype = identity = stats = claimed = kv_lengths = property(
            lambda self: None
        )

    inner = lawful_model()
    names = ("vocabulary", "encoder", "context_length", "device", "dtype", "identity", "stats", "claimed", "kv_lengths")
    for name in names:
        setattr(Model, name, property(lambda self, name=name: getattr(inner, name)))
    return Model(inner, how)


@pytest.mark.parametrize(
    "how, message",
    [
        ("raises", "failed: RuntimeError: out of memory"),
        ("narrow", r"ValueError: Model\.read gave logits \(1, 1535\): its needs want \(1, 1536\)"),
        ("nan", "gave logits that are NaN"),
        ("few", r"Model\.read gave logits \(0, 1536\)"),
    ],
)
def test_a_draft_model_that_fails_is_named(how: str, message: str) -> None:
    text = oc.generate.text(shipped_model(), GREEDY)
    plain = text(PROMPT, max_tokens=12)
    with pytest.raises(oc.errors.DraftError, match=message) as caught:
        text(PROMPT, max_tokens=12, draft=oc.drafts.model(broken(how), k=2))
    left = 12 - (caught.value.state.shape[2] - len(_ids(PROMPT)))
    assert str(oc.continuous(text).resume(caught.value.state, max_tokens=left)) == PROMPT + plain


def _ids(text: str) -> Ids:
    return shipped_model().state(text).rows[0][0].ids


def not_after_1(row: oc.steer.Writing, logits: torch.Tensor) -> torch.Tensor:
    if row.text.endswith("1"):
        raise RuntimeError("no logits after 1")
    return logits


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize(
    ("sampler", "where", "dead"),
    [
        (oc.samplers.multinomial(), lambda text, done: not done, True),
        (oc.samplers.smc(2), lambda text, done: not done, True),
        (GREEDY, lambda text, done: not done or text.endswith("7"), False),
        (oc.samplers.greedy([not_after_1]), None, False),
    ],
)
def test_what_a_predicate_refuses_or_a_filter_raises_ends_the_row_and_not_the_draft(
    sampler: Any, where: Any, dead: bool, width: int
) -> None:
    """The small model draws by them, too, and where nothing is left, or they raise, it proposed an error."""
    model, small = shipped_model(), oc.Model(short_hf(), shipped_model().tokenizer)
    step = oc.continuous(oc.generate.regex(model, "[0-9]{3}", sampler, where=where))
    prompts: Any = ["Mira is 1", "Tom is "]
    expected = step(prompts, seed=1, errors="return")
    with eager():
        state = step(prompts, seed=1, errors="return", draft=oc.drafts.model(small, k=3, width=width))
    assert state == expected and state.finished == expected.finished
    assert [[str(e) for e in group] for group in state.errors] == [[str(e) for e in group] for group in expected.errors]
    assert not dead or {end for group in state.finished for end in group} == {"dead"}


def test_a_vocabulary_that_differs_is_refused_at_once_and_says_where() -> None:
    model, hf = shipped_model(), short_hf()
    tokenizer = copy.deepcopy(model.tokenizer)
    tokenizer.add_tokens(["<|new|>"])
    larger = copy.deepcopy(hf)
    larger.resize_token_embeddings(len(model.vocabulary) + 64, mean_resizing=False)
    text = oc.generate.text(model, GREEDY)
    before = model.stats.passes
    for small, reason in (
        (oc.Model(larger, tokenizer), "it has 1,600 tokens, and the model that it drafts for has 1,536"),
        (_with_eos(hf, model), r"its texts end with \(1, 2\), and those"),
    ):
        with pytest.raises(ValueError, match=reason):
            text(PROMPT, max_tokens=4, draft=oc.drafts.model(small))
    assert model.stats.passes >= before


def _with_eos(hf: Any, model: oc.Model) -> oc.Model:
    hf = copy.deepcopy(hf)
    hf.generation_config.eos_token_id = [1, 2]
    return oc.Model(hf, model.tokenizer)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: oc.drafts.lookup(k=0), "k=0: it must be an int ≥ 1"),
        (lambda: oc.drafts.lookup(n=1.5), "n=1.5"),
        (lambda: oc.drafts.model("gpt2"), "is no model"),
        (lambda: oc.drafts.model(shipped_model(), k=0), "k=0"),
        (lambda: oc.drafts.model(shipped_model(), width=0), "width=0"),
        (lambda: oc.drafts.lookup(3), "it takes a text, or a list of texts"),
        (lambda: oc.drafts.lookup(["a", 3]), "got 3 among the texts"),
        (lambda: oc.generate.text(shipped_model())("a", max_tokens=1, draft="auto"), r"it is oc.drafts.lookup\(\)"),
    ],
)
def test_wrong_arguments_are_named(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()
    with pytest.raises(ValueError, match=r"the token ids \[1536\] lie outside"):
        oc.generate.text(shipped_model())("a", max_tokens=1, draft=oc.drafts.lookup([[5, 1536]]))


@pytest.mark.parametrize(
    "draft, right", [(oc.drafts.lookup, "oc.drafts.lookup()"), (oc.drafts.model, "oc.drafts.model(…)")]
)
def test_what_makes_drafts_is_none_itself(draft: Any, right: str) -> None:
    text = oc.generate.text(oc.load(), GREEDY)
    with pytest.raises(TypeError, match=re.escape(f"call it, draft={right}")):
        text("Mira", max_tokens=2, draft=draft)
    with pytest.raises(TypeError, match=re.escape("draft=oc.drafts.model(small_model)")):
        text("Mira", max_tokens=2, draft=oc.load())
