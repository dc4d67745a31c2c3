// The seam that turns a UserAgent into a RobotUA: it decides when a request may be sent, and which ones may not.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/message.hpp>
#include <robotrules/user_agent.hpp>

#include "url/url.hpp"

namespace robotrules::agent {

class Engine;

// The right to one exchange. ended() is called once; a permit that is destroyed before means that there was no
// exchange.
class Permit {
 public:
  virtual ~Permit() = default;
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;
  // Reports the end of the exchange. `outcome` is for the gate. `recorded` is called later, when the store has it or
  // cannot take it; it is not called if the agent ends first.
  virtual void ended(const Response& response, const Outcome& outcome, std::function<void()> recorded) = 0;
  std::shared_ptr<const RobotsNote> robots;
  std::chrono::microseconds waited{0};  // for the turn of the site (Response::waited)
  WaitReason waited_for = WaitReason::none;
  std::vector<std::string> addresses;  // connect to one of these; empty: to any address of the host

 protected:
  Permit() = default;
};

// A request that waits for its admission. Destroying it ends the wait; the answer is then not given.
class Applicant {
 public:
  virtual ~Applicant() = default;
  Applicant(const Applicant&) = delete;
  Applicant& operator=(const Applicant&) = delete;

 protected:
  Applicant() = default;
};

// The answer to an admission: either a permit, or a response in the server's place.
struct Admitted {
  std::unique_ptr<Permit> permit;
  std::optional<Response> response;
};

// Decides about requests. Thread rule: all functions are called on the loop's thread.
class Admission {
 public:
  virtual ~Admission() = default;
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Asks for admission. `answer` is called once. If that happens before admit() returns, admit() returns null.
  // `is_target`: another site has redirected to the URL.
  virtual std::unique_ptr<Applicant> admit(const Url& url, const std::string& method, bool is_target,
                                           std::function<void(Admitted)> answer) = 0;
  // Returns why a request with these fields must not be sent to that URL, as the end of a sentence; null: it may be
  // sent.
  virtual std::optional<std::string> objection(const Url& url, const Headers& headers,
                                               const UserAgentOptions& options) const = 0;
  // Returns an admission with the same settings, for the clone of the agent.
  virtual std::shared_ptr<Admission> twin(Engine& engine) const = 0;
  // Ends all questions that do not belong to a call. Called if memory ran out and the call is unknown.
  virtual void give_up() noexcept = 0;
  // Ends all questions that do not belong to a call, because the agent ends. No callback is called after it returns.
  virtual void close() = 0;

 protected:
  Admission() = default;
};

}  // namespace robotrules::agent
