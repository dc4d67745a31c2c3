#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/found_url.hpp"
#include "crawl/site_sentence.hpp"

namespace robotrules {
namespace {

using std::chrono::microseconds;

constexpr std::size_t max_sites_read = 512;
constexpr std::size_t first_portion = 16;  // of a site's URLs, asked at once: all wait for one robots.txt
constexpr std::size_t next_portion = 256;
constexpr std::chrono::milliseconds progress_every{100};

// A site under way. The robot's callbacks change `forecast` and `unanswered`, guarded by Questions::mutex.
struct Site {
  QueueSite known;
  std::optional<QueuePlace> place;
  SiteForecast forecast;
  std::size_t unanswered = 0;
  bool begun = false;
  bool read_all = false;
  bool done = false;
};

// Shared with the callbacks, which may outlive the run.
struct Questions {
  explicit Questions(const ForecastOptions& options) : pace(options.pace), on_denied(options.on_denied) {}

  const Pace pace;
  const decltype(ForecastOptions::on_denied) on_denied;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::shared_ptr<Site>> answered;  // all URLs of their portion are answered
  std::uint64_t asked = 0;
};

class Forecaster {
 public:
  Forecaster(RobotUA& robot, const UrlQueue& queue, const ForecastOptions& options)
      : robot_(robot), queue_(queue), options_(options) {}

  Result<Forecast> run() {
    if (const auto counts = queue_.counts()) all_ = counts.value().pending;
    while (!stopped_) {
      if (auto taken = take_sites(); !taken) return taken.error();
      if (sites_.empty()) break;
      for (const auto& site : answers()) {
        if (auto done = ask_next(site); !done) return done.error();
      }
      report_done_sites();
      report_progress();
    }
    result_.complete = !stopped_;
    result_.total.time = result_.longest.time;
    if (options_.max_rate > 0) {
      const double seconds = std::min(static_cast<double>(result_.total.allowed) / options_.max_rate, 1e12);
      result_.total.time = std::max(result_.total.time, microseconds(static_cast<std::int64_t>(seconds * 1e6)));
    }
    return std::move(result_);
  }

 private:
  Result<void> take_sites() {
    while (!all_taken_ && sites_.size() < options_.max_sites) {
      const auto found = queue_.sites(place_, max_sites_read);
      if (!found) return found.error();
      all_taken_ = found.value().size() < max_sites_read;
      for (const QueueSite& known : found.value()) {
        place_ = place_of(known);
        auto site = std::make_shared<Site>();
        site->known = known;
        site->forecast.origin = known.origin;
        sites_.push_back(site);
        if (auto done = ask_next(site); !done) return done;
      }
      report_progress();
      if (stopped_) break;
    }
    return {};
  }

  std::vector<std::shared_ptr<Site>> answers() {
    std::unique_lock lock(questions_->mutex);
    questions_->changed.wait_for(lock, progress_every, [this] { return !questions_->answered.empty(); });
    return std::exchange(questions_->answered, {});
  }

  // Asks about the next URLs of a site, or completes its forecast if there are none.
  Result<void> ask_next(const std::shared_ptr<Site>& site) {
    if (site->read_all) {
      complete(*site);
      return {};
    }
    const std::size_t portion = std::exchange(site->begun, true) ? next_portion : first_portion;
    auto items = queue_.peek(site->known.id, site->place, portion);
    if (!items) return items.error();
    site->read_all = items.value().size() < portion;
    if (items.value().empty()) {
      complete(*site);
      return {};
    }
    site->place = place_of(items.value().back());
    {
      const std::lock_guard lock(questions_->mutex);
      site->unanswered = items.value().size();
    }
    for (QueueItem& item : items.value()) {
      std::string found = crawl::url_to_request(item.request);
      robot_.consult(std::move(found), [questions = questions_, site, url = std::move(item.request.url)](
                                           const std::shared_ptr<const RobotsNote>& note, Access access) {
        if (questions->on_denied && access != Access::allowed) questions->on_denied(url, *note, access);
        answer(*questions, site, *note, access);
      });
    }
    return {};
  }

  // Called on the robot's thread.
  static void answer(Questions& questions, const std::shared_ptr<Site>& site, const RobotsNote& note, Access access) {
    const auto now = std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
    const bool is_denied = access == Access::disallowed && note.outcome != RobotsOutcome::unreachable;
    const Pace& pace = questions.pace;
    const microseconds delay = note.rules ? page_interval(pace, *note.rules, now) : microseconds(pace.delay);
    const std::lock_guard lock(questions.mutex);
    SiteForecast& forecast = site->forecast;
    forecast.delay = std::max(forecast.delay, delay);
    ++(access == Access::allowed ? forecast.allowed : is_denied ? forecast.denied : forecast.left_out);
    if (forecast.why_left_out.empty() && access != Access::allowed && !is_denied) {
      forecast.why_left_out = crawl::sentence_about(forecast.origin, note);
      forecast.cause = note.cause;
    }
    ++questions.asked;
    if (--site->unanswered > 0) return;
    questions.answered.push_back(site);
    questions.changed.notify_one();
  }

  // Its pages are `delay` apart. The duration of each request is unknown.
  void complete(Site& site) const {
    site.done = true;
    SiteForecast& forecast = site.forecast;
    if (forecast.allowed == 0) return;
    const auto wait = robot_.host_wait(site.known.origin);
    const microseconds first = wait ? wait.value() : microseconds(0);
    if (first > options_.max_wait) {
      forecast.left_out += std::exchange(forecast.allowed, 0);
      return;
    }
    constexpr double most = 9e18;
    const double apart = static_cast<double>(forecast.delay.count()) * static_cast<double>(forecast.allowed - 1);
    forecast.time = microseconds(static_cast<std::int64_t>(std::min(apart + static_cast<double>(first.count()), most)));
  }

  void report_done_sites() {
    for (; !sites_.empty() && sites_.front()->done; sites_.pop_front()) {
      const SiteForecast& forecast = sites_.front()->forecast;
      if (forecast.urls() == 0) continue;
      result_.total.allowed += forecast.allowed;
      result_.total.denied += forecast.denied;
      result_.total.left_out += forecast.left_out;
      ++result_.sites;
      if (forecast.time > result_.longest.time) result_.longest = forecast;
      if (options_.on_site) options_.on_site(forecast);
    }
  }

  void report_progress() {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.on_progress || now < next_report_) return;
    next_report_ = now + progress_every;
    std::uint64_t asked = 0;
    {
      const std::lock_guard lock(questions_->mutex);
      asked = questions_->asked;
    }
    stopped_ = !options_.on_progress(asked, all_);
  }

  RobotUA& robot_;
  const UrlQueue& queue_;
  const ForecastOptions& options_;
  std::shared_ptr<Questions> questions_ = std::make_shared<Questions>(options_);
  std::deque<std::shared_ptr<Site>> sites_;  // in the order of the queue: those that were not reported yet
  std::optional<QueuePlace> place_;
  bool all_taken_ = false;
  bool stopped_ = false;
  std::uint64_t all_ = 0;
  Forecast result_;
  std::chrono::steady_clock::time_point next_report_{};
};

}  // namespace

Result<Forecast> forecast(RobotUA& robot, const UrlQueue& queue, const ForecastOptions& options) {
  return Forecaster(robot, queue, options).run();
}

}  // namespace robotrules
