"""`oc.train`: what learning from rollouts needs of states. docs/learning.md shows how to use it.

>>> step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)), name="answer")
>>> state = step("The sky is", max_tokens=3, seed=1)
>>> oc.train.tree_logprobs(state).logprobs.shape
torch.Size([1, 2, 9])
"""

from outlines_cont.train.completions import Completion
from outlines_cont.train.forks import fork_at
from outlines_cont.train.logprobs import TreeLogprobs, tree_logprobs

__all__ = ["Completion", "TreeLogprobs", "fork_at", "tree_logprobs"]
