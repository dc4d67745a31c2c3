// What all parts of a store in Redis share: its servers, its clock, and its life as an owner of holds and leases.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/open_store.hpp>

#include "servers/health_log.hpp"
#include "servers/redis/redis_settings.hpp"
#include "servers/redis/servers.hpp"
#include "servers/repeater.hpp"
#include "servers/server_clock.hpp"

namespace robotrules::store::redis {

// For tests.
struct Seams {
  bool guard = true;  // false: sites do not count as just visited when a server may have lost writes
  std::chrono::milliseconds max_answer_time{1'000};  // a grant that took longer is given back
};

// Any thread.
class Link {
 public:
  // Fails as open_store() does.
  static Result<std::unique_ptr<Link>> open(const Settings& settings, const ServerStoreOptions& options, Seams seams);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // The first part of the keys of a site: "robotrules:{example.org}:".
  std::string base_of(std::string_view tag) const;
  // A call of a function of the library. `name`: as in function_name().
  Call function(std::string tag, std::string_view name, std::vector<std::string> keys,
                std::vector<std::string> arguments) const;
  // Make calls of functions, and set the clock and health() by their answers, which are lists.
  // `timeout`: null: that of the store.
  std::vector<Answer> call(const std::vector<Call>& calls, std::optional<std::chrono::milliseconds> timeout = {});
  Result<Reply> call(const Call& call);
  // Makes the calls make(0), make(1) and so on up to `size`, rows_per_trip of them in each round trip, and returns how
  // many answers have a 1. One that fails with "store-damaged" does not keep the others from being made.
  Result<std::uint64_t> count_ones(std::size_t size, const std::function<Call(std::size_t)>& make,
                                   std::optional<std::chrono::milliseconds> timeout = {});

  // Returns the names of all keys that match, each once, in ascending order. `kind`: "g", "r", "l" or "b".
  Result<std::vector<std::string>> keys(std::string_view kind);

  Timestamp now() const { return clock_.now(); }
  // Converts a time of a node, whose clock said `node_now`, to the store's clock.
  Timestamp time_of(std::int64_t time, std::int64_t node_now) const;

  // Returns the time before which visits may be unknown; null: they are known.
  Result<std::optional<Timestamp>> just_visited();
  // How often a server may have lost writes since this store was opened: what this process knows is sent again then.
  std::uint64_t losses() const noexcept { return losses_; }
  // The longest time that a grant may take from the call to the answer, also while the machine sleeps; null: any.
  std::optional<std::chrono::microseconds> max_answer_time() const;
  StoreHealth health() const;

  Servers& servers() noexcept { return *servers_; }
  const Settings& settings() const noexcept { return settings_; }
  bool has_guard() const noexcept { return seams_.guard; }
  // The key of the hash with the robot's name and policy, and its tag.
  std::string settings_key() const { return base_of(settings_tag) + "m"; }
  static constexpr const char* settings_tag = "all";
  // Starts the thread that tells the servers four times a second that this owner is alive. `task` is called on it each
  // time, until stop() returns, with the longest time that its calls may take.
  using Task = std::function<void(std::chrono::milliseconds timeout)>;
  void start(Task task);
  void stop();

 private:
  Link(Settings settings, const ServerStoreOptions& options, Seams seams, std::unique_ptr<Servers> servers);
  Result<void> check_servers();
  Result<bool> make_store();
  // Tells all masters that this owner is alive. `word`: argument 5 of touch in guard.lua.
  std::vector<Answer> touch(std::string_view word, std::chrono::milliseconds timeout);
  void beat_once(const Task& task);
  // The beat's thread, or while there is none.
  void grow_beat_timeout(std::chrono::milliseconds least);
  // `of_all_servers`: an answer of each server is among them.
  void note(const std::vector<Answer>& answers, bool of_all_servers);

  const Settings settings_;
  const ServerStoreOptions options_;
  const Seams seams_;
  const std::string owner_;
  const std::string name_;  // argument 1 of the functions
  std::unique_ptr<Servers> servers_;
  ServerClock clock_;
  HealthLog health_;
  std::string warning_;
  std::atomic<std::uint64_t> losses_ = 0;
  std::chrono::milliseconds beat_timeout_;  // of the beat's thread
  Repeater beats_;
};

// In place of a time: there is none. NEVER in guard.lua.
inline constexpr std::int64_t never = -(std::int64_t{1} << 53);
// Rows that are read or changed in one round trip, where all of them are.
inline constexpr std::size_t rows_per_trip = 128;

// A number as an argument of a function in Lua, whose numbers are exact up to 2^53; nearer to 0 if it is greater.
std::string number(std::int64_t value);
std::string number(Timestamp time);

}  // namespace robotrules::store::redis
