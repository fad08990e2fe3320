"""64 analogue Hall sensors through multiplexers and MCP3008 or MCP3208 converters.

The multiplexers' common address goes through all its values; at each, one channel after the other is converted. With a
calibration the strengths that come out are the same on every square: 0 where it is empty, about 100 under one of
White's pieces, -100 under one of Black's. Without one they are centred on half the supply and scaled for a common
magnet, and sensing finds zeros and polarity from the start position.

House rules:

1. A converter answers every request with a bit that is low. Where it is high, or where all readings of a converter are
   zero, it is not there: its cells keep their last value and are unsure. If none has been there for `PATIENCE_S`, the
   board is opened again.
2. A reading at the very end of the scale is a sensor without supply or ground: told once, and unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import sleep

from board_driver.boards.hallcalibration import NORMAL, HallCalibration
from board_driver.boards.lines import Lines, OpenLines, WriteLines, numbers, open_lines
from board_driver.boards.source import Strengths, Trouble
from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.profile.checks import CHANNELS, MUX_INPUTS
from board_driver.profile.sensors import AdcModel, HallAdc
from board_driver.scan import Sensing
from board_driver.sensing.field import Calibration

CLOCK_HZ = 1_000_000
"""Both converters may be clocked this fast at 2.7 V."""
PATIENCE_S = 2.0
COMMON_SHARE = 0.12
"""Of full scale: how far a common magnet in a piece's foot moves a common sensor."""


@dataclass(frozen=True, slots=True)
class _Model:
    requests: tuple[tuple[int, int, int], ...]
    value_bits: int
    null_bit: int
    high_mask: int

    @property
    def full(self) -> int:
        return (1 << self.value_bits) - 1


MODELS = {
    AdcModel.MCP3008: _Model(tuple((0x01, (8 | c) << 4, 0) for c in range(CHANNELS)), 10, 0x04, 0x03),
    AdcModel.MCP3208: _Model(tuple((0x06 | c >> 2, (c & 3) << 6, 0) for c in range(CHANNELS)), 12, 0x10, 0x0F),
}
"""Requests for channels 0 to 7, single-ended, and where in three bytes the answer lies (data sheets, section 5)."""


