// Reads the project's pages, so that tests can compare their tables with what the code knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test {

// The rows of a table, without its head and the line below it. Each row is a list of cells.
using MarkdownTable = std::vector<std::vector<std::string>>;

// Returns the text of a page, "docs/get.md". Throws if there is none.
std::string page_text(std::string_view path);

// Returns the part of a page from the line `heading` to the next heading of the same rank or a higher one. Throws if
// the page does not have this line.
std::string section_of(const std::string& page, std::string_view heading);

// Returns the first table of the text that begins with this head: "| member | is |" or a beginning of it. Throws if
// there is none.
MarkdownTable table_of(const std::string& text, std::string_view head = "|");

// Returns the texts in backquotes.
std::vector<std::string> quoted_words(std::string_view text);

// Returns the text with one blank in place of each run of blanks and line ends.
std::string on_one_line(std::string_view text);

}  // namespace robotrules::test
