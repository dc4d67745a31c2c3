#include "cli/check/check.hpp"

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/io/verdict_json.hpp"

namespace robotrules::cli {
namespace {

std::string_view code_of(std::string_view given, const Verdict& verdict) {
  return given.empty() ? to_string(verdict.why()) : given;
}

// Returns what a reader must know about the group, if the robot does not obey the group that its name tells.
std::string group_remark(const AskedRobot& robot, const GroupLine& group) {
  if (group.line == 0) return robot.agent.ignores_star ? ", which ignores the groups for \"*\"" : "";
  if (group.is_default) return " (the group for robots that no group names)";
  const bool own = base::equals_ignore_case(robot_name(group.agent), robot.name);
  return robot.is_special() && !own ? " (no group names " + base::printable(robot.name) + ")" : "";
}

}  // namespace

std::string OneAnswer::text(const std::string& url, const Answer& answer) const {
  const Verdict& verdict = answer.verdict;
  std::string out =
      out_.painted(style_of(answer.access), to_string(answer.access)) + "\t" + text_of(url, answer.robot) + "\n";
  if (!options_.explain) return out;
  const auto place = [&](std::uint32_t line) { return answer.file + ":" + std::to_string(line) + ": "; };
  const auto painted = [&](const RuleLine& rule) {
    return out_.painted(style_of(rule.access), base::printable(rule.text()));
  };
  const auto say = [&](std::string_view name, const std::string& what) {
    constexpr std::size_t indent = 4;
    constexpr std::size_t beside = indent + 11;
    const std::string line = std::string(indent, ' ') + out_.painted(Style::aside, name);
    out.append(line).append(beside - indent - name.size(), ' ');
    out.append(out_.fitted_line(what, beside, beside)).append("\n");
  };
  if (answer.robots != nullptr) say("robots.txt", robots_text(*answer.robots));
  if (answer.sentence.empty()) {
    const auto rule = verdict.rule();
    say("rule", rule ? place(rule->line) + painted(*rule) : "none");
    const GroupLine group = verdict.group();
    say("group", (group.line == 0 ? "none applies to " + base::printable(answer.robot.name)
                                  : place(group.line) + "User-agent: " + base::printable(group.agent)) +
                     group_remark(answer.robot, group));
  }
  const std::string sentence = answer.sentence.empty() ? verdict.explanation() : base::printable(answer.sentence);
  say("why", sentence + " [" + std::string(code_of(answer.code, verdict)) + "]");
  if (const auto loser = verdict.runner_up()) say("runner-up", place(loser->line) + painted(*loser));
  return out;
}

std::string OneAnswer::json(const std::string& url, const Answer& answer) const {
  std::string scratch;
  std::string line = json_head(url, answer.robot, dialect_.name);
  append_verdict(line, answer.access, answer.verdict.rule(), scratch);
  line.append(",\"why\":\"").append(code_of(answer.code, answer.verdict)).append("\"");
  if (options_.explain) append_explanation(line, answer.verdict, scratch, answer.sentence);
  if (answer.robots != nullptr) append_robots(line, *answer.robots);
  return line + "}\n";
}

}  // namespace robotrules::cli
