// How late the tasks of a robot's loop are while the store is used, and while its server does not answer.
//
//     robotrules_lateness STORE [--seconds N] [--stop COMMAND --resume COMMAND]
//
// A robot uses its store through a session (seams/store_session.hpp) on the loop that serves all transfers. Here a
// timer on such a loop is due every millisecond, while the session always has a batch of 64 calls of the gate under way
// and reads, leases and stores records. A second loop has nothing but its timer: its lateness is the machine's own.
// Phases of so many seconds: the server works; after --stop, it does not; after --resume, it works again. Prints a line
// for each phase: the 50th, 99th and 99.9th percentile and the maximum of both loops in milliseconds.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/seams/store_session.hpp>

#include "http/asio_loop.hpp"

namespace robotrules::bench {
namespace {

using std::chrono::microseconds;
constexpr microseconds tick{1'000};

struct Settings {
  int seconds = 5;
  std::string stop;
  std::string resume;
};

// Runs a task on the loop's thread and waits for it.
void run_on(agent::AsioLoop& loop, const std::function<void()>& task) {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  loop.post([&] {
    task();
    const std::lock_guard lock(mutex);
    is_done = true;
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return is_done; });
}

// A timer that is due every millisecond.
class Watch {
 public:
  explicit Watch(agent::AsioLoop& loop) : loop_(loop) {
    run_on(loop_, [this] {
      // So that other programs do not make it late; only root may. The threads of the store have their usual priority.
      sched_param priority{};
      priority.sched_priority = 10;
      static_cast<void>(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority));
      begin();
    });
  }
  // Returns how late the timer was since the last call, in ascending order. It ends with the loop.
  std::vector<microseconds> take() {
    std::vector<microseconds> taken;
    run_on(loop_, [&] {
      taken.swap(late_);
      late_.reserve(taken.size() * 2);
    });
    std::sort(taken.begin(), taken.end());
    return taken;
  }

 private:
  void begin() {
    const microseconds due = loop_.now() + tick;
    loop_.after(tick, [this, due] {
      late_.push_back(loop_.now() - due);
      begin();
    });
  }
  agent::AsioLoop& loop_;
  std::vector<microseconds> late_;
};

// What a robot asks of its store, without an end.
class Traffic {
 public:
  Traffic(agent::AsioLoop& loop, Store& store) : loop_(loop), store_(store) {
    run_on(loop_, [this] {
      session_ = store_.open_session([this](std::function<void()> task) { loop_.post(std::move(task)); });
      go_on();
    });
  }
  // Ends on the loop's thread, as a robot does.
  ~Traffic() {
    run_on(loop_, [this] {
      must_end_ = true;
      session_.reset();
    });
  }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;
  std::uint64_t take_grants() { return grants_.exchange(0); }

