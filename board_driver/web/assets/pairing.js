// The token that lets this browser control a board on the network. It is given for the code on the board's terminal.

const KEY = "touchmove-token";

export function readToken() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function forgetToken() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}

// The token for that code. Throws an Error with words for a person.
export async function pair(code) {
  const answer = await fetch("/api/v1/pair", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const { token } = await answer.json();
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // it is good until this tab is closed
  }
  return token;
}
