#include "cli/io/store_word.hpp"

#include "base/store_name.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

StoreWord store_word(std::string_view name, std::string_view variable) {
  const base::ShownStore shown = base::shown_store(name);
  const bool is_postgres = shown.command.starts_with("postgres");
  if (shown.command.empty() || (shown.has_password && !is_postgres)) {
    return {"\"$" + std::string(variable) + "\"",
            std::string(variable) + " is the name of the store with its password"};
  }
  return {shell_word(shown.command), shown.has_password ? "the password comes from ~/.pgpass or PGPASSWORD" : ""};
}

}  // namespace robotrules::cli
