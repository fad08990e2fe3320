// Times and results as people read them.

// A time spent on a move: 7 s, 1:05, 1:02:03.
export function spent(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// What is left on a clock: 1:02:03, 4:05, and tenths in the last seconds.
export function clockTime(ms) {
  const left = Math.max(0, ms);
  if (left < 20000) return `0:${(left / 1000).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.floor(left / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const h = Math.floor(seconds / 3600);
  return h ? `${h}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

export const RESULTS = { "1-0": "1–0", "1/2-1/2": "½–½", "0-1": "0–1", "*": "*" };
export const RESULT_WORDS = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw" };
export const capital = (word) => word[0].toUpperCase() + word.slice(1);
