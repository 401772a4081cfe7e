"""vLLM as a language model with a cache of its own: it is read, and rows are drawn inside it."""
