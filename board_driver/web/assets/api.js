// What is asked for by HTTP. Answers other than good ones become Errors with words for a person.

import { readToken } from "./pairing.js";

export const API = "/api/v1";

export async function ask(path) {
  return json(await fetch(API + path, { headers: bearer() }));
}

export async function order(path, body) {
  return json(await fetch(API + path, { method: "POST", headers: { "Content-Type": "application/json", ...bearer() }, body: JSON.stringify(body) }));
}

export function bearer() {
  const token = readToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function json(answer) {
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}
