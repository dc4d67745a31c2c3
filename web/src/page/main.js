// The page: connects the editor, the questions, the workers and the panels.
import { DIALECTS } from "../pure/sentences.js";
import { fromFragment } from "../pure/state.js";
import { sizeText, urlOrPath, withPlainLineEnds, words } from "../pure/text.js";
import { startWorkers } from "./client.js";
import { byId } from "./dom.js";
import { Editor } from "./editor.js";
import { EXAMPLE } from "./example.js";
import { openText, saveText, startFiles } from "./files.js";
import { Findings } from "./findings.js";
import { Tabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { Verdicts } from "./verdicts.js";

const LARGE = 64 * 1024; // characters: a file of this size is checked for mistakes when the typing pauses
const PAUSE = 250; // milliseconds

/** What the page knows. The revisions tell the workers which of their texts are old. */
class Model {
  file = /** @type {string | Uint8Array} */ ("");
  fileRevision = 0;
  before = "";
  beforeRevision = 0;
  agents = [];
  urls = [];
  dialect = DIALECTS[0][0];
  selected = null; // the row of verdicts that the panels are about
  rows = [];
  /** @type {(line: number) => void} */
  showLine = () => {};

  setFile(file) {
    this.file = file;
    ++this.fileRevision;
  }

  setBefore(text) {
    if (text === this.before) return;
    this.before = text;
    ++this.beforeRevision;
  }
}

function fail(message) {
  const notice = byId("notice");
  notice.textContent = message;
  notice.hidden = message === "";
}

class Page {
  model = new Model();
  #timer = 0;

  constructor() {
    const { model } = this;
    this.workers = startWorkers(model, (message) => fail(`The engine of the page failed: ${message}`));
    this.editor = new Editor(byId("editor"), {
      onInput: () => this.#fileChanged(this.editor.text),
      onFinding: (line) => this.findings.show(line),
    });
    model.showLine = (line) => this.editor.showLine(line);
    this.findings = new Findings(model, this.editor, this.workers.slow);
    this.verdicts = new Verdicts(model, this.editor, (row) => this.#select(row));
    this.tabs = new Tabs(model, this.workers, {
      text: () => this.editor.text,
      state: () => this.state(),
      onBefore: (text) => this.#beforeChanged(text),
    });
    for (const id of ["agents", "urls"]) byId(id).addEventListener("input", () => this.ask());
    byId("dialect").addEventListener("change", () => this.ask());
    byId("known").addEventListener("change", (event) => this.#addRobot(event.target));
    byId("example").addEventListener("click", () => this.load(EXAMPLE));
    byId("clear").addEventListener("click", () => {
      this.editor.change("");
      byId("file").focus();
    });
    byId("save").addEventListener("click", () => saveText("robots.txt", this.editor.text));
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault(); // the fragment of the address is the state
      byId("verdict").focus();
    });
    startFiles(byId("open"), byId("open-file"), (file) => this.open(file));
  }

  /** Shows a state of the page. */
  load({ file = "", before = "", agents = "", urls = "", dialect = DIALECTS[0][0], view = "" }) {
    byId("agents").value = agents;
    byId("urls").value = urls;
    byId("dialect").value = DIALECTS.some(([id]) => id === dialect) ? dialect : DIALECTS[0][0];
    this.model.selected = null;
    this.tabs.setBefore(before);
    this.model.setBefore(before);
    if (view !== "") this.tabs.choose(view);
    this.editor.text = withPlainLineEnds(file);
    this.#fileChanged(this.editor.text);
  }

  /** Returns the state of the page. */
  state() {
    return { file: this.editor.text, before: this.model.before, agents: byId("agents").value, urls: byId("urls").value,
      dialect: this.model.dialect, view: this.tabs.chosen };
  }

  /** Opens a file from the disk. Until it is changed, the answers are about its bytes. */
  async open(file) {
    const opened = await openText(file);
    if (opened.error) {
      fail(opened.error);
      return;
    }
    fail("");
    this.editor.text = opened.text;
    this.#fileChanged(opened.bytes);
  }

  #fileChanged(file) {
    this.model.setFile(file);
    this.ask();
    clearTimeout(this.#timer);
    if (file.length > LARGE) this.#timer = setTimeout(() => this.#askSlowly(), PAUSE);
    else this.#askSlowly();
  }

  #beforeChanged(text) {
    this.model.setBefore(withPlainLineEnds(text));
    this.tabs.update();
  }

  /** Asks for the verdicts. */
  async ask() {
    const { model } = this;
    model.agents = words(byId("agents").value);
    model.urls = words(byId("urls").value).map(urlOrPath);
    model.dialect = byId("dialect").value;
    const { agents, urls, dialect } = model;
    const answer = await this.workers.fast.ask("verdicts", { agents, urls, dialect });
    if (answer === null) return;
    if (answer.error) {
      fail(answer.error);
      return;
    }
    this.verdicts.show(answer.value, answer.ms);
    this.tabs.update();
  }

  #askSlowly() {
    const { file } = this.model;
    const size = typeof file === "string" ? new Blob([file]).size : file.length;
    byId("facts").textContent = `${this.editor.facts}, ${sizeText(size)}`;
    this.findings.update();
    this.tabs.updateSlow();
  }

  #select() {
    this.tabs.update();
  }

  #addRobot(select) {
    if (select.value === "") return;
    const area = byId("agents");
    area.value = [...words(area.value), select.value].join("\n");
    select.value = "";
    this.ask();
  }
}

async function start() {
  startTheme();
  const page = new Page();
  const read = async () => {
    try {
      const state = await fromFragment(location.hash);
      if (state !== null) page.load(state);
      return state !== null;
    } catch (error) {
      fail(error.message);
      return false;
    }
  };
  if (!await read()) page.load(EXAMPLE);
  addEventListener("hashchange", read);
}

start();
