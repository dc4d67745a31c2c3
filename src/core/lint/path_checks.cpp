#include <string>

#include "base/ascii.hpp"
#include "core/dot_segments.hpp"
#include "core/lint/checks.hpp"
#include "core/lint/names.hpp"

namespace robotrules::core {
namespace {

constexpr bool is_unreserved(int c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

// Adds a finding at an offset of the path.
class PathFindings {
 public:
  PathFindings(const LintLine& line, Findings& findings) : line_(line), findings_(findings) {}
  std::string_view path() const noexcept { return line_.lexed.value; }
  void add(Code code, std::size_t offset, std::string message, std::string remedy) {
    findings_.add(code, line_.number, line_.column(path().substr(offset)), std::move(message), std::move(remedy));
  }

 private:
  const LintLine& line_;
  Findings& findings_;
};

bool is_absolute_url(std::string_view path) noexcept {
  return base::equals_ignore_case(path.substr(0, 7), "http://") ||
         base::equals_ignore_case(path.substr(0, 8), "https://");
}

void check_start(PathFindings& out) {
  const std::string_view path = out.path();
  if (is_absolute_url(path)) {
    const std::size_t slash = path.find('/', path.find("//") + 2);
    const std::string_view rest = slash == std::string_view::npos ? "/" : path.substr(slash);
    out.add(Code::absolute_url_rule, 0,
            quoted(path) + " is a whole URL; a rule needs a path, so this one matches nothing.",
            "Write the path alone: " + quoted(rest) + ".");
  } else if (path.front() != '/' && path.front() != '*') {
    out.add(Code::path_without_slash, 0,
            quoted(path) + " does not begin with \"/\" as every path does, so the rule matches nothing.",
            "Write " + quoted("/" + std::string(path.substr(0, 100))) + ".");
  }
}

void check_blanks(PathFindings& out) {
  const std::string_view path = out.path();
  const std::size_t blank = path.find_first_of(" \t");
  if (blank == std::string_view::npos) return;
  for (std::size_t i = blank; i + 1 < path.size(); ++i) {
    if (is_blank(path[i]) && path[i + 1] == '/') {
      out.add(Code::several_paths, i + 1, quoted(path) + " contains more than one path; robots read it as one path.",
              "Write a rule for each path, each on a line of its own.");
      return;
    }
  }
  out.add(Code::unescaped_space, blank,
          quoted(path) + " contains a space; a URL has \"%20\" instead, and robots treat it differently.",
          "Write \"%20\" for a space.");
}

void check_encoding(PathFindings& out) {
  const std::string_view path = out.path();
  bool invalid = false, unreserved = false, raw = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (static_cast<unsigned char>(c) >= 0x80 && !raw) {
      raw = true;
      out.add(Code::raw_non_ascii, i,
              quoted(path) + " contains a byte beyond ASCII; robots encode it before they compare.",
              "Percent-encode the path as UTF-8.");
    }
    if (c != '%') continue;
    const int high = i + 1 < path.size() ? base::hex_value(path[i + 1]) : -1;
    const int low = i + 2 < path.size() ? base::hex_value(path[i + 2]) : -1;
    const std::string_view sign = path.substr(i, 3);
    if (high < 0 || low < 0) {
      if (!invalid) {
        out.add(Code::invalid_percent, i, quoted(sign) + " is not a percent-encoded byte.",
                "Write two hexadecimal digits after \"%\", or \"%25\" for \"%\" itself.");
      }
      invalid = true;
    } else if (is_unreserved(16 * high + low)) {
      if (!unreserved) {
        const char plain = static_cast<char>(16 * high + low);
        out.add(Code::encoded_unreserved, i,
                quoted(sign) + " stands for " + quoted(std::string_view(&plain, 1)) +
                    "; some robots treat the two as equal, others do not.",
                "Write " + quoted(std::string_view(&plain, 1)) + ".");
      }
      unreserved = true;
    }
  }
}

// Robots resolve the dot segments of URLs (dot_segments.hpp), but not those of patterns. The last segment of a pattern
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
    if ((next != std::string_view::npos || ends) && dots_of(segment) != 0) {
      return out.add(Code::dot_segment, slash + 1,
                     quoted(segment) +
                         " is a dot segment; robots resolve dot segments before they request a URL, so no "
                         "URL matches the rule.",
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
              "\"$\" inside " + quoted(path) +
                  " is an ordinary character; only a \"$\" at the end means the end of the URL.",
              "Write \"%24\" for the character, or end the path there.");
    }
  }
  if (!dialect.wildcards) return;
  if (const std::size_t run = path.find("**"); run != std::string_view::npos) {
    out.add(Code::repeated_star, run, "Several \"*\" in a row in " + quoted(path) + " mean the same as one.",
            "Write one \"*\".");
  }
  std::string_view kept = path;
  if (kept.ends_with("*$") && dialect.dollar != Dialect::Dollar::literal) kept.remove_suffix(1);
  if (!kept.ends_with('*')) return;
  while (kept.ends_with('*')) kept.remove_suffix(1);
  out.add(Code::star_at_end, kept.size(),
          quoted(path.substr(kept.size())) + " at the end of " + quoted(path) +
              " changes nothing: a rule matches every URL that begins with its path.",
          "Write " + quoted(kept.empty() ? "/" : kept) + ".");
}

}  // namespace

void check_path(const LintLine& line, const Dialect& dialect, Findings& findings) {
  if (!line.is_rule() || line.lexed.value.empty()) return;
  if (find_joined_directive(line.lexed.value) != std::string_view::npos) return;
  PathFindings out(line, findings);
  check_start(out);
  if (is_absolute_url(out.path())) return;
  check_blanks(out);
  check_encoding(out);
  check_dots(out);
  check_signs(out, dialect);
}

}  // namespace robotrules::core
