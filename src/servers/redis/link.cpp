#include "servers/redis/link.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <random>
#include <utility>

#include "base/hex.hpp"
#include "servers/redis/redis_library.hpp"
#include "servers/redis/redis_problems.hpp"
#include "servers/server_session.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store::redis {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds beat_pause{250};  // a quarter of SILENCE in guard.lua
constexpr milliseconds min_beat_timeout{300};
constexpr milliseconds max_beat_timeout{2'000};
// One node of a cluster that hangs must not keep the beat from the others for SILENCE.
constexpr milliseconds max_cluster_beat_timeout{600};
constexpr milliseconds slots_age{1'500};  // the slots of a cluster are read again after this time
constexpr milliseconds farewell_timeout{500};
constexpr std::string_view format = "1";  // of keys and rows
constexpr int min_version = 7;

// A name that no other process has; has_ended() in guard.lua reads its first part.
std::string new_owner() {
  std::random_device random;
  std::string bytes;
  for (int i = 0; i < 12; ++i) bytes += static_cast<char>(random() & 0xFFu);
  return std::string(library_id) + ":" + base::hex(bytes);
}

// The value of a line "name:value" in an answer to INFO.
std::string_view field(std::string_view info, std::string_view name) {
  const std::string start = "\n" + std::string(name) + ":";
  const auto at = info.find(start);
  if (at == std::string_view::npos) return {};
  const auto value = info.substr(at + start.size());
  return value.substr(0, value.find_first_of("\r\n"));
}

int leading_number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Fails if the server may not keep a store. Returns a warning, or an empty text.
Result<std::string> check(std::string_view info, const std::string& server) {
  const auto unsuitable = [&](const std::string& problem) {
    return Error{"store-unsuitable", "The Redis server " + server + problem};
  };
  // Valkey tells the version of Redis that it is compatible with, too.
  const auto version = field(info, "redis_version");
  if (leading_number(version) < min_version) {
    return unsuitable(" has the version " + std::string(version) + ": use Redis 7 or later, or Valkey");
  }
  if (field(info, "role") == "slave") {
    return Error{"store-read-only", "The Redis server " + server + " is a replica: give the address of the master " +
                                        std::string(field(info, "master_host")) + ":" +
                                        std::string(field(info, "master_port"))};
  }
  const auto policy = field(info, "maxmemory_policy");
  if (policy != "noeviction" && field(info, "maxmemory") != "0") {
    return unsuitable(" deletes keys when its memory is full (maxmemory-policy " + std::string(policy) +
                      "), so that sites would be visited too early: set maxmemory-policy to noeviction");
  }
  if (field(info, "aof_enabled") == "1") return std::string();
  return "The Redis server " + server +
         " writes no log of changes, so a restart loses penalties and records: set appendonly to yes";
}

std::string first_ever_warning(bool is_first) {
  const std::string remedy =
      "leave first_ever=1 out of the name of the store from now on: it is for its first use alone";
  if (!is_first) return "The store exists already, so first_ever=1 has no effect; " + remedy;
  return "A server that has lost all its data looks as new as this one did, and sites would be visited too early; " +
         remedy;
}

}  // namespace

std::string number(std::int64_t value) {
  constexpr std::int64_t max = (std::int64_t{1} << 53) - 1;
  return std::to_string(std::clamp(value, -max, max));
}
std::string number(Timestamp time) { return number(time.time_since_epoch().count()); }

Link::Link(Settings settings, const ServerStoreOptions& options, Seams seams, std::unique_ptr<Servers> servers)
    : settings_(std::move(settings)),
      options_(options),
      seams_(seams),
      owner_(new_owner()),
      name_((settings_.cluster            ? "cluster"
             : settings_.database.empty() ? "0"
                                          : settings_.database) +
            "/" + settings_.prefix),
      servers_(std::move(servers)),
      clock_(options.clock),
      beat_timeout_(min_beat_timeout) {}

Result<std::unique_ptr<Link>> Link::open(const Settings& settings, const ServerStoreOptions& options, Seams seams) {
  auto servers = Servers::open(settings, options.timeout);
  if (!servers) return servers.error();
  std::unique_ptr<Link> link(new Link(settings, options, seams, std::move(servers).value()));
  if (auto checked = link->check_servers(); !checked) return checked.error();
  const auto is_new = link->make_store();
  if (!is_new) return is_new.error();
  const bool is_first = settings.first_ever && is_new.value();
  if (settings.first_ever) {
    link->warning_ = first_ever_warning(is_first) + (link->warning_.empty() ? "" : ". ") + link->warning_;
  }
  const auto begun = std::chrono::steady_clock::now();
  for (const Answer& answer : link->touch(is_first ? "1" : "0", options.timeout)) {
    if (!answer.reply) return answer.reply.error();
  }
  const auto trip = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun);
  link->grow_beat_timeout(trip * 8);  // a new connection takes several trips
  return link;
}

