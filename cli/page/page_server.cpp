#include "cli/page/page_server.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/asio/ip/address_v4.hpp>
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

constexpr auto max_time = std::chrono::seconds(10);  // for one request and its response
constexpr std::size_t max_header_bytes = 16 * 1024;

using Response = http::response<http::string_body>;

// Returns true if a Host field names this server.
bool is_own_host(std::string_view host, std::uint16_t port) {
  const std::string suffix = ":" + std::to_string(port);
  return base::equals_ignore_case(host, "127.0.0.1" + suffix) || base::equals_ignore_case(host, "localhost" + suffix);
}

Response refusal(http::status status, std::string_view sentence) {
  Response response(status, 11);
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = std::string(sentence) + "\n";
  return response;
}

Response answer(const http::request<http::empty_body>& request, const std::string& page, std::uint16_t port) {
  const auto host = request[http::field::host];
  if (request.count(http::field::host) != 1 || !is_own_host({host.data(), host.size()}, port)) {
    return refusal(http::status::forbidden,
                   "The request names another host. Open the address that the command printed.");
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Response response = refusal(http::status::method_not_allowed, "Only GET and HEAD are answered.");
    response.set(http::field::allow, "GET, HEAD");
    return response;
  }
  const std::string_view target(request.target().data(), request.target().size());
  if (target != "/" && !target.starts_with("/?")) {
    return refusal(http::status::not_found, "The only page here is \"/\".");
  }
  Response response(http::status::ok, 11);
  response.set(http::field::content_type, "text/html; charset=utf-8");
  response.body() = page;
  return response;
}

// One connection: reads one request, answers it, and closes.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::ip::tcp::socket socket, std::shared_ptr<const std::string> page, std::uint16_t port)
      : stream_(std::move(socket)), page_(std::move(page)), port_(port) {
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

 private:
  void reply() {
    response_ = answer(parser_.get(), *page_, port_);
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
  std::shared_ptr<const std::string> page_;
  std::uint16_t port_;
};

}  // namespace

PageServer::PageServer(asio::io_context& loop, std::string page, std::uint16_t port)
    : acceptor_(loop, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), port)),
      page_(std::make_shared<const std::string>(std::move(page))) {
  accept_next();
}

std::string PageServer::address() const {
  return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/";
}

void PageServer::accept_next() {
  acceptor_.async_accept([this](const beast::error_code& error, asio::ip::tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) std::make_shared<Session>(std::move(socket), page_, acceptor_.local_endpoint().port())->start();
    accept_next();
  });
}

}  // namespace robotrules::cli
