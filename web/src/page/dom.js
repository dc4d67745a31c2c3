// Making elements.

/**
 * Returns a new element. `properties`: properties of the element; those with "-" and "role" are attributes; `on` has
 * listeners, `data` the dataset. Children that are null or false are left out.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "class") element.className = value;
    else if (key.includes("-") || key === "role" || key === "for" || key === "scope" || key === "colspan") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

/** @param {string} id */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

/** Returns the mark of an access: a word with a sign, so that colour is not needed to read it. */
export function accessMark(access) {
  const sign = { allowed: "✓", disallowed: "✕", unknown: "?" }[access] ?? "?";
  return make("span", { class: `mark ${access}` }, make("span", { "aria-hidden": "true" }, sign), ` ${access}`);
}

/** Returns a button that shows a line in the editor. */
export function lineButton(model, line, text = `line ${line}`) {
  return make("button", { type: "button", class: "link", on: { click: () => model.showLine(line) } }, text);
}

/** Copies a text, and says so on the button. */
export async function copyFrom(button, text) {
  const was = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = was; }, 1500);
}

// Pages from a disk may not use the clipboard directly.
function copyBySelection(text) {
  const area = make("textarea", { value: text, class: "visually-hidden" });
  document.body.append(area);
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  area.select();
  document.execCommand("copy");
  area.remove();
  active?.focus();
}
