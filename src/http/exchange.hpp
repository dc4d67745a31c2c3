// One request and its response, within limits.
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

#include "http/decoder.hpp"
#include "http/memory_budget.hpp"

namespace robotrules::agent {

struct ExchangeSpec {
  Transfer transfer;
  Limits limits;
  std::uint64_t max_body = 0;   // decoded octets; the body is cut there, exactly
  bool strict_codings = false;  // a coding that is not known refuses the body; else it is left on
  bool certain_end = false;     // a success whose end can't be told from a cut is refused
  bool keep_body = true;        // in Response::body
  std::string spool_folder{};   // where a body goes on that is too long for memory; empty: nowhere
  // The head of the final response is there. May say where the body goes by setting `data` and `keep_body`; false ends
  // the transfer, and the response is what it is by then.
  std::function<bool(Response& response)> head;
  std::function<bool(std::string_view octets)> data;  // may be null; false ends the transfer
  std::function<bool()> may_take;                     // null: always; false: what comes waits for resume()
  std::function<void(Response response)> done;        // once
};

// Owns itself until it is done.
class Exchange final : public TransferHandler, public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(ExchangeSpec spec, Loop& loop, Transport& transport, std::shared_ptr<MemoryBudget> memory);

  // Where it can't be begun, done() is called at once.
  void start() noexcept;
  // done() is not called any more.
  void cancel();
  bool under_way() const noexcept { return self_ != nullptr; }
  // What came last waits for resume().
  bool is_stalled() const noexcept { return stalled_since_.has_value(); }
  void resume();
  // How long it has been under way, or was, without the time in which it was stalled.
  std::chrono::microseconds time_taken() const;
  // What the server's head says to the gate, even where the response will not do because of what came after it.
  const Outcome& outcome() const noexcept { return outcome_; }
  // A kept connection broke before anything came: the server may never have seen the request.
  bool may_be_repeated() const noexcept { return unanswered_; }
  ExchangeSpec& spec() noexcept { return spec_; }
  // Its place in the engine's list of those that wait, or of those under way.
  using List = std::list<std::shared_ptr<Exchange>>;
  List::iterator place{};

  bool head_line(int status, std::string_view reason, int http_version) override;
  bool field(std::string_view line) override;
  bool head_end() override;
  bool is_ready() override;
  bool data(std::string_view octets) override;
  void done(const Done& how) override;

 private:
  bool refuse(ResponseSource why, std::string sentence);
  bool threw() noexcept;  // in a catch block
  bool take_field(std::string_view line);
  bool take_head_end();
  bool take_data(std::string_view octets);
  Response ended(const Done& how);
  void record_to(Response& to, const Done& how);
  bool decoded(std::string_view octets);
  bool keep(std::string& in_memory, std::shared_ptr<SpoolFile>& rest, std::string_view bytes);
  bool record_body(std::string_view bytes);
  void count_memory() noexcept;
  bool check_framing();
  bool end_is_certain(const Done& how) const;

  ExchangeSpec spec_;
  Loop& loop_;
  Transport& transport_;
  std::shared_ptr<Exchange> self_;
  Transport::Id id_ = 0;
  Response response_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<Recording> recording_;  // where asked for
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
  bool end_is_said_ = false;  // by a length, chunks or frames; else the end of the connection is the body's
  bool ended_early_ = false;  // by one of the callbacks, or because the body was cut
  Outcome outcome_;
  bool unanswered_ = false;
  bool beyond_limit_ = false;
  ResponseSource refused_ = ResponseSource::server;
  std::optional<Response> thrown_;  // in place of all else
  std::string sentence_;
};

}  // namespace robotrules::agent
