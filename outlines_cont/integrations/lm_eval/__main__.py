"""`python -m outlines_cont.integrations.lm_eval …`: the command `lm_eval …`, with the model type `outlines_cont`."""

from outlines_cont.integrations.lm_eval.adapter import run_command_line

if __name__ == "__main__":
    run_command_line()
