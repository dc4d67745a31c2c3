#include "servers/redis/servers.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>
#include <utility>

#include "servers/redis/redis_library.hpp"
#include "servers/redis/redis_problems.hpp"

namespace robotrules::store::redis {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::uint16_t no_master = 0xFFFF;
constexpr milliseconds refresh_pause{200};    // between two readings of the slots
constexpr milliseconds refresh_timeout{500};  // for one node to tell the slots
constexpr milliseconds busy_pause{20};        // before a call is made again on a slot that is being moved
constexpr int max_rounds = 200;

bool lacks_function(const Reply& reply) {
  return reply.is_error() && reply.text.find("Function not found") != std::string::npos;
}

// Turns a reply that is an error into that error.
void say_problem(Answer& answer) {
  if (answer.reply && answer.reply->is_error()) answer.reply = problem_of(answer.reply.value(), answer.node->name());
}

// Returns for each master the first number whose slot it has, as a tag.
std::vector<std::string> tags_on(const std::vector<std::uint16_t>& slots, std::size_t masters) {
  constexpr int last = 100'000;
  std::vector<std::string> tags(masters);
  std::size_t left = masters;
  for (int i = 0; i < last && left > 0; ++i) {
    std::string tag = std::to_string(i);
    const std::uint16_t place = slots[slot_of(tag)];
    if (place == no_master || !tags[place].empty()) continue;
    tags[place] = std::move(tag);
    --left;
  }
  return tags;
}

// "MOVED 3999 127.0.0.1:6381", "ASK 3999 :6381": the host of a node that does not know its own is left out.
std::optional<ServerAddress> address_in(const Reply& reply, const ServerAddress& asked) {
  const auto space = reply.text.rfind(' ');
  const auto colon = reply.text.rfind(':');
  if (space == std::string::npos || colon == std::string::npos || colon < space) return std::nullopt;
  ServerAddress address{reply.text.substr(space + 1, colon - space - 1), 0};
  const char* const end = reply.text.data() + reply.text.size();
  const auto [stop, fault] = std::from_chars(reply.text.data() + colon + 1, end, address.port);
  if (fault != std::errc() || stop != end || address.port == 0) return std::nullopt;
  if (address.host.empty()) address.host = asked.host;
  return address;
}

}  // namespace

Servers::Servers(std::unique_ptr<Connector> connector, const Settings& settings, milliseconds timeout)
    : connector_(std::move(connector)),
      is_cluster_(settings.cluster),
      seeds_(settings.addresses),
      timeout_(timeout),
      process_(getpid()),
      slots_(slot_count, is_cluster_ ? no_master : std::uint16_t{0}) {}

Result<std::unique_ptr<Servers>> Servers::open(const Settings& settings, milliseconds timeout) {
  auto connector = Connector::make(settings);
  if (!connector) return connector.error();
  std::unique_ptr<Servers> servers(new Servers(std::move(connector).value(), settings, timeout));
  const Deadline deadline = Clock::now() + timeout;
  if (settings.cluster) {
    if (auto read = servers->read_slots(deadline); !read) return read.error();
  } else {
    servers->masters_.push_back(servers->node_at(settings.addresses.front()));
    servers->tags_.emplace_back();
  }
  return servers;
}

std::shared_ptr<Node> Servers::node_at(const ServerAddress& address) {
  const std::lock_guard lock(mutex_);
  auto& node = nodes_[address.text()];
  if (node == nullptr) node = std::make_shared<Node>(*connector_, address);
  return node;
}

std::shared_ptr<Node> Servers::node_of(const std::string& tag) const {
  const std::lock_guard lock(mutex_);
  if (!is_cluster_) return masters_.front();
  const std::uint16_t place = slots_[slot_of(tag)];
  return place == no_master ? nullptr : masters_[place];
}

std::vector<std::shared_ptr<Node>> Servers::masters() const {
  const std::lock_guard lock(mutex_);
  return masters_;
}

// --- the slots of a cluster ------------------------------------------------------------------------------------------

Result<void> Servers::read_slots(Deadline deadline) {
  std::vector<std::shared_ptr<Node>> known = masters();
  for (const ServerAddress& seed : seeds_) known.push_back(node_at(seed));
  std::ranges::stable_partition(known, [](const auto& node) { return !node->is_silent(); });
  Error last = unreachable(seeds_.front().text(), "no node of the cluster answers");
  is_stale_ = false;
  for (const auto& node : known) {
    const Deadline end = std::min(deadline, Clock::now() + refresh_timeout);
    std::vector<Answer> answers(1);
    run({{"", {"CLUSTER", "SLOTS"}, false}}, {0}, {{node}}, answers, end, true);
    const Result<Reply>& reply = answers.front().reply;
    if (!reply) {
      last = reply.error();
    } else if (reply->is_error()) {
      last = problem_of(reply.value(), node->name());
      if (reply->text.find("cluster support disabled") != std::string::npos) {
        last = {"store-name", "The Redis server " + node->name() +
                                  " is not a node of a cluster; write redis:// in place of redis+cluster://"};
      }
    } else if (take_slots(reply.value(), node->address())) {
      return {};
    } else {
      last = unreachable(node->name(), "the cluster has no slots yet");
    }
  }
  is_stale_ = true;
  return last;
}

