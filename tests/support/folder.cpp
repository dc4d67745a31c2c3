#include "support/folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace robotrules::test {
namespace {

struct Root {
  Root() {
    // In memory where there is such a place: a disk that is waited for tests nothing, and power is cut by the tests.
    const bool asked = std::getenv("TMPDIR") != nullptr;
    const std::string place =
        !asked && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    std::string name = place + "/robotrules_test_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for tests");
    path = name;
  }
  ~Root() {
    std::error_code ignored;
    if (owner == getpid()) std::filesystem::remove_all(path, ignored);
  }
  std::string path;
  pid_t owner = getpid();  // a child of fork() leaves it alone
  int made = 0;
};

}  // namespace

std::string new_folder() {
  static Root root;
  const std::string path = root.path + "/" + std::to_string(++root.made);
  std::filesystem::create_directory(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace robotrules::test
