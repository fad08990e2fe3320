// Players without hands: whom a new game is played against, and who moves their pieces on a virtual board.

import { $, element } from "./dom.js";

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const programOf = (player) => player.split(":")[0];
const settingsOf = (player) => player.slice(programOf(player).length + 1);
const nameOf = (program) => capital(program.split("/").pop());

// Let the fields of the new game's dialog show who plays now.
export function showOpponents(fields, players) {
  const engines = players.offered.map((program) => element("option", { value: program }, nameOf(program)));
  const both = players.offered.slice(0, 1).map((program) => element("option", { value: `both:${program}` }, `nobody: watch ${nameOf(program)} play itself`));
  fields.opponent.replaceChildren(
    element("option", { value: "hand" }, "somebody at the board"), ...engines,
    element("option", { value: "remote" }, "somebody far away"), ...both);
  const { white, black } = players;
  fields.mine.value = white !== "hand" && black === "hand" ? "black" : "white";
  const theirs = fields.mine.value === "white" ? black : white;
  const opponent = white !== "hand" && black !== "hand" ? `both:${programOf(black)}` : programOf(theirs);
  fields.opponent.value = [...fields.opponent.options].some(({ value }) => value === opponent) ? opponent : "hand";
  showStrength(fields, players.offered.includes(programOf(theirs)) ? settingsOf(theirs) : "elo=1500");
  fields.follow.checked = players.follow;
  showFitting(fields);
}

function showStrength(fields, settings) {
  for (const option of fields.strength.querySelectorAll("[data-now]")) option.remove();
  if (![...fields.strength.options].some(({ value }) => value === settings)) {
    fields.strength.append(element("option", { value: settings, dataset: { now: "" } }, `as now: ${settings}`));
  }
  fields.strength.value = settings;
}

// Only what goes together may be chosen.
export function showFitting(fields) {
  const opponent = fields.opponent.value;
  const isEngine = opponent !== "hand" && opponent !== "remote";
  const ruled = fields.mode.value === "play";
  fields.opponent.disabled = !ruled;
  fields.mine.disabled = !ruled || opponent === "hand" || opponent.startsWith("both:");
  fields.strength.disabled = !ruled || !isEngine;
  fields.follow.disabled = !ruled || opponent === "hand";
}

// What of a new game's wish says who plays.
export function chosenOpponents(fields) {
  if (fields.mode.value !== "play") return {};
  const isBoth = fields.opponent.value.startsWith("both:");
  const opponent = isBoth ? fields.opponent.value.slice(5) : fields.opponent.value;
  const isEngine = opponent !== "hand" && opponent !== "remote";
  const player = isEngine && fields.strength.value ? `${opponent}:${fields.strength.value}` : opponent;
  const mine = isBoth ? player : "hand";
  const [white, black] = fields.mine.value === "white" ? [mine, player] : [player, mine];
  return { white, black, follow: fields.follow.checked };
}

// Whether a virtual board moves the pieces of such players by itself.
export function startItself(send) {
  $("itself").addEventListener("change", () => send({ do: "itself", on: $("itself").checked }));
  document.addEventListener("touchmove-state", ({ detail: { players, read_only: mute } }) => {
    $("itself-field").hidden = players.itself === null || !players.handless.length;
    $("itself").checked = Boolean(players.itself);
    $("itself").disabled = mute;
  });
}

// What an engine thinks of the position, where that is wanted and allowed.
export function startAnalysis(send) {
  $("analysis").addEventListener("change", () => send({ do: "analysis", on: $("analysis").checked }));
  document.addEventListener("touchmove-state", ({ detail: { players, result, settings, read_only: mute } }) => {
    const { analysis, offered } = players;
    $("analysis-field").hidden = !analysis?.allowed || !offered.length || settings.mode !== "play" || Boolean(result);
    $("analysis").checked = Boolean(analysis?.on);
    $("analysis").disabled = mute;
    $("judgement").textContent = analysis?.on && analysis.allowed ? judged(analysis) : "";
  });
}

function judged({ cp, mate, san }) {
  if (san === undefined) return "…";
  const signed = (value, text) => `${value < 0 ? "−" : "+"}${text}`;
  const worth = mate === null ? signed(cp ?? 0, (Math.abs(cp ?? 0) / 100).toFixed(2)) : signed(mate, `mate in ${Math.abs(mate)}`);
  return `${worth} · ${san}`;
}

// What is to be known of one side's player, beside whether it has the move.
export function playerNote({ players, result }, colour) {
  if (result || !players) return "";
  if (players.failed.includes(colour)) return "does not answer";
  return players.thinking.includes(colour) ? "thinking" : "";
}
