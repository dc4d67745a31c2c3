#include "core/rules/compile.hpp"

#include <string>

#include "core/line/scan.hpp"
#include "core/rules/rules_builder.hpp"
#include "core/rules/scratch.hpp"

namespace robotrules::core {
namespace {

RulesOfName compile_text(const PreparedText& prepared, const AgentMatcher& matcher, const Dialect& dialect,
                         std::string_view robots_url) {
  ScratchMemory memory;
  Selector selector(prepared.text, matcher, dialect, memory);
  Scanner<Selector>(prepared, dialect, selector).run();
  return build_rules(selector, prepared.text, dialect, robots_url, memory);
}

}  // namespace

RulesOfName build_rules(Selector& selector, std::string_view text, const Dialect& dialect, std::string_view robots_url,
                        ScratchMemory& memory) {
  bool is_default = false;
  const Selection& selection = selector.finish(is_default);
  return {RulesBuilder(text, dialect, robots_url, memory).build(selection, is_default, selector.for_all()),
          selector.is_named()};
}

std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url) {
  std::string storage;
  const PreparedText prepared = prepare_text(robots, dialect, storage);
  return compile_text(prepared, AgentMatcher(agent, dialect), dialect, robots_url).rules;
}

std::shared_ptr<const RulesData> compile_rules(std::string_view robots, const AgentTokens& agent,
                                               const Dialect& dialect, std::string_view robots_url) {
  std::string storage;
  const PreparedText prepared = prepare_text(robots, dialect, storage);
  return first_named(agent, dialect,
                     [&](const AgentMatcher& matcher) { return compile_text(prepared, matcher, dialect, robots_url); });
}

}  // namespace robotrules::core
