// The file of a store with damage in it: whatever is done with it ends, with an error in words or a value that makes
// sense; looking changes nothing; and what repair leaves is sound, with every key as just visited.
//
// Input: the file (0: whole, else with a log that is not yet in it), then changes of eight octets each: what is done,
// where (three octets, modulo the file's size), with what (four octets).
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>

#include "input.hpp"
#include "store_image.hpp"

namespace robotrules::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t page = 4096;
constexpr std::size_t longest_file = 64 * page;
constexpr int sites = 12;

std::string site(int number) { return "https://site" + std::to_string(number) + ".example"; }
std::string body_of(int number) {
  std::string body = "User-agent: *\n";
  for (int line = 0; line < number * 20; ++line) body += "Disallow: /" + std::to_string(number * 7919 + line) + "\n";
  return body;
}
const std::set<std::string>& bodies() {
  static const std::set<std::string> all = [] {
    std::set<std::string> made;
    for (int number = 0; number < sites; ++number) made.insert(body_of(number));
    return made;
  }();
  return all;
}

// Holds, penalties, leases, shared bodies and one that is long.
void fill(Store& store) {
  require(store.set_agent("FooBot").ok(), "a name is taken");
  for (int number = 0; number < sites; ++number) {
    const Origin origin = *Origin::of(site(number));
    RobotsRecord record;
    record.body = std::make_shared<const std::string>(body_of(number / 2 * 2));
    record.url = origin.robots_url();
    if (number % 3 == 0) record.hops = {site(number) + "/a", site(number) + "/b"};
    if (number % 3 == 1) record.etag = "\"e\"";
    record.fetched_at = store.now();
    record.fresh_until = store.now() + 24h;
    require(store.put_robots(origin, record).ok(), "a record is taken");
    const auto answer = store.reserve({.keys = {site(number)}, .interval = 1s});
    const Granted* granted = answer.ok() ? std::get_if<Granted>(&answer.value()) : nullptr;
    require(granted != nullptr, "a first request is granted");
    if (number % 2 == 0)
      require(store.complete(granted->token, {.status = number % 4 == 0 ? 429 : 200, .retry_after = 60s}).ok(), "ends");
  }
  require(store.lease_robots_fetch(*Origin::of("https://leased.example"), 60s).ok(), "a lease is given");
}

const Image& image(bool with_log) {
  static const auto both = make_images([](Store& store, const std::string&) { fill(store); });
  return both[with_log ? 1 : 0];
}

// Values that a row of ours never has, in every row or in some.
void change_row(const std::string& path, std::size_t which, std::uint32_t value) {
  struct Place {
    const char* table;
    const char* column;
    const char* key;
  };
  static constexpr Place places[] = {
      {"body", "size", "id"},
      {"body", "coding", "id"},
      {"body", "octets", "id"},
      {"body", "hash", "id"},
      {"body", "id", "id"},
      {"robots", "origin", "origin"},
      {"robots", "body", "origin"},
      {"robots", "outcome", "origin"},
      {"robots", "status", "origin"},
      {"robots", "url", "origin"},
      {"robots", "hops", "origin"},
      {"robots", "etag", "origin"},
      {"robots", "fetched_at", "origin"},
      {"robots", "fresh_until", "origin"},
      {"robots", "failing_since", "origin"},
      {"robots", "failures", "origin"},
      {"robots", "lease_fence", "origin"},
      {"robots", "lease_until", "origin"},
      {"robots", "lease_owner", "origin"},
      {"gate", "key", "key"},
      {"gate", "interval", "key"},
      {"gate", "source", "key"},
      {"gate", "armed_at", "key"},
      {"gate", "penalty_until", "key"},
      {"gate", "incident_at", "key"},
      {"gate", "incidents", "key"},
      {"gate", "visits", "key"},
      {"gate", "last_visit", "key"},
      {"gate", "fence", "key"},
      {"gate", "holds", "key"},
      {"meta", "value", "name"},
      {"meta", "name", "name"},
  };
  static constexpr const char* values[] = {
      "0",
      "-1",
      "9223372036854775807",
      "(-9223372036854775807 - 1)",
      "'text'",
      "NULL",
      "1e99",
      "zeroblob(96)",
      "''",
      "4294967296",
      "1073741824",
      "253402300799000000",
      "-253402300799000000",
      "x'FF00FF'",
      "'https://a.example/x'",
      "x'7FFFFFFFFFFFFFFF7FFFFFFFFFFFFFFF7FFFFFFFFFFFFFFF7FFFFFFFFFFFFFFF7FFFFFFFFFFFFFFF7FFFFFFFFFFFFFFF'",
  };
  const Place& place = places[which % std::size(places)];
  sqlite3* connection = nullptr;
  if (sqlite3_open(path.c_str(), &connection) == SQLITE_OK) {
    const std::string sql = std::string("UPDATE OR IGNORE ") + place.table + " SET " + place.column + " = " +
                            values[value % std::size(values)] + " WHERE " +
                            ((value & 0x8000) != 0 ? "true" : place.key + std::string(" GLOB '*[1-4o]*'"));
    sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr);
  }
  sqlite3_close(connection);
}

