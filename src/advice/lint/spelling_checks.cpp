#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/rules.hpp>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "advice/lint/lint_names.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

std::string_view leading_word(std::string_view text) noexcept {
  const auto begin = std::find_if_not(text.begin(), text.end(), base::is_space);
  const auto end = std::find_if(begin, text.end(), base::is_space);
  return text.substr(static_cast<std::size_t>(begin - text.begin()), static_cast<std::size_t>(end - begin));
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (base::is_space(text.front()) || text.front() == '\0')) text.remove_prefix(1);
  while (!text.empty() && (base::is_space(text.back()) || text.back() == '\0')) text.remove_suffix(1);
  return text;
}

// Names in real files that some robot may read.
constexpr std::array<std::string_view, 8> rare_names = {
    "cache-delay", "robot-version", "comment", "nofollow", "noarchive", "nosnippet", "llm-policy", "unavailable-after"};

// Names of proposals that few robots read.
struct Proposal {
  std::string_view name;
  std::string_view what;
  std::string_view remedy;
};
constexpr Proposal proposals[] = {
    {"license", "names the licence of the site's content (RSL, Really Simple Licensing); few robots read it",
     "Keep it for the robots that read it; use Disallow for all others."},
    {"schemamap", "names a list of structured data for AI agents (NLWeb); few robots read it",
     "Keep it for the robots that read it."},
    {"disallowaitraining",
     "asks not to train AI models with these paths (an expired proposal for RFC 9309); hardly any "
     "robot reads it, and Google's published parser takes it for Disallow",
     "Write Content-Usage or Content-Signal lines in its place, or disallow the robots that collect training data."},
    {"allowaitraining",
     "permits training AI models with these paths (an expired proposal for RFC 9309); hardly any "
     "robot reads it, and Google's published parser takes it for Allow",
     "Write Content-Usage or Content-Signal lines in its place."},
};

bool is_rare_name(std::string_view lower) noexcept {
  return lower.starts_with("acap-") || std::find(rare_names.begin(), rare_names.end(), lower) != rare_names.end();
}

// Returns the edit that begins a new line at `second` and at each further directive.
std::vector<LineEdit> split_at(const LintLine& line, std::string_view second) {
  LineEdit edit{line.number, {}};
  std::string_view rest = line.text;
  for (auto at = static_cast<std::size_t>(second.data() - rest.data()); at != std::string_view::npos;) {
    edit.lines.emplace_back(trimmed(rest.substr(0, at)));
    rest.remove_prefix(at);
    const std::size_t colon = rest.find(':');
    const std::size_t next = find_joined_directive(rest.substr(colon + 1));
    at = next == std::string_view::npos ? next : colon + 1 + next;
  }
  edit.lines.emplace_back(rest);
  return {std::move(edit)};
}

// Returns true if the rule is the first one below the names of its group, and "*" is not among them.
bool is_first_rule(const LintLine& line, const Group* group) {
  return group != nullptr && !group->rules.empty() && group->rules.front().line == line.number && !names_star(*group);
}

// Returns true if a line without a directive's name begins like a path, so that it is probably meant as a rule.
bool looks_like_path(std::string_view text) noexcept {
  return !text.empty() && std::string_view("/*?.:").find(text.front()) != std::string_view::npos;
}

}  // namespace

void SpellingChecks::check(const LintLine& line) {
  if (line.lexed.form == core::LexedLine::Form::malformed) return malformed(line);
  if (!line.is_directive() || joined(line)) return;
  name(line);
  cut_value(line);
}

void SpellingChecks::malformed(const LintLine& line) {
  const std::string_view fragment = trimmed(line.text);
  const std::string_view word = leading_word(fragment);
  const std::uint32_t column = fragment.empty() ? 1 : line.column(fragment);
  const DirectiveKind near =
      word.size() == fragment.size() && !is_common_name(word) ? DirectiveKind::other : nearest_directive(word);
  if (near != DirectiveKind::other) {
    findings_.add(Code::malformed_line, line.number, column,
                  {"{} has no colon after the directive's name and is ignored.", {quote(fragment)}},
                  {"Write \"{}: ...\".", {to_string(near)}});
  } else {
    findings_.add(Code::malformed_line, line.number, column,
                  {"{} is not a directive, a comment or a blank line; robots ignore it.", {quote(fragment)}},
                  "If it is a comment, put \"#\" before it; otherwise delete it.", {},
                  looks_like_path(fragment) ? std::nullopt : std::optional(Severity::warning));
  }
}

