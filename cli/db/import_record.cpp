#include "cli/db/import_record.hpp"

#include <nlohmann/json.hpp>

#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>

#include "base/base64.hpp"
#include "base/time_text.hpp"
#include "base/utf8.hpp"
#include "cli/io/json_lines.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::json;  // an ordered object would be searched from its beginning for each of its members
using Written = nlohmann::ordered_json;

constexpr std::chrono::hours usual_freshness{24};

std::optional<std::string> text_of(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? std::optional(at->get<std::string>()) : std::nullopt;
}

std::optional<Origin> origin_of(const Json& object) {
  if (const auto given = text_of(object, "origin")) return Origin::of(*given);
  if (const auto url = text_of(object, "url")) return Origin::of(*url);
  if (const auto host = text_of(object, "host")) return Origin::of("https://" + *host);
  return std::nullopt;
}

// Fills `record` from the object. Returns what is wrong, or an empty string.
std::string read_object(const Json& object, RobotsRecord& record) {
  if (const auto plain = text_of(object, "robots")) {
    record.body = std::make_shared<const std::string>(*plain);
  } else if (const auto coded = text_of(object, "robots_b64")) {
    std::string body;
    if (!base::decode_base64(*coded, body)) return "the member robots_b64 is not base64";
    record.body = std::make_shared<const std::string>(std::move(body));
  } else {
    record.body = nullptr;
  }
  if (const auto outcome = text_of(object, "outcome")) {
    if (*outcome == "rules")
      record.outcome = RobotsOutcome::rules;
    else if (*outcome == "unavailable")
      record.outcome = RobotsOutcome::unavailable;
    else if (*outcome == "unreachable")
      record.outcome = RobotsOutcome::unreachable;
    else
      return "the member outcome is not rules, unavailable or unreachable";
  }
  if (record.body == nullptr && record.outcome == RobotsOutcome::rules) return "has no member robots or robots_b64";
  if (const auto status = object.find("status"); status != object.end()) {
    const bool sound = status->is_number_unsigned() && status->get<std::uint64_t>() <= 999;
    if (!sound) return "the member status is not a whole number from 0 to 999";
    record.status = status->get<int>();
  }
  if (const auto cut = object.find("truncated"); cut != object.end()) {
    if (!cut->is_boolean()) return "the member truncated is not true or false";
    record.truncated = cut->get<bool>() && record.body != nullptr;
  }
  if (const auto url = text_of(object, "url")) record.url = *url;
  if (const auto etag = text_of(object, "etag")) record.etag = *etag;
  if (const auto modified = text_of(object, "last_modified")) record.last_modified = *modified;
  for (const auto& [name, target] :
       {std::pair{"fetched_at", &record.fetched_at}, {"fresh_until", &record.fresh_until}}) {
    const auto given = text_of(object, name);
    if (!given) continue;
    const auto time = base::time_of_text(*given);
    if (!time) return "the member " + std::string(name) + " is not a time such as 2026-11-21T15:04:05Z";
    *target = *time;
  }
  return {};
}

constexpr const char* database_member = "database";

ImportRecord facts_of(const Json& object) {
  ImportRecord made;
  made.database.emplace();
  made.database->agent = text_of(object, "agent").value_or("");
  const auto given = object.find("policy");
  if (given == object.end()) return made;
  auto policy = given->is_string() ? policy_of_text(given->get<std::string>())
                                   : Result<RobotsPolicy>(Error{"invalid-policy", "it is not a string"});
  if (policy) {
    made.database->policy = std::move(policy).value();
  } else {
    made.has_lost_policy = true;
    made.fault = "its policy cannot be read: " + policy.error().message;
  }
  return made;
}

}  // namespace

RobotsRecord record_of(std::string body, const Origin& origin, Timestamp now) {
  RobotsRecord record;
  record.body = std::make_shared<const std::string>(std::move(body));
  record.url = origin.robots_url();
  record.fetched_at = now;
  record.fresh_until = now + usual_freshness;
  return record;
}

ImportRecord record_of_line(std::string_view line, Timestamp now) {
  ImportRecord made;
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) {
    made.fault = "is not a JSON object";
    return made;
  }
  if (const auto database = object.find(database_member); database != object.end() && database->is_object()) {
    return facts_of(*database);
  }
  made.origin = origin_of(object);
  if (!made.origin) {
    made.fault = "has no member origin, url or host that names a site";
    return made;
  }
  made.record = record_of({}, *made.origin, now);
  made.fault = read_object(object, made.record);
  return made;
}

ImportRecord record_of_response(WarcRobots response, Timestamp now) {
  ImportRecord made;
  RobotsExchange& exchange = response.exchange;
  made.origin = Origin::of(exchange.request.url);
  if (!made.origin) {
    made.fault = "is not an http or https URL";
    return made;
  }
  exchange.request = {.url = made.origin->robots_url(), .is_repeated = true};
  exchange.requested_at = exchange.received_at = base::time_of_text(response.date).value_or(now);
  const int status = exchange.status;
  RobotsStep step = robots_step(std::move(exchange), nullptr, RobotsPolicy::rfc9309(), exchange.received_at);
  auto* result = std::get_if<RobotsResult>(&step);
  if (result == nullptr) {
    made.fault = "redirects (" + std::to_string(status) + ")";
  } else if (result->record.outcome == RobotsOutcome::unreachable) {
    made.fault = result->reason.empty() ? "answered with status " + std::to_string(status) : result->reason;
  } else {
    made.record = std::move(result->record);
    made.record.fresh_until = now + usual_freshness;  // for a while, however old the record is
  }
  return made;
}

std::string line_of(const DatabaseFacts& facts) {
  Written database;
  if (!facts.agent.empty()) database["agent"] = facts.agent;
  if (facts.policy) database["policy"] = policy_text(*facts.policy);
  if (database.empty()) return {};
  Written object;
  object[database_member] = std::move(database);
  return json_line(object);
}

std::string line_of(const Origin& origin, const RobotsRecord& record) {
  Written object;
  object["origin"] = origin.to_string();
  object["url"] = record.url;
  object["outcome"] = to_string(record.outcome);
  object["status"] = record.status;
  object["fetched_at"] = base::time_text(record.fetched_at);
  object["fresh_until"] = base::time_text(record.fresh_until);
  if (!record.etag.empty()) object["etag"] = record.etag;
  if (!record.last_modified.empty()) object["last_modified"] = record.last_modified;
  if (record.truncated) object["truncated"] = true;
  if (record.body != nullptr) {
    if (base::is_utf8(*record.body))
      object["robots"] = *record.body;
    else
      object["robots_b64"] = base::base64(*record.body);
  }
  return json_line(object);
}

}  // namespace robotrules::cli
