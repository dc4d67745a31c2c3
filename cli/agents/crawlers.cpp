#include "cli/agents/crawlers.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::ordered_json;

// Returns false if `object` has no such string.
bool take(const Json& object, const char* member, std::string& into) {
  const auto found = object.find(member);
  if (found == object.end() || !found->is_string()) return false;
  into = found->get<std::string>();
  return true;
}

std::string read_crawler(const Json& object, const std::vector<Purpose>& purposes, Crawler& crawler) {
  if (!object.is_object()) return "is not an object";
  if (!take(object, "name", crawler.name) || crawler.name.empty()) return "has no \"name\"";
  const std::string named = "(" + base::printable(crawler.name) + ") ";
  if (!take(object, "purpose", crawler.purpose)) return named + "has no \"purpose\"";
  if (std::ranges::find(purposes, crawler.purpose, &Purpose::name) == purposes.end()) {
    return named + "has the purpose \"" + base::printable(crawler.purpose) + "\", which is not one of \"purposes\"";
  }
  take(object, "operator", crawler.operated_by);
  take(object, "source", crawler.source);
  return {};
}

}  // namespace

Crawlers read_crawlers(std::string_view json) {
  Crawlers list;
  const auto fail = [&](std::string error) {
    list.error = std::move(error);
    return list;
  };
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return fail("is not JSON; write a document like data/crawlers.json");
  if (!document.is_object()) return fail("is not a JSON object; write a document like data/crawlers.json");
  take(document, "updated", list.updated);
  const auto purposes = document.find("purposes");
  if (purposes == document.end() || !purposes->is_object()) {
    return fail("has no object \"purposes\"; add one with a text for each purpose");
  }
  for (const auto& [name, means] : purposes->items()) {
    if (!means.is_string())
      return fail("has no text for the purpose \"" + base::printable(name) + "\" in \"purposes\"");
    list.purposes.push_back({name, means.get<std::string>()});
  }
  const auto crawlers = document.find("crawlers");
  if (crawlers == document.end() || !crawlers->is_array())
    return fail("has no array \"crawlers\"; write a document like data/crawlers.json");
  for (std::size_t i = 0; i < crawlers->size(); ++i) {
    Crawler crawler;
    const std::string error = read_crawler((*crawlers)[i], list.purposes, crawler);
    if (!error.empty()) return fail("is malformed: crawler " + std::to_string(i + 1) + " " + error);
    list.crawlers.push_back(std::move(crawler));
  }
  return list;
}

}  // namespace robotrules::cli
