// Sentences about single events of a crawl, on standard error.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>
#include <robotrules/message.hpp>

#include "cli/get/get_options.hpp"

namespace robotrules::cli {

// Call after a body went to standard output: the next message then begins on a line of its own (note_results_end()).
void note_body_end(const FetchedPage& page);
// Tells why a URL is denied, if it is.
void tell_denial(const FetchedPage& page);
// Messages about single sites or sitemaps, at most ten of each kind. Further ones are counted. Thread rule: one thread
// at a time.
class SiteMessages {
 public:
  // `what`: what the messages are about, "site".
  explicit SiteMessages(std::string what = "site") : what_(std::move(what)) {}
  void tell(std::string_view kind, const std::string& message);
  // Tells the numbers of the kinds that had more than ten.
  void tell_numbers() const;

 private:
  std::string what_;
  std::map<std::string, std::uint64_t> numbers_;
};

// Tells the first failure of a site.
void tell_failure(const SiteFailure& failure, SiteMessages& messages);
// If a site of --user differs from the site of the page in scheme or port only, says so, once for each site. `told` has
// the sites that were told of. Precondition: the site asks for a password.
void tell_near_user(const FetchedPage& page, const std::vector<SiteAccess>& users, std::set<std::string>& told,
                    SiteMessages& messages);
// Tells what the run waits for; an empty sentence: it goes on, and `over` says why.
void tell_wait(std::string_view sentence, std::string_view over);
// The same for the proxy and for the server of the queue.
void tell_proxy(std::string_view sentence);
void tell_queue(std::string_view sentence);
// Tells how reopening the log went; with `quiet` only if it failed.
void tell_reopened(const std::string& log, const Result<void>& reopened, bool quiet);

// Returns "https://a.test/x: disallowed by "Disallow: /x" in line 2, of the group ... [https://a.test/robots.txt]".
// Precondition: the note belongs to a disallowed URL.
std::string denial(std::string_view url, const RobotsNote& note);

// Returns the same for a response; the denied URL may be the target of a redirect.
std::string denial(std::string_view url, const Response& response);

}  // namespace robotrules::cli
