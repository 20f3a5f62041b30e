/** Day, or the table in lamp light. */

/** @typedef {"auto" | "light" | "dark"} Theme */

const lamp = matchMedia("(prefers-color-scheme: dark)");
lamp.addEventListener("change", () => applyTheme(firstTheme()));

/** @returns {Theme} the one chosen before, else the device's. */
export function firstTheme() {
  const stored = localStorage.getItem("theme");
  return stored === "light" || stored === "dark" ? stored : "auto";
}

/** @param {Theme} theme */
export function applyTheme(theme) {
  document.documentElement.dataset.theme = theme === "auto" ? (lamp.matches ? "dark" : "light") : theme;
}
