// Copy buttons. Without a secure context there is no clipboard: then the text is selected instead.
import { word } from "./words.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = button.dataset.copy.startsWith("#") ? document.querySelector(button.dataset.copy) : null;
  const text = source ? (source.value ?? source.textContent).trim() : button.dataset.copy;
  const done = (await viaClipboard(text)) || viaSelection(source, text);
  say(button, done ? word("copied") : word("copy_by_hand"));
});

async function viaClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function viaSelection(source, text) {
  const holder = source ?? Object.assign(document.createElement("textarea"), { value: text });
  if (!source) document.body.append(holder);
  if (holder.select) holder.select();
  else getSelection().selectAllChildren(holder);
  const done = document.execCommand("copy");
  if (!source) holder.remove();
  return done;
}

function say(button, text) {
  const label = button.querySelector("[data-label]") ?? button;
  const before = button.dataset.before ?? label.textContent;
  button.dataset.before = before;
  label.textContent = text;
  setTimeout(() => {
    label.textContent = before;
    delete button.dataset.before;
  }, 1800);
}
