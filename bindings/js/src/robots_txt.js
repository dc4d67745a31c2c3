// A robots.txt as a document: its groups, sitemaps and settings with their places, and the findings about its faults.
import { Owned, handleOf, instance, ownerOf } from "./engine.js";
import { FILE_OPTIONS, KINDS, SEVERITY, dialectOf, namesOf, optionsOf } from "./names.js";
import { Rules } from "./rules.js";
import { DIRECTIVE, EDIT, FILE_FACTS, FINDING, GROUP, LINT_OPTIONS, SITEMAP, read, write } from "./structs.js";

const FREE = "robotrules_file_free";

// The parts of a group, as robotrules_file_group_directives() numbers them.
const PARTS = ["agents", "rules", "other"];

/** Returns a directive as programs see it. */
function directiveOf({ kind, group, runLine, ...said }) {
  return { kind: KINDS[kind], ...said, group, runLine };
}

/** The options of findings, and those of `fetched` among them. */
export const FINDING_OPTIONS = ["knownRobots", "fetched"];
const FETCHED_OPTIONS = ["status", "contentType", "redirects", "maxAge"];

/** Writes the options of lint() and returns their address. */
function putLintOptions(owner, { knownRobots, fetched }) {
  optionsOf(fetched, FETCHED_OPTIONS);
  return write(owner, LINT_OPTIONS, {
    size: LINT_OPTIONS.size,
    knownRobots: knownRobots === false ? 0 : 1,
    fetched: fetched ? 1 : 0,
    status: fetched?.status ?? 200,
    redirects: fetched?.redirects ?? 0,
    maxAge: fetched?.maxAge ?? -1,
    contentType: fetched?.contentType ?? "",
  });
}

/** Returns the finding at `index` of a list. */
function findingAt(owner, list, index) {
  owner.check(owner.call("robotrules_findings_at", list, index, owner.out));
  const { editCount, severity, ...said } = read(owner, FINDING, owner.out);
  const edits = [];
  for (let i = 0; i < editCount; ++i) {
    owner.check(owner.call("robotrules_findings_edit", list, index, i, owner.out));
    const { text, lineCount, line } = read(owner, EDIT, owner.out);
    edits.push({ line, lines: lineCount === 0 ? [] : text.split("\n") });
  }
  return { code: said.code, severity: SEVERITY[severity], line: said.line, column: said.column, message: said.message,
    remedy: said.remedy, edits };
}

/** A parsed robots.txt. */
export class RobotsTxt extends Owned {
  #owner;
  #groups = null;
  #sitemaps = null;
  #facts = null;

  /** Only for the package: use RobotsTxt.parse(). */
  constructor(owner, handle) {
    super(owner, handle, FREE);
    this.#owner = owner;
  }

  /**
   * Reads the file `robots`.
   * @param {string | Uint8Array | ArrayBuffer} robots
   * @param {{ dialect?: string, url?: string | URL }} [options] url: of the file; relative sitemaps are resolved with it
   */
  static parse(robots, options) {
    const given = optionsOf(options, FILE_OPTIONS);
    return RobotsTxt.parseIn(instance(), robots, dialectOf(given), given.url ?? "");
  }

  /** Only for the package. */
  static parseIn(owner, robots, dialect, url) {
    try {
      const file = owner.put(robots);
      const fileSize = owner.size;
      const name = owner.put(dialect);
      const nameSize = owner.size;
      const address = owner.put(url);
      return new RobotsTxt(owner, owner.make("robotrules_file_parse", file, fileSize, name, nameSize, address, owner.size));
    } finally {
      owner.done();
    }
  }

  /**
   * Returns the rules for one robot, as Rules.compile() does.
   * @param {string | readonly string[]} agent
   * @param {{ ignoresStar?: boolean }} [options]
   */
  rulesFor(agent, options) {
    const owner = this.#owner;
    const handle = handleOf(this);
    const { ignoresStar } = optionsOf(options, ["ignoresStar"]);
    const names = namesOf(agent);
    try {
      const list = owner.putAll(names);
      return new Rules(owner, owner.make("robotrules_file_rules_names", handle, list, names.length, ignoresStar ? 1 : 0));
    } finally {
      owner.done();
    }
  }

