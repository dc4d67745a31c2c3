// Pages: what the head of a response and of its HTML says about the page.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

// How long a response may be used again without asking: RFC 9111, as a private cache reads it.
//
//     Freshness freshness = read_freshness({.cache_control = {"max-age=600"}, .age = "5", .received_at = now});
//     freshness.is_fresh(now + 5min)  →  true
//
// Everything is total: a field that means nothing makes the response stale or is passed over, as the RFC says, and
// times stop at the ends of their scale.

struct Response;

// What a response says of its age. Views are looked at during the call only.
struct CacheFields {
  std::vector<std::string_view> cache_control{};  // each field line, in order
  std::optional<std::string_view> expires{};      // of fields given twice the first line counts
  std::optional<std::string_view> age{};
  std::optional<std::string_view> date{};
  std::optional<std::string_view> last_modified{};
  std::optional<Timestamp> requested_at{};  // when the request was sent; null: the moment of the answer
  Timestamp received_at{};                  // when the head of the answer was there
};

// Heuristic freshness (section 4.2.2): where nothing is said, a tenth of the time since Last-Modified.
struct FreshnessOptions {
  bool heuristic = false;
  std::chrono::microseconds heuristic_most = std::chrono::hours(24);
};

struct Freshness {
  std::optional<std::chrono::microseconds> lifetime;  // null: nothing is said; zero: stale from the start
  std::chrono::microseconds age_when_received{0};     // corrected_initial_age of section 4.2.3
  Timestamp received_at;
  bool heuristic = false;        // `lifetime` is a guess
  bool no_store = false;         // it must not be kept
  bool no_cache = false;         // it must not be used again without asking, however fresh
  bool must_revalidate = false;  // it must not be used stale, not even where nobody answers

  std::chrono::microseconds current_age(Timestamp now) const noexcept;
  // Null where nothing is said.
  std::optional<Timestamp> fresh_until() const noexcept;
  // False where nothing is said, and with no_cache.
  bool is_fresh(Timestamp now) const noexcept;
};

// Of several max-age the first counts; max-age that is no number, and Expires that is no date, mean stale. s-maxage is
// for shared caches and passed over. Numbers beyond 2^31 seconds are 2^31. A Date that is missing or no date is
// `received_at`; an Age that is no number is passed over.
Freshness read_freshness(const CacheFields& fields, const FreshnessOptions& options = {});
// Of one that was fetched, by its headers and times.
Freshness freshness_of(const Response& response, const FreshnessOptions& options = {});

// RFC 9309 section 2.4: a robots.txt is not kept for more than 24 hours; and no site is asked for it every second.
struct RobotsFreshness {
  std::chrono::microseconds least = std::chrono::minutes(5);
  std::chrono::microseconds most = std::chrono::hours(24);
  std::chrono::microseconds unsaid = std::chrono::hours(24);  // where nothing is said
};

// How long after `received_at` a robots.txt is fresh: what is left of its lifetime, within `limits`. no_cache, no_store
// and a lifetime that is over on arrival give `least`.
std::chrono::microseconds robots_freshness(const Freshness& freshness, const RobotsFreshness& limits = {}) noexcept;

// PageRules: what one page asks of those who may fetch it, in its X-Robots-Tag fields and its robots meta elements.
//
//     PageRules rules = combine(read_x_robots_tag(header_values, "FooBot"), read_robots_meta(html, "FooBot"));
//     if (rules.index_allowed(now)) keep(page);
//
// Sources: Google's specification of the robots meta tag and X-Robots-Tag, draft-illyes-repext-03. Rules for everybody
// and those for the robot add up: whatever forbids something holds (section 3.1.2 of the draft, "the sum of negative
// rules"). Nothing here ever says whether a URL may be fetched. Every function is total: any octets have rules, and
// what is malformed is kept as unknown.

struct Response;

// The larger, the more is shown.
enum class ImagePreview : std::uint8_t { none, standard, large };
std::string_view to_string(ImagePreview preview) noexcept;

// Thread rule: a value type.
struct PageRules {
  bool noindex = false;  // "none" is noindex and nofollow
  bool nofollow = false;
  bool noarchive = false;  // "nocache", as Bing has it, is the same
  bool nosnippet = false;
  bool noimageindex = false;
  bool notranslate = false;
  bool noai = false;             // no use for the training of models
  bool noimageai = false;        // nor of the page's images
  bool indexifembedded = false;  // where another page embeds this one, noindex does not hold

  std::optional<int> max_snippet{};        // characters; -1: no limit, 0: none
  std::optional<int> max_video_preview{};  // seconds; -1: no limit, 0: a still picture at most
  std::optional<ImagePreview> max_image_preview{};
  std::optional<Timestamp> unavailable_after{};

  // Rules that are none of these and those whose values mean nothing, as they were written ("noodp", "max-snippet:
  // many"), each once, at most 100.
  std::vector<std::string> unknown{};

