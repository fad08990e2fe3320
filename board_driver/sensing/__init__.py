"""From raw scans to settled lifts and places [pure].

`cells` says what one square holds, `settle` debounces, `field` turns raw Hall readings into colours, `health` keeps
count of what misbehaves, and `senses.Senses` is all of them behind the settler's own interface.
"""
