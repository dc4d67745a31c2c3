// The same questions as command lines of robotrules, quoted for a POSIX shell.

/** Returns a word as a POSIX shell reads it back. */
export function quoted(word) {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

function line(words) {
  return ["robotrules", ...words].map(quoted).join(" ");
}

const dialectWords = (dialect) => (dialect === "rfc9309" ? [] : ["--dialect", dialect]);
const agentWords = (agents) => agents.flatMap((agent) => ["--agent", agent]);
// "--" ends the options if an operand looks like one.
const operands = (words) => (words.some((word) => word.startsWith("-")) ? ["--", ...words] : words);

/**
 * Returns command lines with what each of them answers.
 * @param {{ agents: string[], urls: string[], dialect: string }} question
 */
export function commands({ agents, urls, dialect }) {
  const robots = ["--robots", "robots.txt"];
  const asked = agentWords(agents);
  const found = [];
  if (urls.length > 0) {
    found.push(
      { says: "May these robots fetch these URLs, and why?",
        line: line(["check", ...robots, ...asked, ...dialectWords(dialect), "--explain", ...operands(urls)]) },
      { says: "The same answers in every dialect",
        line: line(["check", ...robots, ...asked, "--dialect", "all", ...operands(urls)]) });
  }
  found.push(
    { says: "Mistakes in the file", line: line(["lint", "robots.txt"]) },
    { says: "What the known crawlers may fetch",
      line: line(["agents", ...dialectWords(dialect), ...(urls.length > 0 ? [`--url=${urls[0]}`] : []), "robots.txt"]) },
    { says: "What differs from the version before",
      line: line(["diff", ...asked, ...dialectWords(dialect), "before.txt", "robots.txt"]) });
  return found;
}

/**
 * Returns verdicts as `robotrules check --json` prints them: one object a line.
 * @param {{ url: string, agent: string, verdict: { access: string, line: number, rule: { text: string } | null, why: string } }[]} rows
 * @param {string} dialect
 */
export function jsonLines(rows, dialect) {
  return rows.map(({ url, agent, verdict: { access, line: place, rule, why } }) =>
    `${JSON.stringify({ url, agent, dialect, access, line: place, rule: rule?.text ?? "", why })}\n`).join("");
}
