// The 64 squares: what stands on them, how they are lit, and which one the keyboard is on.

import { drawLight, lightWords } from "./lights.js";
import { drawPiece, pieceName } from "./pieces.js";

const FILES = "abcdefgh";
export const SQUARES = Array.from({ length: 64 }, (_, i) => FILES[i % 8] + (1 + (i >> 3)));

export class BoardView {
  constructor(root) {
    this.root = root;
    this.flipped = false;
    this.focus = "e2";
    this.cells = new Map();
    this.drawn = new Map();
    for (const name of SQUARES) this.cells.set(name, this.makeCell(name));
    this.arrange();
    // The ring around the keyboard's square is for those who use keys.
    addEventListener("keydown", () => (root.dataset.input = "keys"), true);
    addEventListener("pointerdown", () => (root.dataset.input = "pointer"), true);
  }

  makeCell(name) {
    const cell = document.createElement("div");
    const dark = (FILES.indexOf(name[0]) + Number(name[1])) % 2 === 1;
    cell.className = `square ${dark ? "dark" : "light-square"}`;
    cell.dataset.square = name;
    cell.setAttribute("role", "gridcell");
    cell.tabIndex = name === this.focus ? 0 : -1;
    cell.addEventListener("focus", () => this.setFocus(name));
    return cell;
  }

  // Lay the squares out as seen from White's side, or from Black's when flipped.
  arrange() {
    const ranks = this.flipped ? "12345678" : "87654321";
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    const hadFocus = this.root.contains(document.activeElement);
    this.root.replaceChildren(
      ...[...ranks].map((rank, y) => {
        const row = document.createElement("div");
        row.className = "rank";
        row.setAttribute("role", "row");
        row.append(
          ...files.map((file, x) => {
            const cell = this.cells.get(file + rank);
            cell.dataset.rank = x === 0 ? rank : "";
            cell.dataset.file = y === 7 ? file : "";
            return cell;
          }),
        );
        return row;
      }),
    );
    if (hadFocus) this.cells.get(this.focus).focus();
  }

  flip() {
    this.flipped = !this.flipped;
    this.arrange();
  }

  setFocus(name) {
    this.cells.get(this.focus).tabIndex = -1;
    this.focus = name;
    this.cells.get(name).tabIndex = 0;
  }

  // Move the keyboard's square by files to the right and ranks up, as seen on the screen.
  step(right, up) {
    const sign = this.flipped ? -1 : 1;
    const file = FILES.indexOf(this.focus[0]) + sign * right;
    const rank = Number(this.focus[1]) + sign * up;
    if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
    this.cells.get(FILES[file] + rank).focus();
  }

  // `view.piece(name)` is `{letter, state}` or null, with state "", "raised", "gone" or "stray". `view.last` are the
  // squares of the last move and `view.check` that of a king in check: marks of the page, whatever the lights show.
  draw(view) {
    for (const [name, cell] of this.cells) {
      const piece = view.piece(name);
      const light = view.lights[name] ?? "";
      const key = `${piece?.letter ?? ""}/${piece?.state ?? ""}/${light}`;
      cell.classList.toggle("last", Boolean(view.last?.includes(name)));
      cell.classList.toggle("in-check", view.check === name);
      if (this.drawn.get(name) === key) continue;
      this.drawn.set(name, key);
      this.fill(cell, name, piece, light);
    }
  }

  // Draw everything anew, as when the lights beat otherwise.
  forget() {
    this.drawn.clear();
  }

  fill(cell, name, piece, light) {
    const layers = light ? drawLight(light) : [];
    const nodes = layers.slice(0, 1);
    if (piece) {
      const drawing = piece.letter === "?" ? strayMark() : drawPiece(piece.letter);
      if (piece.state) drawing.classList.add(piece.state);
      nodes.push(drawing);
    }
    cell.replaceChildren(...nodes, ...layers.slice(1));
    cell.toggleAttribute("data-piece", Boolean(piece) && piece.state !== "gone");
    cell.setAttribute("aria-label", describe(name, piece, light));
  }
}

function strayMark() {
  const mark = document.createElement("span");
  mark.className = "stray-mark";
  return mark;
}

function describe(name, piece, light) {
  const states = { raised: " in your hand", gone: " missing" };
  const standing = !piece ? "empty" : piece.letter === "?" ? "something" : pieceName(piece.letter) + (states[piece.state] ?? "");
  return [name, standing, light && lightWords(light)].filter(Boolean).join(", ");
}
