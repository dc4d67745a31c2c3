// Bundles ES modules into one classic script. It knows the forms of import and export that web/src uses, and reads the
// CommonJS modules of the package robotrules as they are.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Returns a module without the comments that stand on lines of their own. */
function withoutComments(source) {
  return source.replace(/^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*\n/gm, "").replace(/^[ \t]*\/\/.*\n/gm, "");
}

/** Returns an ES module as the body of a CommonJS function. */
export function asCommonJs(name, source) {
  const exported = [];
  const list = (names) => names.replace(/\s+as\s+/g, ": ");
  const text = source
    .replace(/^import \{([^}]*)\} from "([^"]+)";$/gm, (_, names, from) => `const {${list(names)}} = require("${from}");`)
    .replace(/^export \{([^}]*)\};$/gm, (_, names) => {
      exported.push(...names.split(",").map((word) => word.trim()).filter(Boolean));
      return "";
    })
    .replace(/^export ((?:async )?function|class|const) (\w+)/gm, (_, kind, one) => {
      exported.push(one);
      return `${kind} ${one}`;
    });
  if (/^(?:import|export)\b/m.test(text)) throw new Error(`${name} has an import or export of a form that bundle.mjs does not know`);
  return `${text}\nObject.assign(module.exports, { ${exported.join(", ")} });\n`;
}

/**
 * Returns one script that runs the module `entry`.
 * @param {{ entry: string, root: string, packages: Record<string, string>, data: Record<string, string> }} options
 *   packages: the file of each package; data: the source of each module that is no file
 */
export function bundle({ entry, root, packages, data }) {
  /** @type {Map<string, string>} */
  const modules = new Map();
  const resolve = (from, name) => packages[name] ?? (name in data ? name : join(dirname(from), name));
  const idOf = (file) => (file in data ? file : relative(root, file));
  const add = (file) => {
    const id = idOf(file);
    if (modules.has(id)) return id;
    modules.set(id, ""); // its place: before the modules that it needs
    const source = file in data ? data[file] : readFileSync(file, "utf8");
    const common = file.endsWith(".cjs") ? source : asCommonJs(id, source);
    modules.set(id, withoutComments(common).replace(/\brequire\("([^"]+)"\)/g, (_, name) => `require(${JSON.stringify(add(resolve(file, name)))})`));
    return id;
  };
  const start = add(entry);
  const parts = [...modules].map(([id, source]) => `${JSON.stringify(id)}(module, require) {\n${source}}`);
  return `(() => {\n"use strict";\nconst modules = {\n${parts.join(",\n")}\n};\nconst made = {};\n`
    + "const require = (id) => {\n  if (!made[id]) { made[id] = { exports: {} }; modules[id](made[id], require); }\n  return made[id].exports;\n};\n"
    + `require(${JSON.stringify(start)});\n})();\n`;
}
