// package.mjs OUT: puts the JavaScript of the package into OUT, where build.sh has put the modules: the sources as ES
// modules (esm/), the same as CommonJS (cjs/), the types and package.json; and the small package of bindings/js/overrides.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(here));
const out = process.argv[2];

/**
 * Returns an ES module of this package as CommonJS. Only the forms that the sources use are known; others are an error.
 * @param {string} name
 * @param {string} source
 */
function commonJs(name, source) {
  const exported = [];
  let text = source
    .replace(/^import \{([^}]*)\} from "\.\/(.*)\.js";$/gm, (_, names, from) => `const {${names}} = require("./${from}.cjs");`)
    .replace(/^export \{([^}]*)\} from "\.\/(.*)\.js";$/gm, (_, names, from) => {
      for (const one of names.split(",").map((word) => word.trim()).filter(Boolean)) exported.push(one);
      return `const {${names}} = require("./${from}.cjs");`;
    })
    .replace(/^export default (\w+);$/gm, (_, value) => `module.exports = ${value};\nmodule.exports.default = ${value};`)
    .replace(/^export ((?:async )?function|class|const) (\w+)/gm, (_, kind, one) => {
      exported.push(one);
      return `${kind} ${one}`;
    });
  if (/^(?:import|export)\b/m.test(text)) {
    throw new Error(`${name} has an import or export of a form that package.mjs does not know`);
  }
  if (exported.length > 0) text += `\nObject.assign(module.exports, { ${exported.join(", ")} });\n`;
  return `"use strict";\n${text}`;
}

const version = /#define ROBOTRULES_VERSION "(.*)"/.exec(
  readFileSync(join(root, "include/robotrules/version.hpp"), "utf8"))[1];

/** @type {Map<string, string>} */
const sources = new Map();
for (const file of readdirSync(join(here, "src"))) sources.set(file, readFileSync(join(here, "src", file), "utf8"));
for (const [file, module] of [["wasm_check.js", "robotrules-check"], ["wasm_whole.js", "robotrules"]]) {
  sources.set(file, `export const base64 = "${readFileSync(join(out, `${module}.wasm`)).toString("base64")}";\n`);
}

for (const folder of ["esm", "cjs"]) {
  rmSync(join(out, folder), { recursive: true, force: true });
  mkdirSync(join(out, folder));
}
for (const [file, source] of sources) {
  writeFileSync(join(out, "esm", file), source);
  writeFileSync(join(out, "cjs", file.replace(/\.js$/, ".cjs")), commonJs(file, source));
}
for (const file of readdirSync(join(here, "types"))) {
  const types = readFileSync(join(here, "types", file), "utf8");
  if (file.endsWith(".d.cts")) {
    writeFileSync(join(out, "cjs", file), types);
    continue;
  }
  writeFileSync(join(out, "esm", file), types);
  const common = file.replace(/\.d\.ts$/, ".d.cts");
  if (existsSync(join(here, "types", common))) continue;
  writeFileSync(join(out, "cjs", common), types.replace(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"'));
}
const description = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(out, "package.json"), `${JSON.stringify({ ...description, version }, null, 2)}\n`);
copyFileSync(join(here, "README.md"), join(out, "README.md"));
copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));

// The package whose root is the drop-in for robots-parser. It needs the package of the same version.
const overrides = join(out, "overrides");
rmSync(overrides, { recursive: true, force: true });
cpSync(join(here, "overrides"), overrides, { recursive: true });
const alias = JSON.parse(readFileSync(join(here, "overrides/package.json"), "utf8"));
writeFileSync(join(overrides, "package.json"),
  `${JSON.stringify({ ...alias, version, dependencies: { [description.name]: version } }, null, 2)}\n`);
copyFileSync(join(root, "LICENSE"), join(overrides, "LICENSE"));
