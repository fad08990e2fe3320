"""The doctor: what is wrong with a board's sensors, found from scans, and what a person should do about it.

`vitals` counts what every square does, `examination` leads through the steps and keeps what was seen, `diagnosis` makes
findings of that, `mapping` and `correction` put wires right that were swapped, `screen` and `report` show it. All of
these are pure; the shell that opens a board and asks a person is `session`, and the command in `commands.doctor`.
"""
