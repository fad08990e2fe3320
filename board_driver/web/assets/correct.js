// Putting a game right afterwards: which move it was. Only moves after which the rest of the game is legal can be chosen.

import { ask } from "./api.js";
import { element, makeDialog, selectField } from "./dom.js";

let parts = null;

// `moves` are the game's moves as SAN, `first` the plies before the first, `ply` the one to begin with (from 1), `id` the
// game's name or null for the one on the board; `save(ply, uci)` is called with what was chosen, and may throw.
// `back(ply)`, where there is one, sets the game back to before that ply, and the board is led there.
export async function openCorrect({ moves, first, ply, id, save, back = null }) {
  parts ??= build();
  Object.assign(parts, { id, save, back });
  parts.backButton.hidden = !back;
  parts.which.replaceChildren(...moves.map((san, i) => element("option", { value: i + 1 }, numbered(san, first + i))));
  parts.which.value = String(ply ?? moves.length);
  parts.dialog.showModal();
  await offer();
}

export const numbered = (san, ply) => `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."} ${san}`;

function build() {
  const [whichField, which] = selectField("This move", []);
  const [wasField, was] = selectField("was", []);
  const said = element("p", { className: "dialog-said", role: "status" });
  const saveButton = element("button", { type: "button", className: "called", textContent: "Put it right", onclick: finish });
  const backButton = element("button", { type: "button", textContent: "Set the game back to before it", onclick: setBack });
  const dialog = makeDialog("correct-dialog", "Correct a move",
    element("p", { className: "dialog-note" }, "What you choose stands in the score and in the PGN. The rest of the game must stay legal."),
    element("div", { className: "pair-of-fields" }, whichField, wasField), said,
    element("p", { className: "dialog-buttons" }, backButton, saveButton));
  which.addEventListener("change", offer);
  return { dialog, which, was, said, saveButton, backButton };
}

async function offer() {
  const { which, was, said, saveButton, id } = parts;
  const ply = which.value;
  const san = which.selectedOptions[0]?.textContent.split(" ")[1];
  saveButton.disabled = true;
  said.textContent = "";
  try {
    const { choices } = await ask(`/choices?ply=${ply}${id ? `&id=${encodeURIComponent(id)}` : ""}`);
    if (which.value !== ply) return;
    was.replaceChildren(...choices.map((choice) => element("option", { value: choice.uci, disabled: !choice.fits, selected: choice.san === san }, choice.fits ? choice.san : `${choice.san} (a later move would not be legal)`)));
    const others = choices.filter((choice) => choice.fits).length - 1;
    said.textContent = others ? `${others} other move${others > 1 ? "s" : ""} would fit.` : "No other move would fit the moves after it.";
    saveButton.disabled = !others;
  } catch (problem) {
    said.textContent = problem.message;
  }
}

function setBack() {
  parts.back(Number(parts.which.value));
  parts.dialog.close();
}

async function finish() {
  const { dialog, which, was, said, save } = parts;
  try {
    await save(Number(which.value), was.value);
    dialog.close();
  } catch (problem) {
    said.textContent = problem.message;
  }
}
