"""The C library of llama.cpp: where it is, what its functions take, and whether it is of the layout that stands here.

The wheel `xllamacpp` carries the library: its extension module exports the C functions. Python's side of that wheel is
not used. The structs of parameters change between versions of llama.cpp, so the wheel is pinned, and the layout is
checked when the library is loaded, before anything is called that a wrong layout could break.
"""

from __future__ import annotations

import ctypes
from collections import deque
from ctypes import c_bool, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_void_p
from functools import cache, cached_property
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from outlines_cont.errors import LibraryError

#: The wheel whose library has the layout below, and how users get it.
WHEEL, PINNED = "xllamacpp", "2026.10.11549"
INSTALL = "pip install 'outlines_cont[llama]'"

MOST_SEQUENCES = 256  # LLAMA_MAX_SEQ
F32, F16 = 0, 1  # of ggml_type
#: Types of keys and values, by the names that llama.cpp's own programs take.
CACHE_TYPES = {"f32": F32, "f16": F16, "bf16": 30, "q8_0": 8, "q5_1": 7, "q5_0": 6, "q4_1": 3, "q4_0": 2}
ERROR, CONTINUED = 4, 5  # of ggml_log_level

_TAIL = ("tail", ctypes.c_ubyte * 128)  # room for what a newer library may write after the last field


def _fields(kind: Any, names: str) -> list[tuple[str, Any]]:
    return [(name, kind) for name in names.split()]


class ModelParams(ctypes.Structure):
    """How a file is loaded: `llama_model_params`."""

    _fields_ = [
        *_fields(c_void_p, "devices tensor_buft_overrides"),
        *_fields(c_int32, "n_gpu_layers split_mode load_mode lazy_mode main_gpu"),
        *_fields(c_void_p, "tensor_split progress_callback progress_callback_user_data kv_overrides"),
        *_fields(c_bool, "vocab_only check_tensors use_extra_bufts no_host no_alloc load_mtp"),
        _TAIL,
    ]


class ContextParams(ctypes.Structure):
    """How a context is made, with its memory for keys and values: `llama_context_params`."""

    _fields_ = [
        *_fields(c_uint32, "n_ctx n_batch n_ubatch n_seq_max n_rs_seq n_outputs_max n_outputs_max_per_seq"),
        *_fields(c_int32, "n_threads n_threads_batch ctx_type rope_scaling_type pooling_type attention_type"),
        *_fields(c_int32, "flash_attn_type"),
        *_fields(c_float, "rope_freq_base rope_freq_scale yarn_ext_factor yarn_attn_factor yarn_beta_fast"),
        *_fields(c_float, "yarn_beta_slow"),
        *_fields(c_uint32, "yarn_orig_ctx"),
        *_fields(c_float, "defrag_thold"),
        *_fields(c_void_p, "cb_eval cb_eval_user_data"),
        *_fields(c_int32, "type_k type_v"),
        *_fields(c_void_p, "after_types abort_callback abort_callback_data"),  # the first is not used here
        *_fields(c_bool, "embeddings offload_kqv no_perf op_offload swa_full kv_unified"),
        *_fields(c_void_p, "samplers"),
        *_fields(c_size_t, "n_samplers"),
        *_fields(c_void_p, "ctx_other"),
        _TAIL,
    ]


class Batch(ctypes.Structure):
    """The tokens of one call: `llama_batch`. Its arrays are numpy's, given by their addresses."""

    _fields_ = [
        *_fields(c_int32, "n_tokens"),
        *_fields(c_void_p, "token embd pos n_seq_id seq_id logits"),
    ]


