// One request from start to end, with its handlers, redirects and challenges.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/user_agent.hpp>

#include "http/admission.hpp"
#include "http/file_writer.hpp"
#include "http/http_engine.hpp"
#include "url/url.hpp"

namespace robotrules::agent {

enum class CallKind : std::uint8_t {
  whole,   // follows redirects and answers challenges
  simple,  // one exchange
  mirror,  // as whole; the file gets the time of Last-Modified and keeps the ETag
};

// One call of the program. Exceptions of handlers and callbacks, and std::bad_alloc, end it with
// ResponseSource::internal.
// Thread rule: all functions are called on the loop's thread.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(Engine& engine, Request request, CallKind kind, UserAgent::Done done);

  void begin() noexcept;
  void cancel() noexcept;
  // Returns true if no exchange of this call is on the wire, or has just ended.
  bool is_waiting() const noexcept { return !recording_ && (exchange_ == nullptr || !exchange_->under_way()); }
  // Ends the call with ResponseSource::internal, because memory ran out.
  void give_up() noexcept;

 private:
  template <class Step>
  void guarded(Step step) noexcept;
  void end_with(Response response) noexcept;
  void hop();
  bool check_request();
  void ask_admission();
  void send(Admitted admitted);
  bool begin_body(Response& response);
  bool pass_on(std::string_view bytes);
  void exchanged(Response response);
  void recorded(Response response);
  void answered(Response response);
  void put_file_in_place(const Response& response);
  void finish(Response response) noexcept;
  void fail(ResponseSource source, std::string sentence);
  // Returns the URL of the request as it is sent, or as it was given if it was not read yet.
  const std::string& url() const noexcept { return request_.url == read_ ? url_.text : request_.url; }

  // The next request after a redirect.
  struct NextHop {
    std::string method;
    Url url;
  };
  // Returns the target of a redirect. An error says why the redirect is not followed.
  Result<NextHop> redirect_of(const Response& response) const;
  bool was_asked(std::string_view method, std::string_view url) const;
  bool will_be_followed(const Response& response) const;
  bool is_redirected_by_handler(Response& response);
  bool follow(Response& response);
  void next_hop(Response response);
  bool answer_challenge(const Response& response);
  bool prepare();
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
  std::string read_;  // the Request::url of which url_ was made; empty: of none
  std::unique_ptr<Applicant> applicant_;
  std::unique_ptr<Permit> permit_;
  std::shared_ptr<const RobotsNote> robots_;
  std::shared_ptr<Exchange> exchange_;
  std::unique_ptr<FileWriter> file_;
  std::string unwritable_;  // why the body cannot be written to its file; empty: it can
  std::optional<Progress> passed_;
  bool recording_ = false;  // the store records the outcome of `ended_`
  Response ended_;          // the response, while the store records its outcome
  std::shared_ptr<const Response> previous_;
  std::vector<std::string> own_headers_;  // names of the request's fields that must not be sent to other origins
  unsigned redirects_ = 0;
  unsigned challenges_answered_ = 0;
  std::chrono::microseconds spent_{0};  // time spent on exchanges
  bool repeat_ = false;                 // a reused connection broke before an answer, so the exchange may be repeated
  bool repeated_ = false;               // it was repeated; only once for each URL
  bool stopped_ = false;                // a handler or callback ended the body, so it is incomplete
  bool handled_ = false;                // the response_done handlers were called for this exchange
  bool finished_ = false;
};

// Returns whether URLs of that scheme may be requested if these protocols are permitted.
bool is_supported(std::string_view scheme, const std::vector<std::string>& protocols);

}  // namespace robotrules::agent
