// The fetch of one robots.txt by the HTTP client of a program.
import { Owned, handleOf, instance, ownerOf } from "./engine.js";
import { RobotRulesError } from "./error.js";
import { OUTCOME, STATE, optionsOf } from "./names.js";
import { EXCHANGE, ROBOTS_STEP, read, write } from "./structs.js";

const FREE = "robotrules_robots_fetch_free";
const ANSWERED = 1;
const ENDS = new Map([["failed", 2], ["ours", 3], ["by-proxy", 4]]);
const NO_ANSWER = {
  size: EXCHANGE.size, end: 0, status: 0, fields: 0, fieldCount: 0, body: "", encoded: 0, cut: 0, partial: 0,
  refusals: 0, requestedAt: 0, receivedAt: 0, failure: "", jitter: 0,
};

const ANSWER_OPTIONS = ["encoded", "cut", "whole", "requestedAt", "receivedAt", "jitter", "now"];

const LAST_TIME = 8.64e15; // milliseconds; no Date is later

function invalid(sentence) {
  return new RobotRulesError("invalid-argument", sentence);
}

/** Returns a time in microseconds. */
function microseconds(time) {
  if (typeof time !== "number" || !(time >= 0 && time <= LAST_TIME)) {
    throw invalid("A time must be a number of milliseconds since 1970, as Date.now() returns it.");
  }
  return Math.round(time * 1000);
}

function wholeNumber(value, name, most) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalid(`${name} must be a whole number from 0 to ${most}.`);
}

