// Applies the edits of findings that change nothing.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/diagnose.hpp>

#include "advice/lint/line_diff.hpp"
#include "base/sort.hpp"

namespace robotrules {
namespace {

constexpr int max_rounds = 10;

// Limits of the work for one file: of the bytes that are compared, and of the comparisons that reach a limit of
// compare(). Each of these takes seconds. The limits do not depend on the time, so a file always gives the same result.
constexpr std::size_t max_work = 10'000'000;
constexpr std::size_t max_incomplete = 2;

using Edits = std::vector<LineEdit>;

// The values that compare() does not compare.
using OtherValues = std::multiset<std::pair<DirectiveKind, std::string>>;

OtherValues other_values(const RobotsTxt& file) {
  OtherValues values;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    if (is_uncompared(line.kind)) values.emplace(line.kind, line.value);
  }
  return values;
}

// The result of comparing a text with and without edits.
struct Judgement {
  bool same = true;               // proven: the edits change nothing that compare() and other_values() look at
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
      const RobotsTxt file = RobotsTxt::parse(text, dialect, url);
      before_.push_back({file, other_values(file)});
    }
  }

  // `edits`: of different lines.
  Judgement judge(Edits edits) {
    base::sort(edits, [](const LineEdit& a, const LineEdit& b) { return a.line < b.line; });
    const std::string text = with_edits(text_, edits);
    Judgement judgement;
    for (const Before& before : before_) {
      const RobotsTxt after = RobotsTxt::parse(text, before.file.dialect(), url_);
      const Difference difference = compare(before.file, after);
      judgement.same = difference.same() && difference.limits.empty() && before.values == other_values(after);
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
  struct Before {
    RobotsTxt file;
    OtherValues values;
  };
  const std::string& text_;
  std::string_view url_;
  std::vector<Before> before_;  // the text in each dialect
};

// The edits of one finding.
struct Candidate {
  // suspect: seen to change a verdict together with others.
  enum class State : std::uint8_t { waiting, suspect, applied, left, unproven };
  std::string_view code;
  Edits edits;
  bool named = false;  // by --fix=CODE
  State state = State::waiting;
};

using Candidates = std::vector<Candidate*>;  // in the order of the findings

// Returns the candidates in this state, except those that change a line of an earlier one.
Candidates pick(std::vector<Candidate>& candidates, Candidate::State state) {
  Candidates picked;
  std::set<std::uint32_t> lines;
  for (Candidate& one : candidates) {
    const auto taken = [&](const LineEdit& edit) { return lines.contains(edit.line); };
    if (one.state != state || std::ranges::any_of(one.edits, taken)) continue;
    for (const LineEdit& edit : one.edits) lines.insert(edit.line);
    picked.push_back(&one);
  }
  return picked;
}

// Takes the chosen candidates out of `candidates`, and returns them.
template <typename F>
Candidates split_off(Candidates& candidates, F is_chosen) {
  Candidates chosen;
  std::erase_if(candidates, [&](Candidate* one) {
    const bool is = is_chosen(one);
    if (is) chosen.push_back(one);
    return is;
  });
  return chosen;
}

class Fixer {
 public:
  Fixer(std::string_view text, std::string_view url) : text_(text), url_(url), diff_(text) {}

  // Applies edits of candidates and sets the states of those that were tried. Returns the number of edits; 0: none of
  // the candidates may be applied. Suspects are judged last, because that takes long, and after other edits they are
  // fewer.
  std::size_t apply(std::vector<Candidate>& candidates) {
    if (candidates.empty()) return 0;
    Judge judge(text_, url_);
    for (const auto state : {Candidate::State::waiting, Candidate::State::suspect}) {
      for (Candidates picked = pick(candidates, state); !picked.empty(); picked = pick(candidates, state)) {
        const Candidates named = split_off(picked, [](auto* one) { return one->named; });
        Edits edits;
        if (state == Candidate::State::waiting) {
          choose(judge, picked, edits);
        } else {
          search(judge, picked, 1, edits);
        }
        accept(named, edits);
        if (edits.empty()) continue;
        diff_.apply(edits);
        text_ = with_edits(text_, edits);
        return edits.size();
      }
    }
    return 0;
  }

  const std::string& text() const noexcept { return text_; }
  const advice::LineDiff& diff() const noexcept { return diff_; }

 private:
  static Edits with(Edits edits, std::span<Candidate* const> candidates) {
    for (const Candidate* one : candidates) edits.insert(edits.end(), one->edits.begin(), one->edits.end());
    return edits;
  }

  static void accept(std::span<Candidate* const> candidates, Edits& edits) {
    edits = with(std::move(edits), candidates);
    for (Candidate* one : candidates) one->state = Candidate::State::applied;
  }

  static void refuse(std::span<Candidate* const> candidates, bool complete) {
    for (Candidate* one : candidates) one->state = complete ? Candidate::State::left : Candidate::State::unproven;
  }

  // Appends to `edits` those of candidates that change nothing. Makes suspects of the candidates whose lines are seen
  // to change a verdict, until the others change nothing.
  void choose(Judge& judge, Candidates candidates, Edits& edits) {
    while (!candidates.empty()) {
      const Judgement judgement = ask(judge, with(edits, candidates));
      if (judgement.same) return accept(candidates, edits);
      const auto is_suspect = [&](const Candidate* one) {
        return std::ranges::any_of(one->edits, [&](const auto& edit) { return judgement.lines.contains(edit.line); });
      };
      const Candidates suspects = split_off(candidates, is_suspect);
      if (suspects.empty()) return search(judge, candidates, candidates.size() / 2, edits);
      for (Candidate* one : suspects) one->state = Candidate::State::suspect;
    }
  }

  // Does the same where no line tells the cause. Judges `count` candidates together. Twice as many are next if they
  // change nothing, else half as many, until the ones that change something are alone.
  void search(Judge& judge, std::span<Candidate* const> candidates, std::size_t count, Edits& edits) {
    while (!candidates.empty()) {
      count = std::clamp<std::size_t>(count, 1, candidates.size());
      const auto tried = candidates.first(count);
      const Judgement judgement = ask(judge, with(edits, tried));
      if (work_ > max_work && !judgement.same) return refuse(candidates, false);
      const std::size_t done = judgement.same || count == 1 ? count : 0;
      if (judgement.same) {
        accept(tried, edits);
      } else if (count == 1) {
        refuse(tried, judgement.complete);
      }
      candidates = candidates.subspan(done);
      count = judgement.same ? count * 2 : count / 2;
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
  advice::LineDiff diff_;
  std::size_t work_ = 0;  // of all judgements
};

// Returns the findings that have edits and that the options do not leave out.
std::vector<Candidate> candidates_of(std::vector<Diagnostic> findings, const FixOptions& options) {
  std::vector<Candidate> candidates;
  for (Diagnostic& finding : findings) {
    if (finding.edits.empty() || options.ignore.contains(finding.code)) continue;
    const bool named = options.fix_codes.contains(finding.code);
    if (!named && !options.only.empty() && !options.only.contains(finding.code)) continue;
    candidates.push_back({.code = finding.code, .edits = std::move(finding.edits), .named = named});
  }
  return candidates;
}

}  // namespace

Fixed fix(std::string_view robots, const FixOptions& options, std::string_view url) {
  Fixed fixed;
  fixed.text = robots;
  RobotsTxt file = RobotsTxt::parse(robots, Dialect::rfc9309(), url);
  if (file.text() != robots) {  // else the edits would be of other lines than those of `robots`
    fixed.is_fixable = false;
    return fixed;
  }
  Fixer fixer(robots, url);
  std::vector<Candidate> candidates;
  for (int round = 0; round < max_rounds; ++round) {
    candidates = candidates_of(diagnose(file, options.lint), options);
    const std::size_t applied = fixer.apply(candidates);
    fixed.edits += applied;
    if (applied == 0) break;
    file = RobotsTxt::parse(fixer.text(), Dialect::rfc9309(), url);
  }
  for (const Candidate& one : candidates) {
    if (one.state == Candidate::State::applied) continue;
    ++(one.state == Candidate::State::left ? fixed.left : fixed.unproven)[one.code];
  }
  fixed.text = fixer.text();
  fixed.diff = fixer.diff().unified(options.name);
  return fixed;
}

}  // namespace robotrules
