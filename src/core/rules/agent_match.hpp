// Tells whether a User-agent line names a robot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <robotrules/dialect.hpp>

#include "base/visibility.hpp"

namespace robotrules::core {

// The robots that a User-agent line names: the robot itself ("own"), all robots ("*"), both or neither.
enum class Naming : std::uint8_t { nobody = 0, own = 1, everybody = 2, both = 3 };

constexpr Naming operator|(Naming a, Naming b) noexcept {
  return static_cast<Naming>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr Naming operator&(Naming a, Naming b) noexcept {
  return static_cast<Naming>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
constexpr bool has(Naming naming, Naming part) noexcept { return (naming & part) != Naming::nobody; }

// Returns true if a User-agent line with this trimmed value names all robots. Such a line names no single robot.
ROBOTRULES_INTERNAL_API bool names_everybody(std::string_view value, const Dialect& dialect) noexcept;

// The names of the robots that a User-agent line can name, in any case. `second` may be null.
struct NamesOfValue {
  std::string_view first;
  std::optional<std::string_view> second;
};

// Returns the names for this trimmed value, as views of it. Returns null if the dialect does not compare whole names,
// so that the line may name any robot. Precondition: !names_everybody(value, dialect).
ROBOTRULES_INTERNAL_API std::optional<NamesOfValue> names_of_value(std::string_view value,
                                                                   const Dialect& dialect) noexcept;

// Keeps a view of `agent`, which must outlive it.
class ROBOTRULES_INTERNAL_API AgentMatcher {
 public:
  // `agent`: a name or a whole User-Agent header, which robot_name() reduces unless Dialect::whole_header.
  // `ignores_star`: true for a robot to which groups for "*" do not apply.
  AgentMatcher(std::string_view agent, const Dialect& dialect, bool ignores_star = false);

  // `value`: the trimmed value of a User-agent line.
  Naming match(std::string_view value) const noexcept;

  // Returns the name that is compared with values.
  std::string_view agent() const noexcept { return agent_; }

  // Returns the naming by "*".
  Naming star() const noexcept { return ignores_star_ ? Naming::nobody : Naming::everybody; }

 private:
  bool is_own(std::string_view value) const noexcept;

  const Dialect& dialect_;
  std::string_view agent_;
  bool ignores_star_;
};

}  // namespace robotrules::core
