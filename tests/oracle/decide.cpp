// Which groups hold, which rule wins.
#include <algorithm>

#include "oracle/bytes.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::oracle {
namespace {

std::string token_of(std::string_view value) {
  std::size_t i = 0;
  while (i < value.size() && (is_letter(value[i]) || value[i] == '-' || value[i] == '_')) ++i;
  return lower(value.substr(0, i));
}

std::string first_word(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && !is_space(text[i], false)) ++i;
  return lower(text.substr(0, i));
}

std::string without_version(std::string_view word) { return std::string(word.substr(0, word.find('/'))); }

// "FooBot/1.2 [http://foobot.int]" is called FooBot; what holds no name stays as it is.
std::string name_of(std::string_view agent, const Dialect& dialect) {
  const std::string_view name = dialect.whole_header ? agent : robot_name(agent);
  return lower(name.empty() ? agent : name);
}

// Does `glob`, in which "*" stands for any bytes, match a beginning of `text`?
bool glob_matches(std::string_view glob, std::string_view text) {
  if (glob.empty()) return true;
  if (glob[0] == '*')
    return glob_matches(glob.substr(1), text) || (!text.empty() && glob_matches(glob, text.substr(1)));
  return !text.empty() && glob[0] == text[0] && glob_matches(glob.substr(1), text.substr(1));
}

// A rule that matches the URL. `priority` counts bytes of the normalised pattern.
struct Match {
  const Rule* rule = nullptr;
  std::size_t priority = 0;
  std::size_t order = 0;
  Access says = Access::allowed;
};

bool better(const Match& a, const Match& b, const Dialect& dialect) {
  if (dialect.precedence == Dialect::Precedence::first) return a.order < b.order;
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.rule->access != b.rule->access) return a.rule->access == Access::allowed;
  return a.order < b.order;
}

std::vector<const GroupOfLines*> groups_for(const File& file, std::string_view agent, const Dialect& dialect) {
  using Choice = Dialect::GroupChoice;
  std::vector<const GroupOfLines*> mine, everyones, either;
  for (const GroupOfLines& group : file.groups) {
    const bool me =
        std::ranges::any_of(group.agents, [&](const Line& a) { return names_robot(a.value, agent, dialect); });
    const bool all = group.agents.empty() ||
                     std::ranges::any_of(group.agents, [&](const Line& a) { return names_everyone(a.value, dialect); });
    if (me) mine.push_back(&group);
    if (all) everyones.push_back(&group);
    if (me || all) either.push_back(&group);
  }
  switch (dialect.group_choice) {
    case Choice::merge: return mine.empty() ? everyones : mine;
    case Choice::first_else_merged:
      if (!mine.empty()) mine.resize(1);
      return mine.empty() ? everyones : mine;
    case Choice::first_else_first: {
      auto& chosen = mine.empty() ? everyones : mine;
      if (!chosen.empty()) chosen.resize(1);
      return chosen;
    }
    case Choice::first_in_file_order: break;
  }
  if (!either.empty()) either.resize(1);
  return either;
}

// The pattern "/d/$" behind "/d/index.html"; empty where the value is not of that form.
std::string index_pattern(std::string_view value) {
  const std::size_t slash = value.rfind('/');
  if (slash == std::string_view::npos || !value.substr(slash).starts_with("/index.htm")) return {};
  return std::string(value.substr(0, slash + 1)) + "$";
}

// Nothing where the rule does not match.
std::vector<Match> try_rule(const Rule& rule, const std::string& path, const Dialect& dialect,
                            std::string_view robots_url) {
  using Empty = Dialect::EmptyRule;
  Match match{&rule, 0, 0, rule.access};
  if (rule.written.empty()) {
    const Empty empty = rule.access == Access::allowed ? dialect.empty_allow : dialect.empty_disallow;
    if (empty == Empty::ignored) return {};
    match.says = Access::allowed;
    return {match};
  }
  std::string value = rule.written;
  if (dialect.rule_value == Dialect::RuleValue::url_reference) {
    const Reference reference = resolved_rule(value, robots_url);
    if (reference.foreign) return {};
    value = reference.path;
  }
  const Pattern pattern = normalised_pattern(value, dialect);
  match.priority = pattern.size();
  if (naive_match(pattern, path, dialect)) return {match};
  if (dialect.index_html && rule.access == Access::allowed && !index_pattern(value).empty()) {
    const Pattern index = normalised_pattern(index_pattern(value), dialect);
    match.priority = index.size();
    if (naive_match(index, path, dialect)) return {match};
  }
  return {};
}

}  // namespace

bool names_everyone(std::string_view value, const Dialect& dialect) {
  if (value == "*") return true;
  return dialect.star_with_remark && value.size() > 1 && value[0] == '*' && is_space(value[1], false);
}

