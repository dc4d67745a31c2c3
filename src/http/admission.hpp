// Who may send a request, and when: what makes a RobotUA of a UserAgent.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/message.hpp>
#include <robotrules/user_agent.hpp>

#include "http/curl/url.hpp"

namespace robotrules::agent {

class Engine;

// The right to one exchange. Ended once; let go of without that, the exchange did not happen.
class Permit {
 public:
  virtual ~Permit() = default;
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;
  // `outcome` is for the gate; `recorded` is called later, when it is on record, or can't be; not where the agent ends
  // before.
  virtual void ended(const Response& response, const Outcome& outcome, std::function<void()> recorded) = 0;
  std::shared_ptr<const RobotsNote> robots;
  std::string address;  // that the exchange must go to; empty: any of the host's

 protected:
  Permit() = default;
};

// Who waits to be admitted. Letting go of it gives the waiting up; the answer does not come then.
class Applicant {
 public:
  virtual ~Applicant() = default;
  Applicant(const Applicant&) = delete;
  Applicant& operator=(const Applicant&) = delete;

 protected:
  Applicant() = default;
};

// Either a permit, or the response in the server's place.
struct Admitted {
  std::unique_ptr<Permit> permit;
  std::optional<Response> response;
};

// Everything on the loop's thread.
class Admission {
 public:
  virtual ~Admission() = default;
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // `answer` is called once, perhaps before this returns, and then this returns null.
  virtual std::unique_ptr<Applicant> admit(const Url& url, const std::string& method,
                                           std::function<void(Admitted)> answer) = 0;
  // Why a request with these fields may not be sent to that URL, as a sentence's end; null: it may.
  virtual std::optional<std::string> objection(const Url& url, const Headers& headers,
                                               const UserAgentOptions& options) const = 0;
  // Another of its kind, as it is now, for an agent that is a copy of its own.
  virtual std::shared_ptr<Admission> twin(Engine& engine) const = 0;
  // Answers all questions that are not a call's: memory failed where it can't be told whose it was.
  virtual void give_up() noexcept = 0;
  // Gives up what is under way for nobody; nothing is called any more.
  virtual void close() = 0;

 protected:
  Admission() = default;
};

}  // namespace robotrules::agent
