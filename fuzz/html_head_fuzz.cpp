// Any octets as a page: what is read of its head is what a tree builder finds in the whole document, every field is one
// line, and whatever the charset the text is UTF-8.
//
// Input: a line with a Content-Type, the page.
#include <gumbo.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "charset/to_utf8.hpp"
#include "input.hpp"
#include "page/find_charset.hpp"
#include "page/html_head.hpp"

namespace {

using namespace robotrules::agent;
using namespace robotrules::fuzz;

bool contains(std::string_view text, std::string_view lower_case_word) {
  return robotrules::base::lower_case(text).find(lower_case_word) != std::string::npos;
}

// "meta name content": the elements that lie in the head of the whole document, with their attributes' names.
std::vector<std::string> by_tree(std::string_view html) {
  std::vector<std::string> found;
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* tree = gumbo_parse_with_options(&options, html.data(), html.size());
  const GumboVector& parts = tree->root->v.element.children;
  for (unsigned i = 0; i < parts.length; ++i) {
    const auto* part = static_cast<const GumboNode*>(parts.data[i]);
    if (part->type != GUMBO_NODE_ELEMENT || part->v.element.tag != GUMBO_TAG_HEAD) continue;
    const GumboVector& nodes = part->v.element.children;
    for (unsigned j = 0; j < nodes.length; ++j) {
      const auto* node = static_cast<const GumboNode*>(nodes.data[j]);
      if (node->type != GUMBO_NODE_ELEMENT) continue;
      const GumboTag tag = node->v.element.tag;
      if (tag != GUMBO_TAG_META && tag != GUMBO_TAG_LINK && tag != GUMBO_TAG_BASE && tag != GUMBO_TAG_TITLE) continue;
      std::string text = gumbo_normalized_tagname(tag);
      const GumboVector& attributes = node->v.element.attributes;
      for (unsigned k = 0; k < attributes.length; ++k) {
        text += std::string(" ") + static_cast<const GumboAttribute*>(attributes.data[k])->name;
      }
      found.push_back(text);
    }
  }
  gumbo_destroy_output(&options, tree);
  return found;
}

std::vector<std::string> by_head(std::string_view html) {
  std::vector<std::string> found;
  const HeadLimits none{.document = html.size(), .attributes = html.size(), .tags = html.size()};
  for (const HeadTag& tag : read_head_tags(html, none)) {
    std::string text = tag.name;
    for (const auto& [name, value] : tag.attributes) text += " " + name;
    found.push_back(text);
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const ContentType type = parse_content_type(input.line());
  const std::string_view page = input.rest();

  const std::string_view charset = find_charset(page, type);
  require(known_charset(charset) == charset && !charset.empty(), "a charset is found");
  const Utf8Text text = to_utf8(page, charset, 4096);
  require(text.text.size() <= 4096, "the limit holds");
  require(!to_utf8(text.text, "utf-8").replaced, "text is UTF-8");

  const HtmlHead head = read_html_head(text.text);
  for (const HtmlField& field : head.fields) {
    require(!field.name.empty() && std::all_of(field.name.begin(), field.name.end(), robotrules::base::is_token_octet),
            "a name is a token");
    require(std::none_of(field.value.begin(), field.value.end(), robotrules::base::is_control), "a value is one line");
    require(!to_utf8(field.value, "utf-8").replaced, "and UTF-8");
  }
  // The two in which a head says more than a tree that stands for a machine without scripts.
  if (!contains(text.text, "noscript") && !contains(text.text, "template")) {
    require(by_head(text.text) == by_tree(text.text), "the head is the document's");
  }
  return 0;
}
