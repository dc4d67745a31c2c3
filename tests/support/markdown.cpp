#include "support/markdown.hpp"

#include <sstream>
#include <stdexcept>

#include "support/test_data.hpp"

namespace robotrules::test {
namespace {

bool is_table_line(std::string_view line) { return line.starts_with('|'); }

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] != '|') {
      cell += line[i];
    } else {
      const std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
      cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
      cell.clear();
    }
  }
  return cells;
}

std::size_t rank_of(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  return marks > 0 && line.substr(marks).starts_with(' ') ? marks : 0;
}

}  // namespace

std::string page_text(std::string_view path) {
  std::string text = bytes_of(source_folder() / path);
  if (text.empty()) throw std::runtime_error("there is no page " + std::string(path));
  return text;
}

std::string section_of(const std::string& page, std::string_view heading) {
  std::istringstream lines(page);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (!section.empty() && rank_of(line) != 0 && rank_of(line) <= rank_of(heading)) break;
    if (!section.empty() || line == heading) section += line + "\n";
  }
  if (section.empty()) throw std::runtime_error("no heading \"" + std::string(heading) + "\"");
  return section;
}

MarkdownTable table_of(const std::string& text, std::string_view head) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with(head)) {
  }
  if (!lines) throw std::runtime_error("no table \"" + std::string(head) + "\"");
  std::getline(lines, line);  // |---|
  MarkdownTable rows;
  while (std::getline(lines, line) && is_table_line(line)) rows.push_back(cells_of(line));
  return rows;
}

std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == text.npos) break;
    words.emplace_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return words;
}

std::string on_one_line(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace robotrules::test
