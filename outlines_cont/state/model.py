"""`Model`: an engine as users hold it, from prompts to states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload
from weakref import WeakValueDictionary

import torch
from torch import Tensor

from outlines_cont.arguments import flag
from outlines_cont.engines.door import language_model_of, refuse_half_made
from outlines_cont.engines.protocol import Engine, KeptRow, LanguageModel, R, missing_members, read
from outlines_cont.engines.slot_model import SlotModel
from outlines_cont.engines.stats import CountsOf, Stats
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.engines.text_side import TextSide, TextSource
from outlines_cont.errors import warn
from outlines_cont.explained import explained
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.hints import MEMBERS, MODEL_MEMBERS, WITHOUT_HF, hint
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.processes import ProcessBound
from outlines_cont.state.grid import of_another
from outlines_cont.state.next_law import NextLaw
from outlines_cont.state.prompts import Keys, Prompts, checked_keys, lineages, listed, prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from outlines_cont.engines.hf.backends import Backend
    from outlines_cont.schemas.tools import Tools
    from outlines_cont.store import KVStore

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

#: What a call of a model does, and `next`: `outlines_cont.generate`, a floor above, puts it here when it is imported.
generations: dict[str, Callable[..., Any]] = {}


def _generation(name: str) -> Callable[..., Any]:
    if name not in generations:
        raise TypeError("a model is called with what outlines_cont.generate makes: import outlines_cont.generate")
    return generations[name]


def _explained(member: F) -> F:
    """A member that is the language model's, with what `SlotModel` says of it."""
    member.__doc__ = getattr(SlotModel, member.__name__).__doc__
    return member