bool names_robot(std::string_view value, std::string_view agent, const Dialect& dialect) {
  using How = Dialect::AgentMatch;
  const std::string name = name_of(agent, dialect);
  const std::string line = lower(value);
  if (names_everyone(value, dialect)) return false;
  // Google's comparison has no exception for names without a letter: "User-agent: 42" names the robot called "".
  if (dialect.agent_match == How::product_token) return token_of(line) == name;
  if (value.empty()) return dialect.empty_agent_matches;
  switch (dialect.agent_match) {
    case How::product_token: break;
    case How::product_token_whole:
      return !name.empty() && (token_of(line) == name || without_version(first_word(line)) == name);
    case How::name_contains_value: return name.find(line) != std::string::npos;
    case How::value_contains_name: return !name.empty() && line.find(name) != std::string::npos;
    case How::glob_in_name: break;
  }
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (glob_matches(line, std::string_view(name).substr(i))) return true;
  }
  return false;
}

std::vector<Line> settings_for(const File& file, std::string_view agent, const Dialect& dialect) {
  const auto groups = groups_for(file, agent, dialect);
  const auto named_by = [&](const std::vector<Line>& agents) {
    return std::ranges::any_of(agents, [&](const Line& a) { return names_robot(a.value, agent, dialect); });
  };
  const auto for_all = [&](const std::vector<Line>& agents) {
    return agents.empty() ||
           std::ranges::any_of(agents, [&](const Line& a) { return names_everyone(a.value, dialect); });
  };
  const bool by_name = std::ranges::any_of(groups, [&](const GroupOfLines* group) { return named_by(group->agents); });
  const bool either = dialect.group_choice == Dialect::GroupChoice::first_in_file_order;
  std::vector<Line> settings;
  for (const GroupOfLines* group : groups) {
    for (const Setting& setting : group->settings) {
      const bool holds = either    ? named_by(setting.agents) || for_all(setting.agents)
                         : by_name ? named_by(setting.agents)
                                   : for_all(setting.agents);
      if (holds) settings.push_back(setting.line);
    }
  }
  return settings;
}

Answer ask(const File& file, std::string_view agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url) {
  Answer answer;
  answer.access = Access::allowed;
  const UrlParts parts = url_parts(url, dialect);
  if (dialect.http_only && !parts.scheme.empty() && parts.scheme != "http" && parts.scheme != "https") {
    answer.why = Why::other_scheme;
    return answer;
  }
  const std::string path = normalised_path(parts.path, dialect);
  if (dialect.robots_txt_allowed && path.substr(0, path.find('?')) == "/robots.txt") {
    answer.why = Why::robots_txt;
    return answer;
  }
  const auto groups = groups_for(file, agent, dialect);
  std::size_t rules = 0;
  std::vector<Match> matches;
  for (const GroupOfLines* group : groups) {
    for (const Rule& rule : group->rules) {
      ++rules;
      for (Match match : try_rule(rule, path, dialect, robots_url)) {
        match.order = rules;
        matches.push_back(match);
      }
    }
  }
  std::ranges::sort(matches, [&](const Match& a, const Match& b) { return better(a, b, dialect); });
  if (matches.empty()) {
    answer.why = groups.empty() ? Why::no_group : rules == 0 ? Why::empty_group : Why::no_rule;
    return answer;
  }
  answer.why = Why::rule;
  answer.access = matches[0].says;
  answer.line = matches[0].rule->line;
  answer.pattern = matches[0].rule->written;
  if (matches.size() > 1) answer.runner_up = matches[1].rule->line;
  return answer;
}

Answer ask(std::string_view bytes, std::string_view agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url) {
  return ask(read(bytes, dialect), agent, url, dialect, robots_url);
}

namespace {

// The file without what it says to "*".
File without_star(const File& file, const Dialect& dialect) {
  File rest;
  for (GroupOfLines group : file.groups) {
    std::erase_if(group.agents, [&](const Line& agent) { return names_everyone(agent.value, dialect); });
    if (!group.agents.empty()) rest.groups.push_back(group);
  }
  return rest;
}

}  // namespace

Answer ask(const File& file, const AgentTokens& agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url) {
  const File heard = agent.ignores_star ? without_star(file, dialect) : file;
  for (const std::string& token : agent.tokens) {
    for (const GroupOfLines* group : groups_for(heard, token, dialect)) {
      for (const Line& line : group->agents) {
        if (names_robot(line.value, token, dialect)) return ask(heard, token, url, dialect, robots_url);
      }
    }
  }
  return ask(heard, agent.tokens.front(), url, dialect, robots_url);
}

std::string to_string(const Answer& answer) {
  return std::string(robotrules::to_string(answer.access)) + " why " + std::string(robotrules::to_string(answer.why)) +
         " line " + std::to_string(answer.line) + " pattern '" + answer.pattern + "' runner-up " +
         std::to_string(answer.runner_up);
}

}  // namespace robotrules::oracle
