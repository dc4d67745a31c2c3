#include <robotrules/sitemap.hpp>

#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <unordered_set>
#include <utility>

#include <robotrules/robots_txt.hpp>
#include <robotrules/url.hpp>

#include "robot/may_pass.hpp"
#include "sitemap/entry_url.hpp"
#include "url/url.hpp"

namespace robotrules {
namespace {

using agent::Url;

// Limit on the bytes of all sitemap URLs of one call: an index may name many long ones.
constexpr std::size_t max_url_bytes = std::size_t{16} << 20;

class SitemapFetch {
 public:
  SitemapFetch(RobotUA& agent, const SitemapFetchOptions& options, const std::function<bool(const SitemapEntry&)>& each)
      : agent_(agent), options_(options), each_(each) {}

  // Adds a sitemap to the queue, unless it was added in this or another spelling. `proof`: the site whose robots.txt
  // names it, or the site of the index that lists it. Precondition: the URL is valid.
  void add(std::string_view url, const Origin& proof, std::optional<std::size_t> index = std::nullopt) {
    auto read = agent::read_url(url, std::string_view::npos);
    if (!read || known_.count(read.value().text) != 0) return;
    const std::string& text = read.value().text;
    if (known_.size() >= options_.sitemaps || url_bytes_ + text.size() > max_url_bytes) {
      result_.cut = true;
      ++result_.beyond_limits;
      return;
    }
    url_bytes_ += text.size();
    known_.insert(text);
    waiting_.push_back({std::move(read).value(), proof, index});
  }

  // Adds the sitemaps that the robots.txt of the site names. Fails as fetch_sitemaps() does.
  Result<void> add_named(const Origin& site);

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
    Url url;
    Origin proof;
    std::optional<std::size_t> index;  // position of the index in the result
  };

  // What became of one sitemap while it is read.
  struct Reading {
    std::optional<SitemapReader> reader;  // null: no head has come
    Result<void> fed;
    bool nested = false;   // it is an index that an index lists
    SitemapCounts counts;  // `given` and `repairs`
  };

  // Entries may spell the host in another way than the agent.
  bool may_list(const Waiting& sitemap, std::string_view url) const {
    const auto is_own = [&](const Origin& origin) {
      return origin.host == sitemap.proof.host || origin.host == sitemap.url.origin.host;
    };
    if (options_.any_host) return true;
    if (const auto origin = Origin::of(url); origin && is_own(*origin)) return true;
    const auto read = agent::read_url(url, std::string_view::npos);
    return read && is_own(read.value().origin);
  }

  void take(const Waiting& next, std::size_t number, Reading& reading, const SitemapEntry& entry) {
    if (ended_ || reading.nested) return;
    FetchedSitemap& sitemap = result_.sitemaps[number];
    if (!may_list(next, entry.loc)) {
      ++sitemap.other_hosts;
      return;
    }
    if (entry.is_sitemap && next.index) {
      reading.nested = reading.reader->kind() == SitemapKind::index;
      if (!reading.nested) ++sitemap.nested;
      return;
    }
    ++reading.counts.given;
    reading.counts.count(entry.repair);
    if (!entry.is_sitemap) {
      ended_ = !each_(entry);
    } else {
      add(entry.as_found(), next.proof, number);
    }
  }

  void fetch(const Waiting& next) {
    const std::size_t number = result_.sitemaps.size();
    result_.sitemaps.emplace_back().url = next.url.text;
    result_.sitemaps[number].index = next.index;
    Reading reading;
    const auto begin = [&](const Response& head) {
      // Relative URLs in it are found in the spelling of its own.
      reading.reader.emplace(
          head.as_found(), options_.reading, [&](const SitemapEntry& entry) { take(next, number, reading, entry); },
          head.headers.get("Content-Type").value_or(""));
    };
    const auto read = [&](std::string_view bytes) {
      reading.fed = reading.reader->feed(bytes);
      return reading.fed.ok() && !ended_ && !reading.nested;
    };
    const Response response = request(next.url.as_found(), begin, read);  // the robot asks about both spellings
    ended_ = ended_ || is_stopped();
    // No part was asked for (206).
    const bool whole = response.is_success() && !response.is_synthetic() && response.code != 206;
    if (whole && !reading.reader) {  // a handler gave the response
      begin(response);
      read(response.body);
    }
    FetchedSitemap& sitemap = result_.sitemaps[number];
    sitemap.status = response.is_synthetic() ? 0 : response.code;
    Result<void>& fed = reading.fed;
    const bool is_to_end = fed && whole && !ended_ && !reading.nested;
    if (is_to_end && response.truncated) {
      fed = Error{"sitemap-too-large", sitemap.url + " is longer than " + std::to_string(options_.reading.max_bytes) +
                                           " bytes, the limit for a sitemap (SitemapOptions::max_bytes)"};
    } else if (is_to_end) {
      fed = reading.reader->finish();
    }
    if (reading.reader) {
      sitemap.kind = reading.reader->kind();
      sitemap.counts = reading.reader->counts();
      sitemap.counts.given = reading.counts.given;
      sitemap.counts.repairs = reading.counts.repairs;
    }
    if (!fed) {
      sitemap.error = fed.error().code;
      sitemap.message = fed.error().message;
    } else if (reading.nested) {
      sitemap.error = "sitemap-nested-index";
      sitemap.message = sitemap.url + " is a sitemap index that another index lists, so it is not followed";
    } else if (!whole) {
      sitemap.error = "sitemap-not-fetched";
      sitemap.may_pass = agent::may_pass(response);
      sitemap.message =
          response.warning.empty() ? sitemap.url + " answers " + response.status_line() : response.warning;
    }
  }

