// All that the page takes from the package robotrules. No other module imports it.
import { RobotRulesError, RobotsTxt, SideBySide, agree, compare, crawlers, fix, init, lint, robotName } from "robotrules";
import { crawlerNames, kinds } from "data:crawlers";

export { RobotRulesError, RobotsTxt, SideBySide, agree, compare, crawlers, fix, init, kinds, lint };

const byName = new Map(crawlerNames.map((crawler) => [crawler.name.toLowerCase(), crawler]));

/**
 * Returns the robot that a person means by a name or a whole User-Agent header, as `robotrules check` reads it: a known
 * crawler obeys the groups that the list says.
 * @param {string} said
 */
export function robotOf(said) {
  const name = robotName(said) || said;
  const crawler = byName.get(name.toLowerCase()) ?? byName.get(said.toLowerCase());
  if (crawler === undefined) return { name, names: [name], ignoresStar: false, note: "" };
  const notes = [];
  const others = crawler.tokens.slice(1);
  if (others.length > 0) notes.push(`${crawler.name} obeys the groups of ${others.join(", else ")} if no group names it.`);
  if (crawler.ignoresStar) notes.push(`${crawler.name} ignores the groups for "*".`);
  if (crawler.obeys === "no") notes.push(`${crawler.name} ignores robots.txt, says ${crawler.operator}.`);
  if (crawler.obeys === "partly") notes.push(`${crawler.name} may ignore robots.txt, says ${crawler.operator}.`);
  return { name: crawler.name, names: crawler.tokens, ignoresStar: crawler.ignoresStar, note: notes.join(" ") };
}
