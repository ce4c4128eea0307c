// Light, dark, or as the system has it; set before anything is drawn, so that nothing flashes.
(() => {
  const chosen = localStorage.getItem("surelist.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
