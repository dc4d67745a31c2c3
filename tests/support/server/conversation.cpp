#include "support/server/conversation.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace robotrules::test {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_head = std::size_t{4} << 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Fills the request from its head; false: that is no HTTP/1.x.
bool parse_head(SeenRequest& request) {
  std::string_view rest = request.head;
  const auto next_line = [&rest] {
    const std::size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    return line;
  };
  const std::string_view first = next_line();
  const std::size_t one = first.find(' ');
  const std::size_t two = first.rfind(' ');
  if (one == std::string_view::npos || one == two) return false;
  request.method = first.substr(0, one);
  request.target = first.substr(one + 1, two - one - 1);
  request.version = first.substr(two + 1);
  for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    request.headers.push_back({std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))});
  }
  return request.version.starts_with("HTTP/1.");
}

// Of an answer that begins so; 0: it is none.
int status_in(std::string_view answer) {
  constexpr std::string_view version = "HTTP/1.1 ";
  int status = 0;
  if (answer.starts_with(version))
    std::from_chars(answer.data() + version.size(), answer.data() + answer.size(), status);
  return status;
}

bool says(const SeenRequest& request, std::string_view name, std::string_view lower_word) {
  std::string value = request.header(name).value_or("");
  std::transform(value.begin(), value.end(), value.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
  return value.find(lower_word) != std::string::npos;
}

std::string base64(std::string_view text) {
  std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

Conversation::Conversation(tcp::socket socket, std::shared_ptr<const ListenerSide> side)
    : side_(std::move(side)), wire_(std::move(socket), side_->tls.get()), timer_(wire_.socket().get_executor()) {
  SeenConnection seen;
  seen.accepted = Moment::now();
  ErrorCode ignored;
  const tcp::endpoint peer = wire_.socket().remote_endpoint(ignored);
  const tcp::endpoint local = wire_.socket().local_endpoint(ignored);
  ends_.peer_address = peer.address().to_string();
  ends_.peer_port = peer.port();
  ends_.local_address = local.address().to_string();
  ends_.local_port = local.port();
  ends_.tls = side_->tls != nullptr;
  seen.ends = ends_;
  number_ = side_->witness->add(std::move(seen));
}

awaitable<void> Conversation::run() {
  const bool shaken = co_await wire_.handshake();
  ends_.sni = wire_.sni();
  ends_.tls_version = wire_.tls_version();
  ends_.alpn = wire_.alpn();
  ends_.client = wire_.client();
  note_connection(false);
  if (shaken && side_->options.manner != Manner::silent) {
    for (bool more = true; more;) more = co_await exchange();
  }
  if (shaken && side_->options.manner == Manner::silent) co_await drain();
  if (wire_.socket().is_open()) {
    // Closed at once, unread bytes would turn the end into a reset that destroys what the peer has not read yet.
    co_await wire_.half_close(shaken);
    co_await drain();
  }
  wire_.close();
  note_connection(true);
}

void Conversation::drop() {
  dropped_ = true;
  wire_.close();
  timer_.cancel();
  if (beyond_ != nullptr) {
    ErrorCode ignored;
    beyond_->close(ignored);
  }
}

awaitable<bool> Conversation::exchange() {
  SeenRequest request;
  request.connection = number_;
  request.ends = ends_;
  const bool complete = co_await read_head(request);
  if (!complete) co_return false;
  request.arrived = Moment::now();
  request.malformed = !parse_head(request);
  request.number = side_->witness->add(request);
  sent_ = 0;
  status_ = 0;
  bool more = false;
  if (!request.malformed) {
    co_await read_body(request);
    more = co_await answer(request);
  }
  note_answered(request);
  note_connection(false);
  co_return more;
}

awaitable<bool> Conversation::read_head(SeenRequest& request) {
  std::size_t end = std::string::npos;
  std::size_t looked = 0;
  while ((end = unread_.find("\r\n\r\n", looked)) == std::string::npos) {
    looked = unread_.size() < 3 ? 0 : unread_.size() - 3;
    const bool more = unread_.size() < longest_head && co_await fill();
    if (more) continue;
    if (!unread_.empty()) {  // part of a head is worth knowing
      request.arrived = Moment::now();
      request.malformed = true;
      request.head = unread_.substr(0, kept_bytes);
      request.number = side_->witness->add(request);
      note_answered(request);
    }
    co_return false;
  }
  request.head = unread_.substr(0, end + 4);
  unread_.erase(0, end + 4);
  co_return true;
}

awaitable<bool> Conversation::fill() {
  std::array<char, 16'384> buffer;
  const std::size_t count = co_await wire_.read(buffer.data(), buffer.size());
  unread_.append(buffer.data(), count);
  co_return count > 0;
}

void Conversation::take_body(SeenRequest& request, std::size_t bytes) {
  const std::size_t room = kept_bytes - std::min(kept_bytes, request.body.size());
  request.body.append(unread_, 0, std::min(bytes, room));
  request.body_bytes += bytes;
  unread_.erase(0, bytes);
}

awaitable<void> Conversation::read_body(SeenRequest& request) {
  const std::string length = request.header("Content-Length").value_or("0");
  const bool in_chunks = says(request, "Transfer-Encoding", "chunked");
  std::uint64_t left = 0;
  std::from_chars(length.data(), length.data() + length.size(), left);
  if (!in_chunks && left == 0) co_return;
  if (says(request, "Expect", "100-continue")) co_await wire_.write("HTTP/1.1 100 Continue\r\n\r\n");
  if (in_chunks) co_await read_chunks(request);
  while (!in_chunks && left > 0) {
    const bool more = !unread_.empty() || co_await fill();
    if (!more) break;
    const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(left, unread_.size()));
    take_body(request, some);
    left -= some;
  }
  side_->witness->change_request(request.number, [&](SeenRequest& seen) {
    seen.body = request.body;
    seen.body_bytes = request.body_bytes;
  });
}

awaitable<void> Conversation::read_chunks(SeenRequest& request) {
  for (;;) {
    std::string line;
    bool good = co_await read_line(line);
    std::size_t left = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), left, 16);
    if (!good || parsed.ec != std::errc()) co_return;
    if (left == 0) break;
    while (left > 0) {
      good = !unread_.empty() || co_await fill();
      if (!good) co_return;
      const std::size_t some = std::min(left, unread_.size());
      take_body(request, some);
      left -= some;
    }
    good = co_await read_line(line);
    if (!good) co_return;
  }
  for (std::string line = "trailer"; !line.empty();) {
    const bool good = co_await read_line(line);
    if (!good) co_return;
  }
}

