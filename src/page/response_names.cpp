#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "page/file_name.hpp"
#include "page/link_header.hpp"
#include "url/url.hpp"

namespace robotrules {

std::optional<std::string> filename_of(const Response& response) {
  return agent::response_filename(response.headers.get("Content-Disposition").value_or(""),
                                  response.headers.get("Content-Location").value_or(""), response.url);
}

bool ResponseLink::has_relation(std::string_view relation) const {
  return std::any_of(relations.begin(), relations.end(),
                     [&](const std::string& own) { return base::equals_ignore_case(own, relation); });
}

std::vector<ResponseLink> links_of(const Response& response) {
  constexpr std::size_t max_url_bytes = 8'192;
  const auto base = agent::read_url(response.as_found(), max_url_bytes);
  std::vector<ResponseLink> links;
  for (agent::Link& read : agent::parse_links(response.headers.all("Link"))) {
    ResponseLink& link = links.emplace_back();
    link.relations = read.relations();
    for (const agent::Parameter& parameter : read.parameters) {
      link.parameters.add(parameter.name, parameter.value.value_or(""));
    }
    link.target = std::move(read.target);
    if (!base) continue;
    if (auto url = agent::resolve_url(base.value(), link.target, max_url_bytes)) {
      link.url = std::move(url.value().text);
      link.found = std::move(url.value().found);
    }
  }
  return links;
}

}  // namespace robotrules
