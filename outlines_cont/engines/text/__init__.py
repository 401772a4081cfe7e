"""Text ↔ token ids: a tokenizer as all engines use it."""