awaitable<bool> Conversation::read_line(std::string& line) {
  std::size_t end = std::string::npos;
  while ((end = unread_.find("\r\n")) == std::string::npos) {
    const bool more = unread_.size() < longest_head && co_await fill();
    if (!more) co_return false;
  }
  line = unread_.substr(0, end);
  unread_.erase(0, end + 2);
  co_return true;
}

awaitable<bool> Conversation::answer(SeenRequest& request) {
  const bool proxy = side_->options.manner == Manner::proxy;
  if (proxy && !credentials_good(request)) {
    const Reply wanted = status(407, {{"Proxy-Authenticate", "Basic realm=\"proxy\""}});
    const bool more = co_await send_reply(request, wanted);
    co_return more;
  }
  if (proxy && request.method == "CONNECT") {
    co_await tunnel(request);
    co_return false;
  }
  const std::optional<Handler> handler = side_->routes->find(request);
  request.routed = handler.has_value();
  side_->witness->change_request(request.number, [&](SeenRequest& seen) { seen.routed = request.routed; });
  Answer made = status(404);
  if (handler) made = (*handler)(request);
  bool more = false;
  if (const Reply* whole = std::get_if<Reply>(&made)) {
    more = co_await send_reply(request, *whole);
  } else {
    more = co_await run_script(request, std::get<Script>(made));
  }
  co_return more;
}

awaitable<bool> Conversation::send_reply(const SeenRequest& request, const Reply& reply) {
  Reply fitting = reply;
  const bool old = request.version == "HTTP/1.0";
  if (says(request, "Connection", "close") || (old && !says(request, "Connection", "keep-alive"))) fitting.close = true;
  const std::string bytes = request.method == "HEAD" ? head_of(fitting) : bytes_of(fitting);
  const bool written = co_await write(bytes);
  co_return written && !fitting.close && (fitting.length || fitting.chunked > 0);
}

awaitable<bool> Conversation::write(std::string_view bytes) {
  if (sent_ == 0) status_ = status_in(bytes);
  const bool written = co_await wire_.write(bytes);
  if (written) sent_ += bytes.size();
  co_return written;
}

bool Conversation::credentials_good(const SeenRequest& request) const {
  const std::string& wanted = side_->options.proxy_credentials;
  return wanted.empty() || request.header("Proxy-Authorization") == "Basic " + base64(wanted);
}

awaitable<void> Conversation::tunnel(const SeenRequest& request) {
  const std::optional<tcp::endpoint> target = side_->tunnel_to(request.host());
  beyond_ = std::make_unique<tcp::socket>(wire_.socket().get_executor());
  ErrorCode error = asio::error::host_not_found;
  if (target) co_await beyond_->async_connect(*target, asio::redirect_error(asio::use_awaitable, error));
  if (error) {
    const Reply bad = status(502);
    co_await send_reply(request, bad);
    co_return;
  }
  const bool agreed = co_await write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (!agreed) co_return;
  note_answered(request);
  // What comes from beyond goes to the peer in a coroutine of its own.
  const auto back = [](std::shared_ptr<Conversation> self) -> awaitable<void> {
    std::array<char, 16'384> buffer;
    ErrorCode ended;
    for (;;) {
      const std::size_t count = co_await self->beyond_->async_read_some(
          asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, ended));
      if (ended) break;
      const bool written = co_await self->wire_.write({buffer.data(), count});
      if (!written) break;
    }
    co_await self->wire_.half_close();
    self->far_side_over_ = true;
    self->timer_.cancel();
  };
  timer_.expires_at(std::chrono::steady_clock::time_point::max());
  asio::co_spawn(wire_.socket().get_executor(), back(shared_from_this()), asio::detached);
  for (bool more = true; more;) {
    co_await asio::async_write(*beyond_, asio::buffer(unread_), asio::redirect_error(asio::use_awaitable, error));
    unread_.clear();
    more = !error && co_await fill();
  }
  beyond_->shutdown(tcp::socket::shutdown_send, error);
  if (!far_side_over_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, error));
}

awaitable<void> Conversation::drain() {
  std::array<char, 16'384> buffer;
  for (std::size_t count = 1; count > 0;) count = co_await wire_.read(buffer.data(), buffer.size());
}

void Conversation::note_answered(const SeenRequest& request) {
  side_->witness->change_request(request.number, [&](SeenRequest& seen) {
    if (!seen.answered) seen.answered = Moment::now();
    seen.sent = sent_;
    seen.status = status_;
    seen.more = request.more;
  });
}

void Conversation::note_connection(bool over) {
  side_->witness->change(number_, [&](SeenConnection& seen) {
    seen.ends = ends_;
    seen.bytes_in = wire_.bytes_in();
    seen.bytes_out = wire_.bytes_out();
    seen.peer_closed = wire_.peer_closed();
    seen.tls_error = wire_.error();
    if (over) seen.closed = Moment::now();
  });
}

}  // namespace robotrules::test
