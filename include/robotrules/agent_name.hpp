// The robot's name: product tokens, and how to find them in a whole User-Agent header.
#pragma once

#include <string_view>
#include <vector>

namespace robotrules {

// True where `name` is a product token of RFC 9309 section 2.2.1: one or more of A-Z a-z _ -.
bool is_product_token(std::string_view name) noexcept;

// The leading part of `text` that is a product token ("FooBot" of "FooBot/2.1"); empty where there is none.
std::string_view leading_product_token(std::string_view text) noexcept;

// The robot's names in a whole User-Agent header, most likely first; views into `header`.
//
//     product_tokens("Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)")  →  {"FooBot"}
//
// A name is the word before "/version", or a lone word, outside and inside comments. Names that browsers share
// (Mozilla, AppleWebKit, Chrome, Safari, Gecko, KHTML, compatible ...) and URLs are left out unless nothing else is
// there. Words that hold digits or dots (MJ12bot) are given whole. A header that is one word gives that word.
std::vector<std::string_view> product_tokens(std::string_view header);

// True if a User-agent line can name a robot called `name`: one word without control characters, "/", "#" and "*".
// Robots are called MJ12bot, 360Spider and archive.org_bot, which are not product tokens of RFC 9309.
bool is_robot_name(std::string_view name) noexcept;

// The robot that `agent` means: a name as it is, a whole User-Agent header reduced to the first of its
// product_tokens(). A view into `agent`; empty if it means no robot ("", "*").
std::string_view robot_name(std::string_view agent);

}  // namespace robotrules
