#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

#include "crawl/found_url.hpp"
#include "crawl/page_plan.hpp"
#include "crawl/site_sentence.hpp"
#include "robot/gate_keys.hpp"
#include "robot/page_pace.hpp"
#include "robot/site_wait.hpp"

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
  Rules rules;  // in force at the last answer
  std::size_t unanswered = 0;
  bool begun = false;
  bool read_all = false;
  bool done = false;
};

// Shared with the callbacks, which may outlive the run.
struct Questions {
  Questions(const ForecastOptions& options, std::shared_ptr<Store> store_of_robot)
      : pace(options.pace),
        max_wait(options.max_wait),
        store(std::move(store_of_robot)),
        on_denied(options.on_denied) {}

  const Pace pace;
  const microseconds max_wait;
  const std::shared_ptr<Store> store;
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
      if (auto done = report_done_sites(); !done) return done.error();
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
      site->done = true;
      return {};
    }
    const std::size_t portion = std::exchange(site->begun, true) ? next_portion : first_portion;
    auto items = queue_.peek(site->known.id, site->place, portion);
    if (!items) return items.error();
    site->read_all = items.value().size() < portion;
    if (items.value().empty()) {
      site->done = true;
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

  // What would become of a URL.
  enum class Fate : std::uint8_t { fetched, denied, failed, left_out };

  static Fate fate_of(const Questions& questions, const RobotsNote& note, Access access) {
    if (access == Access::allowed) return Fate::fetched;
    const bool has_rules = note.outcome != RobotsOutcome::unreachable || note.stale;
    if (access == Access::disallowed && has_rules) return Fate::denied;
    if (note.source == ResponseSource::parked || note.source == ResponseSource::too_early) return Fate::left_out;
    return crawl::pause_asked_for(note, questions.store->now()) > questions.max_wait ? Fate::left_out : Fate::failed;
  }

  // Called on the robot's thread.
  static void answer(Questions& questions, const std::shared_ptr<Site>& site, const RobotsNote& note, Access access) {
    const Fate fate = fate_of(questions, note, access);
    const Rules rules = note.rules.value_or(Rules());
    const microseconds delay = page_interval(questions.pace, rules, questions.store->now());
    const std::lock_guard lock(questions.mutex);
    SiteForecast& forecast = site->forecast;
    site->rules = rules;
    forecast.delay = std::max(forecast.delay, delay);
    switch (fate) {
      case Fate::fetched: ++forecast.allowed; break;
      case Fate::denied: ++forecast.denied; break;
      case Fate::failed: ++forecast.failed; break;
      case Fate::left_out: ++forecast.left_out; break;
    }
    if (forecast.why_not.empty() && (fate == Fate::failed || fate == Fate::left_out)) {
      forecast.why_not = crawl::sentence_about(forecast.origin, note);
      forecast.cause = note.cause;
      if (fate == Fate::left_out) forecast.left_out_until = note.try_again_at;
    }
    ++questions.asked;
    if (--site->unanswered > 0) return;
    questions.answered.push_back(site);
    questions.changed.notify_one();
  }

  // Plans the pages that may be fetched. Those of sites that share a gate key are fetched one after the other.
  Result<void> plan(Site& site) {
    SiteForecast& forecast = site.forecast;
    const auto origin = Origin::of(site.known.origin);
    if (forecast.allowed == 0 || !origin) return {};
    const Pace& pace = options_.pace;
    const Store& store = *questions_->store;
    const Timestamp now = store.now();
    const auto waits = agent::gate_wait(store, pace, site.rules, *origin, now);
    if (!waits) return waits.error();
    SiteWait first = waits.value();
    Timestamp at = now;
    const std::vector<std::string> keys = agent::gate_keys_of(*origin, pace);
    std::optional<Timestamp>* const shared = keys.size() > 1 ? &last_of_key_[keys.back()] : nullptr;
    if (shared != nullptr && *shared) {
      at = std::max(now, **shared);
      first.time -= at - now;
      const ReserveRequest request = agent::page_request(pace, site.rules, {}, at);
      const SiteWait behind{.time = **shared + request.interval - at, .why = agent::reason_of(request.source)};
      if (behind.time > first.time) first = behind;
    }
    crawl::PagePlan plan = crawl::plan_pages(pace, site.rules, forecast.allowed, at, first, options_.max_wait);
    if (shared != nullptr && plan.pages > 0) *shared = plan.last;
    if (plan.pages > 0) forecast.time = plan.last - now;
    if (plan.pages == forecast.allowed) return {};
    forecast.left_out += forecast.allowed - plan.pages;
    forecast.allowed = plan.pages;
    if (!forecast.why_not.empty()) return {};
    forecast.why_not = std::move(plan.why_left_out);
    forecast.left_out_until = plan.left_out_until;
    return {};
  }

  Result<void> report_done_sites() {
    for (; !sites_.empty() && sites_.front()->done; sites_.pop_front()) {
      if (auto planned = plan(*sites_.front()); !planned) return planned;
      const SiteForecast& forecast = sites_.front()->forecast;
      if (forecast.urls() == 0) continue;
      result_.total.allowed += forecast.allowed;
      result_.total.denied += forecast.denied;
      result_.total.failed += forecast.failed;
      result_.total.left_out += forecast.left_out;
      ++result_.sites;
      if (forecast.time > result_.longest.time) result_.longest = forecast;
      if (options_.on_site) options_.on_site(forecast);
    }
    return {};
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
  std::shared_ptr<Questions> questions_ = std::make_shared<Questions>(options_, robot_.rules()->store());
  std::deque<std::shared_ptr<Site>> sites_;  // in the order of the queue: those that were not reported yet
  // The last page that is planned for a key of several sites.
  std::unordered_map<std::string, std::optional<Timestamp>> last_of_key_;
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
