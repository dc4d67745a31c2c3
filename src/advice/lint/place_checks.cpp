#include <algorithm>
#include <string>
#include <utility>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"

namespace robotrules::advice {
namespace {

bool is_rule(DirectiveKind kind) noexcept { return kind == DirectiveKind::allow || kind == DirectiveKind::disallow; }

// Returns true for directives that have no effect outside a group.
bool needs_group(DirectiveKind kind) noexcept {
  return is_rule(kind) || kind == DirectiveKind::crawl_delay || kind == DirectiveKind::request_rate ||
         kind == DirectiveKind::visit_time;
}

// Returns true if a group for "*" closes the whole site.
bool star_is_closed(std::span<const Group> groups) {
  return std::any_of(groups.begin(), groups.end(), [](const Group& group) {
    const auto closes = [](const Directive& rule) {
      return rule.kind == DirectiveKind::disallow && matches_everything(rule.value);
    };
    return names_star(group) && std::any_of(group.rules.begin(), group.rules.end(), closes);
  });
}

}  // namespace

void PlaceChecks::check(const LintLine& line) {
  if (!line.is_directive()) return;
  if (line.group >= 0) return finish();
  const DirectiveKind kind = line.lexed.kind;
  if (!needs_group(kind)) return;
  if (run_.count++ == 0) {
    run_.line = line.number;
    run_.column = line.column(line.lexed.name);
    run_.name = line.lexed.name;
  }
  const bool everything = matches_everything(line.lexed.value);
  run_.settings = run_.settings && !is_rule(kind);
  run_.harmless =
      run_.harmless && is_rule(kind) && (line.lexed.value.empty() || (kind == DirectiveKind::allow && everything));
  run_.closes = run_.closes || (kind == DirectiveKind::disallow && everything);
}

void PlaceChecks::finish() {
  if (run_.count == 0) return;
  const Run run = std::exchange(run_, {});
  const bool one = run.count == 1;
  const std::string it = one ? "it" : "them";
  std::string message = one ? filled({"{} belongs to no group", {quote(run.name)}})
                            : filled({"{} and {}{} after it belong to no group",
                                      {quote(run.name), run.count - 1, run.count == 2 ? " line" : " lines"}});
  message += filled({", because no User-agent line comes before {}; most robots ignore {}.", {it, it}});
  const bool harmless = run.harmless && !star_is_closed(groups_);
  std::string remedy;
  if (harmless) {
    remedy = filled({"Delete {}: robots may fetch everything that no rule forbids.", {it}});
  } else if (run.settings && !groups_.empty()) {  // a User-agent line here would join the group below
    remedy =
        filled({"Move {} below the User-agent lines of the robots that {} for.", {it, one ? "it is" : "they are"}});
  } else if (run.closes) {
    remedy =
        filled({"Write \"User-agent: *\" before {} to close the site for every robot without a group of its own, or "
                "\"User-agent: NAME\" for one robot.",
                {it}});
  } else {
    remedy = filled({"Write \"User-agent: *\" or \"User-agent: NAME\" before {}.", {it}});
  }
  findings_.add(Code::rule_outside_group, run.line, run.column, message, remedy, {},
                harmless ? std::optional(Severity::warning) : std::nullopt);
}

}  // namespace robotrules::advice