class HallSource:
    """A `Source` of those sensors. Cell inputs·channel + address."""

    senses = Sensing.FIELD

    def __init__(
        self,
        wiring: HallAdc,
        calibration: HallCalibration | None = None,
        open_chip: OpenLines = open_lines,
        open_device: OpenSpi = open_spi,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        self._wiring = wiring
        self._calibration = calibration
        self._open_chip = open_chip
        self._open_device = open_device
        self._pause = pause
        self._model = MODELS[wiring.adc]
        self._inputs = MUX_INPUTS[wiring.mux]
        self._settle_s = wiring.mux_settle_us / 1_000_000
        self._patience = max(1, round(PATIENCE_S * wiring.scan_hz))
        channels = 64 // self._inputs
        self._channels = [divmod(channel, CHANNELS) for channel in range(channels)]
        self._used = sorted({chip for chip, _ in self._channels})
        self._lines: Lines | None = None
        self._select: WriteLines = _closed
        self._chips: list[SpiDevice] = []
        self._raw: list[int] = [0] * 64
        self._silent: set[int] = set()
        self._silent_scans = 0
        self._stuck = 0

    @property
    def calibration(self) -> HallCalibration | None:
        """What the strengths are told by; None: raw ones, centred."""
        return self._calibration

    @property
    def raw(self) -> tuple[Sequence[int], bool]:
        """All cells as last converted, and whether every converter answered. From any thread, while it is read."""
        return self._raw, not self._silent

    def use(self, calibration: HallCalibration) -> None:
        """Tell strengths by another calibration from now on."""
        self._calibration = calibration

    @property
    def field_calibration(self) -> Calibration | None:
        """How the strengths are read; None: sensing has to find out from the start position."""
        return None if self._calibration is None else NORMAL

    def open(self) -> None:
        self.close()
        try:
            for chip in self._used:
                self._chips.append(self._open_device(self._wiring.adcs[chip], CLOCK_HZ, 0))
            if self._wiring.select:
                self._lines = self._open_chip(self._wiring.chip)
                self._select = self._lines.outputs(numbers(self._wiring.select), 0)
            self._raw = [self._model.full // 2] * 64
            self._silent, self._silent_scans, self._stuck = set(), 0, 0
            _, silent = self.read_raw()
            if len(silent) == len(self._used):
                raise OSError(self._missing(silent))
        except OSError:
            self.close()
            raise

    def read(self) -> Strengths:
        raw, silent = self.read_raw()
        troubles = [*self._tell_silence(silent), *self._tell_stuck(raw)]
        unsure = sum(self._cells(chip) for chip in silent) | self._stuck
        return Strengths(self._told(raw), unsure, tuple(troubles))

    def read_raw(self) -> tuple[list[int], set[int]]:
        """All cells as converted, and the converters that are not there. Their cells keep what they had."""
        if not self._chips:
            raise OSError("the converters are closed")
        model, inputs, fresh = self._model, self._inputs, list(self._raw)
        floating: set[int] = set()
        requests = [
            (inputs * n, chip, self._chips[chip].xfer2, model.requests[c]) for n, (chip, c) in enumerate(self._channels)
        ]
        for address in range(inputs):
            if inputs > 1:
                self._select(address)
                if self._settle_s:
                    self._pause(self._settle_s)
            for first, chip, transfer, request in requests:
                _, high, low = transfer(request)
                if high & model.null_bit:
                    floating.add(chip)
                fresh[first + address] = (high & model.high_mask) << 8 | low
        silent = {chip for chip in self._used if chip in floating or self._reads_zero(chip, fresh)}
        self._raw = [
            old if silent and self._chip_of(cell) in silent else new
            for cell, (old, new) in enumerate(zip(self._raw, fresh, strict=True))
        ]
        return self._raw, silent

    def close(self) -> None:
        lines, chips = self._lines, self._chips
        self._lines, self._chips = None, []
        self._select = _closed
        for chip in chips:
            chip.close()
        if lines is not None:
            lines.close()

    # -- what is told

    def _told(self, raw: Sequence[int]) -> tuple[float, ...]:
        if self._calibration is not None:
            return self._calibration.strengths(raw)
        middle, scale = self._model.full / 2, 100 / (COMMON_SHARE * self._model.full)
        return tuple((value - middle) * scale for value in raw)

    def _tell_silence(self, silent: set[int]) -> list[Trouble]:
        fresh, back = silent - self._silent, self._silent - silent
        self._silent = silent
        self._silent_scans = self._silent_scans + 1 if len(silent) == len(self._used) else 0
        if self._silent_scans >= self._patience:
            raise OSError(self._missing(silent))
        told = [
            Trouble("converter", f"{self._name(chip)} does not answer: its squares keep their last reading; look at it")
            for chip in sorted(fresh)
        ]
        return told + [Trouble("converter", f"{self._name(chip)} answers again") for chip in sorted(back)]

    def _tell_stuck(self, raw: Sequence[int]) -> list[Trouble]:
        stuck = sum(1 << cell for cell, value in enumerate(raw) if value in (0, self._model.full))
        fresh = stuck & ~self._stuck
        self._stuck = stuck
        text = "reads at the end of the scale: its sensor lacks supply or ground, or its wire is broken"
        return [Trouble("stuck", text, cell) for cell in range(64) if fresh >> cell & 1] if fresh else []

    def _missing(self, chips: set[int]) -> str:
        names = ", ".join(self._name(chip) for chip in sorted(chips))
        return f"{names} does not answer: look at its power and at DIN, DOUT, CLK and CS"

    def _name(self, chip: int) -> str:
        spi = self._wiring.adcs[chip]
        return f"the {self._wiring.adc.value.upper()} on /dev/spidev{spi.bus}.{spi.device}"

    def _chip_of(self, cell: int) -> int:
        return self._channels[cell // self._inputs][0]

    def _cells(self, chip: int) -> int:
        return sum(1 << cell for cell in range(64) if self._chip_of(cell) == chip)

    def _reads_zero(self, chip: int, raw: Sequence[int]) -> bool:
        return not any(value for cell, value in enumerate(raw) if self._chip_of(cell) == chip)


def _closed(_levels: int) -> None:
    raise OSError("the multiplexers' lines are closed")
