// The repair of a damaged file of a store: it refuses and leaves the file as it is, or it leaves a sound file, in which
// every key counts as just visited and no pause is forgotten without a word; and the damaged file is kept as it was.
//
// Input: what the file is (bit 0: with a log that is not yet in it, bit 1: the last repair was killed before its last
// rename, bit 2: an incomplete PATH.repaired lies beside it), then changes of six octets each: what is done (bit 7: to
// the log), where (three octets, modulo the size), with what (two octets).
#include <algorithm>
#include <filesystem>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "input.hpp"
#include "store_image.hpp"

namespace robotrules::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t page = 4096;
constexpr std::size_t longest_file = 48 * page;
constexpr int sites = 6;
constexpr const char* paused = "https://site3.example";

std::string site(int number) { return "https://site" + std::to_string(number) + ".example"; }

// A store with records, a pause of a day and a queue.
void fill(Store& store, const std::string& path) {
  for (int number = 0; number < sites; ++number) {
    RobotsRecord record;
    record.body = std::make_shared<const std::string>("User-agent: *\nDisallow: /" + site(number) + "\n");
    record.url = Origin::of(site(number))->robots_url();
    record.fetched_at = store.now();
    record.fresh_until = store.now() + 24h;
    require(store.put_robots(*Origin::of(site(number)), record).ok(), "a record is taken");
  }
  require(store.restore_gate(paused, store.now() + 20h, {.count = 3, .last = {}}).ok(), "a pause is taken");
  QueuedUrl url;
  url.url = site(1) + "/1";
  require(open_url_queue(path).value()->add({&url, 1}).ok(), "a URL is taken");
}

const Image& image(bool with_log) {
  static const auto both = make_images(fill);
  return both[with_log ? 1 : 0];
}

void change(std::string& octets, std::uint8_t what, std::size_t where, std::size_t with) {
  if (octets.empty()) return;
  const std::size_t at = where % octets.size();
  const std::size_t begin = at / page * page;
  const std::size_t other = with % (octets.size() / page + 1) * page;
  switch (what % 8) {
    case 0:  // most damage is there where it matters most
      octets[at % std::min<std::size_t>(octets.size(), 120)] ^= static_cast<char>(with);
      return;
    case 1: octets[at] = static_cast<char>(octets[at] ^ (1 << (with % 8))); return;
    case 2: octets[at] = static_cast<char>(with); return;
    case 3: octets.resize(at); return;
    case 4:
      std::fill_n(octets.begin() + static_cast<std::ptrdiff_t>(begin), std::min(page, octets.size() - begin),
                  static_cast<char>(with));
      return;
    case 5: {  // a page in another's place
      if (other >= octets.size()) return;
      const std::size_t size = std::min({page, octets.size() - begin, octets.size() - other});
      const std::string copied = octets.substr(other, size);
      octets.replace(begin, size, copied);
      return;
    }
    case 6:
      octets.append(std::min(with, longest_file - std::min(longest_file, octets.size())), static_cast<char>(where));
      return;
    default: octets[begin + with % std::min<std::size_t>(64, octets.size() - begin)] = static_cast<char>(where >> 16);
  }
}

void require_repaired(const std::string& path, const StoreCheck& report, const Image& damaged) {
  require(read(report.moved_to) == damaged.file && read(report.moved_to + "-wal") == damaged.log,
          "what was damaged is kept as it was");
  for (const char* suffix : {".repaired", ".repaired-wal", ".mended", ".mended-wal"})
    require(!fs::exists(path + suffix), "nothing else is left");
  const auto again = check_sqlite_store(path);
  require(again.ok() && again.value().problems.empty(), "what repair made is sound");
  const auto store = open_sqlite_store(path, {.first_ever = true});
  require(store.ok(), "and opens");
  require(store.value()->just_visited().value().has_value(), "with every key as just visited");
  const auto answer = store.value()->reserve({.keys = {paused}, .interval = 1h});
  require(answer.ok() && !std::holds_alternative<Granted>(answer.value()), "so none is open");
  std::size_t kept = 0;
  const auto all = store.value()->for_each_origin([&](const Origin&, const RobotsRecord&) { return ++kept < 1'000; });
  require(all.ok() && kept == report.origins_kept, "as much was saved as repair said");
}

}  // namespace
}  // namespace robotrules::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  static const ScratchFolder folder;
  folder.empty();
  const std::string path = file_in(folder);
  Input input(data, size);
  const std::uint8_t kind = input.byte();
  const bool with_log = (kind & 1) != 0;
  Image damaged = image(with_log);
  for (int changes = 0; changes < 12 && !input.empty(); ++changes) {
    const std::uint8_t what = input.byte();
    std::size_t words[5];
    for (std::size_t& word : words) word = input.byte();
    change((what & 128) != 0 ? damaged.log : damaged.file, what, words[0] << 16 | words[1] << 8 | words[2],
           words[3] << 8 | words[4]);
  }
  if ((kind & 2) != 0) {  // only PATH.repaired is there, whole or not
    write(path + ".repaired", damaged.file);
    const auto looked = check_sqlite_store(path);
    require(!fs::exists(path) && read(path + ".repaired") == damaged.file, "looking changes nothing");
    const auto opened = open_sqlite_store(path, {.first_ever = true});
    require(!looked.ok() || !looked.value().problems.empty(), "there is no store");
    require(!opened.ok() || opened.value()->just_visited().value().has_value(), "a new store knows of the old one");
    return 0;
  }
  write(path, damaged.file);
  if (with_log) write(path + "-wal", damaged.log);
  if ((kind & 4) != 0) write(path + ".repaired", damaged.log.empty() ? std::string("x") : damaged.log);

  const auto looked = check_sqlite_store(path);
  require(read(path) == damaged.file && read(path + "-wal") == damaged.log, "looking changes nothing");
  const auto report = check_sqlite_store(path, true);
  if (!report.ok()) {
    require(!report.error().message.empty(), "an error has a sentence");
    require(read(path) == damaged.file && read(path + "-wal") == damaged.log, "a repair that refuses changes nothing");
    require(!fs::exists(path + ".damaged") && !fs::exists(path + ".mended"), "and leaves nothing");
  } else if (!report.value().moved_to.empty()) {
    require_repaired(path, report.value(), damaged);
  } else {
    require(looked.ok() && looked.value().problems.size() == report.value().problems.size(), "both see the same");
    require(read(path) == damaged.file, "a sound file stays");
  }
  return 0;
}
