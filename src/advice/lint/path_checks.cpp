#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "advice/lint/lint_names.hpp"
#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/url_escapes.hpp"
#include "base/utf8.hpp"
#include "core/dot_segments.hpp"
#include "core/percent.hpp"

namespace robotrules::advice {
namespace {

constexpr bool is_unreserved_byte(int c) noexcept { return c >= 0 && base::is_unreserved(static_cast<unsigned>(c)); }

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

// Adds a finding at an offset of the path.
class PathFindings {
 public:
  PathFindings(const LintLine& line, Findings& findings) : line_(line), findings_(findings) {}
  std::string_view path() const noexcept { return line_.lexed.value; }
  const LintLine& line() const noexcept { return line_; }
  void add(Code code, std::size_t offset, const Sentence& message, const Sentence& remedy,
           std::vector<LineEdit> edits = {}, std::optional<Severity> severity = {}) {
    findings_.add(code, line_.number, line_.column(path().substr(offset)), message, remedy, std::move(edits), severity);
  }
  // Returns the edit that writes another path.
  std::vector<LineEdit> write(std::string_view path) const { return line_.edit(line_.lexed.value, path); }
  // Adds a finding with a proposed path.
  void add(Code code, const Sentence& message, PathRepair repair) {
    std::vector<LineEdit> edits;
    if (!repair.path.empty()) edits = write(repair.path);
    add(code, 0, message, repair.remedy, std::move(edits));
  }
  // Returns the edit that writes one rule for each of the paths. The last one keeps the rest of the line.
  std::vector<LineEdit> write_each(const std::vector<std::string_view>& paths) const {
    std::vector<LineEdit> edits = write(paths.back());
    const std::string before(line_.text.substr(0, line_.column(path()) - 1));
    for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
      edits.front().lines.insert(edits.front().lines.end() - 1, before + std::string(paths[i]));
    }
    return edits;
  }

 private:
  const LintLine& line_;
  Findings& findings_;
};

bool is_absolute_url(std::string_view path) noexcept {
  return base::starts_with_ignore_case(path, "http://") || base::starts_with_ignore_case(path, "https://");
}

// Adds a finding with a proposed path, or the advice to delete the line if another rule makes it needless.
void add_repair(PathFindings& out, RuleContext& context, Code code, const Sentence& message, PathRepair repair) {
  if (const Directive* const rule = context.covering(out.line(), repair.path)) {
    out.add(code, 0, message, delete_beside(*rule), delete_edit(out.line().number), Severity::warning);
  } else {
    out.add(code, message, std::move(repair));
  }
}

// Adds the robots to the repair of a whole URL, which was perhaps meant for all robots. Rules below the group of one
// robot that may fetch everything are hardly meant for this robot alone.
void name_robots(PathRepair& repair, const Group* group, RuleContext& context) {
  if (repair.path.empty() && !repair.asks_host) return;
  if (group == nullptr || !context.any_star()) return;
  const GroupFacts& facts = context.facts_of(*group);
  if (facts.names_star) return;
  const Directive* const open = facts.open;
  const std::string in_star = " in the group of \"*\"";
  if (open == nullptr) {
    repair.remedy +=
        filled({" Here it holds only for {}; if it is meant for all robots, write it{}.", {facts.names, in_star}});
  } else if (!repair.path.empty()) {
    repair.remedy =
        filled({"If it is meant for all robots, write {}{}; here it would hold only for {}, although line {} allows "
                "everything.",
                {quote(repair.path), in_star, facts.names, open->line}});
    repair.path.clear();
  }
}

// Adds to the repair of an Allow line which Disallow rules win against it.
void name_winners(PathRepair& repair, const Group* group, RuleContext& context) {
  if (group == nullptr || !repair.path.starts_with("/*")) return;
  const std::size_t weight = core::normalised_pattern(repair.path, context.dialect()).size();
  const GroupFacts& facts = context.facts_of(*group);
  const auto first_longer = std::ranges::upper_bound(facts.ever_longer, weight, {}, &GroupFacts::Closing::weight);
  const Directive* const longer = first_longer != facts.ever_longer.end() ? first_longer->rule : nullptr;
  const bool wins = facts.shortest <= weight;
  if (facts.ever_longer.empty()) {
    repair = {"", "The group has no Disallow rule, so it allows everything; write \"Allow: /\" to say so."};
  } else if (!wins) {
    repair.remedy =
        filled({"Write an Allow rule that is longer than the Disallow rule it should win against: {} would change "
                "nothing, because the Disallow rules of the group are longer.",
                {quote(repair.path)}});
    repair.path.clear();
  } else if (longer != nullptr) {
    repair.remedy +=
        filled({" Longer Disallow rules still win, such as {} in line {}.", {quote(longer->value), longer->line}});
  }
}

// Checks how the path begins. Returns false if the rest is not worth checking.
bool check_start(PathFindings& out, RuleContext& context) {
  const std::string_view path = out.path();
  const Group* const group = context.group_of(out.line());
  if (is_absolute_url(path)) {
    PathRepair repair = repair_url_rule(path, context.site(), delete_line(group));
    name_robots(repair, group, context);
    add_repair(out, context, Code::absolute_url_rule,
               {"{} is a whole URL; a rule needs a path, so for most robots this one matches nothing.", {quote(path)}},
               std::move(repair));
    return false;
  }
  if (looks_like_regular_expression(path)) {
    out.add(Code::regular_expression, {"{} is a regular expression; robots read it as a path.", {quote(path)}},
            repair_regular_expression(path));
    return false;
  }
  if (path.front() == '/' || path.front() == '*') return true;
  if (is_deceptive(base::utf8_at(path, 0).value)) return true;  // check_bytes() reports it
  PathRepair repair = repair_path(path, context.site(), delete_line(group));
  if (out.line().lexed.kind == DirectiveKind::allow) name_winners(repair, group, context);
  add_repair(
      out, context, Code::path_without_slash,
      {"{} does not begin with \"/\" as every path does, so for most robots the rule matches nothing.", {quote(path)}},
      std::move(repair));
  return true;
}

// Returns the paths of "/a /b" and "/a, /b".
std::vector<std::string_view> separate_paths(std::string_view value) {
  std::vector<std::string_view> paths;
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find_first_of(" \t", begin), value.size());
    std::string_view path = value.substr(begin, end - begin);
    while (path.ends_with(',') || path.ends_with(';')) path.remove_suffix(1);
    if (!path.empty()) paths.push_back(path);
    begin = end + 1;
  }
  const auto is_part = [](std::string_view path) { return path.front() == '/' && !matches_everything(path); };
  if (paths.size() > 100 || !std::all_of(paths.begin(), paths.end(), is_part)) return {};
  return paths;
}