Link::~Link() { stop(); }

void Link::start(Task task) {
  const milliseconds pause = std::min(
      beat_pause, std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(options_.owner_lease) / 3));
  beats_.start(pause, pause, [this, task = std::move(task)] {
    beat_once(task);
    return true;
  });
}

// The holds of this owner are its process's: a child does not end them.
void Link::stop() {
  if (beats_.stop()) static_cast<void>(touch("end", farewell_timeout));
}

Result<void> Link::check_servers() {
  for (const Answer& answer : servers_->on_masters({"INFO"})) {
    if (!answer.reply) return answer.reply.error();
    if (answer.reply->kind != Reply::Kind::text) return strange_reply(answer.node->name());
    auto warning = check(answer.reply->text, answer.node->name());
    if (!warning) return warning.error();
    if (warning_.empty()) warning_ = std::move(warning).value();
    if (!settings_.cluster && field(answer.reply->text, "cluster_enabled") == "1") {
      return Error{"store-name", "The Redis server " + answer.node->name() +
                                     " is a node of a cluster; write redis+cluster:// in place of redis://"};
    }
  }
  return {};
}

// Returns true if there was no store with this prefix.
Result<bool> Link::make_store() {
  const auto answer = servers_->call(settings_tag, {"HSETNX", settings_key(), "format", std::string(format)});
  if (!answer.reply) return answer.reply.error();
  if (answer.reply->number == 1) return true;
  const auto kept = servers_->call(settings_tag, {"HGET", settings_key(), "format"});
  if (!kept.reply) return kept.reply.error();
  if (kept.reply->text == format) return false;
  return Error{"store-newer", "The store with the prefix " + settings_.prefix + " on the Redis server " +
                                  kept.node->name() +
                                  " was written by a newer version: use that version, or give "
                                  "another prefix: ?prefix=NAME"};
}

// --- calls -----------------------------------------------------------------------------------------------------------

std::string Link::base_of(std::string_view tag) const {
  return std::string(settings_.prefix).append(":{").append(tag).append("}:");
}

Call Link::function(std::string tag, std::string_view name, std::vector<std::string> keys,
                    std::vector<std::string> arguments) const {
  Call call{std::move(tag), {}, false};
  call.command.reserve(7 + keys.size() + arguments.size());
  call.command.push_back("FCALL");
  call.command.push_back(function_name(name));
  call.command.push_back(std::to_string(keys.size()));
  std::ranges::move(keys, std::back_inserter(call.command));
  call.command.push_back(name_);
  call.command.push_back(owner_);
  call.command.push_back(number(microseconds(options_.owner_lease).count()));
  call.command.push_back(options_.clock ? number(options_.clock()) : std::string());
  std::ranges::move(arguments, std::back_inserter(call.command));
  return call;
}

void Link::note(const std::vector<Answer>& answers, bool of_all_servers) {
  const Error* failed = nullptr;
  for (const Answer& answer : answers) {
    if (!answer.reply) {
      if (is_passing(answer.reply.error())) failed = &answer.reply.error();
    } else if (const Timestamp time{microseconds(answer.reply->number_at(0))}; time > Timestamp() && is_sound(time)) {
      clock_.set(time);
    }
  }
  if (failed != nullptr) {
    health_.failed(now(), failed->message);
  } else if (of_all_servers) {
    health_.answered();
  }
}

std::vector<Answer> Link::call(const std::vector<Call>& calls, std::optional<milliseconds> timeout) {
  auto answers = servers_->call(calls, timeout);
  for (Answer& answer : answers) {
    if (answer.reply && answer.reply->kind != Reply::Kind::list) answer.reply = strange_reply(answer.node->name());
  }
  note(answers, !settings_.cluster);
  return answers;
}

