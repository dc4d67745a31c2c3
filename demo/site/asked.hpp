// The server's log: a line of JSON for each request.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "support/server/witness.hpp"

namespace robotrules::demo {

struct Asked {
  std::chrono::microseconds at{0};  // since the server began, by a clock that never jumps
  std::string time{};               // UTC: "2026-11-21T15:04:05.123456Z"
  std::string host{};               // without its port
  std::string target{};
  int status = 0;  // 0: no answer
  std::string agent{};
};

Asked asked_of(const test::SeenRequest& request, const test::Moment& begun);

void write_log(std::ostream& to, const std::vector<Asked>& log);
// Throws std::exception where a line is none of write_log()'s.
std::vector<Asked> read_log(std::istream& from);

}  // namespace robotrules::demo
