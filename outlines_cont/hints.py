"""What people write out of habit, from other libraries, and what they write here.

Whatever refuses an unknown name asks here for the line to add. `explained` (explained.py) makes functions say it of
their arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

_DRAW = "draws are a sampler's: oc.samplers.multinomial({0}=…), given to the generator"
_FILTER = "it is a filter of a sampler: oc.samplers.multinomial(filters=[oc.filters.{0}(…)])"
_OF_CALLS = "max_tokens max_seconds stop_at seed keys hooks errors progress keep draft beside rows"
_RESULT = "it is a member of the state that generator.run(…) or a step returns: {0}"

#: Names of the package that stand in one of its modules.
_IN_MODULES = {
    "errors": "BatchMismatch ConstraintError ContextFull CorruptStateError DraftError EngineError HookLimit "
    "IncompleteError Interrupted InvalidValueError LibraryError ModelFileError RankError RowError SampleMismatch "
    "SlicingError TooUnlikely WorkerError",
    "grafts": "GraftDifference graft graft_error",
    "scores": "BoundedLaw Candidate Comparison Field FieldPosterior Fields LikelyToken NextLaw Scoring scoring",
    "search": "SearchNode SearchTree best_of load_tree mcts step_beam",
    "steer": "KEEP Backtrack Branch Draw Hooks Insert Replace Resample Stop Watch Writing",
    "stepping": "Engine Event Frontier LanguageModel Need events strict_kv",
    "storage": "from_bytes to_bytes unpickling",
    "store": "KVStore",
    "train": "Completion TreeLogprobs fork_at tree_logprobs",
    "types": "NOTHING Partial ToolCall partial quote thought tools triggered",
}

#: Arguments: those of transformers, Outlines, vLLM, OpenAI, llama.cpp, guidance.
ARGUMENTS = {
    **dict.fromkeys(("max_new_tokens", "max_length", "max_completion_tokens", "n_predict"), "write max_tokens=…"),
    **dict.fromkeys(
        ("num_return_sequences", "n", "best_of", "num_samples", "n_samples"),
        "how many samples is a sampler's: oc.samplers.multinomial(samples=…) or oc.samplers.smc(particles=…), given to "
        "the generator",
    ),
    **dict.fromkeys(
        ("num_beams", "beam_width", "use_beam_search", "beam_size"),
        "beams are a sampler: oc.samplers.beam_search(beams=…), given to the generator",
    ),
    "where": "it is given to what makes a generator, oc.generate.text(model, where=…), and goes with that into calls, "
    "steps and chains; a controller looks at row.text itself",
    "axis": "write dim: 0 batch, 1 sample, 2 token",
    "filters": "they are a sampler's: oc.samplers.multinomial(filters=[…]); beams rank by the model's own "
    "log-probabilities, and take only oc.filters.bad_words of strings",
    "length_penalty": "it is a beam search's: oc.samplers.beam_search(beams, length_penalty=…)",
    "do_sample": "sampling is a sampler: oc.samplers.multinomial() draws, oc.samplers.greedy() does not",
    **{name: _DRAW.format(name) for name in ("temperature", "top_k", "top_p", "min_p")},
    **{name: _FILTER.format(name) for name in ("repetition_penalty", "logit_bias", "typical_p", "suppress_tokens")},
    "repeat_penalty": _FILTER.format("repetition_penalty"),
    **{name: _FILTER.format(name) for name in ("presence_penalty", "frequency_penalty", "sequence_bias", "dry", "xtc")},
    **dict.fromkeys(("no_repeat_ngram_size", "no_repeat_ngram"), _FILTER.format("no_repeat_ngram")),
    **dict.fromkeys(("max_time", "timeout"), "write max_seconds=…"),
    **dict.fromkeys(("bad_words", "bad_words_ids", "banned_strings", "exclude"), _FILTER.format("bad_words")),
    **dict.fromkeys(("min_tokens", "min_new_tokens", "min_length"), _FILTER.format("min_tokens")),
    **dict.fromkeys(
        ("logits_processor", "logits_processors", "logits_warper"),
        "functions (row, logits) → logits are filters of a sampler: oc.samplers.multinomial(filters=[…])",
    ),
    **dict.fromkeys(
        (
            *("stop", "stop_strings", "stop_sequences", "stop_words", "stop_token_ids"),
            *("eos_token_id", "stopping_criteria", "stop_conditions"),
        ),
        "write stop_at=[…], strings or ids; for a condition, a hook that answers oc.steer.Stop()",
    ),
    **dict.fromkeys(("rng", "generator", "random_state", "random_seed"), "write seed=…, an int"),
    **dict.fromkeys(
        ("ids", "row_ids", "request_id", "request_ids", "indices", "seeds"),
        "write keys=[…], an int or a str for each prompt: with the seed it decides what the row draws",
    ),
    **dict.fromkeys(
        ("assistant_model", "draft_model", "prompt_lookup_num_tokens", "num_assistant_tokens", "speculative_config"),
        "write draft=…, of a call or of continuous(): what oc.drafts makes, or a function of a row",
    ),
    **dict.fromkeys(("backend", "backend_name", "guided_decoding_backend"), "there is one engine for constraints"),
    **dict.fromkeys(
        ("generation_config", "sampling_params", "sampling_parameters", "gen_settings"),
        "a sampler says how to draw: oc.samplers.from_config(model) reads a model's generation config",
    ),
    **dict.fromkeys(
        ("stream", "streamer", "callback"), "write `for partial in generator.stream(prompt): partial.delta`"
    ),
    **dict.fromkeys(("verbose", "use_tqdm", "show_progress"), "write progress=True"),
    **dict.fromkeys(("batch_size", "max_batch_size"), "a call computes all prompts at once; oc.map takes batch=…"),
    **dict.fromkeys(
        ("past_key_values", "use_cache", "cache", "cache_implementation"),
        "nothing has to be said: a state finds its keys and values in the model's KV tree",
    ),
    **dict.fromkeys(
        ("input_ids", "inputs", "prompt", "messages"),
        "the prompts come first, without a name: generator('…'), generator(model.state(ids)), "
        "generator(model.chat(messages))",
    ),
    **dict.fromkeys(("attention_mask", "pad_token_id", "padding"), "rows may differ in length: nothing is padded"),
    **dict.fromkeys(
        ("candidates", "top", "logprobs", "top_logprobs"),
        "write keep=oc.Keep(candidates=n), and read state.kept.candidates; state.logprobs is always there",
    ),
    "alternatives": "write keep=oc.Keep(alternatives=n), and read state.kept.alternatives",
    **dict.fromkeys(("retries", "horizon"), "write hooks=oc.steer.Hooks(f, g, {0}=…), with functions or none"),
    "own": "write beside=oc.Mix([(prompt or state, weight), …], own=…)",
    "numbers": "write spelling='plain' (of numbers and texts, the default) or spelling='any'",
    "proposal": "write beside=oc.Mix.proposal(…), of a prompt, a state or a temperature",
    **dict.fromkeys(("output_scores", "output_logits", "return_dict_in_generate"), _RESULT.format("state.logprobs")),
    **dict.fromkeys(
        ("output_type", "response_format", "schema_object", "guided_json", "regex_str", "grammar_str"),
        "what is written is the generator's: oc.generate.json(model, schema), oc.generate.regex(model, pattern) …",
    ),
    **dict.fromkeys(
        ("load_in_4bit", "load_in_8bit"),
        "give a model's folder or hub id, and quantization_config=BitsAndBytesConfig(…) of transformers",
    ),
    "device": "write device_map=…, which goes to transformers, or model.hf.to(device) before oc.Model(hf, tokenizer)",
    **dict.fromkeys(
        ("system", "system_prompt", "chat_history"),
        "a conversation is a state: generator(model.chat([{{'role': 'system', 'content': '…'}}, …]))",
    ),
    **dict.fromkeys(
        ("return_exceptions", "on_error", "raise_errors", "ignore_errors"),
        "write errors='return': then the error of a row stands in the place of its value",
    ),
    **dict.fromkeys(("tools", "tool_choice", "functions"), "write oc.generate.json(model, oc.types.tools([f, g]))"),
    "ranks": "the tooltip of a token names the likeliest tokens at its place: a call with "
    "keep=oc.Keep(alternatives=n) records more",
    "compact": "nothing has to be said: of four rows or more, what a row repeats of the one above it is left out",
    "facts": "a picture of at most 2,500 tokens has tooltips: show fewer rows or tokens, or html() of a slice",
    "return_tensors": "values are plain Python values; generator.run(…) gives the state, with state.token_ids",
    "whitespace_pattern": "write whitespace=…: 'compact', 'flexible', or a pattern",
    "token_healing": 'white space at the end of a prompt is healed by default; for all seams write seam="heal"',
    "prefix_allowed_tokens_fn": "write a generator (regex, json, cfg …), or oc.generate.control(model, function), "
    "whose branches may be masks",
    **dict.fromkeys(
        ("sample_mask", "sampling_mask"),
        "masks are a controller's: it returns oc.steer.Branch(allowed=…), token ids or a mask, and makes a "
        "generator, oc.generate.control(model, controller)",
    ),
    **dict.fromkeys(
        ("ff_tokens", "splices"),
        "tokens that are not drawn are a controller's: it returns oc.steer.Branch(forced=…), a text or token ids, and "
        "makes a generator, oc.generate.control(model, controller)",
    ),
    **dict.fromkeys(
        ("feed_filters", "feed_filter"),
        "a hook returns oc.steer.Replace(id, fed=False), or oc.steer.Insert(id): then the constraint is not told of "
        "the token",
    ),
    **dict.fromkeys(
        ("requires_logits", "needs_logits"),
        "nothing has to be said: a hook reads draw.logits and draw.candidates(n) if it wants them",
    ),
    **dict.fromkeys(
        ("include_stop", "include_stop_str_in_output"),
        "it is the generator's: oc.generate.text(model, sampler, include_stop=True)",
    ),
    "skip_special_tokens": "they are left out, and state.text(special=True) keeps them",
    **dict.fromkeys(
        ("truncation", "truncate_prompt_tokens"),
        "a prompt that is too long is an error, and errors='return' leaves the other rows their values: cut the text",
    ),
    **dict.fromkeys(
        ("early_stopping", "diversity_penalty", "num_beam_groups"),
        "a search ends where nothing alive can be better, and its samples are different texts",
    ),
    "start": "the first rule of a grammar is called start, or root in GBNF: write `start: name`",
    **dict.fromkeys(
        ("add_generation_prompt", "continue_final_message"),
        "a state of a chat is ready for the answer: a step goes on from it, state + 'text' begins the answer",
    ),
    **dict.fromkeys(
        ("enable_thinking", "reasoning_effort", "chat_template", "documents"),
        "it is read by the chat template: model.chat(messages, {0}=…)",
    ),
    "chat_template_kwargs": "model.chat(messages, enable_thinking=False, …) takes what the template reads by its name",
    **dict.fromkeys(
        ("end_thinking_tag", "thinking_budget", "reasoning_parser"),
        "a thought is a step before: oc.continuous(oc.generate.text(model, sampler, include_stop=True), "
        "stop_at='</think>', max_tokens=…) >> step",
    ),
}

#: Options with which a GGUF file is loaded: those of transformers, llama-cpp-python, and llama.cpp's own programs.
GGUF_ARGUMENTS = {
    **dict.fromkeys(
        ("ctx_size", "context_length", "max_context", "max_model_len", "max_seq_len", "num_ctx"), "write n_ctx=…"
    ),
    **dict.fromkeys(
        ("device", "device_map", "gpu_layers", "ngl", "num_gpu", "main_gpu", "tensor_split", "split_mode"),
        "write n_gpu_layers=…, -1 for all",
    ),
    **dict.fromkeys(("threads", "n_threads_batch", "num_threads", "num_thread"), "write n_threads=…"),
    **dict.fromkeys(("flash_attn", "flash_attn_type", "attn_implementation"), "write flash_attention=True"),
    **dict.fromkeys(("cache_type_k", "cache_type_v", "ctk", "ctv", "kv_cache_dtype"), "write type_k=…, type_v=…"),
    **dict.fromkeys(("n_parallel", "parallel", "max_num_seqs"), "write n_seq_max=…"),
    **dict.fromkeys(("batch_size", "ubatch"), "write n_batch=…, n_ubatch=…"),
    **dict.fromkeys(
        ("dtype", "torch_dtype", "quantization_config", "load_in_4bit", "load_in_8bit"),
        "the file says how its parameters are stored",
    ),
    **dict.fromkeys(
        ("revision", "token", "subfolder", "cache_dir", "local_files_only", "force_download", "proxies"),
        "it is for the hub; download the file, and give its path",
    ),
    **dict.fromkeys(("trust_remote_code", "config", "gguf_file", "adapters"), "it is for transformers"),
    **dict.fromkeys(("model_path", "model", "filename", "repo_id"), "the path comes first, without a name"),
    **dict.fromkeys(
        ("chat_format", "chat_template", "chat_handler"), "the chat template is that of the file, or of tokenizer=…"
    ),
    **dict.fromkeys(("seed", "temperature", "top_k", "top_p"), "draws are a sampler's, and each call takes its seed"),
    **dict.fromkeys(("eos_token_id", "stop_token_ids"), "write eos=[…]"),
    **dict.fromkeys(("logits_all", "logits", "embedding", "vocab_only"), "logits are had where they are asked for"),
    **dict.fromkeys(("use_mmap", "use_mlock", "load_mode", "mlock"), "llama.cpp maps the file into memory"),
    **dict.fromkeys(("lora_path", "lora_base", "lora_scale"), "adapters are not taken: merge them into the file"),
    **dict.fromkeys(("draft_model", "mmproj", "clip_model_path"), "a file is one model of texts"),
    **dict.fromkeys(("verbose", "verbosity", "log_disable"), "llama.cpp prints nothing here; its errors are raised"),
}

#: Options with which vLLM is started: those of transformers, llama.cpp, and others' names.
VLLM_ARGUMENTS = {
    **dict.fromkeys(("n_ctx", "ctx_size", "context_length", "max_seq_len", "max_length"), "write max_model_len=…"),
    **dict.fromkeys(("torch_dtype", "precision"), "write dtype=…"),
    **dict.fromkeys(("n_seq_max", "n_parallel", "max_batch_size"), "write max_num_seqs=…"),
    **dict.fromkeys(("n_batch", "batch_size"), "write max_num_batched_tokens=…"),
    **dict.fromkeys(
        ("device_map", "device", "max_memory", "offload_folder", "attn_implementation"),
        "it is for transformers: oc.load(…) without an engine",
    ),
    **dict.fromkeys(
        ("n_gpu_layers", "n_threads", "type_k", "type_v"), "it is for llama.cpp, which computes GGUF files"
    ),
    "token": "write hf_token=…",
    "eos": "ids that end a text are those of the model's generation config and of its tokenizer",
}

#: Names of the package.
NAMES = {
    **{name: f"write oc.{module}.{name}" for module, names in _IN_MODULES.items() for name in names.split()},
    **dict.fromkeys(
        ("from_transformers", "models", "Transformers", "transformers", "AutoModel", "LLM", "pipeline"),
        "write oc.Model(hf_model, hf_tokenizer), or oc.load('folder-or-hub-id')",
    ),
    **dict.fromkeys(
        ("from_vllm", "from_vllm_offline", "from_openai", "from_anthropic", "from_gemini", "from_ollama", "from_tgi"),
        "only models whose logits can be had here are served: oc.load('folder-or-hub-id')",
    ),
    **dict.fromkeys(
        ("from_llamacpp", "LlamaCpp", "Llama", "llama_cpp"), "write oc.load('llama.gguf', n_ctx=…), through llama.cpp"
    ),
    **dict.fromkeys(("from_mlxlm",), "write oc.load('folder-or-hub-id'), through transformers"),
    **dict.fromkeys(
        ("inputs", "Chat", "user", "system", "assistant"), "write model.chat(messages), state.turn('user', …)"
    ),
    **dict.fromkeys(("Template", "prompt"), "prompts are strings: write an f-string"),
    **dict.fromkeys(("Image", "Audio", "Video", "image"), "prompts are text: images are not taken"),
    **dict.fromkeys(("select", "gen"), "write oc.generate.choice(model, options), oc.generate.text(model)"),
    **{name: f"write oc.generate.{name}(model, …)" for name in ("text", "choice", "regex", "cfg", "format", "control")},
    "json": "write oc.generate.json(model, schema)",
    **dict.fromkeys(("greedy", "multinomial", "exact", "beam_search", "smc"), "write oc.samplers.{0}(…)"),
    **dict.fromkeys(("GreedySampler", "sampler"), "write oc.samplers.greedy()"),
    **dict.fromkeys(("beam", "beams", "Beam", "BeamSearchSampler"), "write oc.samplers.beam_search(beams)"),
    **dict.fromkeys(("sample", "sampling", "random", "MultinomialSampler"), "write oc.samplers.multinomial()"),
    **dict.fromkeys(
        ("temperature", "top_k", "top_p", "min_p"), "it is an option: oc.samplers.multinomial({0}=…), a sampler"
    ),
    **dict.fromkeys(
        ("int", "integer", "float", "number", "bool", "boolean", "date", "datetime", "uuid", "enum", "type"),
        "write oc.generate.format(model, the type), or oc.Generator(model, the type)",
    ),
    **dict.fromkeys(
        ("function", "tool", "call", "function_call", "tool_call"),
        "write oc.generate.json(model, oc.types.tools([f, g])): a call of one of these functions",
    ),
    **dict.fromkeys(("grammar", "lark", "CFG", "gbnf", "Lark"), "write oc.generate.cfg(model, …), or oc.types.cfg(…)"),
    **dict.fromkeys(("Regex", "pattern"), "write oc.types.regex(…)"),
    **dict.fromkeys(("JsonSchema", "json_schema"), "write oc.types.json_schema(…)"),
    **dict.fromkeys(("Choice", "literal", "options"), "write oc.types.choice(…), or a list of options"),
    **dict.fromkeys(("either", "optional", "at_least", "at_most", "exactly"), "write a pattern: oc.types.regex(…)"),
    **dict.fromkeys(
        ("email", "isbn", "ipv4", "uuid4", "hex_str", "char", "digit", "newline", "sentence", "paragraph"),
        "write a pattern, oc.types.regex(…); in JSON, {{'type': 'string', 'format': 'email'}} and the other formats",
    ),
    **dict.fromkeys(("airports", "countries", "locale"), "write a list of options"),
    **dict.fromkeys(
        ("zero_or_more", "one_or_more", "between", "String", "FSM", "Term"), "write a pattern: oc.types.regex(…)"
    ),
    **dict.fromkeys(("AsyncGenerator", "AsyncModel"), "write await generator.acall(prompt), of any generator"),
    **dict.fromkeys(("concat", "concatenate", "stack"), "write oc.cat(states, dim): 0 batch, 1 sample, 2 token"),
    **dict.fromkeys(("set_seed", "manual_seed", "seed"), "each call takes its seed: generator(prompt, seed=0)"),
    "Application": "write a function of yours: a prompt is a string, and a generator is called with it",
    **dict.fromkeys(("processors", "logits_processors"), "functions of logits are filters: oc.filters"),
}

#: Members of a model, a generator, a state.
DRAFTS = {
    "ngram": "oc.drafts.lookup() searches the row and the KV tree",
    "auto": "any draft proposes less while it does not hold: draft=oc.drafts.lookup()",
}

MEMBERS = {
    "generate": "write oc.generate.text(model)(prompt), or model.hf.generate(…)",
    **dict.fromkeys(("batch", "generate_batch"), "write generator([prompt, prompt])"),
    **dict.fromkeys(("encode", "tokenize"), "write model.state(text).token_ids, or model.tokenizer(text)"),
    **dict.fromkeys(("decode", "batch_decode"), "write list(state), str(state), state.text(special=True)"),
    **dict.fromkeys(("create_chat_completion", "chat_completion", "apply_chat_template"), "write model.chat(messages)"),
    **dict.fromkeys(("sequences", "output_ids", "input_ids"), "write state.token_ids, list(state)"),
    **dict.fromkeys(("sequences_scores",), "write state.scores"),
    **dict.fromkeys(("past_key_values", "kv_cache"), "the KV tree has the keys and values: state.kv.lengths"),
    **dict.fromkeys(
        ("copy", "clone"), "values are never changed: the value itself is as good; state.fork(n) for samples"
    ),
    **dict.fromkeys(("append", "extend"), "write state + 'text'"),
    **dict.fromkeys(
        ("truncate", "trim", "rollback", "backtrack"),
        "write state[..., :n], or state.crop(lengths) with a length for each row",
    ),
    **dict.fromkeys(("filter", "select"), "write state.pick(lambda row: …), pairs, or a mask"),
    "apply": "write state.map(lambda row: …)",
    **dict.fromkeys(("expand", "broadcast_to"), "write state.fork(n), oc.cat([state] * n, 0)"),
    **dict.fromkeys(
        ("add_user_message", "add_assistant_message", "add_system_message", "messages"),
        "a conversation begins with model.chat(messages), and state.turn('user', …) adds to it",
    ),
    **dict.fromkeys(("value", "values", "result"), "state.captures has those of named steps; generator.values(state)"),
    **dict.fromkeys(("to_string", "output", "completion"), "write str(state); state.captures has the values of steps"),
    **dict.fromkeys(("texts", "strings"), "write list(state), state.tolist(), state.text(special=True)"),
    **dict.fromkeys(
        ("logprob", "log_probs", "logprobs_of", "score"), "write oc.score(model.state(prompt), ['text', …])"
    ),
    **dict.fromkeys(
        ("cuda", "cpu", "half", "bfloat16"), "write model.hf.{0}() before oc.Model(hf_model, hf_tokenizer)"
    ),
    **dict.fromkeys(("eval", "train", "parameters"), "write model.hf.{0}()"),
    "vocab_size": "write len(model.vocabulary)",
    "bounds": "write oc.bounds(generator, prompt)",
    "generation_config": "write model.hf.generation_config; oc.samplers.from_config(model) reads it",
    **dict.fromkeys(("partial", "parsed"), "write partial.value, for partial in generator.stream(prompt)"),
    **dict.fromkeys(("invoke", "predict", "infer", "complete"), "call it: generator(prompt)"),
    **dict.fromkeys(("ainvoke", "agenerate"), "write await generator.acall(prompt)"),
}

#: Members of a state that stand elsewhere.
STATE_MEMBERS = {
    "kv_lengths": "write state.kv.lengths",
    "kv_exact": "write state.kv.exact",
    "logprobs_exact": "write state.kv.{0}",
    "drop_kv": "write state.kv.drop()",
    "prefill": "write state.kv.{0}()",
    **dict.fromkeys(
        ("candidates", "alternatives", "stop_candidates", "stop_alternatives"),
        "what a call was asked to keep of each draw is in state.kept.{0}",
    ),
    **dict.fromkeys(
        ("log_importance", "effective_sample_size", "log_evidence", "ancestors"), "write state.particles.{0}"
    ),
    **dict.fromkeys(("weighing", "posterior", "resample"), "write state.particles.{0}(…)"),
    "keyed": "write model.state(state, keys=[…])",
    "fields": "write state.captures.{0}(name)",
    "to_bytes": "write oc.storage.{0}(state)",
    **dict.fromkeys(("entropies", "generated_mask", "forced_mask"), "write state.kept.{0}"),
}

#: Members of a draw, which hooks get.
DRAW_MEMBERS = {
    **dict.fromkeys(
        ("text", "state", "prompt", "tokens"),
        "write draw.row: draw.row.text is what the span has so far, draw.row.before the text before it",
    ),
    **dict.fromkeys(("prob", "p"), "write draw.probability"),
    **dict.fromkeys(("token_id", "id"), "write draw.token"),
    **dict.fromkeys(("token_text", "string", "word", "str"), "write draw.bytes"),
}

#: Members of a row that is being written, which hooks, controllers and filters get.
ROW_MEMBERS = {
    **dict.fromkeys(("prompt", "prefix"), "write row.before: the text before the span"),
    **dict.fromkeys(("tokens", "token_ids", "input_ids"), "write row.ids"),
    **dict.fromkeys(("batch", "index", "row", "batch_index"), "row.lineage begins with the place of its prompt"),
}

#: Members of a draw that exllamav2's and AICI's users would set. {0}: the value, if it is an int.
DRAW_SETTINGS = {
    **dict.fromkeys(("token", "token_id", "id", "sampled_token", "next_token"), "return oc.steer.Replace({0})"),
    **dict.fromkeys(
        ("mask", "sample_mask", "sampling_mask", "logits"),
        "return oc.steer.Resample(ban=[{0}]); or give the sampler a function (row, logits) → logits, "
        "oc.samplers.multinomial(filters=[…])",
    ),
    **{name: f"return oc.steer.Resample({name}=…)" for name in ("temperature", "top_k", "top_p", "min_p")},
    **dict.fromkeys(
        ("ff_tokens", "splices"), "return oc.steer.Insert({0}), or let a controller return oc.steer.Branch(forced=ids)"
    ),
    **dict.fromkeys(("stop", "eos", "finished", "done"), "return oc.steer.Stop()"),
    "backtrack": "return oc.steer.Backtrack(n)",
}

#: Members of a row that is being written.
ROW_SETTINGS = {
    "memory": "a controller returns the new one, oc.steer.Branch(…, memory=…)",
    "labels": "a controller returns oc.steer.Branch(…, label='name')",
    **dict.fromkeys(("finished", "stop", "done"), "a controller returns [], a hook oc.steer.Stop()"),
    **dict.fromkeys(
        ("ids", "text", "tokens", "token_ids", "ff_tokens", "splices"),
        "a controller returns oc.steer.Branch(forced=…), a hook oc.steer.Replace(id) or oc.steer.Insert(id)",
    ),
    **dict.fromkeys(
        ("sample_mask", "sampling_mask"), "a controller returns oc.steer.Branch(allowed=…), a filter the logits"
    ),
}

#: Members of a model alone.
MODEL_MEMBERS = {
    "to": "write model.hf.to(device) before oc.Model(hf_model, hf_tokenizer)",
    "stream": "write oc.Generator(model, output_type).stream(prompt)",
    **dict.fromkeys(("acall", "astream"), "write oc.Generator(model, output_type).{0}(prompt)"),
}

#: What to write in place of members that only models of transformers have.
WITHOUT_HF = {
    "generate": "write oc.generate.text(model)(prompt)",
    **dict.fromkeys(("hf", "config", "generation_config"), "only models of transformers have it: oc.load(folder)"),
    **dict.fromkeys(
        ("to", "cuda", "cpu", "half", "bfloat16"),
        "where and how it computes is said when it is loaded: oc.load(path, …)",
    ),
    **dict.fromkeys(("eval", "train", "parameters"), "the engine has the parameters, which do not change"),
}

#: Options of this library that people give in another place than theirs: where they belong.
PLACES = {
    **dict.fromkeys(_OF_CALLS.split(), "it belongs to the call: generator(prompt, {0}=…), step(state, {0}=…)"),
    "normalize": "for the product of laws, not normalized, write beside=oc.Mix([…], product=True); a choice by "
    "sequence has it where it is made, oc.generate.choice(model, options, by='sequence', normalize=…)",
    "name": "it belongs to the step: oc.continuous(generator, {0}=…)",
    "seam": "it belongs to the step, or to the call: oc.continuous(generator, {0}=…), generator(prompt, {0}=…)",
    "resume": "it belongs to calls that give states one by one: generator.stream(state, resume=True)",
    **dict.fromkeys(
        ("whitespace", "order", "extra", "format", "spelling"),
        "it is given to what makes JSON: oc.generate.json(model, schema, sampler, {0}=…)",
    ),
    "syntax": "it is given to what makes a generator of a grammar: oc.generate.cfg(model, grammar, sampler, syntax=…)",
    "parts": "it is given to what makes a generator of a grammar: oc.generate.cfg(model, grammar, sampler, parts=…)",
    "sampler": "it is given to what makes a generator: oc.generate.text(model, sampler)",
    "forced": "it is given to what makes a generator: oc.generate.regex(model, pattern, sampler, forced='never')",
    "whole": "it is given to what makes a generator of values: oc.generate.json(model, schema, sampler, whole=True)",
    "by": "it is given to what makes a choice: oc.generate.choice(model, options, sampler, by='sequence')",
    "samples": "how many samples is a sampler's: oc.samplers.multinomial(samples=…), smc(particles=…) or "
    "beam_search(beams=…), given to the generator",
    **dict.fromkeys(
        ("particles", "every", "threshold"), "it belongs to particles: oc.samplers.smc({0}=…), given to the generator"
    ),
    **dict.fromkeys(
        ("beams", "spellings", "distinct"),
        "it belongs to beams: oc.samplers.beam_search({0}=…), given to the generator",
    ),
}


#: Arguments that are missing.
MISSING = {
    "seed": "write seed=0, or another int; seed=None draws one, which a job without a folder may have",
    "prompts": "a list of prompts; oc.map takes any iterable of them, too, or the path of a file of JSON lines",
}


def hint(table: dict[str, str], name: str) -> str:
    """`": "` and what to write in place of a name; "" where nothing is known of it."""
    return f": {table[name].format(name)}" if name in table else ""


class Hinted:
    """An object that says, of a member that it does not have, what to write in its place."""

    __slots__ = ()
    _members: ClassVar[dict[str, str]] = MEMBERS

    if not TYPE_CHECKING:  # so that a type checker finds misspelled members

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # a property of its own, in which an AttributeError was raised: that one
                return object.__getattribute__(self, name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint(self._members, name)}")


class Shown(Hinted):
    """What a function of a user is shown. It never changes: whoever sets a member is told what to return instead."""

    __slots__ = ()
    _settings: ClassVar[dict[str, str]] = {}
    _returns: ClassVar[str]

    def __setattr__(self, name: str, value: Any) -> None:
        answer = self._settings.get(name, self._returns).format(value if type(value) is int else "id")
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set, it is a value: {answer}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be deleted, it is a value: {self._returns}")
