// Native dialogs: `data-dialog="#id"` opens, `data-close` closes; `data-confirm` says a consequence first.
const confirmDialog = document.getElementById("confirm-dialog");

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) open(opener);
  const closer = event.target.closest("[data-close]");
  if (closer) closer.closest("dialog")?.close();
});

function open(opener) {
  const dialog = document.querySelector(opener.dataset.dialog);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  (dialog.querySelector("[autofocus]") ?? dialog.querySelector("input:not([type=hidden]), textarea, select"))?.focus();
}

// A dialog whose content comes from the server opens when it is there.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (!target.matches?.("dialog.dialog")) return;
  if (!target.open) target.showModal();
  target.querySelector("[autofocus], .dialog-body :is(input:not([type=hidden]), select, textarea)")?.focus();
});

// The server closes the dialog a form sits in with `HX-Trigger: done`.
document.addEventListener("done", (event) => event.target.closest?.("dialog")?.close());

// Undo or confirm, never both: irreversible actions say what they do, in the button too.
function ask(element, go) {
  confirmDialog.querySelector("[data-text]").textContent = element.dataset.confirm;
  confirmDialog.querySelector("[data-title]").textContent = element.dataset.confirmTitle ?? element.textContent.trim();
  const yes = confirmDialog.querySelector("[data-yes]");
  yes.textContent = element.dataset.confirmButton ?? element.textContent.trim();
  yes.onclick = () => {
    confirmDialog.close();
    go();
  };
  confirmDialog.showModal();
}

document.addEventListener("htmx:confirm", (event) => {
  const element = event.detail.elt.closest("[data-confirm]");
  if (!element) return;
  event.preventDefault();
  ask(element, () => event.detail.issueRequest(true));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.confirm || form.hasAttribute("hx-post") || form.dataset.confirmed) return;
  event.preventDefault();
  ask(form, () => {
    form.dataset.confirmed = "1";
    form.requestSubmit(event.submitter);
  });
});
