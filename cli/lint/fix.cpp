#include "cli/lint/fix.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <robotrules/compare.hpp>

#include "cli/lint/line_diff.hpp"

namespace robotrules::cli {
namespace {

constexpr int max_rounds = 10;

using Edits = std::vector<LineEdit>;

// The values that compare() does not compare.
std::multiset<std::pair<DirectiveKind, std::string>> other_settings(const RobotsTxt& file) {
  std::multiset<std::pair<DirectiveKind, std::string>> settings;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    switch (line.kind) {
      case DirectiveKind::request_rate:
      case DirectiveKind::visit_time:
      case DirectiveKind::content_signal:
      case DirectiveKind::content_usage:
      case DirectiveKind::clean_param:
      case DirectiveKind::host:
      case DirectiveKind::noindex: settings.emplace(line.kind, line.value); break;
      default: break;
    }
  }
  return settings;
}

bool means_the_same(const std::string& before, const std::string& after, std::string_view url) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    const RobotsTxt a = RobotsTxt::parse(before, dialect, url), b = RobotsTxt::parse(after, dialect, url);
    const Difference difference = compare(a, b);
    if (!difference.same() || !difference.limits.empty() || other_settings(a) != other_settings(b)) return false;
  }
  return true;
}

// The edits of one finding.
struct Candidate {
  Edits edits;
  bool named = false;  // by --fix=CODE
};

class Fixer {
 public:
  Fixer(std::string_view text, std::string_view url) : text_(text), url_(url), diff_(text) {}

  // Applies those of the candidates that may be applied. Returns the number of edits.
  std::size_t apply(const std::vector<Candidate>& candidates) {
    left_ = 0;
    std::vector<const Candidate*> proven, named;
    for (const Candidate& candidate : candidates) (candidate.named ? named : proven).push_back(&candidate);
    Edits edits;
    search(proven, edits);
    for (const Candidate* candidate : named)
      edits.insert(edits.end(), candidate->edits.begin(), candidate->edits.end());
    if (edits.empty()) return 0;
    diff_.apply(edits);
    text_ = with_edits(text_, edits);
    return edits.size();
  }

  const std::string& text() const noexcept { return text_; }
  const LineDiff& diff() const noexcept { return diff_; }
  std::size_t left() const noexcept { return left_; }

 private:
  // Appends the edits of the candidates that change nothing beside those that `edits` contains. Halves the list until
  // the ones that change something are alone.
  void search(std::span<const Candidate* const> candidates, Edits& edits) {
    if (candidates.empty()) return;
    Edits tried = edits;
    for (const Candidate* one : candidates) tried.insert(tried.end(), one->edits.begin(), one->edits.end());
    if (means_the_same(text_, with_edits(text_, tried), url_)) {
      edits = std::move(tried);
      return;
    }
    if (candidates.size() == 1) {
      ++left_;
      return;
    }
    search(candidates.first(candidates.size() / 2), edits);
    search(candidates.subspan(candidates.size() / 2), edits);
  }

  std::string text_;
  std::string_view url_;
  LineDiff diff_;
  std::size_t left_ = 0;  // in the last round
};

}  // namespace

Fixed fix(std::string_view text, std::string_view name, std::string_view url, const LintChoice& choice,
          const Linter& lint) {
  Fixer fixer(text, url);
  Fixed fixed;
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<Candidate> candidates;
    std::set<std::uint32_t> lines;  // that an edit of this round changes
    for (const Diagnostic& finding : lint(RobotsTxt::parse(fixer.text(), Dialect::rfc9309(), url))) {
      if (finding.edits.empty() || choice.ignore.contains(finding.code)) continue;
      const bool named = choice.fix_codes.contains(finding.code);
      if (!named && !choice.only.empty() && !choice.only.contains(finding.code)) continue;
      const auto taken = [&](const LineEdit& edit) { return lines.contains(edit.line); };
      if (std::any_of(finding.edits.begin(), finding.edits.end(), taken)) continue;  // the next round has its turn
      for (const LineEdit& edit : finding.edits) lines.insert(edit.line);
      candidates.push_back({finding.edits, named});
    }
    const std::size_t applied = fixer.apply(candidates);
    fixed.left = fixer.left();
    fixed.edits += applied;
    if (applied == 0) break;
  }
  fixed.text = fixer.text();
  fixed.diff = fixer.diff().unified(name);
  return fixed;
}

}  // namespace robotrules::cli
