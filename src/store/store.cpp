#include <robotrules/store.hpp>

namespace robotrules {

GateAnswers Store::call_gate(const GateCalls& calls) {
  GateAnswers answers;
  answers.ends.reserve(calls.ends.size());
  answers.requests.reserve(calls.requests.size());
  for (const GateCalls::Finish& end : calls.ends) {
    answers.ends.push_back(end.outcome ? complete(end.token, *end.outcome) : cancel(end.token));
  }
  for (const ReserveRequest* request : calls.requests) answers.requests.push_back(reserve(*request));
  return answers;
}

}  // namespace robotrules
