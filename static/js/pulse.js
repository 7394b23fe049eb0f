// Asks every 15 s how the timers are, and corrects the clocks by the server's time.
import { setServerTime } from "./clock.js";
import { meta, word } from "./words.js";

const EVERY_MS = 15000;
const pill = document.getElementById("sweep-pill");
const banner = document.getElementById("sweep-banner");

async function ask() {
  const sent = Date.now();
  const answer = await fetch(meta("pulse"), { headers: { Accept: "application/json" }, redirect: "manual" });
  if (!answer.ok) throw new Error(`pulse ${answer.status}`);
  const pulse = await answer.json();
  // The server's instant lies half a round trip back.
  setServerTime(pulse.at + (Date.now() - sent) / 2);
  show(pulse.text, pulse.silent ? "pill-red" : "pill-ok");
  banner.hidden = !pulse.silent;
  banner.textContent = pulse.banner;
}

function show(text, kind) {
  pill.querySelector("[data-text]").textContent = text;
  pill.classList.remove("pill-ok", "pill-red", "pill-amber");
  pill.classList.add(kind);
}

async function beat() {
  if (document.hidden) return;
  try {
    await ask();
  } catch {
    show(word("no_contact"), "pill-amber");
  }
}

if (pill && meta("pulse")) {
  setInterval(beat, EVERY_MS);
  document.addEventListener("visibilitychange", beat);
}
