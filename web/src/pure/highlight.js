// The parts of a line of a robots.txt, for colours only. The engine alone decides what a line means.

const CLASSES = {
  "user-agent": "agent",
  "allow": "allow",
  "disallow": "disallow",
  "sitemap": "sitemap",
  "content-signal": "usage",
  "content-usage": "usage",
  "crawl-delay": "setting",
  "request-rate": "setting",
  "visit-time": "setting",
  "clean-param": "setting",
  "host": "setting",
  "noindex": "setting",
};

/**
 * Returns the parts of a line as [text, class] with all its characters.
 * @param {string} line
 * @returns {[string, string][]}
 */
export function parts(line) {
  const [, said, comment] = /** @type {string[]} */ (/^([^#]*)(#.*)?$/s.exec(line));
  const found = [];
  const colon = said.indexOf(":");
  if (colon === -1) {
    if (said !== "") found.push([said, said.trim() === "" ? "" : "unknown"]);
  } else {
    const name = CLASSES[said.slice(0, colon).trim().toLowerCase()] ?? "unknown";
    found.push([said.slice(0, colon), `name ${name}`], [":", "colon"]);
    const value = said.slice(colon + 1);
    if (value !== "") found.push(...(name === "allow" || name === "disallow" ? patternParts(value) : [[value, `value ${name}`]]));
  }
  if (comment !== undefined) found.push([comment, "comment"]);
  return /** @type {[string, string][]} */ (found);
}

// The wildcards of a pattern are parts of their own.
function patternParts(value) {
  return value.split(/(\*|\$(?=\s*$))/).filter((part) => part !== "")
    .map((part) => [part, part === "*" || part === "$" ? "wildcard" : "value path"]);
}
