#include "cli/lint/fix.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include <robotrules/compare.hpp>

#include "cli/io/other_settings.hpp"
#include "cli/lint/line_diff.hpp"

namespace robotrules::cli {
namespace {

constexpr int max_rounds = 10;

// Limits of the work for one file: of the bytes that are compared, and of the comparisons that reach a limit of
// compare(). Each of these takes seconds. The limits do not depend on the time, so a file always gives the same result.
constexpr std::size_t max_work = 10'000'000;
constexpr std::size_t max_incomplete = 2;

using Edits = std::vector<LineEdit>;

// The values that compare() does not compare.
std::multiset<std::pair<DirectiveKind, std::string>> other_settings(const RobotsTxt& file) {
  std::multiset<std::pair<DirectiveKind, std::string>> settings;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    if (is_uncompared(line.kind)) settings.emplace(line.kind, line.value);
  }
  return settings;
}

// The result of comparing a text with and without edits.
struct Judgement {
  bool same = true;               // proven: the edits change nothing that compare() and other_settings() look at
  bool complete = true;           // false: a limit was reached before something was proven
  std::set<std::uint32_t> lines;  // whose edits are seen to change a verdict; lines of the text before
};

// Returns the line before `edits` from which `line` comes. `edits`: sorted.
std::uint32_t line_before(std::uint32_t line, const Edits& edits) {
  std::uint32_t first = 0;  // of the lines that an edit has written, less one edited line each
  for (const LineEdit& edit : edits) {
    const std::uint32_t begin = edit.line + first, written = static_cast<std::uint32_t>(edit.lines.size());
    if (line < begin) break;
    if (line < begin + written) return edit.line;
    first += written - 1;
  }
  return line - first;
}

// Judges edits of one text.
class Judge {
 public:
  Judge(const std::string& text, std::string_view url) : text_(text), url_(url) {
    for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
      before_.push_back(RobotsTxt::parse(text, dialect, url));
    }
  }

  // `edits`: of different lines.
  Judgement judge(Edits edits) {
    std::ranges::sort(edits, {}, &LineEdit::line);
    const std::string text = with_edits(text_, edits);
    Judgement judgement;
    for (const RobotsTxt& before : before_) {
      const RobotsTxt after = RobotsTxt::parse(text, before.dialect(), url_);
      const Difference difference = compare(before, after);
      judgement.same =
          difference.same() && difference.limits.empty() && other_settings(before) == other_settings(after);
      judgement.complete = difference.limits.empty();
      if (judgement.same) continue;
      for (const RobotChange& robot : difference.robots) {
        for (const PathChange& change : robot.changes) {
          judgement.lines.insert(change.before.line);
          judgement.lines.insert(line_before(change.after.line, edits));
        }
      }
      break;
    }
    return judgement;
  }

 private:
  const std::string& text_;
  std::string_view url_;
  std::vector<RobotsTxt> before_;
};

// The edits of one finding.
struct Candidate {
  Edits edits;
  bool named = false;  // by --fix=CODE
};

using Candidates = std::vector<const Candidate*>;  // in the order of the findings

class Fixer {
 public:
  Fixer(std::string_view text, std::string_view url) : text_(text), url_(url), diff_(text) {}

  // Applies those of the candidates that may be applied. Returns the number of edits.
  std::size_t apply(const std::vector<Candidate>& candidates) {
    left_ = unproven_ = 0;
    Candidates proven, named;
    for (const Candidate& candidate : candidates) (candidate.named ? named : proven).push_back(&candidate);
    Edits edits;
    if (!proven.empty()) {
      Judge judge(text_, url_);
      choose(judge, std::move(proven), edits);
    }
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
  std::size_t unproven() const noexcept { return unproven_; }

 private:
  static Edits with(Edits edits, std::span<const Candidate* const> candidates) {
    for (const Candidate* one : candidates) edits.insert(edits.end(), one->edits.begin(), one->edits.end());
    return edits;
  }

  // Appends to `edits` those of candidates that change nothing. Sets candidates apart whose lines are seen to change a
  // verdict, until the others change nothing. Then each of these is judged again, because another one may be the cause.
  void choose(Judge& judge, Candidates candidates, Edits& edits) {
    Candidates suspects;
    while (!candidates.empty()) {
      Edits tried = with(edits, candidates);
      const Judgement judgement = ask(judge, tried);
      if (judgement.same) {
        edits = std::move(tried);
        break;
      }
      const auto is_suspect = [&](const Candidate* one) {
        return std::ranges::any_of(one->edits, [&](const auto& edit) { return judgement.lines.contains(edit.line); });
      };
      const auto suspicious = std::stable_partition(candidates.begin(), candidates.end(), std::not_fn(is_suspect));
      if (suspicious == candidates.end()) {
        search(judge, candidates, edits);
        break;
      }
      suspects.insert(suspects.end(), suspicious, candidates.end());
      candidates.erase(suspicious, candidates.end());
    }
    std::ranges::sort(suspects);
    search(judge, suspects, edits);
  }

  // Does the same where no line tells the cause. Halves the list until the ones that change something are alone.
  void search(Judge& judge, std::span<const Candidate* const> candidates, Edits& edits) {
    if (candidates.empty()) return;
    Edits tried = with(edits, candidates);
    const Judgement judgement = ask(judge, tried);
    if (judgement.same) {
      edits = std::move(tried);
    } else if (work_ > max_work) {
      unproven_ += candidates.size();
    } else if (candidates.size() == 1) {
      ++(judgement.complete ? left_ : unproven_);
    } else {
      search(judge, candidates.first(candidates.size() / 2), edits);
      search(judge, candidates.subspan(candidates.size() / 2), edits);
    }
  }

  // Judges the edits if that is still affordable.
  Judgement ask(Judge& judge, const Edits& edits) {
    if (work_ > max_work) return {.same = false, .complete = false, .lines = {}};
    const Judgement judgement = judge.judge(edits);
    work_ += judgement.complete ? text_.size() : max_work / max_incomplete;
    return judgement;
  }

  std::string text_;
  std::string_view url_;
  LineDiff diff_;
  std::size_t work_ = 0;  // of all judgements
  // In the last round.
  std::size_t left_ = 0;
  std::size_t unproven_ = 0;
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
    fixed.unproven = fixer.unproven();
    fixed.edits += applied;
    if (applied == 0) break;
  }
  fixed.text = fixer.text();
  fixed.diff = fixer.diff().unified(name);
  return fixed;
}

}  // namespace robotrules::cli
