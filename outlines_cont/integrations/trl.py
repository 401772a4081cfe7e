"""Steps and chains as policies of TRL's `GRPOTrainer`, and a trainer that reads the tree of the rows in one pass.

docs/learning.md shows how to use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, repeat
from random import Random
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import positive, shown, whole_number
from outlines_cont.decode.branch_guides import eos_mask
from outlines_cont.decode.draws import Draw
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.engines.hf.backends import as_served
from outlines_cont.errors import warn
from outlines_cont.generate.call_options import Call, Keep
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.steps import Composition, continuous
from outlines_cont.state.model import Model
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState
from outlines_cont.train.completions import Completion, completions_of
from outlines_cont.train.forks import SCORES, draws_of, fork_at
from outlines_cont.train.logprobs import check_learns
from outlines_cont.train.packed import DrawLaw, Ids, LearnedRow, values_of
from outlines_cont.ways import Ways

TESTED = "1.16"  # its private names that are used: docs/private_interfaces.md
try:
    _installed = version("trl")
except PackageNotFoundError:
    _installed = "none"
if _installed.split(".")[:2] != TESTED.split("."):
    right = f"TRL {TESTED}, and {_installed} is installed: pip install 'outlines_cont[trl]'"
    raise ImportError(f"outlines_cont.integrations.trl needs {right}")
GRPOTrainer: Any = vars(import_module("trl.trainer.grpo_trainer"))["GRPOTrainer"]  # by name, for type checkers


Laws = dict[Ids, DrawLaw]
LAWS = {"hooks", "beside", "seed", "keys"}  # options of calls that change what is drawn


class _Written(NamedTuple):
    """A row of a call. actions: where in its completion something was drawn; ends: whether the last of them is a stop
    that stands for no token; shared: how many tokens it has from the rollout that it is a fork of."""

    completion: Completion
    actions: list[int]
    ends: bool
    shared: int = 0

    @property
    def ids(self) -> Ids:
        return (*self.completion.prompt_ids, *self.completion.ids)

    @property
    def mask(self) -> list[int]:
        return [int(at in self.actions) for at in range(len(self.completion.ids))]


class _Rollouts:
    """What `rollout_func` gives. rows, laws: of the last call, by whether it was for training: its rows, and for a
    `TreeGRPOTrainer` what might be drawn after each context."""

    def __init__(self, step: Composition, forks: int, where: Any, options: dict[str, Any]):
        self.step, self.forks, self.where, self.options = step, forks, where, options
        self.rows, self.laws = dict[bool, list[_Written]](), dict[bool, Laws]()
        self._calls, self._kinds = 0, dict[tuple[bytes, bytes], DrawLaw]()

    def __repr__(self) -> str:
        return f"rollout_func({self.step!r}, forks={self.forks})"

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, list[Any]]:
        """TRL's record of the rollouts: one for each prompt. Equal prompts that stand side by side are a group."""
        samples, training = self._checked(trainer), bool(trainer.model.training)
        starts = self._starts(trainer._tokenize_prompts(list(prompts))[0], samples)
        laws: Laws | None = {} if isinstance(trainer, TreeGRPOTrainer) else None
        options: dict[str, Any] = {"max_tokens": trainer.args.max_completion_length, **self.options}
        if laws is not None:
            options["hooks"] = [lambda draw: self._note(draw, laws)]
        if self.forks and self.where == "entropy":
            options["keep"] = replace(options.get("keep", Keep()), entropies=True)
        self._calls += 1
        numbers = trainer.args.seed, trainer.state.global_step, trainer.accelerator.process_index, self._calls
        seeds = Random(str(numbers))
        with as_served(self.step.model.hf):  # type: ignore[attr-defined]
            flat = self.step(starts, seed=seeds.getrandbits(62), **options)
            trees = [[row] for row in self._written(flat, samples, laws)]
            if self.forks:
                for at, row in enumerate(self._forked(flat, samples, laws, seeds.getrandbits(62), options)):
                    trees[at // self.forks].append(row)
        rows = self.rows[training] = [row for tree in trees for row in tree]
        self.laws[training] = laws or {}
        return {
            "prompt_ids": [row.completion.prompt_ids for row in rows],
            "completion_ids": [row.completion.ids for row in rows],
            "logprobs": [row.completion.proposal_logprobs for row in rows],
            "env_mask": [row.mask for row in rows],
        }

    def _forked(
        self, flat: SequenceState, samples: int, laws: Laws | None, seed: int, options: dict[str, Any]
    ) -> list[_Written]:
        cut = fork_at(flat, self.where, self.forks)
        options = {name: each for name, each in options.items() if name not in ("stop_at", "seam")}
        return self._written(self.step.resume(cut, seed=seed, **options), samples * self.forks, laws, cut)

    def _starts(self, prompts: list[list[int]], samples: int) -> list[list[int]]:
        """What a call begins with, so that it gives each prompt a rollout."""
        width, starts = samples * (1 + self.forks), list[list[int]]()
        for ids, group in groupby(prompts):
            if (count := len([*group])) % width:
                raise ValueError(
                    f"{count} rollouts of a prompt (num_generations, num_generations_eval) are no multiple of {width}: "
                    f"the sampler draws {samples}, each with {self.forks} forks"
                )
            starts += [[*ids]] * (count // width)
        return starts

    def _written(
        self, state: SequenceState, samples: int, laws: Laws | None, cut: SequenceState | None = None
    ) -> list[_Written]:
        """The rows of a state, batch row by batch row. cut: before they were forks."""
        dead = [(b, s) for b, group in enumerate(state.rows) for s, row in enumerate(group) if row.dead]
        if dead or state.shape[1] != samples:
            errors = [state.errors[b][s] for b, s in dead]
            raise ValueError(f"{self!r} wrote {state.shape[1]} samples of {samples}; dead rows: {dead}, {errors}")
        completions = [cast(Completion, each) for group in completions_of(state, "token") for each in group]
        rows, begun = ([row for group in each.rows for row in group] for each in (state, cut or state))
        written = map(_read, rows, completions, repeat(laws))
        if cut is None:
            return [*written]
        return [
            row._replace(shared=len(before) - len(row.completion.prompt_ids))
            for row, before in zip(written, begun, strict=True)
        ]

    def _checked(self, trainer: Any) -> int:
        """How many samples a prompt gets. An error for a trainer that does not fit the step."""
        if not isinstance(trainer, GRPOTrainer):
            raise TypeError(f"{self!r} writes for TRL's GRPOTrainer, not for {shown(trainer)}")
        trained, hf = trainer.accelerator.unwrap_model(trainer.model), getattr(self.step.model, "hf", None)
        if not any(hf is each for each in trained.modules()):
            raise ValueError(f"{self!r} writes with {self.step.model!r}, whose model.hf is not what the trainer trains")
        check_learns(self.step.model, repr(self))
        _check_undecided(self.step, repr(self))
        law = (trainer.temperature, None, None, None, ())
        for each in self.step.steps:
            sampler, constraint = each.generator.sampler, each.generator.constraint
            drawn = [getattr(sampler, name, 0) or None for name in ("temperature", "top_k", "top_p", "min_p")]
            plain = isinstance(sampler, Multinomial) and (*drawn, sampler.logit_filters) == law
            if not plain or constraint.where is not None or constraint.options or each.hooks.functions:
                right = f"oc.samplers.multinomial(temperature={trainer.temperature}), no filters, where=, by=, hooks"
                raise ValueError(f"{self!r}: {each!r} draws from another law than TRL learns; that has {right}")
            if constraint.kind != "text" and not isinstance(trainer, TreeGRPOTrainer):
                right = "TreeGRPOTrainer learns the law that is drawn from"
                warn(f"{type(trainer).__name__} learns the model's law without the constraint of {each!r}; {right}")
        return max(each.generator.sampler.samples for each in self.step.steps)

    def _note(self, draw: Draw, laws: Laws) -> None:
        """A hook that keeps what may be drawn."""
        span, at = draw.row._growing, draw._at
        vocabulary, ends = at.guide.vocabulary, np.zeros_like(at.guide.vocabulary.no_eos)
        tokens = at.guide.mask(at.state) & vocabulary.no_eos
        if draw.allows(None):
            guide, state = span.going_on
            to_eos = span.settings.constraint.stops_at_eos(at.guide)
            ends = eos_mask(vocabulary) if to_eos else ~(guide.mask(state) & vocabulary.no_eos)
        law = self._kinds.setdefault((tokens.tobytes(), ends.tobytes()), DrawLaw(tokens, ends))
        if laws.setdefault(draw.row.ids, law) is not law or at.followed.filters is not PLAIN:
            raise ValueError(f"{self!r} draws from several laws after {draw.row!r}: TreeGRPOTrainer learns one")


def _read(row: Row, completion: Completion, laws: Laws | None) -> _Written:
    """laws: of the contexts, for a trainer that learns the law that is drawn from."""
    begin, last, stop = len(completion.prompt_ids), len(completion.ids) - 1, row.pieces[-1].stop
    actions, ends = [at - begin for at in draws_of(row)], False
    if begin + last == len(row) and not completion.forced[last]:  # the stop's token
        ends = laws is not None and row.ids in laws and stop is not None and stop.dropped is None
        actions += [last] * (ends or (laws is None and completion.mask[last]))
    if laws is not None and not all(row.ids[: begin + at] in laws for at in actions):
        raise ValueError(f"a policy draws what is no token: {row!r}")
    return _Written(completion, actions, ends)


def rollout_func(
    step: Composition | Generator[Any, Any], forks: int = 0, *, where: Any = "entropy", **options: Any
) -> _Rollouts:
    """A step, a chain or a generator as the policy of a trainer of TRL: its argument `rollout_func`.

    Each group of equal prompts gets `num_generations` rollouts, a multiple of samples · (1 + forks): the samples of the
    sampler, each with forks at its least certain draws. `logprobs` are those of the law drawn from; `env_mask` is 1
    where something was drawn.

    Args:
        step: of the model that is trained. It draws by `oc.samplers.multinomial`, with the trainer's temperature.
        forks: of each rollout.
        where: where they are cut, "entropy", "logprob" or a function, as `oc.train.fork_at` takes it.
        options: of the calls (`oc.CallOptions`), without those that change what is drawn: `hooks`, `beside`, `seed`,
            `keys`. `max_tokens` is the trainer's `max_completion_length`; a fork has as many after its cut.

    Raises:
        TypeError: no step, another `where`; when it is called, no `GRPOTrainer`.
        ValueError: forks < 0; when it is called, before anything is drawn: a trainer of another model, a number of
            generations that does not fit, a law of the step that is not the trainer's; afterwards: a dead row.

    >>> from outlines_cont.integrations.trl import rollout_func
    >>> rollout_func(oc.generate.text(model), forks=3).forks
    3
    """
    step = continuous(step) if isinstance(step, Generator) else step
    if not isinstance(step, Composition):
        raise TypeError(f"rollout_func(step, forks=…) takes a step, a chain or a generator, not {shown(step)}")
    if whole_number(forks, "forks", "an int ≥ 0") < 0 or LAWS & {*options}:
        refused = "".join(f", {name}=…" for name in sorted(LAWS & {*options}))
        right = "forks ≥ 0, and no hooks, beside, seed or keys, which change what is drawn"
        raise ValueError(f"rollout_func(forks={forks}{refused}): {right}")
    if not callable(where) and not (isinstance(where, str) and where in SCORES):
        raise TypeError(f"rollout_func(where={shown(where)}): it is 'entropy', 'logprob' or a function")
    others: Any = {name: each for name, each in options.items() if name != "max_tokens"}
    Call.of("rollout_func()", options.get("max_tokens"), others)
    return _Rollouts(step, forks, where, options)


def branch_advantages(advantages: Tensor, shared: Sequence[int], width: int, length: int) -> Tensor:
    """Advantages `[rows, length]` of the tokens of rows, of which each `width` are a rollout and its forks.

    advantages: `[rows]`. shared: of each fork, how many tokens it has from its rollout. What rows share has the mean of
    theirs. After a cut, half the mean of what was shared before it is taken off: the baseline lies between that of the
    group, which is 0, and that of the branch.

    >>> import torch
    >>> from outlines_cont.integrations.trl import branch_advantages
    >>> branch_advantages(torch.tensor([1.0, 0.0]), [0, 2], width=2, length=3).tolist()
    [[0.5, 0.5, 0.75], [0.5, 0.5, -0.25]]
    """
    out = advantages.new_zeros(len(advantages), length)
    for first in range(0, len(advantages), width):
        cuts = {row: shared[row] for row in range(first + 1, first + width)}
        places, before = sorted({0, *cuts.values()}), {0: advantages.new_zeros(())}
        for begin, end in zip(places, [*places[1:], length], strict=True):
            holders = [first, *(row for row, cut in cuts.items() if cut > begin)]
            before[end] = advantages[holders].mean()
            out[holders, begin:end] = before[end] - before[begin] / 2
        for row, cut in cuts.items():
            out[row, cut:] = advantages[row] - before[cut] / 2
    return out


class TreeGRPOTrainer(GRPOTrainer):
    """TRL's `GRPOTrainer`, with `rollout_func(step, …)`, that reads the rows of a batch in one pass over their trie.

    All losses are TRL's. Log-probabilities and entropies are those of the law that was drawn from. Forks have the
    advantages of their branches. It takes TRL's arguments, and `chunk`, as `oc.train.tree_logprobs` does; a longer row
    is a pass of its own.

    Raises:
        TypeError: a `rollout_func` that is none of ours.
        ValueError: a chunk < 1; several processes, or a router's loss; at a step: pictures, tools, or a reward that is
            not finite.
    """

    def __init__(self, *args: Any, chunk: int | None = None, **options: Any):
        if not isinstance(options.get("rollout_func"), _Rollouts):
            right = "it takes one of outlines_cont.integrations.trl.rollout_func(step)"
            raise TypeError(f"TreeGRPOTrainer(rollout_func={shown(options.get('rollout_func'))}): {right}")
        super().__init__(*args, **options)
        self._chunk, self._references = None if chunk is None else positive(chunk, "chunk"), dict[Any, Model]()
        if self.accelerator.num_processes > 1 or self.aux_loss_enabled:
            raise ValueError("TreeGRPOTrainer trains in one process, and has no router's loss: GRPOTrainer does that")

    def _calculate_rewards(self, *args: Any) -> Tensor:
        rewards: Tensor = super()._calculate_rewards(*args)
        for row, values in enumerate(rewards):
            if values.isinf().any() or values.isnan().all():
                raise ValueError(f"the rewards of row {row} are {values.tolist()} (None is nan): one has to be finite")
        return rewards

    def _generate_and_score_completions(self, inputs: list[Any]) -> dict[str, Any]:
        output = super()._generate_and_score_completions(inputs)
        rollouts, shape = self.rollout_func, output["completion_ids"].shape
        shared = [row.shared for row in rollouts.rows[bool(self.model.training)]]
        output["advantages"] = branch_advantages(output["advantages"], shared, 1 + rollouts.forks, shape[1])
        return output

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: Tensor, attention_mask: Tensor, logits_to_keep: int, **options: Any
    ) -> tuple[Tensor, Tensor | None, None]:
        entropies, others = options.pop("compute_entropy", False), {*options} - {"batch_size", "compute_aux_loss"}
        rollouts, training = self.rollout_func, bool(self.model.training)
        written, stop = dict[Ids, _Written](), len(rollouts.step.model.vocabulary)
        for one in rollouts.rows[training]:  # in rows of equal tokens, other ones may be drawn: `env_mask` of each says
            like = written.setdefault(one.ids, one)
            written[one.ids] = one._replace(actions=sorted({*one.actions, *like.actions}), ends=one.ends or like.ends)
        mask, rows = torch.zeros(len(input_ids), logits_to_keep, dtype=torch.bool), list[LearnedRow]()
        for line, ids, seen in zip(mask, input_ids.tolist(), attention_mask.bool().cpu(), strict=True):
            if not seen[-logits_to_keep:].any():  # left out by TRL, as one that was cut
                continue
            row = written.get(tuple(id for id, there in zip(ids, seen, strict=True) if there))
            if row is None or any(options[name] is not None for name in others):
                raise ValueError("TreeGRPOTrainer reads texts that its rollout_func has written: no tools, no pictures")
            line[row.actions] = True
            wanted = tuple(len(row.completion.prompt_ids) + at for at in row.actions)
            rows += [LearnedRow((*row.ids[:-1], stop) if row.ends else row.ids, wanted)] * bool(wanted)
        how = {"grad": torch.is_grad_enabled(), "chunk": self._chunk, "entropies": entropies}
        laws = rollouts.laws[training]
        values = torch.zeros(1 + entropies, 0, device=input_ids.device, requires_grad=how["grad"])
        if rows:  # else all was certain, or left out
            with self.accelerator.autocast():
                values = values_of(self._reader(model), rows, **how, temperature=self.temperature, laws=laws)
        logprobs, *more = (each.new_zeros(mask.shape).masked_scatter(mask.to(each.device), each) for each in values)
        return logprobs, more[0] if more else None, None

    def _reader(self, trained: Any) -> Any:
        """What reads the rows: the policy's model, or one of the reference."""
        policy, hf = self.rollout_func.step.model, self.accelerator.unwrap_model(trained)
        if any(policy.hf is each for each in hf.modules()):
            return policy
        return self._references.get(hf) or self._references.setdefault(hf, Model(hf, self._tokenizer))


def _check_undecided(step: Composition, name: str) -> None:
    """ValueError for a chain with ways: their decisions have no tokens that a trainer could learn."""
    if any(isinstance(part, Ways) for part in step.parts):
        raise ValueError(f"{name}: the model decides between ways, a | b or repeat(); TRL learns no decisions")
