// What a file allows the known crawlers.
import { handleOf, ownerOf } from "./engine.js";
import { ACCESS, FILE_OPTIONS, OBEYS, REACH, fileOptions, optionsOf, ruleText } from "./names.js";
import { RobotsTxt, prepareCrawlers } from "./robots_txt.js";
import { CRAWLER, read } from "./structs.js";

/**
 * Returns what a file allows each known crawler.
 * @param {string | Uint8Array | ArrayBuffer | RobotsTxt} robots
 * @param {{ page?: string | URL, dialect?: string, url?: string | URL }} [options] page: the page that `access` is
 *   about, "/" by default
 */
export function crawlers(robots, options) {
  const given = optionsOf(options, ["page", ...FILE_OPTIONS]);
  const own = !(robots instanceof RobotsTxt);
  const file = own ? RobotsTxt.parse(robots, fileOptions(given)) : robots;
  const owner = ownerOf(file);
  let list = 0;
  try {
    prepareCrawlers(owner);
    const page = owner.put(given.page ?? "/");
    list = owner.make("robotrules_file_crawlers", handleOf(file), page, owner.size);
    const exact = owner.call("robotrules_crawlers_complete", list) !== 0;
    return Array.from({ length: owner.call("robotrules_crawlers_count", list) }, (_, i) => {
      owner.check(owner.call("robotrules_crawlers_at", list, i, owner.out));
      const { name, operatedBy, kind, groupAgent, groupLine, obeys, reach, access, rule } = read(owner, CRAWLER, owner.out);
      return {
        name, operatedBy, kind,
        obeys: OBEYS[obeys],
        reach: REACH[reach],
        exact,
        allowed: access === 1,
        access: ACCESS[access],
        group: groupLine === 0 ? null : { agent: groupAgent, line: groupLine },
        rule: rule.line === 0 ? null : { access: ACCESS[rule.access], line: rule.line, pattern: rule.pattern,
          text: ruleText(rule.access === 1, rule.pattern) },
      };
    });
  } finally {
    if (list !== 0) owner.call("robotrules_crawlers_free", list);
    owner.done();
    if (own) file.free();
  }
}
