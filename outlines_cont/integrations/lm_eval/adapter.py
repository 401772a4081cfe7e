"""`LM`: one of our models as lm-eval takes it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch
from tqdm import tqdm

from outlines_cont.arguments import is_number, is_whole, shown, whole_number
from outlines_cont.decode import samplers
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.generate import kinds
from outlines_cont.generate.steps import continuous
from outlines_cont.kv.given_tokens import Ids
from outlines_cont.loading import load
from outlines_cont.prefixes import common_length
from outlines_cont.scores.score import score, text_windows
from outlines_cont.state.model import Model

# --- what is used of lm-eval, and what is said where it is missing or too old

OLDEST = (0, 4, 13)
COMMAND = "pip install 'outlines_cont[lm-eval]'"


def _requirement() -> str | None:
    """What is wrong with the lm-eval that is installed, if anything is."""
    try:
        installed = version("lm_eval")
    except PackageNotFoundError:
        return "lm-eval, which is not installed"
    numbers = tuple(int(part) for part in installed.split(".")[:3] if part.isdigit())
    oldest = ".".join(map(str, OLDEST))
    return f"lm-eval {oldest} or later; {installed} is installed" if numbers < OLDEST else None


if _lacking := _requirement():
    raise ImportError(f"outlines_cont.integrations.lm_eval needs {_lacking}: {COMMAND}")


def _given(module: str, name: str) -> Any:
    """What lm-eval calls so. (Imported by name: type checkers take `lm_eval` in this folder for the folder itself.)"""
    return getattr(import_module(f"lm_eval.{module}"), name)


TemplateLM = _given("api.model", "TemplateLM")
register_model = _given("api.registry", "register_model")
# `lm_eval.models` registers lm-eval's own models, which it does itself only while there are no others
normalize_gen_kwargs = _given("models.utils", "normalize_gen_kwargs")
postprocess_generated_text = _given("models.utils", "postprocess_generated_text")


#: One request: `args` is (context, continuation), (text,) or (context, generation settings).
Instance = Any


# --- generation settings of lm-eval's tasks: which sampler they mean, where a text ends, and what is refused

MAX_GEN_TOKS = 256  # where a task says nothing, as in lm-eval
#: Settings that transformers has and that mean something else here, with what to write.
INSTEAD_OF_SETTINGS = {
    "max_length": "max_gen_toks counts what is generated",
    "stop_strings": "until ends a text",
    "eos_token_id": "until takes the text of a token",
    "num_return_sequences": "a request has one answer; a task draws several with `repeats`",
}


@dataclass(frozen=True)
class GenerationSettings:
    """What the requests of one kind are generated with.

    Attributes:
        sampler: what tokens are drawn by.
        until: strings at which a text ends.
        max_tokens: the most tokens of a text.
    """

    sampler: Sampler[Any]
    until: tuple[str, ...]
    max_tokens: int

    @classmethod
    def of(cls, model: Model, gen_kwargs: dict[str, Any]) -> GenerationSettings:
        """The settings of a request, as lm-eval's `hf` backend reads them: they change the model's generation config.

        Raises:
            TypeError: settings that are no dict.
            ValueError: a setting, by name, that there is not, or with a value that it cannot have.
        """
        if not isinstance(gen_kwargs, dict):
            raise TypeError(f"generation settings are a dict, not {shown(gen_kwargs)}")
        settings: dict[str, Any] = dict(normalize_gen_kwargs(gen_kwargs, MAX_GEN_TOKS))
        until, max_tokens = settings.pop("until", []), settings.pop("max_gen_toks")
        if not all(isinstance(text, str | None) for text in until):
            raise TypeError(f"until={shown(until)}: it is a string or a list of strings")
        if max_tokens < 1:
            raise ValueError(f"max_gen_toks={max_tokens}: it must be an int ≥ 1")
        return cls(_sampler(model, settings), tuple(text for text in until if text), max_tokens)


def _sampler(model: Model, settings: dict[str, Any]) -> Sampler[Any]:
    from transformers import GenerationConfig

    config: Any = deepcopy(getattr(getattr(model, "hf", None), "generation_config", None)) or GenerationConfig()
    temperature = settings.get("temperature", 0.0)
    if settings.get("do_sample"):
        if not is_number(temperature) or temperature <= 0:
            raise ValueError(f"do_sample=True with temperature={shown(temperature)}: it must be a number > 0")
    else:
        settings.pop("temperature", None)
    for name, value in settings.items():
        if name in INSTEAD_OF_SETTINGS:
            raise ValueError(f"generation setting {name}={shown(value)} is not supported: {INSTEAD_OF_SETTINGS[name]}")
        if not hasattr(config, name):
            raise ValueError(f"generation setting {name}={shown(value)}: transformers' generate() has no such setting")
        setattr(config, name, value)
    # what the model's own config sets of these is a call's business, and a request says it
    return samplers.from_config(config, ignore=("num_return_sequences",))


# --- adapter

log = logging.getLogger(__name__)

BATCH_TOKENS = 1 << 14  # keys and values of at most so many tokens are needed for one batch
ENCODED_TEXTS = 64  # are remembered: the options of one question follow each other, and have its context in common
#: Arguments of lm-eval's `hf` model that there are not here, with what to do.
INSTEAD = {
    "add_bos_token": "the tokenizer says whether it writes one: set it there, and pass LM(pretrained=model)",
    "backend": "only decoder-only models are served",
    "delta": "add the weights yourself, and pass LM(pretrained=oc.Model(hf_model, tokenizer))",
    "gguf_file": "load the file yourself, and pass LM(pretrained=model)",
    "mixed_precision_dtype": "dtype= is what the model computes in",
    "parallelize": "device_map='auto' spreads a model over several devices",
    "peft": "load the adapter yourself, and pass LM(pretrained=oc.Model(peft_model, tokenizer))",
    "softmax_dtype": "probabilities are always computed in float32",
    "truncation": "texts that are too long are always cut on the left",
}


@register_model("outlines_cont")
class LM(TemplateLM):
    """A model for lm-eval: what requests share is computed once, whatever kind they are.

    Texts are cut into tokens as lm-eval's `hf` model does it, and its numbers are the same up to rounding: a context
    and what follows it are encoded as one text, spaces at the end of the context belong to what follows, and what the
    context has no room for is cut on the left. A text for `loglikelihood_rolling` is read in windows that do not
    overlap, the first one after a bos besides the tokenizer's own.

    Args:
        pretrained: a folder or a hub id, as `oc.load` takes it; or an `oc.Model`, or a transformers model, which needs
            `tokenizer`, too. None: the model that ships with the package.
        tokenizer: of a transformers model that is given as an object.
        batch_size: how many requests are read together; "auto": as many as need the keys and values of at most 16,384
            tokens.
        max_batch_size: the most requests that "auto" reads together; None for no bound.
        max_length: the most tokens of context and continuation together; by default the model's context length.
        device: where to put a model that is loaded ("cuda", "cuda:1", "cpu" …). lm-eval's command line says "cuda:0" by
            default; where there is no GPU, that is the CPU, as in the `hf` model.
        prefix_token_id: the token before a text without a context; by default bos, or eos where there is none.
        think_end_token: a string; what a model generates before the last one is cut from its answers.
        enable_thinking, chat_template_args: for the chat template.
        options: dtype, revision …, for `oc.load`.

    Raises:
        TypeError, ValueError: an argument, by its name, that there is not or that has a wrong value.

    >>> from lm_eval.api.instance import Instance
    >>> from outlines_cont.integrations.lm_eval import LM
    >>> lm = LM(pretrained=model)
    >>> question = "Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:"
    >>> pairs = [(question, " painter"), (question, " sailor")]
    >>> requests = [Instance("loglikelihood", {}, pair, i) for i, pair in enumerate(pairs)]
    >>> [(round(logprob, 1), greedy) for logprob, greedy in lm.loglikelihood(requests, disable_tqdm=True)]
    [(-0.2, True), (-8.4, False)]
    """

    def __init__(
        self,
        pretrained: Any = None,
        tokenizer: Any = None,
        *,
        batch_size: int | str = "auto",
        max_batch_size: int | None = None,
        max_length: int | None = None,
        device: str | None = None,
        prefix_token_id: int | None = None,
        think_end_token: str | None = None,
        enable_thinking: bool | None = None,
        chat_template_args: dict[str, Any] | None = None,
        **options: Any,
    ):
        super().__init__()
        for name, value in options.items():
            if name in INSTEAD:
                raise TypeError(f"LM({name}={shown(value)}): there is no such argument; {INSTEAD[name]}")
        self.model = _model(pretrained, tokenizer, device, options)
        self.tokenizer = self.model.tokenizer
        if not hasattr(self.tokenizer, "encode") or not hasattr(self.tokenizer, "name_or_path"):
            raise TypeError(f"LM() needs a transformers tokenizer, not {type(self.tokenizer).__name__}")
        self.batch_size, self._most_tokens = _batch_size(batch_size, max_batch_size)
        self.max_length = _max_length(max_length, self.model.context_length)
        self.think_end_token = think_end_token
        if think_end_token is not None and not isinstance(think_end_token, str):
            raise TypeError(f"think_end_token={shown(think_end_token)}: it is a string, as '</think>'")
        if enable_thinking and not think_end_token:
            raise ValueError("enable_thinking=True needs think_end_token: the string after which the answer begins")
        self.enable_thinking = enable_thinking
        thinking = {} if enable_thinking is None else {"enable_thinking": enable_thinking}
        self.chat_template_args = {**(chat_template_args or {}), **thinking}
        self._prefix = _prefix(self.model, prefix_token_id)
        self._encoded = lru_cache(ENCODED_TEXTS)(partial(_encoded, self.tokenizer))

    def __repr__(self) -> str:
        return f"LM({self.model!r}, batch_size={self.batch_size or 'auto'!r}, max_length={self.max_length})"

    # --- tokens

    @property
    def device(self) -> Any:
        """Where the model's logits lie."""
        return self.model.device

    @property
    def eot_token_id(self) -> int:
        """The token that ends a text."""
        return self.tokenizer.eos_token_id

    @property
    def prefix_token_id(self) -> int:
        """The token before a text that has no context."""
        return self._prefix

    @property
    def tokenizer_name(self) -> str:
        """What lm-eval's caches of requests are named by."""
        return self.tokenizer.name_or_path.replace("/", "__")

    def tok_encode(self, string: str, add_special_tokens: bool | None = None, **kwargs: Any) -> list[int]:
        """The tokens of a text, with what the tokenizer adds, unless the text begins with the prefix token already."""
        if add_special_tokens is None and string.startswith(self.tokenizer.decode(self._prefix)):
            add_special_tokens = False
        return list(self._encoded(string, add_special_tokens))

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        """A conversation as the tokenizer's chat template writes it; without its system messages, if it has no place
        for them."""
        from jinja2.exceptions import TemplateError

        def written(messages: list[dict[str, str]]) -> str:
            return self.tokenizer.apply_chat_template(
                messages,
                tokenize=False,
                add_generation_prompt=add_generation_prompt,
                continue_final_message=not add_generation_prompt,
                **self.chat_template_args,
            )

        try:
            return written(chat_history)
        except TemplateError:
            without_system = [message for message in chat_history if message["role"] != "system"]
            if len(without_system) == len(chat_history):
                raise
            log.warning("The chat template refuses a conversation; it is written without its system messages.")
            return written(without_system)

    # --- the three kinds of requests

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """For each (context, continuation) the latter's log-probability, and whether greedy decoding would write it."""
        if self.enable_thinking:
            raise ValueError("enable_thinking=True: only generate_until has answers that follow a thought")
        return super().loglikelihood(requests, disable_tqdm=disable_tqdm)

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        """For each (text,) its log-probability, in windows as long as the context that do not overlap."""
        windows: list[tuple[None, Ids, Ids]] = []
        counts = []
        for request in requests:
            ids = tuple(self.tok_encode(request.args[0]))
            of_text = text_windows((self._prefix,), ids, False, self.max_length, self.max_length) if ids else []
            windows += [(None, window.context, window.ids) for window in of_text]
            counts.append(len(of_text))
        answers = iter(self._loglikelihood_tokens(windows, disable_tqdm=disable_tqdm))
        totals = [sum(next(answers)[0] for _ in range(count)) for count in counts]
        for request, total in zip(requests, totals, strict=True):
            self.cache_hook.add_partial("loglikelihood_rolling", request.args, total)
        return totals

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """For each (context, settings) a text after the context, without the string at which it ended."""
        kinds_of_requests: dict[str, list[int]] = {}
        for i, request in enumerate(requests):
            kinds_of_requests.setdefault(json.dumps(request.args[1], sort_keys=True, default=repr), []).append(i)
        answers = [""] * len(requests)
        with tqdm(total=len(requests), disable=disable_tqdm, desc="Running generate_until requests") as bar:
            for members in kinds_of_requests.values():
                settings = GenerationSettings.of(self.model, requests[members[0]].args[1])
                prompts = [self._prompt(requests[i].args[0], settings.max_tokens) for i in members]
                for part, texts in self._generated(prompts, settings):
                    for at, text in zip(part, texts, strict=True):
                        answers[members[at]] = text
                        self.cache_hook.add_partial("generate_until", requests[members[at]].args, text)
                    bar.update(len(part))
        return answers

    # --- how they are computed

    def _loglikelihood_tokens(
        self, requests: Sequence[tuple[Any, Sequence[int], Sequence[int]]], disable_tqdm: bool = False, **kwargs: Any
    ) -> list[tuple[float, bool]]:
        """requests: (what to note in the cache, context, continuation), the latter two as token ids."""
        pairs = [self._cut(tuple(context), tuple(continuation)) for _, context, continuation in requests]
        answers: list[tuple[float, bool]] = [(0.0, True)] * len(pairs)
        held = None  # what the next batch shares
        with tqdm(total=len(pairs), disable=disable_tqdm, desc="Running loglikelihood requests") as bar:
            for part in self._batches([context + continuation for context, continuation in pairs]):
                rows: dict[Ids, list[int]] = {}
                for i in part:
                    rows.setdefault(pairs[i][0], []).append(i)
                state = self.model.state([list(context) for context in rows])
                texts = [[pairs[i][1] for i in members] for members in rows.values()]
                # a text of the whole context's length, and one token more, is still one window
                scored = score(state, texts, windows=self.max_length, seam="keep", detail=True)
                held = state[-1:, :, :]
                for b, members in enumerate(rows.values()):
                    for k, i in enumerate(members):
                        tokens = scored.tokens[b][0][k]
                        answers[i] = scored.scores[b, 0, k].item(), all(token.greedy for token in tokens)
                        if requests[i][0] is not None:
                            self.cache_hook.add_partial("loglikelihood", requests[i][0], answers[i])
                bar.update(len(part))
        del held
        return answers

    def _cut(self, context: Ids, continuation: Ids) -> tuple[Ids, Ids]:
        """Context and continuation, cut on the left to the model's context. The last token need not be read.

        A context of spaces alone, which are moved to the continuation, may have no token left: it is as an empty one.
        """
        context = context or (self._prefix,)
        if len(continuation) > self.max_length:
            raise ValueError(
                f"a continuation has {len(continuation)} tokens, and max_length is {self.max_length}: nothing is cut "
                "from continuations"
            )
        whole = (context + continuation)[-(self.max_length + 1) :]
        return whole[: len(whole) - len(continuation)], continuation

    def _prompt(self, context: str, max_tokens: int) -> Ids:
        """A context's tokens, cut on the left so that the answer has room."""
        room = self.max_length - max_tokens
        if room < 1:
            raise ValueError(f"max_gen_toks={max_tokens} leaves no room for a prompt: max_length is {self.max_length}")
        return tuple(self.tok_encode(context)[-room:]) or (self._prefix,)

    def _generated(self, prompts: list[Ids], settings: GenerationSettings) -> Iterator[tuple[list[int], list[str]]]:
        """Batch by batch, which prompts it has and what was generated after them."""
        step = continuous(kinds.text(self.model, settings.sampler))
        held = None  # what the next batch shares
        for part in self._batches(prompts, settings.max_tokens):
            state = self.model.state([list(prompts[i]) for i in part])
            ended = step(state, max_tokens=settings.max_tokens, stop_at=list(settings.until) or None)
            held = state[-1:, :, :]
            yield (
                part,
                [
                    self._text(rows[0].ids[len(prompts[i]) :], settings)
                    for i, rows in zip(part, ended.rows, strict=True)
                ],
            )
        del held

    def _text(self, ids: Ids, settings: GenerationSettings) -> str:
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        return postprocess_generated_text(text, list(settings.until), self.think_end_token)

    def _batches(self, sequences: Sequence[Ids], more: int = 0) -> Iterator[list[int]]:
        """Places of sequences, in batches. Those that begin alike follow each other.

        more: how many tokens each may grow by.
        """
        part: list[int] = []
        tokens = 0
        for i in sorted(range(len(sequences)), key=sequences.__getitem__):
            new = len(sequences[i]) + more - (common_length(sequences[part[-1]], sequences[i]) if part else 0)
            if part and (len(part) == self.batch_size or tokens + new > self._most_tokens):
                yield part
                part, tokens, new = [], 0, len(sequences[i]) + more
            part.append(i)
            tokens += new
        if part:
            yield part


