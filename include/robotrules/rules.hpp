// The rules of one robots.txt for one robot, compiled, and the answers they give: Access and Verdict.
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     robotrules::Verdict verdict = rules.check("https://example.org/page");
//     if (verdict.allowed()) fetch();
//     else std::cout << verdict.explanation() << '\n';
//
// Robots send whole User-Agent headers, and files have names. Some robots obey the groups of several names:
//
//     auto name = robotrules::robot_name("Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)");  // "FooBot"
//     robotrules::AgentTokens image_bot{{"Googlebot-Image", "Googlebot"}};
//     auto image_rules = robotrules::Rules::compile(body, image_bot);
//
// Stance: lenient in spelling, strict in effect. Every line that can be read counts, and every other line is skipped.
// The default dialect accepts frequent misspellings of Disallow, but none of Allow. This is the fast path: it builds no
// document and needs the bytes only during compile().
//
// Thread rule: Rules never change after compile(). Any number of threads may use one object, and copies share data.
// Errors: none. Every byte string is a valid robots.txt, and every string is a valid agent or URL. Only std::bad_alloc
// is thrown, and then nothing has changed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>

namespace robotrules {

// --- the names of a robot. The views that these functions return are views of their argument -------------------------

// Returns true if `name` is a product token of RFC 9309 section 2.2.1: one or more of A-Z, a-z, "_" and "-".
ROBOTRULES_API bool is_product_token(std::string_view name) noexcept;

// Returns the leading part of `text` that is a product token ("FooBot" for "FooBot/2.1"), or "" if there is none.
ROBOTRULES_API std::string_view leading_product_token(std::string_view text) noexcept;

// Returns the robot's possible names in a whole User-Agent header, at most 100, the most likely one first.
//
// A name is the word before "/version", or a word that stands alone, inside or outside of comments. Names that browsers
// share (Mozilla, AppleWebKit, Chrome, Safari, Gecko, KHTML, compatible ...) are used only if there is no other name.
// URLs are not names. Names with digits or dots (MJ12bot) are returned whole. If the header is a single word and
// contains no name, that word is returned.
ROBOTRULES_API std::vector<std::string_view> product_tokens(std::string_view header);

// Returns true if a User-agent line can name a robot called `name`: one word without control characters, "/", "#" and
// "*". Some robots have names that are not product tokens of RFC 9309: MJ12bot, 360Spider, archive.org_bot.
ROBOTRULES_API bool is_robot_name(std::string_view name) noexcept;

// Returns the robot's name from `agent`, which is a name or a whole User-Agent header. A name is returned as it is.
// From a header, the first of its product_tokens() is returned. Returns "" if `agent` contains no name ("", "*").
ROBOTRULES_API std::string_view robot_name(std::string_view agent);

// A robot that also obeys groups of other robots, or that ignores the groups for "*". With one token and without
// `ignores_star`, it is the same robot as that name.
struct AgentTokens {
  // Names in the order in which the robot tries them: it obeys the groups of the first one that the file names. If the
  // file names none of them, or if there are no names here, it obeys the groups for "*".
  std::vector<std::string> tokens;
  bool ignores_star = false;  // true: groups for "*" do not apply, as if they were not in the file (AdsBot-Google)

