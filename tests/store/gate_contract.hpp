// The fixture of the tests of the gate, for every backend.
#pragma once

#include <string>
#include <variant>

#include "store/store_contract.hpp"

namespace robotrules::test {

class GateContract : public StoreContract {
 protected:
  static constexpr const char* site = "https://a.example";

  ReserveAnswer ask(const ReserveRequest& request) {
    auto answer = store->reserve(request);
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
    return answer.ok() ? answer.value() : ReserveAnswer(Wait{});
  }
  ReserveAnswer ask(std::chrono::microseconds interval = std::chrono::seconds(10)) {
    return ask({.keys = {site}, .interval = interval});
  }
  Token granted(const ReserveAnswer& answer) {
    const Granted* yes = std::get_if<Granted>(&answer);
    EXPECT_NE(yes, nullptr);
    return yes == nullptr ? Token{} : yes->token;
  }
  Wait wait(const ReserveAnswer& answer) {
    const Wait* no = std::get_if<Wait>(&answer);
    EXPECT_NE(no, nullptr);
    return no == nullptr ? Wait{} : *no;
  }
  void complete(const Token& token, const Outcome& outcome = {.status = 200, .retry_after = {}}) {
    const auto done = store->complete(token, outcome);
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
  }
  GateState state(const char* key = site) const { return store->gate(key).value(); }
};

}  // namespace robotrules::test
