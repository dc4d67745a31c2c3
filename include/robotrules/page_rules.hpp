// PageRules: what one page asks of those who may fetch it, in its X-Robots-Tag fields and its robots meta elements.
//
//     PageRules rules = combine(read_x_robots_tag(header_values, "FooBot"), read_robots_meta(html, "FooBot"));
//     if (rules.index_allowed(now)) keep(page);
//
// Sources: Google's specification of the robots meta tag and X-Robots-Tag, draft-illyes-repext-03. Rules for everybody
// and those for the robot add up: whatever forbids something holds (section 3.1.2 of the draft, "the sum of negative
// rules"). Nothing here ever says whether a URL may be fetched. Every function is total: any octets have rules, and
// what is malformed is kept as unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/gate.hpp>

namespace robotrules {

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

}  // namespace robotrules
