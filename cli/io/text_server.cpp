#include "cli/io/text_server.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "base/ascii.hpp"

namespace robotrules::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto max_time = std::chrono::seconds(10);     // for one request and its response
constexpr auto accept_pause = std::chrono::seconds(1);  // after an error such as that no descriptor is left
constexpr std::size_t max_header_bytes = 16 * 1024;
constexpr std::size_t max_sessions = 64;

using Response = http::response<http::string_body>;

// Returns the host of a Host field, without the port and the brackets of an IPv6 address; empty: there is none.
std::string_view host_in(std::string_view field) {
  const bool has_brackets = field.starts_with('[');
  const std::size_t end = std::min(field.find(has_brackets ? ']' : ':'), field.size());
  const std::string_view rest = field.substr(std::min(end + (has_brackets ? 1 : 0), field.size()));
  const bool is_whole = has_brackets ? end < field.size() : true;
  const bool has_port = rest.starts_with(':') && std::all_of(rest.begin() + 1, rest.end(), base::is_digit);
  if (!is_whole || (!rest.empty() && !has_port)) return {};
  return has_brackets ? field.substr(1, end - 1) : field.substr(0, end);
}

// Returns true if a Host field names a server at this loopback address.
bool is_own_name(std::string_view field, const asio::ip::address& own) {
  const std::string_view host = host_in(field);
  if (base::equals_ignore_case(host, "localhost")) return true;
  boost::system::error_code fault;
  const asio::ip::address named = asio::ip::make_address(std::string(host), fault);
  return !fault &&
         (named == own || named == asio::ip::address_v4::loopback() || named == asio::ip::address_v6::loopback());
}

}  // namespace

struct TextServer::Site {
  asio::ip::address own;
  Answer answer;

  Response respond(const http::request<http::empty_body>& request) const;
};

Response TextServer::Site::respond(const http::request<http::empty_body>& request) const {
  const auto host = request[http::field::host];
  ServedText text;
  bool is_refused_method = false;
  if (own.is_loopback() && (request.count(http::field::host) != 1 || !is_own_name({host.data(), host.size()}, own))) {
    text = served_sentence(403, "The request names another host. Open the address that the command printed.");
  } else if (request.method() != http::verb::get && request.method() != http::verb::head) {
    text = served_sentence(405, "Only GET and HEAD are answered.");
    is_refused_method = true;
  } else {
    try {
      text = answer({request.target().data(), request.target().size()});
    } catch (const std::exception&) {  // such as no memory
      text = served_sentence(500, "The answer could not be made.");
    }
  }
  Response response(static_cast<http::status>(text.status), 11);
  if (is_refused_method) response.set(http::field::allow, "GET, HEAD");
  response.set(http::field::content_type, text.content_type);
  response.body() = std::move(text.body);
  return response;
}

// One connection: reads one request, answers it, and closes.
class TextServer::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::ip::tcp::socket socket, std::shared_ptr<const Site> site)
      : stream_(std::move(socket)), site_(std::move(site)) {
    parser_.header_limit(max_header_bytes);
    parser_.body_limit(0);
  }

  void start() {
    stream_.expires_after(max_time);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->reply();
                            });
  }
  void close() { stream_.close(); }

 private:
  void reply() {
    response_ = site_->respond(parser_.get());
    response_.set(http::field::cache_control, "no-cache");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.keep_alive(false);
    response_.prepare_payload();
    const bool has_body = parser_.get().method() != http::verb::head;
    serializer_.emplace(response_);
    const auto done = [self = shared_from_this()](beast::error_code, std::size_t) {
      beast::error_code ignored;
      self->stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    };
    if (has_body) {
      http::async_write(stream_, *serializer_, done);
    } else {
      http::async_write_header(stream_, *serializer_, done);
    }
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{max_header_bytes};
  http::request_parser<http::empty_body> parser_;
  Response response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::shared_ptr<const Site> site_;
};

ServedText served_sentence(unsigned status, std::string_view sentence) {
  return {status, "text/plain; charset=utf-8", std::string(sentence) + "\n"};
}

TextServer::TextServer(asio::io_context& loop, const asio::ip::tcp::endpoint& at, Answer answer)
    : acceptor_(loop, at), pause_(loop), address_(acceptor_.local_endpoint()) {
  site_ = std::make_shared<const Site>(Site{address_.address(), std::move(answer)});
  accept_next();
}

TextServer::~TextServer() = default;

void TextServer::accept_next() {
  acceptor_.async_accept([this](const beast::error_code& error, asio::ip::tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) begin(std::move(socket));
    if (!error || error == asio::error::connection_aborted) return accept_next();
    // The connection stays in the system's queue, so the next accept would fail at once.
    pause_.expires_after(accept_pause);
    pause_.async_wait([this](const beast::error_code& cancelled) {
      if (!cancelled) accept_next();
    });
  });
}

void TextServer::begin(asio::ip::tcp::socket socket) {
  sessions_.remove_if([](const std::weak_ptr<Session>& one) { return one.expired(); });
  if (sessions_.size() >= max_sessions) {
    if (const auto oldest = sessions_.front().lock()) oldest->close();
    sessions_.pop_front();
  }
  const auto session = std::make_shared<Session>(std::move(socket), site_);
  sessions_.push_back(session);
  session->start();
}

}  // namespace robotrules::cli