  /** The groups of the file: User-agent lines, and the lines for these robots. */
  get groups() {
    return (this.#groups ??= Array.from({ length: this.#read().groupCount }, (_, i) => this.#group(i)));
  }

  /** The sitemaps in file order, each once. */
  get sitemaps() {
    return (this.#sitemaps ??= this.#readSitemaps());
  }

  /** All lines with a name and a value, in file order. */
  get directives() {
    const owner = this.#owner;
    const handle = handleOf(this);
    return Array.from({ length: this.#read().directiveCount }, (_, i) => {
      owner.check(owner.call("robotrules_file_directive", handle, i, owner.out));
      return directiveOf(read(owner, DIRECTIVE, owner.out));
    });
  }

  /** The text as it was read: without the bytes that the dialect removes, and cut at its limit. */
  get text() {
    return this.#read().text;
  }

  get url() {
    return this.#read().url;
  }

  get dialect() {
    return this.#read().dialect;
  }

  get lineCount() {
    return this.#read().lineCount;
  }

  /** true: the file was longer than the dialect's limit. */
  get truncated() {
    return this.#read().truncated !== 0;
  }

  /** true: this seems to be an HTML page. */
  get looksLikeHtml() {
    return this.#read().looksLikeHtml !== 0;
  }

  /**
   * Returns the faults and oddities of the file, ordered by line and column. It needs the whole module.
   * @param {{ knownRobots?: boolean, fetched?: { status?: number, contentType?: string, redirects?: number,
   *   maxAge?: number } }} [options]
   */
  diagnostics(options) {
    const owner = this.#owner;
    const given = optionsOf(options, FINDING_OPTIONS);
    const handle = handleOf(this);
    prepareCrawlers(owner);
    let list = 0;
    try {
      list = owner.make("robotrules_file_lint", handle, putLintOptions(owner, given));
      const count = owner.call("robotrules_findings_count", list);
      return Array.from({ length: count }, (_, i) => findingAt(owner, list, i));
    } finally {
      if (list !== 0) owner.call("robotrules_findings_free", list);
      owner.done();
    }
  }

  #read() {
    if (this.#facts === null) {
      const owner = this.#owner;
      owner.check(owner.call("robotrules_file_get_facts", handleOf(this), owner.out));
      this.#facts = read(owner, FILE_FACTS, owner.out);
    }
    return this.#facts;
  }

  #group(index) {
    const owner = this.#owner;
    const handle = handleOf(this);
    owner.check(owner.call("robotrules_file_group", handle, index, owner.out));
    const { line, agentCount, ruleCount, otherCount } = read(owner, GROUP, owner.out);
    const group = { line, agents: [], rules: [], other: [] };
    [agentCount, ruleCount, otherCount].forEach((room, part) => {
      try {
        const at = owner.reserve(room * DIRECTIVE.size);
        owner.check(owner.call("robotrules_file_group_directives", handle, index, part, at, room, owner.out));
        for (let i = 0; i < room; ++i) {
          group[PARTS[part]].push(directiveOf(read(owner, DIRECTIVE, at + i * DIRECTIVE.size)));
        }
      } finally {
        owner.done();
      }
    });
    return group;
  }

  #readSitemaps() {
    const owner = this.#owner;
    const list = owner.make("robotrules_file_sitemaps", handleOf(this));
    try {
      return Array.from({ length: owner.call("robotrules_sitemaps_count", list) }, (_, i) => {
        owner.check(owner.call("robotrules_sitemaps_at", list, i, owner.out));
        return read(owner, SITEMAP, owner.out);
      });
    } finally {
      owner.call("robotrules_sitemaps_free", list);
    }
  }
}

/** Makes the list of known crawlers, which stays for the life of the instance. */
export function prepareCrawlers(owner) {
  owner.call("robotrules_js_prepare_crawlers");
  owner.exports.robotrules_js_keep();
}

/**
 * Returns a file that is in the memory of `owner`: `file` itself or a copy, which the caller frees.
 * @param {import("./instance.js").Instance} owner
 * @param {RobotsTxt} file
 */
export function fileIn(owner, file) {
  if (ownerOf(file) === owner) return { file, free() {} };
  const copy = RobotsTxt.parseIn(owner, file.text, file.dialect, file.url);
  return { file: copy, free: () => copy.free() };
}
