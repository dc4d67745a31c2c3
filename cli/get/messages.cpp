#include "cli/get/messages.hpp"

#include "base/escape.hpp"
#include "cli/get/figures.hpp"
#include "cli/io/network.hpp"
#include "cli/io/robots_facts.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

// Returns the last byte of a body; 0 if it cannot be read.
char last_byte_of(const Response& response) {
  char last = 0;
  if (response.body_rest == nullptr) return response.body.empty() ? last : response.body.back();
  const auto read = response.body_rest->read(response.body_rest->size() - 1, &last, 1);
  return read ? last : '\0';
}

constexpr std::uint64_t max_told = 10;

void tell_left_out(const SiteFailure& failure, SiteMessages& messages) {
  std::string text = base::printable(failure.origin) + " is left out: " + base::printable(failure.sentence);
  if (failure.left_out_until) text += "; --retry tries it again, from " + minute_text(*failure.left_out_until) + " on";
  messages.tell("left out", text);
}

}  // namespace

void SiteMessages::tell(std::string_view kind, const std::string& message) {
  const std::uint64_t number = ++numbers_[std::string(kind)];
  if (number <= max_told) return complain("get", message);
  if (number > max_told + 1) return;
  complain("get", "further " + what_ + "s with this message (" + std::string(kind) + ") are counted but not reported");
}

void SiteMessages::tell_numbers() const {
  for (const auto& [kind, number] : numbers_) {
    if (number > max_told) complain("get", grouped(number) + " " + what_ + "s in all: " + kind);
  }
}

void note_body_end(const FetchedPage& page) {
  if (page.has_whole_body() && page.response.body_size > 0) note_results_end(last_byte_of(page.response));
}

void tell_denial(const FetchedPage& page) {
  const ResponseSource source = page.response.source;
  if (source == ResponseSource::robots_denied || source == ResponseSource::robots_unreachable) {
    complain("get", denial(page.url, page.response));
  }
}

void tell_failure(const SiteFailure& failure, SiteMessages& messages) {
  if (failure.why == to_string(ResponseSource::parked)) return tell_left_out(failure, messages);
  std::string text = base::printable(failure.origin) + ": " + base::printable(failure.sentence);
  text += hint_for(failure.cause);
  if (failure.why == disk_too_small_code) text += "; free some space, or cut long bodies with a smaller --max-size";
  if (failure.next_try_in) {
    text += "; next try in " + duration_text(*failure.next_try_in);
  } else if (!failure.is_final) {
    text += "; it will be tried again";
  }
  messages.tell(failure.why == to_string(ResponseSource::server) ? "the server asks for a pause" : failure.why, text);
}

void tell_near_user(const FetchedPage& page, const std::vector<SiteAccess>& users, std::set<std::string>& told,
                    SiteMessages& messages) {
  const std::string near = near_site_of_user(users, page.response.url);
  const auto origin = Origin::of(page.response.url);
  if (near.empty() || !origin || !told.insert(origin->to_string()).second) return;
  const std::string site = base::printable(origin->to_string());
  messages.tell("not the site of --user", site + " asks for a name and a password, and --user is for " +
                                              base::printable(near) + "; for this site write --user " + site +
                                              "=NAME:PASSWORD");
}

void tell_wait(std::string_view sentence, std::string_view over) {
  complain("get", sentence.empty() ? std::string(over) : base::printable(sentence));
}

void tell_proxy(std::string_view sentence) { tell_wait(sentence, "the proxy can be used again"); }

void tell_queue(std::string_view sentence) { tell_wait(sentence, "the database of the queue answers again"); }

void tell_reopened(const std::string& log, const Result<void>& reopened, bool quiet) {
  if (!reopened) {
    complain("get", base::printable(reopened.error().message) + "; the log continues in the old file");
  } else if (!quiet) {
    complain("get", "the log " + base::printable(log) + " was opened again");
  }
}

std::string denial(std::string_view url, const RobotsNote& note) {
  if (note.url.empty() && !note.warning.empty()) return base::printable(url) + ": " + base::printable(note.warning);
  const std::string why = note.verdict.why() == Why::rule
                              ? note.verdict.explanation()
                              : base::printable(why_no_rules(note.outcome, note.status, note.warning)) +
                                    std::string(hint_for(note.cause)) +
                                    (note.outcome == RobotsOutcome::unreachable ? ", so no page of the site is fetched"
                                                                                : ", so the whole site is disallowed");
  return base::printable(url) + ": " + why + " [" + base::printable(note.url) + "]";
}

std::string denial(std::string_view url, const Response& response) {
  if (response.robots == nullptr) return base::printable(url) + ": " + base::printable(response.warning);
  if (response.previous == nullptr) return denial(url, *response.robots);
  return base::printable(url) + " redirects to " + denial(response.url, *response.robots);
}

}  // namespace robotrules::cli
