"""Canonical names of work: equal for equal work in any process, different for work that gives other rows.

What a callable of the user's does is not known here: its name stands for it, and the version that the user gives.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.engines.hf.identity import content_digest
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.call_options import RETRIES
from outlines_cont.generate.mapping.job import Job, JobLink
from outlines_cont.generate.scoring import Scoring
from outlines_cont.generate.steps import Step
from outlines_cont.state.constraint import Constraint

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
            "forced": generator.forced,
            "name": call.name,
            "seam": call.seam or generator.seam,
            "max_tokens": call.max_tokens,
            "retries": RETRIES if call.retries is None else call.retries,
            "top": call.top,
            "hooks": self.value(call.hooks),
        } | ({"alternatives": call.alternatives} if call.alternatives else {})

    def between(self, parts: Sequence[Any]) -> dict[str, Any]:
        """What stands before, between and after the spans: texts; and functions, with how many spans come before."""
        texts, functions = [""], []
        for part in parts or [None]:
            if isinstance(part, str):
                texts[-1] = part
            elif isinstance(part, Step) or part is None:
                texts.append("")
            else:
                functions.append([len(texts) - 1, texts[-1], self.opaque(part)])
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
        """Something of which only the name is known."""
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
    """That of the package which these modules belong to."""
    return sys.modules[OURS.rstrip(".")].__version__


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def digest(*parts: Any) -> str:
    """32 hexadecimal digits of values that JSON can write."""
    text = json.dumps(parts, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
