#include "advice/lint/line_diff.hpp"

#include <algorithm>
#include <map>

#include "base/escape.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t context_lines = 3;

// One line of the result: kept (' '), deleted ('-') or added ('+').
struct Row {
  char sign;
  std::size_t old_line;  // lines of the old text before this row
  std::size_t new_line;
  std::string_view text;
};

// Returns "3" or "3,2": a range of a hunk's head. An empty range begins at the line before it.
std::string range(std::size_t before, std::size_t count) {
  const std::string first = std::to_string(count == 0 ? before : before + 1);
  return count == 1 ? first : first + "," + std::to_string(count);
}

void append_hunk(std::string& out, std::span<const Row> rows) {
  std::size_t old_count = 0, new_count = 0;
  for (const Row& row : rows) {
    old_count += row.sign != '+';
    new_count += row.sign != '-';
  }
  out += "@@ -" + range(rows.front().old_line, old_count) + " +" + range(rows.front().new_line, new_count) + " @@\n";
  for (const Row& row : rows) out += row.sign + base::printable(row.text) + "\n";
}

}  // namespace

LineDiff::LineDiff(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    now_.push_back({before_.size(), std::string(text.substr(0, end))});
    before_.push_back(now_.back().text);
    text.remove_prefix(std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size()));
  }
}

void LineDiff::apply(std::span<const LineEdit> edits) {
  std::map<std::size_t, const LineEdit*> by_line;
  for (const LineEdit& edit : edits) by_line.emplace(edit.line, &edit);
  std::vector<Line> after;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const auto edit = by_line.find(i + 1);
    if (edit == by_line.end()) {
      after.push_back(std::move(now_[i]));
      continue;
    }
    for (const std::string& line : edit->second->lines) {
      const bool kept = line == now_[i].text;  // an insertion writes the old line too
      after.push_back({kept ? now_[i].origin : none, line});
    }
  }
  now_ = std::move(after);
}

std::string LineDiff::unified(std::string_view name) const {
  std::vector<Row> rows;
  std::size_t old_line = 0, new_line = 0;
  const auto delete_until = [&](std::size_t origin) {
    for (; old_line < origin; ++old_line) rows.push_back({'-', old_line, new_line, before_[old_line]});
  };
  auto next_kept = now_.begin();
  for (auto line = now_.begin(); line != now_.end(); ++line) {
    // Deleted lines come before the added ones that replace them.
    next_kept = std::find_if(std::max(next_kept, line), now_.end(), [](const Line& l) { return l.origin != none; });
    delete_until(next_kept == now_.end() ? before_.size() : next_kept->origin);
    const bool kept = line == next_kept;
    rows.push_back({kept ? ' ' : '+', old_line, new_line, line->text});
    old_line += kept;
    ++new_line;
  }
  delete_until(before_.size());

  std::string out;
  const auto changed = [](const Row& row) { return row.sign != ' '; };
  for (auto row = std::find_if(rows.begin(), rows.end(), changed); row != rows.end();) {
    const auto begin = row - std::min<std::ptrdiff_t>(context_lines, row - rows.begin());
    auto last = row;  // of this hunk's changes: no more than twice the context lies between two of them
    for (auto next = row; next != rows.end(); next = std::find_if(next + 1, rows.end(), changed)) {
      if (next - last > static_cast<std::ptrdiff_t>(2 * context_lines) + 1) break;
      last = next;
    }
    const auto end = last + 1 + std::min<std::ptrdiff_t>(context_lines, rows.end() - last - 1);
    append_hunk(out, {begin, end});
    row = std::find_if(last + 1, rows.end(), changed);
  }
  if (out.empty()) return {};
  return "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n" + out;
}

}  // namespace robotrules::advice
