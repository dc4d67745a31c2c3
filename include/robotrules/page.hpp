// Pages: what the response headers and the HTML head of a page say about it.
//
//     robotrules::Response page = ua.get("https://example.org/");
//     bool may_index = robotrules::page_rules_of(page, "FooBot").index_allowed(now);
//     std::string title = robotrules::page_head_of(page).title.value_or("");
//     bool is_fresh = robotrules::freshness_of(page).is_fresh(now);
//     std::string name = robotrules::filename_of(page).value_or("index.html");
//
// Thread rule: the types are value types and the functions are pure; any thread may call them.
// Errors: there are none. Every function accepts any bytes; a part that is malformed is ignored, or treated as its
// comment says.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>

namespace robotrules {

struct Response;

// --- freshness (headers.hpp) ----------------------------------------------------------------------------------------

// Returns the freshness of a fetched response, from its headers and times.
ROBOTRULES_API Freshness freshness_of(const Response& response, const FreshnessOptions& options = {});

// --- page rules: X-Robots-Tag and robots meta elements --------------------------------------------------------------

// Page rules tell the robots that may fetch a page how they may use it.
//
//     PageRules rules = combine(read_x_robots_tag(header_values, "FooBot"), read_robots_meta(html, "FooBot"));
//     if (rules.index_allowed(now)) keep(page);
//
// Sources: Google's specification of the robots meta tag and X-Robots-Tag, and draft-illyes-repext-03. Rules for all
// robots and rules for this robot are combined: every prohibition of both applies (section 3.1.2 of the draft, "the sum
// of negative rules"). Page rules never say whether a URL may be fetched. A malformed rule is kept in `unknown`.

// How large an image preview may be. A larger value permits more.
enum class ImagePreview : std::uint8_t { none, standard, large };
ROBOTRULES_API std::string_view to_string(ImagePreview preview) noexcept;

// The rules of one page for one robot. Thread rule: a value type.
struct PageRules {
  bool noindex = false;  // "none" sets noindex and nofollow
  bool nofollow = false;
  bool noarchive = false;  // also "nocache", as Bing writes it
  bool nosnippet = false;
  bool noimageindex = false;
  bool notranslate = false;
  bool noai = false;             // the text must not be used to train models
  bool noimageai = false;        // the images must not be used to train models
  bool indexifembedded = false;  // noindex does not apply when another page embeds this one

  std::optional<int> max_snippet{};        // characters; -1: no limit, 0: none
  std::optional<int> max_video_preview{};  // seconds; -1: no limit, 0: at most a still image
  std::optional<ImagePreview> max_image_preview{};
  std::optional<Timestamp> unavailable_after{};

  // Other rules, and rules with an invalid value, as written ("noodp", "max-snippet: many"). Each is listed once; at
  // most 100.
  std::vector<std::string> unknown{};

  // Set by page_rules_of(): the page is HTML, but its body is not in the response, so its meta elements are unknown.
  bool body_unread = false;

  // Returns false with noindex, and after the time of unavailable_after. If body_unread is true, the page itself may
  // say noindex, which is not known here.
  bool index_allowed(Timestamp now) const noexcept {
    return !noindex && !(unavailable_after && now > *unavailable_after);
  }

