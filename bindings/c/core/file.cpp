#include <algorithm>

#include "c/core/common.hpp"
#include "c/core/handles.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::Directive;
using robotrules::DirectiveKind;
using robotrules::RobotsTxt;

static_assert(static_cast<int>(DirectiveKind::user_agent) == ROBOTRULES_KIND_USER_AGENT);
static_assert(static_cast<int>(DirectiveKind::allow) == ROBOTRULES_KIND_ALLOW);
static_assert(static_cast<int>(DirectiveKind::disallow) == ROBOTRULES_KIND_DISALLOW);
static_assert(static_cast<int>(DirectiveKind::sitemap) == ROBOTRULES_KIND_SITEMAP);
static_assert(static_cast<int>(DirectiveKind::crawl_delay) == ROBOTRULES_KIND_CRAWL_DELAY);
static_assert(static_cast<int>(DirectiveKind::request_rate) == ROBOTRULES_KIND_REQUEST_RATE);
static_assert(static_cast<int>(DirectiveKind::visit_time) == ROBOTRULES_KIND_VISIT_TIME);
static_assert(static_cast<int>(DirectiveKind::host) == ROBOTRULES_KIND_HOST);
static_assert(static_cast<int>(DirectiveKind::clean_param) == ROBOTRULES_KIND_CLEAN_PARAM);
static_assert(static_cast<int>(DirectiveKind::noindex) == ROBOTRULES_KIND_NOINDEX);
static_assert(static_cast<int>(DirectiveKind::content_signal) == ROBOTRULES_KIND_CONTENT_SIGNAL);
static_assert(static_cast<int>(DirectiveKind::content_usage) == ROBOTRULES_KIND_CONTENT_USAGE);
static_assert(static_cast<int>(DirectiveKind::other) == ROBOTRULES_KIND_OTHER);

robotrules_directive directive_of(const Directive& from) noexcept {
  return {str_of(from.name), str_of(from.value), static_cast<std::int32_t>(from.kind),
          from.group,        from.line,          from.column,
          from.value_column, from.run_line};
}

constexpr robotrules_directive no_directive = {{"", 0}, {"", 0}, ROBOTRULES_KIND_OTHER, -1, 0, 0, 0, 0};

}  // namespace

robotrules_sitemap robotrules::c_abi::sitemap_of(const Sitemap* sitemap) noexcept {
  if (sitemap == nullptr) return {str_of({}), str_of({}), 0};
  return {str_of(sitemap->url), str_of(sitemap->value), sitemap->line};
}

