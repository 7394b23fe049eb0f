// The timeline of a room: new lines get a quiet mark, and a pill when they came in above the window.
import { word } from "./words.js";

const newest = () => Math.max(0, ...[...document.querySelectorAll("[data-line]")].map((line) => Number(line.dataset.line)));
let seen = newest();
let unseen = 0;

function timeline() {
  return document.querySelector("[data-timeline]");
}

function above() {
  return timeline()?.getBoundingClientRect().top < 0;
}

function mark() {
  const fresh = [...document.querySelectorAll("[data-line]")].filter((line) => Number(line.dataset.line) > seen);
  fresh.forEach((line) => line.classList.add("flash-new"));
  unseen = above() ? unseen + fresh.length : 0;
  seen = Math.max(seen, newest());
  paint();
}

function paint() {
  const pill = document.querySelector("[data-timeline-new]");
  if (!pill) return;
  pill.hidden = unseen === 0;
  pill.querySelector("[data-text]").textContent = word("new_entries", { n: unseen });
}

document.addEventListener("htmx:afterSettle", (event) => event.target.id === "room-timeline" && mark());
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-timeline-new]")) timeline().scrollIntoView({ block: "start" });
});
addEventListener("scroll", () => {
  if (unseen && !above()) {
    unseen = 0;
    paint();
  }
}, { passive: true });

document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.('[data-send-on="ctrl-enter"]');
  if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) field.form.requestSubmit();
});
