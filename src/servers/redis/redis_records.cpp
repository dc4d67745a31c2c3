#include "servers/redis/redis_records.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "base/escape.hpp"
#include "base/hex.hpp"
#include "servers/redis/record_fields.hpp"
#include "servers/redis/redis_problems.hpp"
#include "servers/redis/site_tag.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::redis {
namespace {

using std::chrono::microseconds;
using Record = std::shared_ptr<const RobotsRecord>;

// A record is kept for this time after it was fresh. Each attempt to fetch the file writes it again. The last good copy
// may be needed for 30 days (RobotsPolicy::stale_for).
constexpr std::chrono::hours keep_for{24 * 45};
constexpr std::chrono::hours max_keep{24 * 400};
constexpr std::size_t max_lost_serials = 10'000;

std::string text_of(Timestamp time) { return std::to_string(bounded(time).time_since_epoch().count()); }

}  // namespace

Records::Place Records::place_of(const Origin& origin) const {
  const std::string tag = tag_of_host(origin.host);
  return {tag, link_.base_of(tag), origin.to_string()};
}

// "robotrules:{example.org}:r:https://www.example.org"
Records::Place Records::place_in(const std::string& key) {
  const auto begin = key.find('{') + 1;
  const auto end = key.find('}');
  return {key.substr(begin, end - begin), key.substr(0, end + 2), key.substr(end + 4)};
}

std::string Records::milliseconds_to_keep(Timestamp fresh_until) const {
  const microseconds fresh = std::clamp<microseconds>(bounded(fresh_until) - link_.now(), microseconds(0), max_keep);
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(fresh + keep_for).count());
}

Result<std::vector<std::string>> Records::pack(const Place& place, const RobotsRecord& record) const {
  std::string hash;
  std::string body;
  std::size_t size = 0;
  if (record.body != nullptr) {
    hash = base::hex(content_hash(*record.body));
    const Packed packed = pack_body(*record.body);
    body = static_cast<char>('0' + packed.coding) + packed.bytes;
    size = record.body->size();
  }
  std::string fields = pack_fields(record);
  if (fields.size() + body.size() > link_.settings().max_record_bytes) {
    return Error{"store-full", "The record of " + base::excerpt(place.origin) + " has " +
                                   std::to_string(fields.size() + body.size()) +
                                   " bytes, compressed, and a store in Redis takes " +
                                   std::to_string(link_.settings().max_record_bytes) +
                                   ": raise max_record_bytes in the name of the store"};
  }
  return std::vector<std::string>{place.base,
                                  place.origin,
                                  std::move(hash),
                                  std::move(body),
                                  std::to_string(size),
                                  std::move(fields),
                                  text_of(record.fetched_at),
                                  text_of(record.fresh_until),
                                  milliseconds_to_keep(record.fresh_until)};
}

Result<Record> Records::unpack(const Place& place, const Reply& reply) const {
  if (reply.items.size() < 8) return Record();
  const auto damaged = [&] {
    return Error{"store-damaged", "The record of " + base::excerpt(place.origin) +
                                      " in Redis cannot be read: delete the key " + base::excerpt(place.record())};
  };
  auto record = std::make_shared<RobotsRecord>();
  const auto fetched_at = time_in(reply.text_at(3));
  const auto fresh_until = time_in(reply.text_at(4));
  const auto size = number_in(reply.text_at(7));
  if (!unpack_fields(reply.text_at(2), *record) || !fetched_at || !fresh_until || !size) return damaged();
  record->fetched_at = *fetched_at;
  record->fresh_until = *fresh_until;
  if (record->body == nullptr) return Record(std::move(record));
  const std::string_view packed = reply.text_at(6);
  if (packed.empty()) return damaged();
  auto body = unpack_body(packed.front() - '0', packed.substr(1), *size);
  if (!body || base::hex(content_hash(*body)) != reply.text_at(5)) return damaged();
  record->body = std::make_shared<const std::string>(*std::move(body));
  return Record(std::move(record));
}

// --- one record ------------------------------------------------------------------------------------------------------

