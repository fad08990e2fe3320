// The score sheet: moves with their times, and what is not certain about them.
//
// A ply that may still be revised is in italics, one that was something else before carries ↻, one that was taken back
// and played anew ⤺, one settled by people ✎, and one that is not certain is a button with "?", which opens the choice.

import { $, element, update } from "./dom.js";
import { RESULTS, spent } from "./words.js";

export class ScoreSheet {
  // `settle(ply, uci)` says which move a doubtful ply was.
  constructor(settle) {
    this.settle = settle;
    this.dialog = $("doubt-dialog");
  }

  draw(state) {
    const root = $("score");
    const { moves, first_ply: first, result, read_only: mute, taken_back: gone } = state;
    update(root, JSON.stringify([first, moves, result, mute, gone]), () => {
      const follow = root.scrollHeight - root.scrollTop - root.clientHeight < 40;
      if (follow) requestAnimationFrame(() => (root.scrollTop = root.scrollHeight));
      return this.rows(state);
    });
  }

  rows({ moves, first_ply: first, result, read_only: mute, taken_back: gone }) {
    const blackFirst = first % 2;
    const cells = [...(blackFirst ? [null] : []), ...moves];
    const rows = [];
    for (let i = 0; i < cells.length; i += 2) {
      const cell = (j) => this.cell(cells[j], j + 1 - blackFirst, mute);
      rows.push(element("li", { className: "score-row" }, element("span", { className: "number" }, `${Math.floor(first / 2) + 1 + i / 2}.`), cell(i), cell(i + 1)));
    }
    if (gone) rows.push(element("li", { className: "score-note" }, "The last move was taken back."));
    if (result) rows.push(element("li", { className: "score-result" }, RESULTS[result] ?? result));
    return rows;
  }

  cell(move, ply, mute) {
    if (move === undefined) return element("span", { className: "cell" }, element("span", { className: "move" }));
    if (move === null) return element("span", { className: "cell" }, element("span", { className: "move" }, "…"));
    const time = element("span", { className: "spent", title: "time spent on this move" }, spent(move.elapsed_ms));
    return element("span", { className: "cell" }, this.name(move, ply, mute), ...marks(move), time);
  }

  name(move, ply, mute) {
    const doubtful = move.alternatives.length > 0;
    const className = `move${move.provisional ? " provisional" : ""}${doubtful ? " uncertain" : ""}`;
    if (!doubtful || mute) return element("span", { className, title: move.provisional ? "may still be revised" : "" }, move.san, doubtful ? "?" : "");
    const others = move.alternatives.map((other) => other.san).join(" or ");
    return element("button", { type: "button", className, title: `Not certain; may also be ${others}. Choose which it was.`,
      aria: { label: `${move.san}, not certain: choose the move` }, onclick: () => this.ask(move, ply) }, move.san, element("span", { className: "doubt" }, "?"));
  }

  ask(move, ply) {
    const choice = ({ uci, san }, note) => element("button", { type: "button", dataset: { uci }, onclick: () => {
      this.dialog.close();
      this.settle(ply, uci);
    } }, san, element("small", {}, ` ${note}`));
    $("doubt-choices").replaceChildren(choice(move, "as written down"), ...move.alternatives.map((other) => choice(other, "possible too")));
    this.dialog.showModal();
  }
}

function marks(move) {
  const mark = (sign, title) => element("span", { className: "mark", title, role: "img", aria: { label: title } }, sign);
  return [
    move.was.length ? mark("↻", `was ${move.was.join(", ")} before`) : null,
    move.taken_back ? mark("⤺", `${move.taken_back} was taken back`) : null,
    move.by_hand ? mark("✎", "settled by hand") : null,
  ].filter(Boolean);
}
