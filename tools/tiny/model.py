"""The tiny model's tokenizer and architecture."""

from collections.abc import Iterable
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from .corpus import ASSISTANT, BOS, EOS, USER

# A lower-case word takes the space before it along, a capitalised one does not: so an invented name is the same
# tokens in a story, after a bracket and inside JSON, which makes it easy to copy.
WORDS = r"'s|[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}]*| ?[\p{Ll}\p{Lm}\p{M}][\p{L}\p{M}]*|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+|\s+"
CONTEXT = 2048
# A system message, and the tools, stand before the first turn, as a text without a marker. The model was not trained on
# tools: their JSON is a text like any other.
CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% for tool in tools or [] %}{{ tool | tojson }}{{ '\\n' }}{% endfor %}"
    "{% for message in messages %}"
    "{% if message['role'] == 'system' %}"
    "{% if not loop.first %}{{ raise_exception('a system message comes first') }}{% endif %}"
    "{{ message['content'] }}{{ '\\n' }}"
    "{% else %}"
    "{{ '<|assistant|>' if message['role'] == 'assistant' else '<|user|>' }}{{ message['content'] or '' }}"
    "{% if message['tool_calls'] %}{{ message['tool_calls'] | tojson }}{% endif %}{{ eos_token }}"
    "{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def train_tokenizer(texts: Iterable[str], vocab_size: int) -> PreTrainedTokenizerFast:
    """Byte-level BPE: any text comes back exactly, digits stand alone, and `<|begin|>` is put in front."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    marks = [AddedToken(mark, special=True, normalized=False) for mark in (BOS, EOS, USER, ASSISTANT)]
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=marks,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A",
        pair=f"{BOS} $A {BOS}:1 $B:1",
        special_tokens=[(BOS, tokenizer.token_to_id(BOS))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=BOS,
        eos_token=EOS,
        pad_token=EOS,
        extra_special_tokens=[USER, ASSISTANT],
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
        chat_template=CHAT_TEMPLATE,
    )


def new_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """An untrained Llama of 1.9 million parameters with grouped-query attention and tied embeddings."""
    marks: Any = tokenizer.convert_tokens_to_ids([BOS, EOS])
    bos, eos = marks
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=192,
        intermediate_size=512,
        num_hidden_layers=4,
        num_attention_heads=6,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        initializer_range=0.04,
        bos_token_id=bos,
        eos_token_id=eos,
        pad_token_id=eos,
    )
    return LlamaForCausalLM(config)
