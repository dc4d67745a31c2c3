// What changed since another version of the file, and for which robots.
import { openText } from "./files.js";
import { accessMark, lineButton, make } from "./dom.js";
import { Panel } from "./panel.js";

const MAX_CHANGES = 50;

export class ComparePanel extends Panel {
  slow = true;
  #area;

  constructor(model, page) {
    const area = make("textarea", { id: "before", rows: 6, wrap: "off", spellcheck: false, autocomplete: "off",
      placeholder: "Paste the version before here." });
    const file = make("input", { type: "file", hidden: true, tabIndex: -1, "aria-hidden": "true" });
    super("compare", "Compare", model,
      make("div", { class: "field" },
        make("div", { class: "bar" },
          make("label", { for: "before" }, "The version before"),
          make("span", { class: "actions" },
            make("button", { type: "button", class: "small", on: { click: () => file.click() } }, "Open…"),
            make("button", { type: "button", class: "small", on: { click: () => this.#set(page, page.text()) } }, "Take the text of the editor"), file)),
        area));
    this.#area = area;
    area.addEventListener("input", () => page.onBefore(area.value));
    file.addEventListener("change", async () => {
      const [chosen] = file.files;
      file.value = "";
      if (!chosen) return;
      const { text, error } = await openText(chosen);
      if (error) this.replace(make("p", { class: "empty" }, error));
      else this.#set(page, text);
    });
  }

  set text(text) {
    this.#area.value = text;
  }

  question() {
    const { agents, dialect, before, beforeRevision } = this.model;
    return before === "" ? "Paste or open another version of the file: the page then says which robots may fetch more or less."
      : { agents, dialect, beforeRevision };
  }

  #set(page, text) {
    this.#area.value = text;
    page.onBefore(text);
  }

  draw({ same, robots, addedSitemaps, removedSitemaps, addedSettings, removedSettings, limits }) {
    const settings = [
      ...removedSitemaps.map((sitemap) => ["−", "before", sitemap.line, `Sitemap: ${sitemap.value}`]),
      ...addedSitemaps.map((sitemap) => ["+", "now", sitemap.line, `Sitemap: ${sitemap.value}`]),
      ...removedSettings.map((setting) => ["−", "before", setting.line, settingText(setting)]),
      ...addedSettings.map((setting) => ["+", "now", setting.line, settingText(setting)]),
    ];
    this.replace(
      make("p", {}, make("b", {}, same ? "No robot gains or loses access." : "The versions differ.")),
      limits.map((limit) => make("p", { class: "hint" }, limit)),
      robots.map((robot) => this.#robot(robot)),
      settings.length === 0 ? "" : make("section", { class: "change" }, make("h3", {}, "Other lines"),
        make("ul", {}, settings.map(([sign, when, line, text]) => make("li", {}, make("span", { class: "when" }, `${sign} ${when}: `),
          when === "now" ? lineButton(this.model, line) : `line ${line}`, " ", make("code", {}, text))))));
  }

  #robot({ others, agents, changes, delayBefore, delayAfter }) {
    const names = [...agents, ...(others ? ["every robot that no group names"] : [])];
    const rest = changes.length - MAX_CHANGES;
    return make("section", { class: "change" }, make("h3", {}, names.join(", ")),
      changes.length === 0 ? "" : make("ul", {}, changes.slice(0, MAX_CHANGES).map(({ path, before, after }) => make("li", {},
        make("p", {}, accessMark(after.access), " now: ", make("code", { class: "url" }, path)),
        make("p", { class: "hint" }, "before: ", place(before), "; now: ",
          after.line > 0 ? [lineButton(this.model, after.line), " ", make("code", {}, after.rule)] : "no line decides")))),
      rest > 0 ? make("p", { class: "hint" }, `${rest} more changes are not listed.`) : "",
      delayBefore === delayAfter ? "" : make("p", {}, `Crawl-delay: ${delay(delayBefore)} before, ${delay(delayAfter)} now.`));
  }
}

const delay = (value) => (value === null ? "none" : `${value / 1000} s`);
const place = ({ line, rule }) => (line > 0 ? [`line ${line} `, make("code", {}, rule)] : "no line decided");
const settingText = ({ kind, value, agents }) => `${kind}: ${value}${agents.length > 0 ? ` (for ${agents.join(", ")})` : ""}`;
