#include "cli/batch/robots_library.hpp"

namespace robotrules::cli {

std::shared_ptr<const Compiled> Library::compiled(const FileQuestion& question) {
  return rules_.get(question.key, question.hash, [&] {
    const std::string name(question.name);
    const auto file = files_.get(name, std::hash<std::string_view>{}(name), [&] { return File{read_(name)}; });
    Compiled compiled;
    compiled.key = question.key;
    compiled.state = file->contents.state;
    compiled.error = file->contents.error;
    if (compiled.error.empty() && has_rules(compiled.state)) {
      compiled.rules = Rules::compile(file->contents.bytes, question.agent, *question.dialect, question.robots_url);
    }
    return compiled;
  });
}

}  // namespace robotrules::cli