// Each item: the first slot, the last one, the master (host, port, id), its replicas.
bool Servers::take_slots(const Reply& reply, const ServerAddress& asked) {
  std::vector<std::shared_ptr<Node>> masters;
  std::vector<std::uint16_t> slots(slot_count, no_master);
  for (const Reply& range : reply.items) {
    if (range.items.size() < 3) continue;
    const Reply& master = range.items[2];
    const std::int64_t first = range.number_at(0, -1);
    const std::int64_t last = range.number_at(1, -1);
    const std::int64_t port = master.number_at(1);
    if (first < 0 || last < first || last >= static_cast<std::int64_t>(slot_count) || port <= 0 || port > 65'535) {
      continue;
    }
    ServerAddress address{std::string(master.text_at(0)), static_cast<std::uint16_t>(port)};
    if (address.host.empty() || address.host == "?") address.host = asked.host;
    const auto node = node_at(address);
    auto place = std::ranges::find(masters, node);
    if (place == masters.end()) place = masters.insert(masters.end(), node);
    std::fill(slots.begin() + first, slots.begin() + last + 1, static_cast<std::uint16_t>(place - masters.begin()));
  }
  if (masters.empty()) return false;
  const std::lock_guard lock(mutex_);
  read_at_ = Clock::now();
  if (masters != masters_ || slots != slots_) {
    masters_ = std::move(masters);
    slots_ = std::move(slots);
    tags_ = tags_on(slots_, masters_.size());
  }
  masters.clear();
  // Nodes of which the cluster does not speak any more are forgotten, unless a call uses them.
  std::erase_if(nodes_, [](const auto& node) { return node.second.use_count() == 1; });
  return true;
}

void Servers::refresh(std::optional<milliseconds> max_age) {
  if (!is_cluster_) return;
  {
    const std::lock_guard lock(mutex_);
    const auto age = Clock::now() - read_at_;
    if (age < refresh_pause || (!is_stale_ && !(max_age && age > *max_age))) return;
  }
  static_cast<void>(read_slots(Clock::now() + timeout_));
}

// --- calls -----------------------------------------------------------------------------------------------------------

Result<void> Servers::load_library(const std::shared_ptr<Node>& node, Deadline deadline) {
  std::vector<Answer> answers(1);
  run({{"", {"FUNCTION", "LOAD", std::string(library_source)}, false}}, {0}, {{node}}, answers, deadline, true);
  const Result<Reply>& reply = answers.front().reply;
  if (!reply) return reply.error();
  if (!reply->is_error() || reply->text.find("already exists") != std::string::npos) return {};
  return problem_of(reply.value(), node->name());
}

std::optional<Servers::Target> Servers::next_target(const Call& call, const Answer& answer, Deadline deadline,
                                                    bool& pauses) {
  if (answer.node == nullptr || !answer.reply) {
    // A node that has refused the connection may have been replaced.
    if (!is_cluster_ || answer.may_be_executed) return std::nullopt;
    refresh();
    const auto node = node_of(call.tag);
    return node == nullptr || node == answer.node ? std::nullopt : std::optional(Target{node});
  }
  const Reply& reply = answer.reply.value();
  if (lacks_function(reply)) {
    return load_library(answer.node, deadline) ? std::optional(Target{answer.node}) : std::nullopt;
  }
  if (!is_cluster_) return std::nullopt;
  if (reply.is_error("ASK")) {
    const auto address = address_in(reply, answer.node->address());
    return address ? std::optional(Target{node_at(*address), true}) : std::nullopt;
  }
  if (reply.is_error("MOVED")) {
    is_stale_ = true;
    refresh();
    const auto address = address_in(reply, answer.node->address());
    return address ? std::optional(Target{node_at(*address)}) : std::nullopt;
  }
  if (reply.is_error("TRYAGAIN")) {
    pauses = true;
    return Target{answer.node};
  }
  if (reply.is_error("CLUSTERDOWN") || reply.is_error("READONLY")) is_stale_ = true;
  return std::nullopt;
}

