// The package as programs load it: CommonJS, ES modules, workers, init(), TypeScript, and other runtimes where they are.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { folder } from "./package.mjs";

// A project that has the package installed, as npm would.
const project = mkdtempSync(join(tmpdir(), "robotrules-js-"));
after(() => rmSync(project, { recursive: true }));
const installed = join(project, "node_modules/robotrules");
mkdirSync(installed, { recursive: true });
const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
for (const name of [...files, "package.json", "README.md", "LICENSE"]) {
  cpSync(join(folder, name), join(installed, name), { recursive: true });
}

const FILE = "User-agent: *\nDisallow: /x\n";

/** Runs a program in the project, and returns what it prints. */
function run(name, source, [command, ...options] = [process.execPath]) {
  writeFileSync(join(project, name), source);
  return execFileSync(command, [...options, join(project, name)], { encoding: "utf8", cwd: project });
}

for (const entry of ["robotrules", "robotrules/check"]) {
  test(`${entry} as an ES module and as CommonJS`, () => {
    const ask = `console.log(Rules.compile(${JSON.stringify(FILE)}, "FooBot").check("/x").line);`;
    assert.equal(run("esm.mjs", `import { Rules } from "${entry}"; ${ask}`), "2\n");
    assert.equal(run("cjs.cjs", `const { Rules } = require("${entry}"); ${ask}`), "2\n");
  });
}

test("robotrules/robots-parser as an ES module and as CommonJS", () => {
  const ask = `console.log(parser("http://e.example/robots.txt", ${JSON.stringify(FILE)}).isAllowed("http://e.example/x"));`;
  assert.equal(run("parser.mjs", `import parser from "robotrules/robots-parser"; ${ask}`), "false\n");
  assert.equal(run("parser.cjs", `const parser = require("robotrules/robots-parser"); ${ask}`), "false\n");
  assert.equal(run("parser2.cjs", `const parser = require("robotrules/robots-parser").default; ${ask}`), "false\n");
});

test("both forms have the same names", async () => {
  for (const entry of ["robotrules", "robotrules/check"]) {
    const names = JSON.parse(run("names.mjs", `import * as m from "${entry}"; console.log(JSON.stringify(Object.keys(m).sort()));`));
    const common = createRequire(join(project, "x.cjs"))(entry);
    assert.deepEqual(Object.keys(common).sort(), names);
  }
});

test("robotrules/check says where lint is", () => {
  const out = run("lint.mjs", `import { RobotsTxt } from "robotrules/check";
    try { RobotsTxt.parse("").diagnostics(); } catch (error) { console.log(error.code, error.message); }`);
  assert.match(out, /^not-in-module .*"robotrules"/);
  assert.doesNotMatch(out, /file_lint|robotrules_/);
});

test("init() makes the first call fast, from the package or from the .wasm file", () => {
  const ask = `console.log(Rules.compile(${JSON.stringify(FILE)}, "FooBot").check("/x").line);`;
  assert.equal(run("init.mjs", `import { Rules, init } from "robotrules"; await init(); await init(); ${ask}`), "2\n");
  assert.equal(run("init2.mjs", `import { Rules, init } from "robotrules"; import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    await init(readFileSync(createRequire(import.meta.url).resolve("robotrules/robotrules.wasm"))); ${ask}`), "2\n");
  assert.equal(run("init3.mjs", `import { Rules, init } from "robotrules/check"; import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const bytes = readFileSync(createRequire(import.meta.url).resolve("robotrules/robotrules-check.wasm"));
    await init(new Response(bytes, { headers: { "Content-Type": "application/wasm" } })); ${ask}`), "2\n");
});

test("where compiling at once is refused, an error says to call init()", () => {
  const out = run("refused.mjs", `import { Rules, init } from "robotrules";
    const Module = WebAssembly.Module;
    WebAssembly.Module = class { constructor() { throw new RangeError("too large for the main thread"); } };
    try { Rules.compile("", "x"); } catch (error) { console.log(error.code); }
    WebAssembly.Module = Module;
    await init();
    console.log(Rules.compile(${JSON.stringify(FILE)}, "x").allowed("/x"));`);
  assert.equal(out, "not-initialised\nfalse\n");
});

test("workers have the package too", async () => {
  writeFileSync(join(project, "worker.mjs"), `import { parentPort } from "node:worker_threads"; import { Rules } from "robotrules";
    parentPort.postMessage(Rules.compile(${JSON.stringify(FILE)}, "FooBot").check("/x"));`);
  const worker = new Worker(join(project, "worker.mjs"));
  const verdict = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  assert.deepEqual([verdict.line, verdict.rule.text], [2, "Disallow: /x"]);
});