void check_blanks(PathFindings& out) {
  const std::string_view path = out.path();
  const std::size_t blank = path.find_first_of(" \t");
  if (blank == std::string_view::npos) return;
  for (std::size_t i = blank; i + 1 < path.size(); ++i) {
    if (is_blank(path[i]) && path[i + 1] == '/') {
      const std::vector<std::string_view> paths = separate_paths(path);
      out.add(Code::several_paths, i + 1,
              {"{} contains more than one path; robots read it as one path.", {quote(path)}},
              "Write a rule for each path, each on a line of its own.",
              paths.empty() ? std::vector<LineEdit>() : out.write_each(paths));
      return;
    }
  }
  std::string encoded;
  for (const char c : path) c == ' ' ? encoded += "%20" : c == '\t' ? encoded += "%09" : encoded += c;
  out.add(Code::unescaped_space, blank,
          {"{} contains a space; a URL has \"%20\" instead, and robots treat it differently.", {quote(path)}},
          {"Write \"%20\" for a space: {}.", {quote(encoded)}}, out.write(encoded));
}

// Returns `path` with each byte beyond ASCII percent-encoded.
std::string with_encoded_bytes(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x80) {
      encoded += c;
    } else {
      base::append_percent(encoded, c);
    }
  }
  return encoded;
}

// Returns `path` with "%25" for each "%" without two digits, or with each encoded letter decoded.
std::string with_percents(std::string_view path, bool decode) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const int byte = path[i] == '%' ? base::escaped_byte(path.substr(i)) : 0;
    if (decode && byte > 0 && is_unreserved_byte(byte)) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += path[i];
      if (!decode && byte < 0) out += "25";
    }
  }
  return out;
}

// Returns true if the "%" that `rest` begins with may be the first part of an escape: "%2*" and "%" at the end match
// the
// "%2F" of a URL.
bool may_go_on(std::string_view rest, bool wildcards) noexcept {
  rest.remove_prefix(1);
  if (!rest.empty() && base::hex_value(rest.front()) >= 0) rest.remove_prefix(1);
  return rest.empty() || (wildcards && rest.front() == '*');
}

void check_percents(PathFindings& out, bool wildcards) {
  const std::string_view path = out.path();
  bool invalid = false, unreserved = false;
  for (std::size_t i = path.find('%'); i != std::string_view::npos; i = path.find('%', i + 1)) {
    const int byte = base::escaped_byte(path.substr(i));
    const std::string_view sign = path.substr(i, 3);
    if (byte < 0 && may_go_on(path.substr(i), wildcards)) continue;
    if (byte < 0 && !std::exchange(invalid, true)) {
      // "%$" matches the URLs that end in "%" as they are written in many pages.
      const bool at_end = path.find('$', i) == path.size() - 1 && path.size() - i <= 3;
      out.add(Code::invalid_percent, i, {"{} is not a percent-encoded byte.", {quote(sign)}},
              "Write two hexadecimal digits after \"%\", or \"%25\" for \"%\" itself.",
              at_end ? std::vector<LineEdit>() : out.write(with_percents(path, false)));
    } else if (is_unreserved_byte(byte) && !std::exchange(unreserved, true)) {
      const char plain = static_cast<char>(byte);
      out.add(Code::encoded_unreserved, i,
              {"{} stands for {}; some robots treat the two as equal, others do not.",
               {quote(sign), quote(std::string_view(&plain, 1))}},
              {"Write {}.", {quote(std::string_view(&plain, 1))}}, out.write(with_percents(path, true)));
    }
  }
}

