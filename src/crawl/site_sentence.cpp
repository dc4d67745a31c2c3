#include "crawl/site_sentence.hpp"

namespace robotrules::crawl {

std::string without_own_url(std::string_view origin, std::string_view sentence) {
  const std::string own = std::string(origin) + "/";
  const std::size_t end = sentence.starts_with(own) ? sentence.find(": ", own.size()) : std::string_view::npos;
  return std::string(end == std::string_view::npos ? sentence : sentence.substr(end + 2));
}

std::string without_url(const Response& response) {
  const std::string url = response.url + ": ";
  return response.warning.starts_with(url) ? response.warning.substr(url.size()) : response.warning;
}

std::chrono::microseconds pause_asked_for(const RobotsNote& note, Timestamp now) noexcept {
  const bool is_refusal = note.status == 429 || note.status == 503;
  if (note.outcome != RobotsOutcome::unreachable || !is_refusal || !note.try_again_at) return {};
  return *note.try_again_at - now;
}

std::string sentence_about(std::string_view origin, const RobotsNote& note) {
  std::string why = without_own_url(origin, note.warning);
  if (note.url.empty()) return why;
  const std::string subject = "robots.txt cannot be fetched";
  if (!why.empty()) return subject + ": " + why;
  if (note.status != 0) return subject + ": the server answers " + std::to_string(note.status);
  return subject + ": an earlier attempt has failed, and it is too early for the next one";
}

}  // namespace robotrules::crawl
