// The connection to the board's computer: whole states come in, wishes go out. It comes back by itself.

const PATH = "/api/v1/feed";
const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 5000;

export class Feed {
  // `on.state(state, isSettled)`, `on.refused(text)` and `on.connection(isUp)` are called as things happen.
  constructor(on) {
    this.on = on;
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
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${PATH}`);
    this.socket = socket;
    this.sent = 0; // wishes on this connection; a state says how many of them it has heard
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.wait();
  }

  hear(message) {
    this.retryMs = FIRST_RETRY_MS;
    if (message.type === "state") {
      this.on.connection(true);
      this.on.state(message, message.heard >= this.sent);
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
