#!/usr/bin/env node
// Times the package in build/js beside npm's robots-parser: the same questions, in pairs, in one run.
//
//     make js && npm install --prefix build/js-bench robots-parser && node bindings/js/bench/bench.mjs
//
//   ROBOTRULES_CORPUS, ROBOTRULES_CONFORMANCE   the files and the questions, as bench/README.md says; without them,
//                                               files and questions are generated from a fixed seed
//   ROUNDS                                      pairs of passes (default 9); the table has medians
//
// Before anything is timed, both answer every question. Questions with different answers are counted and left out.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { load, root } from "../test/package.mjs";

const { Rules } = await load("check");
const { default: dropIn } = await load("robots-parser");
const require = createRequire(join(root, "build/js-bench/package.json"));
const robotsParser = require("robots-parser");
const rounds = Number(process.env.ROUNDS ?? 9);

/** Returns files with questions: [{ bytes, origin, questions: [[agent, url]] }]. */
function recorded(corpus, table) {
  const files = new Map();
  for (const row of readFileSync(table, "utf8").split("\n").slice(1)) {
    if (row === "") continue;
    const [host, agent, url] = row.split("\t");
    if (!files.has(host)) files.set(host, { bytes: readFileSync(join(corpus, host)), origin: `https://${host}`, questions: [] });
    files.get(host).questions.push([agent, url]);
  }
  return [...files.values()];
}

/** The same from a fixed seed: files of the usual sizes, with few groups and some wildcards. */
function generated() {
  let state = 1;
  const below = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
  const words = ["search", "cart", "admin", "user", "private", "tmp", "api", "page", "tag", "feed", "login", "media"];
  const path = () => `/${Array.from({ length: 1 + below(3) }, () => words[below(words.length)]).join("/")}${below(4) ? "" : "/*?q="}`;
  return Array.from({ length: 2000 }, (_, i) => {
    const agents = ["*", "Googlebot", "Bingbot", "GPTBot"].slice(0, 1 + below(4));
    const text = agents.map((agent) => `User-agent: ${agent}\n${Array.from({ length: 2 + below(40) },
      () => `${below(5) ? "Disallow" : "Allow"}: ${path()}\n`).join("")}`).join("\n");
    const origin = `https://host${i}.example`;
    return { bytes: Buffer.from(text), origin,
      questions: Array.from({ length: 12 }, () => [agents[below(agents.length)] === "*" ? "FooBot" : "Googlebot", `${origin}${path()}`]) };
  });
}

const corpus = process.env.ROBOTRULES_CORPUS;
const table = process.env.ROBOTRULES_CONFORMANCE && join(process.env.ROBOTRULES_CONFORMANCE, "corpus.tsv");
const real = corpus && table && existsSync(table);
const files = real ? recorded(corpus, table) : generated();
const decoder = new TextDecoder();

// --- answers first
let asked = 0;
let different = 0;
for (const file of files) {
  const theirs = robotsParser(`${file.origin}/robots.txt`, decoder.decode(file.bytes));
  const ours = dropIn(`${file.origin}/robots.txt`, file.bytes);
  file.questions = file.questions.filter(([agent, url]) => {
    const rules = Rules.compile(file.bytes, agent);
    const answer = rules.allowed(url);
    rules.free();
    ++asked;
    if (ours.isAllowed(url, agent) === answer && theirs.isAllowed(url, agent) === answer) return true;
    ++different;
    return false;
  });
  file.agents = new Map(file.questions.map(([agent]) => [agent, Rules.compile(file.bytes, agent)]));
  Object.assign(file, { theirs, ours, compiled: file.questions.map(([agent, url]) => [file.agents.get(agent), url]) });
}
const count = asked - different;

// --- the ways to answer: each pass answers every question, and returns how many are allowed
const passes = {
  "compiled: robots-parser isAllowed": () => {
    let allowed = 0;
    for (const { theirs, questions } of files) for (const [agent, url] of questions) allowed += theirs.isAllowed(url, agent);
    return allowed;
  },
  "compiled: Rules.allowed": () => {
    let allowed = 0;
    for (const { compiled } of files) for (const [rules, url] of compiled) allowed += rules.allowed(url);
    return allowed;
  },
  "compiled: Rules.check": () => {
    let allowed = 0;
    for (const { compiled } of files) for (const [rules, url] of compiled) allowed += rules.check(url).allowed;
    return allowed;
  },
  "compiled: drop-in isAllowed": () => {
    let allowed = 0;
    for (const { ours, questions } of files) for (const [agent, url] of questions) allowed += ours.isAllowed(url, agent);
    return allowed;
  },
  "from bytes: robots-parser": () => {
    let allowed = 0;
    for (const { origin, bytes, questions } of files) {
      for (const [agent, url] of questions) {
        allowed += robotsParser(`${origin}/robots.txt`, decoder.decode(bytes)).isAllowed(url, agent);
      }
    }
    return allowed;
  },
  "from bytes: Rules.compile": () => {
    let allowed = 0;
    for (const { bytes, questions } of files) {
      for (const [agent, url] of questions) {
        const rules = Rules.compile(bytes, agent);
        allowed += rules.allowed(url);
        rules.free();
      }
    }
    return allowed;
  },
  "from bytes: drop-in": () => {
    let allowed = 0;
    for (const { origin, bytes, questions } of files) {
      for (const [agent, url] of questions) allowed += dropIn(`${origin}/robots.txt`, bytes).isAllowed(url, agent);
    }
    return allowed;
  },
};

const times = Object.fromEntries(Object.keys(passes).map((name) => [name, []]));
let expected;
for (let round = -1; round < rounds; ++round) { // the first round warms up
  for (const [name, pass] of Object.entries(passes)) {
    const begin = process.cpuUsage();
    const allowed = pass();
    const { user, system } = process.cpuUsage(begin);
    expected ??= allowed;
    if (allowed !== expected) throw new Error(`${name}: ${allowed} are allowed, not ${expected}`);
    if (round >= 0) times[name].push((1000 * (user + system)) / count);
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
console.log(`node ${process.version}, ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`);
console.log(`${files.length} ${real ? "real" : "generated"} files, ${count} questions; ${different} with different answers are left out`);
for (const [name, list] of Object.entries(times)) {
  const peer = times[name.startsWith("compiled") ? "compiled: robots-parser isAllowed" : "from bytes: robots-parser"];
  const ratio = median(list.map((time, i) => peer[i] / time));
  console.log(`${name.padEnd(36)} ${median(list).toFixed(0).padStart(8)} ns a question  ${ratio.toFixed(2)} x robots-parser`);
}
