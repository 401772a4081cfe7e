"""Policies and a trainer for TRL: beside TRL's own numbers, plain forwards, and a plain model of branches."""

from __future__ import annotations

import copy
import importlib
import importlib.metadata
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import shipped_model

pytest.importorskip("trl", reason="TRL is not installed (pip install 'outlines_cont[trl]')")

from datasets import Dataset
from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer

import outlines_cont as oc
from outlines_cont.integrations import trl as ours
from outlines_cont.integrations.trl import TreeGRPOTrainer, branch_advantages, rollout_func
from outlines_cont.train.packed import TrainingPass

PROMPTS = ["The sky is", "Mira is a painter from"]
CLOSE = 1e-4  # of log-probabilities in float32
Policy = Callable[[oc.Model], Any]


def text(samples: int = 1, **options: Any) -> Policy:
    return lambda model: oc.generate.text(model, oc.samplers.multinomial(samples=samples, **options))


def pattern(samples: int = 1, **options: Any) -> Policy:
    """Digits of which the third is forced, and an end that is drawn."""
    sampler = oc.samplers.multinomial(samples=samples, **options)
    return lambda model: oc.generate.regex(model, " [0-9]{2}8 [a-z]+( or [a-z]+)?", sampler)


def chain(samples: int = 1) -> Policy:
    def made(model: oc.Model) -> Any:
        sampler = oc.samplers.multinomial(samples=samples)
        word = oc.continuous(oc.generate.regex(model, " [a-z]+", sampler), max_tokens=3)
        return word >> " and" >> oc.continuous(oc.generate.choice(model, [" blue", " black", " red"], sampler))

    return made


POLICIES = {"text": text, "pattern": pattern, "chain": chain}


def length_reward(completions: list[str], **_: Any) -> list[float]:
    return [len(each) % 7 / 7 for each in completions]


class Noting(TreeGRPOTrainer):
    """It keeps what it computed of each batch."""

    def __init__(self, *args: Any, **options: Any):
        self.read: list[tuple[torch.Tensor, ...]] = []
        super().__init__(*args, **options)

    def _get_per_token_logps_and_entropies(self, *given: Any, **options: Any) -> Any:
        answer = super()._get_per_token_logps_and_entropies(*given, **options)
        self.read.append((given[1], given[2], answer[0].detach(), answer[1]))
        return answer


def trainer_of(
    kind: Any, policy: Policy, folder: Path, forks: int = 0, reward: Any = length_reward, **options: Any
) -> Any:
    model = oc.Model(copy.deepcopy(shipped_model().hf), shipped_model().tokenizer)
    settings = {
        "per_device_train_batch_size": 8,
        "num_generations": 4,
        "max_completion_length": 8,
        "max_steps": 1,
        "learning_rate": 1e-3,
        "bf16": False,
    }
    where = {"report_to": [], "save_strategy": "no", "use_cpu": True, "disable_tqdm": True, "logging_steps": 1}
    others = {name: options.pop(name) for name in ("peft_config", "chunk") if name in options}
    rollouts = options.pop("rollout_func", None) or rollout_func(policy(model), forks)
    args = GRPOConfig(output_dir=str(folder), **{**settings, **where, **options})
    return kind(
        model=model.hf,
        reward_funcs=reward,
        args=args,
        train_dataset=Dataset.from_list([{"prompt": prompt} for prompt in PROMPTS]),
        processing_class=model.tokenizer,
        rollout_func=rollouts,
        **others,
    )


def rows_read(trainer: Noting) -> list[tuple[Any, torch.Tensor]]:
    """Each row that was read, and its log-probabilities."""
    known = {row.ids: row for row in trainer.rollout_func.rows[True]}
    return [
        (known[tuple(ids[seen.bool()].tolist())], line)
        for all_ids, mask, values, _ in trainer.read
        for ids, seen, line in zip(all_ids, mask, values, strict=True)
    ]


