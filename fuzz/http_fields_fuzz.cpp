// Any octets as the values of response fields: dates, Retry-After, caches, types, names and links are within their
// bounds.
//
// Input: a line a field.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <robotrules/page.hpp>

#include "base/ascii.hpp"
#include "charset/to_utf8.hpp"
#include "fields/content_type.hpp"
#include "fields/http_date.hpp"
#include "fields/loose_date.hpp"
#include "fields/retry_after.hpp"
#include "input.hpp"
#include "page/file_name.hpp"
#include "page/link_header.hpp"

namespace {

using namespace robotrules;
using namespace robotrules::agent;
using namespace robotrules::fuzz;
using namespace std::chrono_literals;

constexpr Timestamp now{std::chrono::seconds(1'780'000'000)};

void look_at_dates(std::string_view value) {
  if (const auto time = parse_http_date(value, now)) {
    require(parse_http_date(format_http_date(*time), now) == *time, "a date is read as it was written");
    require(parse_loose_date(format_http_date(*time)) == *time, "and by the other reader");
  }
  if (const auto time = parse_loose_date(value)) {
    require(*time > Timestamp(-std::chrono::hours(24) * 366 * 1971), "a date is in our era");
    require(*time < Timestamp(std::chrono::hours(24) * 366 * 8031), "and in four digits");
  }
  const auto wait = parse_retry_after(value, std::nullopt, now);
  require(!wait || (*wait > 0s && *wait <= max_retry_after), "a wait is a wait");
}

void look_at_names(std::string_view value, std::string_view other) {
  const ContentType type = parse_content_type(value);
  require(type.type == base::lower_case(type.type) && type.charset == base::lower_case(type.charset),
          "types are lower case");
  for (const auto& name : {response_filename(value, other, other), url_filename(value)}) {
    if (!name) continue;
    require(!name->empty() && name->size() <= 255 && *name != "." && *name != "..", "a name is a name");
    require(name->find_first_of("/\\") == std::string::npos, "and no path");
    require(std::none_of(name->begin(), name->end(), base::is_control), "and holds no control");
    require(!to_utf8(*name, "utf-8").replaced, "and is UTF-8");
  }
}

void look_at_freshness(const std::vector<std::string_view>& lines) {
  const auto line = [&](std::size_t i) { return i < lines.size() ? std::optional(lines[i]) : std::nullopt; };
  for (const Timestamp received : {now, Timestamp::max(), Timestamp::min()}) {
    const Freshness found = read_freshness({.cache_control = lines,
                                            .expires = line(0),
                                            .age = line(1),
                                            .date = line(2),
                                            .last_modified = line(3),
                                            .requested_at = now,
                                            .received_at = received},
                                           {.heuristic = true});
    require(found.age_when_received >= 0s && found.current_age(now) >= 0s, "an age is no less than nothing");
    require(!found.lifetime || *found.lifetime >= 0s, "nor is a lifetime");
    require(!found.is_fresh(received) || *found.fresh_until() > received, "fresh is until a later moment");
    const auto kept = robots_freshness(found);
    require(kept >= 5min && kept <= 24h, "robots.txt is kept within its limits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  std::vector<std::string_view> lines;
  while (!input.empty() && lines.size() < 8) lines.push_back(input.line());
  for (const std::string_view line : lines) {
    look_at_dates(line);
    look_at_names(line, lines.back());
  }
  look_at_freshness(lines);
  for (const Link& link : parse_links(lines)) {
    require(link.parameters.size() <= max_parameters + 1, "parameters are bounded");
    static_cast<void>(link.relations());
  }
  return 0;
}
