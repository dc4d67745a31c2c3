// RobotsFetch: the table of tests/conformance/answers, Node's fetch() against a server, and wrong arguments.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { load } from "./package.mjs";
import { bytesOf, rowsOf } from "./tables.mjs";

const { RobotRulesError, RobotsFetch, Rules } = await load("index");
const { instance } = await load("engine");

const BEGIN = 1_700_000_000_000;
const URL_OF_FILE = "https://a.test/robots.txt";
const FILE = "User-agent: *\nDisallow: /x\n";
const CANNOT_DECODE = /this build cannot decode its content coding$/;

const at = (seconds) => BEGIN + 1000 * Number(seconds);
const field = (text) => (text === "-" ? new Uint8Array() : bytesOf(text));
const textOf = (bytes) => Buffer.from(bytes).toString("latin1");
const pairsOf = (text) => textOf(field(text)).split("\n").filter(Boolean).map((line) => line.split(/: ?(.*)/s, 2));

/** Returns true if the body of this answer must be decoded: it is as received, or a file packed by gzip. */
function isPacked(status, fields, body, flags) {
  if (!/^2/.test(status) || status === "206" || body.length === 0) return false;
  const coding = pairsOf(fields).some(([name, value]) => name === "Content-Encoding" && /gzip|deflate|br|zstd/.test(value));
  return coding ? flags.includes("encoded") : body[0] === 0x1f && body[1] === 0x8b;
}

test("the answers of answers.tsv", (context) => {
  let [name, policy, url, fetch, now] = [];
  let isSkipped = false;
  const counts = { cases: 0, answers: 0, skipped: 0 };
  for (const { number, row: [kind, ...row] } of rowsOf("answers/answers.tsv")) {
    if (kind === "case") [name, policy, url] = row;
    const place = `line ${number}: ${name} (${policy})`;
    if (kind === "case") {
      ++counts.cases;
      isSkipped = false;
      fetch = new RobotsFetch(url, { policy, now: BEGIN });
    } else if (kind === "again") {
      assert.equal(isSkipped, false, `${place}: it depends on a result that was skipped`);
      fetch = new RobotsFetch(url, { policy, last: fetch, now: at(row[0]) });
    } else if (kind === "answer") {
      const [seconds, status, fields, text, list] = row;
      const flags = list.split(",");
      const body = field(text);
      now = at(seconds);
      fetch.answer(Number(status), pairsOf(fields), body, { now, encoded: flags.includes("encoded"),
        cut: flags.includes("cut"), whole: !flags.includes("partial") });
      isSkipped = isPacked(status, fields, body, flags);
      ++counts.answers;
    } else if (kind === "fail") {
      now = at(row[0]);
      fetch.fail(textOf(field(row[2])), row[1], { refusals: Number(row[3]), now });
    } else if (kind === "request") {
      const { Accept, ...conditional } = fetch.headers;
      assert.deepEqual([fetch.done, fetch.url, fetch.at, fetch.isRepeated], [false, row[0], at(row[1]), row[3] === "repeated"], place);
      assert.deepEqual(conditional, Object.fromEntries(pairsOf(row[2])), place);
      assert.equal(Accept, "text/plain, */*;q=0.5", place);
    } else if (kind === "result" && isSkipped) {
      assert.deepEqual([fetch.done, fetch.outcome, fetch.state, fetch.status, fetch.freshUntil - now],
        [true, "unreachable", "disallow-all", 0, 60_000], place);
      assert.match(fetch.reason, CANNOT_DECODE, place);
      ++counts.skipped;
    } else if (kind === "result") {
      const [outcome, state, status, seconds, file, reason] = row;
      assert.deepEqual([fetch.done, fetch.outcome, fetch.state, fetch.status, fetch.freshUntil - now],
        [true, outcome, state, Number(status), 1000 * Number(seconds)], place);
      if (file !== "-") assert.equal(textOf(fetch.robots), textOf(field(file)), place);
      if (reason !== "-") assert.equal(fetch.reason, textOf(field(reason)), place);
      assert.doesNotMatch(fetch.reason, CANNOT_DECODE, place);
    } else {
      assert.fail(`${place}: there is no row of this kind`);
    }
  }
  context.diagnostic(`${counts.cases} cases, ${counts.answers} answers; ${counts.skipped} results skipped: the module cannot decode`);
  assert.ok(counts.cases > 100);
  assert.equal(counts.skipped, 11);
});

/** Runs `use` with a server that gives these answers in turn, and returns the requests that it got. */
async function withServer(answers, use) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url, ifNoneMatch: request.headers["if-none-match"], accept: request.headers.accept });
    const { status, headers, body } = answers.shift();
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return requests;
}

/** Does what RobotsFetch asks for, with the fetch() of the platform. */
async function run(robots) {
  while (!robots.done) {
    const response = await fetch(robots.url, { headers: { ...robots.headers, "User-Agent": "FooBot/1.0" }, redirect: "manual" });
    robots.answer(response.status, response.headers, await response.arrayBuffer(), { now: BEGIN });
  }
  return robots;
}

