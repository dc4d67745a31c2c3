// Light, dark, or as the system has it. The choice is kept in this browser if it lets pages keep anything.
import { byId } from "./dom.js";

const KEY = "robotrules-theme";
const THEMES = ["auto", "light", "dark"];

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Sets the theme, and lets the select change it. */
export function startTheme() {
  const select = byId("theme");
  const choose = (theme) => {
    document.documentElement.dataset.theme = theme;
    select.value = theme;
  };
  const theme = kept();
  choose(THEMES.includes(theme) ? theme : "auto");
  select.addEventListener("change", () => {
    choose(select.value);
    keep(select.value);
  });
}
