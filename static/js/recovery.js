// The print button of the daily page. Delegated, so that it works after a live refresh.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) window.print();
});