class Model(ProcessBound):
    """An engine, which computes logits, with a tokenizer: it makes states from prompts and chats.

    `Model(hf, tokenizer, kv_budget="auto")` wraps a decoder-only transformers model and its tokenizer. Many threads may
    use one model: its forwards run one at a time. `Model(engine, tokenizer, kv_budget="auto")` wraps any other
    `oc.stepping.Engine`, and `Model(language_model)` an `oc.stepping.LanguageModel`, which has its own cache and
    tokenizer (docs/engines.md).

    A warning names settings of a transformers model's generation config that only transformers' `generate()` applies
    (temperature, penalties …). If the model's eos or its number of tokens changes later, the next call raises a
    ValueError that asks to wrap it anew.

    `Model(tokenizer, context_length=…)` has no parameters, and does everything except computing logits. Use it if the
    logits, or the tokens drawn from them, come from elsewhere (`Frontier.step`, `Frontier.accept`).

    Args:
        engine: a transformers model, an `oc.stepping.Engine` or an `oc.stepping.LanguageModel`; without one, give
            `tokenizer` alone.
        tokenizer: a transformers tokenizer. Without a transformers model it may also be a bare `tokenizers.Tokenizer`
            or a `Vocabulary` (`outlines_cont.fsm.vocabulary`). A vocabulary does not know how its tokenizer cuts a
            text: texts are then written with the longest tokens, from left to right, and prompts get no bos.
        kv_budget: the most bytes that keys and values may take; see `Model.kv_budget`.
        batch_invariant: for a transformers model: a row's logits depend on its tokens alone, bit for bit, and not on
            how they were read and on what was read beside them. It is slower (docs/engines.md).
        store: an `oc.store.KVStore`: keys and values of prefixes that any process has read (docs/store.md).
        context_length: without an engine, the most tokens that a row may have; None for no bound. Then calls must give
            `max_tokens`.
        vocab_size: without an engine, the number of logits, if it differs from the number of the tokenizer's tokens.
        eos: without an engine, ids that end a text besides the tokenizer's own eos: those of the generation config.

    Attributes:
        engine: the engine that computes the logits: as it was given, or the `TransformersEngine` of a transformers
            model.
        tokenizer: as it was given; None for a bare `Vocabulary`.
        vocabulary: the bytes of every token.
        encoder: text ↔ token ids.
        context_length: the most tokens that a row may have; None if that is not known.
        stats: counts of the work; None for numbers that a language model with its own cache does not count.
        loaded_from: the arguments of `load`, the first one and the others by name; None if `Model` was given objects.
            Workers of `oc.map` load their models with it.
        language_model: the engine behind the protocol `LanguageModel`: with its KV tree, if it has slots.
        tree: the KV tree; only for an engine with slots.
        hf, tier: the transformers model, and its backend: how its keys and values are kept. Only for a transformers
            model.

    Raises:
        TypeError: an object of another kind; the error lists the members that it lacks. Or an argument that is for
            another kind of model.
        ValueError: a number out of its range, or a model that cannot be computed exactly; the error gives the reason.

    >>> oc.Model(model.hf, model.tokenizer, kv_budget=None).vocabulary
    Vocabulary(1536 tokens, eos=(1,), 4 special)
    >>> oc.Model(model.tokenizer, context_length=2048)
    Model(no parameters, 1536 tokens)
    """

    _instead = "load it in each process, or make another one: oc.Model(copy.deepcopy(model.hf), model.tokenizer)"

    hf: PreTrainedModel
    tier: Backend
    tree: Tree

    @overload
    def __init__(
        self,
        engine: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        kv_budget: int | Literal["auto"] | None = "auto",
        *,
        batch_invariant: bool = False,
        store: KVStore | None = None,
    ): ...

    @overload
    def __init__(
        self,
        engine: Engine,
        tokenizer: TextSource,
        kv_budget: int | Literal["auto"] | None = "auto",
        *,
        store: KVStore | None = None,
    ): ...

    @overload
    def __init__(self, engine: LanguageModel, /): ...

    @overload
    def __init__(
        self,
        tokenizer: TextSource,
        /,
        *,
        context_length: int | None = None,
        vocab_size: int | None = None,
        eos: Collection[int] = (),
    ): ...

    def __init__(
        self,
        engine: Any = None,
        tokenizer: Any = None,
        kv_budget: Any = "auto",
        *,
        batch_invariant: bool = False,
        store: KVStore | None = None,
        context_length: int | None = None,
        vocab_size: int | None = None,
        eos: Collection[int] = (),
    ):
        if isinstance(engine, Model):
            raise TypeError(f"{engine!r} is a Model already")
        if (engine is None or tokenizer is None) and missing_members(engine) and missing_members(engine, Engine):
            if kv_budget != "auto":
                raise TypeError(f"kv_budget={kv_budget!r}: a Model of a tokenizer alone keeps no keys and values")
            if batch_invariant:
                raise TypeError("batch_invariant=True: a Model of a tokenizer alone computes no logits")
            if store is not None:
                raise TypeError(f"store={store!r}: a Model of a tokenizer alone keeps no keys and values")
            source: Any = tokenizer if engine is None else engine
            refuse_half_made(source)
            inner: Any = TextSide(source, context_length, vocab_size, eos)
        else:
            if isinstance(tokenizer, int):
                raise TypeError(
                    f"Model(tokenizer, {tokenizer}): its length is given by name, context_length={tokenizer}"
                )
            if (context_length, vocab_size, eos) != (None, None, ()):
                raise TypeError(
                    "Model(engine, tokenizer) takes no context_length, vocab_size or eos: the engine says them"
                )
            inner = language_model_of(engine, tokenizer, kv_budget, flag(batch_invariant, "batch_invariant"), store)
        self.language_model: Any = inner
        self.engine: Any = getattr(inner, "engine", inner)
        self.tokenizer: Any = getattr(inner, "tokenizer", None)
        self.vocabulary: Vocabulary = inner.vocabulary
        self.encoder: Encoder = inner.encoder
        self.context_length: int | None = inner.context_length
        self.stats: Any = inner.stats if isinstance(inner.stats, Stats) else CountsOf(inner)
        self.loaded_from: tuple[Any, dict[str, Any]] | None = None
        self._adapted: WeakValueDictionary[tuple[str, ...], Model] = WeakValueDictionary()
        if changes := self.encoder.changes:
            examples = ", ".join(f"{each.part} ({each.text!r} → {each.changed!r})" for each in changes)
            warn(
                f"the tokenizer changes texts before it cuts them: {examples}. States show the text of their tokens, "
                "not the text that was given; see docs/models.md, Tokenizers that change texts"
            )

    # --- what the engine does

    @_explained
    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
        inner = self.language_model
        return inner.read(needs) if isinstance(inner, SlotModel) else read(inner, needs)  # (its passes are checked)

    @_explained
    def claimed(self, row: R) -> R:
        return self.language_model.claimed(row)

    @_explained
    def kv_lengths(self, rows: Iterable[KeptRow]) -> list[int]:
        return self.language_model.kv_lengths(rows)

    @property
    @_explained
    def device(self) -> torch.device:
        return self.language_model.device

    @property
    @_explained
    def dtype(self) -> torch.dtype:
        return self.language_model.dtype

    @property
    @_explained
    def identity(self) -> str:
        return self.language_model.identity

    @_explained
    def fresh(self) -> AbstractContextManager[None]:
        return self._with_slots("fresh").fresh()

    @property
    @_explained
    def kv_budget(self) -> int | None:
        return self._with_slots("kv_budget").kv_budget

    @kv_budget.setter
    def kv_budget(self, budget: int | None) -> None:
        self._with_slots("kv_budget").kv_budget = budget

    def with_adapter(self, adapter: str | Sequence[str] | None) -> Model:
        """The model under an adapter of peft, or several at once, whatever `model.hf` is set to; None: without any.

        It is a model beside this one: both can be used at once, also by several threads. They share the parameters and
        the memory for keys and values, `kv_budget`; each has its own counts (`stats`), and `kv_bytes` is that of both.
        States go from one to the other by `state.to(other)`. While one is held, asking again gives the same one.

        adapter: the name, or a list of names, as `model.hf` has them. ValueError, with the names that there are, for
        one that it does not have; for adapters that are merged into the weights; for models of other engines.

        >>> import copy, peft
        >>> hf = copy.deepcopy(model.hf)
        >>> lora = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
        >>> hf.add_adapter(lora, "tone")
        >>> tone, plain = (oc.Model(hf, model.tokenizer).with_adapter(name) for name in ("tone", None))
        >>> state = oc.continuous(oc.generate.text(plain, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> str(state), state.to(tone).weights.isnan().tolist()
        ('The sky is blue.', [[True]])
        """
        from outlines_cont.adapters import model_under

        return model_under(self, adapter)

    def _with_slots(self, name: str) -> Any:
        """The language model, which has a member of this name. AttributeError if it keeps no KV tree here."""
        if not hasattr(self.language_model, name):
            raise AttributeError(self._without_slots(name))
        return self.language_model

    def _without_slots(self, name: str) -> str:
        return f"{self!r} keeps no keys and values here, and has no {name}"

    if not TYPE_CHECKING:  # so that a type checker finds misspelled members

        def __getattr__(self, name: str) -> Any:
            """What only this language model has (`tree`, `keeps`), or its engine (`hf`, `tier`)."""
            if name == "kv_budget":  # its property found none
                raise AttributeError(self._without_slots(name))
            parts = [self.__dict__[part] for part in ("language_model", "engine") if part in self.__dict__]
            if parts and hasattr(parts[0], name):
                return getattr(parts[0], name)
            try:
                return getattr(parts[-1], name)
            except (AttributeError, IndexError) as error:
                reason = str(error) if parts else f"'Model' object has no attribute {name!r}"
                advice = MEMBERS | MODEL_MEMBERS
                if not (parts and hasattr(parts[-1], "hf")):
                    advice |= WITHOUT_HF
                raise AttributeError(f"{reason}{hint(advice, name)}") from None

    def __repr__(self) -> str:
        inner = self.language_model
        if type(inner).__repr__ is not object.__repr__:
            return repr(inner)
        return f"Model({type(inner).__name__}, {len(self.vocabulary)} tokens, {self.device}, a cache of its own)"

    # --- what users do with it

    def logits(self, needs: Sequence[Need]) -> Tensor:
        """The logits `[Σ len(wanted), V]` that the needs ask for, in their order. TypeError if the model has no
        parameters.

        >>> f = oc.generate.text(model).begin(["The sky is", "Mira is a"])
        >>> model.logits(f.pending).shape
        torch.Size([2, 1536])
        """
        return self.read(needs)[0].clone()

    def state(
        self, prompts: Prompts | SequenceState, special: bool = False, *, keys: Keys | None = None
    ) -> SequenceState:
        """Prompts → a state `(B, 1, T)` in which nothing is generated yet.

        `prompts`: a str, a list of them, token ids, a list of those, or an int tensor `[T]` or `[B, T]`. A str is
        encoded as the tokenizer encodes a prompt, its bos included; special tokens spelled in it are plain text
        unless `special=True`. Token ids are taken as they are. A state of this model is given back.

        keys: the random keys, an int or a str for each prompt; by default its index. See `CallOptions`. Of a state, one
        for each batch row: its rows then draw as rows of prompts with these keys would, several samples as those of
        `fork`. So a part of a batch draws as in the whole batch if its rows have the keys that they have there.
        BatchMismatch if there is not one key for each prompt.

        >>> model.state(["The sky is", "Mira"]).shape, model.state([0, 921, 263]).tolist()
        ((2, 1, 6), [['Mira is']])
        >>> model.state("<|end|>").shape, model.state("<|end|>", special=True).shape
        ((1, 1, 6), (1, 1, 2))
        >>> text, prompts = oc.continuous(oc.generate.text(model)), ["The sky is", "Mira is", "Tom is"]
        >>> alone = model.state(model.state(prompts[2]), keys=2)
        >>> text(alone, max_tokens=4, seed=0) == text(prompts, max_tokens=4, seed=0)[2, :]
        True
        """
        if not isinstance(prompts, SequenceState):
            return prompt_state(self, prompts, flag(special, "special"), keys)
        if flag(special, "special"):
            raise TypeError("state(…, special=True): special tokens are parsed in a str, and a state has its tokens")
        return keyed_state(self, prompts, keys)

    @explained
    def chat(
        self,
        messages: Sequence[dict[str, Any]] | Sequence[Sequence[dict[str, Any]]],
        tools: Tools | Sequence[dict[str, Any]] | None = None,
        *,
        keys: Keys | None = None,
        **options: Any,
    ) -> SequenceState:
        """A conversation, or a list of them → a state, by the tokenizer's chat template, up to the place where the
        answer begins.

        The special tokens are those of the template; the content of messages is plain text. `state.turn(role, content)`
        appends the next turn.

        Args:
            messages: dicts with `role` and `content`, and what else the template reads (`tool_calls`, `name` …).
            tools: functions that the model may call, `oc.types.tools([f, g])`, or declarations in the form that the
                template expects.
            keys: see `state`.
            options: those of the template, as `enable_thinking=False`; `turn` keeps them.

        Raises:
            TypeError: the template has no such option.
            ValueError: it has no place for the tools, writes nothing of a message, or refuses the messages.

        >>> question = model.chat([{"role": "user", "content": "What is the capital of France?"}])
        >>> question.text(special=True)
        [['<|begin|><|user|>What is the capital of France?<|end|><|assistant|>']]
        >>> oc.generate.text(model, oc.samplers.greedy())(question)
        'Paris'
        """
        from outlines_cont.conversation import Conversation, checked_chats

        chats = [Conversation.of(chat, tools, options) for chat in checked_chats(messages)]
        return row_state(self, [chat.row(self.encoder) for chat in chats], keys)

    @overload
    def __call__(
        self,
        prompts: str,
        output_type: None = None,
        sampler: None = None,
        max_tokens: int | None = None,
        **options: Any,
    ) -> str: ...

    @overload
    def __call__(
        self, prompts: str, output_type: type[T], sampler: None = None, max_tokens: int | None = None, **options: Any
    ) -> T: ...

    @overload
    def __call__(
        self, prompts: Any, output_type: Any = None, sampler: Any = None, max_tokens: int | None = None, **options: Any
    ) -> Any: ...

    def __call__(
        self,
        prompts: Prompts | SequenceState,
        output_type: Any = None,
        sampler: Any = None,
        max_tokens: int | None = None,
        **options: Any,
    ) -> Any:
        """Generate after each prompt: `oc.Generator(model, output_type, sampler)(prompts, max_tokens, …)`.

        Without an output type it writes text, without a sampler it draws. Make a generator of what you call more than
        once: it is read and compiled then.

        prompts, max_tokens, options: as a generator is called; output_type, sampler, where: see `oc.Generator`.

        >>> greedy = oc.samplers.greedy()
        >>> model("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ", int, greedy)
        34
        >>> model("The sky is", None, greedy, max_tokens=2)
        ' blue.'
        """
        return _generation("call")(self, prompts, output_type, sampler, max_tokens, **options)

    def next(self, prompts: Prompts | SequenceState, generator: Any) -> NextLaw:
        """The law of the next token of every row under a generator, or a step: an `oc.scores.NextLaw`. Nothing is
        drawn.

        Where a row ends in a span of the generator's own, it is the law at that place, as `resume` goes on; a span with
        its stop has none. Text that was put after a constrained value that was cut belongs to the value. Every other
        row begins a new span. One pass reads the rows, and the state keeps what was computed. Hooks are not asked.

        generator: any but a choice by sequence, a generator with a predicate (`where=`), or a chain.

        Raises:
            TypeError: there is no law of a single token: see above. Or the generator is none.
            ValueError: the generator is another model's, or a row cannot be read.
            ConstraintError: text after a cut does not fit the value.

        >>> year = oc.generate.regex(model, "(19|20)[0-9]{2}", oc.samplers.greedy())
        >>> story = model.state("Mira came to town in 1987.\\nQ: Since which year has Mira been there?\\nA: ")
        >>> [candidate.bytes for candidate in model.next(story, year).top()[0][0]]
        [b'1', b'2']
        >>> [candidate.bytes for candidate in model.next(year.run(story)[..., :-2], year).top(3)[0][0]]
        [b'8', b'7', b'6']
        """
        return _generation("next")(self, prompts, generator)

    def rescore(self, state: SequenceState) -> SequenceState:
        """The log-probabilities that this model gives to the tokens of a state; see `SequenceState.rescore`.

        A state of another model is first moved to this one (`state.to(model)`).

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> model.rescore(state).weights.round(decimals=2).tolist()
        [[-1.05]]
        """
        if not isinstance(state, SequenceState):
            raise TypeError(f"rescore() takes a SequenceState, not {type(state).__name__}")
        return (state if state.model is self else state.to(self)).rescore()


