"""transformers 5: docs/coming_from/transformers.md. (It bans one way to spell a word only.)"""

from __future__ import annotations

from threading import Thread
from typing import Any

from common import AGE, JOB, JOBS, MESSAGES, Program, each, greedy, hf, is_job, line, model, near
from transformers import TextIteratorStreamer

import outlines_cont as oc

UNLIKE = "Tom is a sailor from Rome. Tom is 52 years old.\nQ: What is Tom's job?\nA:"


def generated(prompt: str, most: int = 12, **options: Any) -> list[str]:
    net, tokenizer = hf()
    inputs = tokenizer(prompt, return_tensors="pt")
    made = net.generate(**inputs, max_new_tokens=most, pad_token_id=0, tokenizer=tokenizer, **options)
    return tokenizer.batch_decode(made[:, inputs.input_ids.shape[1] :], skip_special_tokens=True)


def written(prompt: str, sampler: Any, most: int = 12, **options: Any) -> list[str]:
    state = oc.generate.text(model(), sampler).run(prompt, max_tokens=most, **options)
    return [text[len(prompt) :] for text in state.text()[0]]


def scored() -> float:
    net, tokenizer = hf()
    inputs = tokenizer(JOB, return_tensors="pt")
    options = {"max_new_tokens": 2, "do_sample": False, "output_logits": True, "return_dict_in_generate": True}
    made = net.generate(**inputs, **options, pad_token_id=0)
    return net.compute_transition_scores(made.sequences, made.logits, normalize_logits=True).sum().item()


def score_of_ours() -> float:
    return oc.generate.text(model(), oc.samplers.greedy()).run(JOB, max_tokens=2).logprobs.sum().item()


def chat() -> str:
    net, tokenizer = hf()
    inputs = tokenizer.apply_chat_template(
        MESSAGES, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    made = net.generate(**inputs, max_new_tokens=8, do_sample=False, pad_token_id=0)
    return tokenizer.decode(made[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)


def streamed() -> list[str]:
    net, tokenizer = hf()
    streamer = TextIteratorStreamer(tokenizer, skip_prompt=True)
    inputs = tokenizer(JOB, return_tensors="pt")
    options = {"max_new_tokens": 8, "do_sample": False, "pad_token_id": 0}
    thread = Thread(target=net.generate, kwargs={**inputs, **options, "streamer": streamer})
    thread.start()
    parts = list(streamer)
    thread.join()
    return parts


def streamed_by_ours() -> list[str]:
    step = oc.continuous(oc.generate.text(model(), oc.samplers.greedy()))
    return [partial.delta for partial in step.stream(JOB, max_tokens=8)]


def one_job() -> str:
    """A choice, by the function that transformers asks for the tokens that may come."""
    net, tokenizer = hf()
    inputs = tokenizer(JOB + " ", return_tensors="pt")
    begin = inputs.input_ids.shape[1]
    options = [tokenizer(job, add_special_tokens=False).input_ids + [tokenizer.eos_token_id] for job in JOBS]

    def allowed(_: int, ids: Any) -> list[int]:
        written = ids[begin:].tolist()
        return [option[len(written)] for option in options if option[: len(written)] == written]

    made = net.generate(**inputs, max_new_tokens=8, do_sample=False, pad_token_id=0, prefix_allowed_tokens_fn=allowed)
    return tokenizer.decode(made[0, begin:], skip_special_tokens=True)


def guided() -> str:
    negative = hf()[1](UNLIKE, return_tensors="pt").input_ids
    return generated(JOB, do_sample=False, most=4, guidance_scale=1.5, negative_prompt_ids=negative)[0]


def guided_by_ours() -> str:
    return written(JOB, oc.samplers.greedy(), most=4, beside=oc.Mix([(UNLIKE, -0.5)], own=1.5))[0]


def programs() -> list[Program]:
    plain = generated(AGE, do_sample=False)
    drawn = oc.samplers.multinomial(4, temperature=0.7, top_k=5)
    bans = hf()[1]([" painter"], add_special_tokens=False).input_ids
    return [
        Program(
            "greedy",
            lambda: generated(AGE, do_sample=False),
            lambda: written(AGE, oc.samplers.greedy()),
            lambda texts: texts == plain,
        ),
        Program(
            "sampling, top-k",
            lambda: generated(JOB, do_sample=True, temperature=0.7, top_k=5, num_return_sequences=4),
            lambda: written(JOB, drawn, seed=0),
            each(lambda text: isinstance(text, str), 4),
        ),
        Program(
            "beams",
            lambda: generated(JOB, num_beams=3, num_return_sequences=3, do_sample=False),
            lambda: written(JOB, oc.samplers.beam_search(3)),
            lambda texts: len({*texts}) == 3,
        ),
        Program(
            "a stop string",
            lambda: generated(JOB, do_sample=False, stop_strings=["\n"]),
            lambda: written(JOB, oc.samplers.greedy(), stop_at="\n"),
            lambda texts: "\n" not in texts[0].rstrip("\n"),
        ),
        Program(
            "banned words",
            lambda: generated(JOB, do_sample=False, bad_words_ids=bans),
            lambda: written(JOB, oc.samplers.greedy(filters=[oc.filters.bad_words(["painter"])])),
            lambda texts: "painter" not in texts[0],
        ),
        Program("scores", scored, score_of_ours, near(scored)),
        Program("a conversation", chat, lambda: line(model().chat(MESSAGES), most=8), lambda text: text == "34"),
        Program(
            "prompt lookup",
            lambda: generated(AGE, do_sample=False, prompt_lookup_num_tokens=4),
            lambda: written(AGE, oc.samplers.greedy(), draft=oc.drafts.lookup()),
            lambda texts: texts == plain,
        ),
        Program(
            "a stream",
            streamed,
            streamed_by_ours,
            lambda parts: len(parts) > 2 and "".join(parts) == generated(JOB, most=8, do_sample=False)[0],
        ),
        Program("a function that allows tokens", one_job, lambda: greedy(JOBS, JOB + " "), is_job),
        Program("guidance by a negative prompt", guided, guided_by_ours, lambda text: text == guided()),
    ]
