#include "cli/get_rig.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "support/archive/fetched.hpp"

namespace robotrules::test {

GetRig::GetRig() {
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  server.on("", "/robots.txt", test::reply(""));
}

std::string GetRig::url(std::string_view path, std::string_view site) const {
  return test::url_of(port, path, std::string(site) + ".localhost");
}

GetRig::Words GetRig::line(Words words) {
  Words all{"get", "--from", "me@example.org", "--allow-address", "127.0.0.0/8"};
  if (std::find(words.begin(), words.end(), "--delay") == words.end()) all.insert(all.end(), {"--delay", "0"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::string GetRig::list(const std::vector<std::string>& urls) const {
  std::string text;
  for (const std::string& one : urls) text += one + "\n";
  return folder.file("urls.txt", text);
}

std::vector<std::string> GetRig::asked() const {
  std::vector<std::string> targets;
  for (const test::SeenRequest& request : server.witness().requests()) {
    if (request.target != "/robots.txt") targets.push_back(request.target);
  }
  return targets;
}

std::size_t GetRig::times(std::string_view target) const {
  const std::vector<std::string> all = asked();
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), target));
}

std::vector<GetRig::Json> GetRig::json_lines(const std::string& path) {
  std::vector<Json> lines;
  for (const std::string& text : lines_of(contents(path))) lines.push_back(Json::parse(text));
  return lines;
}

GetRig::Json GetRig::line_of(const std::string& path, const std::string& url) {
  for (const Json& one : json_lines(path)) {
    if (one.at("url") == url) return one;
  }
  return {};
}

WarcPages pages_in(const std::string& path, Packing packing) {
  WarcPages found;
  for (const ReadRecord& record : read_warc(contents(path), packing)) {
    const std::string type = record.get("WARC-Type");
    if (record.get("WARC-Target-URI").ends_with("/robots.txt")) continue;
    if (type == "response") found.responses.push_back(record.get("WARC-Target-URI"));
    if (type == "revisit") found.revisits.push_back(record.get("WARC-Target-URI"));
    constexpr std::string_view name = "page-url: ";
    if (type != "metadata") continue;
    for (const std::string& line : lines_of(record.block)) {
      if (!line.starts_with(name)) continue;
      found.pages.push_back(line.substr(name.size()));
      if (found.pages.back().ends_with('\r')) found.pages.back().pop_back();
    }
  }
  return found;
}

}  // namespace robotrules::test
