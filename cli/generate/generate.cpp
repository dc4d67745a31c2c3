// robotrules generate: the manual page and the completions on standard output.
#include "cli/generate/generate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

struct Product {
  std::string_view name;
  std::string (*make)();
};
constexpr Product products[] = {
    {"man", man_page}, {"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}};

}  // namespace

std::string listed_values(Takes takes, std::string_view placeholder) {
  std::string list;
  if (takes == Takes::choice) {
    list = placeholder;
    std::replace(list.begin(), list.end(), '|', ' ');
  } else if (takes == Takes::dialect || takes == Takes::dialect_or_all) {
    for (const Dialect& preset : Dialect::presets()) list.append(list.empty() ? "" : " ").append(preset.name);
    if (takes == Takes::dialect_or_all) list += " all";
  } else if (takes == Takes::policy) {
    for (const RobotsPolicy* preset : RobotsPolicy::presets())
      list.append(list.empty() ? "" : " ").append(preset->name);
  } else if (takes == Takes::shell) {
    for (const Product& product : products) list.append(list.empty() ? "" : " ").append(product.name);
  }
  return list;
}

std::string_view first_sentence(std::string_view text) {
  std::size_t end = text.find(". ");
  if (end == std::string_view::npos) end = text.ends_with('.') ? text.size() - 1 : text.size();
  return text.substr(0, end);
}

int run_generate(const Options& options) {
  const std::string& what = options.operands.front();
  for (const Product& product : products) {
    if (product.name != what) continue;
    write_all(STDOUT_FILENO, product.make());
    return exit_yes;
  }
  return refuse("generate", "cannot make \"" + what + "\"; use one of " + listed_values(Takes::shell));
}

}  // namespace robotrules::cli
