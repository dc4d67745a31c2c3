#include "cli/io/table.hpp"

#include <algorithm>

namespace robotrules::cli {
namespace {

// Counts characters, not bytes. Text from printable() has no characters without width except combining marks, which are
// counted as one column.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void Table::row(std::vector<Cell> cells) { rows_.push_back({std::move(cells), {}}); }

void Table::line(std::string text) { rows_.push_back({{}, std::move(text)}); }

void Table::print(Output& out) const {
  std::vector<std::size_t> widths;
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i + 1 < row.cells.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], width_of(row.cells[i].text));
    }
  }
  for (const Row& row : rows_) {
    if (row.cells.empty()) {
      out << row.line << "\n";
      continue;
    }
    out << before_;
    std::size_t at = before_.size();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      const bool is_last = i + 1 == row.cells.size();
      const std::string text = is_last ? out.fitted_line(cell.text, at, at) : cell.text;
      out << (cell.style ? out.painted(*cell.style, text) : text);
      if (is_last) break;
      out << std::string(widths[i] + 2 - width_of(cell.text), ' ');
      at += widths[i] + 2;
    }
    out << "\n";
  }
}

}  // namespace robotrules::cli