 private:
  void go_on() {
    if (must_end_) return;
    if (!is_asking_) ask();
    if (!is_reading_) read();
    loop_.after(tick, [this] { go_on(); });
  }
  void ask() {
    auto calls = std::make_shared<GateCalls>();
    calls->ends.swap(ends_);
    for (int i = 0; i < 64; ++i) {
      auto request = std::make_shared<ReserveRequest>();
      request->keys = {"https://www.site" + std::to_string(next_++ % 100'000) + ".example"};
      request->interval = std::chrono::seconds(1);
      calls->requests.push_back(std::move(request));
    }
    is_asking_ = true;
    session_->call_gate(calls, [this, calls](Result<GateAnswers> got) {
      is_asking_ = false;
      if (!got) return;
      for (const auto& answer : got->requests) {
        if (!answer) continue;
        const auto* const granted = std::get_if<Granted>(&answer.value());
        if (granted == nullptr) continue;
        ++grants_;
        ends_.push_back({granted->token, Outcome{.status = 200, .retry_after = {}}});
      }
    });
  }
  void read() {
    const Origin origin = *Origin::of("https://www.site" + std::to_string(next_ % 1'000) + ".example");
    is_reading_ = true;
    session_->read(origin, {}, [this, origin](Result<ReadRobots> got) {
      is_reading_ = false;
      if (!got || got->record) return;
      session_->lease(origin, std::chrono::seconds(20), [this, origin](Result<LeaseAnswer> leased) {
        if (!leased || !std::holds_alternative<RobotsLease>(leased.value())) return;
        RobotsRecord record;
        record.body = std::make_shared<const std::string>("User-agent: *\nDisallow: /private\n");
        record.fetched_at = store_.approximate_now();
        record.fresh_until = record.fetched_at + std::chrono::hours(24);
        session_->put(origin, std::move(record), std::get<RobotsLease>(leased.value()), {});
      });
    });
  }

  agent::AsioLoop& loop_;
  Store& store_;
  std::unique_ptr<StoreSession> session_;
  std::vector<GateCalls::Finish> ends_;
  std::uint64_t next_ = 0;
  bool is_asking_ = false;
  bool is_reading_ = false;
  bool must_end_ = false;
  std::atomic<std::uint64_t> grants_{0};
};

void print(const std::vector<microseconds>& late) {
  const auto at = [&](double share) {
    return static_cast<double>(late[static_cast<std::size_t>(share * static_cast<double>(late.size() - 1))].count()) /
           1'000;
  };
  if (late.empty()) {
    std::printf("  no tick at all");
  } else {
    std::printf("  %7.2f %7.2f %7.2f %7.2f", at(0.5), at(0.99), at(0.999), at(1));
  }
}

int run(const std::string& name, const Settings& settings) {
  StoreOptions options;
  options.sqlite.first_ever = true;
  auto opened = name == "memory" ? Result<std::shared_ptr<Store>>(make_memory_store()) : open_store(name, options);
  if (!opened) {
    std::fprintf(stderr, "lateness: %s\n", opened.error().message.c_str());
    return 2;
  }
  const std::shared_ptr<Store> store = opened.value();
  agent::AsioLoop loop;
  agent::AsioLoop idle;
  Watch watch(loop);
  Watch control(idle);
  std::printf(
      "                   with the store: 50 %%    99 %%  99.9 %%     max  idle: 50 %%    99 %%  99.9 %%     max"
      "   grants/s\n");
  {
    Traffic traffic(loop, *store);
    static_cast<void>(watch.take());
    static_cast<void>(control.take());
    const auto phase = [&](const char* label, const std::string& command) {
      if (!command.empty() && std::system(command.c_str()) != 0)
        std::fprintf(stderr, "lateness: %s\n", command.c_str());
      static_cast<void>(traffic.take_grants());  // of the time before
      std::this_thread::sleep_for(std::chrono::seconds(settings.seconds));
      std::printf("%-27s", label);
      print(watch.take());
      print(control.take());
      std::printf("  %9.0f\n", static_cast<double>(traffic.take_grants()) / settings.seconds);
      std::fflush(stdout);
    };
    phase("the server works", "");
    if (!settings.stop.empty()) {
      phase("it does not answer", settings.stop);
      phase("it is back", settings.resume);
    }
  }
  return 0;
}

}  // namespace
}  // namespace robotrules::bench

int main(int argc, char** argv) {
  robotrules::bench::Settings settings;
  bool is_understood = argc >= 2 && argc % 2 == 0;
  for (int i = 2; is_understood && i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--seconds") {
      settings.seconds = std::atoi(argv[i + 1]);
    } else if (name == "--stop") {
      settings.stop = argv[i + 1];
    } else if (name == "--resume") {
      settings.resume = argv[i + 1];
    } else {
      is_understood = false;
    }
  }
  if (!is_understood || settings.seconds < 1) {
    std::fprintf(stderr, "usage: robotrules_lateness STORE|memory [--seconds N] [--stop COMMAND --resume COMMAND]\n");
    return 2;
  }
  return robotrules::bench::run(argv[1], settings);
}
