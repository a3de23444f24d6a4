"""Samples and references: new Tensors, windows, random draws, facts."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Calls, References, call

CALLS: Calls = {
    "linspace": [call((), (), steps=4), call((), (), steps=1)],
    "vander": [call((3,)), call((2,), N=4)],
}
REFERENCES: References = {
    "linspace": lambda a, b, steps: np.linspace(a, b, steps),
    "vander": lambda x, N=None: np.vander(x, N),
}
NEW_VALUES = {
    "arange", "bartlett_window", "bernoulli", "blackman_window", "choice_with_mask", "deepcopy", "dtype", "dyn_shape",
    "eye", "fill", "full", "full_like", "gamma", "hamming_window", "hann_window", "is_tensor", "kaiser_window",
    "make_tuple", "multinomial", "multinomial_with_replacement", "numel", "ones", "ones_like", "poisson", "rand",
    "rand_like", "randint", "randint_like", "randn", "randn_like", "random_categorical", "random_gamma",
    "random_poisson", "randperm", "range", "rank", "scalar_cast", "scalar_to_tensor", "shape", "size",
    "standard_laplace", "standard_normal", "tuple_to_array", "uniform_candidate_sampler", "zeros", "zeros_like",
}  # fmt: skip
TESTED_ELSEWHERE = {"laplace", "logspace", "normal", "shuffle", "uniform"}
