#include <robotrules/robots_txt.hpp>

#include <algorithm>
#include <array>
#include <set>

#include <robotrules/url.hpp>

#include "base/ascii.hpp"
#include "core/document.hpp"
#include "core/line/lexer.hpp"

namespace robotrules {
namespace {

const std::shared_ptr<const core::Document>& empty_document() {
  static const auto empty =
      std::make_shared<const core::Document>(std::string_view{}, Dialect::rfc9309(), std::string_view{});
  return empty;
}

}  // namespace

std::span<const Directive> Group::agents_of(const Directive& setting) const noexcept {
  const auto [begin, end] = std::ranges::equal_range(agents, setting.run_line, {}, &Directive::run_line);
  return {begin, end};
}

RobotsTxt::RobotsTxt() : document_(empty_document()) {}

RobotsTxt::RobotsTxt(std::shared_ptr<const core::Document> document) noexcept : document_(std::move(document)) {}

RobotsTxt RobotsTxt::parse(std::string_view robots, const Dialect& dialect, std::string_view url) {
  return RobotsTxt(std::make_shared<const core::Document>(robots, dialect, url));
}

std::size_t RobotsTxt::size() const noexcept { return document_->directives().size(); }
Directive RobotsTxt::directive(std::size_t index) const noexcept { return document_->directive(index); }
std::size_t RobotsTxt::group_count() const noexcept { return document_->groups().size(); }

Group RobotsTxt::group(std::size_t index) const {
  const auto lines = document_->groups()[index];
  Group group;
  for (std::uint32_t i = lines.begin; i < lines.end; ++i) {
    const Directive directive = document_->directive(i);
    if (group.line == 0) group.line = directive.line;
    switch (directive.kind) {
      case DirectiveKind::user_agent: group.agents.push_back(directive); break;
      case DirectiveKind::allow:
      case DirectiveKind::disallow: group.rules.push_back(directive); break;
      default: group.other.push_back(directive); break;
    }
  }
  return group;
}

std::vector<Group> RobotsTxt::groups() const {
  std::vector<Group> groups;
  groups.reserve(group_count());
  for (std::size_t i = 0; i < group_count(); ++i) groups.push_back(group(i));
  return groups;
}

std::vector<Sitemap> RobotsTxt::sitemaps() const {
  std::vector<Sitemap> sitemaps;
  std::set<std::string, std::less<>> seen;
  for (std::size_t i = 0; i < size(); ++i) {
    if (document_->directives()[i].kind != DirectiveKind::sitemap) continue;
    const Directive directive = document_->directive(i);
    if (directive.value.empty()) continue;
    std::string url = join_url(document_->url(), directive.value);
    if (seen.insert(url).second) sitemaps.push_back({std::move(url), directive.value, directive.line});
  }
  return sitemaps;
}

Rules RobotsTxt::rules_for(std::string_view agent) const { return Rules(document_->rules_for(agent)); }
Rules RobotsTxt::rules_for(const AgentTokens& agent) const { return Rules(document_->rules_for(agent)); }
Rules RobotsTxt::rules_for(std::string_view agent, std::span<const std::uint32_t> groups) const {
  return Rules(document_->rules_for(agent, groups));
}
std::string_view RobotsTxt::text() const noexcept { return document_->text(); }
std::string_view RobotsTxt::url() const noexcept { return document_->url(); }
const Dialect& RobotsTxt::dialect() const noexcept { return document_->dialect(); }
std::uint32_t RobotsTxt::line_count() const noexcept { return document_->line_count(); }
bool RobotsTxt::truncated() const noexcept { return document_->truncated(); }
bool RobotsTxt::was_utf16() const noexcept { return document_->was_utf16(); }
bool RobotsTxt::looks_like_html() const noexcept { return robotrules::looks_like_html(document_->text()); }
std::size_t RobotsTxt::memory_bytes() const noexcept { return document_->memory_bytes(); }

bool looks_like_html(std::string_view text) noexcept {
  constexpr std::array openings = {std::string_view("<!doctype html"), std::string_view("<html"),
                                   std::string_view("<head"),          std::string_view("<body"),
                                   std::string_view("<title"),         std::string_view("<script"),
                                   std::string_view("<meta ")};
  // A tag counts only at the start of a line (after a byte order mark), because rules and comments may contain tags.
  constexpr std::size_t looked_at = 1024;
  text = text.substr(0, looked_at);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t at = 0; at < text.size(); at = core::line_at(text, at).next) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    for (const std::string_view opening : openings) {
      if (base::equals_ignore_case(text.substr(at, opening.size()), opening)) return true;
    }
    if (at == text.size()) break;
  }
  return false;
}

}  // namespace robotrules
