// Dialect: how a robots.txt is read.
//
// Robots have read robots.txt in different ways for thirty years. A dialect is a plain struct of small choices; the
// engine looks at the choices and never at the name, so a copy of a preset can be changed field by field:
//
//     auto mine = robotrules::Dialect::rfc9309();
//     mine.name = "mine";
//     mine.file_limit = 1'000'000;
//
// Thread rule: a value type; share copies freely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace robotrules {

struct Dialect {
  // --- bytes and lines -------------------------------------------------------------------------------------------

  enum class ByteOrderMark : std::uint8_t {
    keep,          // a mark is part of the first line (WWW::RobotRules, robotstxt-parser)
    skip_partial,  // any leading part of EF BB BF is skipped (Google, and RFC 9309 here)
  };
  enum class Nul : std::uint8_t {
    trim,       // white space at both ends of a line, an octet inside it
    ends_line,  // the rest of the line is ignored, as in a C string (Google)
    remove,     // taken out of the line before it is read (robotstxt-parser)
    keep,       // an octet like any other (WWW::RobotRules)
  };
  enum class Comment : std::uint8_t {
    anywhere,     // "#" starts a comment wherever it stands
    after_space,  // "#" starts a comment only behind white space (robotstxt-parser)
  };
  enum class Keys : std::uint8_t {
    exact,     // user-agent, disallow, allow (where `allow_lines`), sitemap ...
    lenient,   // and "useragent", "user agent", "site-map", "sitemaps", "crawl delay", "crawldelay" and the frequent
               // misspellings of disallow
    prefixes,  // "useragent", "user agent", "site-map", the misspellings, and anything that begins with one of the
               // names of rules, agents and sitemaps (Google: "Allowance: /x")
    ruby,      // user-agent, useragent, disallow, allow, sitemap
  };

  // --- groups and agents -----------------------------------------------------------------------------------------

  enum class OrphanRules : std::uint8_t {
    ignore,     // a rule before any User-agent line belongs to nobody (RFC 9309 section 2.2.1)
    any_robot,  // it is for "*" (WWW::RobotRules, robotstxt-parser)
  };
  enum class AgentMatch : std::uint8_t {
    product_token,        // the value's leading [A-Za-z_-]* is the robot's name (Google)
    product_token_whole,  // or its first word is (so that MJ12bot and R2D2 are found; RFC 9309 here)
    name_contains_value,  // the robot's name contains the value (1994, WWW::RobotRules)
    value_contains_name,  // the value contains the robot's name (1996)
    glob_in_name,         // the value, in which "*" stands for any octets, occurs in the name (robotstxt-parser)
  };
  enum class GroupChoice : std::uint8_t {
    merge,                // all groups that name the robot, else all groups for "*" (RFC 9309 section 2.2.1)
    first_else_merged,    // the first group that names the robot, else all groups for "*" (WWW::RobotRules)
    first_else_first,     // the first group that names the robot, else the first group for "*" (1994, 1996)
    first_in_file_order,  // the first group that names the robot or "*" (robotstxt-parser)
  };

  // --- rules and URLs --------------------------------------------------------------------------------------------

  enum class RuleValue : std::uint8_t {
    pattern,        // the value is a path pattern
    url_reference,  // the value is resolved against the URL of the robots.txt; foreign ones are ignored
  };
  enum class Encoding : std::uint8_t {
    none,                 // octets are compared as they are
    upper_and_non_ascii,  // %xx becomes %XX, octets above 7F become %XX (Google's patterns)
    rfc9309,              // RFC 9309 section 2.2.2: as above, unreserved %xx decoded, what no URL may hold encoded
    decode_but_slash,     // every %xx is decoded but %2F (1996)
    decode_but_reserved,  // every %xx is decoded; of %2F %3F %26 %3D the "%" stays before it (robotstxt-parser)
    uri_escape,           // what URI.pm escapes is escaped, %xx stays as it is (WWW::RobotRules)
  };
  enum class Dollar : std::uint8_t {
    literal,       // "$" is an octet like any other
    end,           // a last "$" matches the end of path and query
    end_or_query,  // a last "$" matches before "?" too (robotstxt-parser)
  };
  enum class Precedence : std::uint8_t {
    longest,  // most octets of the normalised pattern; Allow wins a tie
    first,    // the first that matches, in file order
  };
  enum class EmptyRule : std::uint8_t {
    matches_nothing,  // an empty pattern is the weakest of all rules and forbids nothing
    allows_rest,      // it matches every URL and allows it
    ignored,          // it is not a rule
  };
  enum class UrlPath : std::uint8_t {
    generic,   // RFC 3986: path and query; "/" is put before a bare query or an empty path
    google,    // as Google's GetPathParamsQuery: ";" may start a path, "//host" has a path
    uri,       // as URI.pm's path_query: an empty path stays empty
    resolved,  // as `generic`, with dot segments resolved ("/a/%2e%2e/b" is "/b"), as a robot sends it (RFC 9309 here)
  };