#: What the functions that give default parameters are documented to give. A field that was added, taken away or moved
#: puts other numbers at these places.
DEFAULTS: dict[type[ctypes.Structure], dict[str, int | float | bool]] = {
    ModelParams: {
        "n_gpu_layers": -1,
        "split_mode": 1,
        "load_mode": -1,
        "lazy_mode": 1,
        "main_gpu": 0,
        "vocab_only": False,
        "check_tensors": False,
        "use_extra_bufts": True,
        "no_host": False,
        "no_alloc": False,
        "load_mtp": False,
    },
    ContextParams: {
        "n_ctx": 512,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_seq_max": 1,
        "n_rs_seq": 0,
        "n_outputs_max": 0,
        "n_outputs_max_per_seq": 1,
        "n_threads": 4,
        "n_threads_batch": 4,
        "ctx_type": 0,
        "rope_scaling_type": -1,
        "pooling_type": -1,
        "attention_type": -1,
        "flash_attn_type": -1,
        "rope_freq_base": 0.0,
        "rope_freq_scale": 0.0,
        "yarn_ext_factor": -1.0,
        "yarn_attn_factor": -1.0,
        "yarn_beta_fast": -1.0,
        "yarn_beta_slow": -1.0,
        "yarn_orig_ctx": 0,
        "defrag_thold": -1.0,
        "type_k": F16,
        "type_v": F16,
        "embeddings": False,
        "offload_kqv": True,
        "no_perf": True,
        "op_offload": True,
        "swa_full": True,
        "kv_unified": False,
        "n_samplers": 0,
    },
}

LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, c_char_p, c_void_p)

_MODEL, _CONTEXT, _MEMORY, _VOCABULARY = c_void_p, c_void_p, c_void_p, c_void_p

#: What is called: the result, and the arguments.
SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "llama_backend_init": (None, []),
    "llama_log_set": (None, [LogCallback, c_void_p]),
    "llama_model_default_params": (ModelParams, []),
    "llama_context_default_params": (ContextParams, []),
    "llama_supports_gpu_offload": (c_bool, []),
    "llama_print_system_info": (c_char_p, []),
    "llama_model_load_from_file": (_MODEL, [c_char_p, ModelParams]),
    "llama_model_free": (None, [_MODEL]),
    "llama_model_n_ctx_train": (c_int32, [_MODEL]),
    "llama_model_n_swa": (c_int32, [_MODEL]),
    "llama_model_has_encoder": (c_bool, [_MODEL]),
    "llama_model_is_recurrent": (c_bool, [_MODEL]),
    "llama_model_is_hybrid": (c_bool, [_MODEL]),
    "llama_model_is_diffusion": (c_bool, [_MODEL]),
    "llama_model_get_vocab": (_VOCABULARY, [_MODEL]),
    "llama_vocab_n_tokens": (c_int32, [_VOCABULARY]),
    "llama_vocab_is_eog": (c_bool, [_VOCABULARY, c_int32]),
    "llama_init_from_model": (_CONTEXT, [_MODEL, ContextParams]),
    "llama_free": (None, [_CONTEXT]),
    "llama_n_ctx": (c_uint32, [_CONTEXT]),
    "llama_n_ctx_seq": (c_uint32, [_CONTEXT]),
    "llama_n_batch": (c_uint32, [_CONTEXT]),
    "llama_n_ubatch": (c_uint32, [_CONTEXT]),
    "llama_n_seq_max": (c_uint32, [_CONTEXT]),
    "llama_n_threads": (c_int32, [_CONTEXT]),
    "llama_n_threads_batch": (c_int32, [_CONTEXT]),
    "llama_set_n_threads": (None, [_CONTEXT, c_int32, c_int32]),
    "llama_set_abort_callback": (None, [_CONTEXT, c_void_p, c_void_p]),
    "llama_get_memory": (_MEMORY, [_CONTEXT]),
    "llama_memory_clear": (None, [_MEMORY, c_bool]),
    "llama_memory_seq_cp": (None, [_MEMORY, c_int32, c_int32, c_int32, c_int32]),
    "llama_memory_seq_rm": (c_bool, [_MEMORY, c_int32, c_int32, c_int32]),
    "llama_memory_seq_pos_min": (c_int32, [_MEMORY, c_int32]),
    "llama_memory_seq_pos_max": (c_int32, [_MEMORY, c_int32]),
    "llama_state_seq_get_size": (c_size_t, [_CONTEXT, c_int32]),
    "llama_state_seq_get_size_ext": (c_size_t, [_CONTEXT, c_int32, c_uint32]),
    "llama_state_seq_get_data": (c_size_t, [_CONTEXT, c_void_p, c_size_t, c_int32]),
    "llama_state_seq_set_data": (c_size_t, [_CONTEXT, c_void_p, c_size_t, c_int32]),
    "llama_decode": (c_int32, [_CONTEXT, Batch]),
    "llama_get_logits": (c_void_p, [_CONTEXT]),
}


