"""What travels to a worker: where it gets its model, and the job as plain values, from which it is made there again."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outlines_cont.arguments import shown, takes_one
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.call_options import CallOptions
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.mapping.batches import Batch, ShardWorker
from outlines_cont.generate.mapping.job import Job
from outlines_cont.generate.mapping.specification import model_facts, version_of_package
from outlines_cont.generate.scoring import Scoring
from outlines_cont.generate.steps import Chain, Composition, Step
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.loading import load as load_model

ELSEWHERE = "a generator of another process"  # where its constraint was read


@dataclass(frozen=True)
class ModelSource:
    """Where each worker gets its model.

    Attributes:
        load: a function of the user's, called without arguments or with the number of the worker; None: `oc.load`.
        arguments: of `oc.load`.
        facts: those of the model that it has to be.
    """

    load: Callable[..., Any] | None
    arguments: tuple[Any, dict[str, Any]] | None
    facts: list[str]

    @classmethod
    def of(cls, model: LanguageModel, load: Any, workers: str, sharing: int = 1) -> ModelSource:
        """That of a model. TypeError if nobody knows where to get another one.

        workers: what was asked for; sharing: how many of them share the memory of one machine.
        """
        if load is not None:
            if not callable(load) or isinstance(load, type):
                raise TypeError(
                    f"load={shown(load)}: it is a function that makes the model, without arguments or with the number "
                    "of the worker, from 0 on"
                )
            return cls(load, None, model_facts(model))
        loaded = getattr(model, "loaded_from", None)
        if loaded is None:
            raise TypeError(
                f"workers={workers}: each worker loads the model, and {model!r} was made of objects that you hold; "
                "give load=…, a function in a module that makes an equal one"
            )
        name, options = loaded
        budget = getattr(model, "kv_budget", None)
        if options["kv_budget"] == "auto" and sharing > 1 and budget is not None:
            options = {**options, "kv_budget": budget // sharing}
        if name is not None and Path(name).expanduser().exists():
            name = str(Path(name).expanduser().resolve())
        return cls(None, (name, options), model_facts(model))

    def model(self, number: int) -> LanguageModel:
        """The model of the worker of this number."""
        if self.load is not None:
            model = self.load(number) if takes_one(self.load) else self.load()
        else:
            assert self.arguments is not None
            name, options = self.arguments
            model = load_model(name, **options)
        if model_facts(model) != self.facts:
            raise ValueError(
                f"the model that the worker loaded, {model!r}, is another one than that of the job: its parameters, "
                "its vocabulary, its tokenizer, its chat template or the length of its context differ. Was the job's "
                "model changed after it was loaded? Save it, and load that; or "
                "give load=…"
            )
        return model


@dataclass(frozen=True)
class GeneratorRecipe:
    """A generator without its model."""

    spec: str
    sampler: Any
    forced: bool
    controller: Any
    together: bool
    pace: int
    where: Any = None
    seam: Any = "auto"

    @classmethod
    def of(cls, generator: Generator[Any, Any]) -> GeneratorRecipe:
        """That of a generator. TypeError for a guide of the user's, of which no specification is known."""
        constraint = generator.constraint
        if constraint.kind == "guide":
            raise TypeError(
                f"workers=…: {generator!r} goes by a guide of yours, which belongs to this process; with workers=None "
                "it can be mapped"
            )
        return cls(
            constraint.spec,
            generator.sampler,
            generator.forced,
            constraint.controller,
            constraint.together,
            constraint.pace,
            constraint.where,
            generator.seam,
        )

    def made(self, model: LanguageModel) -> Generator[Any, Any]:
        """An equal generator; its values are plain."""
        constraint = Constraint.of(self.spec, model.vocabulary, ELSEWHERE)
        controlled = replace(constraint, controller=self.controller, together=self.together, pace=self.pace)
        controlled = replace(controlled, where=self.where)
        return Generator._of(model, controlled, self.sampler, self.forced, self.seam)


@dataclass(frozen=True)
class Recipe:
    """A job without its model.

    Attributes:
        kind: what it maps.
        generators: those of its links.
        steps: the fields of its steps, without their generators.
        fields: of the chain, or of the scoring.
        call: the seed, `max_tokens` and the options of the call.
        batch: how its rows are batched.
    """

    kind: type
    generators: tuple[GeneratorRecipe, ...]
    steps: tuple[dict[str, Any], ...]
    fields: dict[str, Any]
    call: tuple[int, int | None, CallOptions]
    batch: Batch

    @classmethod
    def of(cls, job: Job, batch: Batch) -> Recipe:
        """That of a job."""
        work = job.work
        steps = work.steps if isinstance(work, Composition) else ()
        fields: dict[str, Any] = {}
        if isinstance(work, Chain):
            fields = {"parts": tuple(None if isinstance(part, Step) else part for part in work.parts)}
        elif isinstance(work, Scoring):
            fields = work.options()
        return cls(
            type(work),
            tuple(GeneratorRecipe.of(link.generator) for link in job.links),
            tuple({k: v for k, v in vars(step).items() if k != "generator"} for step in steps),
            fields,
            (job.seed, job.max_tokens, job.options),
            batch,
        )

    def worker(self, model: LanguageModel) -> ShardWorker:
        """What does the job's shards on this model."""
        generators = [recipe.made(model) for recipe in self.generators]
        steps = [Step(generator, **fields) for generator, fields in zip(generators, self.steps, strict=False)]
        work: Any
        if self.kind is Scoring:
            work = Scoring(model, **self.fields)
        elif self.kind is Chain:
            made = iter(steps)
            work = Chain(tuple(next(made) if part is None else part for part in self.fields["parts"]))
        else:
            work = steps[0] if self.kind is Step else generators[0]
        return ShardWorker(Job.of(work, *self.call), self.batch)


def packed(
    source: ModelSource, job: Job, batch: Batch, workers: str, dumps: Callable[[Any], bytes] = pickle.dumps
) -> bytes:
    """What a worker is made of, as bytes. TypeError for a function of the user's that cannot travel: which one.

    workers: what was asked for, for errors; dumps: what pickles.
    """
    recipe = Recipe.of(job, batch)
    parts: list[Any] = [source.load, source.arguments, recipe.call[2].get("hooks")]
    for generator in recipe.generators:
        parts += [generator.sampler, generator.controller]
    parts += [hook for step in recipe.steps for hook in step["hooks"]]
    parts += recipe.fields.get("parts", ())
    for part in parts:
        try:
            dumps(part)
        except Exception as error:
            raise TypeError(
                f"workers={workers}: {shown(part)} cannot be sent to another process ({error}); functions that travel "
                "are defined at the top of a module"
            ) from None
    return dumps((version_of_package(), source, recipe))


def unpacked(data: bytes, number: int) -> ShardWorker:
    """The worker of this number, of what `packed` gave. It loads the model. ValueError for another version of ours."""
    version, source, recipe = pickle.loads(data)
    if version != version_of_package():
        raise ValueError(
            f"outlines_cont is of version {version} where map() was called, and {version_of_package()} here"
        )
    return recipe.worker(source.model(number))
