#include <robotrules/page.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "page/html_tags.hpp"
#include "page/page_rule.hpp"
#include "page/robots_tag.hpp"

namespace robotrules {

using namespace agent;

std::string_view to_string(ImagePreview preview) noexcept {
  switch (preview) {
    case ImagePreview::none: return "none";
    case ImagePreview::standard: return "standard";
    case ImagePreview::large: break;
  }
  return "large";
}

PageRules read_x_robots_tag(std::span<const std::string_view> header_values, std::string_view agent) {
  PageRules rules;
  const std::string_view name = robot_name(agent);
  for (const std::string_view value : header_values) read_robots_tag(value, name, rules);
  return rules;
}

PageRules read_robots_meta(std::string_view html, std::string_view agent) {
  const std::string_view own = robot_name(agent);
  PageRules rules;
  for (const HeadTag& tag : read_head_tags(html)) {
    const std::string* name = tag.attribute("name");
    const std::string* content = tag.attribute("content");
    if (tag.name != "meta" || name == nullptr || content == nullptr) continue;
    const std::string_view robot = base::trimmed(*name);
    if (base::equals_ignore_case(robot, "robots") || names_agent(robot, own)) read_rule_list(*content, rules);
  }
  return rules;
}

PageRules combine(const PageRules& a, const PageRules& b) {
  PageRules sum = a;
  sum.noindex |= b.noindex;
  sum.nofollow |= b.nofollow;
  sum.noarchive |= b.noarchive;
  sum.nosnippet |= b.nosnippet;
  sum.noimageindex |= b.noimageindex;
  sum.notranslate |= b.notranslate;
  sum.noai |= b.noai;
  sum.noimageai |= b.noimageai;
  // This only weakens a prohibition. Both are reported separately, as "noindex" and "indexifembedded".
  sum.indexifembedded |= b.indexifembedded;
  sum.body_unread |= b.body_unread;
  limit(sum.max_snippet, b.max_snippet);
  limit(sum.max_video_preview, b.max_video_preview);
  if (b.max_image_preview) {
    sum.max_image_preview = std::min(sum.max_image_preview.value_or(ImagePreview::large), *b.max_image_preview);
  }
  if (b.unavailable_after) {
    sum.unavailable_after = std::min(sum.unavailable_after.value_or(Timestamp::max()), *b.unavailable_after);
  }
  for (const std::string& rule : b.unknown) add_unknown(rule, sum);
  return sum;
}

}  // namespace robotrules
