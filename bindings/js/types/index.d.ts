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
