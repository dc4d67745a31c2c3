#!/usr/bin/env node
// Answers questions as `robotrules batch --dialect NAME [--robots-dir DIR]` does, through the package in build/js. With it,
// recorded answers of other parsers can be compared with the package:
//
//     SCORE/score.py bindings/js/tools/batch.mjs
//
// A question is an object a line: id, agent, url, and robots_b64 (a file) or host (a file in DIR).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load } from "../test/package.mjs";

const { Rules } = await load("check");
const { values } = parseArgs({
  allowPositionals: true,
  options: { dialect: { type: "string", default: "rfc9309" }, "robots-dir": { type: "string" } },
});

const out = [];
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const { id, agent, url, robots_b64: base64, host } = JSON.parse(line);
  const robots = base64 === undefined ? readFileSync(join(values["robots-dir"], host)) : Buffer.from(base64, "base64");
  const origin = base64 === undefined ? `https://${host}` : "http://example.com";
  const rules = Rules.compile(robots, agent, { dialect: values.dialect, url: `${origin}/robots.txt` });
  const { access, line: decided, rule } = rules.check(url);
  rules.free();
  out.push(JSON.stringify({ id, access, line: decided, rule: rule?.text ?? "" }));
}
process.stdout.write(`${out.join("\n")}\n`);