def run_command_line() -> None:
    """The command `lm_eval`, with the arguments of this process, where `--model outlines_cont` is known by now."""
    _given("__main__", "cli_evaluate")()


def _encoded(tokenizer: Any, text: str, special: bool | None) -> tuple[int, ...]:
    """The tokens of a text. special: whether the tokenizer adds its special tokens; None: as it is set."""
    return tuple(tokenizer.encode(text, **({} if special is None else {"add_special_tokens": special})))


def _model(pretrained: Any, tokenizer: Any, device: str | None, options: dict[str, Any]) -> Model:
    if pretrained is None or isinstance(pretrained, str):
        if tokenizer is not None:
            raise TypeError(f"LM(tokenizer={shown(tokenizer)}): a model that is loaded brings its own")
        if device not in (None, "cpu") and (not str(device).startswith("cuda") or torch.cuda.is_available()):
            options = {"device_map": device, **options}
        return load(pretrained, **options)
    if options:
        raise TypeError(f"LM({next(iter(options))}=…): it is for models that are loaded, and this one is there already")
    if device is not None:
        raise TypeError(
            f"LM(device={shown(device)}): it is for models that are loaded, and this one is on {pretrained.device} "
            "already. Move it before: hf_model.to(device), and then oc.Model(hf_model, tokenizer)"
        )
    if isinstance(pretrained, Model):
        if tokenizer is not None:
            raise TypeError("LM(tokenizer=…): an oc.Model has its own")
        return pretrained
    if tokenizer is None:
        raise TypeError(f"LM(pretrained={type(pretrained).__name__}) needs tokenizer=, too; or pass an oc.Model")
    return Model(pretrained, tokenizer)


