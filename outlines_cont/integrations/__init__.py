"""Other people's loops and jobs, on our models and states."""
