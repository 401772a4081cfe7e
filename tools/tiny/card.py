"""The model card beside the weights, written from what was measured."""

from pathlib import Path

CARD = """---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
---

# The tiny model of outlines_cont

A Llama of {parameters:,} parameters for tests and demos without a download. It knows a made-up world: short stories
about people and places, questions about them, their facts as JSON, lists, small sums, a few capitals and colours. It
answers questions about what stands in its prompt and knows next to nothing else.

Made by `python -m tools.tiny.train --steps {steps} --seed {seed} --out FOLDER` in {minutes:.0f} minutes on
{threads} CPU thread(s), {tokens:.1f} million tokens, from a corpus that the script writes itself (it needs torch 2.9 or newer).
Both scripts run in a checkout of the repository; the wheel does not hold them. Measured by
`python -m tools.tiny.evaluate --seed {seed}` on the stored half-precision weights, with names that training
never saw:

| What | Measured |
| --- | --- |
| Perplexity per token, held-out text | {perplexity:.2f} |
| The same of counting pairs of tokens | {bigram perplexity:.2f} |
| The same of counting tokens | {unigram perplexity:.2f} |
| Right greedy answers to held-out questions under a choice or a regex, plain stories of one person or place | {right} of {questions} |
| The same questions without a constraint, up to the newline | {right freely} of {questions} |
| Under a constraint, plain stories of two people or places | {right about one of two} of {questions} |
| Under a constraint, full stories: up to four people, pronouns, all paraphrases | {right in full stories} of {questions} |

Where a story tells the same kind of fact of several people, the model mixes them up at times; its sums are often wrong. It
reads 1,024 tokens well (2,048 is its limit) and copies facts that stand up to about 150 tokens back. Much of the held-out
text is chance (invented names, random words, numbers), so its perplexity cannot come near one.

Formats it knows, besides plain sentences:

```text
Tarvo is a baker from Lisbon. He is now 34.
Q: What is Tarvo's job?
A: baker
```

```text
Tarvo is a baker from Lisbon. He is now 34.
JSON with name, age, city: {{"name":"Tarvo","age":34,"city":"Lisbon"}}
```

```text
<|begin|><|user|>What is the capital of France?<|end|><|assistant|>Paris<|end|>
```
"""


def write_card(folder: Path, numbers: dict[str, float]) -> None:
    """`numbers` is what `evaluate.measure` gives, with steps, seed, minutes, threads and tokens (in millions)."""
    (folder / "README.md").write_text(CARD.format(**numbers), encoding="utf-8")