  // As given on the command line. Its characters must outlive every copy and everything compiled with one.
  std::string_view name;
  std::size_t file_limit = 0;  // bytes read, cut at the last whole line; 0: all of them
  std::size_t line_limit = 0;  // bytes of a line that are read, the rest ignored; 0: all of them
  ByteOrderMark byte_order_mark = ByteOrderMark::keep;
  bool utf16 = false;  // a file that begins with a UTF-16 byte order mark is transcoded
  Nul nul = Nul::keep;
  bool drop_invalid_utf8 = false;  // octets that are no UTF-8 are taken out before anything is read (robotstxt-parser)
  Comment comment = Comment::anywhere;
  Keys keys = Keys::exact;
  bool missing_colon = false;  // "Disallow /x": white space may stand for the colon between exactly two words
  bool allow_lines = true;     // Allow is a rule

  bool blank_line_ends_group = false;
  bool agent_after_rule_starts_group = true;
  bool other_line_ends_agents = false;  // so does one after a Sitemap or any other line (robotstxt-parser)
  bool star_with_remark = false;        // "User-agent: * everyone" is "*"
  bool empty_agent_matches = false;     // "User-agent:" without a value names every robot
  OrphanRules orphan_rules = OrphanRules::ignore;
  AgentMatch agent_match = AgentMatch::name_contains_value;
  GroupChoice group_choice = GroupChoice::merge;

  RuleValue rule_value = RuleValue::pattern;
  Encoding pattern_encoding = Encoding::none;
  Encoding url_encoding = Encoding::none;
  bool wildcards = false;  // "*" matches any octets
  // Where a path holds line feeds (a decoded %0A), a pattern may begin at each line, and "*" and "$" stay on theirs
  // (robotstxt-parser, whose patterns become regular expressions).
  bool path_lines = false;
  Dollar dollar = Dollar::literal;
  Precedence precedence = Precedence::longest;
  EmptyRule empty_disallow = EmptyRule::matches_nothing;
  EmptyRule empty_allow = EmptyRule::matches_nothing;
  bool index_html = false;          // "Allow: /d/index.html" allows "/d/" itself too (Google)
  bool robots_txt_allowed = false;  // /robots.txt itself is always allowed (RFC 9309 section 2.2.2)
  bool http_only = false;           // URLs of other schemes than http and https are always allowed
  UrlPath url_path = UrlPath::generic;

  // The presets.
  static const Dialect& rfc9309() noexcept;         // the default: RFC 9309, lenient in spelling
  static const Dialect& google() noexcept;          // Google's open-source parser and matcher
  static const Dialect& www_robotrules() noexcept;  // Perl's WWW::RobotRules
  static const Dialect& robotstxt_rb() noexcept;    // Ruby's robotstxt-parser
  static const Dialect& original_1994() noexcept;   // A Standard for Robot Exclusion
  static const Dialect& draft_1996() noexcept;      // norobots-rfc

  // Every preset, the default first. The span lives for ever.
  static std::span<const Dialect> presets() noexcept;

  // The preset of that name ("rfc9309", "google" ...), or null.
  static const Dialect* find(std::string_view name) noexcept;

  friend bool operator==(const Dialect&, const Dialect&) = default;
};

}  // namespace robotrules
