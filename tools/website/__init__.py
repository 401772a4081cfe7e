"""The site that `mkdocs build` makes of README, docs, notebooks and docstrings. What it adds to them lies in this folder."""
