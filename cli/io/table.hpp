// Columns that stand under one another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {

// Text that is already printable, in a colour where there are colours.
struct Cell {
  std::string text;
  std::optional<Output::Colour> colour = std::nullopt;
};

// Rows whose columns are as wide as their widest cell, two spaces apart. The last cell of a row may be of any length:
// it is followed by nothing and widens no column.
class Table {
 public:
  // `before`: what each line begins with.
  explicit Table(std::string before = {}) : before_(std::move(before)) {}

  void row(std::vector<Cell> cells);
  // A line between rows, as it is, not even behind what the others begin with.
  void line(std::string text);

  void print(Output& out) const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::string line;  // where there are no cells
  };
  std::string before_;
  std::vector<Row> rows_;
};

}  // namespace robotrules::cli
