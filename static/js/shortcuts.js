// j and k walk the rows, Enter opens, / searches, c declares, ? says all this.
const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);

function walk(step) {
  const list = rows();
  if (!list.length) return;
  const at = list.findIndex((row) => row.classList.contains("current"));
  const next = list[Math.min(list.length - 1, Math.max(0, at + step))] ?? list[0];
  list.forEach((row) => row.classList.toggle("current", row === next));
  const link = next.matches("a") ? next : next.querySelector("a[href], button");
  (link ?? next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function press(key) {
  const target = document.querySelector(`[data-key="${key}"]`);
  if (!target) return false;
  if (target.matches("input, textarea")) target.focus();
  else target.click();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "?") document.getElementById("keys-dialog")?.showModal();
  else if (!/^[a-z/]$/.test(event.key) || !press(event.key)) return;
  event.preventDefault();
});

// A click anywhere on a row opens it; links and buttons inside stay themselves.
document.addEventListener("click", (event) => {
  const row = event.target.closest("[data-row][data-href]");
  if (!row || event.target.closest("a, button, input, label, select") || !getSelection().isCollapsed) return;
  if (event.metaKey || event.ctrlKey) window.open(row.dataset.href);
  else location.href = row.dataset.href;
});
