"""Measurements: `make bench` and `make bench-recorder`."""
