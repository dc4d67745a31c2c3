#include "archive/page_json.hpp"

#include <chrono>

#include <nlohmann/json.hpp>

#include "base/answer_json.hpp"
#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/time_text.hpp"
#include "base/utf8.hpp"

namespace robotrules::archive {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view value) {
  out.append(",\"").append(name).append("\":");
  base::append_json(out, value);
}
void append_number(std::string& out, std::string_view name, std::uint64_t value) {
  out.append(",\"").append(name).append("\":").append(std::to_string(value));
}

// The delay of the crawl itself, which nearly every page waits for, is left out, unless it is why there is no page.
void append_wait(std::string& out, const Response& response) {
  if (response.waited_for == WaitReason::none) return;
  if (response.waited_for == WaitReason::delay && !response.is_synthetic()) return;
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(response.waited);
  if (waited.count() > 0) append_number(out, "waited_ms", static_cast<std::uint64_t>(waited.count()));
  append_text(out, "waited_for", to_string(response.waited_for));
}

void append_verdict_of(std::string& out, const RobotsNote& note) {
  out += ',';
  const auto rule = note.verdict.rule();
  base::append_verdict(out, to_string(note.access), rule ? rule->line : 0, rule ? rule->text() : "");
  base::RobotsFacts facts;
  facts.outcome = note.stale ? "stale" : to_string(note.outcome);
  facts.status = note.status;
  facts.url = note.url;
  if (note.fetched_at != Timestamp{}) facts.fetched_at = note.fetched_at;
  facts.truncated = note.truncated;
  base::append_robots(out, facts);
}

std::string text_of(const nlohmann::json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Headers headers_of(const nlohmann::json& object) {
  Headers read;
  const auto headers = object.find("headers");
  if (headers == object.end() || !headers->is_array()) return read;
  for (const auto& field : *headers) {
    if (!field.is_array() || field.size() != 2 || !field[0].is_string() || !field[1].is_string()) continue;
    read.add(field[0].get<std::string>(), field[1].get<std::string>());
  }
  return read;
}

// Takes the body, which may be long, out of the line. Returns null if it has none, or a damaged one.
std::optional<std::string> take_body(nlohmann::json& object) {
  const auto take = [&object](const char* name) -> std::optional<std::string> {
    const auto at = object.find(name);
    if (at == object.end() || !at->is_string()) return std::nullopt;
    return std::move(at->get_ref<std::string&>());
  };
  if (auto text = take("body")) return text;
  const auto coded = take("body_b64");
  std::string body;
  if (!coded || !base::decode_base64(*coded, body)) return std::nullopt;
  return body;
}

// Calls `each` with pieces of the body. `cut` returns how many bytes a piece may have; the last piece has the rest.
template <class Cut, class Each>
Result<void> for_each_cut_piece(const BodyView& body, Cut cut, Each each) {
  std::string held;
  const auto read = body.for_each_piece([&](std::string_view piece) -> Result<void> {
    held += piece;
    const std::size_t size = cut(held);
    auto done = each(std::string_view(held).substr(0, size));
    held.erase(0, size);
    return done;
  });
  return read && !held.empty() ? each(std::string_view(held)) : read;
}

// Returns the number of bytes up to the end of the last complete character.
std::size_t whole_characters(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t needs = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
    return needs > back ? text.size() - back : text.size();
  }
  return text.size();
}

template <class Each>
Result<void> for_each_character_piece(const BodyView& body, Each each) {
  return for_each_cut_piece(body, whole_characters, each);
}

}  // namespace

