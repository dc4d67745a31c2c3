// A robots.txt as a document: its directives, groups and sitemaps with their places, and diagnostics for its faults.
//
//     auto file = robotrules::RobotsTxt::parse(body);
//     for (const auto& group : file.groups()) use(group.agents, group.rules);
//     for (const auto& found : file.diagnostics()) std::cout << found.line << ": " << found.message << '\n';
//     auto rules = file.rules_for("FooBot");
//     bool allowed = rules.check("/page").allowed();
//
// Thread rule: a RobotsTxt never changes after parse(). Any number of threads may use one object; copies share data.
// Errors: none. Every byte string is a valid robots.txt; diagnostics() tells what is wrong with it. Only std::bad_alloc
// is thrown.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/agent_name.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/enum_text.hpp>
#include <robotrules/export.hpp>
#include <robotrules/lifetimebound.hpp>
#include <robotrules/robots_policy.hpp>
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

// --- Diagnostic: one fault or oddity in a robots.txt, with its place and its remedy --------------------------------

enum class Severity : std::uint8_t {
  error,    // robots will not do what the line seems to ask
  warning,  // robots disagree about the line, or it has no effect
  note,     // unusual and harmless
};
ROBOTRULES_API std::string_view to_string(Severity severity) noexcept;

// A change of one line.
struct LineEdit {
  std::uint32_t line = 0;          // counted from 1
  std::vector<std::string> lines;  // the lines that replace it, without line ends; empty: the line is deleted
  friend bool operator==(const LineEdit&, const LineEdit&) = default;
};

// Returns `text` after the edits. A new line gets the line end of the line that it replaces. If several edits have the
// same line, the first one counts. Edits of lines that `text` does not have are ignored.
//
// Edits of several findings may meet, and some remedies change what robots may fetch. fix() (fix.hpp) applies those
// that change nothing. To apply another one, ask compare() whether its effect is wanted.
ROBOTRULES_API std::string with_edits(std::string_view text, std::span<const LineEdit> edits);

// One finding. Lines and columns are counted from 1; line 0 means the whole file.
struct Diagnostic {
  std::string_view code;  // stable, such as "missing-colon", which docs/lint/missing-colon.md explains
  Severity severity = Severity::note;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;  // a sentence that quotes the fragment, escaped and cut at 80 bytes
  std::string remedy;   // what to write instead
  // The changes of RobotsTxt::text() that the remedy asks for. Empty if a person must decide what to write.
  std::vector<LineEdit> edits{};
};

// A diagnostic's code with its severity and a summary in one line.
struct DiagnosticCode {
  std::string_view code;
  Severity severity;  // of its findings; those that do no harm may be milder
  std::string_view summary;
  bool consequence = false;  // true: it says what the whole file does to robots, not what is wrong with one line
};

// Returns all codes. The span is always valid.
ROBOTRULES_API std::span<const DiagnosticCode> diagnostic_codes() noexcept;

// Returns the row of a code, or null if there is none. The row is always valid.
ROBOTRULES_API const DiagnosticCode* find_diagnostic_code(std::string_view code) noexcept;

// A robot that the diagnostics know by name.
struct KnownRobot {
  enum class Kind : std::uint8_t { search, ai, other };
  std::string name;  // as User-agent lines write it
  Kind kind = Kind::other;
  AgentTokens agent{};  // the groups that it obeys; no tokens: those for `name`
};

// The response that contained the file.
struct FetchFacts {
  int status = 200;            // after all redirects
  std::string content_type{};  // the field as received; empty: there is none
  std::size_t redirects = 0;
  std::optional<std::chrono::seconds> max_age{};  // time that a cache may keep the response; null: not stated
  // Why the answer has no file although its status does not say so (RobotsResult::reason), and what it counts as.
  std::string fault{};
  RobotsOutcome outcome = RobotsOutcome::rules;
};

// Facts for diagnostics() that the file does not contain.
struct LintOptions {
  std::vector<KnownRobot> robots{};     // for findings about search engines, AI robots and misspelt names of robots
  std::optional<FetchFacts> fetched{};  // null: the file was not fetched
};

// --- RobotsTxt: the document ---------------------------------------------------------------------------------------

namespace core {
class Document;
class GroupFinder;
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

  // Returns the faults and oddities of the file, ordered by line and column. They are computed at each call. Nothing is
  // printed. A comment "# robotrules: ignore CODE" silences findings about its line, or about the next line if it is
  // alone on its line. "# robotrules: ignore-file CODE" silences findings about the whole file.
  std::vector<Diagnostic> diagnostics(const LintOptions& options = {}) const;

  // Returns the text as it was read: converted to UTF-8 if it was UTF-16, without the bytes that the dialect removes,
  // and cut at the dialect's limit. The results of this function and of the next two are valid while any copy of this
  // object lives.
  std::string_view text() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::string_view url() const noexcept ROBOTRULES_LIFETIMEBOUND;
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::uint32_t line_count() const noexcept;  // a last line without a line end counts if it is not empty
  bool truncated() const noexcept;            // true: the file was longer than the dialect's limit
  bool looks_like_html() const noexcept;      // true: this seems to be an HTML page instead of a robots.txt
  std::size_t memory_bytes() const noexcept;  // bytes on the heap; copies share them

 private:
  friend class core::GroupFinder;
  explicit RobotsTxt(std::shared_ptr<const core::Document> document) noexcept;
  Rules rules_for(std::string_view agent, std::span<const std::uint32_t> groups) const;
  std::shared_ptr<const core::Document> document_;
};

// Returns true if the bytes seem to be an HTML page that was served in place of a robots.txt.
ROBOTRULES_API bool looks_like_html(std::string_view robots) noexcept;

}  // namespace robotrules
