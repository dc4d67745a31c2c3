// Runs a harness once over every file of the folders given: seeds and found crashes stay tested without libFuzzer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> files_under(int count, char** folders) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(folders[i])) continue;  // nothing found yet
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders[i])) {
      if (entry.is_regular_file() && entry.path().filename().string().front() != '.') files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const auto files = files_under(argc - 1, argv + 1);
  if (files.empty()) {
    std::fprintf(stderr, "no input in the folders given: a replay of nothing proves nothing\n");
    return 1;
  }
  for (const auto& path : files) {
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) {
      std::fprintf(stderr, "cannot read %s\n", path.c_str());
      return 1;
    }
    // A heap block of the exact size: a read past the end is past the block, where ASan sees it.
    const std::unique_ptr<std::uint8_t[]> block(new std::uint8_t[bytes.size()]);
    std::memcpy(block.get(), bytes.data(), bytes.size());
    std::fprintf(stderr, "%s (%zu bytes)\n", path.c_str(), bytes.size());  // the last line names a crash
    LLVMFuzzerTestOneInput(block.get(), bytes.size());
  }
  std::printf("%zu inputs replayed\n", files.size());
  return 0;
}
