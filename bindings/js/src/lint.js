// The findings about a file, and the corrected file.
import { instance } from "./engine.js";
import { FILE_OPTIONS, SEVERITY, fileOptions, optionsOf } from "./names.js";
import { FINDING_OPTIONS, RobotsTxt } from "./robots_txt.js";
import { CODE_COUNT, FIXED_FACTS, LINT_CODE, read } from "./structs.js";

/**
 * Returns the faults and oddities of a file, ordered by line and column.
 * @param {string | Uint8Array | ArrayBuffer | RobotsTxt} robots
 * @param {{ dialect?: string, url?: string | URL, knownRobots?: boolean, fetched?: object }} [options]
 */
export function lint(robots, options) {
  const given = optionsOf(options, [...FINDING_OPTIONS, ...FILE_OPTIONS]);
  const findings = { knownRobots: given.knownRobots, fetched: given.fetched };
  if (robots instanceof RobotsTxt) return robots.diagnostics(findings);
  const file = RobotsTxt.parse(robots, fileOptions(given));
  try {
    return file.diagnostics(findings);
  } finally {
    file.free();
  }
}

/** Returns all codes of findings with their summaries. */
export function lintCodes() {
  const owner = instance();
  return Array.from({ length: owner.call("robotrules_lint_code_count") }, (_, i) => {
    owner.check(owner.call("robotrules_lint_code_at", i, owner.out));
    const { code, summary, severity, consequence } = read(owner, LINT_CODE, owner.out);
    return { code, severity: SEVERITY[severity], summary, consequence: consequence !== 0 };
  });
}

/**
 * Returns the file after all edits that provably change nothing for any robot.
 * @param {string | Uint8Array | ArrayBuffer} robots
 * @param {{ url?: string | URL }} [options]
 */
export function fix(robots, options) {
  const { url: fileUrl } = optionsOf(options, ["url"]);
  const owner = instance();
  let fixed = 0;
  try {
    const file = owner.put(robots);
    const fileSize = owner.size;
    const url = owner.put(fileUrl ?? "");
    fixed = owner.make("robotrules_fix", file, fileSize, url, owner.size);
    owner.check(owner.call("robotrules_fixed_get_facts", fixed, owner.out));
    const { text, diff, edits, leftCount, unprovenCount, isFixable } = read(owner, FIXED_FACTS, owner.out);
    const counts = (name, count) => Array.from({ length: count }, (_, i) => {
      owner.check(owner.call(name, fixed, i, owner.out));
      return read(owner, CODE_COUNT, owner.out);
    });
    return { text, diff, edits, isFixable: isFixable !== 0, left: counts("robotrules_fixed_left", leftCount),
      unproven: counts("robotrules_fixed_unproven", unprovenCount) };
  } finally {
    if (fixed !== 0) owner.call("robotrules_fixed_free", fixed);
    owner.done();
  }
}
