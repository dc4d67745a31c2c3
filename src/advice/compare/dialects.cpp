// One robots.txt, read by several dialects.
#include <algorithm>
#include <utility>

#include <robotrules/compare.hpp>
#include <robotrules/url.hpp>

namespace robotrules {

FileRules::FileRules(std::string_view robots, AgentTokens agent, const Dialect& dialect)
    : agent_(std::move(agent)), rules_(Rules::compile(robots, agent_, dialect)) {
  if (dialect.rule_value == Dialect::RuleValue::url_reference) robots_ = robots;
}

Verdict FileRules::check(std::string_view url) {
  if (robots_) {
    const std::optional<Origin> origin = Origin::of(url);
    std::string from = origin ? origin->robots_url() : std::string();
    if (from != robots_url_) {
      rules_ = Rules::compile(*robots_, agent_, rules_.dialect(), from);
      robots_url_ = std::move(from);
    }
  }
  return rules_.check(url);
}

SideBySide::SideBySide(std::string_view robots, const AgentTokens& agent, std::span<const Dialect> dialects) {
  for (const Dialect& dialect : dialects) files_.emplace_back(robots, agent, dialect);
}

std::span<const Verdict> SideBySide::check(std::string_view url) {
  verdicts_.clear();
  for (FileRules& file : files_) verdicts_.push_back(file.check(url));
  return verdicts_;
}

bool agree(std::span<const Verdict> verdicts) noexcept {
  return std::ranges::all_of(verdicts, [&](const Verdict& v) { return v.access() == verdicts.front().access(); });
}

bool differs(std::span<const Verdict> verdicts, std::size_t index) noexcept {
  return verdicts[index].access() != verdicts.front().access();
}

}  // namespace robotrules
