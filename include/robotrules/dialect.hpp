// A dialect: how a robots.txt is read, and how its rules are matched with URLs.
//
// Robots have read robots.txt in different ways for thirty years. A dialect is a plain struct of small choices. The
// name has no effect on reading or matching. A program can copy a preset and change single fields:
//
//     auto mine = robotrules::Dialect::rfc9309();
//     mine.name = "mine";
//     mine.file_limit = 1'000'000;
//     auto rules = robotrules::Rules::compile(body, "FooBot", mine);
//
// Thread rule: a value type; every thread may use its own copy, and any number of threads may read one.
// Errors: none; every combination of choices is valid. Nothing is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules {

// Names in parentheses tell which program or standard reads files this way: (1994) is A Standard for Robot Exclusion,
// (1996) is norobots-rfc, and "RFC 9309 here" is the preset rfc9309().
struct ROBOTRULES_API Dialect {
  // --- bytes and lines -------------------------------------------------------------------------------------------

  enum class ByteOrderMark : std::uint8_t {
    keep,          // a byte order mark is part of the first line (WWW::RobotRules, robotstxt-parser)
    skip_partial,  // any leading part of EF BB BF is skipped (Google, and RFC 9309 here)
  };
  enum class Nul : std::uint8_t {
    trim,       // a NUL is white space at both ends of a line, and an ordinary byte inside it
    ends_line,  // the rest of the line is ignored, as in a C string (Google)
    remove,     // every NUL is removed before the line is read (robotstxt-parser)
    keep,       // a NUL is a byte like any other (WWW::RobotRules)
  };
  enum class Comment : std::uint8_t {
    anywhere,     // "#" always starts a comment
    after_space,  // "#" starts a comment only at the start of a line or after white space (robotstxt-parser)
  };
  // The names of directives that are accepted. ASCII case is always ignored.
  enum class Keys : std::uint8_t {
    exact,     // user-agent, disallow, allow (if `allow_lines`), sitemap ...
    lenient,   // `exact`, "useragent", "user agent", "site-map", "sitemaps", "crawl delay", "crawldelay" and frequent
               // misspellings of disallow
    prefixes,  // `exact`, and every name that begins with user-agent, allow, disallow, sitemap, "useragent",
               // "user agent", "site-map" or a misspelling of disallow (Google: "Allowance: /x")
    ruby,      // user-agent, useragent, disallow, allow, sitemap
  };

  // --- groups and agents -----------------------------------------------------------------------------------------

  // Rules before the first User-agent line.
  enum class OrphanRules : std::uint8_t {
    ignore,     // they apply to no robot (RFC 9309 section 2.2.1)
    any_robot,  // they apply to "*" (WWW::RobotRules, robotstxt-parser)
  };
  // The condition for a User-agent value to name the robot. ASCII case is ignored.
  enum class AgentMatch : std::uint8_t {
    product_token,        // the value's leading [A-Za-z_-]* is the robot's name (Google)
    product_token_whole,  // as product_token, or the value's first word is the name: MJ12bot, R2D2 (RFC 9309 here)
    name_contains_value,  // the robot's name contains the value (1994, WWW::RobotRules)
    value_contains_name,  // the value contains the robot's name (1996)
    glob_in_name,         // the robot's name contains the value, in which "*" matches any bytes (robotstxt-parser)
  };
  // The groups that apply to the robot.
  enum class GroupChoice : std::uint8_t {
    merge,                // all groups that name the robot, else all groups for "*" (RFC 9309 section 2.2.1)
    first_else_merged,    // the first group that names the robot, else all groups for "*" (WWW::RobotRules)
    first_else_first,     // the first group that names the robot, else the first group for "*" (1994, 1996)
    first_in_file_order,  // the first group that names the robot or "*" (robotstxt-parser)
  };

  // --- rules and URLs --------------------------------------------------------------------------------------------

