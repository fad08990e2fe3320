// The connection to the board's computer: one whole state comes in, then what changes; wishes go out. It comes back by
// itself, and then begins with a whole state again.

const PATH = "/api/v1/feed";
const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 5000;

export class Feed {
  // `on.state(state, isSettled)`, `on.refused(text)` and `on.connection(isUp)` are called as things happen.
  // `url` is another feed than this server's own; `token` is shown on connecting, where there is one.
  constructor(on, url = null, token = () => null) {
    this.on = on;
    this.url = url ?? `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${PATH}`;
    this.token = token;
    this.state = null;
    this.retryMs = FIRST_RETRY_MS;
    this.timer = null;
    this.connect();
    // A laptop that wakes or a phone that comes back should not wait for the next try.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  // Ask for something; false if there is no connection, and then nothing will come of it.
  send(wish) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(wish));
    this.sent += 1;
    return true;
  }

  connect() {
    this.timer = null;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.state = null;
    this.sent = 0; // wishes on this connection; a state says how many of them it has heard
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.wait();
    socket.onopen = () => this.introduce();
  }

  // Tell who this page is, if it was paired.
  introduce() {
    const token = this.token();
    if (token) this.send({ do: "hello", token });
  }

  hear(message) {
    this.retryMs = FIRST_RETRY_MS;
    if (message.type === "state" || message.type === "change") {
      this.state = merge(message.type === "state" ? {} : this.state, message);
      this.on.connection(true);
      this.on.state({ ...this.state }, message.heard >= this.sent);
    } else if (message.type === "refused") {
      this.on.refused(message.text);
    }
  }

  wait() {
    this.on.connection(false);
    this.timer = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }

  hurry() {
    if (this.timer === null || document.hidden) return;
    clearTimeout(this.timer);
    this.connect();
  }
}

// The state with a change in it. Of the moves only those after `moves_from` are told anew.
function merge(state, { moves_from: from, ...news }) {
  if (from !== undefined) news.moves = [...state.moves.slice(0, from), ...news.moves];
  return { ...state, ...news };
}
