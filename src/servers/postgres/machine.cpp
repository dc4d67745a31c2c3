#include "servers/postgres/machine.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

namespace robotrules::store::postgres {

const std::string& this_machine() {
  static const std::string name = [] {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
    std::string id;
    std::ifstream file("/etc/machine-id");
    std::getline(file, id);
    return std::string(host.data()) + " " + id;
  }();
  return name;
}

std::string host_in(const std::string& machine) { return machine.substr(0, machine.find(' ')); }

}  // namespace robotrules::store::postgres
