// How the page draws what a light means. Every meaning has its own shape, so that none is told by colour alone.
// `under` lies below the piece and fills the square; `badge` is a small sign in the corner, above the piece.
// `under` beats as the board's own light does, all in step; the page dims where the board goes dark, so that what is
// meant can be read at any moment. It stays lit where people want less motion, or chose steady lights.

import { svg } from "./pieces.js";

const frame = (extra = {}) => svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 10, class: "stroke", ...extra });
const dashed = () => frame({ "stroke-dasharray": "17 11" });
const path = (d, kind = "stroke") => svg("path", { d, class: kind });
const letter = (text) => svg("text", { x: 50, y: 50, class: "letter" }, text);
const corners = "M5 30V13Q5 5 13 5H30M70 5H87Q95 5 95 13V30M95 70V87Q95 95 87 95H70M30 95H13Q5 95 5 87V70";
const arrowUp = "M50 16L82 52H63V84H37V52H18Z";
const arrowDown = "M50 84L82 48H63V16H37V48H18Z";
const star = "M50 8L61 38L93 39L68 59L77 90L50 72L23 90L32 59L7 39L39 38Z";

export const LIGHTS = {
  owed: { words: "must be moved or taken", under: () => [frame(), frame({ x: 17, y: 17, width: 66, height: 66, rx: 6 })] },
  destination: { words: "may go here", under: () => [svg("circle", { cx: 50, cy: 50, r: 17, class: "fill" })] },
  capture: { words: "may take here", under: () => [svg("circle", { cx: 50, cy: 50, r: 42, class: "stroke" })] },
  "castling-king": { words: "castling: the king goes here", under: () => [frame({ rx: 45 }), letter("K")] },
  "castling-rook": { words: "castling: the rook goes here", under: () => [frame(), letter("R")] },
  promotion: { words: "choose the new piece", under: () => [path(star, "fill")], badge: () => [path(star, "fill")] },
  "promote-queen": { words: "set it here for a queen", under: () => [path(star), letter("Q")] },
  "promote-rook": { words: "set it here for a rook", under: () => [path(star), letter("R")] },
  "promote-bishop": { words: "set it here for a bishop", under: () => [path(star), letter("B")] },
  "promote-knight": { words: "set it here for a knight", under: () => [path(star), letter("N")] },
  result: { words: "both kings here show the result", under: () => [frame(), letter("=")] },
  remove: { words: "take off: it was captured", under: () => [frame()], badge: () => [path(arrowUp, "fill")] },
  illegal: { words: "this is not legal", under: () => [path("M10 10L90 90M90 10L10 90")], badge: () => [path("M20 20L80 80M80 20L20 80", "thick")] },
  "take-away": { words: "take this off the square", under: () => [dashed()], badge: () => [path(arrowUp, "fill")] },
  "put-here": { words: "put the missing piece here", under: () => [dashed(), path(arrowDown, "ghost")], badge: () => [path(arrowDown, "fill")] },
  "cannot-move": { words: "touched, but cannot move", under: () => [svg("circle", { cx: 50, cy: 50, r: 42, class: "stroke" }), path("M21 79L79 21")] },
  unclear: { words: "not clear: lift it and set it down again", under: () => [frame({ "stroke-dasharray": "4 12", "stroke-linecap": "round" })], badge: () => [letter("?")] },
  "last-move": { words: "last move", under: () => [path(corners)] },
  "command-from": { words: "the opponent's piece to move", under: () => [frame({ "stroke-dasharray": "30 8" }), svg("circle", { cx: 50, cy: 50, r: 9, class: "fill" })] },
  "command-to": { words: "the opponent's piece goes here", under: () => [frame({ "stroke-dasharray": "30 8" }), svg("circle", { cx: 50, cy: 50, r: 26, class: "stroke" }), svg("circle", { cx: 50, cy: 50, r: 9, class: "fill" })] },
  hint: { words: "hint: a good move", under: () => [path("M50 8L92 50L50 92L8 50Z")] },
  check: { words: "check", under: () => [svg("rect", { width: 100, height: 100, class: "wash" }), path(corners)], badge: () => [letter("!")] },
};

const DIMMED = 0.38;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let rhythms = {};
let slotMs = 100;
let steady = false;

// Learn how the board's lights beat, and whether to.
export function setRhythms(looks) {
  rhythms = looks.rhythms;
  slotMs = looks.slot_ms;
}

export function setSteady(isSteady) {
  steady = isSteady;
  for (const node of document.querySelectorAll(".light.under")) beat(node);
}
still.addEventListener("change", () => setSteady(steady));

function beat(node) {
  for (const animation of node.getAnimations()) animation.cancel();
  const rhythm = rhythms[node.dataset.light];
  if (steady || still.matches || !rhythm?.includes(".")) return;
  const frames = [...rhythm].map((slot, i) => ({ opacity: slot === "#" ? 1 : DIMMED, offset: i / rhythm.length, easing: "step-end" }));
  const animation = node.animate([...frames, { ...frames[0], offset: 1 }], { duration: rhythm.length * slotMs, iterations: Infinity });
  animation.startTime = 0; // one clock for all, so that lights of one meaning beat together
}

// The two layers for one lit square. A meaning that this page does not know yet is still drawn: as a frame.
export function drawLight(meaning) {
  const look = LIGHTS[meaning] ?? { under: () => [frame()] };
  const layer = (name, nodes) =>
    svg("svg", { viewBox: "0 0 100 100", class: `light ${name}`, "data-light": meaning, "aria-hidden": "true", focusable: "false" }, ...nodes);
  const layers = [layer("under", look.under())];
  beat(layers[0]);
  if (look.badge) layers.push(layer("badge", [svg("circle", { cx: 50, cy: 50, r: 50, class: "disc" }), ...look.badge()]));
  return layers;
}

export function lightWords(meaning) {
  return LIGHTS[meaning]?.words ?? meaning;
}
