// A WARC file as import reads it: plain, and the same with a gzip member a record, whole and cut. However it is stored,
// the same records are found; of a file that breaks off, those before the break.
//
// Input: where the compressed file is cut (two octets, of 65,536 parts), then the file.
#include <algorithm>
#include <string>
#include <vector>

#include "archive/warc_reader.hpp"
#include "cli/db/import_record.hpp"
#include "gzip.hpp"
#include "input.hpp"
#include "memory_file.hpp"

namespace robotrules::fuzz {
namespace {

struct Reading {
  std::vector<WarcRobots> found;
  std::string error;
};

Reading read_all(std::string_view octets) {
  static const MemoryFile file;
  file.set(octets);
  archive::WarcReader reader(file.path());
  Reading reading;
  WarcRobots found;
  std::uint64_t before = 0;
  while (reader.next(found)) {
    require(found.exchange.body.size() <= archive::WarcReader::max_body, "a body has an end");
    require(found.exchange.failure.empty() || found.exchange.failure.find_first_of("\r\n") == std::string::npos,
            "a fault is one line");
    require(reader.bytes_read() >= before && reader.bytes_read() <= reader.bytes_in_all(), "reading goes forward");
    before = reader.bytes_read();
    reading.found.push_back(found);
    require(reading.found.size() <= 100'000, "a file has an end");
  }
  require(!reader.next(found), "the end stays the end");
  reading.error = reader.error();
  return reading;
}

bool same(const WarcRobots& a, const WarcRobots& b) {
  const RobotsExchange& one = a.exchange;
  const RobotsExchange& other = b.exchange;
  return one.request.url == other.request.url && a.date == b.date && one.status == other.status &&
         one.body == other.body && one.failure == other.failure;
}
bool begins_with(const Reading& whole, const Reading& part) {
  return part.found.size() <= whole.found.size() &&
         std::equal(part.found.begin(), part.found.end(), whole.found.begin(), same);
}

std::string in_members(std::string_view plain) {
  std::string out;
  while (!plain.empty()) {
    const std::size_t next = plain.find("WARC/1", 1);
    out += gzip(plain.substr(0, next));
    plain.remove_prefix(std::min(next, plain.size()));
  }
  return out;
}

void require_records(const Reading& reading) {
  const Timestamp now{std::chrono::days{20'000}};
  for (const WarcRobots& found : reading.found) {
    const cli::ImportRecord made = cli::record_of_response(found, now);
    if (!made.fault.empty()) continue;
    require(made.origin.has_value() && found.exchange.failure.empty(), "what is taken has a site and no fault");
    const bool has_body = made.record.body != nullptr;
    require(has_body == (made.record.outcome == RobotsOutcome::rules), "rules have a body, and nothing else has one");
    require(made.record.fresh_until > now, "what is taken is fresh");
  }
}

}  // namespace
}  // namespace robotrules::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules::fuzz;
  Input input(data, size);
  const std::size_t high = input.byte();
  const std::size_t part = high * 256 + input.byte();
  const std::string_view file = input.rest();
  const Reading plain = read_all(file);
  require_records(plain);
  if (file.starts_with('\x1f')) return 0;  // itself compressed: zlib takes one layer off

  const std::string members = in_members(file);
  const Reading packed = read_all(members);
  require(begins_with(plain, packed) && begins_with(packed, plain), "compressed or not, the same is found");
  require(packed.error.empty() == plain.error.empty(), "and the same ends are errors");

  const Reading cut = read_all(std::string_view(members).substr(0, members.size() * part / 65'536));
  require(begins_with(packed, cut), "of a cut file what stands before the cut is found");
  return 0;
}
