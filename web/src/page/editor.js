// The editor: a text area whose characters are transparent, and behind it a layer with the coloured lines that are in
// view. The browser keeps typing, selection, undo and screen readers; the work for each key does not grow with the file
// except for the browser's own.
import { replacement } from "../pure/edits.js";
import { parts } from "../pure/highlight.js";
import { Lines, counted } from "../pure/text.js";
import { make } from "./dom.js";

const MARGIN = 8; // pixels above the first line, as in the style
const BEYOND = 6; // lines made above and below the view
const MAX_COLOURED = 2000; // characters of a line
// Characters that browsers insert with a way back in a short time. It grows with the square of the lines (Chromium: two
// seconds for 20,000 characters by a command), so longer texts are set at once, without a way back.
const MAX_COMMAND = 4000;
const MAX_PASTE = 30_000;

const SIGNS = { error: "✕", warning: "!", note: "i" };

export class Editor {
  #area;
  #layer;
  #gutter;
  #lines;
  #marks = new Map(); // line → class of its background
  #findings = new Map(); // line → { severity, texts }
  #shown = "";
  #rows = new Map(); // the lines on the screen
  #lineHeight = 20;
  #frame = 0; // the frame that will draw

  /**
   * @param {HTMLElement} root has the text area
   * @param {{ onInput: () => void, onFinding: (line: number) => void }} handlers
   */
  constructor(root, handlers) {
    this.#area = /** @type {HTMLTextAreaElement} */ (root.querySelector("textarea"));
    this.#layer = make("div", { class: "lines" });
    this.#gutter = make("div", { class: "numbers" });
    /** @type {HTMLElement} */ (root.querySelector(".layer")).append(this.#layer);
    const gutter = /** @type {HTMLElement} */ (root.querySelector(".gutter"));
    gutter.append(this.#gutter);
    gutter.addEventListener("click", (event) => {
      const line = Number(/** @type {HTMLElement} */ (event.target).closest("[data-line]")?.getAttribute("data-line"));
      if (this.#findings.has(line)) handlers.onFinding(line);
    });
    this.#lines = new Lines(this.#area.value);
    this.#area.addEventListener("input", () => {
      this.#lines = new Lines(this.#area.value);
      handlers.onInput(); // first, so the worker answers while this thread draws
      this.#redrawSoon();
    });
    this.#area.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.length <= MAX_PASTE) return;
      event.preventDefault();
      this.#set(text, this.#area.selectionStart, this.#area.selectionEnd);
    });
    this.#area.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this.#area);
    this.#measure();
  }

  get text() {
    return this.#lines.text;
  }

  get lineCount() {
    return this.#lines.count;
  }

  /** Replaces the text without a way back. */
  set text(text) {
    this.#area.value = text;
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
    this.#area.scrollLeft = 0;
    this.#changed();
  }

  /** Changes the text. Undo takes the change back unless it is long. */
  change(text) {
    const edit = replacement(this.text, text);
    if (edit === null) return;
    this.#area.focus();
    this.#area.setSelectionRange(edit.start, edit.end);
    if (edit.text.length <= MAX_COMMAND) {
      document.execCommand(edit.text === "" ? "delete" : "insertText", false, edit.text);
      if (this.#area.value === text) return;
    }
    this.#set(text, 0, this.#area.value.length);
  }

  #set(text, start, end) {
    this.#area.setRangeText(text, start, end, "end");
    this.#area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Colours the backgrounds of lines. */
  setMarks(marks) {
    this.#marks = marks;
    this.#redrawSoon();
  }

  /** Puts signs beside lines. */
  setFindings(findings) {
    this.#findings = findings;
    this.#redrawSoon();
  }

  /** Selects a line and scrolls it into the middle. */
  showLine(line, focus = true) {
    const middle = (line - 1) * this.#lineHeight - this.#area.clientHeight / 2;
    if (focus) {
      this.#area.focus({ preventScroll: true });
      this.#area.setSelectionRange(this.#lines.start(line), this.#lines.end(line));
      this.#area.closest(".card")?.scrollIntoView({ block: "nearest" });
    }
    this.#area.scrollTop = Math.max(0, middle);
    this.#area.scrollLeft = 0;
    this.#draw();
  }

  /** Scrolls to a line only if it is out of view. */
  revealLine(line) {
    const top = (line - 1) * this.#lineHeight;
    const { scrollTop, clientHeight } = this.#area;
    if (top < scrollTop || top + this.#lineHeight > scrollTop + clientHeight) this.showLine(line, false);
  }

  #changed() {
    this.#lines = new Lines(this.#area.value);
    this.#redraw();
  }

  #measure() {
    this.#lineHeight = parseFloat(getComputedStyle(this.#area).lineHeight) || 20;
    this.#redraw();
  }

  #redraw() {
    this.#shown = "";
    this.#draw();
  }

  // Draws in the next frame: reading the place of the view now would lay the page out once more.
  #redrawSoon() {
    this.#shown = "";
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, scrollLeft, clientHeight } = this.#area;
    const height = this.#lineHeight;
    const first = Math.max(1, Math.floor((scrollTop - MARGIN) / height) + 1 - BEYOND);
    const last = Math.min(this.#lines.count, Math.ceil((scrollTop + clientHeight) / height) + BEYOND);
    const range = `${first}-${last}`;
    if (range !== this.#shown) {
      this.#shown = range;
      const rows = new Map();
      for (let line = first; line <= last; ++line) rows.set(line, this.#rowOf(line));
      this.#rows = rows;
      place(this.#layer, [...rows.values()].map(({ text }) => text));
      place(this.#gutter, [...rows.values()].map(({ number }) => number));
      this.#gutter.parentElement.style.width = `${String(this.#lines.count).length + 3.5}ch`;
    }
    const top = MARGIN + (first - 1) * height - scrollTop;
    this.#layer.style.transform = `translate(${-scrollLeft}px, ${top}px)`;
    this.#gutter.style.transform = `translateY(${top}px)`;
  }

  // Returns the elements of a line, those on the screen if they are still right.
  #rowOf(line) {
    const text = this.#lines.line(line);
    const mark = this.#marks.get(line) ?? "";
    const finding = this.#findings.get(line);
    const row = this.#rows.get(line);
    if (row?.said === text && row.mark === mark && row.finding === finding) return row;
    return { said: text, mark, finding, text: lineElement(text, mark), number: numberElement(line, mark, finding) };
  }
  /** Returns what the status line says about the text. */
  get facts() {
    return counted(this.text.endsWith("\n") || this.text === "" ? this.#lines.count - 1 : this.#lines.count, "line");
  }
}

function lineElement(text, mark) {
  const spans = parts(text.slice(0, MAX_COLOURED)).map(([part, name]) => make("span", { class: name }, part));
  return make("div", { class: `line ${mark}` }, spans, text.slice(MAX_COLOURED));
}

function numberElement(line, mark, finding) {
  if (finding === undefined) return make("div", { class: `number ${mark}` }, String(line));
  const { severity, texts } = finding;
  return make("div", { class: `number found ${mark}`, data: { line: String(line) }, title: texts.join("\n") },
    make("span", { class: `sign ${severity}` }, SIGNS[severity]), String(line));
}

// Makes `elements` the children of `parent`. Those that are in their place stay untouched.
function place(parent, elements) {
  elements.forEach((element, i) => {
    const there = parent.children[i];
    if (there === element) return;
    if (there === undefined) parent.append(element);
    else if (elements.includes(there, i)) parent.insertBefore(element, there);
    else there.replaceWith(element);
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}