void append_page_facts(std::string& out, const FetchedPage& page) {
  const Response& response = page.response;
  out += "{\"url\":";
  base::append_json(out, page.url);
  append_text(out, "method", page.method);
  append_text(out, "final_url", response.url);
  append_number(out, "status", static_cast<std::uint64_t>(response.received_status()));
  append_text(out, "why", page.reason());
  if (!response.warning.empty()) append_text(out, "warning", response.warning);
  if (response.requested_at != Timestamp{}) {
    append_text(out, "requested_at", base::time_text(response.requested_at));
    append_text(out, "received_at", base::time_text(response.received_at));
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(response.received_at - response.requested_at);
    append_number(out, "ms", static_cast<std::uint64_t>(std::max<std::int64_t>(took.count(), 0)));
  }
  append_wait(out, response);
  if (response.try_again_at) append_text(out, "try_again_at", base::time_text(*response.try_again_at));
  if (!response.is_synthetic()) {
    append_number(out, "bytes", response.body_size);
    append_number(out, "wire_bytes", response.bytes_received);
  }
  if (page.tries > 1) append_number(out, "tries", page.tries);
  if (!page.file.empty()) append_text(out, "file", page.file);
  if (response.truncated) out += ",\"truncated\":true";
  if (const auto hops = response.redirects(); !hops.empty()) append_number(out, "redirects", hops.size());
  if (response.robots != nullptr) {
    append_verdict_of(out, *response.robots);
  } else {  // robots.txt was not asked for, as if the port is refused
    out += ',';
    base::append_verdict(out, to_string(Access::unknown), 0, "");
  }
}

void append_headers(std::string& out, const Headers& headers) {
  out += ",\"headers\":[";
  bool first = true;
  for (const HeaderField& field : headers) {
    out += first ? "[" : ",[";
    first = false;
    base::append_json(out, field.name);
    out += ',';
    base::append_json(out, field.value);
    out += ']';
  }
  out += ']';
}

Result<void> write_body(const BodyView& body, const std::function<Result<void>(std::string_view text)>& write) {
  bool text = true;
  auto looked = for_each_character_piece(body, [&text](std::string_view piece) -> Result<void> {
    text = text && base::is_utf8(piece);
    return {};
  });
  if (!looked) return looked;
  std::string made;
  if (auto begun = write(text ? ",\"body\":\"" : ",\"body_b64\":\""); !begun) return begun;
  auto written = text ? for_each_character_piece(body,
                                                 [&](std::string_view piece) {
                                                   made.clear();
                                                   base::append_json(made, piece);
                                                   return write(std::string_view(made).substr(1, made.size() - 2));
                                                 })
                      : for_each_cut_piece(
                            body, [](std::string_view bytes) { return bytes.size() - bytes.size() % 3; },
                            [&](std::string_view piece) { return write(base::base64(piece)); });
  return written ? write("\"") : written;
}

std::string recovered_line(const RecoveredPage& page) {
  std::string out = "{\"url\":";
  base::append_json(out, page.url);
  append_text(out, "method", page.method);
  append_number(out, "status", static_cast<std::uint64_t>(page.status));
  append_text(out, "why", page.why);
  if (page.at != Timestamp{}) append_text(out, "received_at", base::time_text(page.at));
  append_number(out, "bytes", page.bytes);
  return out + ",\"recovered\":true}\n";
}

std::optional<RecoveredPage> read_page_line(std::string_view line, GiveBack give_back) {
  auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  RecoveredPage page;
  page.url = text_of(object, "url");
  page.method = text_of(object, "method");
  page.why = text_of(object, "why");
  const auto status = object.find("status");
  if (page.url.empty() || page.method.empty() || status == object.end() || !status->is_number_unsigned() ||
      status->get<std::uint64_t>() > 999) {
    return std::nullopt;
  }
  page.status = status->get<int>();
  if (const auto bytes = object.find("bytes"); bytes != object.end() && bytes->is_number_unsigned()) {
    page.bytes = bytes->get<std::uint64_t>();
  }
  page.requested_at = base::time_of_text(text_of(object, "requested_at")).value_or(Timestamp{});
  page.at = base::time_of_text(text_of(object, "received_at")).value_or(Timestamp{});
  if (const auto cut = object.find("truncated"); cut != object.end()) page.truncated = *cut == true;
  Headers headers = headers_of(object);
  const bool was_redirected = object.contains("redirects") && text_of(object, "final_url") != page.url;
  if (!was_redirected) {  // else they belong to another URL
    page.etag = headers.get("ETag").value_or("");
    page.last_modified = headers.get("Last-Modified").value_or("");
  }
  if (give_back == GiveBack::facts) return page;
  if (auto body = take_body(object); body && body->size() <= max_given_back) {
    page.response = response_of(page, text_of(object, "final_url"), {}, std::move(headers), *std::move(body));
  }
  return page;
}

}  // namespace robotrules::archive
