"""What computes logits: the protocol that the floors above use, and transformers models behind it."""

import warnings

# transformers imports tqdm's bars for notebooks. Where ipywidgets are missing, tqdm warns of that, and a notebook shows
# the warning in a red box above the first result. Bars are text then.
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="IProgress not found")
    import tqdm.auto  # noqa: F401