def _batch_size(batch_size: Any, most: Any) -> tuple[int | None, int]:
    """The most requests of a batch, and the most tokens."""
    right = "an int ≥ 1, or 'auto'"
    if isinstance(batch_size, str) and batch_size.split(":")[0] == "auto":
        if most is not None and (whole_number(most, "max_batch_size", "an int ≥ 1")) < 1:
            raise ValueError(f"max_batch_size={most}: it must be an int ≥ 1")
        return most, BATCH_TOKENS
    number: Any = int(batch_size) if isinstance(batch_size, str) and batch_size.isdigit() else batch_size
    if not is_whole(number) or number < 1:
        raise ValueError(f"batch_size={shown(batch_size)}: it must be {right}")
    return int(number), 1 << 62


def _max_length(max_length: Any, context_length: int | None) -> int:
    if max_length is None:
        if context_length is None:
            raise ValueError("LM() needs max_length=: the model does not say how long its context is")
        return context_length
    max_length = whole_number(max_length, "max_length", "an int ≥ 2")
    if max_length < 2 or (context_length is not None and max_length > context_length):
        raise ValueError(f"max_length={max_length}: it is from 2 to the model's context length, {context_length}")
    return max_length


def _prefix(model: Model, given: Any) -> int:
    if given is None:
        bos, eos = model.tokenizer.bos_token_id, model.tokenizer.eos_token_id
        given = eos if bos is None else bos
        if given is None:
            raise ValueError("LM() needs prefix_token_id=: the tokenizer has neither bos nor eos")
    given = whole_number(given, "prefix_token_id", "a token id")
    if not 0 <= given < len(model.vocabulary):
        raise ValueError(f"prefix_token_id={given}: the vocabulary has {len(model.vocabulary)} tokens")
    return given
