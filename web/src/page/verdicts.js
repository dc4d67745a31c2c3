// The verdicts: a row for each robot and URL, and the selected one in full.
import { spoken } from "../pure/sentences.js";
import { counted } from "../pure/text.js";
import { accessMark, byId, lineButton, make } from "./dom.js";

const QUIET = 600; // milliseconds without a change before a screen reader is told
const MAX_SHOWN = 300;

export class Verdicts {
  #model;
  #editor;
  #onSelect;
  #timer = 0;
  #said = "";

  constructor(model, editor, onSelect) {
    this.#model = model;
    this.#editor = editor;
    this.#onSelect = onSelect;
    byId("verdict-rows").addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.#choose(Number(row.dataset.row));
    });
  }

  /** Shows the answers of the worker. */
  show({ rows, asked, truncated, looksLikeHtml }, ms) {
    const model = this.#model;
    const was = model.selected;
    model.rows = rows;
    model.selected = rows.find(({ agent, url }) => agent === was?.agent && url === was?.url) ?? rows[0] ?? null;
    const notes = [];
    if (looksLikeHtml) notes.push("This seems to be an HTML page, not a robots.txt.");
    if (truncated) notes.push("The file is longer than robots of this dialect read; the rest of it does not count.");
    if (asked > rows.length) notes.push(`Only the first ${rows.length} of ${asked} questions are answered here.`);
    const said = JSON.stringify([rows, notes, model.agents.length, rows.indexOf(model.selected)]);
    if (said !== this.#said) {
      this.#said = said;
      this.#drawRows(rows);
      this.#drawSelected(notes);
    }
    byId("verdict-facts").textContent = rows.length === 0 ? "" : `${counted(rows.length, "answer")} in ${ms < 1 ? "less than 1" : Math.round(ms)} ms`;
    document.documentElement.dataset.answered = String(model.fileRevision);
  }

  #choose(index) {
    this.#model.selected = this.#model.rows[index];
    for (const [i, row] of [...byId("verdict-rows").querySelectorAll("[data-row]")].entries()) {
      row.setAttribute("aria-pressed", String(i === index));
    }
    this.#said = "";
    this.#drawSelected([]);
    const { line } = this.#model.selected.verdict;
    if (line > 0) this.#editor.revealLine(line);
    this.#onSelect();
  }

  #drawRows(rows) {
    const shown = rows.slice(0, MAX_SHOWN);
    const buttons = rows.length < 2 ? [] : shown.map((row, index) =>
      make("button", { type: "button", class: "row", data: { row: String(index) },
        "aria-pressed": String(row === this.#model.selected) },
        accessMark(row.verdict.access),
        make("span", { class: "what" }, make("span", { class: "url" }, row.url), make("span", { class: "who" }, row.agent)),
        make("span", { class: "where" }, row.verdict.line > 0 ? `line ${row.verdict.line}` : "no line")));
    const rest = rows.length > MAX_SHOWN ? [make("p", { class: "empty" }, `${rows.length - MAX_SHOWN} more are in the JSON of the tab Share.`)] : [];
    byId("verdict-rows").replaceChildren(...buttons, ...rest);
  }

  #drawSelected(notes) {
    const row = this.#model.selected;
    const detail = byId("verdict-detail");
    const hints = notes.map((note) => make("p", { class: "hint" }, note));
    if (row === null) {
      this.#editor.setMarks(new Map());
      const missing = this.#model.agents.length === 0 ? "Name a robot" : "Enter a URL or a path";
      detail.replaceChildren(...hints, make("p", { class: "empty" }, `${missing} to get a verdict.`));
      return;
    }
    const { verdict, agent, url, why, note, delay } = row;
    this.#mark(verdict);
    const lines = [
      ["Decided by", verdict.rule],
      ["Runner-up", verdict.runnerUp],
      ["Group", verdict.group && { line: verdict.group.line, text: `User-agent: ${verdict.group.agent}` }],
    ].filter(([, place]) => place);
    detail.replaceChildren(...hints,
      make("p", { class: `answer ${verdict.access}` }, accessMark(verdict.access),
        make("span", { class: "asked" }, make("b", {}, agent), " ", make("span", { class: "url" }, url))),
      make("p", { class: "why" }, why),
      make("dl", { class: "places" }, lines.map(([title, place]) => [make("dt", {}, title),
        make("dd", {}, lineButton(this.#model, place.line), make("code", {}, place.text))])),
      note === "" ? "" : make("p", { class: "hint" }, note),
      delay === null ? "" : make("p", { class: "hint" }, `Crawl-delay for this robot: ${delay / 1000} s between requests.`));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { byId("spoken").textContent = spoken(row); }, QUIET);
  }

  #mark({ access, line, runnerUp, group }) {
    const marks = new Map();
    if (group) marks.set(group.line, "in-group");
    if (runnerUp) marks.set(runnerUp.line, "runner-up");
    if (line > 0) marks.set(line, `decides ${access}`);
    this.#editor.setMarks(marks);
  }
}
