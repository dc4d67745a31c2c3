#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

std::string_view to_string(DirectiveKind kind) noexcept {
  switch (kind) {
    case DirectiveKind::user_agent: return "User-agent";
    case DirectiveKind::allow: return "Allow";
    case DirectiveKind::disallow: return "Disallow";
    case DirectiveKind::sitemap: return "Sitemap";
    case DirectiveKind::crawl_delay: return "Crawl-delay";
    case DirectiveKind::request_rate: return "Request-rate";
    case DirectiveKind::visit_time: return "Visit-time";
    case DirectiveKind::host: return "Host";
    case DirectiveKind::clean_param: return "Clean-param";
    case DirectiveKind::noindex: return "Noindex";
    case DirectiveKind::content_signal: return "Content-Signal";
    case DirectiveKind::content_usage: return "Content-Usage";
    case DirectiveKind::other: break;
  }
  return {};
}

std::string_view to_string(Why why) noexcept {
  switch (why) {
    case Why::rule: return "rule";
    case Why::no_rule: return "no-rule";
    case Why::empty_group: return "empty-group";
    case Why::no_group: return "no-group";
    case Why::robots_txt: return "robots-txt";
    case Why::other_scheme: return "other-scheme";
    case Why::no_robots: break;
  }
  return "no-robots";
}

}  // namespace robotrules
