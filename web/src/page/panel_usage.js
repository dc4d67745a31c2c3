// What the lines about AI and search say.
import { usageRows } from "../pure/sentences.js";
import { accessMark, lineButton, make } from "./dom.js";
import { Panel } from "./panel.js";

const MAX_LINES = 100;

export class UsagePanel extends Panel {
  constructor(model) {
    super("usage", "AI preferences", model);
  }

  draw({ agent, said, lines }) {
    const { url } = this.model.selected;
    const rows = usageRows(said).map(({ line, name, means, access, answer }) => make("tr", {},
      make("th", { scope: "row" }, means, make("small", {}, `${line}: ${name}`)),
      make("td", {}, access === "unknown" ? answer : mark(access, answer))));
    this.replace(
      make("p", {}, "May ", make("b", {}, agent), " use ", make("span", { class: "url" }, url), " for this, after it has fetched the page?"),
      make("table", {},
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Use"), make("th", { scope: "col" }, "Answer"))),
        make("tbody", {}, rows)),
      make("p", { class: "hint" }, "These lines state a wish. They neither allow nor disallow a fetch; Allow and Disallow do."),
      lines.length === 0 ? make("p", { class: "empty" }, "The file has no Content-Signal and no Content-Usage line.")
        : make("ul", { class: "plain" }, lines.slice(0, MAX_LINES).map(({ text, line }) => make("li", {}, lineButton(this.model, line), " ", make("code", {}, text)))));
  }
}

function mark(access, answer) {
  const element = accessMark(access);
  element.lastChild.textContent = ` ${answer}`;
  return element;
}
