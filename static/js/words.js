// Sentences that modules show, translated by the server (core/templatetags/warroom_ui.py, `words`).
const block = document.getElementById("words");
const WORDS = block ? JSON.parse(block.textContent) : {};

export function word(key, values = {}) {
  return (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export function meta(name) {
  return document.querySelector(`meta[name="${name}"]`)?.content ?? "";
}
