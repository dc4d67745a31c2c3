// robotrules/robots-parser: the interface of the npm package robots-parser, with the verdicts of RFC 9309.
//
//     import robotsParser from "robotrules/robots-parser";  // in place of "robots-parser"
//     const robots = robotsParser("https://example.org/robots.txt", text);
//     robots.isAllowed("https://example.org/page", "FooBot");
import { RobotsTxt, Rules, robotName } from "./check.js";
import { optionsOf } from "./names.js";

const MAX_ROBOTS = 100; // compiled robots that one object keeps

// The base of relative URLs. No site can have this name.
const RELATIVE = "http://relative.invalid/";

// A path and query that a URL parser does not change.
const PLAIN = /^[\w/.~!$&()*+,;=:@%?-]*$/;
const DOT_SEGMENTS = /\/(?:\.|%2e)/i;

/** Returns a parsed URL, or null. */
function parseUrl(url) {
  try {
    return new URL(url, RELATIVE);
  } catch {
    return null;
  }
}

class Robots {
  #contents;
  #options;
  #origin; // of the robots.txt, with a slash; null: its URL is not valid
  #rules = new Map(); // by the robot's name as it was given
  #explicit = new Map(); // the same, without the groups for "*"
  #file = null;

  constructor(url, contents, options) {
    const parsed = parseUrl(url);
    this.#origin = parsed === null ? null : `${parsed.protocol}//${parsed.host}/`;
    this.#contents = contents ?? "";
    this.#options = { dialect: optionsOf(options, ["dialect"]).dialect, url: parsed?.href };
  }

  /** Returns true or false, or undefined if the URL does not belong to the site of this robots.txt. */
  isAllowed(url, ua) {
    const path = this.#pathOf(url);
    return path === null ? undefined : this.#rulesFor(this.#rules, ua, false).allowed(path);
  }

  /** Returns the opposite of isAllowed(): true if the URL does not belong to the site. */
  isDisallowed(url, ua) {
    return !this.isAllowed(url, ua);
  }

  /** Returns whether a group that names the robot disallows the URL; groups for "*" do not count. */
  isExplicitlyDisallowed(url, ua) {
    const path = this.#pathOf(url);
    return path === null ? undefined : !this.#rulesFor(this.#explicit, ua, true).allowed(path);
  }

  /** Returns the line of the rule that decides, or -1 if no rule decides. */
  getMatchingLineNumber(url, ua) {
    const path = this.#pathOf(url);
    return (path !== null && this.#rulesFor(this.#rules, ua, false).check(path).line) || -1;
  }

  /** Returns seconds, or undefined. */
  getCrawlDelay(ua) {
    const delay = this.#rulesFor(this.#rules, ua, false).crawlDelay;
    return delay === null ? undefined : delay / 1000;
  }

  /** Returns the values of all Sitemap lines. */
  getSitemaps() {
    return this.#values("Sitemap");
  }

  /** Returns the value of the last Host line in lower case, or null. */
  getPreferredHost() {
    return this.#values("Host").pop()?.toLowerCase() ?? null;
  }

  // Returns the path of a URL of this site, or null.
  #pathOf(url) {
    const origin = this.#origin;
    if (origin === null) return null;
    if (typeof url === "string" && url.startsWith(origin)) {
      const path = url.slice(origin.length - 1);
      if (PLAIN.test(path) && !DOT_SEGMENTS.test(path)) return path;
    }
    const parsed = parseUrl(url);
    if (parsed === null || `${parsed.protocol}//${parsed.host}/` !== origin) return null;
    return parsed.pathname + parsed.search;
  }

  #rulesFor(known, ua, ignoresStar) {
    const key = ua || "*";
    const found = known.get(key);
    if (found !== undefined) return found;
    const name = robotName(key);
    const rules = Rules.compile(this.#contents, name === "" ? [] : [name], { ...this.#options, ignoresStar });
    if (known.size >= MAX_ROBOTS) known.clear();
    known.set(key, rules);
    return rules;
  }

  #values(kind) {
    this.#file ??= RobotsTxt.parse(this.#contents, this.#options);
    return this.#file.directives.filter((one) => one.kind === kind && one.value !== "").map(({ value }) => value);
  }
}

/**
 * Returns an object that answers questions about one robots.txt.
 * @param {string} url the URL of the robots.txt
 * @param {string | Uint8Array} contents
 * @param {{ dialect?: string }} [options]
 */
function robotsParser(url, contents, options) {
  return new Robots(url, contents, options);
}

export default robotsParser;
