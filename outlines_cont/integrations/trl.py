"""Steps and chains as policies of TRL's `GRPOTrainer`: flat rollouts, or trees of them, and a trainer that learns from the
tree of the rows in one pass. docs/learning.md shows how to use it.

    trainer = TreeGRPOTrainer(model.hf, reward, args=…, rollout_func=rollout_func(step, forks=3), …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown, whole_number
from outlines_cont.decode.branch_guides import eos_mask
from outlines_cont.decode.draws import Draw
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.engines.hf.backends import as_served
from outlines_cont.errors import warn
from outlines_cont.generate.call_options import CallOptions, Keep
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.steps import Composition, continuous
from outlines_cont.state.model import Model
from outlines_cont.state.state import SequenceState
from outlines_cont.train.completions import Completion, completions_of
from outlines_cont.train.forks import fork_at
from outlines_cont.train.packed import Allowed, Ids, LearnedRow, values_of

# --- what is used of TRL, and what is said where it is missing or another one

TESTED = (1, 16)
COMMAND = "pip install 'outlines_cont[trl]'"


def _requirement() -> str | None:
    """What is wrong with the TRL that is installed, if anything is."""
    try:
        installed = version("trl")
    except PackageNotFoundError:
        return "TRL, which is not installed"
    right = ".".join(map(str, TESTED))
    same = installed.split(".")[:2] == right.split(".")
    return None if same else f"TRL {right}, whose private names it uses; {installed} is installed"


if _lacking := _requirement():
    raise ImportError(f"outlines_cont.integrations.trl needs {_lacking}: {COMMAND}")

# (By name: type checkers have no TRL.)
GRPOTrainer: Any = getattr(import_module("trl"), "GRPOTrainer")  # noqa: B009

# --- rollouts


class _Written(NamedTuple):
    """A row of a call: its tokens, and where in its completion actions stand. ends: whether the last one is a stop that
    has no token of its own. shared: how many tokens of the completion were drawn in the row that it is a fork of."""

    prompt_ids: list[int]
    completion: Completion
    actions: list[int]
    ends: bool
    shared: int


class Rollouts:
    """A `rollout_func` of TRL's `GRPOTrainer`: what `rollout_func` gives.

    Attributes:
        step: the step or the chain that is the policy.
        forks: how many forks each rollout has.
        state: the states of the last call, first the rollouts and then their forks.
    """

    def __init__(self, step: Composition, forks: int, where: Any, options: CallOptions):
        self.step, self.forks, self.state = step, forks, tuple[SequenceState, ...]()
        self._where, self._options = where, options
        self._calls, self._told = 0, False
        self._rows = dict[bool, list[_Written]]()  # of the last call, in training and in evaluation
        self._laws = dict[bool, dict[Ids, Allowed]]()
        self.samples: int = max(each.generator.sampler.samples for each in step.steps)
        constraints = [each.generator.constraint for each in step.steps]
        self._constrained = any(each.kind != "text" or each.unbanned is not None for each in constraints)

    def __repr__(self) -> str:
        return f"rollout_func({self.step!r}, forks={self.forks})"

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, list[Any]]:
        """TRL's record of a rollout for each prompt. Equal prompts that stand side by side are one group."""
        self._check(trainer)
        own_law, training = isinstance(trainer, TreeGRPOTrainer), bool(trainer.model.training)
        if self._constrained and not own_law and not self._told:
            self._told = True
            warn(
                f"{type(trainer).__name__} learns the model's own law of each token, and the policy draws from that under "
                "a constraint; TreeGRPOTrainer learns the law that is drawn from"
            )
        width, starts = self.samples * (1 + self.forks), list[Any]()
        for ids, group in groupby(trainer._tokenize_prompts(list(prompts))[0]):
            count = len([*group])
            if count % width:
                raise ValueError(
                    f"{count} rollouts of one prompt, as num_generations (num_generations_eval) says, are not filled by "
                    f"{self.samples} of the sampler, each with {self.forks} forks: a multiple of {width} is"
                )
            starts += [[*ids]] * (count // width)
        laws = self._laws[training] = {}
        options: dict[str, Any] = {"max_tokens": trainer.args.max_completion_length, **self._options}
        if own_law and self._constrained:
            hooks = options.get("hooks", ())
            options["hooks"] = [lambda draw: _note(draw, laws), *hooks]
        if self.forks and self._where == "entropy":
            options["keep"] = Keep(**{**vars(options.get("keep", Keep())), "entropies": True})
        self._calls += 1
        seeds = Random(f"{trainer.args.seed} {trainer.state.global_step} {trainer.accelerator.process_index} {self._calls}")
        with as_served(self.step.model.hf):  # type: ignore[attr-defined]
            first = self.step(starts, seed=seeds.getrandbits(62), **options)
            self.state, cut = (first,), None
            if self.forks:
                cut = fork_at(first, self._where, self.forks)
                self.state = first, self.step.resume(cut, seed=seeds.getrandbits(62), **options)
        rows = self._rows[training] = self._written(cut, laws if own_law and self._constrained else None)
        return {
            "prompt_ids": [row.prompt_ids for row in rows],
            "completion_ids": [row.completion.ids for row in rows],
            "logprobs": [row.completion.proposal_logprobs for row in rows],
            "env_mask": [[int(at in {*row.actions}) for at in range(len(row.completion.ids))] for row in rows],
        }

    def _check(self, trainer: Any) -> None:
        if not isinstance(trainer, GRPOTrainer):
            raise TypeError(f"{self!r} writes for TRL's GRPOTrainer, not for {shown(trainer)}")
        trained = trainer.accelerator.unwrap_model(trainer.model)
        hf = getattr(self.step.model, "hf", None)
        if hf is None or not any(hf is each for each in trained.modules()):
            right = "give it model.hf of the step's model"
            raise ValueError(f"the trainer trains another model than {self.step.model!r}, that of {self!r}: {right}")
        for each in self.step.steps:
            sampler, law = each.generator.sampler, each.generator.constraint
            right = f"TRL learns the law of its own temperature, {trainer.temperature}, without filters"
            if not isinstance(sampler, Multinomial) or sampler.logit_filters:
                raise ValueError(f"{sampler!r} is no policy here: {right}; oc.samplers.multinomial draws from it")
            if (sampler.temperature, sampler.top_k, sampler.top_p, sampler.min_p) != (trainer.temperature, None, None, None):
                raise ValueError(f"{sampler!r} draws from another law: {right}")
            if law.where is not None or law.options:
                raise ValueError(f"{each.generator!r}: a predicate, or options that are drawn whole, have no law of a token")

    def _written(self, cut: SequenceState | None, laws: Mapping[Ids, Allowed] | None) -> list[_Written]:
        """The rows of the last call, each rollout before its forks."""
        grids = [[*zip(s.rows, completions_of(s, "token"), strict=True)] for s in self.state]
        written = list[_Written]()
        for b, group in enumerate(self.state[0].rows):
            for s in range(len(group)):
                places = [(0, s), *((1, s * self.forks + fork) for fork in range(self.forks))]
                for number, at in places:
                    rows, completions = grids[number][b]
                    completion, row = completions[at], rows[at]
                    if completion is None:
                        error = self.state[number].errors[b][at]
                        raise ValueError(f"row ({b}, {at}) of the policy is dead, and has no rollout: {error!r}")
                    begin = len(completion.prompt_ids)
                    actions = [i for i, drawn in enumerate(completion.mask) if drawn and not completion.forced[i]]
                    stop, last = row.pieces[-1].stop, len(completion.ids) - 1
                    ends = laws is not None and completion.finished == "stop" and begin + last == len(row)
                    ends = ends and not completion.forced[-1] and (stop is None or stop.dropped is None)
                    if laws is not None:
                        if ends and last not in actions and row.ids in laws:
                            actions.append(last)
                        self._check_noted(row.ids, [begin + i for i in actions], laws)
                    shared = len(cut.rows[b][at]) - begin if number and cut is not None else 0
                    written.append(_Written(completion.prompt_ids, completion, actions, ends, shared))
        return written

    @staticmethod
    def _check_noted(ids: Ids, places: list[int], laws: Mapping[Ids, Allowed]) -> None:
        if missing := [at for at in places if ids[:at] not in laws]:
            raise ValueError(f"the tokens at {missing} of a row were drawn, and no law of a token was seen there")


def _note(draw: Draw, laws: dict[Ids, Allowed]) -> None:
    """A hook that keeps what a draw may take."""
    span, guide = draw.row._growing, draw._at.guide
    vocabulary = guide.vocabulary
    tokens = guide.mask(draw._at.state) & vocabulary.no_eos
    ends = np.zeros_like(tokens)
    if draw.allows(None):
        plain, state = span.going_on
        at_eos = span.settings.constraint.stops_at_eos(guide)
        ends = eos_mask(vocabulary) if at_eos else ~(plain.mask(state) & vocabulary.no_eos)
    law = laws.setdefault(draw.row.ids, Allowed(tokens, ends))
    if not all(map(np.array_equal, law, (tokens, ends))):
        raise ValueError(f"two spans of the policy allow different tokens after {draw.row!r}: TreeGRPOTrainer learns one law")


def rollout_func(
    step: Composition | Generator[Any, Any], forks: int = 0, *, where: Any = "entropy", **options: Any
) -> Rollouts:
    """A step, a chain or a generator as the policy of TRL's `GRPOTrainer(…, rollout_func=…)`.

    Each group of equal prompts gets `num_generations` rollouts: as many from each call as the sampler has samples, each
    with `forks` forks at its least certain draws. `num_generations` is a multiple of samples · (1 + forks). Prompts are
    encoded as the trainer does. Rollouts end in eos where they ended in their stop.

    `logprobs` are those of the law that was drawn from, and `env_mask` is 0 where nothing was drawn: at given text and
    at forced tokens. TRL's own trainer learns the model's law of each token, without the constraint; a warning says so.
    `TreeGRPOTrainer` learns the law that was drawn from.

    Args:
        step: of the model that is trained; its sampler is `oc.samplers.multinomial` with the trainer's temperature.
        forks: of each rollout; 0: none.
        where: where they are cut, as `oc.train.fork_at` takes it.
        options: of the calls, as `oc.CallOptions`; `max_tokens` is the trainer's `max_completion_length`.

    Raises:
        TypeError: something else than a step; a trainer that is not TRL's `GRPOTrainer`.
        ValueError: forks < 0; when it is called: the trainer's model is not that of the step; a sampler with another
            temperature, or with filters; a predicate; `num_generations` that is no such multiple; a dead row.

    >>> from outlines_cont.integrations.trl import rollout_func
    >>> answer = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=4)), name="answer")
    >>> rollout_func(answer, forks=3).forks
    3
    """
    step = continuous(step) if isinstance(step, Generator) else step
    if not isinstance(step, Composition):
        raise TypeError(f"rollout_func(step, forks=…) takes a step, a chain or a generator, not {shown(step)}")
    if (forks := whole_number(forks, "forks", "an int ≥ 0")) < 0:
        raise ValueError(f"forks={forks}: it must be an int ≥ 0")
    return Rollouts(step, forks, where, options)  # type: ignore[arg-type]


# --- learning


def branch_advantages(advantages: Tensor, shared: Sequence[int], width: int, length: int) -> Tensor:
    """Advantages `[rows, length]` of the tokens of rows `[rows]` that are trees of `width` rows, each a rollout and its forks.

    What several rows share has the mean of their advantages; behind a cut the mean of what was shared before it is the
    baseline. Rows without forks keep their own advantage.

    shared: of each fork, how many tokens it has from its rollout.
    """
    out = advantages.new_zeros(len(advantages), length)
    for first in range(0, len(advantages), width):
        cuts = {first + h: shared[first + h] for h in range(1, width)}
        places, before = sorted({0, *cuts.values()}), {0: advantages.new_zeros(())}
        for begin, end in zip(places, [*places[1:], length], strict=True):
            holders = [first, *(row for row, cut in cuts.items() if cut > begin)]
            before[end] = advantages[holders].mean()
            out[holders, begin:end] = before[end] - before[begin]
        for row, cut in cuts.items():
            out[row, cut:] = advantages[row] - before[cut]
    return out


class TreeGRPOTrainer(GRPOTrainer):
    """TRL's `GRPOTrainer`, which reads all rows of a batch in one pass over their trie, forward and backward.

    It takes the same arguments, with a `rollout_func` of ours, and `chunk`, the most positions of one pass, as
    `oc.train.tree_logprobs` takes it. All of TRL's losses are computed by TRL itself. Log-probabilities are those of the
    law that was drawn from, with its constraint and temperature; tokens that were not drawn, and stops within a chain,
    have none. Forks have advantages of their own branch (docs/learning.md).

    Raises:
        TypeError: another `rollout_func`.
        ValueError: several processes, or a router's loss; in a step: a reward that is NaN or infinite; rows that the
            policy did not write.
    """

    def __init__(self, *args: Any, chunk: int | None = None, **kwargs: Any):
        if not isinstance(kwargs.get("rollout_func"), Rollouts):
            right = "outlines_cont.integrations.trl.rollout_func(step, forks=…)"
            raise TypeError(f"TreeGRPOTrainer(rollout_func={shown(kwargs.get('rollout_func'))}): it takes {right}")
        super().__init__(*args, **kwargs)
        self._chunk, self._models = chunk, dict[Any, Model]()
        if self.accelerator.num_processes > 1 or self.aux_loss_enabled:
            raise ValueError("TreeGRPOTrainer trains in one process, without a router's loss: GRPOTrainer has both")

    def _calculate_rewards(self, *args: Any, **kwargs: Any) -> Tensor:
        rewards: Tensor = super()._calculate_rewards(*args, **kwargs)
        wrong = rewards.isinf().any(1) | rewards.isnan().all(1)
        if wrong.any():
            row = int(wrong.nonzero()[0, 0])
            raise ValueError(f"rewards of row {row} are {rewards[row].tolist()}: each row needs a finite one, not None or NaN")
        return rewards

    def _generate_and_score_completions(self, inputs: list[Any]) -> dict[str, Any]:
        output = super()._generate_and_score_completions(inputs)
        rollouts, rows = self.rollout_func, self.rollout_func._rows[bool(self.model.training)]
        if rollouts.forks:
            length = output["completion_ids"].shape[1]
            shared = [row.shared for row in rows]
            output["advantages"] = branch_advantages(output["advantages"], shared, 1 + rollouts.forks, length)
        return output

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: Tensor,
        attention_mask: Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        compute_aux_loss: bool = False,
        **pictures: Any,
    ) -> tuple[Tensor, Tensor | None, None]:
        if any(value is not None for value in pictures.values()):
            raise ValueError(f"TreeGRPOTrainer reads texts, and got {[k for k, v in pictures.items() if v is not None]}")
        rollouts, training = self.rollout_func, bool(self.model.training)
        written = {(*row.prompt_ids, *row.completion.ids): row for row in rollouts._rows[training]}
        stop, rows, where = len(rollouts.step.model.vocabulary), list[LearnedRow](), list[list[int]]()
        for ids, seen in zip(input_ids, attention_mask.bool(), strict=True):
            if not seen[-logits_to_keep:].any():  # TRL leaves it out, as one that was cut
                where.append([])
                continue
            row = written.get(tuple(ids[seen].tolist()))
            if row is None:
                raise ValueError("TreeGRPOTrainer: a row that its rollout_func did not write (tools are not served)")
            begin, full = len(row.prompt_ids), (*row.prompt_ids, *row.completion.ids)
            where.append(row.actions)
            if row.actions:
                wanted = tuple(begin + at for at in row.actions)
                rows.append(LearnedRow((*full[:-1], stop) if row.ends else full, wanted))
        size, laws = (len(where), logits_to_keep), rollouts._laws[training]
        given: dict[str, Any] = {"grad": torch.is_grad_enabled(), "chunk": self._chunk, "entropies": compute_entropy}
        with self.accelerator.autocast():
            values = values_of(self._read(model), rows, temperature=self.temperature, laws=laws, **given)
        mask = torch.zeros(size, dtype=torch.bool)
        for line, actions in zip(mask, where, strict=True):
            line[actions] = True
        mask = mask.to(values.device)
        logprobs, *others = (each.new_zeros(size).masked_scatter(mask, each) for each in values)
        return logprobs, others[0] if others else None, None

    def _read(self, hf: Any) -> Any:
        """What reads rows for a model that TRL names: the policy, or its reference."""
        policy, hf = self.rollout_func.step.model, self.accelerator.unwrap_model(hf)
        if any(policy.hf is each for each in hf.modules()):
            return policy
        if hf not in self._models:
            self._models[hf] = Model(hf, self._tokenizer)
        return self._models[hf]
