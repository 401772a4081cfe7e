"""Models of ours in EleutherAI's lm-evaluation-harness: importing this registers the model type `outlines_cont`.

lm-eval finds models of other packages only when they are imported. So on the command line it is

    python -m outlines_cont.integrations.lm_eval --model outlines_cont --model_args pretrained=FOLDER --tasks …

which is `lm_eval` itself after this import; in Python, `LM` is given to `lm_eval.simple_evaluate(model=…)`.
"""

from outlines_cont.integrations.lm_eval.adapter import LM

__all__ = ["LM"]
