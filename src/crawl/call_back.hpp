// Calls the callbacks of a crawl, which are functions of the program.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules::crawl {

// Makes a call of the callback `name`. Fails with "callback-failed" if the callback throws an exception.
template <class Call>
Result<void> call_back(std::string_view name, Call call) {
  const auto failed = [name](const std::string& why) {
    return Error{"callback-failed", "The callback CrawlOptions::" + std::string(name) + " threw an exception" + why +
                                        ": catch exceptions in the callback"};
  };
  try {
    call();
    return {};
  } catch (const std::exception& thrown) {
    return failed(std::string(" (") + thrown.what() + ")");
  } catch (...) {
    return failed("");
  }
}

}  // namespace robotrules::crawl
