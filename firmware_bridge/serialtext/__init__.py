"""Boards that tell their squares in lines of text, as many makers' firmware does: one codec, set up by a profile."""
