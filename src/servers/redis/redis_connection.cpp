#include "servers/redis/redis_connection.hpp"

#include <utility>  // before Asio 1.74, which forgets it

#include <hiredis/hiredis.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/store_name.hpp"
#include "servers/redis/lookup.hpp"
#include "servers/redis/redis_problems.hpp"
#include "servers/redis/reply_reader.hpp"

namespace robotrules::store::redis {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using TlsStream = asio::ssl::stream<Tcp::socket>;
using Code = boost::system::error_code;

void append_command(std::string& out, const Command& command) {
  std::vector<const char*> arguments;
  std::vector<std::size_t> sizes;
  arguments.reserve(command.size());
  sizes.reserve(command.size());
  for (const std::string& argument : command) {
    arguments.push_back(argument.data());
    sizes.push_back(argument.size());
  }
  sds text = nullptr;
  // The other function of hiredis for that prints each length with sprintf, which takes most of its time.
  const int size = redisFormatSdsCommandArgv(&text, static_cast<int>(command.size()), arguments.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  out.append(text, static_cast<std::size_t>(size));
  redisFreeSdsCommand(text);
}

// Tells OpenSSL which name or address the certificate must have. A name counts only among the alternative names: Asio
// also takes the common name of the subject if there are none, which RFC 9525 section 2 forbids. Returns false if there
// is no memory.
bool expect_name(SSL* connection, const std::string& host, bool is_address) {
  X509_VERIFY_PARAM* const expected = SSL_get0_param(connection);
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return (is_address ? X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str())
                     : X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size())) == 1;
}

// `Stream`: Tcp::socket or TlsStream.
template <class Stream>
class StreamConnection final : public Connection {
 public:
  static constexpr bool is_tls = std::is_same_v<Stream, TlsStream>;

  StreamConnection(std::string server, asio::ssl::context* context, const ReplyLimits& limits)
      : server_(std::move(server)), stream_(make(context)), reader_(limits) {}

  Result<void> connect(const std::string& address, std::uint16_t port, const std::string& host, Deadline deadline) {
    Code failed;
    const auto ip = asio::ip::make_address(address, failed);
    if (failed) return unreachable(server_, failed.message());
    failed = run([&](auto done) { socket().async_connect(Tcp::endpoint(ip, port), done); }, deadline);
    if (failed) return unreachable(server_, failed.message());
    socket().set_option(Tcp::no_delay(true), failed);
    if constexpr (is_tls) return begin_tls(host, deadline);
    return {};
  }

  Result<void> send(std::span<const Command* const> commands, Deadline deadline) override {
    std::string bytes;
    for (const Command* command : commands) append_command(bytes, *command);
    const Code failed = run([&](auto done) { asio::async_write(stream_, asio::buffer(bytes), done); }, deadline);
    if (failed) return unreachable(server_, failed.message());
    return {};
  }

  // A server that sends and sends must not hold up the deadline. After it, only the bytes count that have already come.
  Result<Reply> receive(Deadline deadline) override {
    std::optional<std::size_t> left;  // bytes that may still be read; null before the deadline
    for (;;) {
      if (auto reply = reader_.take()) return *std::move(reply);
      if (!left && std::chrono::steady_clock::now() >= deadline) {
        Code failed;
        left = socket().available(failed);
      }
      if (left == 0) return give_up();
      std::size_t size = 0;
      const Code failed = run(
          [&](auto done) {
            stream_.async_read_some(asio::buffer(buffer_), [&size, done](Code code, std::size_t bytes) {
              size = bytes;
              done(code);
            });
          },
          deadline);
      if (failed == asio::error::eof) return unreachable(server_, "it has closed the connection");
      if (failed) return unreachable(server_, failed.message());
      if (!reader_.add({buffer_.data(), size})) return strange_reply(server_);
      if (left) left = *left - std::min(*left, size);
    }
  }