  // Returns true for failures after which the gate lets the next request wait.
  static bool is_of_site(ResponseSource source) noexcept {
    return source == ResponseSource::server || source == ResponseSource::network || source == ResponseSource::timeout;
  }
  bool is_stopped() const { return options_.is_stopped && options_.is_stopped(); }

  // Repeats a request that may succeed later, until the first byte has come. The gate lets it wait. If the proxy fails,
  // the program decides.
  Response request(const std::string& url, const std::function<void(const Response& head)>& on_head,
                   const std::function<bool(std::string_view bytes)>& on_body) {
    for (unsigned tries = 1;;) {
      bool has_begun = false;
      Request request;
      request.url = url;
      request.headers.set("Accept", "application/xml, text/xml, application/gzip, text/plain, */*;q=0.5");
      request.http1 = true;
      request.max_size = options_.reading.max_bytes;  // a compressed sitemap is not longer either
      request.on_head = on_head;
      request.on_body = [&](std::string_view bytes) {
        has_begun = true;
        return on_body(bytes);
      };
      Response response = wait_for(std::move(request));
      if (!has_begun && is_to_be_repeated(response.source, url, response.warning)) continue;
      const bool may_succeed = agent::may_pass(response) && is_of_site(response.source);
      if (has_begun || !may_succeed || tries++ >= options_.max_tries || is_stopped()) return response;
    }
  }

  bool is_to_be_repeated(ResponseSource source, std::string_view url, std::string_view sentence) const {
    return source == ResponseSource::proxy_failed && options_.on_proxy_failed && !is_stopped() &&
           options_.on_proxy_failed(url, sentence) && !is_stopped();
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
  std::unordered_set<std::string> known_;  // as they are sent
  std::size_t url_bytes_ = 0;
  bool ended_ = false;  // the callback ended the fetch
  FetchedSitemaps result_;
};

bool names_a_site(std::string_view url) {
  const std::size_t path = url.find_first_of("/?#", url.find("://") + 3);
  return path == std::string_view::npos || url.substr(path) == "/";
}

std::shared_ptr<const RobotsNote> consult(RobotUA& agent, const Origin& site) {
  std::promise<std::shared_ptr<const RobotsNote>> told;
  agent.consult(site.to_string() + "/",
                [&](std::shared_ptr<const RobotsNote> note, Access) { told.set_value(std::move(note)); });
  return told.get_future().get();
}

Result<void> SitemapFetch::add_named(const Origin& site) {
  auto note = consult(agent_, site);
  while (is_to_be_repeated(note->source, site.robots_url(), note->warning)) note = consult(agent_, site);
  const auto read = agent_.rules()->store()->robots(site);
  if (!read) return read.error();
  const auto& record = read.value();
  if (record == nullptr || (record->body == nullptr && note->outcome == RobotsOutcome::unreachable)) {
    return Error{"robots-unreachable", site.robots_url() + " cannot be fetched" +
                                           (note->warning.empty() ? "" : " (" + note->warning + ")") +
                                           ", so the site's sitemaps are not known"};
  }
  const RobotsTxt robots =
      record->body == nullptr ? RobotsTxt() : RobotsTxt::parse(*record->body, agent_.rules()->dialect());
  const auto page = agent::read_url(record->url.empty() ? site.robots_url() : record->url, std::string_view::npos);
  if (!page) return page.error();
  SitemapCounts& named = result_.named;
  for (const Sitemap& sitemap : robots.sitemaps()) {
    ++named.entries;
    const agent::EntryUrl found =
        agent::find_entry_url(page.value(), sitemap.value, agent::EntryPlace::field, options_.reading.max_url_bytes);
    if (agent::count_entry(found, named)) add(found.as_found(), site);
  }
  result_.guessed = named.entries == 0 && options_.guess;
  if (result_.guessed) add(site.to_string() + "/sitemap.xml", site);
  return {};
}

}  // namespace

Result<FetchedSitemaps> fetch_sitemaps(RobotUA& agent, std::string_view where, const SitemapFetchOptions& options,
                                       const std::function<bool(const SitemapEntry&)>& each) {
  const auto url = agent::read_url(where, agent.options().limits.max_url_bytes);
  if (!url) return url.error();
  SitemapFetch fetch(agent, options, each);
  if (names_a_site(where)) {
    if (const auto added = fetch.add_named(url.value().origin); !added) return added.error();
  } else {
    fetch.add(url.value().as_found(), url.value().origin);
  }
  return fetch.run();
}

}  // namespace robotrules
