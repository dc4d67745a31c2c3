#include <robotrules/store.hpp>

#include <utility>

#include <robotrules/seams/store_session.hpp>

namespace robotrules {

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
