// The same question as a link, as command lines and as JSON.
import { commands, jsonLines } from "../pure/command.js";
import { toFragment } from "../pure/state.js";
import { sizeText } from "../pure/text.js";
import { copyFrom, make } from "./dom.js";
import { Panel } from "./panel.js";

const LONG_LINK = 8000; // characters: many programs cut longer ones
const MAX_LINK = 2_000_000; // browsers refuse longer ones
const MAX_JSON_SHOWN = 20_000; // characters; copying takes all of it

export class SharePanel extends Panel {
  #page;
  #asked = 0;

  constructor(model, page) {
    super("share", "Share", model);
    this.#page = page;
  }

  async update() {
    const turn = ++this.#asked;
    const fragment = await toFragment(this.#page.state());
    if (turn !== this.#asked) return;
    const link = location.href.split("#")[0] + fragment;
    const { agents, urls, dialect, rows } = this.model;
    const json = jsonLines(rows, dialect);
    this.replace(
      this.#block("link", "Link", linkHint(link), link, true),
      make("h3", {}, "Command lines"),
      make("p", { class: "hint" }, "For a shell, in the folder of the file; see robotrules help."),
      commands({ agents, urls, dialect }).map(({ says, line }, index) => this.#block(`command-${index}`, says, "", line, false)),
      this.#block("json", "JSON", "One object for each verdict, as robotrules check --json prints it.", json, false));
    this.body.dataset.drawn = String(Number(this.body.dataset.drawn ?? 0) + 1);
  }

  #block(id, title, hint, text, isLink) {
    const shown = text.length > MAX_JSON_SHOWN ? `${text.slice(0, MAX_JSON_SHOWN)}…` : text;
    const copy = make("button", { type: "button", class: "small", "aria-label": `Copy: ${title}`, on: { click: () => copyFrom(copy, text) } }, "Copy");
    return make("section", { class: "block" },
      make("div", { class: "bar" }, make("h4", {}, title), make("span", { class: "actions" }, copy)),
      hint === "" ? "" : make("p", { class: "hint" }, hint),
      make("pre", { id: `share-${id}`, class: isLink ? "breaks" : "", tabIndex: 0, role: "region", "aria-label": title }, shown));
  }
}

function linkHint(link) {
  const size = sizeText(link.length);
  if (link.length > MAX_LINK) return `The link has ${size}, which is too long for browsers. Send the file instead.`;
  const said = "The file, the questions and the settings are in the link itself, behind “#”; browsers do not send that part.";
  return link.length > LONG_LINK ? `${said} It has ${size}; some programs cut such long links.` : said;
}
