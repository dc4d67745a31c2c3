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
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/diagnostic.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/directive.hpp>
#include <robotrules/lifetimebound.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

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
