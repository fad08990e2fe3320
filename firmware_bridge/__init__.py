"""Bytes to messages and back, for boards behind a wire. One module per wire protocol."""
