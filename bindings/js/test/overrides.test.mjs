// The package robotrules-robots-parser in the place of robots-parser: npm installs it from a registry of this test, for a
// package that knows only the name robots-parser.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { folder } from "./package.mjs";

const hasNpm = spawnSync("npm", ["--version"]).status === 0;

// A package that asks for robots-parser, as ES module and as CommonJS.
const USER = {
  "package.json": JSON.stringify({ name: "user", version: "1.0.0", type: "module", exports: { import: "./index.js",
    require: "./index.cjs" }, dependencies: { "robots-parser": "^3.0.1" } }),
  "index.js": 'import parser from "robots-parser"; export default parser;\n',
  "index.cjs": 'module.exports = require("robots-parser");\n',
};

const PROGRAM = `import { createRequire } from "node:module";
import parser from "user";
for (const parse of [parser, createRequire(import.meta.url)("user")]) {
  const robots = parse("https://e.example/robots.txt", "User-agent: *\\nDisallow: /x\\n");
  console.log(robots.isAllowed("https://e.example/x"), robots.isAllowed("https://e.example/y"));
}
`;

test("npm's overrides take robotrules-robots-parser for robots-parser", { skip: !hasNpm && "npm is not installed" }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "robotrules-overrides-"));
  const npm = async (cwd, ...words) => (await promisify(execFile)("npm", [...words, "--cache", join(scratch, "cache")],
    { cwd, encoding: "utf8" })).stdout;
  const archives = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://registry");
    const [name, isArchive] = pathname.endsWith(".tgz") ? [pathname.slice(1, -4), true] : [pathname.slice(1), false];
    const known = archives.get(name);
    if (known === undefined) {
      response.writeHead(404).end("{}");
    } else if (isArchive) {
      response.end(known.bytes);
    } else {
      const { version } = known.manifest;
      const dist = { tarball: `http://${request.headers.host}/${name}.tgz`,
        integrity: `sha512-${createHash("sha512").update(known.bytes).digest("base64")}` };
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...known.manifest, dist } } }));
    }
  });
  try {
    const user = join(scratch, "user");
    mkdirSync(user);
    for (const [name, text] of Object.entries(USER)) writeFileSync(join(user, name), text);
    for (const from of [folder, join(folder, "overrides"), user]) {
      const [{ filename }] = JSON.parse(await npm(scratch, "pack", "--json", from));
      const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
      archives.set(manifest.name, { manifest, bytes: readFileSync(join(scratch, filename)) });
    }
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { version } = archives.get("robotrules").manifest;
    const project = join(scratch, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true,
      dependencies: { user: "1.0.0" }, overrides: { "robots-parser": `npm:robotrules-robots-parser@${version}` } }));
    await npm(project, "install", "--registry", `http://127.0.0.1:${server.address().port}`, "--no-audit", "--no-fund",
      "--no-update-notifier");
    writeFileSync(join(project, "program.mjs"), PROGRAM);
    const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: project, encoding: "utf8" });
    assert.equal(stdout, "false true\nfalse true\n");
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(scratch, { recursive: true });
  }
});