class Library:
    """The functions of one library, by their names; their errors are kept, and nothing else that it would print.

    Raises:
        LibraryError: a function is missing, or a struct has another layout.
    """

    def __init__(self, path: Path):
        self.path = path
        self._errors: deque[str] = deque(maxlen=20)
        try:
            library = ctypes.CDLL(str(path))
            functions = {name: getattr(library, name) for name in SIGNATURES}
        except (OSError, AttributeError) as error:
            raise LibraryError(
                f"{path} is no library of llama.cpp that can be used here ({error}); {_right()}"
            ) from None
        for name, (result, arguments) in SIGNATURES.items():
            functions[name].restype, functions[name].argtypes = result, arguments
        self._functions = functions
        self._check_layout()
        self._log = LogCallback(self._note)
        self.llama_log_set(self._log, None)
        self.llama_backend_init()

    def __getattr__(self, name: str) -> Any:
        """A function of the library."""
        try:
            return self.__dict__["_functions"][name]
        except KeyError:
            raise AttributeError(name) from None

    @cached_property
    def digest(self) -> str:
        """A digest of the library's bytes."""
        with self.path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()[:32]

    def errors(self) -> str:
        """What the library said of its errors since it was last asked, as one line."""
        lines = [self._errors.popleft() for _ in range(len(self._errors))]
        return "; ".join(dict.fromkeys(line for line in lines if line))

    def _note(self, level: int, text: bytes | None, _: Any) -> None:
        """What it would print: its errors are kept."""
        if level == ERROR and text:
            self._errors.append(text.decode(errors="replace").strip())
        elif level == CONTINUED and text and self._errors and text.strip(b".\n "):
            self._errors[-1] += text.decode(errors="replace").rstrip()

    def _check_layout(self) -> None:
        defaults = {ModelParams: self.llama_model_default_params(), ContextParams: self.llama_context_default_params()}
        for kind, expected in DEFAULTS.items():
            given = {name: getattr(defaults[kind], name) for name in expected}
            strange = [f"{name}={given[name]}, not {value}" for name, value in expected.items() if given[name] != value]
            if strange:
                raise LibraryError(
                    f"{self.path} has another layout of {kind.__name__} than the one that is used here "
                    f"({'; '.join(strange[:3])}); {_right()}"
                )


def _right() -> str:
    """What to install, and what is installed."""
    try:
        now = f"{WHEEL} {version(WHEEL)} is installed"
    except PackageNotFoundError:
        now = f"{WHEEL} is not installed"
    return f"{now}, and {WHEEL}=={PINNED} is what fits: {INSTALL}"


def load_library(path: str | Path | None = None) -> Library:
    """The library, loaded once. `path`: of a library other than the wheel's; it must have the same layout."""
    return _loaded(Path(path).resolve() if path is not None else _in_the_wheel())


@cache
def _loaded(path: Path) -> Library:
    return Library(path)


def _in_the_wheel() -> Path:
    spec = find_spec(WHEEL)
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise LibraryError(f"llama.cpp's library is needed to run a GGUF file: {_right()}")
    for folder in map(Path, folders):
        for pattern in (f"{WHEEL}*.so", f"{WHEEL}*.pyd", f"{WHEEL}*.dylib"):
            for path in sorted(folder.glob(pattern)):
                return path
    raise LibraryError(f"the package {WHEEL} in {', '.join(folders)} carries no library; {_right()}")
