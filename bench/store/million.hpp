// A million origins that share the bodies of the corpus.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/store.hpp>

namespace robotrules::bench {

inline constexpr std::size_t million = 1'000'000;

std::string origin_text(std::size_t index);  // "https://www.site123456.example"

// Records of origins first..last-1, the bodies of the corpus in turn.
std::vector<std::pair<Origin, RobotsRecord>> records(std::size_t first, std::size_t last, Timestamp now);

// Fills the store, 20,000 origins a change.
void fill(Store& store, std::size_t origins);

// A folder that goes when the program ends.
const std::string& bench_folder();

// The path of a file with a million origins, made at the first call, and what its import took.
struct MillionFile {
  std::string path;
  double import_seconds = 0;
  std::size_t body_bytes = 0;  // of the different bodies, as they are packed: counted by a file with nothing else in it
  std::size_t file_bytes = 0;
};
const MillionFile& million_file();

}  // namespace robotrules::bench