// Returns true if the group has the same rule.
bool SpellingChecks::has_rule(const Group* group, const core::LexedLine& rule) {
  if (group == nullptr) return false;
  const auto [known, is_new] = rules_.try_emplace(group);
  if (is_new) {
    for (const Directive& other : group->rules) known->second.emplace(other.kind, other.value);
  }
  return known->second.contains({rule.kind, rule.value});
}

bool SpellingChecks::is_for_all(const Group& group) {
  const auto [known, is_new] = stars_.try_emplace(&group, false);
  if (is_new) known->second = names_star(group);
  return known->second;
}

bool SpellingChecks::joined(const LintLine& line) {
  if (joined_name(line)) return true;
  const std::size_t at = find_joined_directive(line.lexed.value);
  if (at == std::string_view::npos) return false;
  joined_value(line, line.lexed.value.substr(at));
  return true;
}

// "Block all Disallow: /": the second directive is at the end of the name.
bool SpellingChecks::joined_name(const LintLine& line) {
  const std::string_view name = line.lexed.name;
  const std::size_t blank = name.find_last_of(" \t");
  if (line.lexed.kind != DirectiveKind::other || blank == std::string_view::npos) return false;
  const std::string_view second = name.substr(blank + 1);
  if (!is_common_name(second)) return false;
  if (base::equals_ignore_case(second, "sitemap") &&
      is_sitemap_url(line.lexed.value)) {  // "Video Sitemap: https://..."
    findings_.add(Code::ignored_misspelling, line.number, line.column(name),
                  {"{} is not a directive, so robots do not find the sitemap.", {quote(name)}}, "Write \"Sitemap:\".",
                  line.edit(name, "Sitemap"));
  } else {
    findings_.add(Code::joined_lines, line.number, line.column(second),
                  {"Another directive begins inside the line, at {}; robots read it as part of the first directive.",
                   {quote(second)}},
                  "Write each directive on a line of its own.");
  }
  return true;
}

// "Allow: /a Disallow: /": the second directive is in the value.
void SpellingChecks::joined_value(const LintLine& line, std::string_view second) {
  const std::string_view value = line.lexed.value;
  const std::string_view head = trimmed(value.substr(0, static_cast<std::size_t>(second.data() - value.data())));
  const core::LexedLine next = core::lex_line(second, Dialect::rfc9309());
  const Group* const group = line.group < 0 ? nullptr : &groups_[static_cast<std::size_t>(line.group)];
  std::string remedy = "Write each directive on a line of its own.";
  std::vector<LineEdit> edits;
  std::optional<Severity> severity;
  if (head.empty()) {
    const std::string first = quoted(filled({"{}:", {line.lexed.name}}));
    const bool sitemap = next.kind == DirectiveKind::sitemap;
    remedy = "Keep one of the two directives.";
    if (sitemap || next.kind == line.lexed.kind) {
      remedy = filled({"Delete {}{}", {first, next.value.empty() ? ", and write the value on the same line." : "."}});
      const bool ends_names = line.is_rule() && (group == nullptr || group->rules.size() < 2);
      if (!next.value.empty() && !ends_names) {
        edits = write_edit(line.number, std::string(line.text.substr(line.column(second) - 1)));
      }
    }
  } else if (line.is_rule() && next.kind == DirectiveKind::user_agent && matches_everything(head) &&
             !is_first_rule(line, group)) {
    // The names and the rules may have changed places: "Disallow: / User-agent: FooBot".
    remedy =
        filled({"Write {} first and its rule below it; in this order, {} would hold for the robots of the group above.",
                {quote("User-agent: " + std::string(next.value)),
                 quote(std::string(line.lexed.name) + ": " + std::string(head))}});
  } else if (line.lexed.kind == DirectiveKind::user_agent && matches_everything(next.value) && group != nullptr &&
             is_for_all(*group)) {
    remedy = "Write each directive on a line of its own, apart from the group of \"*\" above.";
  } else {
    edits = split_at(line, second);
    if (line.lexed.kind == DirectiveKind::user_agent && has_rule(group, next) && !leading_product_token(head).empty()) {
      severity = Severity::warning;  // robots that read the name obey the same rule below it
    }
  }
  findings_.add(Code::joined_lines, line.number, line.column(second),
                {"Another directive begins inside the line, at {}; robots read it as part of the first directive.",
                 {quote(second.substr(0, 40))}},
                remedy, std::move(edits), severity);
}

