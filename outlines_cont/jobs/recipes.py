"""What travels to a worker: where it gets its model, and the job as plain values, from which it is made there again."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown, takes_one
from outlines_cont.engines.hf.parameters import content_digest
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.call_options import CallOptions
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.steps import Chain, Composition, Step
from outlines_cont.jobs.job import Job, JobLink
from outlines_cont.jobs.shards import Batch, ShardWorker
from outlines_cont.loading import load as load_model
from outlines_cont.scores.score import Scoring
from outlines_cont.state.constraint import Constraint
from outlines_cont.ways import Ways, mapped

# --- canonical names of work: equal for equal work in any process, different for work that gives other rows
#
# What a callable of the user's does is not known here: its name stands for it, and the version that the user gives.

OURS = "outlines_cont."  # the beginning of the names of our modules
#: Settings of a config that change nothing of what is computed, or are told by the digest of the parameters.
OF_NO_ROW = ("transformers_version", "_name_or_path", "dtype", "torch_dtype", "use_cache", "architectures")


def specification(job: Job, version: str | None = None) -> str:
    """Canonical JSON of a job, without its model and its seed: two jobs of one that give other rows have two.

    What makes no difference is left out: drafts, progress bars, and where an option was said, in the call or in a step.

    Raises:
        TypeError: it holds something of the user's, a hook, a filter, a controller, a guide, and no version: which.
    """
    writer = _SpecificationWriter(version)
    work: dict[str, Any]
    if isinstance(job.work, Scoring):
        work = {"score": {name: writer.value(value) for name, value in job.work.options().items()}}
    else:
        work = {"links": [writer.link(link) for link in job.links], **writer.between(job.parts)}
    if writer.unknown and version is None:
        raise TypeError(
            f"out=… with {', '.join(writer.unknown)}: what a function or a class of yours does is not known, and "
            "shards are found again by what was done; give version='…', and another one when you change it"
        )
    if version is not None:
        work["version"] = version
    return json.dumps(work, ensure_ascii=False, sort_keys=True)


class _SpecificationWriter:
    """Values as JSON. `unknown` lists those that only a version of the user's can tell apart."""

    def __init__(self, version: str | None) -> None:
        self.version = version
        self.unknown: list[str] = []

    def link(self, link: JobLink) -> dict[str, Any]:
        """A span: what it must fit, how it is drawn, and the options that change its rows."""
        generator, call = link.generator, link.call
        return {
            "constraint": self.constraint(link.constraint),
            "sampler": self.value(generator.sampler),
            "forced": generator.forced == "canonical",
            "name": call.name,
            "seam": call.seam or generator.seam,
            "max_tokens": call.max_tokens,
            "retries": generator.settings(call).going_back.retries,
            "horizon": call.hooks.horizon,
            "hooks": self.value(call.hooks.functions),
            "keep": self.value(call.keep),
        }

    def between(self, parts: Sequence[Any]) -> dict[str, Any]:
        """What stands before, between and after the spans: texts; and functions and ways, with how many spans come
        before."""
        texts, functions = [""], []
        for part in parts or [None]:
            if isinstance(part, str):
                texts[-1] = part
            elif isinstance(part, Step) or part is None:
                texts.append("")
            else:
                ways = isinstance(part, Ways)
                told = [part.at_least, part.at_most, *map(self.between, part.ways)] if ways else self.opaque(part)
                functions.append([len(texts) - 1, texts[-1], told])
                texts[-1] = ""
        return {"texts": texts} | ({"functions": functions} if functions else {})

    def constraint(self, constraint: Constraint) -> dict[str, Any]:
        """A constraint. Its specification is JSON in which the order of keys counts, and stays as it is."""
        written: dict[str, Any] = {"spec": constraint.spec}
        if constraint.controller is not None:
            written["controller"] = self.value(constraint.controller)
            written |= {"together": constraint.together, "pace": constraint.pace}
        if constraint.where is not None:
            written["where"] = self.value(constraint.where)
        if constraint.kind == "guide":
            self.unknown.append(f"the guide {shown(constraint.guide)}")
        return written

    def value(self, value: Any) -> Any:
        """Anything."""
        if value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, Enum)):
            return value
        for kinds, write in _KINDS:
            if isinstance(value, kinds):
                return write(self, value)
        if is_dataclass(value) and not isinstance(value, type):
            return self.dataclass(value)
        return self.opaque(value)

    def dataclass(self, value: Any) -> dict[str, Any]:
        """A value of named fields. Ours are known by these; what the user's do is not known."""
        if not type(value).__module__.startswith(OURS):
            self.unknown.append(shown(value))
        content = {each.name: self.value(getattr(value, each.name)) for each in fields(value)}
        return {"of": _name(type(value)), "fields": content}

    def opaque(self, value: Any) -> dict[str, Any]:
        """Something of which only the name is known, which says all of a function of ours."""
        ours = isinstance(value, FunctionType) and _name(value).startswith(OURS) and "<locals>" not in _name(value)
        if not ours:
            self.unknown.append(shown(value))
        return {"callable": _name(value if hasattr(value, "__qualname__") else type(value))}

    def items(self, value: Any) -> list[Any]:
        """A list or a tuple."""
        return [self.value(each) for each in value]

    def mapping(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        """A dict, whose order may count."""
        return {"items": [[self.value(key), self.value(each)] for key, each in value.items()]}

    def unordered(self, value: Any) -> dict[str, Any]:
        """A set."""
        return {"set": sorted((self.value(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))}

    def tensor(self, value: Any) -> dict[str, Any]:
        """A tensor or an array: its shape, its type and a digest of its values."""
        if isinstance(value, np.ndarray) and value.dtype.kind not in "biuf":
            return {"array": [list(value.shape), str(value.dtype), self.value(value.tolist())]}
        tensor = value if isinstance(value, Tensor) else torch.tensor(value)
        return {"tensor": [list(tensor.shape), str(tensor.dtype), content_digest(tensor).hex()]}


_KINDS: list[tuple[tuple[type, ...], Callable[[_SpecificationWriter, Any], Any]]] = [
    ((float,), lambda writer, value: {"float": float(value).hex()}),
    ((bytes,), lambda writer, value: {"bytes": value.hex()}),
    ((Enum,), lambda writer, value: {"enum": [_name(type(value)), value.name]}),
    ((Constraint,), _SpecificationWriter.constraint),
    ((list, tuple), _SpecificationWriter.items),
    ((set, frozenset), _SpecificationWriter.unordered),
    ((Mapping,), _SpecificationWriter.mapping),
    ((Tensor, np.ndarray), _SpecificationWriter.tensor),
]


def model_facts(model: LanguageModel) -> list[str]:
    """What decides how a model writes: its parameters and vocabulary, how texts and chats become tokens, how long a row
    may be. Equal in any process, on any device, however the parameters are spread."""
    tokenizer: Any = getattr(model, "tokenizer", None)
    template = json.dumps(getattr(tokenizer, "chat_template", None), sort_keys=True, default=str)
    return [model.identity, str(model.context_length), digest(template), _cutting(tokenizer)]


def config_digest(model: LanguageModel) -> str:
    """A digest of what a model of transformers computes with besides its parameters; "" for others.

    Workers do not compare it: another version of transformers names more settings.
    """
    config = getattr(getattr(model, "hf", None), "config", None)
    if config is None:
        return ""
    settings = {name: value for name, value in config.to_diff_dict().items() if name not in OF_NO_ROW}
    return digest(json.dumps(settings, sort_keys=True, default=str))


def _cutting(tokenizer: Any) -> str:
    """A digest of how a tokenizer cuts texts, as far as it can be written down: that of the `tokenizers` library."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "to_str"):
        return ""
    settings = json.loads(backend.to_str())
    return digest({name: part for name, part in settings.items() if name not in ("truncation", "padding")})


def version_of_package() -> str:
    """The version of the package to which these modules belong."""
    return sys.modules[OURS.rstrip(".")].__version__


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def digest(*parts: Any) -> str:
    """32 hexadecimal digits of values that JSON can write."""
    text = json.dumps(parts, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# --- recipes

CALLED = "a generator of another process"  # where its constraint was read


@dataclass(frozen=True)
class ModelSource:
    """Where each worker gets its model.

    Attributes:
        load: a function of the user's, called without arguments or with the number of the worker; None: `oc.load`.
        arguments: of `oc.load`.
        facts: those of the model that it has to be.
        adapters: under which of peft's adapters it computes, `()` for none; None: as it is set when it is loaded.
    """

    load: Callable[..., Any] | None
    arguments: tuple[Any, dict[str, Any]] | None
    facts: list[str]
    adapters: tuple[str, ...] | None = None

    @classmethod
    def of(cls, model: LanguageModel, load: Any, workers: str, sharing: int = 1) -> ModelSource:
        """The source of a model. TypeError if nobody knows where to get another one.

        workers: what was asked for; sharing: how many of them share the memory of one machine.
        """
        adapters = getattr(getattr(model, "engine", None), "adapters", None)
        if load is not None:
            if not callable(load) or isinstance(load, type):
                raise TypeError(
                    f"load={shown(load)}: it is a function that makes the model, without arguments or with the number "
                    "of the worker, from 0 on"
                )
            return cls(load, None, model_facts(model), adapters)
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
        if places := options.get("adapters"):
            options = {**options, "adapters": {each: _absolute(place) for each, place in places.items()}}
        return cls(None, (name and _absolute(name), options), model_facts(model), adapters)

    def model(self, number: int) -> LanguageModel:
        """The model of the worker of this number."""
        if self.load is not None:
            model = self.load(number) if takes_one(self.load) else self.load()
        else:
            assert self.arguments is not None
            name, options = self.arguments
            model = load_model(name, **options)
        if self.adapters is not None:
            model = cast(Any, model).with_adapter(self.adapters)
        if model_facts(model) != self.facts:
            raise ValueError(
                f"the model that the worker loaded, {model!r}, is another one than that of the job: its parameters, "
                "its vocabulary, its tokenizer, its chat template or the length of its context differ. Was the job's "
                "model changed after it was loaded? Save it, and load that; or "
                "give load=…"
            )
        return model


def _absolute(place: str | Path) -> str | Path:
    """A place that any process finds, if it is a file or a folder here."""
    path = Path(place).expanduser()
    return str(path.resolve()) if path.exists() else place


@dataclass(frozen=True)
class GeneratorRecipe:
    """A generator without its model."""

    spec: str
    sampler: Any
    forced: Any
    controller: Any
    together: bool
    pace: int
    where: Any = None
    seam: Any = "auto"

    @classmethod
    def of(cls, generator: Generator[Any, Any]) -> GeneratorRecipe:
        """The recipe of a generator. TypeError for a guide of the user's, of which no specification is known."""
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
        constraint = Constraint.of(self.spec, model.vocabulary, CALLED)
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
        """The recipe of a job."""
        work = job.work
        steps = work.steps if isinstance(work, Composition) else ()
        fields: dict[str, Any] = {}
        if isinstance(work, Chain):
            fields = {"parts": mapped(work.parts, lambda part: None if isinstance(part, Step) else part)}
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
            work = Chain(tuple(mapped(self.fields["parts"], lambda part: next(made) if part is None else part)))
        else:
            work = steps[0] if self.kind is Step else generators[0]
        return ShardWorker(Job.of(work, *self.call), self.batch)


class Setup:
    """What the workers of a job are made of.

    Attributes:
        job, batch: the job, and how its rows are batched.
        load: the user's function that loads a model, or None.
        workers: what the user asked for, for errors.
    """

    def __init__(self, job: Job, batch: Batch, load: Any, workers: Any) -> None:
        self.job, self.load, self.workers = job, load, shown(workers)
        self.batch: Batch = batch

    def packed(self, dumps: Callable[[Any], bytes] = pickle.dumps, sharing: int = 1) -> bytes:
        """The job as bytes, for `unpacked`. TypeError for a function of the user's that cannot travel: which one.

        dumps: what pickles; sharing: workers of a machine.
        """
        source = ModelSource.of(self.job.model, self.load, self.workers, sharing)
        recipe = Recipe.of(self.job, self.batch)
        parts: list[Any] = [source.load, source.arguments, recipe.call[2].get("hooks")]
        for generator in recipe.generators:
            parts += [generator.sampler, generator.controller]
        parts += [hook for step in recipe.steps for hook in step["hooks"].functions]
        parts += recipe.fields.get("parts", ())
        for part in parts:
            try:
                dumps(part)
            except Exception as error:
                raise TypeError(
                    f"workers={self.workers}: {shown(part)} cannot be sent to another process ({error}); functions "
                    "that travel are defined at the top of a module"
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
