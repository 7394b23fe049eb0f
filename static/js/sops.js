// Steps of an SOP: minutes used against the budget tick on; a button that needs a note opens it.
import { now } from "./clock.js";

const AMBER_FROM = 0.75;
const EVERY_MS = 5000;

function paint(clock) {
  const { started, budget, scale } = clock.dataset;
  const used = Math.max(0, ((now() - Date.parse(started)) / 60000) * Number(scale));
  const part = Math.floor(used) / Number(budget);
  const level = part >= 2 ? "decide" : part >= 1 ? "red" : part >= AMBER_FROM ? "amber" : "";
  clock.querySelector("[data-step-used]").textContent = Math.floor(used);
  clock.classList.toggle("pill-amber", level === "amber");
  clock.classList.toggle("pill-red", level === "red" || level === "decide");
  const word = clock.parentElement.querySelector("[data-step-word]");
  if (!word) return;
  word.textContent = level ? clock.dataset[level] : "";
  word.classList.toggle("text-amber", level === "amber");
  word.classList.toggle("text-bad", level !== "amber");
}

function paintAll() {
  if (!document.hidden) document.querySelectorAll("[data-step-clock]").forEach(paint);
}

// Failed and Skip say why: without a note they open its field instead of asking the server.
function ask(event) {
  const button = event.target.closest("[data-needs-note]");
  if (!button) return;
  const note = button.form.elements.note;
  if (note.value.trim()) return;
  event.preventDefault();
  event.stopPropagation();
  document.querySelector(button.dataset.needsNote).open = true;
  note.focus();
}

setInterval(paintAll, EVERY_MS);
document.addEventListener("visibilitychange", paintAll);
document.addEventListener("htmx:afterSwap", paintAll);
document.addEventListener("click", ask, true);
