"""One model spread over processes by tensor parallelism: rank 0 runs all Python, the others follow its commands."""