  // No reply is due, so a connection that can be read was closed.
  bool is_open() noexcept override {
    if (!reader_.is_idle()) return false;  // a reply without a command would answer the next command
    char byte = 0;
    const auto size = recv(socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

 private:
  Stream make([[maybe_unused]] asio::ssl::context* context) {
    if constexpr (is_tls) {
      return TlsStream(io_, *context);
    } else {
      return Tcp::socket(io_);
    }
  }
  Tcp::socket& socket() {
    if constexpr (is_tls) {
      return stream_.next_layer();
    } else {
      return stream_;
    }
  }

  Result<void> begin_tls(const std::string& host, Deadline deadline) {
    if constexpr (is_tls) {
      const auto failed_with = [this](const std::string& problem) {
        return Error{"store-tls", "TLS with the Redis server " + server_ + " has failed: " + problem +
                                      ". See that the server speaks TLS, that the name of the store has the host's "
                                      "name as in the certificate, and that ?ca=FILE names its authority"};
      };
      Code not_an_address;
      asio::ip::make_address(host, not_an_address);
      if (not_an_address) {
        SSL_ctrl(stream_.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 const_cast<char*>(host.c_str()));
      }
      if (!expect_name(stream_.native_handle(), host, !not_an_address)) return failed_with("out of memory");
      const Code failed =
          run([&](auto done) { stream_.async_handshake(asio::ssl::stream_base::client, done); }, deadline);
      // Not a fault of a certificate: the server ends, or there is none behind a proxy.
      const bool passes = failed.category() == asio::error::get_system_category() ||
                          failed.category() == asio::error::get_misc_category() ||
                          failed == asio::ssl::error::stream_truncated;
      if (failed && passes) {
        return unreachable(server_, "it has not begun TLS in time (" + failed.message() +
                                        "); if it does not speak TLS, write redis://");
      }
      if (failed) return failed_with(failed.message());
    }
    return {};
  }

  // Starts an operation and runs it until its end or the deadline.
  template <class Start>
  Code run(Start start, Deadline deadline) {
    std::optional<Code> ended;
    start([&ended](Code code, auto&&...) { ended = code; });
    io_.restart();
    while (!ended && io_.run_one_until(deadline) != 0) {
    }
    if (!ended) io_.poll();  // what is already here counts, also after the deadline
    if (ended) return *ended;
    close();
    io_.restart();
    io_.run();  // the operation ends, as its socket is closed
    return asio::error::timed_out;
  }

  void close() {
    Code ignored;
    socket().close(ignored);
  }

  Error give_up() {
    close();
    return unreachable(server_, Code(asio::error::timed_out).message());
  }

  std::string server_;
  asio::io_context io_{1};
  Stream stream_;
  ReplyReader reader_;
  std::array<char, 16'384> buffer_{};
};

}  // namespace

struct Connector::State {
  Settings settings;
  std::optional<asio::ssl::context> tls;
};

Connector::Connector(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connector::~Connector() = default;

Result<std::unique_ptr<Connector>> Connector::make(const Settings& settings) {
  auto state = std::make_unique<State>();
  state->settings = settings;
  if (settings.tls) {
    auto& context = state->tls.emplace(asio::ssl::context::tls_client);
    Code failed;
    const auto cannot_read = [&failed](const std::string& file) {
      return Error{"store-tls", "The file " + file + " cannot be used for TLS: " + failed.message() +
                                    "; give a file in the format PEM"};
    };
    static_cast<void>(context.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, failed));
    static_cast<void>(context.set_verify_mode(asio::ssl::verify_peer, failed));
    if (settings.ca.empty()) {
      static_cast<void>(context.set_default_verify_paths(failed));
    } else if (context.load_verify_file(settings.ca, failed)) {
      return cannot_read(settings.ca);
    }
    if (!settings.certificate.empty() && context.use_certificate_chain_file(settings.certificate, failed)) {
      return cannot_read(settings.certificate);
    }
    const std::string& key = settings.key.empty() ? settings.certificate : settings.key;
    if (!key.empty() && context.use_private_key_file(key, asio::ssl::context::pem, failed)) return cannot_read(key);
  }
  return std::unique_ptr<Connector>(new Connector(std::move(state)));
}

Result<std::unique_ptr<Connection>> Connector::connect(const ServerAddress& address, Deadline deadline) const {
  const std::string server = address.text();
  const auto found = addresses_of(address.host, deadline);
  if (!found) return unreachable(server, found.error().message);
  std::unique_ptr<Connection> connection;
  Error last = unreachable(server, "its name has no address");
  ReplyLimits limits;
  limits.text_bytes = std::max(limits.text_bytes, 2 * state_->settings.max_record_bytes);
  auto left = static_cast<int>(found->size());
  for (const std::string& one : found.value()) {
    // An address that does not answer leaves time for the others.
    const auto now = std::chrono::steady_clock::now();
    const Deadline end = std::max(now, now + (deadline - now) / left--);
    const auto open = [&](auto made) {
      const auto connected = made->connect(one, address.port, address.host, end);
      if (connected) {
        connection = std::move(made);
      } else {
        last = connected.error();
      }
    };
    if (state_->tls) {
      open(std::make_unique<StreamConnection<TlsStream>>(server, &*state_->tls, limits));
    } else {
      open(std::make_unique<StreamConnection<Tcp::socket>>(server, nullptr, limits));
    }
    if (connection != nullptr) break;
  }
  if (connection == nullptr) return last;

  const Settings& settings = state_->settings;
  std::vector<Command> login;
  if (!settings.password.empty() || !settings.user.empty()) {
    login.push_back(settings.user.empty() ? Command{"AUTH", settings.password}
                                          : Command{"AUTH", settings.user, settings.password});
  }
  if (!settings.database.empty()) login.push_back({"SELECT", settings.database});
  if (login.empty()) return connection;
  std::vector<const Command*> commands;
  commands.reserve(login.size());
  for (const Command& command : login) commands.push_back(&command);
  if (auto sent = connection->send(commands, deadline); !sent) return sent.error();
  for (std::size_t i = 0; i < login.size(); ++i) {
    auto reply = connection->receive(deadline);
    if (!reply) return reply.error();
    // A server without AUTH repeats its arguments.
    if (reply->is_error()) reply->text.resize(std::min(reply->text.size(), reply->text.find(", with args")));
    if (reply->is_error()) {
      reply->text = base::without_hidden(std::move(reply->text), settings.hidden);
      return problem_of(reply.value(), server);
    }
  }
  return connection;
}

}  // namespace robotrules::store::redis
