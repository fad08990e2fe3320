"""The commands of `touchmove`, one module each.

A command module has `add_parser(subparsers)`, which adds its own parser and says `set_defaults(run=…)`: a function that
takes the parsed arguments and returns the exit status. It imports what it works with inside that function, so that
`touchmove --help` and every other command start fast. The names are listed in `board_driver.cli`.
"""
