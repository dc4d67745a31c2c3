#include "demo/site/asked.hpp"

#include <ctime>
#include <istream>
#include <ostream>

#include <nlohmann/json.hpp>

namespace robotrules::demo {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

std::string text_of(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time));
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const auto rest = duration_cast<microseconds>(time - std::chrono::floor<std::chrono::seconds>(time)).count();
  const std::string digits = std::to_string(1'000'000 + rest);
  return std::string(text, size) + "." + digits.substr(1) + "Z";
}

}  // namespace

Asked asked_of(const test::SeenRequest& request, const test::Moment& begun) {
  std::string host = request.host();
  host.erase(std::min(host.rfind(':'), host.size()));
  return {.at = duration_cast<microseconds>(request.arrived.steady - begun.steady),
          .time = text_of(request.arrived.system),
          .host = std::move(host),
          .target = request.target,
          .status = request.status,
          .agent = request.header("User-Agent").value_or("")};
}

void write_log(std::ostream& to, const std::vector<Asked>& log) {
  for (const Asked& one : log) {
    const nlohmann::ordered_json line = {{"time", one.time},     {"us", one.at.count()}, {"host", one.host},
                                         {"path", one.target},   {"status", one.status}, {"user_agent", one.agent}};
    to << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
}

std::vector<Asked> read_log(std::istream& from) {
  std::vector<Asked> log;
  for (std::string line; std::getline(from, line);) {
    const auto read = nlohmann::json::parse(line);
    log.push_back({.at = microseconds(read.at("us").get<std::int64_t>()),
                   .time = read.at("time"),
                   .host = read.at("host"),
                   .target = read.at("path"),
                   .status = read.at("status"),
                   .agent = read.at("user_agent")});
  }
  return log;
}

}  // namespace robotrules::demo