  // Returns a robot with these names, which obeys the groups for "*" if the file names none of them.
  static AgentTokens of(std::initializer_list<const char*> names) {
    return {std::vector<std::string>(names.begin(), names.end()), false};
  }
  friend bool operator==(const AgentTokens&, const AgentTokens&) = default;
};

// --- Access: may this robot fetch this URL? ------------------------------------------------------------------------

// Answer to "may this robot fetch this URL?". It is not a bool, because `unknown` is neither yes nor no: it means that
// no robots.txt is known (WWW::RobotRules returns -1 then). A polite robot fetches a URL only if it is `allowed`.
enum class Access : std::uint8_t { allowed, disallowed, unknown };

// Returns "allowed", "disallowed" or "unknown". The view is of a literal and is always valid.
constexpr std::string_view to_string(Access access) noexcept {
  switch (access) {
    case Access::allowed: return "allowed";
    case Access::disallowed: return "disallowed";
    case Access::unknown: break;
  }
  return "unknown";
}

// --- Verdict: an Access and the reason for it ----------------------------------------------------------------------

class Rules;

// The reason for a verdict.
enum class Why : std::uint8_t {
  rule,          // the rule in Verdict::rule() decided
  no_rule,       // a group applies to the robot, but none of its rules matches the URL
  empty_group,   // a group applies to the robot, but it has no rules
  no_group,      // no group applies to the robot
  robots_txt,    // the URL is /robots.txt, which is always allowed (RFC 9309 section 2.2.2)
  other_scheme,  // the URL is neither http nor https, and the dialect applies rules only to these two
  no_robots,     // no robots.txt is known: Access::unknown
};

// Returns a stable code for programs: "rule", "no-rule", "empty-group", "no-group", "robots-txt", "other-scheme" or
// "no-robots". The view is of a literal and is always valid.
ROBOTRULES_API std::string_view to_string(Why why) noexcept;

// Returns the reason for a verdict that no rule has decided, for people: "no rule matches", "its group has no rules",
// "no group applies", "robots.txt itself", "neither http nor https" or "no robots.txt". Returns "" for Why::rule. The
// view is of a literal and is always valid.
ROBOTRULES_API std::string_view reason_without_rule(Why why) noexcept;

// One Allow or Disallow line. The view is valid while the Rules or a copy of them live.
struct ROBOTRULES_API RuleLine {
  Access access = Access::allowed;  // `allowed` for an Allow line, `disallowed` for a Disallow line
  std::uint32_t line = 0;           // line number, counted from 1
  std::string_view pattern;         // as written; not always UTF-8

  // Returns the rule as text: "Disallow: /x", "Allow: /y", "Disallow:".
  std::string text() const;
  // Appends this text to `out`.
  void append_to(std::string& out) const;
};

// The group that a verdict comes from. The view is valid while the Rules or a copy of them live.
struct GroupLine {
  std::uint32_t line = 0;   // line of the group's first User-agent line, counted from 1; 0: there is no group
  std::string_view agent;   // the User-agent value that names the robot; "*" in the default group
  bool is_default = false;  // true: this is the group for "*"
};

// The result of Rules::check(). A Verdict is small (three words) and cheap to copy.
//
// Lifetime: rule(), runner_up(), line(), group() and explanation() read the Rules that gave the verdict. These Rules or
// a copy of them must still be alive. A default-constructed Verdict is `unknown` with Why::no_robots.
class ROBOTRULES_API Verdict {
 public:
  constexpr Verdict() noexcept = default;

  constexpr Access access() const noexcept { return access_; }
  constexpr bool allowed() const noexcept { return access_ == Access::allowed; }
  constexpr Why why() const noexcept { return why_; }

  // Returns the rule that decided, or null unless why() is Why::rule.
  std::optional<RuleLine> rule() const noexcept;

  // Returns the next best rule that also matches the URL, or null if there is none.
  std::optional<RuleLine> runner_up() const noexcept;

  // Returns the line of the rule that decided, counted from 1, or 0 if no rule decided.
  std::uint32_t line() const noexcept;

  // Returns the group of the rule that decided. If no rule decided, returns the first group that applies to the robot.
  GroupLine group() const noexcept;

  // Returns the verdict as a sentence for people. Patterns are escaped, so the sentence has no control characters.
  std::string explanation() const;

 private:
  friend class Rules;
  constexpr Verdict(Access access, Why why, const void* source, std::uint32_t rule, std::uint32_t runner_up) noexcept
      : source_(source), rule_(rule), runner_up_(runner_up), access_(access), why_(why) {}

  static constexpr std::uint32_t none = 0xFFFFFFFF;
  const void* source_ = nullptr;
  std::uint32_t rule_ = none;
  std::uint32_t runner_up_ = none;
  Access access_ = Access::unknown;
  Why why_ = Why::no_robots;
};

// --- Rules: the compiled rules -------------------------------------------------------------------------------------

namespace core {
class RulesData;
}

// The compiled rules of one robots.txt for one robot.
class ROBOTRULES_API Rules {
 public:
  // Makes rules without any group: every URL is allowed, with Why::no_group.
  Rules();

  // A move is a copy, so a moved-from object still has its rules.
  Rules(const Rules&) = default;
  Rules& operator=(const Rules&) = default;