Result<std::uint64_t> Link::count_ones(std::size_t size, const std::function<Call(std::size_t)>& make,
                                       std::optional<milliseconds> timeout) {
  std::uint64_t count = 0;
  std::optional<Error> damaged;
  for (std::size_t next = 0; next < size;) {
    std::vector<Call> calls;
    while (next < size && calls.size() < rows_per_trip) calls.push_back(make(next++));
    for (const Answer& answer : call(calls, timeout)) {
      if (!answer.reply && answer.reply.error().code != "store-damaged") return answer.reply.error();
      if (!answer.reply) damaged = answer.reply.error();
      if (answer.reply && answer.reply->number_at(1) == 1) ++count;
    }
  }
  return damaged ? Result<std::uint64_t>(*std::move(damaged)) : count;
}

Result<Reply> Link::call(const Call& one) { return std::move(call(std::vector<Call>{one}).front().reply); }

Result<std::vector<std::string>> Link::keys(std::string_view kind) {
  const std::string pattern = settings_.prefix + ":{*}:" + std::string(kind) + ":*";
  std::vector<std::string> names;
  for (const auto& node : servers_->masters()) {
    std::string cursor = "0";
    do {
      const auto answer = servers_->on_node(node, {"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"});
      if (!answer.reply) return answer.reply.error();
      const Reply& reply = answer.reply.value();
      if (reply.items.size() != 2) return strange_reply(node->name());
      cursor = reply.text_at(0);
      for (const Reply& name : reply.items[1].items) names.push_back(name.text);
    } while (cursor != "0");
  }
  std::ranges::sort(names);
  const auto doubles = std::ranges::unique(names);
  names.erase(doubles.begin(), doubles.end());
  return names;
}

// --- time and life ---------------------------------------------------------------------------------------------------

Timestamp Link::time_of(std::int64_t time, std::int64_t node_now) const {
  if (clock_.scripted()) return Timestamp(microseconds(time));
  constexpr std::int64_t max = std::int64_t{1} << 60;
  return clock_.now() + microseconds(std::clamp(time, -max, max) - std::clamp(node_now, -max, max));
}

std::optional<microseconds> Link::max_answer_time() const {
  if (clock_.scripted()) return std::nullopt;
  return std::min<microseconds>(seams_.max_answer_time, microseconds(options_.owner_lease) / 2);
}

std::vector<Answer> Link::touch(std::string_view word, milliseconds timeout) {
  const auto command_for = [&](const std::string& tag) {
    std::vector<std::string> keys;
    if (!tag.empty()) keys.push_back(base_of(tag) + "e");
    return function({}, "touch", std::move(keys), {std::string(word)}).command;
  };
  auto answers = servers_->probe_masters(command_for, timeout);
  for (Answer& answer : answers) {
    if (!answer.reply) continue;
    if (answer.reply->items.size() != 4) {
      answer.reply = strange_reply(answer.node->name());
    } else {
      const bool is_lost = answer.node->answered(answer.reply->number_at(2), answer.reply->number_at(3));
      if (is_lost) ++losses_;
    }
  }
  note(answers, true);
  return answers;
}

void Link::grow_beat_timeout(milliseconds least) {
  beat_timeout_ = std::clamp(least, beat_timeout_, settings_.cluster ? max_cluster_beat_timeout : max_beat_timeout);
}

void Link::beat_once(const Task& task) {
  const auto answers = touch("0", std::min(beat_timeout_, options_.timeout));
  servers_->refresh(slots_age);
  // The server may only be far away.
  if (std::ranges::any_of(answers, [](const Answer& answer) { return !answer.reply; })) {
    grow_beat_timeout(beat_timeout_ * 2);
  }
  task(std::min(beat_timeout_, options_.timeout));
}

Result<std::optional<Timestamp>> Link::just_visited() {
  std::optional<Timestamp> latest;
  if (!seams_.guard) return latest;
  for (const Answer& answer : touch("0", options_.timeout)) {
    if (!answer.reply) return answer.reply.error();
    const std::int64_t mark = answer.reply->number_at(1);
    if (mark <= never) continue;
    const Timestamp time = time_of(mark, answer.reply->number_at(0));
    latest = latest ? std::max(*latest, time) : time;
  }
  return latest;
}

StoreHealth Link::health() const {
  StoreHealth health = health_.health();
  if (!health.problem.empty()) return health;
  health.problem = warning_;
  if (const auto count = servers_->unreplicated(); count > 0) {
    health.problem = std::to_string(count) +
                     " penalties were on no replica of the Redis server after half a second, so a failover may lose "
                     "them if this process ends too: see that the replicas follow";
  }
  return health;
}

}  // namespace robotrules::store::redis
