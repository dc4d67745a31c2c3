// One file for one robot in several dialects.
import { RobotRulesError } from "./error.js";
import { dialects, optionsOf, robotsUrl } from "./names.js";
import { Rules } from "./rules.js";

// This dialect resolves the values of rules against the URL of the file.
const RESOLVES = "www-robotrules";

/** The rules of one file in several dialects. */
export class SideBySide {
  #robots;
  #agent;
  #options;
  #sides;
  #site = "";

  /**
   * @param {string | Uint8Array | ArrayBuffer} robots
   * @param {string | readonly string[]} agent
   * @param {{ dialects?: readonly string[], ignoresStar?: boolean }} [options] dialects: all of them by default
   */
  constructor(robots, agent, options) {
    const given = optionsOf(options, ["dialects", "ignoresStar"]);
    this.#robots = typeof robots === "string" ? robots : new Uint8Array(robots).slice();
    this.#agent = agent;
    this.#options = { ignoresStar: given.ignoresStar };
    this.#sides = (given.dialects ?? dialects).map((dialect) => ({ dialect, rules: this.#compile(dialect) }));
  }

  /**
   * Returns the verdict of each dialect, in the order of the dialects.
   * @param {string | URL} url
   */
  check(url) {
    this.#moveTo(String(url));
    return this.#sides.map(({ dialect, rules }) => ({ dialect, ...rules.check(url) }));
  }

  /** Gives the memory back now. */
  free() {
    for (const { rules } of this.#sides) rules.free();
  }

  #compile(dialect, url = "") {
    return Rules.compile(this.#robots, this.#agent, { ...this.#options, dialect, url });
  }

  // Compiles the file again for the site of this URL where its rules depend on it.
  #moveTo(url) {
    const side = this.#sides.find(({ dialect }) => dialect === RESOLVES);
    if (side === undefined) return;
    let site = "";
    try {
      site = robotsUrl(url);
    } catch (error) {
      if (!(error instanceof RobotRulesError) || error.code !== "invalid-url") throw error;
    }
    if (site === this.#site) return;
    const rules = this.#compile(RESOLVES, site);
    side.rules.free();
    side.rules = rules;
    this.#site = site;
  }
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(SideBySide.prototype, Symbol.dispose, {
    value() { this.free(); },
    configurable: true,
    writable: true,
  });
}

/**
 * Returns true if the access is the same in all verdicts. The rules that decide may differ.
 * @param {readonly { access: string }[]} verdicts
 */
export function agree(verdicts) {
  return verdicts.every(({ access }) => access === verdicts[0].access);
}