# --- rollouts


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("forks", [0, 1, 3])
def test_rollouts_are_rows_of_states_in_groups(name: str, forks: int, tmp_path: Path) -> None:
    trainer = trainer_of(TreeGRPOTrainer, POLICIES[name](4 // (1 + forks)), tmp_path, forks)
    rollouts, prompts = trainer.rollout_func, [prompt for prompt in PROMPTS for _ in range(4)]
    record = rollouts(prompts, trainer)
    model, rows = rollouts.step.model, rollouts.rows[False]
    assert {len(each) for each in record.values()} == {8}
    for at, row in enumerate(rows):
        begun = model.tokenizer.decode(row.completion.prompt_ids, skip_special_tokens=True)
        assert begun.startswith(prompts[at].rstrip()[: len(begun)])
        assert len(row.completion.ids) == len(record["logprobs"][at]) == len(record["env_mask"][at])
        assert (row.completion.ids[-1] == model.tokenizer.eos_token_id) == (row.completion.finished == "stop")
        trunk = rows[at - at % (1 + forks)]
        assert row.completion.ids[: row.shared] == trunk.completion.ids[: row.shared]
        for i, drawn in enumerate(record["env_mask"][at]):  # nothing is learned of what was certain
            assert not (drawn and row.completion.forced[i])
        if name == "pattern":
            assert 0 in record["env_mask"][at]
    again = trainer_of(TreeGRPOTrainer, POLICIES[name](4 // (1 + forks)), tmp_path, forks)
    assert again.rollout_func(prompts, again) == record
    assert rollouts(prompts, trainer) != record  # the next call draws something else


# --- the law that is learned


@pytest.mark.parametrize("name, forks, temperature", [("text", 1, 1.0), ("pattern", 3, 0.7), ("chain", 0, 1.0)])
@pytest.mark.parametrize("chunk", [None, 40, 5])
def test_the_trainer_reads_the_law_that_the_policy_drew_from(
    name: str, forks: int, temperature: float, chunk: int | None, tmp_path: Path
) -> None:
    options = {} if temperature == 1 else {"temperature": temperature}
    policy = POLICIES[name](4 // (1 + forks), **options)
    trainer = trainer_of(Noting, policy, tmp_path, forks, temperature=temperature, chunk=chunk)
    trainer.train()
    seen = rows_read(trainer)
    assert len(seen) == 8 and any(row.ends for row, _ in seen) >= (name == "pattern")
    for row, line in seen:
        for at, value in enumerate(line.tolist()):
            drawn = row.completion.proposal_logprobs[at] if at in row.actions else 0
            assert value == pytest.approx(drawn, abs=CLOSE)


def test_its_gradient_is_that_of_the_renormalized_law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a plain forward of each row, with the candidates that the public `model.next` names."""
    states = list[oc.SequenceState]()
    monkeypatch.setattr(ours, "completions_of", lambda state, _: states.append(state) or state.completions())
    trainer = trainer_of(TreeGRPOTrainer, pattern(2), tmp_path, 1)
    rollouts, model = trainer.rollout_func, trainer.rollout_func.step.model
    rollouts([PROMPTS[0]] * 4, trainer)
    rows, hf = rollouts.rows[False], model.hf
    count = max(len(row.ids) for row in rows) - min(len(row.completion.prompt_ids) for row in rows)
    ids, mask = torch.zeros(2, 4, len(rows[0].completion.prompt_ids) + count, dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)], mask[at, : len(row.ids)] = torch.tensor(row.ids), 1
    values, entropies, _ = trainer._get_per_token_logps_and_entropies(hf, ids, mask, count, compute_entropy=True)
    weights = torch.randn(values.shape, generator=torch.Generator().manual_seed(0))
    ((values + 0.1 * entropies) * weights).sum().backward()
    learned, total = gradients(hf), torch.zeros(())
    for number, row in enumerate(rows):  # a rollout, its fork, a rollout, …
        begin, state = len(row.completion.prompt_ids), states[number % 2][:, [number // 2], :]
        logits = hf(input_ids=torch.tensor([row.ids]), use_cache=False).logits[0]
        for at in row.actions:
            law, line = model.next(state[..., : begin + at].reopen(), rollouts.step), logits[begin + at - 1]
            tokens = law.logprobs[0, 0, :-1].isfinite()
            parts = [line[tokens], *([line[~tokens].logsumexp(-1)[None]] * bool(law.logprobs[0, 0, -1].isfinite()))]
            own = torch.cat(parts).log_softmax(-1)
            stops = row.ends and at == len(row.completion.ids) - 1
            value = own[-1 if stops else int(tokens[: row.ids[begin + at]].sum())]
            assert float(value) == pytest.approx(float(values[number, at]), abs=CLOSE)
            total = total + weights[number, at] * (value - 0.1 * (own.exp() * own).sum())
    total.backward()
    plain = gradients(hf)
    assert float((learned - plain).norm() / plain.norm()) <= 1e-3


def gradients(hf: Any) -> torch.Tensor:
    """Of all parameters, flat; and they are forgotten."""
    flat = torch.cat([p.grad.flatten() for p in hf.parameters() if p.grad is not None])
    hf.zero_grad()
    return flat


def test_without_constraint_and_forks_every_loss_is_that_of_grpo(tmp_path: Path) -> None:
    """The only difference are special tokens, which the policy never draws."""
    losses = {}
    for kind in (GRPOTrainer, TreeGRPOTrainer):
        trainer = trainer_of(kind, text(4), tmp_path, beta=0.1, max_steps=2)
        trainer.train()
        losses[kind] = [(each["loss"], each["grad_norm"]) for each in trainer.state.log_history if "loss" in each]
    flat, tree = losses[GRPOTrainer], losses[TreeGRPOTrainer]
    assert len(flat) == 2 and all(a == pytest.approx(b, rel=0.05, abs=2e-4) for a, b in zip(flat, tree, strict=True))


# --- advantages


@given(st.data())
def test_advantages_are_those_of_the_rows_that_share_a_draw(data: st.DataObject) -> None:
    width, trees = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    length = data.draw(st.integers(1, 6))
    shared = [data.draw(st.integers(0, length - 1)) if at % width else 0 for at in range(width * trees)]
    advantages = torch.tensor(data.draw(st.lists(st.integers(-8, 8), min_size=len(shared), max_size=len(shared)))) / 1.0
    answer = branch_advantages(advantages, shared, width, length)

    def holders(row: int, at: int) -> set[int]:
        """The rows that hold this draw of a row; before the first: none."""
        trunk = row - row % width
        forks = {fork for fork in range(trunk + 1, trunk + width) if shared[fork] > at}
        return {row} if row != trunk and row not in forks else {trunk, *forks}

    for row in range(len(shared)):
        for at in range(length):
            here = holders(row, at)
            before = next((other for i in range(at - 1, -1, -1) if (other := holders(row, i)) != here), set())
            means = [float(advantages[[*each]].mean()) if each else 0.0 for each in (here, before)]
            assert float(answer[row, at]) == pytest.approx(means[0] - means[1] / 2, abs=1e-5)
    if width == 1:
        assert torch.equal(answer, advantages[:, None].expand_as(answer))


# --- training


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("adapter", [False, True])
def test_a_step_trains_and_keeps_its_tier(bf16: bool, adapter: bool, tmp_path: Path) -> None:
    """With gradient checkpointing, dropout, a reference and mini-batches; accelerate's wrappers change no tier."""
    peft = {"peft_config": LoraConfig(r=2, lora_dropout=0.2, target_modules=["q_proj", "v_proj"])} if adapter else {}
    several = {"beta": 0.1, "gradient_checkpointing": True, "gradient_accumulation_steps": 2, "max_steps": 2}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*(reads every row by itself|its tier).*")
        trainer = trainer_of(
            Noting, pattern(2), tmp_path, 1, bf16=bf16, per_device_train_batch_size=4, **several, **peft
        )
        model = trainer.rollout_func.step.model
        before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
        trainer.train()
    assert model.tier.name == "hook"
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters(), strict=True))
    assert trainer.model.training and all(torch.isfinite(values).all() for _, _, values, _ in trainer.read)


def test_a_batch_in_which_nothing_is_learned_changes_nothing(tmp_path: Path) -> None:
    """All rows were cut, and left out; or all was certain."""
    certain = lambda model: oc.generate.choice(model, [" blue"], oc.samplers.multinomial(samples=2))  # noqa: E731
    cut = {"mask_truncated_completions": True, "max_completion_length": 2}
    for policy, forks, options in ((text(4), 0, cut), (certain, 1, {"beta": 0.1})):
        trainer = trainer_of(Noting, policy, tmp_path, forks, **options)
        before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
        trainer.train()
        assert trainer.state.global_step == 1 and not any(values.any() for _, _, values, _ in trainer.read)
        assert all(torch.equal(a, b) for a, b in zip(before, trainer.model.parameters(), strict=True))


def test_rows_that_end_at_once_have_forks(tmp_path: Path) -> None:
    """They are cut before their stop, which is learned."""
    policy: Policy = lambda model: oc.generate.regex(model, "( blue)?", oc.samplers.multinomial(samples=8))  # noqa: E731
    many = {"per_device_train_batch_size": 64, "num_generations": 32}
    trainer = trainer_of(Noting, policy, tmp_path, 3, **many)
    trainer.train()
    rows = trainer.rollout_func.rows[True]
    ended = [at for at, row in enumerate(rows) if at % 4 == 0 and len(row.completion.ids) == 1]
    lengths = {len(rows[at + fork].completion.ids) for at in ended for fork in (1, 2, 3)}
    assert 0 < len(ended) < len(rows) / 4 and 1 in lengths and len(lengths) > 1  # some go on, some end again
    assert all(rows[at].ends and not rows[at + 1].shared for at in ended)


def test_texts_that_end_by_eos_or_in_a_stop_string_may_have_equal_tokens(tmp_path: Path) -> None:
    """The eos that was drawn is learned, whichever row came last."""
    stops = ["M", "T", "A", "B", "C", "S", "P", "L"]
    policy: Policy = lambda model: oc.continuous(text(16)(model), stop_at=stops)  # noqa: E731
    trainer = trainer_of(TreeGRPOTrainer, policy, tmp_path)
    trainer.rollout_func(["The sky is blue.\n"] * 16, trainer)
    alike = [row for row in trainer.rollout_func.rows[False] if len(row.completion.ids) == 1]
    [eos, *_], ids = [row for row in alike if row.mask == [1]], torch.tensor([alike[0].ids])
    assert {row.ids for row in alike} == {eos.ids} and any(row.mask == [0] for row in alike)
    for rows in (alike, alike[::-1], [eos, *alike], [*alike, eos]):
        trainer.rollout_func.rows[False] = rows
        values, _, _ = trainer._get_per_token_logps_and_entropies(trainer.model, ids, torch.ones_like(ids), 1)
        assert values.tolist() == [[pytest.approx(eos.completion.proposal_logprobs[0], abs=CLOSE)]]


def test_evaluation_beside_training_reads_its_own_rows(tmp_path: Path) -> None:
    trainer = trainer_of(Noting, pattern(1), tmp_path, 1, per_device_eval_batch_size=4, num_generations_eval=2)
    trainer.train()
    assert trainer.evaluate(trainer.train_dataset)["eval_reward"] >= 0
    assert len(trainer.rollout_func.rows[False]) == 4


# --- bad input


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        (lambda m: rollout_func("step"), TypeError, "takes a step, a chain or a generator, not 'step'"),
        (lambda m: rollout_func(text()(m), -1), ValueError, "forks=-1"),
        (
            lambda m: rollout_func(text()(m), hooks=[print]),
            ValueError,
            "hooks=….: .* no hooks, .* which change",
        ),
        (
            lambda m: rollout_func(text()(m), beside=[("x", 1)]),
            ValueError,
            "beside=….: .* no hooks, beside",
        ),
        (lambda m: rollout_func(text()(m), seed=1), ValueError, "seed=….: forks ≥ 0, and no .* seed"),
        (lambda m: rollout_func(text()(m), keep=3), TypeError, "keep=3: write keep=oc.Keep"),
        (lambda m: rollout_func(text()(m), max_token=3), TypeError, "no option 'max_token' .did you mean max_tokens"),
        (lambda m: rollout_func(text()(m), max_tokens=-3), ValueError, "max_tokens=-3"),
        (
            lambda m: rollout_func(text()(m), 1, where="entropie"),
            TypeError,
            "where='entropie'.: it is 'entropy'",
        ),
        (lambda m: rollout_func(text()(m), 1, where=[[[0]]]), TypeError, "it is 'entropy', 'logprob' or a function"),
        (lambda m: rollout_func(text()(m))(PROMPTS, None), TypeError, "TRL's GRPOTrainer, not for None"),
        (lambda m: TreeGRPOTrainer(m.hf, rollout_func=print), TypeError, r"rollout_func\(step\)"),
    ],
)
def test_wrong_arguments_are_named(made: Callable[[Any], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        made(shipped_model())


def test_a_chunk_bounds_the_passes_also_where_a_row_is_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trainer_of(Noting, pattern(2), tmp_path, 1, chunk=5)
    sizes, logits = list[int](), TrainingPass.logits
    monkeypatch.setattr(TrainingPass, "logits", lambda one, *given: sizes.append(one.ids.size) or logits(one, *given))
    trainer.train()
    longest = max(len(row.ids) for row in trainer.rollout_func.rows[True])
    assert len(sizes) > 2 and max(sizes) < longest
    for chunk in (0, -3, 2.5, "x"):
        with pytest.raises((TypeError, ValueError), match=f"chunk={chunk!r}: it must be an int ≥ 1"):
            trainer_of(Noting, pattern(2), tmp_path, 1, chunk=chunk)


OTHER_LAW = r"another law than TRL learns; that has oc.samplers.multinomial\(temperature=1.0\), no filters"


def nan_reward(completions: list[str], **_: Any) -> list[float]:
    return [0.0] * (len(completions) - 1) + [float("nan")]


@pytest.mark.parametrize(
    ("policy", "forks", "options", "message"),
    [
        (text(3), 0, {}, "4 rollouts of a prompt .* no multiple of 3: the sampler draws 3, each with 0 forks"),
        (text(2), 2, {}, "no multiple of 6: the sampler draws 2, each with 2 forks"),
        (text(4, temperature=0.5), 0, {}, OTHER_LAW),
        (text(4, top_p=0.9), 0, {}, OTHER_LAW),
        (lambda m: oc.generate.text(m, oc.samplers.beam_search(4)), 0, {}, OTHER_LAW),
        (lambda m: oc.generate.text(m, where=lambda text, done: True), 0, {}, OTHER_LAW),
        (lambda m: oc.generate.choice(m, [" a", " b"], by="sequence"), 0, {}, OTHER_LAW),
        (lambda m: oc.continuous(oc.generate.text(m), hooks=[lambda draw: None]), 0, {}, OTHER_LAW),
        (lambda m: oc.generate.text(shipped_model()), 0, {}, "model.hf is not what the trainer trains"),
        (text(4), 0, {"reward": nan_reward}, r"the rewards of row 7 are \[nan\]"),
    ],
)
def test_what_does_not_fit_is_named_before_the_first_pass_of_training(
    policy: Policy, forks: int, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    trainer = trainer_of(Noting, policy, tmp_path, forks, **options)
    with pytest.raises(ValueError, match=message):
        trainer.train()
    assert trainer.read == []


def test_a_policy_without_a_candidate_is_named(tmp_path: Path) -> None:
    with pytest.raises(oc.errors.ConstraintError):
        trainer_of(Noting, lambda model: oc.generate.regex(model, "[^\\x00-\\U0010ffff]"), tmp_path)
    long = {"prompt": "word " * 5000}
    trainer = trainer_of(Noting, text(4), tmp_path, rollout_func=None)
    trainer.rollout_func.options["errors"] = "return"
    with pytest.raises(ValueError, match=r"dead rows: .*context is 2048"):
        trainer.rollout_func([long["prompt"]] * 4, trainer)


def test_the_model_without_its_constraint_is_told(tmp_path: Path) -> None:
    trainer = trainer_of(GRPOTrainer, pattern(4), tmp_path)
    with pytest.warns(UserWarning, match="learns the model's law without the constraint"):
        trainer.train()


def test_the_example_of_the_page_trains(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "learning.md").read_text(encoding="utf-8")
    [code] = [each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "TreeGRPOTrainer" in each]
    monkeypatch.chdir(tmp_path)
    small = {"max_steps": 1, "max_completion_length": 4, "use_cpu": True, "report_to": [], "save_strategy": "no"}
    model = oc.Model(copy.deepcopy(shipped_model().hf), shipped_model().tokenizer)
    prompts = Dataset.from_list([{"prompt": f"There are {number} of"} for number in range(4)])
    names = {"oc": oc, "model": model, "reward": length_reward, "prompts": prompts}
    exec(code.replace("GRPOConfig(", f"GRPOConfig(**{small!r}, "), names)
    assert names["trainer"].state.global_step == 1


def test_another_version_of_trl_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    name = ours.__name__
    for said in ("1.15.2", "2.0.0"):
        monkeypatch.setattr(importlib.metadata, "version", lambda _, said=said: said)
        monkeypatch.delitem(sys.modules, name)
        with pytest.raises(ImportError, match=rf"needs TRL 1.16, and {said} is installed: pip install"):
            importlib.import_module(name)
        monkeypatch.setitem(sys.modules, name, ours)
