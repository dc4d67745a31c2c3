// The right to one request to a site, which ends its dispatch at the gate.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "robot/site.hpp"

namespace robotrules::agent {

class SitePermit final : public Permit {
 public:
  SitePermit(std::shared_ptr<Site> site, std::shared_ptr<StoreSession> session, Token token)
      : site_(std::move(site)), session_(std::move(session)), token_(std::move(token)) {}
  ~SitePermit() override {
    if (site_ == nullptr) return;
    try {
      site_->ended(std::move(session_), std::move(token_), std::nullopt, {});
    } catch (const std::bad_alloc&) {  // the hold expires
    }
  }
  void ended(const Response& response, const Outcome& outcome, std::function<void()> recorded) override {
    Outcome timed = outcome;
    timed.latency = response.received_at - response.requested_at;
    std::exchange(site_, nullptr)->ended(std::move(session_), std::move(token_), timed, std::move(recorded));
  }

  const StoreSession& session() const noexcept { return *session_; }
  // Returns how long ago the store was asked for it.
  std::chrono::microseconds age() const { return session_->since_boot() - token_.asked_at; }
  // Returns the interval that the gate was asked with.
  std::chrono::microseconds interval() const noexcept { return token_.interval; }
  bool is_checked = false;  // the rules were read after the wait for the gate

 private:
  std::shared_ptr<Site> site_;
  std::shared_ptr<StoreSession> session_;  // the agent may have other rules when the exchange ends
  Token token_;
};

}  // namespace robotrules::agent