test("Node's fetch(): it decodes the body and keeps Content-Encoding, so `encoded` is false", async () => {
  let first;
  let second;
  const requests = await withServer([
    { status: 302, headers: { Location: "/r.txt" } },
    { status: 421 },
    { status: 200, headers: { "Content-Encoding": "gzip", ETag: '"e1"', "Cache-Control": "max-age=600" }, body: gzipSync(FILE) },
    { status: 302, headers: { Location: "/r.txt" } },
    { status: 304, headers: { "Cache-Control": "max-age=1200" } },
  ], async (site) => {
    first = await run(new RobotsFetch(`${site}/robots.txt`, { now: BEGIN }));
    const again = new RobotsFetch(new URL(`${site}/robots.txt`), { last: first, now: first.freshUntil + 1 });
    assert.equal(again.at, first.freshUntil + 1);
    second = await run(again);
  });
  assert.deepEqual(requests.map(({ url, ifNoneMatch }) => [url, ifNoneMatch]), [["/robots.txt", undefined],
    ["/r.txt", undefined], ["/r.txt", undefined], ["/robots.txt", undefined], ["/r.txt", '"e1"']]);
  assert.ok(requests.every(({ accept }) => accept === "text/plain, */*;q=0.5"));
  assert.deepEqual([first.outcome, first.state, first.status, first.freshUntil - BEGIN], ["rules", "rules", 200, 600_000]);
  assert.deepEqual([second.outcome, second.state, second.status, second.freshUntil - BEGIN], ["rules", "rules", 200, 1_200_000]);
  assert.equal(Rules.compile(second.robots, "FooBot").allowed("/x"), false);
});

test("while a result is fresh, the next fetch begins when it ends", () => {
  const first = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  first.answer(503, [["Retry-After", "600"]], "", { now: BEGIN });
  const next = new RobotsFetch(URL_OF_FILE, { last: first, now: BEGIN + 1 });
  first.free();
  assert.deepEqual([next.done, next.at], [false, BEGIN + 600_000]);
  next.fail("no answer", "failed", { now: BEGIN + 600_000 });
  assert.deepEqual([next.freshUntil - BEGIN - 600_000, next.reason], [120_000, "no answer"]);
  const defaults = new RobotsFetch(URL_OF_FILE, { last: null });
  assert.ok(Math.abs(defaults.at - Date.now()) < 60_000);
});

test("a request has no result yet, and a result is no request", () => {
  const fetch = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  assert.deepEqual([fetch.outcome, fetch.state, fetch.freshUntil, fetch.status, fetch.reason, fetch.robots.length, fetch.truncated],
    [null, null, null, 0, "", 0, false]);
  fetch.answer(200, new Headers(), FILE, { now: BEGIN });
  assert.deepEqual([fetch.at, fetch.headers, fetch.isRepeated, textOf(fetch.robots)], [null, {}, false, FILE]);
  fetch.robots.fill(0);
  assert.equal(textOf(fetch.robots), FILE);
});

test("limit() sets the number of redirects and of bytes", () => {
  const redirected = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  redirected.limit(0);
  redirected.answer(301, [["Location", "/r"]], "", { now: BEGIN });
  assert.deepEqual([redirected.done, redirected.outcome, redirected.status], [true, "unavailable", 301]);
  const long = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  long.limit(5, 20);
  long.answer(200, [], FILE, { now: BEGIN });
  assert.deepEqual([textOf(long.robots), long.truncated], ["User-agent: *\n", true]);
});

test("each character of a field is one byte, as clients give and send it", () => {
  const tag = '"\u0080\u00e9\u00ff"';
  const first = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  first.answer(301, new Headers([["Location", "/\u00c3\u00bc"]]), "", { now: BEGIN }); // the bytes of "/ü" in UTF-8
  assert.equal(first.url, "https://a.test/\u00fc");
  first.answer(200, [["ETag", tag]], FILE, { now: BEGIN });
  const next = new RobotsFetch(URL_OF_FILE, { last: first, now: BEGIN + 86_400_001 });
  next.answer(301, [[new TextEncoder().encode("Location"), new TextEncoder().encode("/\u00fc")]], "", { now: BEGIN + 86_400_001 });
  assert.equal(next.headers["If-None-Match"], tag);
  assert.equal(new Headers(next.headers).get("if-none-match"), tag);
  const euro = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  euro.answer(301, [["Location", "/\u20ac"]], "", { now: BEGIN });
  assert.equal(euro.url, "https://a.test/\u20ac");
});