# --- states in which nothing is generated yet: prompts, and rows that were made of them, each with its random key


def prompt_state(
    model: LanguageModel, prompts: Prompts, special: bool = False, keys: Keys | None = None
) -> SequenceState:
    """See `Model.state`."""
    return row_state(model, [prompt_row(model, prompt, special) for prompt in listed(prompts)], keys)


def keyed_state(model: LanguageModel, state: SequenceState, keys: Keys | None) -> SequenceState:
    """The state under other random keys, one for each batch row; without keys, as it is."""
    if state.model is not model:
        raise ValueError(f"model.state() of a state of {state.model!r}: {of_another(state, model)}")
    if keys is None:
        return state
    paths, many = lineages(checked_keys(keys), len(state.rows), "batch row"), state.shape[1] > 1
    rows = [
        [row if row.dead else row.keyed((*path, s) if many else path) for s, row in enumerate(group)]
        for path, group in zip(paths, state.rows, strict=True)
    ]
    return SequenceState(model, rows, state.shape[1])


def row_state(model: LanguageModel, rows: Sequence[Row], keys: Keys | None = None) -> SequenceState:
    """A state `(B, 1, T)` of these rows, each with the lineage of its key; without keys, of its place."""
    paths = lineages(None if keys is None else checked_keys(keys), len(rows))
    keyed = [[model.claimed(row.keyed(path))] for row, path in zip(rows, paths, strict=True)]
    return SequenceState(model, keyed, samples=1)
