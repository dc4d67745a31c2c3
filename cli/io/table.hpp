// A table with aligned columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {

// Printable text, and how it is shown if there are colours.
struct Cell {
  std::string text;
  std::optional<Style> style = std::nullopt;
};

// Rows whose columns are as wide as their widest cell, two spaces apart. The last cell of a row may have any
// length and does not affect the column widths. On a terminal it goes on below itself.
class Table {
 public:
  // `before`: the text that begins each line.
  explicit Table(std::string before = {}) : before_(std::move(before)) {}

  void row(std::vector<Cell> cells);
  // Adds a line between rows, unchanged and without `before`.
  void line(std::string text);

  void print(Output& out) const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::string line;  // used if there are no cells
  };
  std::string before_;
  std::vector<Row> rows_;
};

}  // namespace robotrules::cli
