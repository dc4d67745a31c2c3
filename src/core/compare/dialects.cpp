#include "cli/check/dialects.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "cli/io/verdict_json.hpp"

namespace robotrules::cli {

Reading::Reading(std::string_view robots, AgentTokens agent, const Dialect& dialect)
    : robots_(robots), agent_(std::move(agent)), dialect_(dialect), rules_(Rules::compile(robots_, agent_, dialect_)) {}

Verdict Reading::ask(const std::string& url, const std::optional<Origin>& origin) {
  if (dialect_.rule_value == Dialect::RuleValue::url_reference) {
    std::string from = origin ? origin->robots_url() : std::string();
    if (from != robots_url_) {
      rules_ = Rules::compile(robots_, agent_, dialect_, from);
      robots_url_ = std::move(from);
    }
  }
  return rules_.check(url);
}

SideBySide::SideBySide(std::string_view robots, const AgentTokens& agent) {
  for (const Dialect& preset : Dialect::presets()) readings_.emplace_back(robots, agent, preset);
}

std::span<const Verdict> SideBySide::ask(const std::string& url) {
  const std::optional<Origin> origin = Origin::of(url);
  verdicts_.clear();
  for (Reading& reading : readings_) verdicts_.push_back(reading.ask(url, origin));
  return verdicts_;
}

bool agree(std::span<const Verdict> verdicts) noexcept {
  return std::ranges::all_of(verdicts, [&](const Verdict& v) { return v.access() == verdicts.front().access(); });
}

bool parts(std::span<const Verdict> verdicts, std::size_t index) noexcept {
  return verdicts[index].access() != verdicts.front().access();
}

std::string_view without_rule(Why why) noexcept {
  switch (why) {
    case Why::no_rule: return "no rule matches";
    case Why::empty_group: return "its group has no rules";
    case Why::no_group: return "no group applies";
    case Why::robots_txt: return "robots.txt itself";
    case Why::other_scheme: return "neither http nor https";
    case Why::no_robots: return "no robots.txt";
    case Why::rule: break;
  }
  return "";
}

void append_dialects(std::string& out, std::span<const Verdict> verdicts, bool explain, std::string& scratch) {
  out += agree(verdicts) ? "\"agree\":true,\"dialects\":{" : "\"agree\":false,\"dialects\":{";
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (i > 0) out += ',';
    base::append_json(out, Dialect::presets()[i].name);
    out += ":{";
    append_verdict(out, verdicts[i].access(), verdicts[i].rule(), scratch);
    out.append(",\"why\":\"").append(to_string(verdicts[i].why())).append("\"");
    if (explain) append_explanation(out, verdicts[i], scratch);
    out += '}';
  }
  out += '}';
}

}  // namespace robotrules::cli
