// One request and its response, within the limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/seams/transport.hpp>
#include <robotrules/user_agent.hpp>

#include "codec/content_decoder.hpp"
#include "http/judgement.hpp"
#include "http/memory_budget.hpp"

namespace robotrules::agent {

// What to send, the limits, and the callbacks of one exchange.
struct ExchangeSpec {
  Transfer transfer;
  std::string found{};  // Response::found
  Limits limits;
  std::uint64_t max_body = 0;   // limit on the decoded body in bytes; a longer body is cut exactly there
  bool strict_codings = false;  // true: an unknown coding refuses the body; false: the body stays encoded
  bool is_robots_txt = false;   // true: the answer is about a robots.txt (see ExchangeFacts)
  bool follows = false;         // true: a redirect will be followed, so little of its body is read
  bool keep_body = true;        // store the body in Response::body
  std::string spool_folder{};   // folder for the rest of a long body; empty: bodies stay in memory
  // Called when the final head has arrived. May set `data` and `keep_body` to say where the body goes. If it returns
  // false, the transfer ends, and the response is as it is then.
  std::function<bool(Response& response)> head;
  std::function<bool(std::string_view bytes)> data;  // decoded pieces; false ends the transfer; may be null
  std::function<bool()> may_take;                    // false: the bytes wait until resume(); null: always true
  std::function<void(Response response)> done;       // called once
};

// Carries out one exchange. It owns itself until it is done.
class Exchange final : public TransferHandler, public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(ExchangeSpec spec, Loop& loop, Transport& transport, std::shared_ptr<MemoryBudget> memory);

  // Starts the exchange. If that fails, done() is called at once.
  void start() noexcept;
  // Ends the exchange without calling done().
  void cancel();
  bool under_way() const noexcept { return self_ != nullptr; }
  // Returns true if received bytes wait for resume().
  bool is_stalled() const noexcept { return stalled_since_.has_value(); }
  void resume();
  // Returns how long the exchange has taken, without the time in which it was stalled.
  std::chrono::microseconds time_taken() const;
  // Returns the outcome for the gate, from the server's head. It counts even if the response is refused because of a
  // later fault.
  const Outcome& outcome() const noexcept { return outcome_; }
  // Returns true if the server may not have seen the request, or did not treat it (ExchangeEnd::unanswered).
  bool may_be_repeated() const noexcept { return unanswered_; }
  // Returns true if the server does not serve HTTP/1.1, which was asked for.
  bool refuses_http1() const noexcept { return refuses_http1_; }
  ExchangeSpec& spec() noexcept { return spec_; }
  // The position in the engine's list of waiting exchanges or of started ones.
  using List = std::list<std::shared_ptr<Exchange>>;
  List::iterator place{};

  bool head_line(int status, std::string_view reason, int http_version) override;
  bool field(std::string_view line) override;
  bool head_end() override;
  bool is_ready() override;
  bool data(std::string_view bytes) override;
  void done(const Done& how) override;

 private:
  bool refuse(ResponseSource why, std::string sentence);
  bool refuse_body(std::string sentence);
  bool head_decides() const noexcept { return head_done_ && !response_.is_success(); }
  bool threw() noexcept;  // call it only in a catch block
  bool take_field(std::string_view line);
  bool take_fold(std::string_view more);
  void keep_field();
  bool take_head_end();
  bool take_data(std::string_view bytes);
  bool take_piece(std::string_view bytes);
  bool meets_length();
  Response ended(const Done& how);
  void record_to(Response& to, const Done& how);
  bool decoded(std::string_view bytes);
  bool keep(std::string& in_memory, std::shared_ptr<SpoolFile>& rest, std::string_view bytes);
  bool record_body(std::string_view bytes);
  void count_memory() noexcept;
  bool check_framing();
  bool end_is_certain(const Done& how) const;
  BodyEnd body_end(const Done& how) const;
  bool names_proxy() const;
  Judgement judgement(const Done& how) const;
  std::string sentence_of(const Judgement& judgement, const Done& how) const;
  bool is_short() const;

  ExchangeSpec spec_;
  Loop& loop_;
  Transport& transport_;
  std::shared_ptr<Exchange> self_;
  Transport::Id id_ = 0;
  Response response_;
  HeaderField field_;  // whose lines are coming; without a name: there is none
  std::optional<codec::ContentDecoder> decoder_;
  std::unique_ptr<Recording> recording_;  // null: not recorded
  std::shared_ptr<SpoolFile> body_rest_;
  std::shared_ptr<SpoolFile> recorded_rest_;
  std::shared_ptr<MemoryHold> memory_;
  std::chrono::microseconds begun_at_{0};
  std::chrono::microseconds ended_at_{0};
  std::chrono::microseconds stalled_for_{0};
  std::optional<std::chrono::microseconds> stalled_since_;
  std::size_t head_bytes_ = 0;
  std::size_t fields_ = 0;
  unsigned interim_ = 0;
  bool head_done_ = false;
  std::optional<std::uint64_t> content_length_;
  bool end_is_said_ = false;  // by a length or chunks; false: the end of the connection or of a stream ends the body
  std::string body_fault_;    // why no more of the body is read although the head decides; empty: nothing is wrong
  bool is_identity_ = false;  // "Transfer-Encoding: identity": libcurl 7.88 then waits for the end of the connection
  bool met_length_ = false;   // so the body was ended at its Content-Length
  bool ended_early_ = false;  // a callback ended it, or the body was cut
  Outcome outcome_;
  bool unanswered_ = false;
  bool refuses_http1_ = false;
  bool beyond_limit_ = false;
  ResponseSource refused_ = ResponseSource::server;
  std::optional<Response> thrown_;  // the response to an exception; it replaces all else
  std::string sentence_;
};

}  // namespace robotrules::agent
