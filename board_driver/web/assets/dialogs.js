// The dialogs of the bar: a new game, the names of this one, pairing, and games that were played.

import { $ } from "./dom.js";
import { chosenOpponents, showFitting, showOpponents, startAnalysis, startItself } from "./opponents.js";
import { forgetToken, pair } from "./pairing.js";

const TAGS = ["White", "Black", "Event", "Site", "Round"];

// `send(wish)` asks the board, `current()` is the newest state, `onToken(token)` hears of a pairing.
export function startDialogs(send, current, onToken) {
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
  startNewGame(send, current);
  startHeader(send, current);
  startPairing(onToken);
  startLights(send);
  startItself(send);
  startAnalysis(send);
  $("games").addEventListener("click", async () => (await import("./games.js")).openGames(send, current));
  $("health").addEventListener("click", async () => (await import("./health.js")).openHealth(current));
  $("correct").addEventListener("click", () => correctMove(send, current()));
}

// What the board's own lights show and how bright they are; they follow every page.
function startLights(send) {
  $("lights-setting").addEventListener("change", () => send({ do: "lights", setting: $("lights-setting").value }));
  $("brightness").addEventListener("change", () => send({ do: "brightness", percent: Number($("brightness").value) }));
  $("brightness").addEventListener("input", () => ($("brightness-told").textContent = `${$("brightness").value} %`));
  $("brightness-profile").addEventListener("click", () => send({ do: "brightness", percent: null }));
  $("forget").addEventListener("click", () => {
    forgetToken();
    send({ do: "forget" });
  });
  document.addEventListener("touchmove-state", ({ detail: { settings, brightness, read_only: mute, keeps_pages: keeps } }) => {
    $("board-lights").hidden = mute;
    $("forget-field").hidden = mute || !keeps;
    $("brightness-field").hidden = !brightness.possible;
    $("lights-setting").value = settings.lights;
    const { percent } = brightness;
    if (document.activeElement !== $("brightness")) $("brightness").value = percent ?? 30;
    $("brightness-told").textContent = percent === null ? "as the profile says" : `${percent} %`;
    $("brightness-profile").disabled = percent === null;
  });
}

async function correctMove(send, state) {
  const { openCorrect } = await import("./correct.js");
  await openCorrect({
    moves: state.moves.map(({ san }) => san), first: state.first_ply, ply: null, id: null,
    save: (ply, uci) => send({ do: "correct", ply, uci }),
    back: state.settings.mode === "play" ? (ply) => send({ do: "button", name: "back-to", value: String(ply - 1) }) : null,
  });
}

const CHOSEN = ["mode", "touch", "ruleset", "lights", "promotion", "claims"];

function startNewGame(send, current) {
  const dialog = $("new-dialog");
  const fields = $("new-form").elements;
  const showTouch = () => {
    for (const name of ["touch", "promotion", "claims", "time", "press"]) fields[name].disabled = fields.mode.value !== "play";
    showFitting(fields);
  };
  $("new-form").addEventListener("change", showTouch);
  $("new").addEventListener("click", () => {
    const state = current();
    if (!state) return;
    for (const name of CHOSEN) fields[name].value = state.settings[name];
    for (const name of TAGS) fields[name].value = name === "Event" || name === "Site" ? (state.tags[name] ?? "") : "";
    fields.time.value = state.settings.time ?? "";
    fields.press.checked = state.settings.press;
    fields.fen.value = "";
    fields.chess960.checked = state.settings.chess960;
    showOpponents(fields, state.players);
    showTouch();
    dialog.showModal();
  });
  $("open-setup").addEventListener("click", async () => {
    const { openSetup } = await import("./setup.js");
    openSetup(fields.fen.value.trim(), fields.chess960.checked, current()?.position.fen, (fen, chess960) => {
      fields.fen.value = fen;
      fields.chess960.checked = chess960;
    });
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "start") return;
    const values = Object.fromEntries(CHOSEN.map((name) => [name, fields[name].value]));
    const clock = fields.mode.value === "play" ? { time: fields.time.value.trim(), press: fields.press.checked } : {};
    send({ do: "new", ...values, ...clock, ...chosenOpponents(fields), fen: fields.fen.value || null, chess960: fields.chess960.checked, tags: tagsOf(fields) });
    dialog.returnValue = "";
  });
}

// Names and result of a game: the one on the board, or one that lies in a file.
const header = { shown: "", save: () => {} };

function startHeader(send, current) {
  $("header").addEventListener("click", () => {
    const { tags, result } = current();
    openHeader(tags, result ?? "", (told, decided) => {
      send({ do: "header", tags: told });
      if (decided !== null) send({ do: "decide", result: decided || null });
    });
  });
  $("header-form").addEventListener("change", showAgreed);
  const dialog = $("header-dialog");
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "save") return;
    const fields = $("header-form").elements;
    header.save(tagsOf(fields), fields.result.value === header.shown ? null : fields.result.value);
    dialog.returnValue = "";
  });
}

// `save(tags, result)` is called with what was told; `result` is null where it was left as it was.
export function openHeader(tags, result, save) {
  const fields = $("header-form").elements;
  for (const name of TAGS) fields[name].value = tags[name] && tags[name] !== "?" ? tags[name] : "";
  Object.assign(header, { shown: result, save });
  fields.result.value = result;
  fields.agreed.checked = false;
  showAgreed();
  $("header-dialog").showModal();
}

function showAgreed() {
  const fields = $("header-form").elements;
  const changes = fields.result.value !== header.shown;
  fields.agreed.required = changes;
  $("agreed-field").hidden = !changes;
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
