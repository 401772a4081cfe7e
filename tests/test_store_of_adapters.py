"""A store and adapters together: what was read under one adapter is found under it, and never under another one.

vLLM 44250: the keys of a store outside the process left the adapter out, so a request under adapter b was answered with
the keys and values of adapter a.
"""

from __future__ import annotations

import copy
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from program_checks import small_chunks
from test_adapters import Names, config_of, of_adapter, shaken, switched, with_adapters, wrapped
from test_models import apart, plain_logits, tolerance
from test_store import CHUNK, Need, PlainStore, files_of, row_of

import outlines_cont as oc

pytest.importorskip("peft")
SETTINGS: list[Names] = [("a",), ("b",), ()]


@pytest.fixture
def store(tmp_path: Path) -> oc.store.KVStore:
    return oc.store.KVStore(tmp_path / "store")


def check_logits(model: oc.Model, names: Names, needs: list[Any]) -> None:
    """A model reads these rows, each to its end, and gives what peft's own forwards give; nothing stays in its tree."""
    logits = model.read(needs)[0]
    hf = copy.deepcopy(model.hf)
    switched(hf, names)
    expected = torch.cat([plain_logits(hf, need.tokens)[-1:] for need in needs])
    assert apart(logits, expected) <= tolerance(model)
    for need in needs:
        need.computed.clear()


def under(hf: Any, names: Names, pinned: bool, store: oc.store.KVStore) -> Any:
    """A new model under these adapters: one of `with_adapter`, or of what the transformers model is set to."""
    if not pinned:
        switched(hf, names)
    model = wrapped(hf, store=store)
    return model.with_adapter(list(names) or None) if pinned else model


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("kind", ["peft", "transformers", "copies", "stock"])
def test_what_was_read_under_an_adapter_is_found_under_it_and_under_no_other(
    kind: str, pinned: bool, store: oc.store.KVStore
) -> None:
    hf, ids = with_adapters(kind, "a", "b"), row_of(2 * CHUNK + 3)
    ids = tuple(token % hf.config.vocab_size for token in ids)
    for round in range(2):
        for names in SETTINGS:
            model = under(hf, names, pinned, store)
            check_logits(model, names, [Need(ids, (len(ids) - 1,))])
            assert model.stats.restored == 2 * CHUNK * round and model.stats.tokens == len(ids) - 2 * CHUNK * round
    assert len(files_of(store)) == 2 * len(SETTINGS)


class Program:
    """Models of one transformers model, which come and go, and whose adapters are switched, trained and loaded.

    The plain model is a store of sets for each setting of adapters, in each version of their parameters.
    """

    def __init__(self, kind: str, store: oc.store.KVStore, chunk: int, few: int):
        self.kind, self.hf, self.store, self.sizes = kind, with_adapters(kind, "a", "b"), store, (chunk, few)
        self.model = wrapped(self.hf, store=store)
        self.versions = {"": 0, "a": 0, "b": 0}
        self.disks: dict[Any, PlainStore] = {}

    def read(self, place: int, rows: list[list[int]]) -> None:
        """By a model that is pinned, or by one that is set to the adapters."""
        names, pinned = SETTINGS[place % 3], place % 2 == 1
        if not pinned:
            switched(self.hf, names)
        model = self.model.with_adapter(list(names) or None) if pinned else self.model
        key = (self.versions[""], *((name, self.versions[name]) for name in names))
        plain = self.disks.setdefault(key, PlainStore(*self.sizes))
        plain.tree.clear()
        needs = [Need(tuple(row), (len(row) - 1,)) for row in {tuple(row): row for row in rows}.values()]
        before = plain.tokens, plain.restored, model.stats.tokens, model.stats.restored
        plain.read(needs)
        check_logits(model, names, needs)
        counted = model.stats.tokens - before[2], model.stats.restored - before[3]
        assert counted == (plain.tokens - before[0], plain.restored - before[1])

    def another(self, place: int, _: Any) -> None:
        """A fresh model, of the same parts or of a copy."""
        self.hf = copy.deepcopy(self.hf) if place % 2 else self.hf
        self.model = wrapped(self.hf, store=self.store)

    def switch(self, place: int, _: Any) -> None:
        switched(self.hf, SETTINGS[place % 3])

    def train(self, place: int, _: Any) -> None:
        parameters = of_adapter(self.hf, name := "ab"[place % 2])
        for parameter in parameters:
            parameter.requires_grad_(True).grad = torch.randn_like(parameter)
        torch.optim.SGD(parameters, lr=0.1).step()
        for parameter in parameters:
            parameter.grad = None
        self.versions[name] += 1

    def change_base(self, place: int, _: Any) -> None:
        with torch.no_grad():
            self.hf.get_input_embeddings().weight.mul_(1.01)
        self.versions[""] += 1

    def reload(self, place: int, _: Any) -> None:
        """An adapter goes, and comes again under its name: with its content, or with another one."""
        name, same = "ab"[place % 2], place % 4 < 2
        values = {path: value.clone() for path, value in self.hf.state_dict().items() if f".{name}." in path}
        self.hf.delete_adapter(name)
        args = (config_of(self.kind), name) if self.kind == "transformers" else (name, config_of(self.kind))
        self.hf.add_adapter(*args)
        shaken(self.hf.eval(), name)
        if same:
            self.hf.load_state_dict(values, strict=False)
        self.versions[name] += not same


