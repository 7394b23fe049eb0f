// Short messages at the edge: what was done, with an undo where there is one; what failed, and what is safe.
import { word } from "./words.js";

const STAY_MS = { ok: 6000, undo: 10000, error: 15000 };

export function toast({ text, level = "ok", undo_url: undoUrl = "" }) {
  const shelf = document.getElementById("toasts");
  const line = document.createElement("div");
  line.className = `toast-line toast-${level}`;
  line.setAttribute("role", level === "error" ? "alert" : "status");
  const sentence = document.createElement("p");
  sentence.textContent = text;
  line.append(sentence);
  if (undoUrl) line.append(button(word("undo"), "btn btn-sm", () => undo(undoUrl, line)));
  const close = button("", "btn-close", () => line.remove());
  close.setAttribute("aria-label", word("close"));
  line.append(close);
  shelf.append(line);
  setTimeout(() => line.remove(), STAY_MS[undoUrl ? "undo" : level] ?? STAY_MS.ok);
}

function button(text, classes, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: classes, textContent: text });
  made.addEventListener("click", act);
  return made;
}

function undo(url, line) {
  line.remove();
  window.htmx.ajax("POST", url, { swap: "none" });
}

// The server says it with `HX-Trigger: {"toast": {...}}` (core/web/answers.py).
document.addEventListener("toast", (event) => toast(event.detail));
document.querySelectorAll("[data-toast]").forEach((message) => {
  toast({ text: message.textContent.trim(), level: message.dataset.toast });
});
