// What a page says of itself in its head, as fields of a response: LWP's parse_head.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "page/html_tags.hpp"

namespace robotrules::agent {

// A name is a token, a value one line.
struct HtmlField {
  std::string name;
  std::string value;
};

// `fields` are those of HTML::HeadParser, in order: Title, Content-Base, Link ("<href>; rel=\"next\""), X-Meta-NAME of
// each <meta name>, X-Meta-Charset, and what <meta http-equiv> names. They are a page's words and not a server's: a
// Set-Cookie among them is left out, as HTML section 4.2.5.3 asks, and nobody but HTML itself (Refresh, Content-Type,
// Content-Language) gives the others a meaning. X-Robots-Tag is not among those that any standard names.
struct HtmlHead {
  std::optional<std::string> title;  // the first
  std::optional<std::string> base;   // href of the first base that has one; relative to the page's URL
  std::string charset;               // as the first meta that names one has it
  std::vector<HtmlField> fields;
};

// `html` is UTF-8. Total: any octets are a page.
HtmlHead read_html_head(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent
