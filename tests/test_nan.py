"""Numbers that are none: what holds NaN, or computes it, is named where it is loaded or read; no row, no weight and no
score is made of it."""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch
from gguf import GGUFReader
from gguf_files import FILE_TYPES, shipped
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model, short_hf
from torch import inf, nan

import outlines_cont as oc
from outlines_cont.kernels import rows
from outlines_cont.llama_cpp.engine import LlamaCppEngine

GREEDY = oc.samplers.greedy()
PROMPT = "Mira likes red"
REFUSED = "the model's logits hold NaN or +inf, or are all −inf"


def finite(values: Any) -> bool:
    return bool(torch.as_tensor(values).isfinite().all())


#: Whatever reads logits, and whether all that came of it are numbers.
DOORS: dict[str, Callable[[oc.Model], bool]] = {
    "greedy": lambda m: finite(oc.generate.text(m, GREEDY).run(PROMPT, max_tokens=3).weights),
    "multinomial": lambda m: finite(oc.generate.text(m).run(PROMPT, max_tokens=3, seed=0).weights),
    "filtered": lambda m: finite(
        oc.generate.text(m, oc.samplers.multinomial(top_p=0.9, filters=[oc.filters.typical_p(0.5)]))
        .run(PROMPT, max_tokens=3, seed=0)
        .weights
    ),
    "beams": lambda m: finite(oc.generate.text(m, oc.samplers.beam_search(2)).run(PROMPT, max_tokens=3).weights),
    "particles": lambda m: finite(oc.generate.text(m, oc.samplers.smc(2)).run(PROMPT, max_tokens=3, seed=0).weights),
    "forced": lambda m: finite(oc.generate.regex(m, " cat").run(PROMPT).weights),
    "forced, alternatives": lambda m: finite(
        oc.generate.regex(m, " cat").run(PROMPT, keep=oc.Keep(alternatives=2)).weights
    ),
    "controlled": lambda m: finite(
        oc.generate.control(m, lambda row: [] if row.text else [oc.steer.Branch(forced=" cat")]).run(PROMPT).weights
    ),
    "by sequence": lambda m: finite(oc.generate.choice(m, ["a", "b"], by="sequence").probabilities(PROMPT)),
    "score": lambda m: finite(oc.score(m.state(PROMPT), [" a", " b"])),
    "score with stop": lambda m: finite(oc.score(m.state(PROMPT), [" a", " b"], stop=True)),
    "next": lambda m: not m.next(m.state(PROMPT), oc.generate.text(m)).logprobs.isnan().any(),
    "rescore": lambda m: finite(oc.continuous(oc.generate.regex(m, " cat"))(m.state(PROMPT), seed=0).rescore().weights),
}


@cache
def model_that_gives(value: float) -> oc.Model:
    """The logits after the last token of the prompt, and after all that follow, are this."""
    hf = copy.deepcopy(short_hf())
    [*_, red] = shipped_model().state(PROMPT).rows[0][0].ids

    def spoil(_: Any, arguments: tuple[Any, ...], output: Any) -> Any:
        return output.masked_fill((arguments[0] == red)[..., None], value)

    hf.model.embed_tokens.register_forward_hook(spoil)
    return oc.Model(hf, shipped_model().tokenizer)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("value", [nan, inf])
def test_logits_that_are_no_law_are_refused_wherever_they_are_read(door: str, value: float) -> None:
    """Forced tokens had a weight of NaN."""
    model = model_that_gives(value)
    assert DOORS[door](shipped_model())
    with pytest.raises(ValueError, match=re.escape(REFUSED)):
        DOORS[door](model)


def test_a_row_whose_forced_tokens_have_no_law_is_named() -> None:
    """Others that are read in its pass may be refused with it: attention makes NaN of NaN that it does not see."""
    cat = oc.generate.regex(model_that_gives(nan), " cat")
    [bad], _ = cat([PROMPT, "Tom"], errors="return")
    assert isinstance(bad, ValueError) and "row (0, 0)" in str(bad)


