"""llama.cpp: models in GGUF files, with slots for the KV tree."""
