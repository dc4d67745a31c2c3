// The tabs below the verdict. Only the chosen panel asks the workers.
import { byId, make } from "./dom.js";
import { ComparePanel } from "./panel_compare.js";
import { CrawlersPanel } from "./panel_crawlers.js";
import { DialectsPanel } from "./panel_dialects.js";
import { SharePanel } from "./panel_share.js";
import { TreePanel } from "./panel_tree.js";
import { UsagePanel } from "./panel_usage.js";

/**
 * A panel has an id, a title, the element `body`, and ask(): the question for its worker, or null and what is missing.
 * @typedef {{ id: string, title: string, body: HTMLElement, slow: boolean, update: (workers: any) => void }} Panel
 */

export class Tabs {
  #panels;
  #workers;
  #tabs;
  #chosen;
  #compare;

  constructor(model, workers, page) {
    this.#workers = workers;
    this.#compare = new ComparePanel(model, page);
    this.#panels = [new DialectsPanel(model), new CrawlersPanel(model), new TreePanel(model), this.#compare,
      new UsagePanel(model), new SharePanel(model, page)];
    this.#tabs = this.#panels.map(({ id, title, body }) => {
      const tab = make("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`,
        on: { click: () => this.choose(id) } }, title);
      Object.assign(body, { id: `panel-${id}`, className: `panel ${id}`, tabIndex: 0 });
      body.setAttribute("role", "tabpanel");
      body.setAttribute("aria-labelledby", tab.id);
      return tab;
    });
    byId("tabs").append(...this.#tabs);
    byId("tabs").addEventListener("keydown", (event) => this.#key(event));
    byId("panels").append(...this.#panels.map(({ body }) => body));
    this.choose(this.#panels[0].id);
  }

  get chosen() {
    return this.#chosen;
  }

  /** Shows a panel. */
  choose(id) {
    if (!this.#panels.some((panel) => panel.id === id)) return;
    this.#chosen = id;
    this.#panels.forEach((panel, i) => {
      const isChosen = panel.id === id;
      panel.body.hidden = !isChosen;
      this.#tabs[i].setAttribute("aria-selected", String(isChosen));
      this.#tabs[i].tabIndex = isChosen ? 0 : -1;
    });
    this.#panel().update(this.#workers);
  }

  setBefore(text) {
    this.#compare.text = text;
  }

  /** Asks again for what is quick. */
  update() {
    if (!this.#panel().slow) this.#panel().update(this.#workers);
    else this.#panel().refresh(this.#workers);
  }

  /** Asks again for what needs the whole file. */
  updateSlow() {
    if (this.#panel().slow) this.#panel().update(this.#workers);
  }

  #panel() {
    return /** @type {any} */ (this.#panels.find(({ id }) => id === this.#chosen));
  }

  #key(event) {
    const at = this.#panels.findIndex(({ id }) => id === this.#chosen);
    const last = this.#panels.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(this.#panels[to].id);
    this.#tabs[to].focus();
  }
}
