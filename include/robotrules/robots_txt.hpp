// A robots.txt as a document: its directives, groups and sitemaps with their places.
//
//     auto file = robotrules::RobotsTxt::parse(body);
//     for (const auto& group : file.groups()) use(group.agents, group.rules);
//     auto rules = file.rules_for("FooBot");
//     bool allowed = rules.check("/page").allowed();
//
// Thread rule: a RobotsTxt never changes after parse(). Any number of threads may use one object; copies share data.
// Errors: none. Every byte string is a valid robots.txt; diagnose() (diagnose.hpp) tells what is wrong with it. Only
// std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// --- Directive: one line of a robots.txt with a name and a value ---------------------------------------------------

enum class DirectiveKind : std::uint8_t {
  user_agent,
  allow,
  disallow,
  sitemap,
  crawl_delay,
  request_rate,
  visit_time,
  host,
  clean_param,
  noindex,
  content_signal,
  content_usage,
  other,  // any other name; the line is kept as it is
};

// Returns the usual spelling, such as "User-agent" or "Disallow", or "" for `other`. The view is of a literal and is
// always valid.
ROBOTRULES_API std::string_view to_string(DirectiveKind kind) noexcept;

// Returns true for settings: directives that apply to the robots named by the nearest User-agent lines above them.
constexpr bool is_setting(DirectiveKind kind) noexcept {
  return kind == DirectiveKind::crawl_delay || kind == DirectiveKind::request_rate ||
         kind == DirectiveKind::visit_time || kind == DirectiveKind::content_signal ||
         kind == DirectiveKind::content_usage;
}

// One directive. Lines and columns are counted from 1, columns in bytes. The views are valid while any copy of the
// RobotsTxt lives.
struct Directive {
  DirectiveKind kind = DirectiveKind::other;
  std::uint32_t line = 0;
  std::uint32_t column = 0;        // column of the name
  std::uint32_t value_column = 0;  // column of the value
  std::int32_t group = -1;         // index of its group; -1 before the first group
  // The line of the first User-agent line of the directive's run; 0: it has no run. A run is a sequence of User-agent
  // lines with no rule or setting between them. The run of any other directive is the nearest one above it in the same
  // group. A setting applies only to the robots that its run names.
  std::uint32_t run_line = 0;
  // As written, but without the comment and without white space at both ends.
  std::string_view name;
  std::string_view value;
};

// --- RobotsTxt: the document ---------------------------------------------------------------------------------------

namespace core {
class Document;
class GroupRules;
}  // namespace core

// A run of User-agent lines and the lines after it, as the dialect groups them. Groups for the same robot are not
// merged here. All views are valid while any copy of the RobotsTxt lives.
struct ROBOTRULES_API Group {
  std::uint32_t line = 0;         // line of the first User-agent line, or of the first rule if there is none
  std::vector<Directive> agents;  // User-agent lines
  std::vector<Directive> rules;   // Allow and Disallow lines, in file order
  std::vector<Directive> other;   // all other directives of the group

  // Returns the User-agent lines that `setting` applies to: the nearest run of them above it, as a part of `agents`.
  // `setting` must be a directive of this group.
  std::span<const Directive> agents_of(const Directive& setting) const noexcept ROBOTRULES_LIFETIMEBOUND;
};

// The value of a Sitemap line.
struct Sitemap {
  std::string url;         // the value, resolved against the URL of the robots.txt if parse() was given one
  std::string_view value;  // as written; valid while any copy of the RobotsTxt lives
  std::uint32_t line = 0;
};

// A parsed robots.txt.
class ROBOTRULES_API RobotsTxt {
 public:
  RobotsTxt();  // an empty file

  // A move is a copy, so a moved-from object still has its document.
  RobotsTxt(const RobotsTxt&) = default;
  RobotsTxt& operator=(const RobotsTxt&) = default;

  // Returns the document of the file `robots`, whose bytes are copied. `url` is the URL of the file: relative sitemaps
  // are resolved against it, and so are rules if the dialect has RuleValue::url_reference.
  static RobotsTxt parse(std::string_view robots, const Dialect& dialect = Dialect::rfc9309(),
                         std::string_view url = {});

  // Return the number of directives, and the directive at `index` in file order. Precondition: index < size().
  std::size_t size() const noexcept;
  Directive directive(std::size_t index) const noexcept ROBOTRULES_LIFETIMEBOUND;

  // Return the number of groups, the group at `index`, and all groups. Precondition: index < group_count().
  std::size_t group_count() const noexcept;
  Group group(std::size_t index) const ROBOTRULES_LIFETIMEBOUND;
  std::vector<Group> groups() const ROBOTRULES_LIFETIMEBOUND;

  // Returns the sitemaps of the file in file order, each once. A Sitemap line may be inside or outside of a group.
  std::vector<Sitemap> sitemaps() const ROBOTRULES_LIFETIMEBOUND;

  // Returns the rules for one robot, the same as Rules::compile() on the same bytes. The result stays valid after
  // this object has ended.
  Rules rules_for(std::string_view agent) const;
  Rules rules_for(const AgentTokens& agent) const;
  Rules rules_for(std::initializer_list<const char*> names) const { return rules_for(AgentTokens::of(names)); }

  // Returns the text as it was read: converted to UTF-8 if it was UTF-16, without the bytes that the dialect removes,
  // and cut at the dialect's limit. The results of this function and of the next two are valid while any copy of this
  // object lives.
  std::string_view text() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::string_view url() const noexcept ROBOTRULES_LIFETIMEBOUND;
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::uint32_t line_count() const noexcept;  // a last line without a line end counts if it is not empty
  bool truncated() const noexcept;            // true: the file was longer than the dialect's limit
  bool was_utf16() const noexcept;            // true: the file was UTF-16, and text() is that text in UTF-8
  bool looks_like_html() const noexcept;      // true: this seems to be an HTML page instead of a robots.txt
  std::size_t memory_bytes() const noexcept;  // bytes on the heap; copies share them

 private:
  friend class core::GroupRules;
  explicit RobotsTxt(std::shared_ptr<const core::Document> document) noexcept;
  Rules rules_for(std::string_view agent, std::span<const std::uint32_t> groups) const;
  std::shared_ptr<const core::Document> document_;
};

// Returns true if the bytes seem to be an HTML page that was served in place of a robots.txt.
ROBOTRULES_API bool looks_like_html(std::string_view robots) noexcept;

}  // namespace robotrules
