"""The site that `mkdocs build` makes of README, docs, notebooks and docstrings."""
