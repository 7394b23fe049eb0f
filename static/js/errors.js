// What happened, what is safe, what to try: for every answer that htmx does not swap.
import { toast } from "./toasts.js";
import { meta, word } from "./words.js";

const isLogin = (url) => Boolean(url) && new URL(url, location.href).pathname === meta("login-path");

// A session that ended answers with the login page: never inside a panel, and no text is lost.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!isLogin(event.detail.xhr.responseURL)) return;
  event.detail.shouldSwap = false;
  event.detail.isError = false;
  const banner = document.getElementById("session-banner");
  if (banner) banner.hidden = false;
});

document.addEventListener("htmx:responseError", ({ detail: { xhr, requestConfig } }) => {
  const own = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain") ? xhr.responseText : "";
  if (requestConfig.verb === "get") return markStale(requestConfig.elt, word("panel_failed"));
  toast({ level: "error", text: own.slice(0, 400) || word("failed", { status: xhr.status }) });
});

document.addEventListener("htmx:sendError", ({ detail: { requestConfig } }) => {
  if (requestConfig.verb === "get") return markStale(requestConfig.elt, word("panel_unreached"));
  toast({ level: "error", text: word("not_sent") });
});

function markStale(panel, text) {
  const old = panel.querySelector(":scope > .stale-note");
  const note = old ?? Object.assign(document.createElement("p"), { className: "stale-note pill pill-amber m-2" });
  note.textContent = text;
  if (!old) panel.append(note);
}
