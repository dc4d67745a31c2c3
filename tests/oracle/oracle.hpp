// The oracle: a second, deliberately naive reading of robots.txt that the engine is compared with.
//
// It shares no code with src/core: it knows the fields of Dialect and nothing else, builds strings freely, tries every
// rule on every URL and has no index. What it lacks in speed it must make up in being obviously right. Only tests,
// harnesses and benchmarks that compare answers link it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::oracle {

// --- reading ---------------------------------------------------------------------------------------------------------

enum class Kind : std::uint8_t { blank, comment, user_agent, allow, disallow, setting, other, nothing };

// One line of the file; `value` only where the line has a key.
struct Line {
  std::uint32_t number = 0;
  Kind kind = Kind::nothing;
  std::string value;
  std::string name = {};  // of a setting, in its usual spelling and lower case
};

struct Rule {
  Access access = Access::disallowed;
  std::uint32_t line = 0;
  std::string written;
};

// Crawl-delay and its like, with the User-agent lines that it belongs to: the nearest ones above it that stand
// together, with no rule and no setting between them.
struct Setting {
  Line line;
  std::vector<Line> agents;
};

struct GroupOfLines {
  std::vector<Line> agents;  // none: rules before any User-agent line that hold for every robot
  std::vector<Rule> rules;
  std::vector<Setting> settings;
};

struct File {
  std::vector<Line> lines;
  std::vector<GroupOfLines> groups;
};

// What the dialect reads of the bytes: transcoded, cut at its limit.
std::string text_of(std::string_view bytes, const Dialect& dialect);
File read(std::string_view bytes, const Dialect& dialect);

// --- matching --------------------------------------------------------------------------------------------------------

// A normalised pattern: bytes 0..255, and these two.
inline constexpr int any_bytes = 256;   // "*"
inline constexpr int end_of_url = 257;  // a last "$"
using Pattern = std::vector<int>;

Pattern normalised_pattern(std::string_view written, const Dialect& dialect);
std::string normalised_path(std::string_view path, const Dialect& dialect);

// Does `pattern` match a beginning of `path`?
bool naive_match(const Pattern& pattern, std::string_view path, const Dialect& dialect);

// Path and query of a URL as the dialect cuts it, not normalised. `scheme` is empty where the URL has none.
struct UrlParts {
  std::string scheme;
  std::string path;
};
UrlParts url_parts(std::string_view url, const Dialect& dialect);

// The path that a rule means under Dialect::RuleValue::url_reference; `foreign` where it is of another site.
struct Reference {
  bool foreign = false;
  std::string path;
};
Reference resolved_rule(std::string_view written, std::string_view robots_url);

// --- deciding --------------------------------------------------------------------------------------------------------

struct Answer {
  Access access = Access::unknown;
  Why why = Why::no_robots;
  std::uint32_t line = 0;       // of the deciding rule; 0: none
  std::string pattern;          // of the deciding rule, as written
  std::uint32_t runner_up = 0;  // line of the rule that comes next; 0: none
  friend bool operator==(const Answer&, const Answer&) = default;
};

// The settings that hold for the robot, in file order.
std::vector<Line> settings_for(const File& file, std::string_view agent, const Dialect& dialect);

bool names_robot(std::string_view value, std::string_view agent, const Dialect& dialect);
bool names_everyone(std::string_view value, const Dialect& dialect);

Answer ask(const File& file, std::string_view agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url = {});
Answer ask(std::string_view bytes, std::string_view agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url = {});

// The same for a robot with several names, or one that ignores "*".
Answer ask(const File& file, const AgentTokens& agent, std::string_view url, const Dialect& dialect,
           std::string_view robots_url = {});

// For messages of tests.
std::string to_string(const Answer& answer);

}  // namespace robotrules::oracle
