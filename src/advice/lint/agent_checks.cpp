#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/rules.hpp>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "base/ascii.hpp"
#include "base/slips.hpp"

namespace robotrules::advice {
namespace {

// Returns the letters and digits of a name in lower case.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (base::is_letter(c) || base::is_digit(c)) letters += base::lower(c);
  }
  return letters;
}

// Returns the part of a name that is its own: "google" of "googlebot".
std::string_view stem_of(std::string_view letters) noexcept {
  for (const std::string_view ending : {"bot", "spider", "crawler"}) {
    if (letters.size() > ending.size() && letters.ends_with(ending))
      return letters.substr(0, letters.size() - ending.size());
  }
  return letters;
}

// Returns true if two names differ only in signs, or in a letter of a long name. Short names differ in a letter by
// chance: Snapbot and ShapBot are two robots.
bool is_near(std::string_view name, std::string_view known) {
  constexpr std::size_t min_stem = 6, long_stem = 9;
  const std::string a = letters_of(name), b = letters_of(known);
  if (a == b) return !a.empty();
  const std::size_t size = std::min(stem_of(a).size(), stem_of(b).size());
  if (size < min_stem || a.front() != b.front()) return false;
  const std::size_t max = size < long_stem ? 1 : 2;
  return base::slips_between(a, b, max) <= max;
}

// Returns true for a word that sounds like a robot: FooBot, but not Bot and Robot.
bool sounds_like_robot(std::string_view name) {
  constexpr std::size_t min_stem = 3;
  const std::string letters = letters_of(name);
  const std::size_t stem = stem_of(letters).size();
  return stem >= min_stem && stem < letters.size();
}

// Returns true for "Mozilla/5.0 (compatible; ...)": the beginning of a User-Agent header, which names no robot.
bool is_shared_product(std::string_view token) { return base::equals_ignore_case(token, "mozilla"); }

bool is_url(std::string_view value) {
  return base::starts_with_ignore_case(value, "http://") || base::starts_with_ignore_case(value, "https://") ||
         base::starts_with_ignore_case(value, "www.");
}

// A company or product that robots.txt files name in place of its robots.
struct Product {
  std::string_view name;                     // its letters, in lower case
  std::array<std::string_view, 4> robots{};  // the most important ones
};

