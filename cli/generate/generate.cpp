// robotrules generate: the manual pages and the completions on standard output.
#include "cli/generate/generate.hpp"

#include <unistd.h>

#include "base/escape.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

struct Product {
  std::string_view name;
  std::string (*make)();
};
constexpr Product completions[] = {{"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}};

int print_man_page(const Given& given) {
  const Command* command = &program();
  if (given.operands.size() > 1) command = find_command(given.operands[1]);
  if (command == nullptr) return refuse("generate", unknown_command(given.operands[1]));
  write_all(STDOUT_FILENO, man_page(*command));
  return exit_yes;
}

}  // namespace

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string listed_words(Takes takes, std::string_view placeholder) {
  return listed(words_for(takes, placeholder), " ");
}

std::string valued_flags(const Command& command) {
  std::string words;
  for (const Flag& flag : command.flags) {
    if (flag.takes == Takes::nothing || value_is_optional(flag)) continue;
    words.append(words.empty() ? "--" : " --").append(flag.name);
    if (flag.letter != 0) words.append(" -").append(1, flag.letter);
  }
  return words;
}

std::string visible_commands() {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) {
    if (!command.hidden) names.push_back(command.name);
  }
  return listed(names, " ");
}

std::string_view first_sentence(std::string_view text) {
  std::size_t end = text.find(". ");
  if (end == std::string_view::npos) end = text.ends_with('.') ? text.size() - 1 : text.size();
  return text.substr(0, end);
}

int run_generate(const Given& given) {
  const std::string& what = given.operands.front();
  if (what == "man") return print_man_page(given);
  for (const Product& product : completions) {
    if (product.name != what) continue;
    if (given.operands.size() > 1) {
      return refuse("generate", what + " is for all commands; write: robotrules generate " + what);
    }
    write_all(STDOUT_FILENO, product.make());
    return exit_yes;
  }
  return refuse("generate", "cannot make \"" + base::printable(what) + "\"; use one of man, bash, zsh, fish");
}

}  // namespace robotrules::cli
