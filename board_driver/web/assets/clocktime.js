// What a chess clock shows at a moment: worked out here from its last change, so that nobody has to send every second.

export const LOW_MS = 60000;

// How far the board's time has come: its own at the newest state, and what has gone by on this machine since.
export class BoardTime {
  constructor() {
    this.nowMs = 0;
    this.heardMs = performance.now();
  }

  hear(nowMs) {
    this.nowMs = nowMs;
    this.heardMs = performance.now();
  }

  now() {
    return this.nowMs + performance.now() - this.heardMs;
  }
}

// What is left for that colour, in milliseconds.
export function remaining(clock, colour, nowMs) {
  const left = clock[`${colour}_ms`];
  if (!clock.running) return left;
  const used = Math.max(0, nowMs - clock.since_ms - (clock.delay_ms ?? 0));
  const rest = Math.max(0, clock[`${clock.running}_ms`] - used);
  if (clock.running === colour) return rest;
  return clock.timing === "hourglass" ? left + clock[`${clock.running}_ms`] - rest : left;
}

// What is said beside it: who runs, or why nobody does; a time that is running out says so, not by colour alone.
export function clockNote(clock, colour, left) {
  if (clock.flag === colour) return "⚑ flag fallen";
  const low = left < LOW_MS ? "⚠ " : "";
  if (clock.running === colour) return `${low}▶ runs`;
  if (clock.paused && clock.turn === colour) return `${low}❚❚ paused`;
  return low;
}
