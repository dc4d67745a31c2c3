#include <robotrules/dialect.hpp>

#include <algorithm>
#include <array>

namespace robotrules {
namespace {

constexpr Dialect make_google() {
  Dialect d;
  d.name = "google";
  d.line_limit = 16'663;
  d.byte_order_mark = Dialect::ByteOrderMark::skip_partial;
  d.nul = Dialect::Nul::ends_line;
  d.keys = Dialect::Keys::prefixes;
  d.missing_colon = true;
  d.star_with_remark = true;
  d.agent_match = Dialect::AgentMatch::product_token;
  d.pattern_encoding = Dialect::Encoding::upper_and_non_ascii;
  d.wildcards = true;
  d.dollar = Dialect::Dollar::end;
  d.index_html = true;
  d.url_path = Dialect::UrlPath::google;
  return d;
}

constexpr Dialect make_rfc9309() {
  Dialect d = make_google();
  d.name = "rfc9309";
  d.file_limit = 512'000;
  d.line_limit = 0;
  d.utf16 = true;
  d.nul = Dialect::Nul::trim;
  d.keys = Dialect::Keys::lenient;
  d.agent_match = Dialect::AgentMatch::product_token_whole;
  d.pattern_encoding = Dialect::Encoding::rfc9309;
  d.url_encoding = Dialect::Encoding::rfc9309;
  d.index_html = false;
  d.robots_txt_allowed = true;
  d.url_path = Dialect::UrlPath::resolved;
  return d;
}

constexpr Dialect make_www_robotrules() {
  Dialect d;
  d.name = "www-robotrules";
  d.allow_lines = false;
  d.blank_line_ends_group = true;
  d.empty_agent_matches = true;
  d.orphan_rules = Dialect::OrphanRules::any_robot;
  d.agent_match = Dialect::AgentMatch::name_contains_value;
  d.group_choice = Dialect::GroupChoice::first_else_merged;
  d.rule_value = Dialect::RuleValue::url_reference;
  d.pattern_encoding = Dialect::Encoding::uri_escape;
  d.url_encoding = Dialect::Encoding::uri_escape;
  d.precedence = Dialect::Precedence::first;
  d.empty_disallow = Dialect::EmptyRule::allows_rest;
  d.http_only = true;
  d.url_path = Dialect::UrlPath::uri;
  return d;
}

constexpr Dialect make_robotstxt_rb() {
  Dialect d;
  d.name = "robotstxt-rb";
  d.nul = Dialect::Nul::remove;
  d.drop_invalid_utf8 = true;
  d.comment = Dialect::Comment::after_space;
  d.keys = Dialect::Keys::ruby;
  d.empty_agent_matches = true;
  d.orphan_rules = Dialect::OrphanRules::any_robot;
  d.other_line_ends_agents = true;
  d.whole_header = true;
  d.agent_match = Dialect::AgentMatch::glob_in_name;
  d.group_choice = Dialect::GroupChoice::first_in_file_order;
  d.pattern_encoding = Dialect::Encoding::decode_but_reserved;
  d.url_encoding = Dialect::Encoding::decode_but_reserved;
  d.wildcards = true;
  d.path_lines = true;
  d.dollar = Dialect::Dollar::end_or_query;
  d.precedence = Dialect::Precedence::first;
  d.empty_disallow = Dialect::EmptyRule::allows_rest;
  d.empty_allow = Dialect::EmptyRule::allows_rest;
  return d;
}

constexpr Dialect make_draft_1996() {
  Dialect d;
  d.name = "draft-1996";
  d.blank_line_ends_group = true;
  d.agent_match = Dialect::AgentMatch::value_contains_name;
  d.group_choice = Dialect::GroupChoice::first_else_first;
  d.pattern_encoding = Dialect::Encoding::decode_but_slash;
  d.url_encoding = Dialect::Encoding::decode_but_slash;
  d.precedence = Dialect::Precedence::first;
  d.empty_disallow = Dialect::EmptyRule::allows_rest;
  d.empty_allow = Dialect::EmptyRule::ignored;
  d.robots_txt_allowed = true;
  return d;
}

constexpr Dialect make_original_1994() {
  Dialect d = make_draft_1996();
  d.name = "original-1994";
  d.allow_lines = false;
  d.agent_after_rule_starts_group = false;
  d.agent_match = Dialect::AgentMatch::name_contains_value;
  d.pattern_encoding = Dialect::Encoding::none;
  d.url_encoding = Dialect::Encoding::none;
  d.robots_txt_allowed = false;
  return d;
}

constexpr std::array all_presets = {make_rfc9309(),      make_google(),        make_www_robotrules(),
                                    make_robotstxt_rb(), make_original_1994(), make_draft_1996()};

}  // namespace

const Dialect& Dialect::rfc9309() noexcept { return all_presets[0]; }
const Dialect& Dialect::google() noexcept { return all_presets[1]; }
const Dialect& Dialect::www_robotrules() noexcept { return all_presets[2]; }
const Dialect& Dialect::robotstxt_rb() noexcept { return all_presets[3]; }
const Dialect& Dialect::original_1994() noexcept { return all_presets[4]; }
const Dialect& Dialect::draft_1996() noexcept { return all_presets[5]; }

std::span<const Dialect> Dialect::presets() noexcept { return all_presets; }

const Dialect* Dialect::find(std::string_view name) noexcept {
  const auto found = std::ranges::find(all_presets, name, &Dialect::name);
  return found == all_presets.end() ? nullptr : &*found;
}

}  // namespace robotrules
