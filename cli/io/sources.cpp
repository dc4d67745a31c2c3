#include "cli/io/sources.hpp"

#include <chrono>
#include <string>
#include <utility>

#include <robotrules/page.hpp>
#include <robotrules/robot_ua.hpp>

#include "base/escape.hpp"
#include "base/host_name.hpp"
#include "base/userinfo.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

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

// Returns why there is no file.
std::string why_not(const FetchedRobots& fetched, const RobotsPolicy& policy) {
  const auto& [record, reason] = fetched.result;
  const Response& last = fetched.last;
  if (last.is_synthetic()) return last.warning + std::string(hint_for(last.cause));
  const std::string answer =
      reason.empty() ? base::without_userinfo(last.url) + " answers " + last.status_line() : reason;
  return answer + ": " + std::string(to_a_robot(action_for(record.outcome, record.status, policy))) + " (policy " +
         std::string(policy.name) + ")";
}

// Returns true if a server answered, although the answer may be unusable.
bool has_answer(const Response& last) {
  return !last.is_synthetic() || last.source == ResponseSource::body_refused ||
         last.source == ResponseSource::bad_response;
}

FetchFacts facts_of(const FetchedRobots& fetched) {
  const Response& last = fetched.last;
  const RobotsRecord& record = fetched.result.record;
  FetchFacts facts{.status = last.code, .redirects = record.hops.size()};
  if (const auto type = last.headers.get("Content-Type")) facts.content_type = *type;
  if (const auto lifetime = freshness_of(last).lifetime) {
    facts.max_age = std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
  }
  facts.fault = base::printable(fetched.result.reason);
  facts.outcome = record.outcome;
  return facts;
}

}  // namespace

SourceBytes Sources::fetch(const std::string& url, bool any_answer) {
  SourceBytes file;
  if (!robot_) {
    auto robot = make_robot(network_, agent_, agent_.name, nullptr);
    if (!robot) {
      file.error = robot.error().message;
      return file;
    }
    robot_.emplace(std::move(robot).value());
  }
  const RobotsPolicy& policy = network_.policy.policy;
  const std::size_t limit = policy.body_limit;
  FetchRobotsOptions how{.policy = policy};
  if (excess_ == Excess::seen) how.policy.body_limit = 2 * limit;
  file.url = file_of(url);
  const FetchedRobots fetched = fetch_robots(*robot_, file.url, how);
  const RobotsRecord& record = fetched.result.record;
  if (any_answer ? !has_answer(fetched.last) : record.body == nullptr) {
    file.error = base::printable(why_not(fetched, policy));
    return file;
  }
  if (record.body != nullptr) file.bytes = *record.body;
  file.response = facts_of(fetched);
  RobotsFacts& facts = file.fetched.emplace();
  facts.outcome = to_string(record.outcome);
  facts.status = fetched.last.code;
  facts.url = base::without_userinfo(fetched.last.url);
  facts.fetched_at = fetched.last.received_at;
  facts.truncated = record.truncated || file.bytes.size() > limit;
  if (!any_answer) note(url, facts, !record.hops.empty());
  return file;
}

void Sources::note(const std::string& url, const RobotsFacts& facts, bool is_moved) const {
  if (is_moved) complain(command_, "note: " + printable_url(url) + " redirects to " + printable_url(facts.url));
  if (*facts.truncated) {
    complain(command_, "note: " + printable_url(facts.url) + " is longer than " +
                           std::to_string(network_.policy.policy.body_limit) + " bytes; robots ignore the rest");
  }
}

SourceBytes Sources::read(const std::string& source) { return read(source, false); }

SourceBytes Sources::read_answer(const std::string& source) { return read(source, true); }

SourceBytes Sources::read(const std::string& source, bool any_answer) {
  if (is_url(source)) return fetch(source, any_answer);
  FileBytes file = read_file(source);
  if (!file.missing || !base::begins_with_host_name(source)) return {std::move(file), {}, {}, {}};
  const std::string url = read_url_or_path(source);
  if (is_url(url) && !offline_) {
    complain(command_,
             "note: no file has the name " + printable_url(source) + ", so " + printable_url(url) + " is read");
    return fetch(url, any_answer);
  }
  if (!source.ends_with(".txt")) file.error += ", or write " + printable_url(read_url(source)) + " for the site";
  return {std::move(file), {}, {}, {}};
}

void note_content(std::string_view command, std::string_view path, const SourceBytes& file, const RobotsTxt& robots) {
  const std::string name = printable_url(path);
  const auto note = [&](const std::string& fact) {
    complain(command, "note: " + name + fact + "; see robotrules lint");
  };
  if (robots.looks_like_html()) note(" is an HTML page, not a robots.txt");
  if (file.bytes.starts_with("\xFF\xFE") || file.bytes.starts_with("\xFE\xFF")) {
    note(" is UTF-16; most robots find no rules in it");
  }
  if (robots.truncated() && !file.fetched) {  // Sources has said so of a fetched file
    const Dialect& dialect = robots.dialect();
    note(" is longer than the " + std::to_string(dialect.file_limit) + " bytes that the dialect " +
         std::string(dialect.name) + " reads; the rules behind them are ignored");
  }
}

}  // namespace robotrules::cli
