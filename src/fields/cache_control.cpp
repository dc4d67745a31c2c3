#include "fields/cache_control.hpp"

#include <string>

#include "base/ascii.hpp"
#include "fields/field_reader.hpp"

namespace robotrules::agent {
namespace {

void apply(std::string_view name, const std::optional<std::string>& argument, CacheControl& control) {
  if (base::equals_ignore_case(name, "max-age") && !control.max_age) {
    // The argument may be a token or a quoted string (section 5.2). If it is not a number, the response is stale
    // (section 4.2.1).
    control.max_age =
        parse_delta(argument ? std::string_view(*argument) : std::string_view()).value_or(std::chrono::seconds(0));
  } else if (base::equals_ignore_case(name, "no-store")) {
    control.no_store = true;
  } else if (base::equals_ignore_case(name, "no-cache")) {
    control.no_cache = true;
  } else if (base::equals_ignore_case(name, "must-revalidate")) {
    control.must_revalidate = true;
  }
}

}  // namespace

std::optional<std::chrono::seconds> parse_delta(std::string_view text) noexcept {
  const std::optional<std::int64_t> number = base::read_digits(base::trimmed(text), max_delta.count());
  return number ? std::optional(std::chrono::seconds(*number)) : std::nullopt;
}

CacheControl parse_cache_control(std::span<const std::string_view> lines) {
  CacheControl control;
  for (const std::string_view line : lines) {
    FieldReader reader(line);
    while (!reader.at_end()) {
      const std::string_view name = reader.until("=,");
      std::optional<std::string> argument;
      if (reader.take('=')) {
        reader.skip_blanks();
        argument = reader.value(",");
      }
      reader.take(',');
      apply(name, argument, control);
    }
  }
  return control;
}

}  // namespace robotrules::agent
