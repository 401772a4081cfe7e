"""`Model`: a transformers model as users hold it, from prompts to states; and `load`, which makes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal, cast

import torch

from outlines_cont import tiny
from outlines_cont.engines.transformers_model import TransformersModel
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState, prompt_state

# What a model and its tokenizer are both loaded with.
SHARED_OPTIONS = frozenset(
    (
        "revision",
        "token",
        "trust_remote_code",
        "subfolder",
        "cache_dir",
        "local_files_only",
        "force_download",
        "proxies",
    )
)


class Model(TransformersModel):
    """A decoder-only transformers model and its tokenizer.

    `model.hf`, `model.tokenizer` and `model.vocabulary` are what it wraps; `model.stats` counts what it computed. One
    model may be used from many threads: its forwards run one at a time.

    >>> oc.Model(model.hf, model.tokenizer, kv_budget=None).vocabulary
    Vocabulary(1536 tokens, eos=(1,), 4 special)
    """

    def state(self, prompts: Prompts, special: bool = False) -> SequenceState:
        """Prompts → a state `(B, 1, T)` in which nothing is generated yet.

        `prompts`: a str, a list of them, token ids, a list of those, or an int tensor `[T]` or `[B, T]`. A str is
        encoded as the tokenizer encodes a prompt, its bos included; special tokens spelled in it are plain text
        unless `special=True`. Token ids are taken as they are.

        >>> model.state(["The sky is", "Mira"]).shape, model.state([0, 921, 263]).tolist()
        ((2, 1, 6), [['Mira is']])
        >>> model.state("<|end|>").shape, model.state("<|end|>", special=True).shape
        ((1, 1, 6), (1, 1, 2))
        """
        return prompt_state(self, prompts, special)

    def chat(self, messages: Sequence[dict[str, str]] | Sequence[Sequence[dict[str, str]]]) -> SequenceState:
        """A conversation, or a list of them → a state, through the tokenizer's chat template, ready for the answer.

        The special tokens are those of the template; what the messages contain is plain text.

        >>> question = model.chat([{"role": "user", "content": "What is the capital of France?"}])
        >>> question.text(special=True)
        [['<|begin|><|user|>What is the capital of France?<|end|><|assistant|>']]
        >>> oc.generate.text(model, oc.samplers.greedy())(question)
        'Paris'
        """
        if not isinstance(messages, (list, tuple)) or not messages:
            raise ValueError(f"chat() takes a list [{{'role': 'user', 'content': …}}, …], not {messages!r}")
        chats: Any = [messages] if isinstance(messages[0], dict) else messages
        for message in (message for chat in chats for message in chat):
            if not isinstance(message, dict) or not {"role", "content"} <= message.keys() or message["content"] is None:
                raise ValueError(f"a message of chat() is {{'role': …, 'content': …}}, not {message!r}")
        return self.state([self.encoder.chat(cast(Any, chat)) for chat in chats])

    def rescore(self, state: SequenceState) -> SequenceState:
        """The log-probabilities that this model gives to the tokens of a state; see `SequenceState.rescore`.

        A state of another model is taken over first (`state.to(model)`).

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> model.rescore(state).weights.round(decimals=2).tolist()
        [[-1.05]]
        """
        return (state if state.model is self else state.to(self)).rescore()


def load(
    name_or_path: str | Path | None = None, kv_budget: int | Literal["auto"] | None = "auto", **kwargs: Any
) -> Model:
    """The model that ships with the package, or one from a folder or a hub id.

    `kv_budget`: see `Model.kv_budget`. `kwargs` (dtype, device_map, revision …) go to transformers' `from_pretrained`.

    >>> oc.load(dtype="bfloat16").hf.dtype
    torch.bfloat16
    >>> oc.load("./nowhere")
    Traceback (most recent call last):
        ...
    FileNotFoundError: load('./nowhere'): there is no such folder
    """
    if not isinstance(name_or_path, (str, Path, type(None))):
        kind = type(name_or_path).__name__
        raise TypeError(
            f"load() takes a folder or a hub id, not {kind}; for objects you hold, Model(hf_model, hf_tokenizer)"
        )
    source = tiny.PATH if name_or_path is None else name_or_path
    if not str(source) or (str(source)[0] in "./~" and not Path(source).is_dir()):
        raise FileNotFoundError(f"load({str(name_or_path)!r}): there is no such folder")
    from transformers import AutoModelForCausalLM, AutoTokenizer  # their code takes seconds to import

    kwargs.setdefault("dtype", torch.float32 if name_or_path is None else "auto")
    with _quiet() if name_or_path is None else nullcontext():
        hf = AutoModelForCausalLM.from_pretrained(source, **kwargs)
    passed_on = {k: v for k, v in kwargs.items() if k in SHARED_OPTIONS}
    return Model(hf.eval(), AutoTokenizer.from_pretrained(source, **passed_on), kv_budget)


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bar for what takes a tenth of a second."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
