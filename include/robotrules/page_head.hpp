// PageHead: what a page says of itself in its head, as fields of a response: what LWP::UserAgent's parse_head puts into
// the headers.
//
//     PageHead head = page_head_of(page);
//     if (head.title) std::cout << *head.title << '\n';
//     for (std::string_view link : head.fields.all("Link")) ...
//
// They stand apart from Response::headers here: they are a page's words, not its server's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/headers.hpp>

namespace robotrules {

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

}  // namespace robotrules
