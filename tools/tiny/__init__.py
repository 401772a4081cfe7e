"""The scripts that made the small model of the package, in `outlines_cont/tiny/`. They are no part of the wheel.

Run them from the root of a checkout. `python -m tools.tiny.train --out FOLDER` makes the model from nothing (Muon, the
optimizer, needs torch 2.9); `python -m tools.tiny.evaluate` measures it.

| file | what it does |
| --- | --- |
| `world.py` | the words, names and fixed facts of the made-up world |
| `corpus.py` | the texts that the model learns from, and the questions that examine it, both from a seed |
| `model.py` | its tokenizer and its architecture |
| `train.py` | the training |
| `evaluate.py` | perplexities, and the share of right answers |
| `card.py` | the model card, with the numbers that were measured |
"""
