"""Tests of what counts operations and describes models."""
