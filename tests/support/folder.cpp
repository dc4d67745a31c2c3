#include "support/folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <unistd.h>

namespace robotrules::test {
namespace {

namespace fs = std::filesystem;

class Root {
 public:
  explicit Root(const std::string& place) : path_(place + "/robotrules_test_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for tests");
    // A server that root starts has workers of other users. They must reach a folder that is opened to them.
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  }
  ~Root() {
    std::error_code ignored;
    if (owner_ == getpid()) fs::remove_all(path_, ignored);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  std::string new_folder() {
    const std::string path = path_ + "/" + std::to_string(++made_);
    fs::create_directory(path);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

 private:
  std::string path_;
  pid_t owner_ = getpid();  // a child of fork() does not remove it
  int made_ = 0;
};

// Tests that wait for a disk test nothing more.
std::string place_in_memory() {
  const bool asked = std::getenv("TMPDIR") != nullptr;
  return !asked && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::temp_directory_path().string();
}

}  // namespace

std::string new_folder() {
  static Root root(place_in_memory());
  return root.new_folder();
}

std::string new_folder_on_disk() {
  static Root root(fs::temp_directory_path().string());
  return root.new_folder();
}

TemporaryFolder::TemporaryFolder() : path_(new_folder_on_disk()) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(const std::string& name, std::string_view contents) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream stream(path, std::ios::binary);
  stream.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + path.string());
  return path.string();
}

}  // namespace robotrules::test
