"""Compile every kernel for GPUs that are not here: `python tests/compile_kernels.py [--all] [80 90 …]`.

The library's own launches, on small tensors, say with which types and constants; Triton's compiler comes with an
assembler, and takes each down to machine code. (The interpreter does not see types that change in a loop, or blocks
that do not fit.) One line a kernel says what its machine code is like:

    warps, shared   to a program: 32 threads each, and KiB
    registers       of a thread; spills: instructions that move them to memory and back
    full            of the threads that a multiprocessor can hold, as many as registers, shared memory and programs
                    leave room for, in percent
    matrices        instructions that multiply matrices: HGMMA is by warp groups, HMMA by warps
    copies          LDGSTS go to shared memory by thread, UTMALDG and UBLKCP in bulk
    16 B            of the loads from global memory, those of sixteen bytes a thread
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = "0"

import numpy as np
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

from outlines_cont.kernels import bitmask, token_masks
from outlines_cont.kernels.attention_work import AttentionBlock, work_of
from outlines_cont.kernels.likeliest import likeliest
from outlines_cont.kernels.prefix_attention import attend_tree, rows_that_fit
from outlines_cont.kernels.rows import Rows
from outlines_cont.kernels.sampling import sample

TYPES = {
    torch.float32: "fp32",
    torch.float64: "fp64",
    torch.bfloat16: "bf16",
    torch.float16: "fp16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.uint8: "u8",
}
SHARED = {80: 163, 86: 99, 89: 99, 90: 227}  # KiB of shared memory that one block may have
#: Of a multiprocessor, as NVIDIA's tables of compute capabilities say: threads, programs, KiB of shared memory.
HOLDS = {80: (2048, 32, 164), 86: (1536, 16, 100), 89: (1536, 24, 100), 90: (2048, 32, 228)}
REGISTERS, PER_WARP = 65_536, 256  # of a multiprocessor, and what a warp's are rounded up to
COUNTED = {"matrices": ("HGMMA", "HMMA"), "copies": ("LDGSTS", "UTMALDG", "UBLKCP"), "spills": ("STL", "LDL")}
TOOLS = Path(triton.__file__).parent / "backends/nvidia/bin"


def launches(every: bool) -> Iterator[str]:
    """Call whatever launches kernels, with all types and sizes or those that matter most; says what is called."""
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.float64)[: None if every else 1]:
        yield f"bitmask {dtype}"
        bitmask.apply.kernel(torch.zeros(2, 131_072, dtype=dtype), torch.zeros(2, 4096, dtype=torch.int32))
    packed = bitmask.pack.kernel(torch.ones(2, 131_072, dtype=torch.bool))
    bitmask.unpack.kernel(packed, 131_072)
    for dtype in (torch.bfloat16, torch.float32, torch.float16)[: None if every else 1]:
        for size in (5000, 262_144) if every else (131_072,):
            yield f"sampling {dtype} V={size}"
            zeros = torch.zeros(2, dtype=torch.int64)
            masks = torch.zeros(2, (size + 31) // 32, dtype=torch.int32)
            rows = Rows(torch.zeros(2, size, dtype=dtype), masks, zeros, zeros, torch.zeros(2))
            keys = [(1, 2, 3), (4, 5, 6)]
            sample.kernel(rows, None)
            sample.kernel(rows, keys, 0.7)
            for filters in ((5, None, None), (None, 0.9, None), (50, 0.9, 0.1), (None, None, 0.1)):
                sample.kernel(rows, keys, 0.7, *filters)
            for width in (1, 8, 64) if every else (16,):
                likeliest.kernel(rows, width)
    yield "token masks"
    table = token_masks.ByteAutomaton(torch.zeros(3, 256, dtype=torch.int32), torch.zeros(3, dtype=torch.uint8))
    spelling = token_masks.VocabularyBytes.of([b"", b"a", b"ab"] * 20, [1, 2], [0], torch.device("cpu"))
    states = torch.zeros(3, dtype=torch.int64)
    token_masks.masks.kernel(table, spelling, states)
    for size in (64, 80, 96, 128, 256) if every else (128, 256):
        for dtype in (torch.bfloat16, torch.float16, torch.float32)[: None if every else 1]:
            for queries, heads in ((1, 4), (40, 8)):
                yield f"prefix attention {dtype} D={size} {queries} queries"
                asking = np.arange(queries)[None]
                blocks = [AttentionBlock(asking, None, np.arange(300)[None], None, False)]
                if queries > 1:
                    mask = np.ones((1, queries, 300), bool)
                    blocks.append(AttentionBlock(asking, None, np.arange(300)[None], mask, False))
                device = torch.device("cpu")
                query, *pair = (torch.zeros(n, m, size, dtype=dtype) for n, m in ((heads, queries), (2, 300), (2, 300)))
                work = work_of(blocks, queries, heads // 2, 2, device, wide=rows_that_fit(*pair))
                for softcap, sinks in ((30.0, torch.zeros(heads)), (None, None))[: None if every else 1]:
                    attend_tree.kernel(query, *pair, work, 1.0, softcap, sinks)


def main(every: bool, archs: list[int]) -> None:
    wanted: dict[Any, tuple[ASTSource, dict[str, Any], str]] = {}
    said = [""]

    def noted(self: JITFunction, *args: Any, grid: Any, warmup: bool, **options: Any) -> None:
        constants, signature, facts = {}, {}, {}
        for place, (param, value) in enumerate(zip(self.params, args, strict=True)):
            number = value.data_ptr() if isinstance(value, torch.Tensor) else value
            if isinstance(number, int) and number % 16 == 0 and not param.is_constexpr:
                facts[place,] = [["tt.divisibility", 16]]
            if isinstance(value, torch.Tensor):
                signature[param.name] = "*" + TYPES[value.dtype]
            elif param.is_constexpr or (type(value) is int and value == 1):
                signature[param.name], constants[param.name] = "constexpr", value
            elif isinstance(value, int):
                signature[param.name] = "i32" if -(2**31) <= value < 2**31 else "i64"
            else:
                signature[param.name] = "fp32"
        key = (self.fn.__name__, *signature.items(), *constants.items(), *options.items(), *facts)
        wanted.setdefault(
            str(key), (ASTSource(self, signature, constants, facts), options, f"{self.fn.__name__}: {said[-1]}")
        )

    fresh = tempfile.TemporaryDirectory()  # what was compiled before says nothing of what compiles
    os.environ["TRITON_CACHE_DIR"] = fresh.name
    JITFunction.run = noted
    for called in launches(every):
        said.append(called)
    print(f"triton {triton.__version__}: {len(wanted)} kernels with their types and constants")
    for arch in archs:
        for source, options, name in wanted.values():
            begun = time.perf_counter()
            made = triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
            shared = made.metadata.shared
            assert made.asm["cubin"] and shared <= SHARED[arch] << 10, (
                f"sm_{arch} {name}: {shared} bytes of shared memory"
            )
            seconds = time.perf_counter() - begun
            print(f"sm_{arch} {name}: {described(made, arch, Path(fresh.name))}, {seconds:.1f} s", flush=True)


def described(made: Any, arch: int, folder: Path) -> str:
    """What the machine code of a kernel is like: see above."""
    (binary := folder / "kernel.cubin").write_bytes(made.asm["cubin"])

    def told(tool: str, *options: str) -> str:
        return subprocess.run([TOOLS / tool, *options, binary], check=True, capture_output=True, text=True).stdout

    registers = int(re.findall(r"REG:(\d+)", told("cuobjdump", "-res-usage"))[-1])
    code = Counter(re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+ )?([A-Z0-9_.]+)", told("nvdisasm", "-c"), re.M))
    warps, shared = made.metadata.num_warps, made.metadata.shared
    threads, most, room = HOLDS[arch]
    of_warp = -(-32 * registers // PER_WARP) * PER_WARP
    programs = min(threads // (32 * warps), most, REGISTERS // of_warp // warps, int(room // (shared / 1024 + 1)))
    parts = [f"{warps} warps", f"{shared / 1024:.1f} KiB shared", f"{registers} registers"]
    parts.append(f"{100 * programs * 32 * warps // threads}% full")
    for title, names in COUNTED.items():
        counts = {name: sum(n for word, n in code.items() if word.split(".")[0] == name) for name in names}
        parts.append(f"{title} {' '.join(f'{name} {n}' for name, n in counts.items() if n) or 0}")
    loads = {word: n for word, n in code.items() if word.split(".")[0] in ("LDG", "LDGSTS")}
    parts.append(f"16 B {sum(n for word, n in loads.items() if '128' in word)} of {sum(loads.values())}")
    return ", ".join(parts)


if __name__ == "__main__":
    asked = [argument for argument in sys.argv[1:] if argument != "--all"]
    main("--all" in sys.argv, [int(arch) for arch in asked] or [80, 90])
