// The answers of the page. An object of Answers keeps the file and what was compiled of it.
import { sentence } from "../pure/sentences.js";
import { treeOf } from "../pure/tree.js";
import { RobotsTxt, SideBySide, agree, compare, crawlers, fix, kinds, lint, robotOf } from "./engine.js";

const MAX_ROWS = 1000; // verdicts; a page cannot show more of them at a time
const MAX_KEPT_RULES = 50;
const MAX_FINDINGS = 2000;

const setting = (kind) => kind === "Content-Signal" || kind === "Content-Usage";

export class Answers {
  #file = ""; // text, or the bytes of a file that is unchanged since it was opened
  #before = "";
  #parsed = new Map(); // dialect → RobotsTxt
  #rules = new Map(); // dialect and names → Rules

  /** Replaces the file. */
  setFile(file) {
    this.#forget();
    this.#file = file;
  }

  /** Replaces the version before it. */
  setBefore(text) {
    this.#before = text;
  }

  /** The verdict of each robot for each URL. */
  verdicts({ agents, urls, dialect }) {
    const file = this.#parse(dialect);
    const rows = [];
    const robots = agents.map((agent) => ({ agent, ...robotOf(agent) }));
    for (const { agent, name, names, ignoresStar, note } of robots) {
      const rules = this.#rulesFor(dialect, names, ignoresStar);
      for (const url of urls) {
        if (rows.length >= MAX_ROWS) break;
        rows.push({ agent, name, note, url, verdict: rules.check(url), why: sentence(rules.explain(url)),
          delay: rules.crawlDelay });
      }
    }
    return {
      rows,
      asked: agents.length * urls.length,
      lines: file.lineCount,
      truncated: file.truncated,
      looksLikeHtml: file.looksLikeHtml,
    };
  }

  /** The verdict of each dialect for one robot and URL. */
  dialects({ agent, url }) {
    const { names, ignoresStar } = robotOf(agent);
    const sides = new SideBySide(this.#file, names, { ignoresStar });
    try {
      const rows = sides.check(url);
      return { rows, agree: agree(rows) };
    } finally {
      sides.free();
    }
  }

  /** What is open and closed for one robot. */
  tree({ agent, dialect }) {
    const { name, names, ignoresStar } = robotOf(agent);
    const rules = this.#rulesFor(dialect, names, ignoresStar);
    const lines = rules.lines;
    return { agent: name, rules: lines.length, ...treeOf(lines, (path) => rules.check(path)) };
  }

  /** What the preference lines say about one page to one robot, and all such lines of the file. */
  usage({ agent, url, dialect }) {
    const { name, names, ignoresStar } = robotOf(agent);
    const said = this.#rulesFor(dialect, names, ignoresStar).usage(url);
    const lines = this.#parse(dialect).directives.filter(({ kind }) => setting(kind))
      .map(({ name: written, value, line }) => ({ text: `${written}: ${value}`, line }));
    return { agent: name, said, lines };
  }

  /** What the file allows the known crawlers, by kind. */
  crawlers({ page, dialect }) {
    const found = crawlers(this.#parse(dialect), { page });
    return kinds.map(({ name, means }) => {
      const members = found.filter(({ kind }) => kind === name);
      return { kind: name, means, members, allowed: members.filter(({ allowed }) => allowed).length };
    }).filter(({ members }) => members.length > 0);
  }

  /** The findings about the file, and what an automatic correction would do. */
  lint() {
    const findings = lint(this.#file);
    const { text, diff, edits, isFixable } = fix(this.#file);
    return { findings: findings.slice(0, MAX_FINDINGS), total: findings.length, fixed: isFixable && edits > 0 ? { text, diff, edits } : null };
  }

  /** What differs from the version before, and for which robots. */
  compare({ agents, dialect }) {
    return compare(this.#before, this.#file, { agents: agents.map((agent) => robotOf(agent).name), dialect });
  }

  #parse(dialect) {
    let file = this.#parsed.get(dialect);
    if (file === undefined) {
      file = RobotsTxt.parse(this.#file, { dialect });
      this.#parsed.set(dialect, file);
    }
    return file;
  }

  #rulesFor(dialect, names, ignoresStar) {
    const key = JSON.stringify([dialect, names, ignoresStar]);
    let rules = this.#rules.get(key);
    if (rules === undefined) {
      if (this.#rules.size >= MAX_KEPT_RULES) this.#freeRules();
      rules = this.#parse(dialect).rulesFor(names, { ignoresStar });
      this.#rules.set(key, rules);
    }
    return rules;
  }

  #freeRules() {
    for (const rules of this.#rules.values()) rules.free();
    this.#rules.clear();
  }

  #forget() {
    this.#freeRules();
    for (const file of this.#parsed.values()) file.free();
    this.#parsed.clear();
  }
}
