#include <robotrules/store.hpp>

#include <utility>

#include <robotrules/seams/store_session.hpp>

#include "store/machine_clock.hpp"

namespace robotrules {

bool is_passing(const Error& error) noexcept {
  return error.code == "store-unreachable" || error.code == "store-read-only";
}

std::chrono::microseconds Store::since_boot() const { return store::time_since_boot(); }

Result<void> Store::may_send(const Token& token) {
  if (since_boot() - token.asked_at <= max_grant_age) return {};
  static_cast<void>(cancel(token));  // if this fails, the hold expires
  return Error{"too-late",
               "the request was to be sent more than two seconds after the gate had been asked, so it may no "
               "longer be sent: call reserve() again"};
}

GateAnswers Store::call_gate(const GateCalls& calls) {
  GateAnswers answers;
  answers.ends.reserve(calls.ends.size());
  answers.requests.reserve(calls.requests.size());
  for (const GateCalls::Finish& end : calls.ends) {
    answers.ends.push_back(end.outcome ? complete(end.token, *end.outcome) : cancel(end.token));
  }
  for (const auto& request : calls.requests) answers.requests.push_back(reserve(*request));
  return answers;
}

std::unique_ptr<StoreSession> Store::open_session(StoreSession::Post post) {
  return may_wait() ? make_thread_session(*this, std::move(post)) : make_direct_session(*this);
}

}  // namespace robotrules
