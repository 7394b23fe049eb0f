// One tick a second moves every clock of the page. The server's time counts, not the browser's.
import { meta } from "./words.js";

const AMBER_FROM = 0.5;
const RED_FROM = 0.9;
const DAY = 86400;
let skew = 0; // milliseconds to add to this browser's time

export function setServerTime(ms) {
  if (ms > 0) skew = ms - Date.now();
}

export const now = () => Date.now() + skew;

export function duration(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  const pad = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 2 * DAY) return `${Math.floor(whole / DAY)} d ${Math.floor(h % 24)} h`;
  return h > 0 ? `${pad(h)}:${pad(m)}:${pad(s)}` : `${pad(m)}:${pad(s)}`;
}

export function levelOf(passed) {
  if (passed >= 1) return "over";
  if (passed >= RED_FROM) return "red";
  return passed >= AMBER_FROM ? "amber" : "calm";
}

function paint(clock) {
  const { started, due, state } = clock.dataset;
  if (state !== "running" && state !== "breached") return;
  const [from, to, at] = [Date.parse(started), Date.parse(due), now()];
  // Both ends round the same way: 10:00 at the start, 00:00 on the deadline, +00:01 a second later.
  const left = Math.ceil((to - at) / 1000);
  const level = levelOf((at - from) / Math.max(1, to - from));
  setText(clock.querySelector("[data-clock-value]"), (left < 0 ? "+" : "") + duration(left));
  setText(clock.querySelector("[data-clock-word]"), left < 0 ? clock.dataset.wordOver : clock.dataset.wordLeft);
  if (clock.dataset.level !== level) clock.dataset.level = level;
  const bar = clock.querySelector("progress");
  if (bar) bar.value = Math.min(1, Math.max(0, (at - from) / (to - from)));
}

function setText(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

export function paintAll(root = document) {
  root.querySelectorAll("[data-clock]").forEach(paint);
}

function tick() {
  if (!document.hidden) paintAll();
  setTimeout(tick, 1000 - (now() % 1000) + 5);
}

setServerTime(Number(meta("server-ms")));
tick();
document.addEventListener("visibilitychange", () => document.hidden || paintAll());
document.addEventListener("htmx:afterSwap", (event) => paintAll(event.target));
