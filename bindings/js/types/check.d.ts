/// <reference lib="es2022" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext.disposable" />

/** The bytes of a robots.txt, or its text. */
export type Bytes = string | Uint8Array | ArrayBuffer;
export type Url = string | URL;
/** The name of a robot, or its names: it obeys the groups of the first one that the file names. */
export type Agent = string | readonly string[];
export type Dialect = "rfc9309" | "google" | "www-robotrules" | "robotstxt-rb" | "original-1994" | "draft-1996";
export type Access = "allowed" | "disallowed" | "unknown";
export type Why = "rule" | "no-rule" | "empty-group" | "no-group" | "robots-txt" | "other-scheme" | "no-robots";
export type Preference = "allowed" | "disallowed" | "unknown";

/** The names of all dialects, the default first. */
export const dialects: readonly Dialect[];

/** An error of this package. */
export class RobotRulesError extends Error {
  readonly code:
    | "invalid-argument" | "out-of-range" | "out-of-memory" | "unknown-dialect" | "invalid-url" | "failed" | "internal"
    | "not-initialised" | "not-in-module" | "freed";
  constructor(code: string, message: string, options?: { cause?: unknown });
}

/**
 * Compiles the module without blocking. Only the main thread of a page needs it. `from`: the module, its bytes, or the
 * address of the .wasm file; without it, the copy inside this package is used.
 */
export function init(from?: WebAssembly.Module | Response | Promise<Response> | Url | BufferSource): Promise<void>;

/** The name of a robot in its name or a whole User-Agent header; "" if there is none. */
export function robotName(agent: string): string;
/** The URL of the robots.txt for a URL. */
export function robotsUrl(url: Url): string;

/** An Allow or Disallow line. */
export interface RuleLine {
  readonly access: "allowed" | "disallowed";
  readonly line: number;
  readonly pattern: string;
  readonly text: string;
}
export interface GroupLine {
  readonly agent: string;
  readonly line: number;
  readonly isDefault: boolean;
}
export interface Verdict {
  allowed: boolean;
  access: Access;
  why: Why;
  /** The line of the rule that decided; 0: no rule decided. */
  line: number;
  rule: RuleLine | null;
  /** The next best rule that also matches. */
  runnerUp: RuleLine | null;
  group: GroupLine | null;
}
export interface TimeOfDay {
  /** Minutes after midnight UTC. */
  from: number;
  to: number;
}
export interface RequestRate {
  requests: number;
  /** Milliseconds. */
  period: number;
  during: TimeOfDay | null;
}
export interface Usage {
  contentUsage: { path: string; trainAi: Preference; aiUse: Preference; search: Preference };
  contentSignal: { search: Preference; aiInput: Preference; aiTrain: Preference };
}
export interface CompileOptions {
  dialect?: Dialect;
  /** The URL of the file. */
  url?: Url;
  /** true: the robot never obeys groups for "*". */
  ignoresStar?: boolean;
}

/** The rules of one robots.txt for one robot. */
export class Rules {
  private constructor();
  static compile(robots: Bytes, agent: Agent, options?: CompileOptions): Rules;
  /** Answers whether the robot may fetch `url`, an absolute URL or a path that begins with "/", and why. */
  check(url: Url | Uint8Array): Verdict;
  /** The same without the reason, and faster. */
  allowed(url: Url | Uint8Array): boolean;
  /** The verdict as a sentence for people. */
  explain(url: Url | Uint8Array): string;
  /** The URL without the query parameters that Clean-param lines name. */
  cleanUrl(url: Url): string;
  /** What Content-Usage and Content-Signal lines say about a URL. */
  usage(url: Url | Uint8Array): Usage;
  readonly lines: RuleLine[];
  /** Milliseconds, or null. */
  readonly crawlDelay: number | null;
  readonly requestRate: RequestRate | null;
  readonly visitTime: TimeOfDay | null;
  readonly size: number;
  readonly memoryBytes: number;
  readonly dialect: Dialect;
  /** Gives the memory back now. */
  free(): void;
  [Symbol.dispose](): void;
}

export type DirectiveKind =
  | "User-agent" | "Allow" | "Disallow" | "Sitemap" | "Crawl-delay" | "Request-rate" | "Visit-time" | "Host"
  | "Clean-param" | "Noindex" | "Content-Signal" | "Content-Usage" | "";
/** One line with a name and a value. Lines and columns are counted from 1, columns in bytes of UTF-8. */
export interface Directive {
  kind: DirectiveKind;
  name: string;
  value: string;
  line: number;
  column: number;
  valueColumn: number;
  /** The index of its group; -1: it is before the first group. */
  group: number;
  /** The line of the first of the User-agent lines that it belongs to; 0: none. */
  runLine: number;
}
export interface Group {
  line: number;
  agents: Directive[];
  rules: Directive[];
  other: Directive[];
}
export interface Sitemap {
  /** Resolved against the URL of the file. */
  url: string;
  value: string;
  line: number;
}
/** A fault or oddity. Line 0 is the whole file. */
export interface Finding {
  code: string;
  severity: "error" | "warning" | "note";
  line: number;
  column: number;
  message: string;
  remedy: string;
  /** Changes of lines that the remedy asks for; empty: a person must decide. */
  edits: { line: number; lines: string[] }[];
}
export interface LintOptions {
  /** false: no findings about known crawlers. */
  knownRobots?: boolean;
  /** The response that contained the file. maxAge: seconds. */
  fetched?: { status?: number; contentType?: string; redirects?: number; maxAge?: number };
}
export interface ParseOptions {
  dialect?: Dialect;
  /** The URL of the file: relative sitemaps are resolved with it. */
  url?: Url;
}

/** A parsed robots.txt. */
export class RobotsTxt {
  private constructor();
  static parse(robots: Bytes, options?: ParseOptions): RobotsTxt;
  rulesFor(agent: Agent, options?: { ignoresStar?: boolean }): Rules;
  readonly groups: Group[];
  readonly sitemaps: Sitemap[];
  readonly directives: Directive[];
  /** The text as it was read: without the bytes that the dialect removes, and cut at its limit. */
  readonly text: string;
  readonly url: string;
  readonly dialect: Dialect;
  readonly lineCount: number;
  readonly truncated: boolean;
  readonly looksLikeHtml: boolean;
  /** The faults and oddities of the file. Only in "robotrules", not in "robotrules/check". */
  diagnostics(options?: LintOptions): Finding[];
  /** Gives the memory back now. */
  free(): void;
  [Symbol.dispose](): void;
}

export interface SideVerdict extends Verdict {
  dialect: Dialect;
}
/** The rules of one file in several dialects. */
export class SideBySide {
  constructor(robots: Bytes, agent: Agent, options?: { dialects?: readonly Dialect[]; ignoresStar?: boolean });
  check(url: Url): SideVerdict[];
  free(): void;
  [Symbol.dispose](): void;
}
/** true: the access is the same in all verdicts. */
export function agree(verdicts: readonly { access: Access }[]): boolean;
