// What the known crawlers may fetch, by kind.
import { KIND_TITLES, REACH } from "../pure/sentences.js";
import { accessMark, lineButton, make } from "./dom.js";
import { Panel } from "./panel.js";

const OBEYS = { no: "ignores robots.txt", partly: "may ignore robots.txt" };

export class CrawlersPanel extends Panel {
  slow = true;
  #filter;
  #kinds = [];
  #closed = new Set(); // the kinds that a person has closed

  constructor(model) {
    const filter = make("input", { type: "search", id: "crawler-filter", autocomplete: "off", spellcheck: false });
    super("crawlers", "Crawlers", model,
      make("label", { class: "inline", for: "crawler-filter" }, "Show only names with", filter));
    this.#filter = filter;
    filter.addEventListener("input", () => this.#list());
  }

  question() {
    const { selected, dialect } = this.model;
    return { page: selected?.url ?? "/", dialect };
  }

  draw(kinds) {
    this.#kinds = kinds;
    this.#list();
  }

  #list() {
    const { page } = this.question();
    const word = this.#filter.value.trim().toLowerCase();
    const sections = this.#kinds.map(({ kind, means, members, allowed }) => {
      const shown = members.filter(({ name, operatedBy }) => `${name} ${operatedBy}`.toLowerCase().includes(word));
      if (shown.length === 0) return "";
      const open = word !== "" || !this.#closed.has(kind);
      return make("details", { open, on: { toggle: (event) => {
        if (event.target.open) this.#closed.delete(kind);
        else if (word === "") this.#closed.add(kind);
      } } },
        make("summary", {}, make("b", {}, KIND_TITLES[kind] ?? kind), make("span", { class: "facts" }, `${allowed} of ${members.length} allowed`)),
        make("p", { class: "hint" }, `${means[0].toUpperCase()}${means.slice(1)}.`),
        make("table", {},
          make("thead", {}, make("tr", {}, ["Crawler", "This page", "It may fetch", "By"].map((title) => make("th", { scope: "col" }, title)))),
          make("tbody", {}, shown.map((crawler) => this.#row(crawler)))));
    });
    this.replace(make("p", {}, "May they fetch ", make("span", { class: "url" }, page), "?"),
      sections.some((section) => section !== "") ? sections : make("p", { class: "empty" }, "No known crawler has such a name."));
  }

  #row({ name, operatedBy, obeys, access, reach, group, rule }) {
    const line = rule?.line ?? group?.line;
    const by = line === undefined ? "no group" : lineButton(this.model, line,
      rule ? `line ${line}` : `line ${line}, group ${group.agent}`);
    return make("tr", {},
      make("th", { scope: "row" }, name, make("small", {}, [operatedBy, OBEYS[obeys]].filter(Boolean).join(", "))),
      make("td", {}, accessMark(access)),
      make("td", {}, REACH[reach]),
      make("td", {}, by));
  }
}
