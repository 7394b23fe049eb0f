// Filter bars are plain GET forms: a change of a choice sends them, empty fields stay out of the address.
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-autosubmit]");
  if (form && event.target.matches("select, input[type=checkbox], input[type=date], input[type=radio]")) form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-autosubmit]")) return;
  for (const field of event.target.querySelectorAll("input, select")) field.disabled ||= field.value === "";
});

addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-autosubmit] :disabled").forEach((field) => (field.disabled = false));
});
