#include <string>

#include "advice/lint/checks.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t usual_redirects = 5;
constexpr auto longest_cache_time = std::chrono::hours(24);

void check_fault(const FetchFacts& fetched, Findings& findings) {
  const bool is_open = fetched.outcome == RobotsOutcome::unavailable;
  findings.add(is_open ? Code::file_unavailable : Code::file_unreachable, 0, 0,
               {"{}: by RFC 9309 robots {}.",
                {fetched.fault,
                 is_open ? "may fetch everything" : "treat the whole site as closed, or use an old copy of the file"}},
               "Serve the file itself with status 200, whole, and in a content coding that the request names.");
}

void check_status(int status, Findings& findings) {
  const std::string answer = filled({"The server answers {}", {std::to_string(status)}});
  constexpr std::string_view serve = "Serve the file with status 200, or answer 404 if there is none.";
  if (status >= 300 && status < 400) {
    findings.add(Code::file_unavailable, 0, 0,
                 {"{}, and robots do not arrive at a file: by RFC 9309 they may fetch everything.", {answer}},
                 std::string(serve));
  } else if (status == 429) {
    findings.add(Code::file_unreachable, 0, 0,
                 {"{}: RFC 9309 lets robots fetch everything then, but many, such as Google's, treat the whole site as "
                  "closed, or use an old copy of the file.",
                  {answer}},
                 std::string(serve));
  } else if (status == 407 || status == 426) {
    findings.add(Code::file_unreachable, 0, 0,
                 {"{}, which is not about the file, so careful robots treat the whole site as closed.", {answer}},
                 std::string(serve));
  } else if (status >= 400 && status < 500) {
    findings.add(
        Code::file_unavailable, 0, 0,
        {"{}: by RFC 9309 the site has no robots.txt, and robots may fetch everything.", {answer}},
        status == 404 || status == 410
            ? "If that is not intended, serve a robots.txt with status 200."
            : "Serve a robots.txt with status 200, or answer 404; some robots take this answer for a closed site.");
  } else if (!answers_file(status)) {
    findings.add(Code::file_unreachable, 0, 0,
                 {"{}: by RFC 9309 robots treat the whole site as closed, or use an old copy of the file.", {answer}},
                 std::string(serve));
  }
}

}  // namespace

void check_fetch(const FetchFacts& fetched, Findings& findings) {
  fetched.fault.empty() ? check_status(fetched.status, findings) : check_fault(fetched, findings);
  if (fetched.redirects > 0) {
    std::string message = filled({"The robots.txt is reached after {}{}",
                                  {fetched.redirects, fetched.redirects == 1 ? " redirect" : " redirects"}});
    message += fetched.redirects > usual_redirects ? "; robots may give up after five, and then there are no rules."
                                                   : "; robots follow five.";
    findings.add(Code::redirected_file, 0, 0, message, "Serve the file at /robots.txt of each host.");
  }
  if (!has_file(fetched)) return;
  const std::string_view type =
      base::trimmed(std::string_view(fetched.content_type).substr(0, fetched.content_type.find(';')));
  if (!base::equals_ignore_case(type, "text/plain")) {
    findings.add(Code::wrong_content_type, 0, 0,
                 type.empty() ? "The response has no Content-Type; a robots.txt is text/plain."
                              : Sentence("The Content-Type is {}; a robots.txt is text/plain.", {quote(type)}),
                 "Send \"Content-Type: text/plain; charset=utf-8\".");
  }
  if (fetched.max_age && *fetched.max_age > longest_cache_time) {
    findings.add(Code::long_cache_time, 0, 0,
                 {"Caches may keep the file for {} seconds; robots that obey this see a change late.",
                  {std::to_string(fetched.max_age->count())}},
                 "Send \"Cache-Control: max-age=86400\" or less.");
  }
}

}  // namespace robotrules::advice
