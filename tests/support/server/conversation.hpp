// One connection of the scripted server, from its acceptance to its end. For the server's own sources alone.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "support/server/asio.hpp"
#include "support/server/routes.hpp"
#include "support/server/server.hpp"
#include "support/server/wire.hpp"

namespace robotrules::test {

// What the conversations of one listener have in common.
struct ListenerSide {
  ListenOptions options;
  std::unique_ptr<TlsContext> tls;  // null: none
  Witness* witness = nullptr;
  const Routes* routes = nullptr;
  // Where a CONNECT goes.
  std::function<std::optional<tcp::endpoint>(const std::string& host_port)> tunnel_to;
};

class Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  Conversation(tcp::socket socket, std::shared_ptr<const ListenerSide> side);

  // Runs to the end of the connection. The caller keeps this alive.
  awaitable<void> run();
  // Ends it from outside, on the server's thread.
  void drop();

 private:
  awaitable<bool> exchange();  // one request and its answer; false: the connection is to end
  awaitable<bool> read_head(SeenRequest& request);
  awaitable<void> read_body(SeenRequest& request);
  awaitable<void> read_chunks(SeenRequest& request);
  awaitable<bool> read_line(std::string& line);
  awaitable<bool> fill();  // more bytes into unread_
  void take_body(SeenRequest& request, std::size_t bytes);

  awaitable<bool> answer(SeenRequest& request);
  awaitable<bool> send_reply(const SeenRequest& request, const Reply& reply);
  awaitable<bool> run_script(SeenRequest& request, const Script& script);
  awaitable<bool> write(std::string_view bytes);
  awaitable<void> tunnel(const SeenRequest& request);
  bool credentials_good(const SeenRequest& request) const;

  // The steps of a script; false: the peer is gone, or the connection is not to be used any more.
  awaitable<bool> step(SeenRequest& request, const Script::Send& send);
  awaitable<bool> step(SeenRequest& request, const Script::Stream& stream);
  awaitable<bool> step(SeenRequest& request, const Script::Wait& wait);
  awaitable<bool> step(SeenRequest& request, const Script::Pause& pause);
  awaitable<bool> step(SeenRequest& request, const Script::Drip& drip);
  awaitable<bool> step(SeenRequest& request, const Script::Repeat& repeat);
  awaitable<bool> step(SeenRequest& request, const Script::ReadMore& read);
  awaitable<bool> step(SeenRequest& request, const Script::ReadToEnd& read);
  awaitable<bool> step(SeenRequest& request, const Script::HalfClose& close);
  awaitable<bool> step(SeenRequest& request, const Script::Reset& reset);
  awaitable<bool> step(SeenRequest& request, const Script::Cut& cut);
  awaitable<bool> step(SeenRequest& request, const Script::Keep& keep);
  awaitable<bool> sleep_until(std::chrono::steady_clock::time_point when);

  awaitable<void> drain();  // until the peer closes
  void note_answered(const SeenRequest& request);
  void note_connection(bool over);

  std::shared_ptr<const ListenerSide> side_;
  Wire wire_;
  asio::steady_timer timer_;
  Ends ends_;
  std::size_t number_ = 0;
  std::string unread_;
  std::uint64_t sent_ = 0;  // of the answer under way
  int status_ = 0;          // likewise
  bool keep_ = false;       // the script under way said so
  bool dropped_ = false;
  std::unique_ptr<tcp::socket> beyond_;  // the far side of a tunnel
  bool far_side_over_ = false;
};

}  // namespace robotrules::test
