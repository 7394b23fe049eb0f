// Nothing jumps: a live swap keeps scroll, focus, selection, open parts and half-written text.
const WAIT_MS = 500;
const SELECTION_MS = 15000;
const FIELDS = "textarea, select, input:not([type=hidden], [type=submit])";
const shown = new Map(); // id -> the text last swapped in
const waiting = new Map(); // element -> since

const isLive = (event) => event.detail.requestConfig?.triggeringEvent?.type?.startsWith("live:");
const nameOf = (field) => field.id || `${field.form?.id ?? field.form?.getAttribute("hx-post") ?? ""}/${field.name}`;
let composing = null;
document.addEventListener("compositionstart", (event) => (composing = event.target));
document.addEventListener("compositionend", () => (composing = null));

// A dialog, a menu, Chinese input in progress or a selection inside: the change waits until it is over.
function busy(target) {
  if (target.querySelector("dialog[open], .dropdown-menu.show") || target.contains(composing)) return true;
  const selection = getSelection();
  const selected = !selection.isCollapsed && target.contains(selection.anchorNode);
  return selected && Date.now() - (waiting.get(target) ?? Date.now()) < SELECTION_MS;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  if (!isLive(event) || !event.detail.shouldSwap) return;
  if (shown.get(target.id) === xhr.responseText && target.id) {
    event.detail.shouldSwap = false; // the same again
  } else if (busy(target)) {
    event.detail.shouldSwap = false;
    if (!waiting.has(target)) waiting.set(target, Date.now());
    setTimeout(() => again(event.detail.requestConfig), WAIT_MS);
  } else {
    waiting.delete(target);
    if (target.id) shown.set(target.id, xhr.responseText);
    target.dataset.kept = "1";
    kept = remember(target);
  }
});

function again({ elt, triggeringEvent }) {
  if (!elt.isConnected) return;
  if (busy(elt)) setTimeout(() => again({ elt, triggeringEvent }), WAIT_MS);
  else document.body.dispatchEvent(new CustomEvent(triggeringEvent.type));
}

let kept = null;

function remember(target) {
  const fields = [...target.querySelectorAll(FIELDS)].filter(isTouched);
  const active = target.contains(document.activeElement) ? document.activeElement : null;
  return {
    id: target.id,
    values: fields.map((field) => [nameOf(field), field.value, field.checked]),
    open: [...target.querySelectorAll("details[id]")].map((details) => [details.id, details.open]),
    scroll: [...target.querySelectorAll("[data-keep-scroll]")].map((box) => [box.id, box.scrollTop, box.scrollLeft]),
    active: active && { name: nameOf(active), id: active.id, range: rangeOf(active) },
    page: [scrollX, scrollY],
  };
}

function isTouched(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((o) => o.selected !== o.defaultSelected);
  return field.value !== field.defaultValue;
}

function rangeOf(field) {
  try {
    return [field.selectionStart, field.selectionEnd];
  } catch {
    return null;
  }
}

document.addEventListener("htmx:afterSettle", () => {
  if (!kept) return;
  const { id, values, open, scroll, active, page } = kept;
  kept = null;
  const root = id ? document.getElementById(id) : document;
  if (!root) return;
  const fields = new Map([...root.querySelectorAll(FIELDS)].map((field) => [nameOf(field), field]));
  values.forEach(([name, value, checked]) => fields.has(name) && Object.assign(fields.get(name), { value, checked }));
  open.forEach(([name, isOpen]) => document.getElementById(name)?.toggleAttribute("open", isOpen));
  scroll.forEach(([name, top, left]) => document.getElementById(name)?.scrollTo({ top, left, behavior: "instant" }));
  if (active) focusAgain(active, fields);
  scrollTo({ left: page[0], top: page[1], behavior: "instant" });
});

function focusAgain({ name, id, range }, fields) {
  const field = (id && document.getElementById(id)) || fields.get(name);
  if (!field) return;
  field.focus({ preventScroll: true });
  if (range?.[0] != null) field.setSelectionRange?.(...range);
}
