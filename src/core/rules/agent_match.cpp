#include "core/rules/agent_match.hpp"

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "core/line/lexer.hpp"

namespace robotrules::core {
namespace {

std::size_t find_ignore_case(std::string_view text, std::string_view part, std::size_t from = 0) noexcept {
  for (std::size_t i = from; i + part.size() <= text.size(); ++i) {
    if (base::equals_ignore_case(text.substr(i, part.size()), part)) return i;
  }
  return std::string_view::npos;
}

// Returns the name that the dialect compares. A header without a name ("*", "/1.0") stays as it is: no group names it.
std::string_view name_of(std::string_view agent, const Dialect& dialect) {
  if (dialect.whole_header) return agent;
  const std::string_view name = robot_name(agent);
  return name.empty() ? agent : name;
}

std::string_view first_word(std::string_view text) noexcept {
  std::size_t begin = 0;
  while (begin < text.size() && base::is_space(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !base::is_space(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// Returns true if the glob occurs anywhere in the text. A "*" matches any bytes.
bool glob_occurs(std::string_view glob, std::string_view text) noexcept {
  std::size_t at = 0;
  while (true) {
    const std::size_t star = glob.find('*');
    const std::string_view segment = glob.substr(0, star);
    at = find_ignore_case(text, segment, at);
    if (at == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    at += segment.size();
    glob.remove_prefix(star + 1);
  }
}

}  // namespace

bool names_everybody(std::string_view value, const Dialect& dialect) noexcept {
  return !value.empty() && value[0] == '*' &&
         (value.size() == 1 || (dialect.star_with_remark && base::is_space(value[1])));
}

std::optional<NamesOfValue> names_of_value(std::string_view value, const Dialect& dialect) noexcept {
  switch (dialect.agent_match) {
    case Dialect::AgentMatch::product_token: return NamesOfValue{leading_product_token(value), {}};
    case Dialect::AgentMatch::product_token_whole: {
      if (value.empty() && dialect.empty_agent_matches) return std::nullopt;
      const std::string_view word = first_word(value);
      return NamesOfValue{leading_product_token(value), word.substr(0, word.find('/'))};
    }
    case Dialect::AgentMatch::name_contains_value:
    case Dialect::AgentMatch::value_contains_name:
    case Dialect::AgentMatch::glob_in_name: break;
  }
  return std::nullopt;
}

AgentMatcher::AgentMatcher(std::string_view agent, const Dialect& dialect, bool ignores_star)
    : dialect_(dialect), agent_(name_of(agent, dialect)), ignores_star_(ignores_star) {}

Naming AgentMatcher::match(std::string_view value) const noexcept {
  if (names_everybody(value, dialect_)) return star();
  return is_own(value) ? Naming::own : Naming::nobody;
}

bool AgentMatcher::is_own(std::string_view value) const noexcept {
  if (value.empty() && dialect_.agent_match != Dialect::AgentMatch::product_token) return dialect_.empty_agent_matches;
  switch (dialect_.agent_match) {
    case Dialect::AgentMatch::product_token: return base::equals_ignore_case(leading_product_token(value), agent_);
    case Dialect::AgentMatch::product_token_whole: {
      if (agent_.empty()) return false;
      if (base::equals_ignore_case(leading_product_token(value), agent_)) return true;
      const std::string_view word = first_word(value);
      return base::equals_ignore_case(word.substr(0, word.find('/')), agent_);
    }
    case Dialect::AgentMatch::name_contains_value: return find_ignore_case(agent_, value) != std::string_view::npos;
    case Dialect::AgentMatch::value_contains_name:
      return !agent_.empty() && find_ignore_case(value, agent_) != std::string_view::npos;
    case Dialect::AgentMatch::glob_in_name: return glob_occurs(value, agent_);
  }
  return false;
}

}  // namespace robotrules::core
