// What the benchmarks read: robots.txt files and questions about them, loaded once, the same at every run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/core.hpp>

namespace robotrules::bench {

struct File {
  std::string host;
  std::string text;
  std::string url;  // its own, which one of the presets resolves rules against
};

enum class Expected : char { allowed, disallowed, unknown };  // unknown: nobody told

struct Question {
  std::size_t file = 0;  // index of its file
  std::string agent;
  std::string url;
  Expected expected = Expected::unknown;  // what Google's parser answered
  std::uint32_t line = 0;                 // and its line
};

struct Corpus {
  std::string origin;  // where it came from, for the context of the report
  std::vector<File> files;
  std::vector<Question> questions;  // in the order of the files
  std::size_t bytes = 0;            // of all files
};

// The files of ROBOTRULES_CORPUS with the questions of ROBOTRULES_CONFORMANCE/corpus.tsv; where one of them is
// missing, a generated corpus of similar shape.
const Corpus& corpus();

Corpus generated_corpus();

// A (file, agent) pair and its questions: the way a crawler asks.
struct Site {
  std::size_t file = 0;
  std::string_view agent;
  std::vector<std::string_view> urls;
};
const std::vector<Site>& sites();  // sorted by file, then agent

// Another implementation that reads as Google does and is timed beside this one.
struct Answer {
  bool allowed = false;
  std::uint32_t line = 0;
};
struct Peer {
  std::string name;
  Answer (*ask)(const Question& question);
};
std::vector<Peer>& peers();  // empty unless the build has one

// Asks every question in both ways (bytes to Rules, and by way of the document) and compares the answers with each
// other, with the recorded ones and with those of the peers. Returns how many differ; the first of them are printed.
std::size_t wrong_answers();

// A generator of numbers that is the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() noexcept {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t limit) noexcept { return static_cast<std::size_t>(next() % limit); }
  template <typename List>
  const auto& of(const List& list) noexcept {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace robotrules::bench
