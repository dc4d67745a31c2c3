import type { Dialect } from "./check.js";

export interface Robot {
  /** undefined: the URL does not belong to the site of this robots.txt. */
  isAllowed(url: string, ua?: string): boolean | undefined;
  isDisallowed(url: string, ua?: string): boolean;
  /** Whether a group that names the robot disallows the URL; groups for "*" do not count. */
  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined;
  /** -1: no rule decides. */
  getMatchingLineNumber(url: string, ua?: string): number;
  /** Seconds. */
  getCrawlDelay(ua?: string): number | undefined;
  getSitemaps(): string[];
  getPreferredHost(): string | null;
}

/** `dialect`: how the file is read, "rfc9309" by default. */
export default function robotsParser(url: string, robotstxt: string | Uint8Array | null, options?: { dialect?: Dialect }): Robot;
