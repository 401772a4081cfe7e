"""Settings of the whole suite."""

import os

# Where there is no GPU, kernels run under Triton's interpreter; it has to be asked for before they are imported.
os.environ.setdefault("TRITON_INTERPRET", "1")

import torch
from hypothesis import HealthCheck, settings

# Timings on a shared machine say nothing, and a failing example should fail again.
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

# The models here are so small that threads only wait for each other, and pytest-xdist has the cores already.
torch.set_num_threads(1)