Result<Record> Records::find(const Origin& origin) {
  const auto known = cache_.find(origin);
  if (known && known->is_current) return known->record;
  const Place place = place_of(origin);
  const std::shared_lock lock(many_);
  const auto begun = cache_.begin_read();
  const std::string version = known ? known->version : std::string();
  const auto reply = link_.call(link_.function(place.tag, "read", {place.record()}, {place.base, version}));
  if (!reply) return reply.error();
  if (reply->items.size() == 2 && known) {
    cache_.put(origin, known->record, version, begun);
    return known->record;
  }
  auto record = unpack(place, reply.value());
  if (record) cache_.put(origin, record.value(), std::string(reply->text_at(1)), begun);
  return record;
}

Result<void> Records::put(const Origin& origin, const RobotsRecord& record, const RobotsLease* lease) {
  const Place place = place_of(origin);
  auto arguments = pack(place, record);
  if (!arguments) return arguments.error();
  arguments->insert(arguments->begin(), lease == nullptr ? std::string() : std::to_string(lease->fence));
  cache_.changed(origin);
  const auto reply =
      link_.call(link_.function(place.tag, "put", {place.record(), place.lease()}, std::move(arguments).value()));
  cache_.changed(origin);
  if (!reply) return reply.error();
  if (reply->number_at(1) != 1) return unknown_token(lease == nullptr ? 0 : lease->fence);
  return {};
}

Result<void> Records::set_fresh_until(const Origin& origin, Timestamp time) {
  const Place place = place_of(origin);
  cache_.changed(origin);
  const auto reply = link_.call(
      link_.function(place.tag, "refresh", {place.record()}, {text_of(time), milliseconds_to_keep(time), place.base}));
  cache_.changed(origin);
  return without_value(reply);
}

Result<bool> Records::erase(const Origin& origin) {
  const Place place = place_of(origin);
  cache_.changed(origin);
  const auto reply =
      link_.call(link_.function(place.tag, "erase", {place.record(), place.lease()}, {place.base, place.origin}));
  cache_.changed(origin);
  if (!reply) return reply.error();
  return reply->number_at(1) == 1;
}

std::string Records::take_serial(const std::string& origin) {
  const std::lock_guard lock(serials_mutex_);
  const auto lost = lost_serials_.extract(origin);
  return lost.empty() ? std::to_string(++last_serial_) : lost.mapped();
}

void Records::keep_serial(const std::string& origin, std::string serial) {
  const std::lock_guard lock(serials_mutex_);
  if (lost_serials_.size() >= max_lost_serials) lost_serials_.clear();
  lost_serials_.insert_or_assign(origin, std::move(serial));
}

Result<LeaseAnswer> Records::lease(const Origin& origin, microseconds length, std::uint64_t lost) {
  const Place place = place_of(origin);
  std::string serial = take_serial(place.origin);
  const auto reply = link_.call(
      link_.function(place.tag, "lease", {place.lease()}, {number(length.count()), serial, std::to_string(lost)}));
  if (!reply) {
    keep_serial(place.origin, std::move(serial));
    return reply.error();
  }
  const std::int64_t now = reply->number_at(0);
  if (reply->number_at(1) == 1) {
    // Another process may have fetched the file since this one has read the record. Then the record must be read again
    // before the file is fetched again, although its period is not over.
    cache_.changed(origin);
    return LeaseAnswer(
        RobotsLease{static_cast<std::uint64_t>(reply->number_at(2)), origin, link_.time_of(reply->number_at(3), now)});
  }
  return LeaseAnswer(Wait{link_.time_of(reply->number_at(2), now), gate_key(origin), WaitWhy::in_flight});
}

Result<void> Records::release(const RobotsLease& lease) {
  const Place place = place_of(lease.origin);
  const auto reply = link_.call(link_.function(place.tag, "release", {place.lease()}, {std::to_string(lease.fence)}));
  if (!reply) return reply.error();
  if (reply->number_at(1) != 1) return unknown_token(lease.fence);
  return {};
}

// --- many records ----------------------------------------------------------------------------------------------------

