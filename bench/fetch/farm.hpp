// nginx on loopback with 250 hosts of 60 pages each, the same list for every peer.
#pragma once

#include <string>
#include <vector>

namespace robotrules::bench {

struct Farm {
  bool running = false;
  std::string why_not;
  std::vector<std::string> urls;  // 15,000, page by page over all hosts
  std::string list_file;          // the same for curl's --config
};
inline constexpr int farm_hosts = 250;
inline constexpr int farm_pages = 60;

// Started at the first call, ended with the program.
const Farm& farm();

}  // namespace robotrules::bench
