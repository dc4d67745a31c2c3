#include "page/link_header.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "charset/extended_value.hpp"

namespace robotrules::agent {
namespace {

// Replaces "title" by a "title*" that can be decoded.
void decode_title(std::vector<Parameter>& parameters) {
  const std::string* extended = find_parameter(parameters, "title*");
  if (extended == nullptr) return;
  if (std::optional<std::string> title = decode_extended(*extended)) {
    parameters.insert(parameters.begin(), Parameter{"title", std::move(title)});
  }
}

}  // namespace

std::vector<std::string> Link::relations() const {
  std::vector<std::string> found;
  const std::string* value = find_parameter(parameters, "rel");
  if (value == nullptr) return found;
  std::string_view rest = *value;
  while (!(rest = base::trimmed(rest)).empty()) {
    const std::size_t end =
        static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), base::is_space) - rest.begin());
    found.push_back(base::lower_case(rest.substr(0, end)));
    rest.remove_prefix(end);
  }
  return found;
}

bool Link::has_relation(std::string_view relation) const {
  const std::vector<std::string> all = relations();
  return std::find(all.begin(), all.end(), base::lower_case(relation)) != all.end();
}

std::vector<Link> parse_links(std::span<const std::string_view> lines, std::size_t max_links) {
  std::vector<Link> found;
  for (const std::string_view line : lines) {
    FieldReader reader(line);
    while (!reader.at_end() && found.size() < max_links) {
      reader.skip_blanks();
      if (reader.take(',')) continue;
      if (!reader.take('<')) {
        reader.segment(',');
        continue;
      }
      Link link;
      link.target = std::string(reader.until(">"));
      if (!reader.take('>')) break;
      link.parameters = read_parameters(reader, ",");
      reader.take(',');
      decode_title(link.parameters);
      found.push_back(std::move(link));
    }
  }
  return found;
}

}  // namespace robotrules::agent
