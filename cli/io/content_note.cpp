#include "cli/io/content_note.hpp"

#include <string>

#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

void note_content(std::string_view command, std::string_view path, const SourceBytes& file, const RobotsTxt& robots) {
  const std::string name = printable_url(path);
  const auto note = [&](const std::string& fact) {
    complain(command, "note: " + name + fact + "; see robotrules lint");
  };
  if (robots.looks_like_html()) note(" is an HTML page, not a robots.txt");
  if (file.bytes.starts_with("\xFF\xFE") || file.bytes.starts_with("\xFE\xFF")) {
    note(" is UTF-16; most robots find no rules in it");
  }
  if (robots.truncated() && !file.fetched) {  // Sources has said so of a fetched file
    const Dialect& dialect = robots.dialect();
    note(" is longer than the " + std::to_string(dialect.file_limit) + " bytes that the dialect " +
         std::string(dialect.name) + " reads; the rules behind them are ignored");
  }
}

}  // namespace robotrules::cli
