#include <iterator>

#include "c/agent/handles.hpp"
#include "c/core/common.hpp"
#include "c/store/common.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::HeaderField;
using robotrules::Response;

robotrules_response_facts no_facts() noexcept {
  const robotrules_str none = str_of({});
  return {0,    0,    0,   ROBOTRULES_ACCESS_UNKNOWN, 0, ROBOTRULES_NO_TIME, ROBOTRULES_NO_TIME, 0, none, none,
          none, none, none};
}

}  // namespace

robotrules_status robotrules_response_get_facts(const robotrules_response* response,
                                                robotrules_response_facts* facts) noexcept {
  if (facts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = no_facts();
  if (response == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const Response& from = *response->response;
  *facts = {from.code,
            from.is_synthetic() ? 1 : 0,
            from.truncated ? 1 : 0,
            from.robots != nullptr ? access_of(from.robots->access) : std::int32_t{ROBOTRULES_ACCESS_UNKNOWN},
            from.body_size,
            time_of(from.received_at),
            time_of(from.try_again_at),
            from.headers.size(),
            str_of(to_string(from.source)),
            str_of(from.message),
            str_of(from.warning),
            str_of(from.url),
            str_of(from.body)};
  return ROBOTRULES_OK;
}

robotrules_status robotrules_response_header(const robotrules_response* response, std::size_t index,
                                             robotrules_header* header) noexcept {
  if (header == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *header = {str_of({}), str_of({})};
  if (response == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const auto& headers = response->response->headers;
  if (index >= headers.size()) return ROBOTRULES_OUT_OF_RANGE;
  const HeaderField& field = *std::next(headers.begin(), static_cast<std::ptrdiff_t>(index));
  *header = {str_of(field.name), str_of(field.value)};
  return ROBOTRULES_OK;
}

robotrules_status robotrules_response_verdict(const robotrules_response* response,
                                              robotrules_verdict* verdict) noexcept {
  if (verdict == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *verdict = no_verdict();
  if (response == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (const auto& note = response->response->robots) {
    *verdict = verdict_of(note->verdict);
    verdict->access = access_of(note->access);  // of the policy if there are no rules
  }
  return ROBOTRULES_OK;
}

robotrules_status robotrules_response_previous(const robotrules_response* response,
                                               robotrules_response** previous) noexcept {
  if (previous == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *previous = nullptr;
  if (response == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (response->response->previous == nullptr) return ROBOTRULES_OK;
  return give(previous, true, [&] { return response->response->previous; });
}

void robotrules_response_free(robotrules_response* response) noexcept { delete response; }
