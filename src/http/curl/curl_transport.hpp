// A Transport over libcurl's multi interface, on Asio's loop. Only this class uses the multi interface.
#pragma once

#include <utility>  // before Asio 1.74, which forgets it

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <unordered_map>

#include <robotrules/seams/transport.hpp>
#include <robotrules/user_agent.hpp>

#include "http/curl/kept_sockets.hpp"
#include "http/curl/name_check.hpp"

namespace robotrules::agent {

class EasyTransfer;

// One epoll descriptor watches the sockets of libcurl, and Asio watches that descriptor. libcurl opens and closes some
// of its sockets itself (those of its resolver), and Asio can only watch what it owns. If memory runs out for the waits
// themselves, std::bad_alloc leaves a task of the loop, and the agent ends all calls under way.
class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(std::shared_ptr<boost::asio::io_context> context);
  ~CurlTransport() override;

  Id start(Transfer transfer, TransferHandler& handler) override;
  void cancel(Id id) override;
  void resume(Id id) override;
  // Sets how many idle connections stay open. Surplus ones are closed when transfers end.
  void keep_connections(std::size_t max_connections) noexcept;
  bool is_idle() const noexcept { return running_.empty() && checks_.empty(); }

 private:
  friend class EasyTransfer;
  static int on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* known) noexcept;
  static int on_timer(CURLM* multi, long milliseconds, void* self) noexcept;
  void wait_for_sockets();
  void wait_for_time();
  void look_at_once();
  void look_at_all_soon();
  void look_at_all();
  void act(curl_socket_t socket, int events);
  void end_finished();
  void end(Id id, CURLcode code);
  void add(std::unique_ptr<EasyTransfer> made);
  void begin_again(std::unique_ptr<EasyTransfer> transfer);
  void check_name(Id id, TransferHandler& handler, TransferHandler::Done how, const std::string& host,
                  AddressFamily family);
  bool is_to_sweep();

  std::shared_ptr<boost::asio::io_context> context_;
  boost::asio::posix::stream_descriptor sockets_;  // the epoll descriptor
  // Fires at `fires_at_`, which is not later than `due_`. libcurl changes its next time (`due_`) far more often than
  // the timer fires.
  boost::asio::steady_timer timer_;
  using Clock = std::chrono::steady_clock;
  Clock::time_point due_ = Clock::time_point::max();
  Clock::time_point fires_at_ = Clock::time_point::max();
  bool posted_ = false;  // a look at libcurl is already posted
  boost::asio::steady_timer look_at_all_;
  bool will_look_at_all_ = false;
  KeptSockets kept_sockets_;  // outlives holder_
  struct CleanUp {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };
  std::unique_ptr<CURLM, CleanUp> holder_;
  CURLM* multi_;
  bool watching_ = false;            // a wait for sockets_ is pending
  bool lost_timer_ = false;          // memory ran out for libcurl's timer
  Clock::time_point sweep_begun_{};  // start of the last transfer that sweeps the cached names
  Clock::time_point swept_{};        // end of the last one that succeeded
  Id last_ = 0;
  std::unordered_map<Id, std::unique_ptr<EasyTransfer>> running_;
  std::unordered_map<Id, std::unique_ptr<NameCheck>> checks_;  // of transfers whose host libcurl could not resolve
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);      // tells waits that outlive this object
};

}  // namespace robotrules::agent