  // False with noindex, and later than unavailable_after.
  bool index_allowed(Timestamp now) const noexcept {
    return !noindex && !(unavailable_after && now > *unavailable_after);
  }

  friend bool operator==(const PageRules&, const PageRules&) = default;
};

// Each element of `header_values` is the value of one X-Robots-Tag (or Robots-Tag) field. Rules stand alone or behind
// the name of the robot they are for, which holds up to the next name or the end of the field: "noindex", "googlebot:
// nofollow, max-snippet: 20"; or are parameters of a name, "*;noindex;nosnippet, ExampleBot;nofollow". `agent` is the
// robot's product token; names are compared as Rules does, by the leading product token and without case. An empty
// agent reads the rules for everybody alone.
//
// Dates of unavailable_after may be of ISO 8601, RFC 822 or RFC 850 or informal ("25 Jun 2010 15:00:00 PST"); without a
// zone they are UTC, without a time the day's first moment. More than 64 KiB of a value are not read.
PageRules read_x_robots_tag(std::span<const std::string_view> header_values, std::string_view agent);

// The <meta name="robots"> elements, and those that have the robot's name, of the document's head, as an HTML parser
// finds them; a meta element elsewhere is the words of somebody who can write to the page but not to its head (the
// draft's section 4). http-equiv="X-Robots-Tag" means nothing: no standard has it. `html` is UTF-8.
PageRules read_robots_meta(std::string_view html, std::string_view agent);

// The most restrictive of both: what one forbids is forbidden, the smaller limit and the earlier date hold. A limit of
// -1 counts as the largest, one that is not given as none.
PageRules combine(const PageRules& a, const PageRules& b);

// Both of a page that was fetched: its X-Robots-Tag and Robots-Tag fields, and the head of its body where its
// Content-Type says HTML, brought to UTF-8 by its charset. Of a body that went to a file or a callback only the fields
// are known.
PageRules page_rules_of(const Response& page, std::string_view agent);

// PageHead: what a page says of itself in its head, as fields of a response: what LWP::UserAgent's parse_head puts into
// the headers.
//
//     PageHead head = page_head_of(page);
//     if (head.title) std::cout << *head.title << '\n';
//     for (std::string_view link : head.fields.all("Link")) ...
//
// They stand apart from Response::headers here: they are a page's words, not its server's.

struct Response;

// Thread rule: a value type. All text is UTF-8.
struct PageHead {
  std::optional<std::string> title;  // of the first <title>, its white space collapsed
  std::string base;                  // what relative URLs of the page are relative to

  // As HTML::HeadParser has them, in the page's order: Title, Content-Base of each <base href>, Link of each <link
  // href>
  // ("<next.html>; rel=\"next\""), X-Meta-NAME of each <meta name> ("X-Meta-Description"), X-Meta-Charset, and what
  // each <meta http-equiv> names (Refresh, Content-Type). Names are tokens and values one line; Set-Cookie is left out.
  Headers fields;
};

// The head of a document in UTF-8, where an HTML parser finds its end; at most its first MiB. `base` is the first
// <base href> as written, or empty. Total: any octets have a head.
PageHead read_page_head(std::string_view html);

// Of a page that was fetched and whose Content-Type says HTML, brought to UTF-8 by its charset; nothing of others, nor
// of a body that went to a file or a callback. `base` is absolute: <base href> where it means an http or https URL,
// else the page's own (RFC 3986 section 5.1).
PageHead page_head_of(const Response& page);

// What the headers of a response name: the file it would be saved as, and what it links to.
//
//     if (auto name = filename_of(response)) save(folder / *name, response.body);
//     for (const ResponseLink& link : links_of(response)) if (link.has_relation("next")) visit(link.url);
//
// Links and titles within a page are its body's: page_head.hpp.

struct Response;

// As HTTP::Response's filename: by Content-Disposition (RFC 6266), else by the path of Content-Location, else by that
// of the URL. A name without a folder: UTF-8, no "/" or "\", no control character, not empty, "." or "..", at most 255
// octets. Null where there is none, as for "https://example.org/".
std::optional<std::string> filename_of(const Response& response);

// Thread rule: a value type. All text is UTF-8 where the server's was.
struct ResponseLink {
  std::string url;                     // absolute, as plain_url() has it; empty where it is no http or https URL
  std::string target;                  // as it is written
  std::vector<std::string> relations;  // "next", in lower case
  Headers parameters;  // all of them, names in lower case: "title" (decoded), "type", "hreflang", ...; with "anchor" it
                       // is a link of another resource than the response (RFC 8288 section 3.2)

  bool has_relation(std::string_view relation) const;  // in any case
};

// The Link fields (RFC 8288), in order; targets are relative to the URL of the response. What is malformed is passed
// over; at most 1,000.
std::vector<ResponseLink> links_of(const Response& response);

}  // namespace robotrules