Result<std::uint64_t> Records::put_many(const std::vector<std::pair<Origin, RobotsRecord>>& records, bool newer_only) {
  struct Group {
    std::vector<std::string> keys;
    std::vector<std::string> arguments;
  };
  std::map<std::string, Group> groups;  // by tag; one server: a single group
  for (const auto& [origin, record] : records) {
    const Place place = place_of(origin);
    auto arguments = pack(place, record);
    if (!arguments) return arguments.error();
    Group& group = groups[link_.settings().cluster ? place.tag : Link::settings_tag];
    group.keys.push_back(place.record());
    std::ranges::move(arguments.value(), std::back_inserter(group.arguments));
  }
  std::vector<Call> calls;
  for (auto& [tag, group] : groups) {
    group.arguments.insert(group.arguments.begin(), newer_only ? "1" : "0");
    calls.push_back(link_.function(tag, "put_all", std::move(group.keys), std::move(group.arguments)));
  }
  const std::unique_lock lock(many_);
  cache_.all_changed();
  const auto answers = link_.call(calls);
  cache_.all_changed();
  std::uint64_t count = 0;
  for (const Answer& answer : answers) {
    if (!answer.reply) return answer.reply.error();
    count += static_cast<std::uint64_t>(answer.reply->number_at(1));
  }
  return count;
}

Result<void> Records::for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each) {
  const auto names = link_.keys("r");
  if (!names) return names.error();
  std::map<std::string, Place> places;  // in the order of the origins
  for (const std::string& name : names.value()) {
    Place place = place_in(name);
    places.emplace(place.origin, std::move(place));
  }
  for (auto next = places.begin(); next != places.end();) {
    std::vector<const Place*> asked;
    std::vector<Call> calls;
    for (; next != places.end() && asked.size() < rows_per_trip; ++next) {
      const Place& place = next->second;
      asked.push_back(&place);
      calls.push_back(link_.function(place.tag, "read", {place.record()}, {place.base, ""}));
    }
    const auto answers = link_.call(calls);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!answers[i].reply) return answers[i].reply.error();
      const auto record = unpack(*asked[i], answers[i].reply.value());
      if (!record) return record.error();
      const auto origin = Origin::of(asked[i]->origin);
      if (record.value() == nullptr || !origin) continue;
      if (!each(*origin, *record.value())) return {};
    }
  }
  return {};
}

Result<std::uint64_t> Records::erase_all(const std::vector<std::string>& before) {
  const auto names = link_.keys("r");
  if (!names) return names.error();
  cache_.all_changed();
  auto erased = link_.count_ones(names->size(), [&](std::size_t i) {
    const Place place = place_in(names.value()[i]);
    std::vector<std::string> arguments{place.base, place.origin};
    arguments.insert(arguments.end(), before.begin(), before.end());
    return link_.function(place.tag, "erase", {place.record(), place.lease()}, std::move(arguments));
  });
  cache_.all_changed();
  return erased;
}

Result<std::uint64_t> Records::prune(Timestamp before) { return erase_all({text_of(before)}); }
Result<void> Records::clear() { return without_value(erase_all({})); }

Result<void> Records::count(StoreStats& into) {
  const auto records = link_.keys("r");
  if (!records) return records.error();
  const auto bodies = link_.keys("b");
  if (!bodies) return bodies.error();
  into.origins = records->size();
  std::unordered_set<std::string_view> hashes;
  std::vector<Call> calls;
  for (const std::string& key : bodies.value()) {
    const auto end = key.find('}');
    if (!hashes.insert(std::string_view(key).substr(end + 4)).second) continue;
    const auto begin = key.find('{') + 1;
    calls.push_back({key.substr(begin, end - begin), {"HGET", key, "n"}, false});
  }
  into.bodies = hashes.size();
  for (std::size_t first = 0; first < calls.size(); first += rows_per_trip) {
    const auto begin = calls.begin() + static_cast<std::ptrdiff_t>(first);
    const auto size = static_cast<std::ptrdiff_t>(std::min(rows_per_trip, calls.size() - first));
    for (const Answer& answer : link_.servers().call(std::vector<Call>(begin, begin + size))) {
      if (!answer.reply) return answer.reply.error();
      into.body_bytes += static_cast<std::uint64_t>(number_in(answer.reply->text).value_or(0));
    }
  }
  return {};
}

}  // namespace robotrules::store::redis