  // Returns the rules of the file `robots` for the robot `agent`.
  // `robots`: the bytes of the file; a terminating NUL is not needed.
  // `agent`: the robot's name, such as "FooBot"; ASCII case is ignored. A name with a version and a whole User-Agent
  // header are reduced by robot_name() before they are compared, in every dialect but those with Dialect::whole_header.
  // If `agent` has no name ("", "*"), only the groups for "*" apply.
  // `robots_url`: the URL of the file; only dialects with RuleValue::url_reference use it.
  static Rules compile(std::string_view robots, std::string_view agent, const Dialect& dialect = Dialect::rfc9309(),
                       std::string_view robots_url = {});

  // Returns the rules of the file for a robot that obeys other groups than its own too, or that ignores "*".
  static Rules compile(std::string_view robots, const AgentTokens& agent, const Dialect& dialect = Dialect::rfc9309(),
                       std::string_view robots_url = {});

  // Returns the rules for a robot with these names: compile(robots, {"Googlebot-Image", "Googlebot"}).
  static Rules compile(std::string_view robots, std::initializer_list<const char*> names,
                       const Dialect& dialect = Dialect::rfc9309(), std::string_view robots_url = {}) {
    return compile(robots, AgentTokens::of(names), dialect, robots_url);
  }

  // Returns whether the robot may fetch `url`, and why. `url` is an absolute URL, or a path that begins with "/"
  // and may have a query. The host and a fragment are ignored: check() does not test whether the URL belongs to the
  // site of this robots.txt. RobotRules does (robot_rules.hpp).
  //
  // In the default dialect, any other text is a path without its first "/": "doc.pdf" counts as "/doc.pdf", and "" as
  // "/". The rules also apply to URLs of other schemes, such as ftp, because the program has chosen the file for the
  // URL. RobotRules allows such URLs, because it knows only robots.txt files of http and https sites.
  //
  // Cost: O(length of the URL) for all literal rules together, plus at most O(pattern + path) for each rule with
  // wildcards (docs/architecture.md explains it).
  //
  // Lifetime: the verdict reads these rules, so they must outlive it. Temporary rules are rejected at compile time.
  Verdict check(std::string_view url) const& ROBOTRULES_LIFETIMEBOUND;
  Verdict check(std::string_view url) const&& = delete;

  // Settings are Crawl-delay, Request-rate, Visit-time, Content-Signal and Content-Usage. A setting applies only to the
  // robots that the nearest User-agent lines above it name. This holds even if the rules of several groups are merged.
  // A setting never changes a verdict.

  // Returns the Crawl-delay for the robot: the longest one if there are several, at most 86,400 s. Null: there is none.
  std::optional<Milliseconds> crawl_delay() const noexcept;

  // Return the Request-rate and the Visit-time for the robot: the last valid line if there are several. Null: there is
  // none.
  std::optional<RequestRate> request_rate() const noexcept;
  std::optional<TimeOfDay> visit_time() const noexcept;

  // Returns what Content-Usage and Content-Signal lines say about `url`. For each of the two directives, the lines for
  // the robot count. If there are no lines for the robot, the lines before the first group count. If several
  // Content-Usage lines match, the longest path wins. If several paths are equally long, the most restrictive
  // preference wins. The result is defined for every URL, but it has a meaning only if check(url).allowed().
  Usage usage(std::string_view url) const;

  // Returns the Allow and Disallow lines for the robot, in file order. Lines that can never match, such as
  // "Disallow: x", are left out. The patterns are valid while any copy of this object lives.
  std::vector<RuleLine> lines() const ROBOTRULES_LIFETIMEBOUND;

  // Returns `url` without the query parameters that Clean-param lines name for its path. Clean-param lines apply to
  // every robot and may stand anywhere in the file. But if the dialect uses only the first group that names the robot,
  // lines after that group are not read.
  std::string apply_clean_param(std::string_view url) const;

  std::size_t size() const noexcept;  // number of Allow and Disallow lines; those that can never match count too
  std::size_t memory_bytes() const noexcept;  // bytes on the heap; copies share them
  // Returns the dialect of these rules. It is valid while any copy of this object lives.
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;

 private:
  friend class RobotsTxt;
  explicit Rules(std::shared_ptr<const core::RulesData> data) noexcept;

  std::shared_ptr<const core::RulesData> data_;
  // How to find the path of a URL. These are copies, so that check() can find the path while the CPU loads the rules
  // into its cache.
  Dialect::UrlPath url_path_;
  Dialect::Encoding url_encoding_;
  bool http_only_;
  bool robots_txt_allowed_;
};

}  // namespace robotrules
