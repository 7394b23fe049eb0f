// Half-written text survives reloads, swaps and an expired login: `data-draft="incident-12-note"`.
const SAVE_MS = 400;
const KEEP_MS = 7 * 86400000;
const keyOf = (field) => `draft:${document.body.dataset.user ?? ""}:${field.dataset.draft}`;
const timers = new WeakMap();

function store(field) {
  try {
    if (field.value.trim()) localStorage.setItem(keyOf(field), JSON.stringify({ text: field.value, at: Date.now() }));
    else localStorage.removeItem(keyOf(field));
  } catch {
    // Private windows may have no storage: then there are no drafts.
  }
}

function restore(root) {
  root.querySelectorAll?.("[data-draft]").forEach((field) => {
    try {
      const draft = JSON.parse(localStorage.getItem(keyOf(field)));
      if (!draft || field.value.trim()) return;
      if (Date.now() - draft.at > KEEP_MS) localStorage.removeItem(keyOf(field));
      else field.value = draft.text;
    } catch {
      // Unreadable: as good as none.
    }
  });
}

function forget(form) {
  form.querySelectorAll("[data-draft]").forEach((field) => {
    clearTimeout(timers.get(field));
    localStorage.removeItem(keyOf(field));
    field.value = "";
  });
}

document.addEventListener("input", (event) => {
  const field = event.target.closest?.("[data-draft]");
  if (!field) return;
  clearTimeout(timers.get(field));
  timers.set(field, setTimeout(() => store(field), SAVE_MS));
});
addEventListener("pagehide", () => document.querySelectorAll("[data-draft]").forEach(store));
document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  const form = elt.closest("form");
  const login = xhr.responseURL && new URL(xhr.responseURL).pathname.startsWith("/accounts/");
  if (form && xhr.status >= 200 && xhr.status < 300 && !login) forget(form);
});
document.addEventListener("htmx:afterSettle", (event) => restore(event.target));
restore(document);