  friend bool operator==(const PageRules&, const PageRules&) = default;
};

// Reads the rules for the robot `agent` from X-Robots-Tag (or Robots-Tag) fields. Each element of `header_values` is
// the value of one field.
//
// A rule may stand alone ("noindex") or after the name of a robot. A name applies to the rules that follow, up to the
// next name or the end of the field: "googlebot: nofollow, max-snippet: 20". Rules may also be parameters of a name:
// "*;noindex;nosnippet, ExampleBot;nofollow". `agent` is the robot's name or a User-Agent header, which robot_name()
// reduces. Names are compared as Rules does: by the leading product token and without regard to case. An empty `agent`
// reads only the rules for all robots.
//
// The date of unavailable_after may be in ISO 8601, RFC 822, RFC 850 or an informal format ("25 Jun 2010 15:00:00
// PST"). Without a time zone it is UTC; without a time it is the start of the day. At most 64 KiB of a value are read.
//
// `header_values` may be a vector or an array of views, such as headers.all("X-Robots-Tag").
ROBOTRULES_API PageRules read_x_robots_tag(std::span<const std::string_view> header_values, std::string_view agent);

// Reads the rules for the robot `agent` from the meta elements in the head of a document: those with the name "robots"
// and those with the name of the robot. `html` is UTF-8. The head ends where an HTML parser ends it. Meta elements
// after it are ignored, because they may come from a person who can write to the page but not to its head (section 4 of
// the draft). http-equiv="X-Robots-Tag" is ignored, because no standard defines it.
ROBOTRULES_API PageRules read_robots_meta(std::string_view html, std::string_view agent);

// Returns the most restrictive combination of two sets of rules: all prohibitions of both, the smaller limits and the
// earlier date. A limit of -1 is larger than every other limit; a limit that only one of them has is used.
ROBOTRULES_API PageRules combine(const PageRules& a, const PageRules& b);

// Returns the rules of a fetched page: its X-Robots-Tag and Robots-Tag fields, and the head of its body if its
// Content-Type is HTML. The body is converted to UTF-8 by its charset. If the body is not in the response (it went to a
// file or a callback, or Request::keep_body was false), only the fields are used, and PageRules::body_unread is true.
// `agent` is the robot's name, such as "FooBot", or a whole User-Agent header.
ROBOTRULES_API PageRules page_rules_of(const Response& page, std::string_view agent);

// --- page head: title, base and meta elements -----------------------------------------------------------------------

// A PageHead contains the elements of an HTML head in the form of header fields. They are the fields that
// LWP::UserAgent (parse_head) adds to the headers of a response.
//
//     PageHead head = page_head_of(page);
//     if (head.title) std::cout << *head.title << '\n';
//     for (std::string_view link : head.fields.all("Link")) ...
//
// Here they are separate from Response::headers, because they come from the page and not from the server.

// The head of one page. All text is UTF-8. Thread rule: a value type.
struct PageHead {
  std::optional<std::string> title;  // of the first <title>, with white space collapsed
  std::string base;                  // the base of relative URLs in the page

  // The fields of HTML::HeadParser, in the order of the page:
  //   Title               the text of <title>
  //   Content-Base        the href of each <base>
  //   Link                each <link href>, such as <next.html>; rel="next"
  //   X-Meta-NAME         each <meta name>, such as X-Meta-Description
  //   X-Meta-Charset      each <meta charset>
  //   other names         each <meta http-equiv>, such as Refresh or Content-Type
  // Names are tokens and values have one line. Set-Cookie is left out.
  Headers fields;
};

// Reads the head of a document, up to the place where an HTML parser ends it and at most 1 MiB. `html` is UTF-8. `base`
// is the first <base href> as written, or empty.
ROBOTRULES_API PageHead read_page_head(std::string_view html);

// Reads the head of a fetched page, converted to UTF-8 by its charset. Only `base` is set if its Content-Type is not
// HTML or if the body went to a file or a callback. `base` is absolute: <base href> if that is an http or https URL,
// else the URL of the page (RFC 3986 section 5.1). It keeps the spelling in which it was found, so that robots.txt is
// asked about the links of the page as they were found.
ROBOTRULES_API PageHead page_head_of(const Response& page);

// --- names: the file name and the links of a response ---------------------------------------------------------------

// The response headers may name the file under which a response should be saved, and links to other resources.
//
//     if (auto name = filename_of(response)) save(folder / *name, response.body);
//     for (const ResponseLink& link : links_of(response)) if (link.has_relation("next")) visit(link.url);
//
// Links and titles inside an HTML page are in PageHead.

// Returns the file name of a response, as HTTP::Response::filename does. It comes from Content-Disposition (RFC 6266),
// else from the path of Content-Location, else from the path of the URL. The name has no folder and is safe to create:
// UTF-8, without "/", "\" and control characters, not empty, not "." or "..", at most 255 bytes. Returns null if there
// is no name, as for "https://example.org/".
ROBOTRULES_API std::optional<std::string> filename_of(const Response& response);

// One link of a Link field. Its text is UTF-8 if the server's was. Thread rule: a value type.
struct ROBOTRULES_API ResponseLink {
  std::string url;     // absolute, in the form of plain_url(); empty if it is not an http or https URL
  std::string found;   // the same URL in the spelling of the target, for QueuedUrl::found; empty: as `url`
  std::string target;  // as written
  std::vector<std::string> relations;  // "next", in lower case
  // All parameters, with names in lower case: "title" (decoded), "type", "hreflang" ... If there is an "anchor", the
  // link belongs to that resource and not to the response (RFC 8288 section 3.2).
  Headers parameters;

  // Returns true if the link has this relation, without regard to case.
  bool has_relation(std::string_view relation) const;
};

// Returns the links of the Link fields (RFC 8288) in order, at most 1,000. Targets are relative to the URL of the
// response. Malformed links are skipped.
ROBOTRULES_API std::vector<ResponseLink> links_of(const Response& response);

}  // namespace robotrules
