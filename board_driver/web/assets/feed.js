// The connection to the board's computer: one whole state comes in, then what changes; wishes go out. It comes back by
// itself, and then begins with a whole state again.
//
// A laptop that slept, or a network that went away, leaves connections that look alive and are not: after a silence, or
// when time has jumped, the page asks whether anybody is there, and connects anew where no answer comes.

const PATH = "/api/v1/feed";
const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 5000;
const TICK_MS = 5000;
const JUMP_MS = 15000; // a tick that comes so late: this machine was asleep
const SILENCE_MS = 40000;
const ANSWER_MS = 5000;

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
    this.patience = null; // for an answer, or for a connection to be made
    this.tickMs = this.heardMs = Date.now();
    this.connect();
    setInterval(() => this.tick(), TICK_MS);
    // A laptop that wakes or a phone that comes back should not wait for the next try.
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  // Ask for something; false if there is no connection, and then nothing will come of it.
  send(wish) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(wish));
    this.sent += 1;
    return true;
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.state = null;
    this.sent = 0; // wishes on this connection; a state says how many of them it has heard
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.wait();
    socket.onopen = () => this.introduce();
    this.stopExpecting();
    this.expect();
  }

  // Tell who this page is, if it was paired.
  introduce() {
    const token = this.token();
    if (token) this.send({ do: "hello", token });
  }

  hear(message) {
    this.retryMs = FIRST_RETRY_MS;
    this.heardMs = Date.now();
    this.stopExpecting();
    if (message.type === "state" || message.type === "change") {
      this.state = merge(message.type === "state" ? {} : this.state, message);
      this.on.connection(true);
      this.on.state({ ...this.state }, message.heard >= this.sent);
    } else if (message.type === "refused") {
      this.on.refused(message.text);
    }
  }

  // -- when it is lost

  tick() {
    const nowMs = Date.now();
    const slept = nowMs - this.tickMs > JUMP_MS;
    this.tickMs = nowMs;
    if (slept || nowMs - this.heardMs > SILENCE_MS) this.wake();
  }

  // Connect at once if there is no connection; else see whether there is one still.
  wake() {
    if (this.timer !== null) this.connect();
    else if (this.send({ do: "alive" })) this.expect();
  }

  // Something has to come soon; asking again meanwhile does not make it later.
  expect() {
    this.patience ??= setTimeout(() => this.drop(), ANSWER_MS);
  }

  stopExpecting() {
    clearTimeout(this.patience);
    this.patience = null;
  }

  // Nobody answers: do not wait until the system notices.
  drop() {
    this.socket.onmessage = this.socket.onclose = this.socket.onopen = null;
    this.socket.close();
    this.wait();
  }

  wait() {
    this.stopExpecting();
    this.on.connection(false);
    this.timer = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }
}

// The state with a change in it. Of the moves only those after `moves_from` are told anew.
function merge(state, { moves_from: from, ...news }) {
  if (from !== undefined) news.moves = [...state.moves.slice(0, from), ...news.moves];
  return { ...state, ...news };
}
