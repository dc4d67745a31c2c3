// What is open and closed for the selected robot, as a tree.
import { nameOf } from "../pure/tree.js";
import { counted } from "../pure/text.js";
import { lineButton, make } from "./dom.js";
import { Panel } from "./panel.js";

const STEP = 200; // children that are shown at a time
const OPEN_UP_TO = 60; // nodes: a small tree is open from the start

const SIGNS = { open: "✓", closed: "✕", partly: "◐" };

export class TreePanel extends Panel {
  constructor(model) {
    super("tree", "Open and closed", model);
  }

  question() {
    const asked = this.selected();
    return typeof asked === "string" ? asked : { agent: asked.agent, dialect: asked.dialect };
  }

  draw({ agent, rules, root, complete }) {
    this.replace(
      make("p", {}, "Paths in the rules for ", make("b", {}, agent), ` (${counted(rules, "rule")}). “…” means: and all that begins so.`),
      complete ? "" : make("p", { class: "hint" }, "Only the first 20,000 paths are shown."),
      make("ul", { class: "tree" }, this.#item(root, true, root.count <= OPEN_UP_TO)));
  }

  #item(node, open, deep) {
    const title = [
      make("span", { class: `sign ${node.state}`, "aria-hidden": "true" }, SIGNS[node.state]),
      make("span", { class: "path" }, nameOf(node)),
      make("span", { class: `state ${node.state}` }, node.state === "partly" ? `partly, else ${node.open ? "open" : "closed"}` : node.state),
    ];
    const by = node.line > 0 ? make("div", { class: "by" }, lineButton(this.model, node.line)) : null;
    if (node.children.length === 0) return make("li", {}, make("div", { class: "leaf" }, title), by);
    const list = make("ul");
    const fill = () => {
      if (list.childElementCount === 0) this.#fill(list, node.children, 0, deep);
    };
    if (open) fill();
    const details = make("details", { open, on: { toggle: fill } }, make("summary", {}, title), list);
    return make("li", {}, details, by);
  }

  #fill(list, children, from, deep) {
    list.append(...children.slice(from, from + STEP).map((child) => this.#item(child, deep, deep)));
    if (children.length <= from + STEP) return;
    const more = make("button", { type: "button", class: "small", on: { click: () => {
      more.parentElement?.remove();
      this.#fill(list, children, from + STEP, deep);
    } } }, `${children.length - from - STEP} more`);
    list.append(make("li", {}, more));
  }
}
