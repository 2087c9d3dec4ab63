"""Reads the whole table of derivatives and makes its operators; imported for that effect."""

import importlib

from seegrad.operators.register import register_all

RULES = [
    "elementwise",
    "comparison",
    "functions",
    "reduce",
    "scans",
    "activations",
    "shape",
    "padding",
    "index",
    "masks",
]
RULES += ["linalg", "losses", "complex", "copies", "fourier", "special"]
RULES += ["solvers", "spectra"]
RULES += ["statistics", "exponents"]
RULES += ["convolution", "pooling", "resampling", "normalization", "attention", "grids", "bags"]
RULES += ["drawn", "packing", "recurrent"]

for _name in RULES:
    importlib.import_module(f"seegrad.rules.{_name}")
register_all()
