#include "cli/io/sources.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <robotrules/page.hpp>

#include "base/escape.hpp"
#include "base/host_name.hpp"
#include "base/userinfo.hpp"
#include "base/whole_lines.hpp"
#include "cli/flags/choice.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/io/urlish.hpp"

namespace robotrules::cli {
namespace {

// "https://example.org" → "https://example.org/robots.txt"
std::string file_of(const std::string& url) {
  const auto origin = Origin::of(url);
  const std::size_t path = url.find_first_of("/?#", url.find("://") + 3);
  const bool whole_site = path == std::string::npos || url.substr(path) == "/";
  return origin && whole_site ? origin->robots_url() : url;
}

std::string_view to_a_robot(PolicyAction meaning) {
  switch (meaning) {
    case PolicyAction::allow_all: return "a robot may then fetch everything";
    case PolicyAction::disallow_all: return "a robot may then fetch nothing";
    case PolicyAction::unreachable: break;
  }
  return "a robot waits until the file can be fetched, or uses its last copy";
}

// Returns why the response contains no file.
std::string why_not(const Response& response, const RobotsPolicy& policy) {
  if (!response.warning.empty()) return response.warning + std::string(hint_for(response.cause));
  return base::without_userinfo(response.url) + " answers " + response.status_line() + ": " +
         std::string(to_a_robot(policy.action_for(response.code))) + " (policy " + std::string(policy.name) + ")";
}

FetchFacts facts_of(const Response& response) {
  FetchFacts facts{.status = response.code};
  if (const auto type = response.headers.get("Content-Type")) facts.content_type = *type;
  for (const auto& before : response.redirects()) facts.redirects += before->is_redirect() ? 1 : 0;
  if (const auto lifetime = freshness_of(response).lifetime) {
    facts.max_age = std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
  }
  return facts;
}

}  // namespace

Result<void> Sources::go_online() {
  auto choice = choose_network(options_);
  if (!choice) return choice.error();
  network_ = std::move(choice).value();
  const auto agent = choose_agent(options_.agent, options_.robot);
  if (!agent) return agent.error();
  auto robot = make_robot(options_, network_, agent.value().name, nullptr);
  if (!robot) return robot.error();
  robot_.emplace(std::move(robot).value());
  return {};
}

SourceBytes Sources::fetch(const std::string& url, bool any_answer) {
  SourceBytes file;
  if (!robot_) {
    if (const auto online = go_online(); !online) {
      file.error = online.error().message;
      return file;
    }
  }
  const std::size_t limit = network_.policy.body_limit;
  Request request;
  request.url = file_of(url);
  request.max_size = excess_ == Excess::seen ? limit + 1 : limit;
  file.url = request.url;
  Response response = robot_->request(std::move(request));
  const bool is_file = response.is_success() && response.code != 206;  // no part was asked for
  if (response.is_synthetic() || (!is_file && !any_answer)) {
    file.error = base::printable(why_not(response, network_.policy));
    return file;
  }
  file.bytes = std::move(response.body);
  file.response = facts_of(response);
  RobotsFacts& facts = file.fetched.emplace();
  facts.status = response.code;
  facts.url = base::without_userinfo(response.url);
  facts.fetched_at = response.received_at;
  facts.truncated = response.truncated || file.bytes.size() > limit;
  if (!any_answer) note(url, response, *facts.truncated);
  if (*facts.truncated && excess_ == Excess::cut) {
    file.bytes.resize(base::whole_lines(file.bytes, limit));
  }
  return file;
}

void Sources::note(const std::string& url, const Response& response, bool truncated) const {
  if (response.previous != nullptr) {
    complain(command_, "note: " + printable_url(url) + " redirects to " + printable_url(response.url));
  }
  if (truncated) {
    complain(command_, "note: " + printable_url(response.url) + " is longer than " +
                           std::to_string(network_.policy.body_limit) + " bytes; robots ignore the rest");
  }
}

SourceBytes Sources::read(const std::string& source) { return read(source, false); }

SourceBytes Sources::read_answer(const std::string& source) { return read(source, true); }

SourceBytes Sources::read(const std::string& source, bool any_answer) {
  if (is_url(source)) return fetch(source, any_answer);
  FileBytes file = read_file(source);
  if (!file.missing || !base::begins_with_host_name(source)) return {std::move(file), {}, {}, {}};
  const std::string url = read_url_or_path(source);
  if (is_url(url) && !options_.offline) {
    complain(command_,
             "note: no file has the name " + printable_url(source) + ", so " + printable_url(url) + " is read");
    return fetch(url, any_answer);
  }
  if (!source.ends_with(".txt")) file.error += ", or write " + printable_url(read_url(source)) + " for the site";
  return {std::move(file), {}, {}, {}};
}

}  // namespace robotrules::cli