// data/crawlers.json has the pages on which the operators name these robots.
constexpr Product products[] = {
    {"ahrefs", {"AhrefsBot", "AhrefsSiteAudit"}},
    {"ai", {"GPTBot", "ClaudeBot", "Google-Extended", "CCBot"}},
    {"amazon", {"Amazonbot", "Amzn-SearchBot", "Amzn-User"}},
    {"anthropic", {"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
    {"apple", {"Applebot", "Applebot-Extended"}},
    {"baidu", {"Baiduspider"}},
    {"bard", {"Google-Extended"}},
    {"bing", {"Bingbot"}},
    {"bytedance", {"Bytespider"}},
    {"chatgpt", {"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
    {"claude", {"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
    {"claudeai", {"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
    {"commoncrawl", {"CCBot"}},
    {"copilot", {"Bingbot"}},
    {"duckduckgo", {"DuckDuckBot", "DuckAssistBot"}},
    {"facebook", {"facebookexternalhit", "Meta-ExternalAgent", "Meta-WebIndexer"}},
    {"gemini", {"Google-Extended"}},
    {"google", {"Googlebot", "Google-Extended"}},
    {"googleai", {"Google-Extended"}},
    {"gpt", {"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
    {"linkedin", {"LinkedInBot"}},
    {"majestic", {"MJ12bot"}},
    {"meta", {"Meta-ExternalAgent", "Meta-WebIndexer", "facebookexternalhit"}},
    {"metaai", {"Meta-ExternalAgent", "Meta-WebIndexer"}},
    {"microsoft", {"Bingbot"}},
    {"mistral", {"MistralAI-Training", "MistralAI-Index", "MistralAI-User"}},
    {"mistralai", {"MistralAI-Training", "MistralAI-Index", "MistralAI-User"}},
    {"openai", {"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
    {"perplexity", {"PerplexityBot", "Perplexity-User"}},
    {"perplexityai", {"PerplexityBot", "Perplexity-User"}},
    {"semrush", {"SemrushBot", "SiteAuditBot"}},
    {"tiktok", {"Bytespider"}},
    {"twitter", {"Twitterbot"}},
    {"yahoo", {"Slurp"}},
};

}  // namespace

AgentChecks::AgentChecks(const FileLines& lines, const Dialect& dialect, std::span<const KnownRobot> robots,
                         AgentPlaces& places, Findings& findings)
    : lines_(lines), dialect_(dialect), places_(places), findings_(findings) {
  for (const KnownRobot& robot : robots) names_.emplace(base::lower_case(robot.name), robot.name);
}

std::string AgentChecks::ask_operator(const Directive& agent) const {
  const std::string deletion = places_.deletion(agent);
  return filled({"Write the one word that the robot's operator asks for in robots.txt{}",
                 {deletion.empty() ? "." : ", or " + deletion + "."}});
}

void AgentChecks::check(const Directive& agent) {
  const std::string_view value = agent.value;
  if (value == "*" || names_.contains(base::lower_case(value))) return;
  if (has_deceptive(value)) return;  // check_bytes() reports it
  const std::string_view token = leading_product_token(value);
  const bool one_word = is_robot_name(value) && value.find('*') == std::string_view::npos;
  if (!value.empty() && token.size() < value.size() && one_word &&
      base::is_letter(value.front()) + base::is_digit(value.front()) > 0) {
    findings_.add(Code::agent_outside_grammar, agent.line, agent.value_column,
                  {"{} is not a product token of RFC 9309; robots that compare only such tokens read {}.",
                   {quote(value), token.empty() ? "no name" : quoted(token)}},
                  "Keep it if the robot's operator asks for this name.");
    near_miss(agent);
  } else if (token.empty()) {
    unmatchable(agent);
  } else if (token.size() < value.size()) {
    cut_short(agent, token);
  } else {
    near_miss(agent);
  }
}

void AgentChecks::unmatchable(const Directive& agent) {
  const std::string_view value = agent.value;
  if (value.empty()) {
    findings_.add(Code::unmatchable_agent, agent.line, agent.value_column,
                  "The User-agent line names no robot; robots of RFC 9309 never match it, old robots always do.",
                  "Write a robot's name, or \"*\" for all robots.");
  } else if (value.front() == '*' && base::is_space(value[1])) {
    findings_.add(Code::agent_cut_short, agent.line, agent.value_column,
                  {"{} is read as \"*\" by some robots and as a robot's name by others.", {quote(value)}},
                  "Write \"*\" alone.");
  } else {
    std::string message =
        filled({"{} does not begin with a product token, so robots of RFC 9309 never match it", {quote(value)}});
    std::string remedy = ask_operator(agent);
    std::vector<LineEdit> edits;
    std::optional<Severity> severity;
    if (value.front() == ':') {
      const std::string_view second = base::trimmed(value.substr(1));
      message = filled({"There are two colons, so the name is {}, which matches no robot.", {quote(value)}});
      if (second == "*" || is_robot_name(second)) {
        remedy = filled({"Write {}.", {quote(second)}});
        edits = write(agent, second);
      }
    } else {
      if (value.front() == '*') {
        message += ": a \"*\" in a name is not a wildcard.";
      } else if (dialect_.agent_match == Dialect::AgentMatch::product_token_whole) {
        message += "; some robots compare the whole value with their name.";
      } else {
        message += ".";
      }
      if (const std::string_view name = meant_by(value); !name.empty()) {
        remedy = filled({"Write {}.", {quote(name)}});
        const Directive* const same = places_.equal(agent, name);
        if (const std::string deletion = places_.deletion(agent); same != nullptr && !deletion.empty()) {
          severity = Severity::warning;
          remedy = filled({"{} has the same rules by line {}: {}.", {quote(name), same->line, deletion}});
        }
      }
    }
    findings_.add(Code::unmatchable_agent, agent.line, agent.value_column, message, remedy, std::move(edits), severity);
  }
}

void AgentChecks::cut_short(const Directive& agent, std::string_view token) {
  const std::string_view value = agent.value;
  const char next = value[token.size()];
  std::string message = filled({"Robots of RFC 9309 read only {} of {}: ", {quote(token), quote(value)}});
  if (next == '/') {
    message += "they ignore the version, and many older robots do not find their name.";
  } else if (base::is_space(next)) {
    message += "a robot's name is one word.";
  } else if (next == '*') {
    message += "a \"*\" inside a name is not a wildcard.";
  } else {
    message += "the line applies to a robot of that name, and to the intended robot only if whole names are compared.";
  }
  std::string remedy;
  std::vector<LineEdit> edits;
  std::string_view name = meant_by(value);
  if (is_shared_product(token)) {
    remedy = filled({"Most browsers and robots begin their header with \"Mozilla\". {}",
                     {name.empty() ? ask_operator(agent) : "Write the robot's own name: " + quoted(name) + "."}});
  } else if (is_url(value)) {
    remedy = filled({"A URL does not name a robot. {}", {ask_operator(agent)}});
  } else if (next == '/' || value.substr(token.size()) == "*") {
    remedy = filled({"Write {}.", {quote(token)}});
    edits = write(agent, token);
  } else {
    if (base::trimmed(value.substr(token.size())).starts_with('(')) name = token;  // "FooBot (a remark)"
    remedy = name.empty() ? ask_operator(agent) : filled({"Write {} if that robot is meant.", {quote(name)}});
  }
  findings_.add(Code::agent_cut_short, agent.line, agent.value_column, message, remedy, std::move(edits));
}

std::vector<LineEdit> AgentChecks::write(const Directive& agent, std::string_view name) const {
  std::string line(lines_.text(agent.line));
  line.replace(agent.value_column - 1, agent.value.size(), name);
  return write_edit(agent.line, std::move(line));
}

// Returns the name that a faulty value probably means: "b2w" for "b2w/0.1", "MJ12bot" for "*MJ12bot*", "Slurp" for
// "Yahoo! Slurp", "bingbot" for a whole header. Returns nothing if that is not clear.
std::string_view AgentChecks::meant_by(std::string_view value) const {
  if (is_url(value)) return {};
  if (value.find('(') != std::string_view::npos || is_shared_product(leading_product_token(value))) {
    const std::string_view name = robot_name(value);
    return names_.contains(base::lower_case(name)) || sounds_like_robot(name) ? name : std::string_view();
  }
  constexpr std::string_view around = "*+\"' \t";
  const std::size_t first = value.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  value = value.substr(first, value.find_last_not_of(around) - first + 1);
  const std::size_t blank = value.find_first_of(" \t");
  if (blank == std::string_view::npos) {
    const std::string_view name = value.substr(0, value.find('/'));
    return is_robot_name(name) && !letters_of(name).empty() ? name : std::string_view();
  }
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find_first_of(" \t/", begin), value.size());
    const std::string_view word = value.substr(begin, end - begin);
    const bool known = names_.contains(base::lower_case(word)) || base::equals_ignore_case(word, "slurp");
    if (known || (begin == 0 && sounds_like_robot(word))) return word;
    begin = end + 1;
  }
  return {};
}

void AgentChecks::near_miss(const Directive& agent) {
  const std::string key = agent_key(agent.value);
  if (names_.contains(key)) return;
  std::string_view nearest;
  for (const auto& [known, name] : names_) {
    if (is_near(key, known) && (nearest.empty() || name < nearest)) nearest = name;
  }
  if (nearest.empty()) return product(agent);
  findings_.add(Code::near_miss_agent, agent.line, agent.value_column,
                {"{} is not a known robot; {} is.", {quote(agent.value), quote(nearest)}},
                {"Write {} if that robot is meant.", {quote(nearest)}});
}

// Reports the name of a company or product that has robots with other names.
void AgentChecks::product(const Directive& agent) {
  if (is_shared_product(agent.value)) {
    findings_.add(
        Code::near_miss_agent, agent.line, agent.value_column,
        {"{} does not name a robot: most browsers and robots begin their header with it.", {quote(agent.value)}},
        ask_operator(agent));
    return;
  }
  const auto* const found = std::ranges::find(products, letters_of(agent.value), &Product::name);
  if (found == std::end(products)) return;
  std::vector<std::string> known;
  for (const std::string_view robot : found->robots) {
    if (names_.contains(base::lower_case(robot))) known.push_back(quoted(robot));
  }
  if (known.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < known.size(); ++i) {
    names += (i == 0 ? "" : i + 1 == known.size() ? " and " : ", ") + known[i];
  }
  findings_.add(Code::near_miss_agent, agent.line, agent.value_column,
                {"{} is not a known robot; {}{}", {quote(agent.value), names, known.size() == 1 ? " is." : " are."}},
                "Write a User-agent line for each robot that is meant.");
}

}  // namespace robotrules::advice
