// Printing the daily page: the button, and light colours on paper whatever the screen has.
const root = document.documentElement;
let onScreen = null;

function wear(theme) {
  root.dataset.bsTheme = theme;
  document.dispatchEvent(new Event("theme-changed"));
}

document.addEventListener("click", (event) => {
  // Delegated, so that the button works after a live refresh; charts redraw before the dialog opens.
  if (!event.target.closest?.("[data-print]")) return;
  const theme = root.dataset.bsTheme;
  if (theme === "light") return void window.print();
  onScreen = theme;
  wear("light");
  setTimeout(() => window.print(), 400);
});

addEventListener("afterprint", () => {
  if (onScreen) wear(onScreen);
  onScreen = null;
});
