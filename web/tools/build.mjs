// build.mjs PACKAGE OUT: writes the page OUT, one HTML file, from web/ and the npm package that `make js` has put into the
// folder PACKAGE.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { KIND_TITLES, DIALECTS } from "../src/pure/sentences.js";
import { bundle } from "./bundle.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const read = (...names) => readFileSync(join(...names), "utf8");

const [packageFolder = join(root, "build/js"), out = join(root, "build/web/robotrules.html")] = process.argv.slice(2).map((word) => resolve(word));
if (!existsSync(join(packageFolder, "cjs/index.cjs"))) {
  console.error(`There is no package in ${packageFolder}. Build it first: make js`);
  process.exit(2);
}

const known = JSON.parse(read(root, "data/crawlers.json"));
const crawlerNames = known.crawlers.map(({ name, tokens, ignores_star, obeys_robots, operator }) =>
  ({ name, tokens, ignoresStar: ignores_star === true, obeys: obeys_robots ?? "", operator: operator ?? "its operator" }));
const kinds = Object.entries(known.kinds).map(([name, means]) => ({ name, means }));

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const crawlerOptions = kinds.map(({ name }) => {
  const names = known.crawlers.filter(({ kind }) => kind === name).map((crawler) => `<option>${escaped(crawler.name)}</option>`);
  return names.length === 0 ? "" : `<optgroup label="${escaped(KIND_TITLES[name] ?? name)}">${names.join("")}</optgroup>`;
}).join("");
const dialectOptions = DIALECTS.map(([id, name, means]) => `<option value="${id}">${escaped(`${name}: ${means}`)}</option>`).join("");

const options = {
  root,
  packages: { robotrules: join(packageFolder, "cjs/index.cjs") },
  data: { "data:crawlers": `export const crawlerNames = ${JSON.stringify(crawlerNames)};\nexport const kinds = ${JSON.stringify(kinds)};\n` },
};
// "</script" and "<!--" would end or change the element that the script is in.
const script = (entry) => bundle({ ...options, entry: join(web, "src", entry) }).replace(/<(?=\/script|!--)/gi, "\\x3c");
const parts = {
  style: readdirSync(join(web, "style")).sort().map((name) => read(web, "style", name)).join("\n").replace(/\/\*[^]*?\*\/\n?/g, ""),
  worker: script("worker/main.js"),
  page: script("page/main.js"),
  crawlers: crawlerOptions,
  dialects: dialectOptions,
  version: JSON.parse(read(packageFolder, "package.json")).version,
};

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = ["default-src 'none'", `script-src ${hash(parts.page)} 'wasm-unsafe-eval'`, "worker-src blob:",
  `style-src ${hash(parts.style)}`, "img-src data:", "connect-src 'none'", "form-action 'none'", "base-uri 'none'"].join("; ");

const html = read(web, "index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => ({ ...parts, policy })[name]);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
console.log(`${out}: ${Math.round(html.length / 1024)} KiB`);
