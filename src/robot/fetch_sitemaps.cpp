#include <robotrules/sitemap.hpp>

#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <unordered_set>
#include <utility>

#include <robotrules/robots_txt.hpp>

#include "http/curl/url.hpp"
#include "robot/may_pass.hpp"

namespace robotrules {
namespace {

// Limit on the bytes of all sitemap URLs of one call: an index may name many long ones.
constexpr std::size_t max_url_bytes = std::size_t{16} << 20;

class SitemapFetch {
 public:
  SitemapFetch(RobotUA& agent, const SitemapFetchOptions& options, const std::function<bool(const SitemapEntry&)>& each)
      : agent_(agent), options_(options), each_(each) {}

  // Adds a sitemap to the queue. `proof`: the site whose robots.txt names it, or the site of the index that lists it.
  void add(std::string url, const Origin& proof, std::optional<std::size_t> index = std::nullopt) {
    if (known_.count(url) != 0) return;
    if (known_.size() >= options_.sitemaps || url_bytes_ + url.size() > max_url_bytes) {
      result_.cut = true;
      return;
    }
    url_bytes_ += url.size();
    known_.insert(url);
    waiting_.push_back({std::move(url), proof, index});
  }

  FetchedSitemaps run() {
    while (!waiting_.empty() && !ended_) {
      const Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      fetch(next);
    }
    result_.cut = result_.cut || ended_;
    return std::move(result_);
  }

 private:
  struct Waiting {
    std::string url;
    Origin proof;
    std::optional<std::size_t> index;  // position of the index in the result
  };

  void fetch(const Waiting& next) {
    const std::size_t number = result_.sitemaps.size();
    FetchedSitemap& sitemap = result_.sitemaps.emplace_back();
    sitemap.url = next.url;
    sitemap.index = next.index;
    bool nested = false;
    std::size_t given = 0;
    const auto own = Origin::of(next.url);
    const auto may_list = [&](std::string_view url) {
      const auto origin = Origin::of(url);
      return options_.any_host || !origin || origin->host == next.proof.host || (own && origin->host == own->host);
    };
    SitemapReader reader(next.url, options_.reading, [&](const SitemapEntry& entry) {
      if (ended_) return;
      if (!may_list(entry.loc)) {
        ++sitemap.other_hosts;
        return;
      }
      ++given;
      if (!entry.is_sitemap) {
        ended_ = !each_(entry);
      } else if (!next.index) {
        add(std::string(entry.loc), next.proof, number);
      } else {
        nested = true;
      }
    });
    Result<void> fed;
    const Response response = request(next.url, [&](std::string_view bytes) {
      fed = reader.feed(bytes);
      return fed.ok() && !ended_ && !nested;
    });
    ended_ = ended_ || is_stopped();
    sitemap.status = response.is_synthetic() ? 0 : response.code;
    const bool whole =
        response.is_success() && !response.is_synthetic() && response.code != 206;  // no part was asked for
    if (fed && whole && !ended_ && !nested && response.truncated) {
      fed = Error{"sitemap-too-large", next.url + " is longer than " + std::to_string(options_.reading.max_bytes) +
                                           " bytes, the limit for a sitemap (SitemapOptions::max_bytes)"};
    }
    if (fed && whole && !ended_ && !nested) fed = reader.finish();
    sitemap.kind = reader.kind();
    sitemap.counts = reader.counts();
    sitemap.counts.given = given;
    if (!fed) {
      sitemap.error = fed.error().code;
      sitemap.message = fed.error().message;
    } else if (nested) {
      sitemap.error = "sitemap-nested-index";
      sitemap.message = next.url + " is a sitemap index that another index lists, so it is not followed";
    } else if (!whole) {
      sitemap.error = "sitemap-not-fetched";
      sitemap.message = response.warning.empty() ? next.url + " answers " + response.status_line() : response.warning;
    }
  }

  // Returns true for failures after which the gate lets the next request wait.
  static bool is_of_site(ResponseSource source) noexcept {
    return source == ResponseSource::server || source == ResponseSource::network || source == ResponseSource::timeout;
  }
  bool is_stopped() const { return options_.is_stopped && options_.is_stopped(); }

