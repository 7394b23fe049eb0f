// "3 min ago" stays true while the page is open.
import { now } from "./clock.js";

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const format = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "auto", style: "short" });

export function relative(iso) {
  const seconds = (Date.parse(iso) - now()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(Math.trunc(seconds), "second");
}

function paint(root) {
  root.querySelectorAll("time[data-ago]").forEach((time) => {
    time.textContent = relative(time.dateTime);
  });
}

paint(document);
setInterval(() => document.hidden || paint(document), 15000);
document.addEventListener("htmx:afterSwap", (event) => paint(event.target));