test("wrong arguments are errors, and the fetch stays as it was", () => {
  const throwsCode = (code, call) => assert.throws(call, (error) => error instanceof RobotRulesError && error.code === code);
  for (const url of ["/robots.txt", "ftp://a.test/", ""]) throwsCode("invalid-url", () => new RobotsFetch(url));
  for (const options of [{ policy: "lenient" }, { policy: 7 }, { last: {} }, { now: Number.NaN }, { now: -1 }, { now: "1" },
    { now: 1e300 }, { now: new Date() }]) {
    throwsCode("invalid-argument", () => new RobotsFetch(URL_OF_FILE, options));
  }
  throwsCode("invalid-argument", () => new RobotsFetch(undefined));
  throwsCode("invalid-argument", () => new RobotsFetch(URL_OF_FILE, { policies: "strict" }));
  const fetch = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  for (const status of [-1, 1000, 200.5, "200", undefined]) {
    throwsCode("invalid-argument", () => fetch.answer(status, [], "", { now: BEGIN }));
  }
  for (const options of [{ jitter: 2 }, { jitter: -0.1 }, { jitter: Number.NaN }, { now: 1e300 }, { requestedAt: -1 },
    { receivedAt: Number.POSITIVE_INFINITY }]) {
    throwsCode("invalid-argument", () => fetch.answer(200, [], "", { now: BEGIN, ...options }));
  }
  for (const fields of [undefined, null, { Location: "/r" }, [["Location"]], [["Location", 7]]]) {
    throwsCode("invalid-argument", () => fetch.answer(301, fields));
  }
  throwsCode("invalid-argument", () => fetch.answer(200, [], 7));
  for (const end of ["nobody", "answered", 2]) throwsCode("invalid-argument", () => fetch.fail("x", end));
  for (const refusals of [-1, 1.5, 2_000_000]) throwsCode("invalid-argument", () => fetch.fail("x", "by-proxy", { refusals }));
  for (const limits of [[-1], [1.5], [2 ** 32], [1, -1], [1, 2 ** 31]]) throwsCode("invalid-argument", () => fetch.limit(...limits));
  assert.deepEqual([fetch.done, fetch.url, fetch.at], [false, URL_OF_FILE, BEGIN]);
  fetch.answer(200, [], FILE, { now: BEGIN });
  throwsCode("invalid-argument", () => fetch.answer(200, [], FILE, { now: BEGIN }));
  throwsCode("invalid-argument", () => fetch.fail("x"));
  assert.equal(textOf(fetch.robots), FILE);
  fetch.free();
  throwsCode("freed", () => fetch.robots);
  throwsCode("freed", () => fetch.fail("x"));
  throwsCode("freed", () => new RobotsFetch(URL_OF_FILE, { last: fetch }));
});

test("fields and files of every size keep their bytes", () => {
  for (const size of [0, 1, 8_191, 8_193, 500_000]) {
    const fetch = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
    const filler = Array.from({ length: 300 }, (_, i) => [`X-Filler-${i}`, "y".repeat(40)]);
    const line = `#${"z".repeat(size)}\n`;
    fetch.answer(200, [...filler, ["ETag", `"${"t".repeat(size)}"`]], line, { now: BEGIN });
    assert.equal(textOf(fetch.robots), line);
    const next = new RobotsFetch(URL_OF_FILE, { last: fetch, now: BEGIN });
    assert.equal(next.headers["If-None-Match"], `"${"t".repeat(size)}"`);
    fetch.free();
    next.free();
  }
  assert.equal(instance().broken, false);
});

test("answers give their memory back", () => {
  const body = `# ${"x".repeat(100_000)}\n`;
  let last = null;
  const round = (i) => {
    const fetch = new RobotsFetch(URL_OF_FILE, { last, now: at(i * 100_000) });
    fetch.answer(301, [["Location", "/r"]], "", { now: at(i * 100_000) });
    fetch.answer(200, [["ETag", `"${i}"`]], body, { now: at(i * 100_000) });
    last?.free();
    last = fetch;
  };
  for (let i = 0; i < 5; ++i) round(i);
  const { bytes } = instance();
  for (let i = 5; i < 200; ++i) round(i);
  assert.equal(instance().bytes, bytes);
});

test("an answer that does not fit into the memory leaves the fetch as it was", () => {
  const path = `/${"r".repeat(100)}`;
  const fetch = new RobotsFetch(URL_OF_FILE, { now: BEGIN });
  fetch.answer(301, [["Location", path]], "", { now: BEGIN });
  const body = new Uint8Array(600 * 1024 * 1024); // it fits once, and not twice
  for (let i = 0; i < 2; ++i) {
    assert.throws(() => fetch.answer(200, [["ETag", '"e"']], body, { now: BEGIN }), { code: "out-of-memory" });
  }
  const next = new RobotsFetch(URL_OF_FILE, { last: fetch, now: BEGIN }); // in the memory of the same instance
  next.answer(301, [["Location", path.replaceAll("r", "s")]], "", { now: BEGIN });
  assert.deepEqual([fetch.done, fetch.url], [false, `https://a.test${path}`]);
  fetch.answer(301, [["Location", URL_OF_FILE]], "", { now: BEGIN });
  assert.deepEqual([fetch.done, fetch.url, fetch.status, fetch.reason],
    [true, `https://a.test${path}`, 301, `https://a.test${path} redirects (301) in a loop`]);
});
