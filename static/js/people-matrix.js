// A cell that is clicked fills the one form of the matrix; dialogs.js opens it.
const dialog = document.getElementById("cell-dialog");

document.addEventListener(
  "click",
  (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell || !dialog) return;
    const form = dialog.querySelector("form");
    form.elements.failure_class.value = cell.dataset.class;
    form.elements.domain.value = cell.dataset.domain;
    form.elements.version.value = cell.dataset.version;
    form.elements.letter.value = cell.dataset.letter;
    form.elements.condition.value = cell.dataset.condition;
    dialog.querySelector("[data-show=class]").textContent = cell.dataset.class;
    dialog.querySelector("[data-show=domain]").textContent = cell.dataset.domain;
  },
  true,
);