void check_encoding(PathFindings& out, bool wildcards) {
  const std::string_view path = out.path();
  const auto raw = std::find_if(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  // The remedy of a quoted path is to take the quotes off, and check_bytes() reports deceptive characters.
  if (raw != path.end() && !begins_with_quote(path) && !has_deceptive(path)) {
    const std::string encoded = with_encoded_bytes(path);
    const bool utf8 = base::is_utf8(path);
    out.add(
        Code::raw_non_ascii, static_cast<std::size_t>(raw - path.begin()),
        {"{} is not percent-encoded; Google asks for encoded paths, and old robots compare the bytes.", {quote(path)}},
        utf8 ? Sentence("Write {}.", {quote(encoded)}) : "Percent-encode the path as UTF-8.",
        utf8 ? out.write(encoded) : std::vector<LineEdit>());
  }
  check_percents(out, wildcards);
  if (const std::size_t entity = path.find("&amp;"); entity != std::string_view::npos) {
    std::string plain(path);
    for (std::size_t at = entity; at != std::string::npos; at = plain.find("&amp;", at + 1)) plain.erase(at + 1, 4);
    out.add(Code::html_entity, entity, "\"&amp;\" is HTML; URLs have \"&\" there, so the rule does not match them.",
            {"Write {}.", {quote(plain)}}, out.write(plain));
  }
}

// "//admin/": but "//" alone may be meant, for URLs with such a mistake, and so may "?url=http://".
void check_slashes(PathFindings& out) {
  const std::string_view path = out.path();
  const std::size_t slashes = path.substr(0, path.find('?')).find("//");
  if (slashes == std::string_view::npos ||
      (slashes > 0 && path[slashes - 1] != '/' && path[slashes - 1] != '*' && !base::is_letter(path[slashes - 1]) &&
       !base::is_digit(path[slashes - 1]))) {
    return;
  }
  const std::size_t rest = path.find_first_not_of('/', slashes);
  if (rest == std::string_view::npos || path[rest] == '*' || path[rest] == '$') return;
  const std::string single = std::string(path.substr(0, slashes)) + std::string(path.substr(rest - 1));
  out.add(Code::double_slash, slashes, {"{} matches only URLs with two slashes in a row.", {quote(path)}},
          {"Write {} if the URLs have one slash there.", {quote(single)}}, out.write(single));
}

// Robots resolve the dot segments of URLs (url.hpp), but not those of patterns. The last segment of a pattern
// is not checked, because it may be the beginning of a longer one: "/a/." also matches "/a/.git".
void check_dots(PathFindings& out) {
  std::string_view path = out.path();
  const bool anchored = path.ends_with('$');
  if (anchored) path.remove_suffix(1);
  const std::size_t query = path.find('?');
  const bool ends = anchored || query != std::string_view::npos;
  path = path.substr(0, query);
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;) {
    const std::size_t next = path.find('/', slash + 1);
    const std::string_view segment = path.substr(slash + 1, next - slash - 1);
    if ((next != std::string_view::npos || ends) && core::dots_of(segment) != 0) {
      return out.add(
          Code::dot_segment, slash + 1,
          {"{} is a dot segment; robots resolve dot segments before they request a URL, so no URL matches the rule.",
           {quote(segment)}},
          "Write the path without \".\" and \"..\" segments.");
    }
    slash = next;
  }
}

void check_signs(PathFindings& out, const Dialect& dialect) {
  const std::string_view path = out.path();
  if (dialect.dollar != Dialect::Dollar::literal) {
    const std::size_t dollar = path.find('$');
    if (dollar != std::string_view::npos && dollar + 1 < path.size()) {
      out.add(Code::dollar_inside, dollar,
              {"\"$\" inside {} is an ordinary character; only a \"$\" at the end means the end of the URL.",
               {quote(path)}},
              "Write \"%24\" for the character, or end the path there.");
    }
  }
}

}  // namespace

void check_path(const LintLine& line, RuleContext& context, Findings& findings) {
  const Dialect& dialect = context.dialect();
  if (!line.is_rule() || line.lexed.value.empty()) return;
  if (find_joined_directive(line.lexed.value) != std::string_view::npos) return;
  PathFindings out(line, findings);
  if (!check_start(out, context)) return;
  check_blanks(out);
  check_encoding(out, dialect.wildcards);
  check_slashes(out);
  check_dots(out);
  check_signs(out, dialect);
  if (dialect.wildcards && matches_everything(out.path()) && out.path().front() == '*') {
    out.add(Code::bare_star, 0,
            {"{} is a rule for every URL; robots without wildcards read \"*\" as an ordinary character.",
             {quote(out.path())}},
            "Write \"/\".", out.write("/"));
  }
}

}  // namespace robotrules::advice
