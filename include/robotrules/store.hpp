// Store: where what a robot knows of the sites it visits is kept.
//
// RobotRules asks through this interface and holds nothing itself but compiled rules, so that a durable or shared store
// changes no line of a program. What a store keeps for each origin: its robots.txt, and how often and when it was
// visited. One store belongs to one robot: the robot's name is part of what it keeps.
//
// Nothing here assumes one process or one clock: time is the store's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/origin.hpp>
#include <robotrules/result.hpp>

namespace robotrules {

// Microseconds since 1970, UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

// A robots.txt as it is kept: the octets are the truth, whatever is compiled from them can be made again.
struct RobotsRecord {
  std::string body;      // as it was received
  std::string url;       // where it came from; what is relative in it is resolved against this
  Timestamp fetched_at;  // when it was put into the store
  Timestamp fresh_until;
};

struct Visits {
  std::uint64_t count = 0;
  std::optional<Timestamp> last;  // null: never
};

// Thread rule: every function may be called from any thread at any time.
// Errors: an in-memory store never answers with one; a durable one says what could not be read or written, and then
// nothing has changed.
class Store {
 public:
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The store's clock.
  virtual Timestamp now() const = 0;

  // The robot's name, as it is compared with robots.txt; empty: nobody's yet.
  virtual Result<std::string> agent() const = 0;
  // A name that differs from the one kept clears everything else: it was read for another robot. Answers the name that
  // was kept before.
  virtual Result<std::string> set_agent(std::string_view name) = 0;

  // The record of the origin, or null. It is never changed, only replaced: a new one is another object.
  virtual Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const = 0;
  // Replaces the record of the origin whole.
  virtual Result<void> put_robots(const Origin& origin, RobotsRecord record) = 0;
  // Changes nothing where there is no record.
  virtual Result<void> set_fresh_until(const Origin& origin, Timestamp time) = 0;
  virtual Result<void> erase_robots(const Origin& origin) = 0;

  // One more visit; `last` becomes `at`.
  virtual Result<void> add_visit(const Origin& origin, Timestamp at) = 0;
  virtual Result<Visits> visits(const Origin& origin) const = 0;

 protected:
  Store() = default;
};

struct MemoryStoreOptions {
  std::function<Timestamp()> clock;  // empty: the system's; called from any thread
};

// A store that ends with the process.
std::shared_ptr<Store> make_memory_store(MemoryStoreOptions options = {});

}  // namespace robotrules
