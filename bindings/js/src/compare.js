// What a change of a file changes, and for which robots.
import { handleOf, ownerOf } from "./engine.js";
import { ACCESS, FILE_OPTIONS, KINDS, WHY, fileOptions, optionsOf, orNull } from "./names.js";
import { RobotsTxt, fileIn } from "./robots_txt.js";
import {
  CHANGED_SETTING, DIFFERENCE_FACTS, PATH_CHANGE, ROBOT_CHANGE, SITEMAP, read,
} from "./structs.js";

/** Reads the rows of a comparison. */
class Reader {
  constructor(owner, handle) {
    this.owner = owner;
    this.handle = handle;
  }

  row(struct, name, ...places) {
    this.owner.check(this.owner.call(`robotrules_difference_${name}`, this.handle, ...places, this.owner.out));
    return struct === null ? this.owner.textAt(this.owner.out) : read(this.owner, struct, this.owner.out);
  }

  rows(count, make) {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  answer({ access, why, line, rule }) {
    return { access: ACCESS[access], why: WHY[why], line, rule };
  }

  robot(index) {
    const robot = this.row(ROBOT_CHANGE, "robot", index);
    return {
      others: robot.others !== 0,
      agents: this.rows(robot.agentCount, (i) => this.row(null, "agent", index, i)),
      changes: this.rows(robot.changeCount, (i) => {
        const { path, before, after } = this.row(PATH_CHANGE, "change", index, i);
        return { path, before: this.answer(before), after: this.answer(after) };
      }),
      delayBefore: orNull(robot.delayBefore),
      delayAfter: orNull(robot.delayAfter),
      linesVary: robot.linesVary !== 0,
    };
  }

  setting(added, index) {
    const { value, kind, line, agentCount } = this.row(CHANGED_SETTING, "setting", added, index);
    return { kind: KINDS[kind], value, line,
      agents: this.rows(agentCount, (i) => this.row(null, "setting_agent", added, index, i)) };
  }

  difference() {
    const facts = this.row(DIFFERENCE_FACTS, "get_facts");
    return {
      same: facts.same !== 0,
      robots: this.rows(facts.robotCount, (i) => this.robot(i)),
      addedSitemaps: this.rows(facts.addedSitemapCount, (i) => this.row(SITEMAP, "sitemap", 1, i)),
      removedSitemaps: this.rows(facts.removedSitemapCount, (i) => this.row(SITEMAP, "sitemap", 0, i)),
      addedSettings: this.rows(facts.addedSettingCount, (i) => this.setting(1, i)),
      removedSettings: this.rows(facts.removedSettingCount, (i) => this.setting(0, i)),
      limits: this.rows(facts.limitCount, (i) => this.row(null, "limit", i)),
    };
  }
}

/**
 * Compares two files for all robots that either of them names, for all others together, and for `agents`.
 * @param {string | Uint8Array | ArrayBuffer | RobotsTxt} before
 * @param {string | Uint8Array | ArrayBuffer | RobotsTxt} after
 * @param {{ agents?: readonly string[], dialect?: string, url?: string | URL }} [options] dialect and url: for files
 *   that are text or bytes
 */
export function compare(before, after, options) {
  const given = optionsOf(options, ["agents", ...FILE_OPTIONS]);
  const agents = given.agents ?? [];
  const own = [];
  const parsed = (file) => {
    if (file instanceof RobotsTxt) return file;
    own.push(RobotsTxt.parse(file, fileOptions(given)));
    return own[own.length - 1];
  };
  try {
    const left = parsed(before);
    const owner = ownerOf(left);
    const right = fileIn(owner, parsed(after));
    own.push(right);
    let handle = 0;
    try {
      const list = owner.putAll(agents);
      handle = owner.make("robotrules_compare", handleOf(left), handleOf(right.file), list, agents.length);
      return new Reader(owner, handle).difference();
    } finally {
      if (handle !== 0) owner.call("robotrules_difference_free", handle);
      owner.done();
    }
  } finally {
    for (const file of own) file.free();
  }
}
