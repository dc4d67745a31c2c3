// How a conversation does the steps of a script.
#include <algorithm>
#include <array>

#include "support/server/conversation.hpp"

namespace robotrules::test {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 20;
constexpr std::size_t written_at_once = 65'536;

void keep_more(SeenRequest& request, std::string_view bytes) {
  request.more.append(bytes.substr(0, kept_bytes - std::min(kept_bytes, request.more.size())));
}

}  // namespace

awaitable<bool> Conversation::run_script(SeenRequest& request, const Script& script) {
  keep_ = false;
  bool going = true;
  for (const Script::Step& next : script.steps()) {
    // A coroutine for each kind of step.
    awaitable<bool> done = std::visit([&](const auto& one) { return step(request, one); }, next);
    going = co_await std::move(done);
    if (!going) break;
  }
  co_return going&& keep_;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Send& send) {
  const bool written = co_await write(send.bytes);
  co_return written;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Stream& stream) {
  const Source source = stream.source();
  for (std::string piece = source(); !piece.empty(); piece = source()) {
    const bool written = co_await write(piece);
    if (!written) co_return false;
  }
  co_return true;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Wait& wait) {
  // The gate may open on any thread, before the timer is waited for: only the server's thread touches the timer.
  timer_.expires_at(std::chrono::steady_clock::time_point::max());
  const auto open = wait.gate.arrive([weak = weak_from_this()] {
    if (const std::shared_ptr<Conversation> self = weak.lock()) {
      asio::post(self->timer_.get_executor(), [self] { self->timer_.cancel(); });
    }
  });
  if (open) co_return true;
  const bool there = co_await sleep_until(std::chrono::steady_clock::time_point::max());
  co_return there;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Pause& pause) {
  const bool there = co_await sleep_until(std::chrono::steady_clock::now() + pause.time);
  co_return there;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Drip& drip) {
  std::string_view rest = drip.bytes;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, std::max<std::size_t>(drip.piece, 1));
    rest.remove_prefix(piece.size());
    const bool written = co_await write(piece);
    const bool there = written && co_await sleep_until(std::chrono::steady_clock::now() + drip.every);
    if (!there) co_return false;
  }
  co_return true;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Repeat& repeat) {
  std::string block = repeat.bytes;
  if (block.empty()) co_return false;
  while (repeat.every == Millis(0) && block.size() < written_at_once) block += repeat.bytes;
  for (bool there = true; there;) {
    there = co_await write(block);
    if (there && repeat.every > Millis(0)) {
      there = co_await sleep_until(std::chrono::steady_clock::now() + repeat.every);
    }
  }
  co_return false;
}

awaitable<bool> Conversation::step(SeenRequest& request, const Script::ReadMore&) {
  const bool more = !unread_.empty() || co_await fill();
  keep_more(request, unread_);
  unread_.clear();
  co_return more;
}

awaitable<bool> Conversation::step(SeenRequest& request, const Script::ReadToEnd&) {
  for (bool more = true; more;) {
    keep_more(request, unread_);
    unread_.clear();
    more = co_await fill();
  }
  co_return true;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::HalfClose&) {
  co_await wire_.half_close();
  co_return true;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Reset&) {
  wire_.reset();
  co_return false;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Cut&) {
  co_await wire_.half_close(false);
  co_return false;
}

awaitable<bool> Conversation::step(SeenRequest&, const Script::Keep&) {
  keep_ = true;
  co_return true;
}

// False: the peer closed meanwhile, or the connection was dropped. Cancelling the timer ends the sleep.
awaitable<bool> Conversation::sleep_until(std::chrono::steady_clock::time_point when) {
  timer_.expires_at(when);
  ErrorCode ignored;
  wire_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](const ErrorCode& error) {
    if (!error && self->wire_.at_end()) self->timer_.cancel();
  });
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  wire_.socket().cancel(ignored);
  co_return !dropped_ && !wire_.peer_closed();
}

}  // namespace robotrules::test
