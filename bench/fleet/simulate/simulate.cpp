// A simulation of a fleet: many workers ask the gate on several server nodes, and a virtual clock jumps from event to
// event. The gate's decisions are those of the real code (store/gate_row.hpp); servers, networks and sites are
// modelled.
//
//     build/bench/bin/robotrules_simulate --rate 100000 --workers 400 --nodes 8 --node-calls 120000
//
// The model:
//   - Each key (site) has URLs without end, and `--sharing` workers ask for it, so they compete at the gate.
//   - A worker collects its calls and sends one batch a node; the next batch goes out when the answer is there.
//   - A node makes the calls one after the other, each in 1 / --node-calls seconds. Measure this figure first
//     (bench/fleet/README.md).
//   - With --failovers, a node dies: it loses the writes of the last --lag milliseconds, is away for --outage
//     milliseconds, and comes back as another process. With the guard, it counts every key as just visited then.
// A request is early if a site gets it sooner than the interval after the request before. Exit status 1: there was one.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/gate_row.hpp"

namespace robotrules::bench {
namespace {

using std::chrono::microseconds;
using store::GateRow;

// Microseconds of the virtual clock.
using Micros = std::int64_t;

struct Settings {
  double rate = 10'000;  // requests a second that all workers together want to send
  double sites = 0;      // sites that are being visited; 0: as many as the rate needs. The rate follows from them
  double workers = 40;   // processes
  double nodes = 4;      // masters of the cluster
  double node_calls = 100'000;  // calls of the gate a second that one node can make
  double sharing = 2;           // workers that ask for the same key
  double interval = 10;         // seconds between requests to a site
  double latency = 300;         // milliseconds; median time of a response
  double round_trip = 500;      // microseconds between a worker and a node
  double batch = 256;           // max. calls in a batch
  double seconds = 60;          // virtual
  double failovers = 0;         // in this time, one after the other over all nodes
  double lag = 300;             // milliseconds of writes that a failover loses
  double outage = 2'000;        // milliseconds until the replica is promoted
  double guard = 1;             // 0: a promoted replica does not count keys as just visited
  double seed = 1;
};

struct Flag {
  std::string_view name;
  double Settings::* value;
};
constexpr Flag flags[] = {
    {"--rate", &Settings::rate},
    {"--sites", &Settings::sites},
    {"--workers", &Settings::workers},
    {"--nodes", &Settings::nodes},
    {"--node-calls", &Settings::node_calls},
    {"--sharing", &Settings::sharing},
    {"--interval", &Settings::interval},
    {"--latency", &Settings::latency},
    {"--round-trip", &Settings::round_trip},
    {"--batch", &Settings::batch},
    {"--seconds", &Settings::seconds},
    {"--failovers", &Settings::failovers},
    {"--lag", &Settings::lag},
    {"--outage", &Settings::outage},
    {"--guard", &Settings::guard},
    {"--seed", &Settings::seed},
};

Timestamp at(Micros time) { return Timestamp(std::chrono::days(20'000) + microseconds(time)); }
Micros micros(Timestamp time) { return (time - at(0)).count(); }

// One key as a worker sees it: it asks, waits, fetches, and asks again.
struct Visitor {
  std::uint32_t key = 0;
  std::uint32_t worker = 0;
};

struct Key {
  GateRow row;
  Micros last_sent = -1;  // by the site's own log
};

struct Call {
  std::uint32_t visitor = 0;
  bool is_end = false;
  Token token;  // of an end
};

struct Batch {
  std::vector<Call> calls;
  std::vector<Micros> until;   // of each ask: when to ask again; 0: granted
  std::vector<Token> granted;  // one a call; empty keys: not granted
  bool is_lost = false;
};

struct Node {
  Micros free_at = 0;
  Micros away_until = 0;
  Micros busy = 0;
  std::uint64_t calls = 0;
  std::uint64_t fence = 0;
  std::optional<Timestamp> just_visited;
  struct Undo {
    Micros time = 0;
    std::uint32_t key = 0;
    GateRow row;
  };
  std::deque<Undo> undo;  // the writes of the last `lag`
};

struct Worker {
  std::map<std::uint32_t, std::deque<Call>> waiting;  // by node
  std::vector<bool> is_asking;                        // by node
};

class Simulation {
 public:
  explicit Simulation(const Settings& settings)
      : settings_(settings), random_(static_cast<std::uint64_t>(settings.seed)) {
    const double cycle = settings.interval + settings.latency * 1.13 / 1'000;  // the mean of the log-normal times
    const auto keys =
        static_cast<std::size_t>(std::max(1.0, settings.sites > 0 ? settings.sites : settings.rate * cycle));
    wanted_ = static_cast<double>(keys) / cycle;
    keys_.resize(keys);
    nodes_.resize(static_cast<std::size_t>(settings.nodes));
    workers_.resize(static_cast<std::size_t>(settings.workers));
    for (Worker& worker : workers_) worker.is_asking.resize(nodes_.size());
    request_.interval = microseconds(static_cast<Micros>(settings.interval * 1e6));
    request_.from_start = false;
    request_.keys = {"key"};
    std::uniform_int_distribution<Micros> start(0, request_.interval.count());
    std::uniform_int_distribution<std::uint32_t> any_worker(0, static_cast<std::uint32_t>(workers_.size() - 1));
    for (std::uint32_t key = 0; key < keys; ++key) {
      const Micros first = start(random_);
      for (int i = 0; i < static_cast<int>(settings.sharing); ++i) {
        visitors_.push_back({key, any_worker(random_)});
        add(first, [this, visitor = static_cast<std::uint32_t>(visitors_.size() - 1)] { ask(visitor); });
      }
    }
    for (int i = 0; i < static_cast<int>(settings.failovers); ++i) {
      const double share = (i + 1) / (settings.failovers + 1);
      add(static_cast<Micros>(settings.seconds * 1e6 * share),
          [this, node = static_cast<std::size_t>(i) % nodes_.size()] { fail_over(nodes_[node], node); });
    }
  }

  void run() {
    const auto end = static_cast<Micros>(settings_.seconds * 1e6);
    while (!events_.empty() && events_.top().time <= end) {
      const Event next = events_.top();
      events_.pop();
      now_ = next.time;
      auto task = std::move(tasks_[next.task]);
      free_tasks_.push_back(next.task);
      task();
    }
  }

  void report() const {
    const double seconds = settings_.seconds;
    std::uint64_t calls = 0;
    double busiest = 0;
    for (const Node& node : nodes_) {
      calls += node.calls;
      busiest = std::max(busiest, static_cast<double>(node.busy) / (seconds * 1e6));
    }
    auto delays = delays_;
    std::sort(delays.begin(), delays.end());
    const auto delay = [&](double share) {
      return delays.empty() ? 0.0
                            : static_cast<double>(
                                  delays[static_cast<std::size_t>(share * static_cast<double>(delays.size() - 1))]) /
                                  1'000;
    };
    std::printf("keys active        %zu\n", keys_.size());
    std::printf("requests           %.0f a second (wanted %.0f)\n", static_cast<double>(sent_) / seconds, wanted_);
    std::printf("calls of the gate  %.0f a second, %.2f a request\n", static_cast<double>(calls) / seconds,
                sent_ == 0 ? 0.0 : static_cast<double>(calls) / static_cast<double>(sent_));
    std::printf("busiest node       %.0f %% of its time\n", busiest * 100);
    std::printf("answer of the gate %.1f ms median, %.1f ms 99 %%\n", delay(0.5), delay(0.99));
    std::printf("failovers          %.0f, %llu writes lost\n", settings_.failovers,
                static_cast<unsigned long long>(lost_writes_));
    std::printf("early requests     %llu of %llu\n", static_cast<unsigned long long>(early_),
                static_cast<unsigned long long>(sent_));
  }
  bool has_early() const noexcept { return early_ != 0; }

 private:
  struct Event {
    Micros time = 0;
    std::uint64_t number = 0;  // events of the same time happen in their order
    std::uint32_t task = 0;
    bool operator>(const Event& other) const noexcept {
      return std::pair(time, number) > std::pair(other.time, other.number);
    }
  };

  template <class Task>
  void add(Micros time, Task task) {
    std::uint32_t place = static_cast<std::uint32_t>(tasks_.size());
    if (free_tasks_.empty()) {
      tasks_.emplace_back(std::move(task));
    } else {
      place = free_tasks_.back();
      free_tasks_.pop_back();
      tasks_[place] = std::move(task);
    }
    events_.push({time, ++number_, place});
  }

  std::size_t node_of(std::uint32_t visitor) const { return visitors_[visitor].key % nodes_.size(); }

  void ask(std::uint32_t visitor) { call({visitor, false, {}}); }

  void call(Call call) {
    const auto node = static_cast<std::uint32_t>(node_of(call.visitor));
    const std::uint32_t worker = visitors_[call.visitor].worker;
    workers_[worker].waiting[node].push_back(std::move(call));
    if (workers_[worker].is_asking[node]) return;
    workers_[worker].is_asking[node] = true;
    add(now_, [this, worker, node] { send_batch(worker, node); });
  }

  void send_batch(std::uint32_t worker, std::uint32_t node) {
    auto& waiting = workers_[worker].waiting[node];
    if (waiting.empty()) {
      workers_[worker].is_asking[node] = false;
      return;
    }
    auto batch = std::make_shared<Batch>();
    // Ends first, as the desk does it.
    std::stable_partition(waiting.begin(), waiting.end(), [](const Call& call) { return call.is_end; });
    while (!waiting.empty() && static_cast<double>(batch->calls.size()) < settings_.batch) {
      batch->calls.push_back(std::move(waiting.front()));
      waiting.pop_front();
    }
    const auto way = static_cast<Micros>(settings_.round_trip / 2);
    const Micros sent = now_;
    add(now_ + way, [this, worker, node, batch, sent, way] { arrive(worker, node, batch, sent, way); });
  }

  void arrive(std::uint32_t worker, std::uint32_t number, const std::shared_ptr<Batch>& batch, Micros sent,
              Micros way) {
    Node& node = nodes_[number];
    if (now_ < node.away_until) {  // the connection is lost; the worker tries again in a quarter of a second
      batch->is_lost = true;
      return add(now_ + 250'000, [this, worker, number, batch] { answered(worker, number, *batch); });
    }
    node.free_at = std::max(node.free_at, now_);
    const auto each = 1e6 / settings_.node_calls;
    const auto work = static_cast<Micros>(std::ceil(each * static_cast<double>(batch->calls.size())));
    node.free_at += work;
    node.busy += work;
    add(node.free_at, [this, worker, number, batch, sent, way] {
      Node& served = nodes_[number];
      if (now_ < served.away_until) {  // it died meanwhile
        batch->is_lost = true;
      } else {
        decide(served, *batch);
      }
      delays_.push_back(now_ + way - sent);
      add(now_ + way, [this, worker, number, batch] { answered(worker, number, *batch); });
    });
  }

  void decide(Node& node, Batch& batch) {
    batch.until.resize(batch.calls.size());
    batch.granted.resize(batch.calls.size());
    for (std::size_t i = 0; i < batch.calls.size(); ++i) {
      const Call& call = batch.calls[i];
      Key& key = keys_[visitors_[call.visitor].key];
      ++node.calls;
      remember(node, visitors_[call.visitor].key, key.row);
      if (call.is_end) {
        store::complete(key.row, call.token, {.status = 200, .retry_after = {}, .latency = {}}, at(now_));
        continue;
      }
      const auto obstacle = store::find_obstacle(key.row, request_, at(now_), node.just_visited);
      if (obstacle) {
        // A request in flight: its end is not known, so ask again soon, as a robot does.
        const Micros poll = now_ + 100'000;
        batch.until[i] =
            obstacle->why == WaitWhy::in_flight ? std::min(poll, micros(obstacle->until)) : micros(obstacle->until);
        continue;
      }
      store::grant(key.row, request_, ++node.fence, at(now_));
      batch.granted[i] = store::token_for(request_, node.fence, at(now_));
    }
  }

  void remember(Node& node, std::uint32_t key, const GateRow& row) {
    if (settings_.failovers == 0) return;
    node.undo.push_back({now_, key, row});
    while (node.undo.front().time < now_ - static_cast<Micros>(settings_.lag * 1'000)) node.undo.pop_front();
  }

  void answered(std::uint32_t worker, std::uint32_t node, Batch& batch) {
    for (std::size_t i = 0; i < batch.calls.size(); ++i) {
      Call& call = batch.calls[i];
      if (batch.is_lost) {
        workers_[worker].waiting[node].push_back(std::move(call));
      } else if (call.is_end) {
        ask(call.visitor);
      } else if (batch.granted[i].keys.empty()) {
        add(std::max(now_, batch.until[i]), [this, visitor = call.visitor] { ask(visitor); });
      } else {
        send_request(call.visitor, std::move(batch.granted[i]));
      }
    }
    send_batch(worker, node);
  }

  void send_request(std::uint32_t visitor, Token token) {
    Key& key = keys_[visitors_[visitor].key];
    if (key.last_sent >= 0 && now_ - key.last_sent < request_.interval.count()) ++early_;
    key.last_sent = now_;
    ++sent_;
    const auto took = static_cast<Micros>(settings_.latency * 1'000 * std::exp(0.5 * normal_(random_)));
    auto kept = std::make_shared<Token>(std::move(token));
    add(now_ + took, [this, visitor, kept] { call({visitor, true, std::move(*kept)}); });
  }

  void fail_over(Node& node, std::size_t number) {
    const Micros lost_since = now_ - static_cast<Micros>(settings_.lag * 1'000);
    while (!node.undo.empty() && node.undo.back().time >= lost_since) {
      keys_[node.undo.back().key].row = std::move(node.undo.back().row);
      node.undo.pop_back();
      ++lost_writes_;
    }
    node.away_until = now_ + static_cast<Micros>(settings_.outage * 1'000);
    node.free_at = node.away_until;
    if (settings_.guard != 0) {
      add(node.away_until, [this, number] { nodes_[number].just_visited = at(now_) + max_grant_age; });
    }
  }

  const Settings settings_;
  double wanted_ = 0;  // requests a second
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  ReserveRequest request_;
  std::vector<Key> keys_;
  std::vector<Visitor> visitors_;
  std::vector<Node> nodes_;
  std::vector<Worker> workers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::function<void()>> tasks_;
  std::vector<std::uint32_t> free_tasks_;
  std::vector<Micros> delays_;  // of the batches
  Micros now_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t early_ = 0;
  std::uint64_t lost_writes_ = 0;
};

int refuse(std::string_view what) {
  std::fprintf(stderr, "simulate: %.*s; the flags, each with a number, are:", static_cast<int>(what.size()),
               what.data());
  for (const Flag& flag : flags) std::fprintf(stderr, " %.*s", static_cast<int>(flag.name.size()), flag.name.data());
  std::fprintf(stderr, "\n");
  return 2;
}

}  // namespace

int simulate(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto* const flag =
        std::find_if(std::begin(flags), std::end(flags), [name](const Flag& one) { return one.name == name; });
    if (flag == std::end(flags)) return refuse(std::string(name) + " is not a flag");
    const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    const auto read = std::from_chars(value.data(), value.data() + value.size(), settings.*flag->value);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size() || settings.*flag->value < 0) {
      return refuse(std::string(name) + " needs a number");
    }
  }
  if (settings.rate < 1 || settings.workers < 1 || settings.nodes < 1 || settings.node_calls < 1 ||
      settings.sharing < 1 || settings.batch < 1) {
    return refuse("--rate, --workers, --nodes, --node-calls, --sharing and --batch are at least 1");
  }
  Simulation simulation(settings);
  simulation.run();
  simulation.report();
  return simulation.has_early() ? 1 : 0;
}

}  // namespace robotrules::bench

int main(int argc, char** argv) { return robotrules::bench::simulate(argc, argv); }
