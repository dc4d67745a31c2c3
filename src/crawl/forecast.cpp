#include "crawl/forecast.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "base/escape.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/get/denial.hpp"
#include "cli/get/figures.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::crawl {
namespace {

using std::chrono::microseconds;

constexpr std::size_t sites_at_a_time = 512;
constexpr std::size_t first_portion = 16;  // of a site's URLs, asked at once: all wait for one robots.txt
constexpr std::size_t next_portion = 256;
constexpr std::chrono::milliseconds look{100};

struct Forecast {
  std::uint64_t fetched = 0;
  std::uint64_t denied = 0;
  std::uint64_t left_out = 0;
  microseconds delay{0};
  microseconds time{0};

  std::uint64_t urls() const noexcept { return fetched + denied + left_out; }
};

// A site that is asked about. What the robot's callbacks touch is guarded by Questions::mutex.
struct Site {
  QueueSite known;
  std::optional<QueuePlace> place;
  Forecast forecast;
  std::size_t unanswered = 0;
  bool begun = false;
  bool read_all = false;
  bool through = false;
};

// Shared with the callbacks, which may outlive the run.
struct Questions {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::shared_ptr<Site>> answered;  // all of their portion is
  std::uint64_t asked = 0;
};

// "1", "0.2", "10.125"
std::string seconds_text(microseconds time) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", std::chrono::duration<double>(time).count());
  std::string trimmed = text.data();
  trimmed.erase(trimmed.find_last_not_of('0') + 1);
  if (trimmed.ends_with('.')) trimmed.pop_back();
  return trimmed;
}

std::string row(const std::string& name, const Forecast& forecast, const std::string& delay) {
  return name + '\t' + std::to_string(forecast.fetched) + '\t' + std::to_string(forecast.denied) + '\t' +
         std::to_string(forecast.left_out) + '\t' + delay + '\t' +
         std::to_string(std::chrono::ceil<std::chrono::seconds>(forecast.time).count()) + '\n';
}

class DryRun {
 public:
  DryRun(RobotUA& robot, const UrlQueue& queue, const DryRunOptions& options, const std::function<bool()>& stop)
      : robot_(robot),
        queue_(queue),
        options_(options),
        stop_(stop),
        draws_(!options.quiet && can_redraw() && ::isatty(STDOUT_FILENO) == 0) {}
  ~DryRun() { set_footer({}); }
  DryRun(const DryRun&) = delete;
  DryRun& operator=(const DryRun&) = delete;

  Result<bool> run() {
    if (const auto counts = queue_.counts()) all_ = counts.value().pending;
    out_ << "site\tfetched\tdenied\tleft out\tdelay\tseconds\n";
    for (;;) {
      if (auto taken = take_sites(); !taken) return taken.error();
      if (sites_.empty()) break;
      for (const auto& site : answers()) {
        if (auto gone = go_on(site); !gone) return gone.error();
      }
      print();
      if (stop_()) return false;
    }
    finish();
    return sum_.denied + sum_.left_out == 0;
  }

 private:
  Result<void> take_sites() {
    while (!all_taken_ && sites_.size() < options_.sites_at_once) {
      const auto found = queue_.sites(place_, sites_at_a_time);
      if (!found) return found.error();
      all_taken_ = found.value().size() < sites_at_a_time;
      for (const QueueSite& known : found.value()) {
        place_ = place_of(known);
        auto site = std::make_shared<Site>();
        site->known = known;
        sites_.push_back(site);
        if (auto gone = go_on(site); !gone) return gone;
      }
      if (stop_()) break;
    }
    return {};
  }

  std::vector<std::shared_ptr<Site>> answers() {
    std::unique_lock lock(questions_->mutex);
    questions_->changed.wait_for(lock, look, [this] { return !questions_->answered.empty(); });
    return std::exchange(questions_->answered, {});
  }

  // The next of its URLs, or what comes of them all.
  Result<void> go_on(const std::shared_ptr<Site>& site) {
    if (site->read_all) {
      conclude(*site);
      return {};
    }
    const std::size_t portion = std::exchange(site->begun, true) ? next_portion : first_portion;
    auto items = queue_.peek(site->known.id, site->place, portion);
    if (!items) return items.error();
    site->read_all = items.value().size() < portion;
    if (items.value().empty()) {
      conclude(*site);
      return {};
    }
    site->place = place_of(items.value().back());
    {
      const std::lock_guard lock(questions_->mutex);
      site->unanswered = items.value().size();
    }
    for (QueueItem& item : items.value()) {
      std::string url = item.request.url;
      robot_.consult(std::move(url), [questions = questions_, site, how = options_, url = std::move(item.request.url)](
                                         const std::shared_ptr<const RobotsNote>& note, Access access) {
        answer(*questions, site, how, url, *note, access);
      });
    }
    return {};
  }

