"""Keys and values on disk: with a store, or without one, every value is the same; files are sound, and bounded."""

from __future__ import annotations

import copy
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from cases import nightly
from hashed_model import HashedModel
from hypothesis import given, settings
from hypothesis import strategies as st
from program_checks import Pressing, small_chunks
from safetensors import safe_open
from safetensors.torch import load, save, save_file
from strategies import CLOSE, another_lawful_model, lawful_model, shipped_model, short_hf
from transformers import AutoModelForCausalLM, MambaConfig

import outlines_cont as oc
from outlines_cont import errors
from outlines_cont.engines.hf.backends import full_forward
from outlines_cont.store import kv_store, reads
from outlines_cont.store.kv_store import CHUNK, FORMAT, SUFFIX
from outlines_cont.store.signed import SECRET, is_signed, secret_of, serialized, signature

GREEDY = oc.samplers.greedy()
Need = oc.stepping.Need


@pytest.fixture
def store(tmp_path: Path) -> oc.store.KVStore:
    return oc.store.KVStore(tmp_path / "store")


def with_store(store: oc.store.KVStore | None, **options: Any) -> oc.Model:
    """A new model of the parameters of the law tests: what another process would have."""
    return oc.Model(lawful_model().engine, lawful_model().tokenizer, store=store, **options)


def row_of(length: int, seed: int = 0) -> tuple[int, ...]:
    dice = Random(seed)
    return tuple(dice.randrange(10, 1500) for _ in range(length))


def files_of(store: oc.store.KVStore) -> list[Path]:
    return sorted(Path(store.folder).glob(f"*{SUFFIX}"))


def sound(store: oc.store.KVStore, path: Path) -> bool:
    """Whether a file is what a process of ours has written whole."""
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return is_signed((file.metadata() or {}).get("signature"), store.secret(), f"{FORMAT} {path.stem}", tensors)


def check_logits(model: oc.Model, needs: Sequence[Any]) -> None:
    """Whatever it finds on disk, a model gives what a plain forward of the row gives."""
    logits, claims = model.read(needs)
    plain = [full_forward(short_hf(), [need.tokens])[0, list(need.wanted)] for need in needs]
    assert torch.allclose(logits.log_softmax(-1), torch.cat(plain).log_softmax(-1), atol=CLOSE)
    assert [claim.depth for claim in claims if claim] == [need.length for need in needs]


# --- law 2, and law 8: values and counts


class PlainStore:
    """What a model with a store has to compute, as sets of prefixes: those in its tree, and the chunks on disk."""

    def __init__(self, chunk: int, few: int):
        self.chunk, self.few = chunk, few
        self.tree, self.disk = set[tuple[int, ...]](), set[tuple[int, ...]]()
        self.tokens = self.restored = self.asked = 0

    def depth(self, row: tuple[int, ...]) -> int:
        return max(n for n in range(len(row) + 1) if not n or row[:n] in self.tree)

    def read(self, needs: Sequence[Any]) -> None:
        befores = []
        for need in needs:
            row = need.tokens
            most = need.wanted[0] if need.wanted else len(row)
            if len(row) >= self.few and most - self.depth(row) >= self.chunk:
                at = self.depth(row) // self.chunk
                while at * self.chunk < most and row[: (at + 1) * self.chunk] in self.disk:
                    if len(row) < (at + 1) * self.chunk:
                        break
                    new = {row[:n] for n in range(1, min((at + 1) * self.chunk, most) + 1)} - self.tree
                    self.restored += len(new)
                    self.tree |= new
                    at += 1
            befores.append(self.depth(row))
        for need in needs:
            row = need.tokens
            new = {row[: n + 1] for n in range(len(row))} - self.tree
            self.tokens += len(new)
            self.tree |= new
        for need, before in zip(needs, befores, strict=True):
            row = need.tokens
            if len(row) - before >= self.few:
                self.disk |= {row[:n] for n in range(self.chunk, len(row) + 1, self.chunk)}


