// One question in every dialect.
import { DIALECTS } from "../pure/sentences.js";
import { accessMark, lineButton, make } from "./dom.js";
import { Panel } from "./panel.js";

export class DialectsPanel extends Panel {
  constructor(model) {
    super("dialects", "Dialects", model);
  }

  draw({ rows, agree }) {
    const { agent, url } = this.model.selected;
    const body = rows.map(({ dialect, access, line, rule }) => {
      const [, name, means] = DIALECTS.find(([id]) => id === dialect) ?? ["", dialect, ""];
      return make("tr", {},
        make("th", { scope: "row" }, name, make("small", {}, means)),
        make("td", {}, accessMark(access)),
        make("td", {}, line > 0 ? [lineButton(this.model, line), " ", make("code", {}, rule.text)] : "no line"));
    });
    this.replace(
      make("p", {}, make("b", {}, agree ? "All dialects agree" : "The dialects disagree"),
        " about ", make("span", { class: "url" }, url), ` for ${agent}.`),
      make("table", {},
        make("thead", {}, make("tr", {}, ["Dialect", "Verdict", "Deciding line"].map((title) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, body)));
  }
}