@given(bad=st.sets(st.integers(0, 5)), at_once=st.sampled_from([1, 2000, 1 << 18]))
def test_rows_that_are_scored_together_fail_alone(bad: set[int], at_once: int) -> None:
    """However many lines of logits are computed at once."""
    model = shipped_model()
    prompts = [PROMPT[: 4 + 2 * row] for row in range(6)]
    frontier = oc.generate.regex(model, " cat and a dog are here").begin(prompts)
    logits, line, laws = model.logits(frontier.pending).clone(), 0, list[torch.Tensor]()
    for row, need in enumerate(frontier.pending):
        lines = range(line, line := line + len(need.wanted))
        laws.append(torch.log_softmax(logits[lines].double(), dim=-1))
        if row in bad:
            logits[lines[len(lines) // 2]] = nan
    with patch.object(rows, "AT_ONCE", at_once):
        state = frontier.step(logits).state
    for row, (need, law) in enumerate(zip(frontier.pending, laws, strict=True)):
        [error], places = state.errors[row], [at + 1 for at in need.wanted[:-1]]
        assert (error is not None) == (row in bad) and len(places) > 3
        if error is None:
            scores = law[:-1].gather(1, state.token_ids[row, 0, places][:, None])[:, 0]
            assert state.logprobs[row, 0, places].tolist() == pytest.approx(scores.tolist(), abs=1e-4)


# --- transformers


def wrapped(change: Callable[[Any], None], dtype: torch.dtype) -> oc.Model:
    hf = copy.deepcopy(short_hf()).to(dtype)
    with torch.no_grad():
        change(hf)
    return oc.Model(hf, shipped_model().tokenizer)


def with_large_numbers(hf: Any) -> None:
    """Larger than those of float16, within the model."""
    hf.model.layers[0].mlp.up_proj.weight.mul_(3000)
    hf.model.layers[0].mlp.down_proj.weight.mul_(3000)


def with_a_large_beginning(hf: Any) -> None:
    """Only where a text begins, as in Gemma 3."""

    def grown(module: Any, arguments: tuple[Any, ...], output: Any) -> Any:
        at_bos = (arguments[0] == hf.config.bos_token_id)[..., None]
        return output.masked_fill(at_bos, inf) if output.dtype == torch.float16 else output

    hf.model.embed_tokens.register_forward_hook(grown)


@pytest.mark.parametrize("large", [with_large_numbers, with_a_large_beginning])
def test_a_model_whose_forward_gives_nan_in_float16_says_so_and_what_to_do(large: Callable[[Any], None]) -> None:
    """It was read anew at every step, for a reason that named something else."""
    for dtype in (torch.float32, torch.bfloat16):
        with warnings.catch_warnings(action="error"):
            assert wrapped(large, dtype).tier.keeps
    with pytest.warns(UserWarning) as told:
        model = wrapped(large, torch.float16)
    [warning] = told
    assert "gives NaN or infinite numbers in float16" in str(warning.message) and warning.filename == __file__
    assert "load it with dtype='bfloat16' or dtype='float32'" in str(warning.message)
    assert not model.tier.keeps and "float16" in model.tier.why and "float16" in repr(model)
    with pytest.raises(ValueError, match=re.escape(REFUSED)):
        oc.generate.text(model)(PROMPT, max_tokens=3)


def test_a_parameter_that_is_nan_is_named() -> None:
    with pytest.warns(UserWarning, match=r"in float32: its parameter 'model\.layers\.1\.mlp\.up_proj\.weight' holds"):
        model = wrapped(lambda hf: hf.model.layers[1].mlp.up_proj.weight[3].fill_(nan), torch.float32)
    assert not model.tier.keeps
    with pytest.raises(ValueError, match=re.escape(REFUSED)):
        oc.score(model.state(PROMPT), [" a"])


# --- GGUF files: the data of tensors


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


def opened(path: Path) -> oc.Model:
    return oc.Model(LlamaCppEngine(path, n_threads=1, n_ctx=256), shipped_model().tokenizer)


def places(path: Path) -> list[tuple[str, int, int, int]]:
    """Of each tensor of a file its name, where its data begins, how many blocks it has, and bytes of a block."""
    return [
        (each.name, int(each.data_offset), each.n_bytes // size, size)
        for each in GGUFReader(path).tensors
        for size in [{"F32": 4, "F16": 2, "BF16": 2, "Q8_0": 34, "Q5_0": 22, "Q4_0": 18}[each.tensor_type.name]]
    ]


def put(path: Path, at: int, data: bytes, folder: Path) -> Path:
    """A copy of a file with other bytes at a place."""
    whole = bytearray(path.read_bytes())
    whole[at : at + len(data)] = data
    damaged = folder / "damaged.gguf"
    damaged.write_bytes(whole)
    return damaged


@settings(max_examples=30)
@given(data=st.data())
def test_a_number_or_a_scale_that_is_none_is_refused_with_its_tensor(data: st.DataObject, folder: Path) -> None:
    """Products of quantized numbers made finite ones of it: some files were loaded, and nothing told."""
    path = shipped(folder, data.draw(st.sampled_from(sorted(FILE_TYPES))))
    name, begin, blocks, size = data.draw(st.sampled_from(places(path)))
    number = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    bits = np.float32(number).tobytes()
    wrong = bits if size == 4 else bits[2:] if path.name.startswith("shipped-bf16") else np.float16(number).tobytes()
    damaged = put(path, begin + size * data.draw(st.integers(0, blocks - 1)), wrong, folder)
    with pytest.raises(
        oc.errors.ModelFileError, match=rf"it is damaged: the tensor '{name}' holds numbers that are NaN"
    ):
        opened(damaged)


@st.composite
def damages(draw: st.DrawFn, path: Path) -> tuple[int, bytes]:
    """A place in the data of a tensor, and other bytes for it."""
    _, begin, blocks, size = draw(st.sampled_from(places(path)))
    whole = path.read_bytes()
    length = min(draw(st.sampled_from([1, 2, 4, size, 1000, blocks * size])), blocks * size)
    at = begin + draw(st.integers(0, blocks * size - length))
    there = np.frombuffer(whole[at : at + length], np.uint8)
    kind = draw(st.sampled_from(["bit", "zeros", "ones", "noise", "large"]))
    if kind == "bit":
        return at, bytes([there[0] ^ 1 << draw(st.integers(0, 7)), *there[1:]])
    if kind == "large":
        return at, (np.float32(3e38).tobytes() * length)[:length]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    noise = {"zeros": there * 0, "ones": there | 255, "noise": random.integers(0, 256, length, np.uint8)}
    return at, noise[kind].tobytes()


@settings(max_examples=40)
@given(data=st.data())
def test_a_file_with_damaged_tensors_is_refused_or_gives_numbers(data: st.DataObject, folder: Path) -> None:
    """Or the logits that are none are refused where they are read. (That numbers are other ones, nobody can see.)"""
    path = shipped(folder, data.draw(st.sampled_from(sorted(FILE_TYPES))))
    damaged = put(path, *data.draw(damages(path)), folder)
    try:
        model = opened(damaged)
    except oc.errors.ModelFileError as error:
        assert "damaged" in str(error)
        return
    for name in data.draw(st.lists(st.sampled_from(sorted(DOORS)), min_size=2, max_size=3, unique=True)):
        try:
            assert DOORS[name](model)
        except ValueError as error:
            assert REFUSED in str(error) or "nothing can be drawn" in str(error)


def test_a_file_that_computes_the_same_for_every_token_is_refused(folder: Path) -> None:
    path = shipped(folder)
    [(begin, length)] = [(at, blocks * size) for name, at, blocks, size in places(path) if name == "output_norm.weight"]
    with pytest.raises(oc.errors.ModelFileError, match=r"it gives logits that hold NaN or \+inf, or are all equal"):
        opened(put(path, begin, bytes(length), folder))