/** Returns a name or a value of a field. In strings of HTTP clients each character is one byte. */
function fieldText(text) {
  if (typeof text !== "string" || !/[\x80-\xff]/.test(text) || /[^\x00-\xff]/.test(text)) return text;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns bytes as a string that HTTP clients send as these bytes. */
function stringOf(bytes) {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Returns the names and values of fields in turn. */
function textsOf(fields) {
  if (typeof fields?.[Symbol.iterator] !== "function") {
    throw invalid("The fields must be pairs of a name and a value, such as response.headers of fetch() or Object.entries().");
  }
  return Array.from(fields).flatMap(([name, value]) => [fieldText(name), fieldText(value)]);
}

/** Makes a fetch, and returns its handle. */
function begin(owner, robotsUrl, policy, last, now) {
  const time = BigInt(microseconds(now));
  try {
    const url = owner.put(robotsUrl);
    const urlSize = owner.size;
    const name = owner.put(policy);
    const known = last === null ? 0 : handleOf(last);
    return owner.make("robotrules_robots_fetch_new", url, urlSize, name, owner.size, known, time);
  } finally {
    owner.done();
  }
}

/**
 * The fetch of one robots.txt: what to request next, or what the answers mean (RFC 9309 section 2.3.1). It sends
 * nothing: the program sends each request without following redirects, and tells what came of it. Times are milliseconds
 * since 1970.
 */
export class RobotsFetch extends Owned {
  #owner;
  #step = null;

  /**
   * @param {string | URL} robotsUrl
   * @param {{ policy?: string, last?: RobotsFetch | null, now?: number }} [options] last: an earlier fetch of the same
   *   site. Its file may be asked for conditionally, and its failures count
   */
  constructor(robotsUrl, options) {
    const { policy, last = null, now } = optionsOf(options, ["policy", "last", "now"]);
    if (last !== null && !(last instanceof RobotsFetch)) throw invalid("`last` must be an earlier RobotsFetch.");
    const owner = last === null ? instance() : ownerOf(last);
    super(owner, begin(owner, robotsUrl, policy ?? "rfc9309", last, now ?? Date.now()), FREE);
    this.#owner = owner;
  }

  /** true: there is a result, and nothing else is requested. */
  get done() {
    return this.#read().done;
  }

  /** The URL to request. Of a result: that of the last answer. */
  get url() {
    return this.#read().url;
  }

  /** When to request it: not before this time. Of a result: null. */
  get at() {
    return this.#read().at;
  }

  /** true: the same URL is requested again. Use a new connection. */
  get isRepeated() {
    return this.#read().isRepeated;
  }

  /** The fields to send beside those of the program. */
  get headers() {
    return { ...this.#read().headers };
  }

  /** Of a result: "rules", "unavailable" or "unreachable". */
  get outcome() {
    return this.#read().outcome;
  }

  /** Of a result: what the policy says about the site: "rules", "stale", "allow-all" or "disallow-all". */
  get state() {
    return this.#read().state;
  }

  /** Of a result: the HTTP status; 0: there was no answer. */
  get status() {
    return this.#read().status;
  }

  /** Of a result: until then it holds, and robots.txt is not fetched again. */
  get freshUntil() {
    return this.#read().freshUntil;
  }

  /** Of a result: the bytes of the file, or of the last good copy. Each use makes a copy. */
  get robots() {
    return this.#view().robots.slice();
  }

  /** Of a result: true if the file is longer than `robots`. */
  get truncated() {
    return this.#read().truncated;
  }

  /** Of a result: why there is no file; "": there is one, or the status says it. */
  get reason() {
    return this.#read().reason;
  }

  /**
   * Sets the largest number of redirects that are followed, and of bytes of the file. Call it before the first answer.
   * @param {number} redirects
   * @param {number} [bytes]
   */
  limit(redirects, bytes = 512_000) {
    this.#owner.check(this.#owner.call("robotrules_robots_fetch_limits", handleOf(this),
      wholeNumber(redirects, "The number of redirects", 0xffff_ffff), wholeNumber(bytes, "The number of bytes", 0x7fff_ffff)));
  }

  /**
   * Takes the answer of a server.
   * @param {number} status
   * @param {Iterable<readonly [string | Uint8Array, string | Uint8Array]>} fields the header, such as response.headers; a
   *   repeated field is repeated here
   * @param {string | Uint8Array | ArrayBuffer} [body]
   * @param {{ encoded?: boolean, cut?: boolean, whole?: boolean, requestedAt?: number, receivedAt?: number,
   *   jitter?: number, now?: number }} [options]
   *   encoded: the body is as received. Otherwise the client has removed the codings that Content-Encoding names
   *   cut: the client stopped reading, and the file is longer
   *   whole: the end of the body is certain
   *   jitter: from 0 to 1; spreads the next requests after failures over time
   */
  answer(status, fields, body = "", options) {
    const given = optionsOf(options, ANSWER_OPTIONS);
    const now = given.now ?? Date.now();
    const texts = textsOf(fields);
    this.#end(now, () => ({
      end: ANSWERED,
      status: wholeNumber(status, "The status", 999),
      fields: this.#owner.putAll(texts),
      fieldCount: texts.length,
      body,
      encoded: given.encoded ? 1 : 0,
      cut: given.cut ? 1 : 0,
      partial: given.whole ?? true ? 0 : 1,
      requestedAt: microseconds(given.requestedAt ?? now),
      receivedAt: microseconds(given.receivedAt ?? now),
      jitter: given.jitter ?? 0,
    }));
  }

  /**
   * Takes a request that had no answer.
   * @param {string} reason
   * @param {"failed" | "ours" | "by-proxy"} [end] "failed": the site did not answer, or its answer cannot be used.
   *   "ours": by no fault of the site. "by-proxy": a proxy failed, so nothing is kept of it, and the site is requested
   *   again later
   * @param {{ refusals?: number, jitter?: number, now?: number }} [options] refusals: earlier ends by a proxy, in a row
   */
  fail(reason, end = "failed", options) {
    const number = ENDS.get(end);
    if (number === undefined) throw invalid(`There is no end "${String(end)}". Use one of: ${[...ENDS.keys()].join(", ")}.`);
    const given = optionsOf(options, ["refusals", "jitter", "now"]);
    this.#end(given.now ?? Date.now(), () => ({
      end: number,
      failure: reason,
      refusals: wholeNumber(given.refusals ?? 0, "The number of refusals", 1_000_000),
      jitter: given.jitter ?? 0,
    }));
  }

  // Gives an exchange to the library. A call that fails changes nothing.
  #end(now, exchange) {
    const owner = this.#owner;
    const handle = handleOf(this);
    if (this.done) throw invalid("This fetch has a result. Begin another one, with this one as `last`.");
    const time = BigInt(microseconds(now));
    try {
      const given = write(owner, EXCHANGE, { ...NO_ANSWER, ...exchange() });
      owner.check(owner.call("robotrules_robots_fetch_answer", handle, given, time));
      owner.exports.robotrules_js_keep();
      this.#step = null;
    } finally {
      owner.done();
    }
  }

  // Returns the step with views of the memory.
  #view() {
    const owner = this.#owner;
    owner.check(owner.call("robotrules_robots_fetch_step", handleOf(this), owner.out));
    return read(owner, ROBOTS_STEP, owner.out);
  }

  #read() {
    if (this.#step !== null) return this.#step;
    const { robots, accept, ifNoneMatch, ifModifiedSince, ...step } = this.#view();
    const done = step.done !== 0;
    const headers = [["Accept", accept], ["If-None-Match", ifNoneMatch], ["If-Modified-Since", ifModifiedSince]]
      .filter(([, value]) => value.length > 0).map(([name, value]) => [name, stringOf(value)]);
    return (this.#step = {
      ...step,
      done,
      at: done ? null : step.at / 1000,
      isRepeated: step.isRepeated !== 0,
      headers: Object.fromEntries(headers),
      outcome: done ? OUTCOME[step.outcome] : null,
      state: done ? STATE[step.state] : null,
      freshUntil: done ? step.freshUntil / 1000 : null,
      truncated: step.truncated !== 0,
    });
  }
}