void change(std::string& octets, std::uint8_t what, std::size_t where, std::uint32_t with) {
  if (octets.empty()) return;
  const std::size_t at = where % octets.size();
  const std::size_t other = with % octets.size();
  switch (what % 8) {
    case 0: octets[at] = static_cast<char>(octets[at] ^ (1 << (with % 8))); return;
    case 1: octets[at] = static_cast<char>(with); return;
    case 2:
      octets.replace(at, std::min<std::size_t>(4, octets.size() - at), reinterpret_cast<const char*>(&with), 4);
      octets.resize(std::min(octets.size(), longest_file));
      return;
    case 3: octets.resize(at); return;
    case 4:
      std::fill_n(octets.begin() + static_cast<std::ptrdiff_t>(at / page * page),
                  std::min(page, octets.size() - at / page * page), static_cast<char>(with >> 24));
      return;
    case 5: {  // a page in another's place
      const std::size_t size = std::min({page, octets.size() - at / page * page, octets.size() - other / page * page});
      const std::string copied = octets.substr(other / page * page, size);
      octets.replace(at / page * page, size, copied);
      return;
    }
    case 6:
      octets.append(std::min<std::size_t>(with % 5'000, longest_file - std::min(longest_file, octets.size())),
                    static_cast<char>(where));
      return;
    default: {
      const std::size_t size = std::min<std::size_t>({with % 64, octets.size() - at, octets.size() - other});
      std::memmove(octets.data() + at, octets.data() + other, size);
      return;
    }
  }
}

std::string last_error;  // for people, where something does not hold

template <class T>
bool fine(const Result<T>& result) {
  if (result.ok()) return true;
  const std::string_view code = result.error().code;
  require(code == "store-damaged" || code == "store-foreign" || code == "store-newer" || code == "store-io" ||
              code == "store-busy" || code == "unknown-token",
          "an error is of a known kind");
  require(!result.error().message.empty(), "and has a sentence");
  last_error = result.error().message;
  return false;
}

void require_sound(const GateState& state) {
  const auto bounded = [](Timestamp time) {
    return time.time_since_epoch() < std::chrono::hours(24) * 366 * 10'000 &&
           time.time_since_epoch() > -std::chrono::hours(24) * 366 * 10'000;
  };
  require(state.interval >= 0us && bounded(state.interval_start) && bounded(state.penalty_until),
          "a gate's times are times");
  require(!state.last_visit || bounded(*state.last_visit), "and its last visit");
}

// Everything that is asked of a store. True where nothing was an error.
bool use(const std::string& path) {
  auto opened = open_sqlite_store(path);
  if (!fine(opened)) return false;
  Store& store = *opened.value();
  bool all = true;
  std::size_t found = 0;
  std::string before;
  const auto each = [&](const Origin& origin, const RobotsRecord& record) {
    require(before.empty() || before < origin.to_string(), "origins come in order");
    before = origin.to_string();
    require(record.outcome <= RobotsOutcome::unreachable, "an outcome is one of three");
    require(record.body == nullptr || bodies().contains(*record.body), "a body is what it was");
    return ++found < 1'000;
  };
  all = fine(store.for_each_origin(each)) && all;
  for (int number = 0; number < sites; number += 3) {
    const Origin origin = *Origin::of(site(number));
    all = fine(store.robots(origin)) && all;
    const auto gate = store.gate(site(number));
    all = fine(gate) && all;
    if (gate.ok()) require_sound(gate.value());
    const auto answer = store.reserve({.keys = {site(number)}, .interval = 1s});
    all = fine(answer) && all;
    const Granted* granted = answer.ok() ? std::get_if<Granted>(&answer.value()) : nullptr;
    if (granted != nullptr) all = fine(store.complete(granted->token, {.status = 200, .retry_after = {}})) && all;
    all = fine(store.add_visit(origin, store.now())) && all;
    const auto lease = store.lease_robots_fetch(origin, 60s);
    all = fine(lease) && all;
    const RobotsLease* held = lease.ok() ? std::get_if<RobotsLease>(&lease.value()) : nullptr;
    if (held != nullptr) all = fine(store.release(*held)) && all;
  }
  const auto free = store.reserve({.keys = {"https://new.example"}});
  all = fine(free) && all;
  const Granted* granted = free.ok() ? std::get_if<Granted>(&free.value()) : nullptr;
  if (granted != nullptr) all = fine(store.complete(granted->token, {.status = 200, .retry_after = {}})) && all;
  all = fine(store.stats()) && all;
  all = fine(store.changes()) && all;
  all = fine(store.prune(store.now() - 24h)) && all;
  auto rules = RobotRules::open(opened.value(), "FooBot");
  if (fine(rules)) static_cast<void>(rules.value().allowed(site(1) + "/1"));
  return all;
}

void require_repaired(const std::string& path, const StoreCheck& report) {
  require(fs::exists(report.moved_to), "what was damaged is kept");
  const auto again = check_sqlite_store(path);
  require(again.ok() && again.value().problems.empty(), "what repair made is sound");
  const auto store = open_sqlite_store(path);
  require(store.ok(), "and opens");
  require(store.value()->just_visited().value().has_value(), "with every key as just visited");
  for (int number = 0; number < sites; number += 3) {
    const auto gate = store.value()->gate(site(number));
    require(gate.ok(), "every gate can be read");
    require_sound(gate.value());
    const auto answer = store.value()->reserve({.keys = {site(number)}, .interval = 1h});
    require(answer.ok() && !std::holds_alternative<Granted>(answer.value()), "and none is open");
  }
  std::size_t kept = 0;
  const auto read_all = store.value()->for_each_origin([&](const Origin&, const RobotsRecord& record) {
    ++kept;
    require(record.body != nullptr && bodies().contains(*record.body), "what was saved is what it was");
    return true;
  });
  require(read_all.ok() && kept == report.origins_kept, "as much was saved as repair said");
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
  const bool with_log = input.byte() != 0;
  Image damaged = image(with_log);
  write(path, damaged.file);
  bool rows = false;
  for (int changes = 0; changes < 16 && !input.empty(); ++changes) {
    const std::uint8_t what = input.byte();
    std::uint32_t words[7];
    for (std::uint32_t& word : words) word = input.byte();
    const std::size_t where = words[0] << 16 | words[1] << 8 | words[2];
    const std::uint32_t with = words[3] << 24 | words[4] << 16 | words[5] << 8 | words[6];
    if (!with_log && what >= 192) {  // before the octets of the file are touched
      if (changes > 0 && !rows) continue;
      change_row(path, where, with);
      rows = true;
      damaged.file = read(path);
    } else {
      rows = false;
      change(with_log && what >= 64 ? damaged.log : damaged.file, what, where, with);
    }
  }
  write(path, damaged.file);
  if (with_log) write(path + "-wal", damaged.log);

  const auto looked = check_sqlite_store(path);
  require(read(path) == damaged.file, "looking changes nothing");
  const bool sound = fine(looked) && looked.value().problems.empty();
  const bool worked = use(path);
  if (sound && !worked) std::fprintf(stderr, "%s\n", last_error.c_str());
  require(!sound || worked, "what check calls sound can be used");

  const auto report = check_sqlite_store(path, true);
  if (fine(report) && !report.value().problems.empty()) require_repaired(path, report.value());
  return 0;
}
