// One stream for any number of pages: runs in the SharedWorker, or in the page where there is none.
// It says which topic changed; pages fetch what they show. Loss is harmless: it polls when in doubt.

const CONNECT_MS = 3000;
const POLL_MS = 5000;
const RETRY_MS = 15000;
const SETTLE_MS = 60;
const RELEASE_MS = 2000;

export class LiveHub {
  constructor() {
    this.pages = new Map(); // page -> { topics: Set, send }
    this.subscribed = new Set();
    this.versions = new Map();
    this.source = null;
    this.state = "idle";
    this.since = Date.now();
  }

  // `page` is any key; `send(message)` delivers to it.
  set(page, topics, urls, send) {
    this.urls = urls;
    this.told ||= urls.serverMs; // the server's time (ms) up to which pages know everything
    const before = this.pages.get(page)?.topics ?? new Set();
    this.pages.set(page, { topics: new Set(topics), send });
    const added = topics.filter((topic) => !before.has(topic));
    send({ type: "state", state: this.state, since: this.since });
    if (added.length && added.every((topic) => this.subscribed.has(topic))) send({ type: "catchup" });
    this.plan(added.some((topic) => !this.subscribed.has(topic)) ? SETTLE_MS : RELEASE_MS);
  }

  drop(page) {
    this.pages.delete(page);
    this.plan(RELEASE_MS);
  }

  plan(delay) {
    if (this.planned && this.plannedFor <= Date.now() + delay) return;
    clearTimeout(this.planned);
    this.plannedFor = Date.now() + delay;
    this.planned = setTimeout(() => {
      this.planned = null;
      this.follow();
    }, delay);
  }

  wanted() {
    return new Set([...this.pages.values()].flatMap(({ topics }) => [...topics]));
  }

  follow() {
    const wanted = this.wanted();
    if (!wanted.size) return this.stop();
    const same = wanted.size === this.subscribed.size && [...wanted].every((t) => this.subscribed.has(t));
    if (same && (this.source || this.polling)) return;
    this.subscribed = wanted;
    this.open();
  }

  stop() {
    this.close();
    clearInterval(this.polling);
    this.polling = null;
    this.subscribed = new Set();
    this.become("idle");
  }

  close() {
    clearTimeout(this.patience);
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  open() {
    this.close();
    if (this.state !== "polling") this.become("connecting");
    const source = new EventSource(`${this.urls.stream}?topics=${this.list()}`, { withCredentials: true });
    this.source = source;
    this.patience = setTimeout(() => this.giveUp(), CONNECT_MS);
    source.addEventListener("hello", (event) => this.arrive(JSON.parse(event.data).at));
    source.addEventListener("bye", () => this.signedOut());
    source.addEventListener("change", (event) => this.change(JSON.parse(event.data)));
    source.onerror = () => this.giveUp();
  }

  arrive(at) {
    this.told = at;
    clearTimeout(this.patience);
    clearInterval(this.polling);
    this.polling = null;
    this.become("live");
    this.broadcast({ type: "catchup" });
  }

  giveUp() {
    this.close();
    this.become("polling");
    this.retry = setTimeout(() => this.open(), RETRY_MS);
    if (this.polling) return;
    this.poll();
    this.polling = setInterval(() => this.poll(), POLL_MS);
  }

  async poll() {
    try {
      const url = `${this.urls.changes}?topics=${this.list()}&since=${this.told}`;
      const answer = await fetch(url, { credentials: "same-origin", redirect: "manual" });
      if (answer.type === "opaqueredirect") return this.signedOut();
      if (!answer.ok) throw new Error(String(answer.status));
      const { at, changed } = await answer.json();
      this.told = at;
      for (const [topic, version] of Object.entries(changed)) this.change({ topic, version });
      this.broadcast({ type: "reached" });
    } catch {
      this.broadcast({ type: "unreached" });
    }
  }

  signedOut() {
    this.stop();
    this.broadcast({ type: "signed-out" });
  }

  change({ topic, version }) {
    const known = this.versions.get(topic);
    if (known !== undefined && version <= known) return;
    this.versions.set(topic, version);
    for (const { topics, send } of this.pages.values()) {
      if (topics.has(topic)) send({ type: "change", topic, version });
    }
  }

  become(state) {
    if (state === this.state) return;
    this.state = state;
    this.since = Date.now();
    this.broadcast({ type: "state", state, since: this.since });
  }

  broadcast(message) {
    for (const { send } of this.pages.values()) send(message);
  }

  list() {
    return [...this.subscribed].sort().map(encodeURIComponent).join(",");
  }
}
