// What the headers of a response name: the file it would be saved as, and what it links to.
//
//     if (auto name = filename_of(response)) save(folder / *name, response.body);
//     for (const ResponseLink& link : links_of(response)) if (link.has_relation("next")) visit(link.url);
//
// Links and titles within a page are its body's: page_head.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>

namespace robotrules {

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
