// Runs before the first paint: dark or light as the system says, also when it changes its mind.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.bsTheme = dark.matches ? "dark" : "light";
    document.dispatchEvent(new CustomEvent("theme-changed"));
  };
  apply();
  dark.addEventListener("change", apply);
})();
