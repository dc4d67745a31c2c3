// The names of the values of include/robotrules.h, and arguments that several functions have.
import { instance } from "./engine.js";
import { RobotRulesError } from "./error.js";

export const ACCESS = /** @type {const} */ (["unknown", "allowed", "disallowed"]);
export const WHY = /** @type {const} */ (
  ["no-robots", "rule", "no-rule", "empty-group", "no-group", "robots-txt", "other-scheme"]);
export const SEVERITY = /** @type {const} */ (["error", "warning", "note"]);
export const REACH = /** @type {const} */ (["everywhere", "partly", "nowhere"]);
export const OBEYS = /** @type {const} */ (["not-stated", "yes", "partly", "no"]);
export const OUTCOME = /** @type {const} */ (["rules", "unavailable", "unreachable"]);
export const STATE = /** @type {const} */ (["unknown", "rules", "stale", "allow-all", "disallow-all"]);
export const KINDS = /** @type {const} */ ([
  "User-agent", "Allow", "Disallow", "Sitemap", "Crawl-delay", "Request-rate", "Visit-time", "Host", "Clean-param",
  "Noindex", "Content-Signal", "Content-Usage", "",
]);

/** The names of all dialects, the default first. */
export const dialects = Object.freeze(
  ["rfc9309", "google", "www-robotrules", "robotstxt-rb", "original-1994", "draft-1996"]);

/**
 * Returns the options of a call, {} if it has none. Throws if they are not an object, or have one that is not known.
 * @param {any} options
 * @param {readonly string[]} known
 */
export function optionsOf(options, known) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") {
    throw new RobotRulesError("invalid-argument", `The options must be an object, not ${typeof options}.`);
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    throw new RobotRulesError("invalid-argument", `There is no option "${name}" here. The options are: ${known.join(", ")}.`);
  }
  return options;
}

/** The options of a call that reads a file. */
export const FILE_OPTIONS = Object.freeze(["dialect", "url"]);

/** Returns those of the options that are for reading a file. */
export const fileOptions = ({ dialect, url }) => ({ dialect, url });

/** Returns the name of the dialect in the options. */
export function dialectOf(options) {
  const name = options.dialect ?? "rfc9309";
  if (!dialects.includes(name)) {
    throw new RobotRulesError("unknown-dialect", `There is no dialect "${String(name)}". Use one of: ${dialects.join(", ")}.`);
  }
  return name;
}

/** Returns the names of a robot as an array. */
export function namesOf(agent) {
  if (typeof agent === "string" || agent instanceof Uint8Array) return [agent];
  if (Array.isArray(agent)) return agent;
  throw new RobotRulesError("invalid-argument", `An agent must be a name or an array of names, not ${typeof agent}.`);
}

/** Returns the text of an Allow or Disallow line, or null if there is none. */
export function ruleText(allow, pattern) {
  const name = allow ? "Allow:" : "Disallow:";
  return pattern === "" ? name : `${name} ${pattern}`;
}

/** Returns a value that a C function gives with -1 for none. */
export const orNull = (value) => (value < 0 ? null : value);

/**
 * Returns the name of a robot from its name or a whole User-Agent header: "FooBot" for "Mozilla/5.0 (compatible;
 * FooBot/1.0)". "" if there is none.
 * @param {string} agent
 * @returns {string}
 */
export function robotName(agent) {
  const owner = instance();
  try {
    const at = owner.put(agent);
    owner.check(owner.call("robotrules_robot_name", at, owner.size, owner.out));
    return owner.textAt(owner.out);
  } finally {
    owner.done();
  }
}

/**
 * Returns the URL of the robots.txt for a URL: "https://example.org/robots.txt".
 * @param {string | URL} url
 * @returns {string}
 */
export function robotsUrl(url) {
  const owner = instance();
  try {
    const at = owner.put(url);
    return owner.makeText("robotrules_robots_url", at, owner.size);
  } finally {
    owner.done();
  }
}
