#include "cli/agents/agents.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

using CrawlersJson = nlohmann::json;  // an ordered object would be searched from its beginning for each of its members

using KindNames = std::set<std::string_view>;

constexpr Obeys all_obeys[] = {Obeys::yes, Obeys::partly, Obeys::no};

// Returns false if `object` has no such string.
bool take(const CrawlersJson& object, const char* member, std::string& into) {
  const auto found = object.find(member);
  if (found == object.end() || !found->is_string()) return false;
  into = found->get<std::string>();
  return true;
}

// Reads the groups that the crawler obeys. Returns the end of a sentence if a member has a wrong value.
std::string read_agent(const CrawlersJson& object, Crawler& crawler) {
  crawler.agent.tokens = {crawler.name};
  if (const auto tokens = object.find("tokens"); tokens != object.end()) {
    const auto is_text = [](const CrawlersJson& token) { return token.is_string(); };
    if (!tokens->is_array() || tokens->empty() || !std::all_of(tokens->begin(), tokens->end(), is_text)) {
      return "has \"tokens\" that are not an array of names";
    }
    crawler.agent.tokens = tokens->get<std::vector<std::string>>();
  }
  if (const auto ignores = object.find("ignores_star"); ignores != object.end()) {
    if (!ignores->is_boolean()) return "has an \"ignores_star\" that is neither true nor false";
    crawler.agent.ignores_star = ignores->get<bool>();
  }
  std::string obeys;
  if (!take(object, "obeys_robots", obeys)) return {};
  const auto* const known =
      std::ranges::find(all_obeys, std::string_view(obeys), [](Obeys one) { return to_string(one); });
  if (known == std::end(all_obeys)) return "has an \"obeys_robots\" that is not \"yes\", \"partly\" or \"no\"";
  crawler.obeys = *known;
  return {};
}

// Collects the names in the object "kinds" of a document in their order. (Parsing with a callback would search the
// elements of each array from its beginning.)
class KindOrder final : public nlohmann::json_sax<CrawlersJson> {
 public:
  std::vector<std::string> names;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  bool key(string_t& name) override {
    if (depth_ == 1) in_kinds_ = name == "kinds";
    if (depth_ == 2 && in_kinds_) names.push_back(name);
    return true;
  }

 private:
  bool begin() {
    ++depth_;
    return true;
  }
  bool end() {
    --depth_;
    return true;
  }
  std::size_t depth_ = 0;
  bool in_kinds_ = false;
};

std::string read_crawler(const CrawlersJson& object, const KindNames& kinds, Crawler& crawler) {
  if (!object.is_object()) return "is not an object";
  if (!take(object, "name", crawler.name) || crawler.name.empty()) return "has no \"name\"";
  const std::string named = "(" + base::printable(crawler.name) + ") ";
  if (!take(object, "kind", crawler.kind)) return named + "has no \"kind\"";
  if (!kinds.contains(crawler.kind)) {
    return named + "has the kind \"" + base::printable(crawler.kind) + "\", which is not one of \"kinds\"";
  }
  take(object, "operator", crawler.operated_by);
  take(object, "source", crawler.source);
  take(object, "seen", crawler.seen);
  const std::string wrong = read_agent(object, crawler);
  return wrong.empty() ? wrong : named + wrong;
}

}  // namespace

Result<Crawlers> read_crawlers(std::string_view json) {
  Crawlers list;
  const auto fail = [](std::string error) { return Error{"invalid-crawlers", std::move(error)}; };
  const CrawlersJson document = CrawlersJson::parse(json, nullptr, false);
  if (document.is_discarded()) return fail("is not JSON; write a document like data/crawlers.json");
  if (!document.is_object()) return fail("is not a JSON object; write a document like data/crawlers.json");
  take(document, "updated", list.updated);
  const auto kinds = document.find("kinds");
  if (kinds == document.end() || !kinds->is_object()) {
    return fail("has no object \"kinds\"; add one with a text for each kind");
  }
  KindOrder order;
  CrawlersJson::sax_parse(json, &order);
  KindNames kind_names;
  for (const std::string& name : order.names) {
    const auto means = kinds->find(name);
    if (means == kinds->end() || !kind_names.insert(means.key()).second) continue;  // of an object that is repeated
    if (!means->is_string()) return fail("has no text for the kind \"" + base::printable(name) + "\" in \"kinds\"");
    list.kinds.push_back({name, means->get<std::string>()});
  }
  const auto crawlers = document.find("crawlers");
  if (crawlers == document.end() || !crawlers->is_array())
    return fail("has no array \"crawlers\"; write a document like data/crawlers.json");
  for (std::size_t i = 0; i < crawlers->size(); ++i) {
    Crawler crawler;
    const std::string error = read_crawler((*crawlers)[i], kind_names, crawler);
    if (!error.empty()) return fail("is malformed: crawler " + std::to_string(i + 1) + " " + error);
    list.crawlers.push_back(std::move(crawler));
  }
  return list;
}

}  // namespace robotrules::cli
