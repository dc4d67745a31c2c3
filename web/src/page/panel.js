// What all panels share.
import { make } from "./dom.js";

export class Panel {
  body = make("div");
  slow = false; // true: its answer needs the whole file, so it waits for a pause of the typing
  #content = make("div");
  #asked = ""; // the last question
  #said = ""; // the answer that is drawn

  constructor(id, title, model, ...before) {
    this.id = id;
    this.title = title;
    this.model = model;
    this.body.append(...before, this.#content);
  }

  /** Asks a worker and draws the answer. */
  async update(workers) {
    const asked = this.question();
    this.#asked = JSON.stringify(asked);
    if (typeof asked === "string") {
      this.#said = "";
      this.replace(make("p", { class: "empty" }, asked));
      return;
    }
    const answer = await (this.slow ? workers.slow : workers.fast).ask(this.id, asked);
    if (answer === null) return;
    const said = JSON.stringify([answer.error, answer.value, asked]);
    if (said !== this.#said) {
      if (answer.error) this.replace(make("p", { class: "empty" }, answer.error));
      else this.draw(answer.value);
    }
    this.#said = said;
    this.body.dataset.drawn = String(Number(this.body.dataset.drawn ?? 0) + 1);
  }

  /** Asks again if the question has changed. A changed file does not count: a slow panel waits for update(). */
  refresh(workers) {
    if (JSON.stringify(this.question()) !== this.#asked) this.update(workers);
  }

  /** Returns the question about the selected verdict, or what is missing. */
  selected() {
    const { selected, dialect } = this.model;
    return selected === null ? "Name a robot and a URL above." : { agent: selected.agent, url: selected.url, dialect };
  }

  replace(...children) {
    const focused = this.#content.contains(document.activeElement);
    this.#content.replaceChildren(...children.flat(Infinity));
    if (focused) this.body.focus({ preventScroll: true });
  }

  /** @returns {any} */
  question() {
    return this.selected();
  }

  draw(_answer) {}
}
