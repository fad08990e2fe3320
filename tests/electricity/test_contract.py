"""The contract, on every driver."""

from __future__ import annotations

import pytest

from tests.electricity.contract import Contract
from tests.electricity.rigs import RIGS, Rig


@pytest.fixture(params=list(RIGS.values()), ids=list(RIGS))
def rig(request: pytest.FixtureRequest) -> Rig:
    made: Rig = request.param()
    return made


class TestContract(Contract):
    """All of it."""