  // Repeats a request that may succeed later, until the first byte has come. The gate lets it wait.
  Response request(const std::string& url, const std::function<bool(std::string_view bytes)>& on_body) {
    for (unsigned tries = 1;; ++tries) {
      bool has_begun = false;
      Request request;
      request.url = url;
      request.headers.set("Accept", "application/xml, text/xml, application/gzip, text/plain, */*;q=0.5");
      request.http1 = true;
      request.max_size = options_.reading.max_bytes;  // a compressed sitemap is not longer either
      request.on_body = [&](std::string_view bytes) {
        has_begun = true;
        return on_body(bytes);
      };
      Response response = wait_for(std::move(request));
      const bool may_succeed = agent::may_pass(response) && is_of_site(response.source);
      if (has_begun || !may_succeed || tries >= options_.max_tries || is_stopped()) return response;
    }
  }

  Response wait_for(Request request) {
    if (!options_.is_stopped) return agent_.request(std::move(request));
    constexpr std::chrono::milliseconds check_interval{100};
    std::promise<Response> answered;
    auto answer = answered.get_future();
    const Pending pending =
        agent_.start(std::move(request), [&answered](Response response) { answered.set_value(std::move(response)); });
    while (answer.wait_for(check_interval) != std::future_status::ready) {
      if (is_stopped()) pending.cancel_if_waiting();
    }
    return answer.get();
  }

  RobotUA& agent_;
  const SitemapFetchOptions& options_;
  const std::function<bool(const SitemapEntry&)>& each_;
  std::deque<Waiting> waiting_;
  std::unordered_set<std::string> known_;
  std::size_t url_bytes_ = 0;
  bool ended_ = false;  // the callback ended the fetch
  FetchedSitemaps result_;
};

bool names_a_site(std::string_view url) {
  const std::size_t path = url.find_first_of("/?#", url.find("://") + 3);
  return path == std::string_view::npos || url.substr(path) == "/";
}

// Returns the values of the Sitemap lines in the site's robots.txt.
Result<std::vector<std::string>> listed(RobotUA& agent, const Origin& origin) {
  std::promise<std::shared_ptr<const RobotsNote>> told;
  agent.consult(origin.to_string() + "/",
                [&](std::shared_ptr<const RobotsNote> note, Access) { told.set_value(std::move(note)); });
  const auto note = told.get_future().get();
  const auto record = agent.rules()->store()->robots(origin);
  if (!record) return record.error();
  std::vector<std::string> urls;
  if (record.value() == nullptr || (record.value()->body == nullptr && note->outcome == RobotsOutcome::unreachable)) {
    return Error{"robots-unreachable", origin.robots_url() + " cannot be fetched" +
                                           (note->warning.empty() ? "" : " (" + note->warning + ")") +
                                           ", so the site's sitemaps are not known"};
  }
  if (record.value()->body == nullptr) return urls;
  const RobotsTxt robots = RobotsTxt::parse(*record.value()->body, agent.rules()->dialect());
  for (const Sitemap& sitemap : robots.sitemaps()) {
    if (Origin::of(sitemap.url)) urls.push_back(sitemap.url);
  }
  return urls;
}

}  // namespace

Result<FetchedSitemaps> fetch_sitemaps(RobotUA& agent, std::string_view where, const SitemapFetchOptions& options,
                                       const std::function<bool(const SitemapEntry&)>& each) {
  const auto url = agent::read_url(where, agent.options().limits.max_url_bytes);
  if (!url) return url.error();
  SitemapFetch fetch(agent, options, each);
  if (names_a_site(where)) {
    auto urls = listed(agent, url.value().origin);
    if (!urls) return urls.error();
    for (std::string& each_url : urls.value()) fetch.add(std::move(each_url), url.value().origin);
  } else {
    fetch.add(url.value().text, url.value().origin);
  }
  return fetch.run();
}

}  // namespace robotrules
