"""The touchmove wire protocol, both ends. PROTOCOL.md beside this package is its document."""
