// What is open and closed for one robot, as a tree of the paths in its rules.

const UNLISTED = "zzz"; // stands for a name that no rule has
const MAX_NODES = 20000;

/**
 * @typedef {{ name: string, path: string, example: string, open: boolean, line: number, rule: string | null,
 *   state: "open" | "closed" | "partly", count: number, children: Node[] }} Node
 *   path: from the root; example: the path that was asked; state: with all children; count: of the nodes below
 */

/** Returns a path that a pattern matches. */
export function exampleOf(pattern) {
  return pattern.replace(/\$$/, "").replace(/\*+$/, "").replaceAll("*", UNLISTED) || "/";
}

// Returns the names of the folders on the way to what a pattern names, and its last name. The part from the first
// wildcard or "?" on is one name.
function steps(pattern) {
  const wild = pattern.search(/[*?]/);
  const plain = wild === -1 ? pattern : pattern.slice(0, wild);
  const cut = plain.lastIndexOf("/") + 1;
  const folders = pattern.slice(1, cut).split("/").slice(0, -1).map((name) => `${name}/`);
  return { folders, last: pattern.slice(cut) };
}

/**
 * Returns the root of the tree, and whether all rules are in it.
 * @param {{ pattern: string }[]} rules
 * @param {(path: string) => { allowed: boolean, line: number, rule: { text: string } | null }} check
 * @returns {{ root: Node, complete: boolean }}
 */
export function treeOf(rules, check) {
  let nodes = 0;
  const make = (name, path, example) => {
    const { allowed, line, rule } = check(example);
    ++nodes;
    return { name, path, example, open: allowed, line, rule: rule?.text ?? null,
      state: allowed ? "open" : "closed", count: 0, children: [], byName: new Map() };
  };
  const child = (parent, name, path, example) => {
    let found = parent.byName.get(name);
    if (found === undefined) {
      found = make(name, path, example);
      parent.byName.set(name, found);
      parent.children.push(found);
    }
    return found;
  };
  const root = make("/", "/", `/${UNLISTED}`);
  let complete = true;
  for (const { pattern } of rules) {
    if (pattern === "" || pattern === "/" || pattern === "/*" || pattern === "*") continue;
    if (nodes >= MAX_NODES) {
      complete = false;
      break;
    }
    const { folders, last } = steps(pattern.startsWith("/") ? pattern : `/${pattern}`);
    let at = root;
    for (const folder of folders) at = child(at, folder, at.path + folder, `${at.path}${folder}${UNLISTED}`);
    if (last !== "" && last !== "*") child(at, last, at.path + last, exampleOf(at.path + last));
  }
  return { root: settle(root), complete };
}

// Sorts the children, and sets what depends on them.
function settle(node) {
  const { byName, ...plain } = node;
  plain.children = node.children.map(settle).sort((a, b) => (a.name < b.name ? -1 : 1));
  plain.count = plain.children.reduce((sum, below) => sum + 1 + below.count, 0);
  if (plain.children.some(({ state }) => state !== plain.state)) plain.state = "partly";
  return plain;
}

/** Returns the name of a node as people read it. */
export function nameOf({ name, path }) {
  if (path === "/") return "/ (all that is not listed below)";
  if (name === "$") return "(only the folder itself)";
  if (name.endsWith("/")) return name;
  if (name.endsWith("$")) return name.slice(0, -1);
  return `${name.replace(/\*+$/, "")}…`;
}
