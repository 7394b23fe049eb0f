// Turns what the hub says into `live:<topic>` events on body. Hidden tabs release their topics.
import { LiveHub } from "./live-hub.js";
import { meta, word } from "./words.js";

const JITTER_MS = 300;
const pill = document.getElementById("live-pill");
const topics = [...new Set(meta("live-topics").split(/\s+/).filter(Boolean))];
const origin = meta("live-origin");
const urls = {
  stream: new URL(meta("live-stream"), origin || location.href).href,
  changes: new URL(meta("live-changes"), location.href).href,
  serverMs: Number(meta("server-ms")),
};
const timer = {};
let unreachedSince = null;

function fire(topic) {
  // One page must not ask twice for one change, and five hundred must not ask at once.
  if (timer[topic]) return;
  timer[topic] = setTimeout(() => {
    delete timer[topic];
    document.body.dispatchEvent(new CustomEvent(`live:${topic}`));
  }, Math.random() * JITTER_MS);
}

function hear(message) {
  if (message.type === "change") fire(message.topic);
  else if (message.type === "catchup") topics.forEach(fire);
  else if (message.type === "unreached") unreached();
  else if (message.type === "reached") reached();
  else if (message.type === "signed-out") document.getElementById("session-banner").hidden = false;
  else if (message.type === "state") show(message);
}

function clockTime(ms) {
  return new Date(ms).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
}

function show({ state, since }) {
  if (!pill) return;
  document.body.dataset.live = state;
  const kind = { live: "pill-ok", polling: "pill-amber" }[state] ?? "";
  const text = { live: word("live"), polling: word("polling", { time: clockTime(since) }) }[state] ?? word("connecting");
  paint(text, kind);
}

function unreached() {
  unreachedSince ??= Date.now();
  paint(word("unreached", { time: clockTime(unreachedSince) }), "pill-red");
}

function reached() {
  if (unreachedSince === null) return;
  unreachedSince = null;
  paint(word("polling", { time: clockTime(Date.now()) }), "pill-amber");
}

function paint(text, kind) {
  pill.querySelector("[data-text]").textContent = text;
  pill.className = `pill ${kind}`;
  pill.title = text;
}

function makeLine() {
  try {
    const worker = new SharedWorker(meta("live-worker"), { type: "module", name: "live" });
    worker.port.addEventListener("message", ({ data }) => hear(data));
    worker.port.start();
    return (message) => worker.port.postMessage(message);
  } catch {
    // Plain HTTP on some browsers, and old ones: a hub of this page's own.
    const hub = new LiveHub();
    return ({ type, topics: list }) => (type === "bye" ? hub.drop(hear) : hub.set(hear, list, urls, hear));
  }
}

if (topics.length && meta("live-stream")) {
  const say = makeLine();
  const tell = () => say({ type: "topics", topics: document.hidden ? [] : topics, urls });
  tell();
  document.addEventListener("visibilitychange", tell);
  addEventListener("pageshow", (event) => event.persisted && tell());
  addEventListener("pagehide", () => say({ type: "bye" }));
} else if (pill) {
  pill.hidden = true;
}
