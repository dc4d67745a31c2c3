// The compiled rules of one robots.txt for one robot, and their answers.
import { Owned, handleOf, instance } from "./engine.js";
import { ACCESS, FILE_OPTIONS, WHY, dialectOf, namesOf, optionsOf, orNull, ruleText } from "./names.js";
import { RULE, RULES_FACTS, SETTINGS, USAGE, read } from "./structs.js";

const FREE = "robotrules_rules_free";
const COMPILE_OPTIONS = [...FILE_OPTIONS, "ignoresStar"];
const MAX_TEXTS = 1000; // texts of rules and groups that one object keeps

/** Returns a preference of a page. */
const preference = (value) => ACCESS[value];

/** The rules of one robots.txt for one robot. */
export class Rules extends Owned {
  #owner;
  #texts = new Map(); // rules and groups by their address: a question then makes no text

  /** Only for the package: use Rules.compile() or RobotsTxt.rulesFor(). */
  constructor(owner, handle) {
    super(owner, handle, FREE);
    this.#owner = owner;
  }

  /**
   * Compiles the rules of the file `robots` for the robot `agent`.
   * @param {string | Uint8Array | ArrayBuffer} robots
   * @param {string | readonly string[]} agent
   * @param {{ dialect?: string, url?: string | URL, ignoresStar?: boolean }} [options]
   */
  static compile(robots, agent, options) {
    const { url: fileUrl, ignoresStar, ...rest } = optionsOf(options, COMPILE_OPTIONS);
    const dialect = dialectOf(rest);
    const names = namesOf(agent);
    const owner = instance();
    try {
      const file = owner.put(robots);
      const fileSize = owner.size;
      const list = owner.putAll(names);
      const name = owner.put(dialect);
      const nameSize = owner.size;
      const url = owner.put(fileUrl ?? "");
      return new Rules(owner, owner.make("robotrules_rules_compile_names", file, fileSize, list, names.length,
        ignoresStar ? 1 : 0, name, nameSize, url, owner.size));
    } finally {
      owner.done();
    }
  }

  /**
   * Answers whether the robot may fetch `url`, and why.
   * @param {string | URL | Uint8Array} url an absolute URL, or a path that begins with "/"
   */
  check(url) {
    const owner = this.#owner;
    this.#ask("robotrules_rules_check", url, owner.out);
    owner.view(); // a long URL may have made the memory grow
    const { i32 } = owner;
    const out = owner.out >> 2;
    const access = ACCESS[i32[out]];
    return {
      allowed: access === "allowed",
      access,
      why: WHY[i32[out + 1]],
      line: i32[out + 4],
      rule: this.#rule(out + 2),
      runnerUp: this.#rule(out + 6),
      group: this.#group(out + 10),
    };
  }

  /**
   * Answers whether the robot may fetch `url`, without the reason. It is faster than check().
   * @param {string | URL | Uint8Array} url
   * @returns {boolean}
   */
  allowed(url) {
    return this.#ask("robotrules_rules_access", url) === 1;
  }

  /**
   * Returns the verdict as a sentence for people.
   * @param {string | URL | Uint8Array} url
   * @returns {string}
   */
  explain(url) {
    return this.#makeText("robotrules_rules_explain", url);
  }

  /**
   * Returns `url` without the query parameters that Clean-param lines name.
   * @param {string | URL} url
   * @returns {string}
   */
  cleanUrl(url) {
    return this.#makeText("robotrules_rules_clean_url", url);
  }