std::vector<Answer> Servers::call(const std::vector<Call>& calls, std::optional<milliseconds> timeout) {
  const Deadline deadline = Clock::now() + timeout.value_or(timeout_);
  refresh();
  std::vector<Answer> answers(calls.size());
  std::vector<std::size_t> places;
  std::vector<Target> targets;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto node = node_of(calls[i].tag);
    if (node == nullptr) {
      answers[i] = {unreachable(seeds_.front().text(), "no node of the cluster has this slot"), nullptr, false};
      is_stale_ = true;
      continue;
    }
    places.push_back(i);
    targets.push_back({std::move(node)});
  }
  for (int round = 0; round < max_rounds && !places.empty(); ++round) {
    run(calls, places, targets, answers, deadline, false);
    std::vector<std::size_t> again;
    std::vector<Target> next;
    bool pauses = false;
    for (const std::size_t place : places) {
      if (Clock::now() >= deadline) break;
      if (auto target = next_target(calls[place], answers[place], deadline, pauses)) {
        again.push_back(place);
        next.push_back(*std::move(target));
      }
    }
    places = std::move(again);
    targets = std::move(next);
    // While the owner of a slot changes, two nodes may each name the other one.
    if (pauses || round > 3) std::this_thread::sleep_for(busy_pause);
  }
  for (Answer& answer : answers) say_problem(answer);
  return answers;
}

Answer Servers::call(std::string tag, Command command) {
  return call({{std::move(tag), std::move(command), false}}).front();
}

std::vector<Answer> Servers::on_nodes(const std::vector<std::shared_ptr<Node>>& nodes,
                                      const std::vector<Command>& commands, milliseconds timeout, bool is_probe) {
  const Deadline deadline = Clock::now() + timeout;
  std::vector<Call> calls;
  std::vector<std::size_t> places;
  std::vector<Target> targets;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    calls.push_back({"", commands[i], false});
    places.push_back(i);
    targets.push_back({nodes[i]});
  }
  std::vector<Answer> answers(nodes.size());
  run(calls, places, targets, answers, deadline, is_probe);
  std::vector<std::size_t> again;
  std::vector<Target> next;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].reply || !lacks_function(answers[i].reply.value())) continue;
    if (auto loaded = load_library(nodes[i], deadline); !loaded) {
      answers[i] = {loaded.error(), nodes[i], false};
      continue;
    }
    again.push_back(i);
    next.push_back({nodes[i]});
  }
  if (!again.empty()) run(calls, again, next, answers, deadline, is_probe);
  return answers;
}

std::vector<Answer> Servers::on_masters(const Command& command) {
  const auto nodes = masters();
  auto answers = on_nodes(nodes, std::vector<Command>(nodes.size(), command), timeout_, false);
  for (Answer& answer : answers) say_problem(answer);
  return answers;
}

std::vector<Answer> Servers::probe_masters(const std::function<Command(const std::string& tag)>& command_for,
                                           milliseconds timeout) {
  std::vector<std::shared_ptr<Node>> nodes;
  std::vector<std::string> tags;
  {
    const std::lock_guard lock(mutex_);
    nodes = masters_;
    tags = tags_;
  }
  std::vector<Answer> answers(nodes.size());
  const auto probe = [&](const std::vector<std::size_t>& places) {
    std::vector<std::shared_ptr<Node>> asked;
    std::vector<Command> commands;
    for (const std::size_t place : places) {
      asked.push_back(nodes[place]);
      commands.push_back(command_for(tags[place]));
    }
    auto got = on_nodes(asked, commands, timeout, true);
    for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = std::move(got[i]);
  };
  std::vector<std::size_t> awake;
  std::vector<std::size_t> silent;
  for (std::size_t i = 0; i < nodes.size(); ++i) (nodes[i]->is_silent() ? silent : awake).push_back(i);
  if (!awake.empty()) probe(awake);
  for (const std::size_t place : silent) probe({place});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Result<Reply>& reply = answers[i].reply;
    if (!reply || !reply->is_error()) continue;
    is_stale_ = is_cluster_;
    if (!tags[i].empty() && (reply->is_error("MOVED") || reply->is_error("ASK") || reply->is_error("TRYAGAIN"))) {
      tags[i].clear();
      probe({i});
    }
    say_problem(answers[i]);
  }
  return answers;
}

Answer Servers::on_node(const std::shared_ptr<Node>& node, Command command) {
  std::vector<Answer> answers(1);
  run({{"", std::move(command), false}}, {0}, {{node}}, answers, Clock::now() + timeout_, false);
  say_problem(answers.front());
  return std::move(answers.front());
}

}  // namespace robotrules::store::redis
