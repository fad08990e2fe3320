// The dialogs of the bar: a new game, the names of this one, pairing, and games that were played.

import { $ } from "./dom.js";
import { pair, readToken } from "./pairing.js";

const TAGS = ["White", "Black", "Event", "Site", "Round"];

// `send(wish)` asks the board, `current()` is the newest state, `onToken(token)` hears of a pairing.
export function startDialogs(send, current, onToken) {
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
  startNewGame(send, current);
  startHeader(send, current);
  startPairing(onToken);
  $("games").addEventListener("click", async () => (await import("./games.js")).openGames(readToken));
}

function startNewGame(send, current) {
  const dialog = $("new-dialog");
  const fields = $("new-form").elements;
  const showTouch = () => (fields.touch.disabled = fields.mode.value !== "play");
  $("new-form").addEventListener("change", showTouch);
  $("new").addEventListener("click", () => {
    const state = current();
    if (!state) return;
    for (const name of ["mode", "touch", "ruleset", "lights"]) fields[name].value = state.settings[name];
    for (const name of TAGS) fields[name].value = name === "Event" || name === "Site" ? (state.tags[name] ?? "") : "";
    fields.fen.value = "";
    fields.chess960.checked = state.settings.chess960;
    showTouch();
    dialog.showModal();
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "start") return;
    const values = Object.fromEntries(["mode", "touch", "ruleset", "lights"].map((name) => [name, fields[name].value]));
    send({ do: "new", ...values, fen: fields.fen.value || null, chess960: fields.chess960.checked, tags: tagsOf(fields) });
    dialog.returnValue = "";
  });
}

function startHeader(send, current) {
  const dialog = $("header-dialog");
  const fields = $("header-form").elements;
  let shown = "";
  $("header").addEventListener("click", () => {
    const { tags, result } = current();
    for (const name of TAGS) fields[name].value = tags[name] ?? "";
    shown = result ?? "";
    fields.result.value = shown;
    fields.agreed.checked = false;
    showAgreed();
    dialog.showModal();
  });
  const showAgreed = () => {
    const changes = fields.result.value !== shown;
    fields.agreed.required = changes;
    $("agreed-field").hidden = !changes;
  };
  $("header-form").addEventListener("change", showAgreed);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "save") return;
    send({ do: "header", tags: tagsOf(fields) });
    if (fields.result.value !== shown) send({ do: "decide", result: fields.result.value || null });
    dialog.returnValue = "";
  });
}

const tagsOf = (fields) => Object.fromEntries(TAGS.map((name) => [name, fields[name].value.trim()]));

function startPairing(onToken) {
  const dialog = $("pair-dialog");
  const form = $("pair-form");
  $("pair").addEventListener("click", () => {
    $("pair-trouble").textContent = "";
    dialog.showModal();
  });
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value === "cancel") return;
    event.preventDefault();
    try {
      onToken(await pair(form.elements.code.value));
      form.reset();
      dialog.close();
    } catch (problem) {
      $("pair-trouble").textContent = problem.message;
    }
  });
}
