"""The names of `torch.random`."""

from seegrad.arrays.generators import default_generator
from seegrad.tensor.sampling import get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = [
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]