test("nothing but the package and the language is needed", () => {
  for (const name of ["check", "engine", "instance", "rules", "robots_txt", "robots-parser"]) {
    assert.doesNotMatch(readFileSync(join(installed, `esm/${name}.js`), "utf8"), /^(?:import|export) .* from "(?!\.\/)|\bprocess\b|require\(/m, name);
  }
});

// Runtimes and tools that may not be here. ROBOTRULES_TSC is the file of TypeScript's compiler (typescript/lib/tsc.js).
const found = (command) => spawnSync(command, ["--version"]).status === 0;
for (const [runtime, ...options] of [["deno", "run", "--allow-read", "--node-modules-dir=manual"], ["bun", "run"]]) {
  test(`${runtime} runs the package`, { skip: !found(runtime) && `${runtime} is not here` }, () => {
    const ask = `import { Rules } from "robotrules"; console.log(Rules.compile(${JSON.stringify(FILE)}, "FooBot").check("/x").line);`;
    assert.equal(run("runtime.mjs", ask, [runtime, ...options]), "2\n");
  });
}

const tsc = process.env.ROBOTRULES_TSC;
test("TypeScript accepts the types", { skip: !tsc && "ROBOTRULES_TSC does not name a compiler" }, () => {
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const right = `import { Rules, RobotsTxt, SideBySide, compare, crawlers, fix, lint, lintCodes, init, agree, dialects, robotName, robotsUrl,
      RobotRulesError, RobotsFetch, type Verdict, type Finding } from "robotrules";
    import { Rules as CheckRules } from "robotrules/check";
    import robotsParser from "robotrules/robots-parser";
    await init();
    using rules = Rules.compile(new Uint8Array(), ["Googlebot-Image", "Googlebot"], { dialect: "google", ignoresStar: true });
    const verdict: Verdict = rules.check(new URL("https://example.org/"));
    const line: number = verdict.rule?.line ?? 0;
    const delay: number | null = rules.crawlDelay;
    const findings: Finding[] = lint(RobotsTxt.parse("", { url: "https://example.org/robots.txt" }), { knownRobots: false });
    const paths: string[] = compare("", "", { agents: ["x"] }).robots.flatMap(({ changes }) => changes.map(({ path }) => path));
    const names: string[] = crawlers("", { page: "/" }).filter(({ reach }) => reach === "partly").map(({ name }) => name);
    const same: boolean = agree(new SideBySide("", "x", { dialects }).check("/"));
    using last = new RobotsFetch(new URL("https://example.org/robots.txt"), { policy: "strict", now: Date.now() });
    const robots = new RobotsFetch(last.url, { last });
    robots.limit(5);
    const response = await fetch(robots.url, { headers: { ...robots.headers, "User-Agent": "FooBot" }, redirect: "manual" });
    robots.answer(response.status, response.headers, await response.arrayBuffer(), { cut: false, jitter: Math.random() });
    robots.answer(503, [["Retry-After", "600"], [new Uint8Array(), "x"]]);
    robots.answer(404, Object.entries({ Server: "x" }), "", { encoded: true, whole: false });
    robots.fail("reset", "by-proxy", { refusals: 1 });
    const next: number = robots.freshUntil ?? robots.at ?? 0;
    const known: boolean = robots.outcome === "rules" && robots.state === "stale" && Rules.compile(robots.robots, "x").allowed("/");
    const answer: boolean | undefined = robotsParser("https://example.org/robots.txt", "").isAllowed("/x", "y");
    export { line, delay, findings, paths, names, same, next, known, answer, CheckRules, fix, lintCodes, robotName, robotsUrl, RobotRulesError };`;
  writeFileSync(join(project, "right.mts"), right);
  writeFileSync(join(project, "right.cts"), `import robotsParser = require("robotrules/robots-parser");
    import { Rules } from "robotrules";
    const robots: robotsParser.Robot = robotsParser("https://example.org/robots.txt", "");
    export const answer: boolean | undefined = robots.isAllowed("/") ?? Rules.compile("", "x").allowed("/");`);
  writeFileSync(join(project, "wrong.mts"), `import { RobotsFetch, Rules } from "robotrules";
    Rules.compile("", "x", { dialect: "klingon" });
    Rules.compile(7, "x");
    new Rules();
    new RobotsFetch("https://example.org/robots.txt", { policy: "lenient" });
    new RobotsFetch("https://example.org/robots.txt").fail("x", "answered");
    Rules.compile("", "x").check("/").allowed.foo;`);
  const check = (...names) => spawnSync(process.execPath, [tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022",
    "--lib", "es2022", "--skipLibCheck", "false", ...names.map((name) => join(project, name))], { encoding: "utf8" });
  const accepted = check("right.mts", "right.cts");
  assert.equal(accepted.stdout, "");
  assert.equal(accepted.status, 0);
  assert.equal(check("wrong.mts").stdout.match(/error TS/g)?.length, 6);
});