ROWS = st.lists(st.lists(st.sampled_from([20, 21, 22]), min_size=1, max_size=14), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(1, 4),
    st.lists(st.tuples(ROWS, st.sampled_from(["", "", "another process", "dropped"])), min_size=2, max_size=6),
    st.data(),
)
def test_a_model_with_a_store_gives_plain_logits_and_counts_what_it_found(
    chunk: int, few: int, calls: list[tuple[list[list[int]], str]], data: st.DataObject
) -> None:
    plain, held = PlainStore(chunk, few), list[Any]()
    with tempfile.TemporaryDirectory() as folder, small_chunks(chunk, few):
        store = oc.store.KVStore(folder)
        model, reread, reused = with_store(store), 0, 0
        for rows, event in calls:
            if event:
                held.clear()
                plain.tree.clear()
            if event == "another process":
                model = with_store(store)
            needs = [Need(tuple(row), (len(row) - 1,)) for row in {tuple(row): row for row in rows}.values()]
            if data.draw(st.booleans()):
                first = needs[0]
                needs[0] = Need(
                    first.ids, data.draw(st.sampled_from([(), (0,), (len(first.ids) // 2, len(first.ids) - 1)]))
                )
                needs[0] = Need(first.ids, tuple(sorted({*needs[0].wanted})))
            before = plain.tokens, plain.restored, model.stats.tokens, model.stats.restored
            reread, reused = model.stats.reread, model.stats.reused
            plain.read(needs)
            held += model.read(needs)[1]
            if any(need.wanted for need in needs):
                check_logits(model, [need for need in needs if need.wanted])
            computed, restored = model.stats.tokens - before[2], model.stats.restored - before[3]
            assert (computed, restored) == (plain.tokens - before[0], plain.restored - before[1])
            again = sum(need.length for need in needs if need.wanted)  # by check_logits
            asked = sum(need.length for need in needs) + again
            assert computed + restored + model.stats.reused - reused + model.stats.reread - reread == asked


def test_a_program_is_the_same_with_a_store(store: oc.store.KVStore) -> None:
    prompts = ["Mira is a painter from Lisbon. " * 12, "Mira is a painter from Lisbon. " * 9 + "So", "The sky"]
    restored = []
    for other in (None, store, store):
        model = with_store(other)
        name = oc.continuous(oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=2)), name="name")
        state = name([text + " And " for text in prompts], seed=3)
        state = (state + " is here, and she says so to everybody who comes by on this day. " * 4).rescore()
        scores = oc.score(state, [" Yes", " No"])
        if other is None:
            expected, right = state, scores
        else:
            assert state.text() == expected.text() and state.captures["name"] == expected.captures["name"]
            assert torch.allclose(state.logprobs, expected.logprobs, atol=CLOSE)
            assert torch.allclose(torch.tensor(scores), torch.tensor(right), atol=10 * CLOSE)
            assert state.kv.lengths.equal(expected.kv.lengths)
        restored.append(model.stats.restored)
    assert restored[0] == restored[1] == 0 < restored[2]


def test_with_fresh_nothing_is_read_or_written(store: oc.store.KVStore) -> None:
    needs = [Need(row_of(200), (199,))]
    with (model := with_store(store)).fresh():
        model.read(needs)
    assert files_of(store) == []
    model.read(needs)
    with (other := with_store(store)).fresh():
        check_plain = other.read(needs)[0]
    assert other.stats.restored == 0 and other.stats.tokens == 200
    assert torch.allclose(check_plain, with_store(store).read(needs)[0], atol=CLOSE)


def test_tokens_that_are_generated_one_by_one_are_written_with_the_next_text(store: oc.store.KVStore) -> None:
    model = with_store(store)
    ids, claims = row_of(140), list[Any]([None])
    for length in range(60, 141):
        _, claims = model.read([Need(ids[:length], (length - 1,), claims[0])])
    assert files_of(store) == []
    (model.state([ids]) + " and so on, as it was said before, by all of them").kv.prefill()
    assert len(files_of(store)) == 2


def test_grafts_are_neither_written_nor_continued_from_disk(store: oc.store.KVStore) -> None:
    """What comes after a graft has other keys and values than a prefix of these tokens."""
    model = with_store(store)
    left, right = model.state([row_of(70, 1)]).kv.prefill(), model.state([row_of(80, 2)]).kv.prefill()
    before = {path.name for path in files_of(store)}
    grafted = (oc.grafts.graft(left, right) + " and more of it, " * 20).kv.prefill()
    assert {path.name for path in files_of(store)} == before and grafted.kv.lengths.equal(grafted.lengths)
    whole = Need(grafted.rows[0][0].ids, (grafted.shape[2] - 1,))
    check_logits(with_store(store), [whole])  # written by an exact reading
    check_logits(last := with_store(store), [whole])
    assert last.stats.restored >= 128


def test_a_small_budget_of_the_tree_and_a_small_memory_hold(store: oc.store.KVStore) -> None:
    needs = [Need(row_of(150, seed), (149,)) for seed in range(4)]
    with_store(store).read(needs)
    for budget in (0, 10_000, 10**7):
        model = with_store(store, kv_budget=budget)
        logits = model.read(needs)[0]
        assert torch.allclose(logits, with_store(None).read(needs)[0], atol=CLOSE)
        assert model.stats.restored == 4 * 128 and model.stats.tokens == 4 * 22


def test_a_memory_of_a_fixed_size_is_never_overfull(store: oc.store.KVStore) -> None:
    plain = HashedModel(shipped_model().tokenizer, 1, 400)
    needs = [Need(row_of(150, seed), (149,)) for seed in range(4)]
    expected = oc.Model(plain).read(needs)[0]
    for slots in (400, 700, 700, 400):  # in 400 the rows are read in groups, and what is restored may give way
        written, model = len(files_of(store)), plain.with_slots(slots=slots, nodes=5, store=store)
        assert model.read(needs)[0].equal(expected)
        stats = model.stats
        assert stats.tokens + stats.restored + stats.reused - stats.reread == 600
        assert stats.restored == 64 * written or slots == 400
    assert len(files_of(store)) == 8


# --- processes

READER = """
import sys, outlines_cont as oc
model = oc.load(store=oc.store.KVStore(sys.argv[1]))
need = oc.stepping.Need(tuple(10 + i * i % 1400 for i in range(200)), (199,))
logits = model.logits([need]).log_softmax(-1)
print(model.stats.tokens, model.stats.restored, model.engine.kv_layout(), model.identity, f"{logits[0, 5]:.3f}")
"""


def test_another_process_finds_what_one_has_read(store: oc.store.KVStore) -> None:
    with redirect_stdout(io.StringIO()) as first, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["", store.folder])
        exec(READER, {})
    command = [sys.executable, "-c", READER, store.folder]
    second = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    facts = f"{shipped_model().engine.kv_layout()} {shipped_model().identity} "
    assert first.getvalue().startswith(f"200 0 {facts}")
    assert second == first.getvalue().replace("200 0 ", "8 192 ", 1)


SIZE = 4 * 64 * 100 * 4  # bytes of a file, without its header


def writer(store: oc.store.KVStore, number: int, rounds: int) -> int:
    """A process, by its id, that writes files of a store, four in a round."""
    if child := os.fork():
        return child
    try:
        for round in range(rounds):
            names = [f"{number:04x}{round:04x}{place:02x}" for place in range(4)]
            copies = [{"0.keys": torch.full((4, 64, 100), float(place))} for place in range(4)]
            store.write([(name, time.time_ns(), copy) for name, copy in zip(names, copies, strict=True)], names)
    finally:
        os._exit(0)


def kept_bytes(store: oc.store.KVStore) -> int:
    sizes = 0
    for path in files_of(store):
        with suppress(FileNotFoundError):
            sizes += path.stat().st_size
    return sizes


@pytest.mark.parametrize("kills", [30, nightly(1000)])
def test_processes_that_write_at_once_or_are_killed_leave_sound_files_within_the_budget(
    kills: int, tmp_path: Path
) -> None:
    store, dice = oc.store.KVStore(tmp_path, 6 * SIZE + 6000), Random(kills)
    begun = time.perf_counter()
    os.waitpid(writer(store, 0, 20), 0)
    took = time.perf_counter() - begun
    for number in range(kills // 3):
        children = [writer(store, 4 * number + i, 40) for i in range(4)]
        for child in children[:3]:
            until = time.perf_counter() + dice.random() * took
            while time.perf_counter() < until:
                assert kept_bytes(store) <= store.budget
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.waitpid(children[3], 0)
        assert kept_bytes(store) <= store.budget
        left = files_of(store)
        assert 4 <= len(left) <= 6 and all(sound(store, path) for path in left)
        store.write((), ())
        assert not list(tmp_path.glob(".*"))  # what was left half written is gone


def test_of_processes_that_make_the_secret_at_once_all_have_the_same(tmp_path: Path) -> None:
    places, (wait, begin), children = [tmp_path / f"{i}" for i in range(4)], os.pipe(), []
    for place in places:
        if not (child := os.fork()):
            try:
                os.close(begin)
                os.read(wait, 1)
                place.write_bytes(secret_of(tmp_path / "s"))
            finally:
                os._exit(0)
        children.append(child)
    os.close(begin)  # now all of them begin
    os.close(wait)
    for child in children:
        os.waitpid(child, 0)
    assert len({place.read_bytes() for place in places}) == 1
    assert (tmp_path / "s" / SECRET).stat().st_mode & 0o777 == 0o600


# --- the budget


def test_what_was_not_used_for_longest_goes_first_and_ends_go_before_beginnings(tmp_path: Path) -> None:
    store = oc.store.KVStore(tmp_path)
    first, second, third = (Need(row_of(256 + 1, seed), (256,)) for seed in range(3))
    with_store(store).read([first])
    [size] = {path.stat().st_size for path in files_of(store)}
    assert store.bytes == 4 * size and f"{store.bytes:,} of" in repr(store)
    small = oc.store.KVStore(tmp_path, 8 * size)
    with_store(small).read([second])
    with_store(small).read([first])  # used
    with_store(small).read([Need(third.ids[:129], (128,))])
    counts, model = list[list[bool]](), with_store(None)
    for need in (first, second):
        names = reads.names_of(f"{FORMAT} {model.identity} {model.engine.kv_layout()}", need.ids)
        counts.append([(tmp_path / f"{name}{SUFFIX}").exists() for name in names])
    assert counts == [[True] * 4, [True, True, False, False]] and small.bytes == 8 * size
    assert oc.store.KVStore(tmp_path, 3 * size + 1).bytes == 3 * size and oc.store.KVStore(tmp_path, 0).bytes == 0


def test_a_row_larger_than_the_budget_is_kept_from_its_beginning(tmp_path: Path) -> None:
    need, store = Need(row_of(400), (399,)), oc.store.KVStore(tmp_path)
    with_store(store).read([need])
    [size] = {path.stat().st_size for path in files_of(store)}
    small = oc.store.KVStore(tmp_path / "small", 3 * size + 5)
    with_store(small).read([need])
    model = with_store(small)
    check_logits(model, [need])
    assert small.bytes == 3 * size and model.stats.restored == 3 * CHUNK


def test_a_folder_that_was_deleted_holds_nothing_and_is_made_anew(store: oc.store.KVStore) -> None:
    (model := with_store(store)).read([need := Need(row_of(130), (129,))])
    shutil.rmtree(store.folder)
    assert store.bytes == 0 and "0 of" in repr(store)
    check_logits(model, [Need(row_of(130, 1), (129,))])
    check_logits(other := with_store(store), [need])
    assert len(files_of(store)) == 4 and other.stats.restored == 0


def test_what_another_thread_evicts_after_the_pass_is_not_written_in_part(
    store: oc.store.KVStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, touched = with_store(store), kv_store.KVStore.touched

    def evicting(self: oc.store.KVStore, name: str, when: int) -> bool:
        model.tree.budget = 0
        model.tree.trim()
        return touched(self, name, when)

    monkeypatch.setattr(kv_store.KVStore, "touched", evicting)
    model.read([need := Need(row_of(130), (129,))])
    monkeypatch.undo()
    assert len(files_of(store)) == 2 and all(
        sound(store, path) and path.stat().st_size > 10_000 for path in files_of(store)
    )
    check_logits(other := with_store(store), [need])
    assert other.stats.restored == 128


def test_what_was_computed_while_another_thread_changed_the_model_is_not_written(store: oc.store.KVStore) -> None:
    hf = copy.deepcopy(short_hf())
    model, weight = oc.Model(hf, shipped_model().tokenizer, store=store), hf.model.layers[0].mlp.up_proj.weight
    state, inner, engine = model.state([*row_of(130)]), model.language_model, model.engine
    forward, copied, change = inner._forward, type(engine).copied, [True]

    def changed() -> None:
        if change:
            change.clear()
            weight.data = weight.data * 1.5

    def reading(*args: Any) -> Any:
        changed()
        return forward(*args)

    def copying(*args: Any) -> Any:
        copies = copied(engine, *args)
        changed()
        return copies

    inner._forward = reading
    state.kv.prefill()
    assert files_of(store) == []
    state = state.kv.prefill()
    assert len(files_of(store)) == 2 and state.kv.lengths.tolist() == [[130]]
    engine.copied = copying
    change.append(True)
    data = oc.storage.to_bytes(state, kv=True)
    fresh = oc.Model(hf, shipped_model().tokenizer)
    assert oc.storage.from_bytes(data, fresh).kv.lengths.tolist() == [[0]]


# --- what is not found


def test_what_was_computed_in_another_way_is_not_found(
    store: oc.store.KVStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    need = Need(row_of(130), (129,))
    with_store(store).read([need])
    same = with_store(store)
    same.read([need])
    assert same.stats.restored == 128

    def changed(change: Any, **options: Any) -> oc.Model:
        hf = copy.deepcopy(short_hf())
        change(hf)
        return oc.Model(hf, shipped_model().tokenizer, store=store, **options)

    def epsilon(hf: Any) -> None:
        hf.model.layers[0].input_layernorm.variance_epsilon = 1e-3

    def frequencies(hf: Any) -> None:
        hf.model.rotary_emb.inv_freq.mul_(0.5)

    def setting(hf: Any) -> None:
        hf.config.rope_parameters = {**hf.config.rope_parameters, "rope_theta": 5.0}

    def weight(hf: Any) -> None:
        with torch.no_grad():
            hf.model.layers[1].mlp.up_proj.weight[0, 0] += 1

    ways: list[Any] = [lambda hf: hf.double(), lambda hf: hf.train(), epsilon, frequencies, setting, weight]
    models = [changed(way) for way in ways] + [changed(lambda hf: None, batch_invariant=True)]
    before = torch.get_float32_matmul_precision()
    for model in models:
        model.read([need])
        assert model.stats.restored == 0, model
    torch.set_float32_matmul_precision("medium")
    try:
        (other := with_store(store)).read([need])
    finally:
        torch.set_float32_matmul_precision(before)
    assert other.stats.restored == 0
    assert len(files_of(store)) == 2 * (2 + len(models))
    (again := changed(lambda hf: None)).read([need])
    assert again.stats.restored == 128


def test_a_change_of_the_model_is_another_identity_from_then_on(store: oc.store.KVStore) -> None:
    hf = copy.deepcopy(short_hf())
    model = oc.Model(hf, shipped_model().tokenizer, store=store)
    need = Need(row_of(130), (129,))
    first = model.read([need])[0].clone()
    with torch.no_grad():
        hf.model.layers[0].mlp.up_proj.weight.mul_(1.5)
    second = model.read([need])[0].clone()
    assert model.stats.restored == 0 and not torch.allclose(first, second, atol=1e-2)
    with torch.no_grad():
        hf.model.layers[0].mlp.up_proj.weight.mul_(1 / 1.5)
    hf.model.layers[0].input_layernorm.variance_epsilon *= 1  # the same number
    with torch.no_grad():
        assert not model.read([need])[0].equal(second)


def test_the_layout_is_refused_where_nobody_can_tell_it(store: oc.store.KVStore) -> None:
    def patched(way: str) -> Any:
        hf = copy.deepcopy(short_hf())
        layer = hf.model.layers[0]
        if way == "forward":
            plain = layer.mlp.forward
            layer.mlp.forward = lambda x: plain(x)
        elif way == "hook":
            layer.register_forward_hook(lambda *_: None)
        elif way == "class":
            namespace: dict[str, Any] = {"base": type(layer.mlp)}
            exec("class Another(base):\n    def forward(self, x): return super().forward(x)", namespace)
            layer.mlp.__class__ = namespace["Another"]
        return hf

    for way, reason in {
        "forward": "forward is another one",
        "hook": "forward hooks",
        "class": "does not stand",
    }.items():
        with pytest.raises(ValueError, match=rf"store=….*{reason}"):
            oc.Model(patched(way), shipped_model().tokenizer, store=store)
    model = oc.Model(hf := patched(""), shipped_model().tokenizer, store=store)
    hf.model.layers[0].mlp.act_fn.forward = lambda x: x * 0.5
    errors._warned.clear()
    with pytest.warns(UserWarning, match="is not used: .*forward is another one"):
        logits = model.read([need := Need(row_of(130), (129,))])[0]
    assert torch.allclose(logits[0], full_forward(hf, [need.ids])[0, -1], atol=CLOSE) and files_of(store) == []


def test_models_whose_keys_cannot_be_copied_are_refused_by_name(store: oc.store.KVStore, tmp_path: Path) -> None:
    tokenizer, plain = shipped_model().tokenizer, HashedModel(shipped_model().tokenizer, 1, 64)
    mamba = AutoModelForCausalLM.from_config(
        MambaConfig(hidden_size=16, state_size=4, num_hidden_layers=1, vocab_size=1536)
    ).eval()
    refusals: list[tuple[Any, Any, str]] = [
        (lambda: oc.Model(tokenizer, store=store), TypeError, "tokenizer alone keeps no keys"),
        (lambda: oc.Model(plain, store=store), TypeError, "HashedModel has a cache of its own"),
        (lambda: oc.Model(mamba, tokenizer, store=store), ValueError, "keeps no keys and values here"),
        (lambda: oc.Model(short_hf(), tokenizer, store=str(tmp_path)), TypeError, r"KVStore: oc.store.KVStore\('"),
        (lambda: oc.load(engine="vllm", store=store), ValueError, "vLLM has a cache of its own"),
        (lambda: oc.load(tp_plan="auto", store=store), ValueError, "spread over processes"),
        (lambda: oc.Model(plain).state("a").save(tmp_path / "s", kv=True), TypeError, "kv=True: .* cannot be copied"),
        (lambda: oc.store.KVStore(3), TypeError, "takes a path"),
        (lambda: oc.store.KVStore(tmp_path, -1), ValueError, "≥ 0"),
        (lambda: oc.store.KVStore(tmp_path, 1.5), TypeError, "an int"),
    ]
    for call, kind, reason in refusals:
        with pytest.raises(kind, match=reason):
            call()


# --- files of others, and damaged ones


def test_a_folder_or_a_secret_of_others_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(ValueError, match="may be written by others"):
        oc.store.KVStore(tmp_path)
    tmp_path.chmod(0o700)
    store = oc.store.KVStore(tmp_path)
    (tmp_path / SECRET).chmod(0o644)
    with pytest.raises(ValueError, match="can be read by others"):
        oc.store.KVStore(tmp_path)
    model = with_store(store)
    errors._warned.clear()
    with pytest.warns(UserWarning, match="can be read by others"):
        check_logits(model, [Need(row_of(130), (129,))])
    (tmp_path / SECRET).chmod(0o600)
    (tmp_path / SECRET).write_bytes(b"short")
    with pytest.raises(ValueError, match="is damaged"):
        oc.store.KVStore(tmp_path)
    (tmp_path / SECRET).unlink()
    (tmp_path / SECRET).symlink_to("/etc/hostname")
    with pytest.raises(ValueError, match="or is not yours"):
        oc.store.KVStore(tmp_path)


def test_a_folder_that_cannot_be_written_is_told_once_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = oc.store.KVStore(tmp_path)
    model, needs = with_store(store), [[Need(row_of(130, seed), (129,))] for seed in range(3)]
    model.read(needs[0])
    errors._warned.clear()

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kv_store, "in_place_of", full)
    with pytest.warns(UserWarning, match="nothing can be written to the store .*No space left") as told:
        check_logits(model, needs[1])
        check_logits(model, needs[2])
    assert len(told) == 1
    check_logits(other := with_store(store), needs[0])
    assert other.stats.restored == 128


def forged(path: Path, name: str, secret: bytes, change: Any) -> None:
    """A file with other tensors, signed with some secret."""
    with safe_open(path, framework="pt") as file:
        tensors = {key: file.get_tensor(key).clone() for key in file.keys()}  # noqa: SIM118
    change(tensors)
    path.unlink()
    path.write_bytes(b"".join(serialized(tensors, {"signature": signature(secret, f"{FORMAT} {name}", tensors)})))


def damages(dice: Random) -> dict[str, Any]:
    """What may have happened to one of the files of a folder."""

    def bits(path: Path, others: list[Path]) -> None:
        data = bytearray(path.read_bytes())
        for _ in range(dice.choice([1, 1, 3])):
            data[dice.choice([dice.randrange(len(data)), dice.randrange(800)])] ^= 1 << dice.randrange(8)
        path.write_bytes(data)

    def replaced(make: Any) -> Any:
        def change(path: Path, others: list[Path]) -> None:
            path.unlink()
            make(path)

        return change

    def swapped(path: Path, others: list[Path]) -> None:
        other = dice.choice(others)
        mine, theirs = path.read_bytes(), other.read_bytes()
        path.write_bytes(theirs)
        other.write_bytes(mine)

    def huge(path: Path, others: list[Path]) -> None:
        data = path.read_bytes()
        path.write_bytes(dice.choice([2**62, 10**8, len(data)]).to_bytes(8, "little") + data[8:])

    def noise(tensors: dict[str, torch.Tensor]) -> None:
        tensors["0.keys"] += 1

    def other_form(tensors: dict[str, torch.Tensor]) -> None:
        tensors["0.keys"] = tensors["0.keys"].double()

    def of_other_owner(path: Path, others: list[Path]) -> None:
        path.chmod(0o666)

    return {
        "bits": bits,
        "cut": lambda path, _: path.write_bytes(path.read_bytes()[: dice.randrange(path.stat().st_size)]),
        "longer": lambda path, _: path.write_bytes(path.read_bytes() + bytes(dice.randrange(1, 99))),
        "swapped": swapped,
        "empty": replaced(Path.touch),
        "a folder": replaced(Path.mkdir),
        "a pipe": replaced(os.mkfifo),
        "a link": replaced(lambda path: path.symlink_to("/etc/hostname")),
        "a link to itself": replaced(lambda path: path.symlink_to(path)),
        "another file": replaced(lambda path: save_file({"0.keys": torch.zeros(3)}, path)),
        "header": huge,
        "other secret": lambda path, _: forged(path, path.stem, bytes(32), noise),
        "no change, other secret": lambda path, _: forged(path, path.stem, bytes(32), lambda tensors: None),
        "other form": lambda path, _: forged(path, path.stem, bytes(32), other_form),
        "writable": of_other_owner,
    }


def damaged_files(count: int, dice: Random) -> dict[str, int]:
    """Damage files of stores again and again: no number changes. How often, by kind."""
    told: dict[str, int] = {}
    needs = [Need(row_of(2 * CHUNK + 3, seed), (2 * CHUNK + 2,)) for seed in range(2)]
    expected = with_store(None).read(needs)[0].clone()
    with tempfile.TemporaryDirectory() as folder:
        store = oc.store.KVStore(folder)
        for number in range(count):
            model = with_store(store)
            model.read(needs)
            del model
            kind = dice.choice([*damages(dice)])
            path, *others = dice.sample(files_of(store), len(files_of(store)))
            damages(dice)[kind](path, others)
            model = with_store(store)
            assert torch.allclose(model.read(needs)[0], expected, atol=CLOSE), (kind, number)
            told[kind] = told.get(kind, 0) + 1
            assert model.stats.restored < 4 * CHUNK or kind == "bits", (kind, number)
            if path.is_dir():
                path.rmdir()
    return told


def test_a_damaged_or_forged_file_gives_no_number() -> None:
    told = damaged_files(120, Random(0))
    assert told.keys() == damages(Random(0)).keys()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        damaged_files(5, Random(1))


def test_files_of_another_layout_or_place_are_not_believed_under_another_name(store: oc.store.KVStore) -> None:
    """A name is of one model, one layout and one prefix; the content of another name is signed for that."""
    need = Need(row_of(130), (129,))
    with_store(store).read([need])
    first, second = files_of(store)
    data = [path.read_bytes() for path in (first, second)]
    first.write_bytes(data[1])
    second.write_bytes(data[0])
    check_logits(model := with_store(store), [need])
    check_logits(other := with_store(store), [need])
    assert (model.stats.restored, other.stats.restored) == (0, 64) and all(
        sound(store, path) for path in files_of(store)
    )


# --- Ctrl-C


@pytest.mark.parametrize("seed", range(2))
def test_ctrl_c_between_any_two_steps_leaves_a_sound_tree_and_a_sound_folder(seed: int, tmp_path: Path) -> None:
    plain, dice = HashedModel(shipped_model().tokenizer, 1, 64), Random(seed)
    needs = [Need(row_of(20, 1), (19,)), Need(row_of(12, 1), (11,)), Need(row_of(17, 2), (16,))]
    expected = oc.Model(plain).read(needs)[0]
    store = oc.store.KVStore(tmp_path)
    with small_chunks(4):
        with Pressing([]) as pressing:
            plain.with_slots(store=store).read(needs)
        for _ in range(60):
            for path in files_of(store):
                if dice.random() < 0.4:
                    path.unlink()
            model = plain.with_slots(store=store)
            with suppress(KeyboardInterrupt), Pressing([dice.randint(1, pressing.calls)]):
                model.read(needs)
            assert all(sound(store, path) for path in files_of(store))
            logits, claims = model.read(needs)
            assert logits.equal(expected) and len(model.engine.memory) == len({*prefixes(needs)})
            del claims
            for need in needs:
                need.computed.clear()
            assert not model.engine.memory


def prefixes(needs: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    for need in needs:
        yield from (need.ids[: n + 1] for n in range(len(need.ids)))


# --- states with their keys and values


PROMPTS = ["Mira is a painter", "The sky is", "Mira is a cook"]


def stated_from(prompts: list[str]) -> oc.SequenceState:
    step = oc.continuous(oc.generate.text(with_store(None), oc.samplers.multinomial(samples=2)))
    return step(prompts, max_tokens=9, seed=1)


@pytest.fixture
def stated() -> oc.SequenceState:
    return stated_from(PROMPTS)


def test_a_state_comes_back_with_its_keys_and_values(stated: oc.SequenceState, tmp_path: Path) -> None:
    stated.save(tmp_path / "plain")
    stated.save(tmp_path / "kv", kv=True)
    data = oc.storage.to_bytes(stated, kv=True)
    assert data == (tmp_path / "kv").read_bytes() and oc.storage.to_bytes(stated) == (tmp_path / "plain").read_bytes()
    tree, row = stated.model.tree, sum(map(len, distinct(stated)))
    for number in range(3):
        model = another_lawful_model()
        back = oc.storage.from_bytes(data, model) if number else oc.load_state(tmp_path / "kv", model)
        assert back.identical(stated) and back.kv.lengths.equal(stated.kv.lengths)
        assert model.stats.restored == row and model.stats.tokens == 0 and tree.pool.slot_bytes > 0
        assert torch.allclose(back.rescore().logprobs, stated.logprobs, atol=CLOSE) and model.stats.tokens == 0
        assert back.kv.prefill().kv.lengths.equal(back.lengths)
    assert oc.storage.from_bytes(data, stated.model).kv.lengths.equal(stated.kv.lengths)


def distinct(state: oc.SequenceState) -> list[tuple[int, ...]]:
    """A tuple for each token that the tree has of a state."""
    lengths = state.kv.lengths.tolist()
    kept = {
        row.ids[: n + 1]
        for rows, some in zip(state.rows, lengths, strict=True)
        for row, length in zip(rows, some, strict=True)
        for n in range(length)
    }
    return [(0,)] * len(kept)


def test_a_budget_bounds_what_is_loaded(stated: oc.SequenceState) -> None:
    data = oc.storage.to_bytes(stated, kv=True)
    model = oc.Model(short_hf(), shipped_model().tokenizer, kv_budget=20 * stated.model.tree.pool.slot_bytes)
    back = oc.storage.from_bytes(data, model)
    assert back.identical(stated) and 0 < model.stats.kv_bytes <= model.kv_budget


def test_of_a_graft_the_exact_part_is_saved() -> None:
    model = with_store(None)
    grafted = oc.grafts.graft(model.state("Look: the sky"), model.state(" is blue."))
    exact = grafted.rows[0][0].exact_length
    other = another_lawful_model()
    back = oc.storage.from_bytes(oc.storage.to_bytes(grafted, kv=True), other)
    assert back == grafted and back.kv.lengths.tolist() == [[exact]] and back.kv.exact.all()


def with_copies_of(data: bytes, other: bytes) -> bytes:
    """A file of a state with the keys and values, and their signature, of another file."""
    mine, theirs = load(data), load(other)
    about, others = (
        json.loads(each[8 : 8 + int.from_bytes(each[:8], "little")])["__metadata__"] for each in (data, other)
    )
    about |= {name: others[name] for name in others if name.startswith("kv")}
    tensors = {name: tensor for name, tensor in mine.items() if not name.startswith("kv.")}
    return save(tensors | {name: tensor for name, tensor in theirs.items() if name.startswith("kv.")}, about)


def damaged_states(count: int, dice: Random) -> Counter[str]:
    """Damage files of states with keys and values: no value changes, and no number. What came of it, how often."""
    states = [stated_from(prompts) for prompts in (PROMPTS, PROMPTS[:1])]
    files, outcomes = [oc.storage.to_bytes(state, kv=True) for state in states], Counter[str]()
    for _ in range(count):
        at = dice.randrange(2)
        state, data = states[at], files[at]
        header, changed = 8 + int.from_bytes(data[:8], "little"), bytearray(data)
        if swapped := dice.random() < 0.1:
            changed = bytearray(with_copies_of(data, files[1 - at]))
        else:
            place = dice.choice([dice.randrange(header), dice.randrange(len(data))])
            changed[place] ^= 1 << dice.randrange(8)
        model = oc.Model(lawful_model().engine, lawful_model().tokenizer)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                back = oc.storage.from_bytes(bytes(changed), model)
            except oc.errors.CorruptStateError:
                outcomes["refused"] += 1
                continue
        assert back.identical(state)
        if model.stats.restored:
            outcomes["no matter"] += 1
            assert bytes(changed[header:]) == data[header:] and not told
        else:
            outcomes["another file's" if swapped else "computed anew"] += 1
            assert len(told) <= 1 and (not told or "are not used, and computed" in str(told[0].message))
        if dice.random() < 0.05:
            assert torch.allclose(back.rescore().logprobs, state.logprobs, atol=CLOSE)
    return outcomes


def test_damaged_keys_and_values_of_a_state_are_computed_anew() -> None:
    assert damaged_states(150, Random(0)).keys() >= {"refused", "computed anew", "another file's"}


def test_keys_and_values_of_others_are_not_used(
    stated: oc.SequenceState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = oc.storage.to_bytes(stated, kv=True)
    double = oc.Model(oc.load(dtype="float64").hf, shipped_model().tokenizer)
    invariant = oc.Model(short_hf(), shipped_model().tokenizer, batch_invariant=True)
    plain = oc.Model(HashedModel(shipped_model().tokenizer, 1, 64))
    for model, reason in ((double, "other parameters"), (invariant, "in another way"), (plain, "cannot be copied")):
        with pytest.warns(UserWarning, match=rf"what from_bytes\(\) was given are not used, .*{reason}"):
            assert oc.storage.from_bytes(data, model) == stated
    monkeypatch.setenv("OUTLINES_CONT_CACHE", str(tmp_path / "another"))
    with pytest.warns(UserWarning, match="another secret"):
        assert oc.storage.from_bytes(data, another_lawful_model()).kv.lengths.sum() == 0
    monkeypatch.setenv("OUTLINES_CONT_CACHE", "")
    with pytest.raises(ValueError, match="signed with a secret in the cache folder, and there is none"):
        stated.save(tmp_path / "s", kv=True)
