// One request from its beginning to its end: handlers, redirects, challenges.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/result.hpp>
#include <robotrules/user_agent.hpp>

#include "http/admission.hpp"
#include "http/curl/url.hpp"
#include "http/engine.hpp"
#include "http/file_writer.hpp"

namespace robotrules::agent {

enum class CallKind : std::uint8_t {
  whole,   // with redirects and challenges
  simple,  // one exchange
  mirror,  // whole; the file gets the time of Last-Modified and remembers its ETag
};

// Everything on the loop's thread. What the program's handlers and callbacks throw, and std::bad_alloc, end the call
// with ResponseSource::internal.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(Engine& engine, Request request, CallKind kind, UserAgent::Done done);

  void begin() noexcept;
  void cancel() noexcept;
  // Nothing of it is on the wire.
  bool is_waiting() const noexcept { return exchange_ == nullptr || !exchange_->under_way(); }
  // Ends it as an internal failure.
  void give_up() noexcept;

 private:
  template <class Step>
  void guarded(Step step) noexcept;
  void end_with(Response response) noexcept;
  void hop();
  bool check_request();
  void ask_admission();
  void send(Admitted admitted);
  bool body_begins(Response& response);
  bool body_goes_on(std::string_view octets);
  void exchanged(Response response);
  void taken(Response response);
  void answered(Response response);
  void put_file_in_place(const Response& response);
  void finish(Response response) noexcept;
  void fail(ResponseSource source, std::string sentence);

  // Where a redirect leads, as a request of its own.
  struct NextHop {
    std::string method;
    Url url;
  };
  // Null: nowhere. An error says why it is not followed.
  Result<std::optional<NextHop>> redirect_of(const Response& response) const;
  bool will_be_followed(const Response& response) const;
  bool is_redirected_by_handler(Response& response);
  bool follow(Response& response);
  void next_hop(Response response);
  bool answer_challenge(const Response& response);
  void prepare_headers();
  void drop_own_headers(Headers& headers);
  Headers headers_to_send();
  std::optional<UserPassword> known_credentials(std::string_view realm) const;
  std::string authorization_for_url();

  Engine& engine_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Engine::Handlers> handlers_;
  std::shared_ptr<const Engine::OnProgress> progress_;
  Request request_;
  CallKind kind_;
  UserAgent::Done done_;

  Url url_;
  std::unique_ptr<Applicant> applicant_;
  std::unique_ptr<Permit> permit_;
  std::shared_ptr<const RobotsNote> robots_;
  std::shared_ptr<Exchange> exchange_;
  std::unique_ptr<FileWriter> file_;
  std::string unwritable_;  // why the body can't go where it should
  std::optional<Progress> passed_;
  Response ended_;  // until what comes of it is on record
  std::shared_ptr<const Response> previous_;
  std::vector<std::string> own_headers_;  // names of the request's own fields that must not cross origins
  unsigned redirects_ = 0;
  unsigned challenges_answered_ = 0;
  std::chrono::microseconds spent_{0};  // on exchanges
  bool repeat_ = false;                 // it was not answered, and may be asked for once more
  bool repeated_ = false;               // once in a hop
  bool stopped_ = false;                // by a handler or callback, so that the body is not whole
  bool handled_ = false;                // the response_done handlers have seen the hop's response
  bool finished_ = false;
};

// May URLs of that scheme be asked for, where these are the protocols?
bool is_supported(std::string_view scheme, const std::vector<std::string>& protocols);

}  // namespace robotrules::agent
