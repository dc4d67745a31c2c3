#include "page/html_head.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "fields/content_type.hpp"

namespace robotrules::agent {
namespace {

// Returns the name in the form of a field name; empty if that is impossible.
std::string field_name(std::string_view prefix, std::string_view name) {
  std::string result(prefix);
  result += base::trimmed(name);
  std::replace(result.begin(), result.end(), ':', '-');
  const bool token = std::all_of(result.begin(), result.end(), base::is_token_octet);
  return token && result.size() > prefix.size() ? result : std::string();
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 32);
  return text;
}

std::string link_value(const HeadTag& tag, std::string_view href) {
  std::string value = "<";
  value += base::trimmed(href);
  value += '>';
  std::vector<std::pair<std::string, std::string>> others = tag.attributes;
  std::sort(others.begin(), others.end());
  for (const auto& [name, text] : others) {
    if (name == "href" || field_name({}, name).empty()) continue;
    value += "; " + name + "=\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') value += '\\';
      value += c;
    }
    value += '"';
  }
  return value;
}

void read_meta(const HeadTag& tag, HtmlHead& head) {
  const std::string* equivalent = tag.attribute("http-equiv");
  const std::string* name = tag.attribute("name");
  const std::string* charset = tag.attribute("charset");
  const std::string* content = tag.attribute("content");
  const std::string value = content == nullptr ? std::string() : *content;
  if (charset != nullptr && head.charset.empty()) head.charset = base::trimmed(*charset);
  if (equivalent != nullptr && !equivalent->empty()) {
    if (base::equals_ignore_case(base::trimmed(*equivalent), "content-type") && head.charset.empty()) {
      head.charset = parse_content_type(value).charset;
    }
    const std::string field = field_name({}, *equivalent);
    if (!field.empty() && !base::starts_with_ignore_case(field, "set-cookie")) head.fields.push_back({field, value});
  } else if (name != nullptr && !name->empty()) {
    const std::string field = field_name("X-Meta-", capitalised(std::string(base::trimmed(*name))));
    if (!field.empty()) head.fields.push_back({field, value});
  } else if (charset != nullptr && !charset->empty()) {
    head.fields.push_back({"X-Meta-Charset", *charset});
  }
}

}  // namespace

HtmlHead read_html_head(std::string_view html, const HeadLimits& limits) {
  HtmlHead head;
  for (const HeadTag& tag : read_head_tags(html, limits)) {
    const std::string* href = tag.attribute("href");
    if (tag.name == "meta") {
      read_meta(tag, head);
    } else if (tag.name == "title") {
      if (!head.title) head.title = tag.text;
      head.fields.push_back({"Title", tag.text});
    } else if (tag.name == "base" && href != nullptr) {
      if (!head.base) head.base = base::trimmed(*href);
      head.fields.push_back({"Content-Base", std::string(base::trimmed(*href))});
    } else if (tag.name == "link" && href != nullptr) {
      head.fields.push_back({"Link", link_value(tag, *href)});
    }
  }
  return head;
}

}  // namespace robotrules::agent