  /** Returns what Content-Usage and Content-Signal lines say about `url`. */
  usage(url) {
    this.#ask("robotrules_rules_usage", url, this.#owner.out);
    const said = read(this.#owner, USAGE, this.#owner.out);
    return {
      contentUsage: {
        path: said.usagePath,
        trainAi: preference(said.usageTrainAi),
        aiUse: preference(said.usageAiUse),
        search: preference(said.usageSearch),
      },
      contentSignal: {
        search: preference(said.signalSearch),
        aiInput: preference(said.signalAiInput),
        aiTrain: preference(said.signalAiTrain),
      },
    };
  }

  /** The Allow and Disallow lines for the robot, in file order. */
  get lines() {
    const owner = this.#owner;
    const handle = handleOf(this);
    const count = () => owner.view().getUint32(owner.out, true);
    try {
      owner.check(owner.call("robotrules_rules_lines", handle, 0, 0, owner.out));
      const room = count();
      const at = owner.reserve(room * RULE.size);
      owner.check(owner.call("robotrules_rules_lines", handle, at, room, owner.out));
      return Array.from({ length: room }, (_, i) => {
        const { pattern, line, access } = read(owner, RULE, at + i * RULE.size);
        return { access: ACCESS[access], line, pattern, text: ruleText(access === 1, pattern) };
      });
    } finally {
      owner.done();
    }
  }

  /** The Crawl-delay for the robot in milliseconds, or null. */
  get crawlDelay() {
    return orNull(this.#settings().crawlDelay);
  }

  /** The Request-rate: at most `requests` in each `period` (milliseconds), or null. */
  get requestRate() {
    const { ratePeriod, rateRequests, rateFrom, rateTo } = this.#settings();
    if (ratePeriod < 0) return null;
    return { requests: rateRequests, period: ratePeriod * 1000, during: rateFrom < 0 ? null : { from: rateFrom, to: rateTo } };
  }

  /** The Visit-time in minutes after midnight UTC, or null. */
  get visitTime() {
    const { visitFrom, visitTo } = this.#settings();
    return visitFrom < 0 ? null : { from: visitFrom, to: visitTo };
  }

  /** The number of Allow and Disallow lines for the robot. */
  get size() {
    return this.#facts().size;
  }

  /** The bytes that the rules take. */
  get memoryBytes() {
    return this.#facts().memoryBytes;
  }

  /** The name of the dialect. */
  get dialect() {
    return this.#facts().dialect;
  }

  #settings() {
    this.#owner.check(this.#owner.call("robotrules_rules_settings", handleOf(this), this.#owner.out));
    return read(this.#owner, SETTINGS, this.#owner.out);
  }

  #facts() {
    this.#owner.check(this.#owner.call("robotrules_rules_get_facts", handleOf(this), this.#owner.out));
    return read(this.#owner, RULES_FACTS, this.#owner.out);
  }

  // Asks a question about a URL, and returns what the function returns.
  #ask(name, url, out) {
    const owner = this.#owner;
    const handle = handleOf(this);
    const size = owner.write(url);
    try {
      if (size >= 0) return owner.exports[name](handle, owner.input, size, out);
      const at = owner.put(url);
      return owner.exports[name](handle, at, owner.size, out);
    } catch (thrown) {
      return owner.rethrow(thrown);
    } finally {
      if (size < 0) owner.done();
    }
  }

  #makeText(name, url) {
    const owner = this.#owner;
    const handle = handleOf(this);
    try {
      const at = owner.put(url);
      return owner.makeText(name, handle, at, owner.size);
    } finally {
      owner.done();
    }
  }

  // Returns the rule at this word of the memory, or null.
  #rule(word) {
    const { i32 } = this.#owner;
    const line = i32[word + 2];
    if (line === 0) return null;
    const place = i32[word];
    const key = place * 2 + (i32[word + 3] === 1 ? 1 : 0);
    const known = this.#texts.get(key);
    if (known !== undefined && known.line === line) return known;
    const pattern = this.#owner.text(place, i32[word + 1]);
    const access = ACCESS[i32[word + 3]];
    return this.#keep(key, Object.freeze({ access, line, pattern, text: ruleText(access === "allowed", pattern) }));
  }

  // Returns the group at this word of the memory, or null.
  #group(word) {
    const { i32 } = this.#owner;
    const line = i32[word + 2];
    if (line === 0) return null;
    const key = -line;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const agent = this.#owner.text(i32[word], i32[word + 1]);
    return this.#keep(key, Object.freeze({ agent, line, isDefault: i32[word + 3] !== 0 }));
  }

  #keep(key, value) {
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear();
    this.#texts.set(key, value);
    return value;
  }
}
