// The head of an HTML page as fields of a response, as parse_head of LWP adds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "page/html_tags.hpp"

namespace robotrules::agent {

// One field. The name is a token, the value is one line.
struct HtmlField {
  std::string name;
  std::string value;
};

// The head of one page. `fields` are those of HTML::HeadParser, in order: Title, Content-Base, Link ("<href>;
// rel=\"next\""), X-Meta-NAME of each <meta name>, X-Meta-Charset, and the field that each <meta http-equiv> names. The
// fields come from the page and not from the server. Set-Cookie is left out, as HTML section 4.2.5.3 asks. HTML gives a
// meaning only to Refresh, Content-Type and Content-Language. No standard names X-Robots-Tag here.
struct HtmlHead {
  std::optional<std::string> title;  // text of the first title element
  std::optional<std::string> base;   // href of the first base that has one, relative to the page's URL
  std::string charset;               // from the first meta that names one
  std::vector<HtmlField> fields;
};

// Reads the head of a page. `html` is UTF-8. Any bytes are accepted.
HtmlHead read_html_head(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent
