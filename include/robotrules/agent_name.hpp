// Names of robots: product tokens, and how to find them in a whole User-Agent header.
//
//     std::string_view header = "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)";
//     auto tokens = robotrules::product_tokens(header);  // {"FooBot"}
//     auto name = robotrules::robot_name(header);        // "FooBot"
//     auto rules = robotrules::Rules::compile(body, name);
//
// Most robots obey the group of their name, else the groups for "*". AgentTokens describes the others:
//
//     robotrules::AgentTokens image_bot{{"Googlebot-Image", "Googlebot"}};
//     auto rules = robotrules::Rules::compile(body, image_bot);
//
// Thread rule: pure functions. Lifetime: the views that functions return are views of their argument.
// Errors: none; a text without a name gives an empty result. Only std::bad_alloc is thrown.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/export.hpp>

namespace robotrules {

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

}  // namespace robotrules
