// answers TABLE.tsv...|FOLDER...: prints what the core says of files. It is compiled with the library's headers and
// with robotrules.hpp; both programs must print the same.
//
// Of a table of tests/conformance: the answer of each case. Of a folder: each file under every preset, with questions
// made of its own lines, its findings, and what fix() makes of it.
#ifdef ROBOTRULES_SINGLE
#define ROBOTRULES_IMPLEMENTATION
#include "robotrules.hpp"
#else
#include <robotrules/core.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using robotrules::Dialect;
using robotrules::RobotsTxt;
using robotrules::Rules;

constexpr std::string_view robots_url = "http://foo.bar/robots.txt";

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// FNV-1a: the answers for a folder are too long to print.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    value_ = (value_ ^ 0xFF) * 0x100000001b3U;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

// The escapes of tests/conformance/README.md. `\{N}` repeats what follows.
std::string unescaped(std::string_view text) {
  const auto byte_at = [&](std::size_t& at) -> char {
    if (text[at] != '\\') return text[at++];
    const char kind = text[at + 1];
    at += 2;
    switch (kind) {
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      case 'x': at += 2; return static_cast<char>(std::stoi(std::string(text.substr(at - 2, 2)), nullptr, 16));
      default: return kind;
    }
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t times = 1;
    if (text.substr(at).starts_with("\\{")) {
      const std::size_t close = text.find('}', at);
      times = std::stoul(std::string(text.substr(at + 2, close - at - 2)));
      at = close + 1;
    }
    out.append(times, byte_at(at));
  }
  return out;
}

void print_table(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::size_t from = 0;
    for (std::size_t tab = 0; tab != std::string::npos; from = tab + 1) {
      tab = line.find('\t', from);
      fields.push_back(line.substr(from, tab == std::string::npos ? tab : tab - from));
    }
    const Rules rules =
        Rules::compile(unescaped(fields.at(6)), unescaped(fields[2]), *Dialect::find(fields[1]), robots_url);
    std::printf("%s %s: %s\n", fields[0].c_str(), fields[1].c_str(),
                rules.check(unescaped(fields[3])).explanation().c_str());
  }
}

void print_file(const std::filesystem::path& path) {
  const std::string robots = bytes_of(path);
  Digest digest;
  std::size_t questions = 0;
  for (const Dialect& dialect : Dialect::presets()) {
    const RobotsTxt file = RobotsTxt::parse(robots, dialect, robots_url);
    for (const char* agent : {"Googlebot", "FooBot", "ia_archiver"}) {
      const Rules rules = file.rules_for(agent);
      for (std::size_t i = 0; i < file.size(); i += 3) {
        const std::string url = "http://foo.bar" + std::string(file.directive(i).value) + (i % 2 == 0 ? "" : "x");
        digest.add(rules.check(url).explanation());
        ++questions;
      }
    }
  }
  const RobotsTxt file = RobotsTxt::parse(robots, Dialect::rfc9309(), robots_url);
  const auto findings = robotrules::diagnose(file, {.robots = robotrules::known_robots(), .fetched = {}});
  for (const auto& found : findings) {
    digest.add(found.code);
    digest.add(found.message);
    digest.add(found.remedy);
  }
  digest.add(robots.size() < 20'000 ? robotrules::fix(robots).text : std::string());  // longer files take seconds
  std::printf("%s: %zu questions, %zu findings, %016llx\n", path.filename().string().c_str(), questions,
              findings.size(), static_cast<unsigned long long>(digest.value()));
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::filesystem::path path = words[i];
    if (!std::filesystem::is_directory(path)) {
      print_table(path);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) print_file(file);
  }
}