STEPS: list[Callable[[Program, int, Any], None]] = [
    *[Program.read] * 4, Program.another, Program.another, Program.switch, Program.train, Program.reload,
    Program.reload, Program.change_base,
]  # fmt: skip
ROWS = st.lists(st.lists(st.sampled_from([20, 21]), min_size=3, max_size=9), min_size=1, max_size=3)


@pytest.mark.parametrize("kind", ["peft", "transformers"])
@settings(max_examples=16)
@given(
    st.integers(2, 4),
    st.integers(1, 3),
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11), ROWS), min_size=6, max_size=20),
)
def test_any_program_finds_what_was_read_under_the_same_adapters_of_the_same_content(
    kind: str, chunk: int, few: int, program: list[tuple[Callable[[Program, int, Any], None], int, Any]]
) -> None:
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder, small_chunks(chunk, few):
        run = Program(kind, oc.store.KVStore(folder), chunk, few)
        for step, place, rows in program:
            step(run, place, rows)


@pytest.mark.parametrize("kind", ["peft", "transformers", "copies", "stock"])
def test_layout_and_identity_of_a_pinned_model_are_those_of_its_adapters_whatever_the_model_is_set_to(
    kind: str,
) -> None:
    hf = with_adapters(kind, "a", "b")
    model = wrapped(hf)
    pinned = {names: model.with_adapter(list(names) or None) for names in SETTINGS}
    facts = {names: (each.engine.kv_layout(), each.identity) for names, each in pinned.items()}
    assert len({identity for _, identity in facts.values()}) == 3
    for active in SETTINGS:
        switched(hf, active)
        assert (model.engine.kv_layout(), model.identity) == facts[active]
        for names, each in pinned.items():
            assert (each.engine.kv_layout(), each.identity) == facts[names]
            again = wrapped(hf).with_adapter(list(names) or None)
            assert (again.engine.kv_layout(), again.identity) == facts[names]


def test_keys_and_values_beside_a_state_are_used_under_its_adapter_only(tmp_path: Path) -> None:
    hf = with_adapters("transformers", "a", "b")
    model = wrapped(hf)
    state = model.with_adapter("a").state("Mira is a painter from Lisbon.").kv.prefill()
    state.save(path := tmp_path / "s", kv=True)
    for names in SETTINGS:
        for pinned in (True, False):
            switched(hf, names if not pinned else ("b",))
            other = wrapped(copy.deepcopy(hf))
            other = other.with_adapter(list(names) or None) if pinned else other
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                back = oc.load_state(path, other)
            assert back.tolist() == state.tolist()
            used = names == ("a",)
            assert [str(each.message).endswith("those of other parameters") for each in told] == [True] * (not used)
            assert back.kv.lengths.equal(state.kv.lengths) if used else not back.kv.lengths.any()
            assert other.stats.restored == state.shape[2] * used
            ids = state.rows[0][0].ids
            check_logits(other, names, [Need(ids, (len(ids) - 1,), back.rows[0][0].claim)])
