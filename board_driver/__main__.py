"""`python -m board_driver` is `touchmove`."""

import sys

from board_driver.cli import main

sys.exit(main())
