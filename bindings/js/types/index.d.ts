export {
  type Access, type Agent, type Bytes, type CompileOptions, type Dialect, type Directive, type DirectiveKind,
  type Finding, type Group, type GroupLine, type LintOptions, type ParseOptions, type Preference, type RequestRate,
  type RuleLine, type SideVerdict, type Sitemap, type TimeOfDay, type Url, type Usage, type Verdict, type Why,
  RobotRulesError, RobotsTxt, Rules, SideBySide, agree, dialects, init, robotName, robotsUrl,
} from "./check.js";
import type { Access, Bytes, Dialect, DirectiveKind, Finding, LintOptions, RobotsTxt, RuleLine, Sitemap, Url, Why } from "./check.js";

export interface FileOptions {
  dialect?: Dialect;
  /** The URL of the file. */
  url?: Url;
}

/** The faults and oddities of a file, ordered by line and column. */
export function lint(robots: Bytes | RobotsTxt, options?: LintOptions & FileOptions): Finding[];

/** A code of a finding. */
export interface LintCode {
  code: string;
  severity: Finding["severity"];
  summary: string;
  /** true: it says what the whole file does to robots, not what is wrong with one line. */
  consequence: boolean;
}
export function lintCodes(): LintCode[];

export interface Fixed {
  text: string;
  /** The changes in the unified format of diff; empty: nothing was changed. */
  diff: string;
  /** The number of changed lines. */
  edits: number;
  /** false: the file is UTF-16 or too long, and nothing was changed. */
  isFixable: boolean;
  /** How many findings of each code remain, because their edits would change what robots may fetch. */
  left: { code: string; count: number }[];
  /** The same for findings that could not be proven harmless. */
  unproven: { code: string; count: number }[];
}
/** The file after all edits that provably change nothing for any robot. */
export function fix(robots: Bytes, options?: { url?: Url }): Fixed;

/** The answer of one file for a path. */
export interface PathAnswer {
  access: Access;
  why: Why;
  line: number;
  rule: string;
}
export interface PathChange {
  path: string;
  before: PathAnswer;
  after: PathAnswer;
}
/** The changes for one set of robots. */
export interface RobotChange {
  /** true: the set contains every robot that neither file names. */
  others: boolean;
  agents: string[];
  changes: PathChange[];
  /** Milliseconds, or null. */
  delayBefore: number | null;
  delayAfter: number | null;
  /** true: the rules are on different lines; the changes have those of the first robot. */
  linesVary: boolean;
}
export interface ChangedSetting {
  kind: DirectiveKind;
  value: string;
  line: number;
  /** The robots of the line; empty: the line is for the whole site. */
  agents: string[];
}
export interface Difference {
  same: boolean;
  robots: RobotChange[];
  addedSitemaps: Sitemap[];
  removedSitemaps: Sitemap[];
  addedSettings: ChangedSetting[];
  removedSettings: ChangedSetting[];
  /** A sentence for each limit that was reached; empty: the comparison is complete. */
  limits: string[];
}
/** Compares two files for all robots that either of them names, for all others together, and for `agents`. */
export function compare(
  before: Bytes | RobotsTxt, after: Bytes | RobotsTxt, options?: FileOptions & { agents?: readonly string[] },
): Difference;

export interface CrawlerAccess {
  name: string;
  operatedBy: string;
  /** "search", "training", "archive" ... */
  kind: string;
  /** Whether it obeys robots.txt, according to its operator. */
  obeys: "not-stated" | "yes" | "partly" | "no";
  /** The part of the site that it may fetch. */
  reach: "everywhere" | "partly" | "nowhere";
  /** false: the file is so large that some values of `reach` are guesses. */
  exact: boolean;
  /** Whether it may fetch the page. */
  allowed: boolean;
  access: Access;
  group: { agent: string; line: number } | null;
  rule: RuleLine | null;
}
/** What a file allows each known crawler. `page`: the page that `access` is about, "/" by default. */
export function crawlers(robots: Bytes | RobotsTxt, options?: FileOptions & { page?: Url }): CrawlerAccess[];

/** What an answer without a file means for the site, and when it is asked again. */
export type Policy = "rfc9309" | "strict" | "robotstxt-rb" | "lwp-fixed";
/** The names and values of header fields: Headers, Object.entries(), or an array of pairs. A character is one byte. */
export type Fields = Iterable<readonly [string | Uint8Array, string | Uint8Array]>;

/**
 * The fetch of one robots.txt: what to request next, or what the answers mean (RFC 9309 section 2.3.1). It sends
 * nothing. Times are milliseconds since 1970, as Date.now() returns them; that is the default.
 */
export class RobotsFetch {
  /** last: an earlier fetch of the same site. Its file may be asked for conditionally, and its failures count. */
  constructor(robotsUrl: Url, options?: { policy?: Policy; last?: RobotsFetch | null; now?: number });
  /** true: there is a result, and nothing else is requested. */
  readonly done: boolean;
  /** The URL to request. Of a result: that of the last answer. */
  readonly url: string;
  /** When to request it: not before this time. Of a result: null. */
  readonly at: number | null;
  /** true: the same URL is requested again. Use a new connection. */
  readonly isRepeated: boolean;
  /** The fields to send beside those of the program. */
  readonly headers: Record<string, string>;
  /** Of a request: null. */
  readonly outcome: "rules" | "unavailable" | "unreachable" | null;
  /** What the policy says about the site. Of a request: null. */
  readonly state: "rules" | "stale" | "allow-all" | "disallow-all" | null;
  /** Of a result: the HTTP status; 0: there was no answer. */
  readonly status: number;
  /** Until then the result holds, and robots.txt is not fetched again. Of a request: null. */
  readonly freshUntil: number | null;
  /** Of a result: the file, or the last good copy. Each use makes a copy. */
  readonly robots: Uint8Array;
  /** Of a result: true if the file is longer than `robots`. */
  readonly truncated: boolean;
  /** Of a result: why there is no file; "": there is one, or the status says it. */
  readonly reason: string;
  /** Sets the largest number of redirects that are followed, and of bytes of the file. Call it before the first answer. */
  limit(redirects: number, bytes?: number): void;
  /** Takes the answer of a server. `fields`: the header, such as response.headers. */
  answer(status: number, fields: Fields, body?: Bytes, options?: {
    /** true: the body is as received. false (default): the client has removed the codings of Content-Encoding. */
    encoded?: boolean;
    /** true: the client stopped reading, and the file is longer. */
    cut?: boolean;
    /** false: the end of the body is not certain. */
    whole?: boolean;
    requestedAt?: number;
    receivedAt?: number;
    /** From 0 to 1: spreads the next requests after failures over time. */
    jitter?: number;
    now?: number;
  }): void;
  /**
   * Takes a request that had no answer. "failed" (default): the site did not answer, or its answer cannot be used.
   * "ours": by no fault of the site. "by-proxy": a proxy failed, so nothing is kept of it, and the site is requested
   * again later; `refusals`: such ends before, in a row.
   */
  fail(reason: string, end?: "failed" | "ours" | "by-proxy", options?: { refusals?: number; jitter?: number; now?: number }): void;
  /** Gives the memory back now. */
  free(): void;
  [Symbol.dispose](): void;
}
