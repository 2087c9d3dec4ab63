"""Tests of autocast and scaled losses."""