robotrules_status robotrules_file_parse(const char* robots, std::size_t robots_size, const char* dialect,
                                        std::size_t dialect_size, const char* url, std::size_t url_size,
                                        robotrules_file** file) noexcept {
  if (file == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *file = nullptr;
  if (!is_text(robots, robots_size) || !is_text(dialect, dialect_size) || !is_text(url, url_size)) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  const auto* found = find_dialect(view_of(dialect, dialect_size));
  if (found == nullptr) return ROBOTRULES_UNKNOWN_DIALECT;
  return give(file, true,
              [&] { return RobotsTxt::parse(view_of(robots, robots_size), *found, view_of(url, url_size)); });
}

void robotrules_file_free(robotrules_file* file) noexcept { delete file; }

robotrules_status robotrules_file_rules(const robotrules_file* file, const char* agent, std::size_t agent_size,
                                        robotrules_rules** rules) noexcept {
  return give(rules, file != nullptr && is_text(agent, agent_size),
              [&] { return file->file.rules_for(view_of(agent, agent_size)); });
}

robotrules_status robotrules_file_rules_names(const robotrules_file* file, const robotrules_str* names,
                                              std::size_t name_count, std::int32_t ignores_star,
                                              robotrules_rules** rules) noexcept {
  return give(rules, file != nullptr && are_texts(names, name_count),
              [&] { return file->file.rules_for(tokens_of(names, name_count, ignores_star)); });
}

robotrules_status robotrules_file_get_facts(const robotrules_file* file, robotrules_file_facts* facts) noexcept {
  if (facts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = {str_of({}), str_of({}), str_of({}), 0, 0, 0, 0, 0};
  if (file == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const RobotsTxt& from = file->file;
  *facts = {str_of(from.text()), str_of(from.url()), str_of(from.dialect().name), from.size(),
            from.group_count(),  from.line_count(),  from.truncated() ? 1 : 0,    from.looks_like_html() ? 1 : 0};
  return ROBOTRULES_OK;
}

void robotrules_kind_name(std::int32_t kind, robotrules_str* name) noexcept {
  if (name == nullptr) return;
  const bool known = kind >= ROBOTRULES_KIND_USER_AGENT && kind <= ROBOTRULES_KIND_OTHER;
  *name = str_of(known ? robotrules::to_string(static_cast<DirectiveKind>(kind)) : "");
}

robotrules_status robotrules_file_directive(const robotrules_file* file, std::size_t index,
                                            robotrules_directive* directive) noexcept {
  if (directive == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *directive = no_directive;
  if (file == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (index >= file->file.size()) return ROBOTRULES_OUT_OF_RANGE;
  *directive = directive_of(file->file.directive(index));
  return ROBOTRULES_OK;
}

robotrules_status robotrules_file_group(const robotrules_file* file, std::size_t index,
                                        robotrules_group* group) noexcept {
  if (group == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *group = {0, 0, 0, 0};
  if (file == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (index >= file->file.group_count()) return ROBOTRULES_OUT_OF_RANGE;
  return guarded([&] {
    const auto from = file->file.group(index);
    *group = {from.line, from.agents.size(), from.rules.size(), from.other.size()};
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_file_group_directives(const robotrules_file* file, std::size_t index, std::int32_t part,
                                                   robotrules_directive* directives, std::size_t room,
                                                   std::size_t* count) noexcept {
  if (count == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *count = 0;
  if (file == nullptr || (directives == nullptr && room != 0) || part < ROBOTRULES_GROUP_AGENTS ||
      part > ROBOTRULES_GROUP_OTHER) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  if (index >= file->file.group_count()) return ROBOTRULES_OUT_OF_RANGE;
  return guarded([&] {
    const auto group = file->file.group(index);
    const auto& from = part == ROBOTRULES_GROUP_AGENTS  ? group.agents
                       : part == ROBOTRULES_GROUP_RULES ? group.rules
                                                        : group.other;
    for (std::size_t i = 0; i < std::min(room, from.size()); ++i) directives[i] = directive_of(from[i]);
    *count = from.size();
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_file_sitemaps(const robotrules_file* file, robotrules_sitemaps** sitemaps) noexcept {
  return give(sitemaps, file != nullptr, [&] { return SitemapList{file->file, file->file.sitemaps()}; });
}

std::size_t robotrules_sitemaps_count(const robotrules_sitemaps* sitemaps) noexcept {
  return sitemaps != nullptr ? sitemaps->list.sitemaps.size() : 0;
}

robotrules_status robotrules_sitemaps_at(const robotrules_sitemaps* sitemaps, std::size_t index,
                                         robotrules_sitemap* sitemap) noexcept {
  return give_row(sitemap, sitemaps != nullptr ? &sitemaps->list.sitemaps : nullptr, index, sitemap_of);
}

void robotrules_sitemaps_free(robotrules_sitemaps* sitemaps) noexcept { delete sitemaps; }

robotrules_status robotrules_file_crawlers(const robotrules_file* file, const char* url, std::size_t url_size,
                                           robotrules_crawlers** crawlers) noexcept {
  return give(crawlers, file != nullptr && is_text(url, url_size), [&] {
    const auto page = url_size == 0 ? std::string_view("/") : view_of(url, url_size);
    return CrawlerList{file->file, robotrules::crawler_access(file->file, page)};
  });
}

std::size_t robotrules_crawlers_count(const robotrules_crawlers* crawlers) noexcept {
  return crawlers != nullptr ? crawlers->list.survey.crawlers.size() : 0;
}

std::int32_t robotrules_crawlers_complete(const robotrules_crawlers* crawlers) noexcept {
  return crawlers != nullptr && crawlers->list.survey.complete ? 1 : 0;
}

robotrules_status robotrules_crawlers_at(const robotrules_crawlers* crawlers, std::size_t index,
                                         robotrules_crawler* crawler) noexcept {
  static_assert(static_cast<int>(robotrules::Obeys::not_stated) == ROBOTRULES_OBEYS_NOT_STATED);
  static_assert(static_cast<int>(robotrules::Obeys::yes) == ROBOTRULES_OBEYS_YES);
  static_assert(static_cast<int>(robotrules::Obeys::partly) == ROBOTRULES_OBEYS_PARTLY);
  static_assert(static_cast<int>(robotrules::Obeys::no) == ROBOTRULES_OBEYS_NO);
  static_assert(static_cast<int>(robotrules::Reach::everywhere) == ROBOTRULES_REACH_EVERYWHERE);
  static_assert(static_cast<int>(robotrules::Reach::partly) == ROBOTRULES_REACH_PARTLY);
  static_assert(static_cast<int>(robotrules::Reach::nowhere) == ROBOTRULES_REACH_NOWHERE);
  const auto* rows = crawlers != nullptr ? &crawlers->list.survey.crawlers : nullptr;
  return give_row(crawler, rows, index, [](const robotrules::CrawlerAccess* from) -> robotrules_crawler {
    const robotrules_str none = str_of({});
    if (from == nullptr) return {none, none, none, none, 0, 0, ROBOTRULES_REACH_NOWHERE, 0, rule_of(std::nullopt)};
    return {str_of(from->crawler->name),
            str_of(from->crawler->operated_by),
            str_of(from->crawler->kind),
            str_of(from->groups.agent),
            from->groups.line,
            static_cast<std::int32_t>(from->crawler->obeys),
            static_cast<std::int32_t>(from->reach),
            access_of(from->verdict.access()),
            rule_of(from->verdict.rule())};
  });
}

void robotrules_crawlers_free(robotrules_crawlers* crawlers) noexcept { delete crawlers; }
