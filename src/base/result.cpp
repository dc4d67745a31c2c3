#include <robotrules/base.hpp>

#include <cstdio>
#include <cstdlib>

namespace robotrules::result_detail {
namespace {

// Allocates nothing, because the error may be that memory ran out.
void say(std::string_view words) noexcept { std::fwrite(words.data(), 1, words.size(), stderr); }

}  // namespace

void end_without_value(const Error& error) noexcept {
  say("robotrules: the value of a failed Result was asked for: ");
  say(error.message);
  say(" [");
  say(error.code);
  say("]\n");
  std::abort();
}

void end_without_error() noexcept {
  say("robotrules: the error of a Result was asked for, and there is none\n");
  std::abort();
}

}  // namespace robotrules::result_detail