  enum class RuleValue : std::uint8_t {
    pattern,        // the value is a path pattern
    url_reference,  // the value is resolved against the URL of the robots.txt; values for other sites are ignored
  };
  // The normalisation of patterns and URLs before they are compared.
  enum class Encoding : std::uint8_t {
    none,                 // not at all
    upper_and_non_ascii,  // %xx becomes %XX, bytes above 7F become %XX (Google's patterns)
    rfc9309,              // as upper_and_non_ascii, but %xx of unreserved characters is decoded, and bytes that no URL
                          // may contain become %XX (RFC 9309 section 2.2.2)
    decode_but_slash,     // every %xx except %2F is decoded (1996)
    decode_but_reserved,  // every %xx except %2F, %3F, %26 and %3D is decoded (robotstxt-parser)
    uri_escape,           // bytes that URI.pm escapes are escaped, %xx stays as it is (WWW::RobotRules)
  };
  enum class Dollar : std::uint8_t {
    literal,       // "$" is a byte like any other
    end,           // a "$" at the end of a pattern matches the end of path and query
    end_or_query,  // as `end`, but it also matches before "?" (robotstxt-parser)
  };
  // The rule that decides if several rules match.
  enum class Precedence : std::uint8_t {
    longest,  // the rule with the longest normalised pattern, in bytes; Allow wins a tie
    first,    // the first rule in the file
  };
  // The meaning of a rule without a value.
  enum class EmptyRule : std::uint8_t {
    matches_nothing,  // it is the weakest of all rules and forbids nothing
    allows_rest,      // it matches every URL and allows it
    ignored,          // it is not a rule
  };
  // The part of a URL that is its path.
  enum class UrlPath : std::uint8_t {
    generic,   // RFC 3986: path and query; an empty path becomes "/", also before a query
    google,    // as Google's GetPathParamsQuery: ";" may start a path, "//host" has a path
    uri,       // as URI.pm's path_query: an empty path stays empty
    resolved,  // as `generic`, with dot segments resolved ("/a/%2e%2e/b" is "/b"), as a robot sends it (RFC 9309 here)
  };

  // The name as the command line takes it. The text must outlive every copy of the dialect, and all Rules and
  // documents that were made with a copy.
  std::string_view name;
  std::size_t file_limit = 0;  // max. bytes of a file; a longer file is cut after its last whole line; 0: no limit
  std::size_t line_limit = 0;  // max. bytes of a line; the rest of it is ignored; 0: no limit
  ByteOrderMark byte_order_mark = ByteOrderMark::keep;
  bool utf16 = false;  // a file that begins with a UTF-16 byte order mark is converted to UTF-8
  Nul nul = Nul::keep;
  bool drop_invalid_utf8 = false;  // bytes that are not UTF-8 are removed before reading (robotstxt-parser)
  Comment comment = Comment::anywhere;
  Keys keys = Keys::exact;
  bool missing_colon = false;  // white space may replace the colon if the line has two words: "Disallow /x"
  bool allow_lines = true;     // Allow is a rule

  bool blank_line_ends_group = false;
  bool agent_after_rule_starts_group = true;  // a User-agent line after a rule starts a new group
  bool other_line_ends_agents = false;        // also after a Sitemap or any other line (robotstxt-parser)
  bool star_with_remark = false;              // "User-agent: * everyone" means "*"
  bool empty_agent_matches = false;           // "User-agent:" without a value names every robot
  bool whole_header = false;  // the robot's name is compared as it is given, with its version (robotstxt-parser)
  OrphanRules orphan_rules = OrphanRules::ignore;
  AgentMatch agent_match = AgentMatch::name_contains_value;
  GroupChoice group_choice = GroupChoice::merge;

  RuleValue rule_value = RuleValue::pattern;
  Encoding pattern_encoding = Encoding::none;
  Encoding url_encoding = Encoding::none;
  bool wildcards = false;  // "*" matches any bytes
  // If a path contains line feeds (a decoded %0A), a pattern may match from the start of any of its lines, and "*" and
  // "$" do not go beyond that line. (robotstxt-parser turns patterns into regular expressions.)
  bool path_lines = false;
  Dollar dollar = Dollar::literal;
  Precedence precedence = Precedence::longest;
  EmptyRule empty_disallow = EmptyRule::matches_nothing;
  EmptyRule empty_allow = EmptyRule::matches_nothing;
  bool index_html = false;          // "Allow: /d/index.html" also allows "/d/" itself (Google)
  bool robots_txt_allowed = false;  // /robots.txt itself is always allowed (RFC 9309 section 2.2.2)
  bool http_only = false;           // URLs with a scheme other than http and https are always allowed
  UrlPath url_path = UrlPath::generic;

  // The presets.
  static const Dialect& rfc9309() noexcept;         // the default: RFC 9309, lenient in spelling
  static const Dialect& google() noexcept;          // Google's open-source parser and matcher
  static const Dialect& www_robotrules() noexcept;  // Perl's WWW::RobotRules
  static const Dialect& robotstxt_rb() noexcept;    // Ruby's robotstxt-parser
  static const Dialect& original_1994() noexcept;   // A Standard for Robot Exclusion
  static const Dialect& draft_1996() noexcept;      // norobots-rfc

  // Returns all presets, the default first. The span is always valid.
  static std::span<const Dialect> presets() noexcept;

  // Returns the preset with that name ("rfc9309", "google" ...), or null if there is none.
  static const Dialect* find(std::string_view name) noexcept;

  friend bool operator==(const Dialect&, const Dialect&) = default;
};

}  // namespace robotrules