void SpellingChecks::name(const LintLine& line) {
  const core::LexedLine& lexed = line.lexed;
  const std::uint32_t column = line.column(lexed.name);
  if (lexed.missing_colon) {
    findings_.add(Code::missing_colon, line.number, column + static_cast<std::uint32_t>(lexed.name.size()),
                  {"{} has no colon; lenient robots read it, strict ones ignore it.", {quote(trimmed(line.text))}},
                  {"Write \"{}: ...\".", {to_string(lexed.kind)}},
                  line.edit(lexed.name, filled({"{}:", {to_string(lexed.kind)}})));
  }
  if (lexed.lenient_name) {
    findings_.add(Code::misspelt_directive, line.number, column,
                  {"{} is read as {} by lenient robots only; strict ones ignore the line.",
                   {quote(lexed.name), to_string(lexed.kind)}},
                  {"Write \"{}:\".", {to_string(lexed.kind)}},
                  line.edit(lexed.name, filled({"{}{}", {to_string(lexed.kind), lexed.missing_colon ? ":" : ""}})));
  }
  switch (lexed.kind) {
    case DirectiveKind::other: return other_name(line);
    case DirectiveKind::host:
      return once(line, "was read by Yandex only, which no longer obeys it",
                  "Redirect the other hosts to the one you prefer, and delete the line.");
    case DirectiveKind::clean_param:
      return once(line, "is read by Yandex only",
                  "Keep it for Yandex; for other robots name one URL as canonical in the pages.");
    case DirectiveKind::noindex:
      return once(line, "was never a part of the protocol, and search engines do not obey it",
                  "Send \"X-Robots-Tag: noindex\" with the pages, and do not disallow them.", Code::unknown_directive);
    case DirectiveKind::request_rate:
    case DirectiveKind::visit_time:
      return once(line, "comes from an old draft and few robots obey it",
                  "Add a \"Crawl-delay:\", which more robots know.");
    default: return;
  }
}

void SpellingChecks::once(const LintLine& line, std::string_view what, const Sentence& remedy, Code code) {
  if (!told_.insert(base::lower_case(line.lexed.name)).second) return;
  findings_.add(code, line.number, line.column(line.lexed.name), {"{} {}.", {quote(line.lexed.name), what}}, remedy);
}

void SpellingChecks::other_name(const LintLine& line) {
  const std::string_view name = line.lexed.name;
  const std::uint32_t column = line.column(name);
  const std::string lower = base::lower_case(name);
  for (const Proposal& proposal : proposals) {
    if (lower == proposal.name) return once(line, proposal.what, std::string(proposal.remedy));
  }
  if (is_rare_name(lower)) {
    return once(line, "is outside RFC 9309 and few robots read it", "Keep it only for a robot that you know reads it.");
  }
  if ((lower == "http" || lower == "https") && line.lexed.value.starts_with("//")) {
    findings_.add(Code::unknown_directive, line.number, column,
                  {"The line is a URL without a directive: {}.", {quote(trimmed(line.text))}},
                  {"Write \"Sitemap: {}://...\" if it is a sitemap.", {lower}});
    return;
  }
  if (const DirectiveKind near = nearest_directive(name); near != DirectiveKind::other) {
    const bool by_prefix = base::starts_with_ignore_case(name, to_string(near));
    findings_.add(Code::ignored_misspelling, line.number, column,
                  {"{} looks like {}, but {}",
                   {quote(name), to_string(near),
                    by_prefix ? "only Google's parser reads it as that." : "robots ignore the line."}},
                  {"Write \"{}:\".", {to_string(near)}}, line.edit(name, to_string(near)));
    return;
  }
  findings_.add(Code::unknown_directive, line.number, column,
                {"{} is not a directive that robots are known to read.", {quote(name)}},
                "Delete the line, or put \"#\" before it if it is a comment.");
}

void SpellingChecks::cut_value(const LintLine& line) {
  const DirectiveKind kind = line.lexed.kind;
  const std::string_view value = line.lexed.value;
  if (value.empty() || (!line.is_rule() && kind != DirectiveKind::user_agent && kind != DirectiveKind::sitemap)) return;
  const std::size_t end = static_cast<std::size_t>(value.data() - line.text.data()) + value.size();
  if (end >= line.text.size() || line.text[end] != '#') return;
  findings_.add(Code::inline_comment_cut, line.number, line.column(end),
                {"\"#\" begins a comment even inside a value: robots read {} and leave out {}.",
                 {quote(value), quote(line.text.substr(end))}},
                "Write \"%23\" for a \"#\" in a path, or a space before a comment.");
}

}  // namespace robotrules::advice
