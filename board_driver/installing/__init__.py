"""Putting touchmove onto a machine as a service, and taking it off again."""
