// RobotsTxt: a robots.txt as a document: groups, rules, sitemaps and every other directive with its place.
//
//     auto file = robotrules::RobotsTxt::parse(body);
//     for (auto group : file.groups()) ...
//     auto rules = file.rules_for("FooBot");
//
// Parsing is total: every byte string is a robots.txt. What is odd in it is told by diagnostics().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/lifetimebound.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// Directive: one line of a robots.txt that says something.

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
  other,  // kept as it is
};

// The usual spelling, "User-agent", "Disallow" ...; empty for `other`. The view is of a literal.
std::string_view to_string(DirectiveKind kind) noexcept;

// True for settings: directives that hold for the robots named by the nearest User-agent lines above them.
constexpr bool is_setting(DirectiveKind kind) noexcept {
  return kind == DirectiveKind::crawl_delay || kind == DirectiveKind::request_rate ||
         kind == DirectiveKind::visit_time || kind == DirectiveKind::content_signal ||
         kind == DirectiveKind::content_usage;
}

// `name` and `value` are views into the RobotsTxt (they live as long as any copy of it): white space at both ends and
// the comment are cut off, nothing else is changed. Lines and columns count from 1, columns in octets.
struct Directive {
  DirectiveKind kind = DirectiveKind::other;
  std::uint32_t line = 0;
  std::uint32_t column = 0;        // of the name
  std::uint32_t value_column = 0;  // of the value
  std::int32_t group = -1;         // index of the group it belongs to, -1 before the first
  // The first line of the nearest run of User-agent lines in its group, this one included; 0: there is none. A
  // User-agent line after a rule or a setting begins a new run. A setting holds for the robots that its run names.
  std::uint32_t run_line = 0;
  std::string_view name;
  std::string_view value;
};

// Diagnostic: something odd in a robots.txt, with its place and its remedy.

enum class Severity : std::uint8_t {
  error,    // robots will not do what the line seems to ask
  warning,  // robots differ over it, or it has no effect
  note,     // unusual and harmless
};
std::string_view to_string(Severity severity) noexcept;

// One finding. `code` is stable ("missing-colon"): docs/lint/CODE.md explains it. `message` is a sentence that names
// the fragment (escaped, cut at 80 octets), `remedy` says what to write. Lines and columns count from 1; line 0 is the
// file as a whole.
struct Diagnostic {
  std::string_view code;
  Severity severity = Severity::note;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
  std::string remedy;
};

// Every code with its severity and one line of what it means; the span lives for ever.
struct DiagnosticCode {
  std::string_view code;
  Severity severity;
  std::string_view summary;
};
std::span<const DiagnosticCode> diagnostic_codes() noexcept;

namespace core {
class Document;
}

// A run of User-agent lines and what follows them, as the dialect groups them. Groups of one name are not merged here.
// All views live as long as any copy of the RobotsTxt.
struct Group {
  std::uint32_t line = 0;         // of its first User-agent line; of the first rule for a group without one
  std::vector<Directive> agents;  // the User-agent lines
  std::vector<Directive> rules;   // Allow and Disallow, in file order
  std::vector<Directive> other;   // every other directive in it

  // The User-agent lines that a setting of this group holds for: the nearest run of them above it.
  std::vector<Directive> agents_of(const Directive& setting) const;
};

// `url` is resolved against the URL of the robots.txt where one was given, else as written. `value` is as written.
struct Sitemap {
  std::string url;
  std::string_view value;
  std::uint32_t line = 0;
};

// Thread rule: immutable, shareable; copies share their data.
class RobotsTxt {
 public:
  RobotsTxt();  // an empty file

  // Moving copies: there is no empty state that a question could meet.
  RobotsTxt(const RobotsTxt&) = default;
  RobotsTxt& operator=(const RobotsTxt&) = default;

  // Copies what it needs of `robots`. `url`, where the file came from, resolves relative sitemaps, and rules under a
  // dialect whose rule_value is url_reference.
  static RobotsTxt parse(std::string_view robots, const Dialect& dialect = Dialect::rfc9309(),
                         std::string_view url = {});

  // Every directive in file order. Precondition: index < size(), below index < group_count().
  std::size_t size() const noexcept;
  Directive directive(std::size_t index) const noexcept ROBOTRULES_LIFETIMEBOUND;

  std::size_t group_count() const noexcept;
  Group group(std::size_t index) const ROBOTRULES_LIFETIMEBOUND;
  std::vector<Group> groups() const ROBOTRULES_LIFETIMEBOUND;

  // Each sitemap once, in file order, wherever it stands.
  std::vector<Sitemap> sitemaps() const ROBOTRULES_LIFETIMEBOUND;

  // What holds for one robot; the same as Rules::compile on the same bytes. The result stands alone.
  Rules rules_for(std::string_view agent) const;

  // What is odd in the file, ordered by line and column. Computed at each call, never printed.
  std::vector<Diagnostic> diagnostics() const;

  // These views live as long as any copy of this object. The text is as it was read: transcoded if it was UTF-16,
  // without what the dialect takes out of it, cut at the dialect's limit.
  std::string_view text() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::string_view url() const noexcept ROBOTRULES_LIFETIMEBOUND;
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::uint32_t line_count() const noexcept;  // a last line without an end counts, an empty one does not
  bool truncated() const noexcept;            // the file was longer than the dialect reads
  bool looks_like_html() const noexcept;      // a page was served in place of a robots.txt
  std::size_t memory_bytes() const noexcept;  // heap bytes held, shared among copies

 private:
  explicit RobotsTxt(std::shared_ptr<const core::Document> document) noexcept;
  std::shared_ptr<const core::Document> document_;
};

}  // namespace robotrules