  // On the robot's thread.
  static void answer(Questions& questions, const std::shared_ptr<Site>& site, const DryRunOptions& options,
                     const std::string& url, const RobotsNote& note, Access access) {
    const auto now = std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
    const bool is_denied = access == Access::disallowed && note.outcome != RobotsOutcome::unreachable;
    const microseconds delay =
        note.rules ? page_interval(options.pace, *note.rules, now) : microseconds(options.pace.delay);
    if (options.explain && access == Access::disallowed) complain("get", denial(url, note));
    if (options.explain && access == Access::unknown)
      complain("get", base::printable(url) + ": " + base::printable(note.warning));
    const std::lock_guard lock(questions.mutex);
    Forecast& forecast = site->forecast;
    forecast.delay = std::max(forecast.delay, delay);
    ++(access == Access::allowed ? forecast.fetched : is_denied ? forecast.denied : forecast.left_out);
    ++questions.asked;
    if (--site->unanswered > 0) return;
    questions.answered.push_back(site);
    questions.changed.notify_one();
  }

  // Its pages are as far apart as it asks for; how long each of them takes is not known.
  void conclude(Site& site) const {
    site.through = true;
    Forecast& forecast = site.forecast;
    if (forecast.fetched == 0) return;
    const auto wait = robot_.host_wait(site.known.origin);
    const microseconds first = wait ? wait.value() : microseconds(0);
    if (first > options_.longest_wait) {
      forecast.left_out += std::exchange(forecast.fetched, 0);
      return;
    }
    constexpr double most = 9e18;
    const double apart = static_cast<double>(forecast.delay.count()) * static_cast<double>(forecast.fetched - 1);
    forecast.time = microseconds(static_cast<std::int64_t>(std::min(apart + static_cast<double>(first.count()), most)));
  }

  void print() {
    while (!sites_.empty() && sites_.front()->through) {
      const Site& site = *sites_.front();
      const Forecast& forecast = site.forecast;
      if (forecast.urls() > 0) {
        out_ << row(base::printable(site.known.origin), forecast, seconds_text(forecast.delay));
        sum_.fetched += forecast.fetched;
        sum_.denied += forecast.denied;
        sum_.left_out += forecast.left_out;
        ++printed_;
        if (forecast.time > longest_.forecast.time) longest_ = site;
      }
      sites_.pop_front();
    }
    const auto now = std::chrono::steady_clock::now();
    if (!draws_ || now < next_drawing_) return;
    next_drawing_ = now + look;
    std::uint64_t asked = 0;
    {
      const std::lock_guard lock(questions_->mutex);
      asked = questions_->asked;
    }
    const std::string what = grouped(asked) + " of " + grouped(all_) + " URLs asked about";
    set_footer({progress_line(asked, all_, what, std::max<std::size_t>(terminal_size().columns, 2) - 1)});
  }

  void finish() {
    sum_.time = longest_.forecast.time;
    if (options_.rate > 0) {
      const double seconds = std::min(static_cast<double>(sum_.fetched) / options_.rate, 1e12);
      sum_.time = std::max(sum_.time, microseconds(static_cast<std::int64_t>(seconds * 1e6)));
    }
    out_ << row("total", sum_, "-");
    out_.flush();
    set_footer({});
    if (options_.quiet) return;
    std::string text = grouped(sum_.urls()) + (sum_.urls() == 1 ? " URL of " : " URLs of ") + grouped(printed_) +
                       (printed_ == 1 ? " site: " : " sites: ") + grouped(sum_.fetched) + " would be fetched, " +
                       grouped(sum_.denied) + " denied, " + grouped(sum_.left_out) + " left out";
    if (sum_.fetched > 0) {
      text += "; in " + duration_text(std::chrono::ceil<std::chrono::seconds>(sum_.time)) + " at least";
    }
    if (longest_.forecast.time > microseconds(0)) {
      text += ". The longest takes " + base::printable(longest_.known.origin) + ": " +
              grouped(longest_.forecast.fetched) + " pages, " + seconds_text(longest_.forecast.delay) + " s apart";
    }
    complain("get", text);
  }

  RobotUA& robot_;
  const UrlQueue& queue_;
  const DryRunOptions options_;
  const std::function<bool()>& stop_;
  const bool draws_;
  std::shared_ptr<Questions> questions_ = std::make_shared<Questions>();
  std::deque<std::shared_ptr<Site>> sites_;  // in the order of the queue, those that are not printed
  std::optional<QueuePlace> place_;
  bool all_taken_ = false;
  std::uint64_t all_ = 0;
  std::uint64_t printed_ = 0;
  Forecast sum_;
  Site longest_;
  std::chrono::steady_clock::time_point next_drawing_{};
  Output out_;
};

}  // namespace

Result<bool> dry_run(RobotUA& robot, const UrlQueue& queue, const DryRunOptions& options,
                     const std::function<bool()>& stop) {
  return DryRun(robot, queue, options, stop).run();
}

}  // namespace robotrules::crawl
