// The findings of lint: signs beside the lines, and a list with remedies.
import { applyEdits } from "../pure/edits.js";
import { counted } from "../pure/text.js";
import { byId, lineButton, make } from "./dom.js";

const MAX_SHOWN = 100;
const ORDER = ["error", "warning", "note"];

export class Findings {
  #model;
  #editor;
  #worker;
  #found = null;
  #said = "";

  constructor(model, editor, worker) {
    this.#model = model;
    this.#editor = editor;
    this.#worker = worker;
    byId("fix").addEventListener("click", () => this.#preview());
  }

  /** Asks for the findings about the file. */
  async update() {
    const revision = this.#model.fileRevision;
    const answer = await this.#worker.ask("lint", {});
    if (answer === null || revision !== this.#model.fileRevision) return;
    if (answer.error) {
      byId("findings-facts").textContent = answer.error;
      return;
    }
    const said = JSON.stringify(answer.value);
    this.#found = answer.value;
    if (said !== this.#said) this.#draw();
    this.#said = said;
    document.documentElement.dataset.checked = String(revision);
  }

  /** Shows the first finding of a line in the list. */
  show(line) {
    const item = byId("findings").querySelector(`[data-line="${line}"]`);
    if (!item) return;
    item.scrollIntoView({ block: "nearest" });
    item.focus({ preventScroll: true });
  }

  #draw() {
    const { findings, total, fixed } = this.#found;
    const places = new Map();
    for (const { line, severity, message } of findings) {
      const place = places.get(line);
      if (place === undefined) places.set(line, { severity, texts: [message] });
      else {
        place.texts.push(message);
        if (ORDER.indexOf(severity) < ORDER.indexOf(place.severity)) place.severity = severity;
      }
    }
    this.#editor.setFindings(places);
    byId("findings-facts").textContent = summary(findings, total);
    const fix = byId("fix");
    fix.hidden = fixed === null;
    fix.textContent = fixed === null ? "" : `Fix ${counted(fixed.edits, "line")}…`;
    byId("fix-preview").hidden = true;
    const sorted = [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || a.line - b.line);
    const items = sorted.slice(0, MAX_SHOWN).map((finding) => this.#item(finding));
    const more = total > MAX_SHOWN ? make("p", { class: "empty" }, `${total - MAX_SHOWN} more are not listed. Run robotrules lint robots.txt to see them all.`) : "";
    byId("findings").replaceChildren(items.length === 0 ? make("p", { class: "empty" }, "Nothing found.")
      : make("ul", {}, items), more);
  }

  #item(finding) {
    const { severity, line, message, remedy, code, edits } = finding;
    const apply = edits.length === 0 ? null : make("button", { type: "button", class: "small",
      "aria-label": `Apply the remedy for line ${line}: ${remedy}`,
      on: { click: () => this.#editor.change(applyEdits(this.#editor.text, edits)) } }, "Apply");
    return make("li", { data: { line: String(line) }, tabIndex: -1, class: severity },
      make("p", { class: "head" }, make("span", { class: `severity ${severity}` }, severity), " ",
        line > 0 ? lineButton(this.#model, line) : "the file", " ", make("code", { class: "code" }, code)),
      make("p", {}, message),
      make("p", { class: "remedy" }, make("span", {}, remedy), apply));
  }

  // Shows what an automatic correction would change, and asks.
  #preview() {
    const { fixed } = this.#found;
    const preview = byId("fix-preview");
    const close = () => {
      preview.hidden = true;
      byId("fix").focus();
    };
    const diff = fixed.diff.split("\n").slice(2, 400).map((line) =>
      make("span", { class: { "+": "added", "-": "removed", "@": "place" }[line[0]] ?? "" }, `${line}\n`));
    const apply = make("button", { type: "button", class: "primary", on: { click: () => {
      preview.hidden = true;
      this.#editor.change(fixed.text);
    } } }, "Apply all");
    preview.replaceChildren(
      make("p", {}, "These changes alter no verdict of any robot."),
      make("pre", { class: "diff", tabIndex: 0, role: "region", "aria-label": "Changes" }, diff),
      make("p", { class: "buttons" }, apply, make("button", { type: "button", on: { click: close } }, "Cancel")));
    preview.hidden = false;
    apply.focus();
  }
}

function summary(findings, total) {
  if (total === 0) return "";
  if (total > findings.length) return counted(total, "finding");
  return ORDER.map((severity) => [findings.filter((finding) => finding.severity === severity).length, severity])
    .filter(([count]) => count > 0).map(([count, severity]) => counted(count, severity)).join(", ");
}
