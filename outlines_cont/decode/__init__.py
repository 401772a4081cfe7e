"""One pure loop: the frontier of a generation, its hypotheses, samplers, controllers, hooks, resuming and streaming."""
