#include <robotrules/rules.hpp>

#include <algorithm>

#include "base/sort.hpp"
#include "core/rules/compile.hpp"
#include "core/rules/path_buffer.hpp"
#include "core/rules/rules_data.hpp"
#include "core/url_path.hpp"

namespace robotrules {
namespace {

// Shared by all Rules that hold nothing; its making is the only use of memory that a default Rules needs.
const std::shared_ptr<const core::RulesData>& no_rules() {
  static const std::shared_ptr<const core::RulesData> none =
      core::compile_rules({}, std::string_view{}, Dialect::rfc9309(), {});
  return none;
}

bool is_robots_txt(std::string_view path) noexcept {
  constexpr std::string_view robots = "/robots.txt";
  return path.starts_with(robots) && (path.size() == robots.size() || path[robots.size()] == '?');
}

}  // namespace

Rules::Rules() : Rules(no_rules()) {}

Rules::Rules(std::shared_ptr<const core::RulesData> data) noexcept
    : data_(std::move(data)),
      url_path_(data_->dialect().url_path),
      url_encoding_(data_->dialect().url_encoding),
      http_only_(data_->dialect().http_only),
      robots_txt_allowed_(data_->dialect().robots_txt_allowed) {}

Rules Rules::compile(std::string_view robots, std::string_view agent, const Dialect& dialect,
                     std::string_view robots_url) {
  return Rules(core::compile_rules(robots, agent, dialect, robots_url));
}

Rules Rules::compile(std::string_view robots, const AgentTokens& agent, const Dialect& dialect,
                     std::string_view robots_url) {
  return Rules(core::compile_rules(robots, agent, dialect, robots_url));
}

Verdict Rules::check(std::string_view url) const& {
  const core::RulesData& data = *data_;
  data.prefetch();
  if (http_only_ && core::has_other_scheme(url)) {
    return {Access::allowed, Why::other_scheme, &data, Verdict::none, Verdict::none};
  }
  const core::PathBuffer buffer(url, url_path_, url_encoding_);
  const std::string_view path = buffer.path();
  if (robots_txt_allowed_ && is_robots_txt(path)) {
    return {Access::allowed, Why::robots_txt, &data, Verdict::none, Verdict::none};
  }
  core::NoSteps steps;
  const core::RulesData::Best best = data.best_rules(path, steps);
  if (best.first == core::RulesData::no_rule) {
    return {Access::allowed, data.why_no_rule(), &data, Verdict::none, Verdict::none};
  }
  return {data.access_of(best.first), Why::rule, &data, best.first, best.second};
}

std::optional<Milliseconds> Rules::crawl_delay() const noexcept { return data_->crawl_delay(); }
std::optional<RequestRate> Rules::request_rate() const noexcept { return data_->request_rate(); }
std::optional<TimeOfDay> Rules::visit_time() const noexcept { return data_->visit_time(); }

Usage Rules::usage(std::string_view url) const {
  const core::PathBuffer buffer(url, url_path_, url_encoding_);
  return data_->usage(buffer.path());
}

std::vector<RuleLine> Rules::lines() const { return data_->lines(); }

std::string Rules::apply_clean_param(std::string_view url) const {
  const std::size_t fragment = std::min(url.find('#'), url.size());
  const std::size_t mark = url.substr(0, fragment).find('?');
  if (mark == std::string_view::npos || !data_->has_clean_lines()) return std::string(url);
  const core::PathBuffer buffer(url, url_path_, url_encoding_);
  std::vector<std::string_view> unwanted = data_->clean_parameters(buffer.path());
  base::sort(unwanted);

  std::string cleaned(url.substr(0, mark));
  char before = '?';
  for (std::size_t at = mark + 1; at <= fragment;) {
    const std::size_t end = std::min(url.find('&', at), fragment);
    const std::string_view parameter = url.substr(at, end - at);
    if (!std::ranges::binary_search(unwanted, parameter.substr(0, parameter.find('=')))) {
      cleaned += before;
      cleaned += parameter;
      before = '&';
    }
    at = end + 1;
  }
  return cleaned.append(url.substr(fragment));
}

std::size_t Rules::size() const noexcept { return data_->rule_count(); }
std::size_t Rules::memory_bytes() const noexcept { return data_->memory_bytes(); }
const Dialect& Rules::dialect() const noexcept { return data_->dialect(); }

}  // namespace robotrules
