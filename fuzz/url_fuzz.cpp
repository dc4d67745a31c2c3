// Any bytes as a URL and as a reference on its page: the normal form is one, rfc9309 answers about it as about the
// spelling that was found, and no dialect allows what one of the spellings forbids.
//
// Input: a line with a URL or a path, a line with a reference, and lines of a robots.txt.
#include <algorithm>
#include <string>
#include <string_view>

#include <robotrules/rules.hpp>
#include <robotrules/url.hpp>

#include "base/url_escapes.hpp"
#include "http/spellings.hpp"
#include "input.hpp"
#include "url/url.hpp"

namespace {

using namespace robotrules;
using namespace robotrules::fuzz;

constexpr std::size_t no_limit = std::string_view::npos;

bool is_in_urls(char c) { return !base::is_outside_urls(static_cast<unsigned char>(c)); }

void look_at_form(const agent::Url& url) {
  require(plain_url(url.text, no_limit).value() == url.text, "the normal form of a normal form is the same");
  require(std::ranges::all_of(url.text, is_in_urls), "it has only bytes of URLs");
  require(url.text.find('#') == std::string::npos, "it has no fragment");
  require(url.text.starts_with(url.origin.to_string() + '/'), "it begins with its origin");
  require(url.found != url.text, "a spelling is kept if it is another one");
  if (url.found.empty()) return;
  const auto again = agent::read_url(url.found, no_limit);
  require(again && again.value().text == url.text && again.value().found == url.found, "it means the same URL");
  require(plain_url(base::needed_escapes(url.found), no_limit).value() == url.text, "and so does its older spelling");
}

void look_at_answers(const agent::Url& url, std::string_view robots) {
  const std::string found = url.found.empty() ? url.text : url.found;
  const std::string escaped = base::needed_escapes(found);
  const std::size_t origin = url.origin.to_string().size();
  // An empty query is not sent.
  const bool omits_query =
      base::normal_escapes(std::string_view(found).substr(origin)) == url.text.substr(origin) + '?';
  for (const Dialect& dialect : Dialect::presets()) {
    const Rules rules = Rules::compile(robots, "fuzzbot", dialect);
    const Verdict sent = rules.check(omits_query ? url.text + '?' : url.text);
    if (&dialect == &Dialect::rfc9309()) {
      const Verdict before = rules.check(escaped);
      require(sent.access() == before.access() && sent.why() == before.why() && sent.line() == before.line(),
              "rfc9309 answers as before");
    }
    const bool all = rules.check(found).allowed() && rules.check(escaped).allowed() && rules.check(url.text).allowed();
    require(agent::check_spellings(rules, url).allowed() == all, "all spellings must be allowed");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  std::string first(input.line());
  const std::string_view reference = input.line();
  if (first.find("://") == std::string::npos)
    first.insert(0, first.starts_with('/') ? "http://a.test" : "http://a.test/");
  const std::string robots = "User-agent: *\n" + std::string(input.rest());
  const auto url = agent::read_url(first, no_limit);
  if (!url) return 0;
  look_at_form(url.value());
  look_at_answers(url.value(), robots);
  const auto target = agent::resolve_url(url.value(), reference, no_limit);
  if (!target) return 0;
  look_at_form(target.value());
  look_at_answers(target.value(), robots);
  return 0;
}
