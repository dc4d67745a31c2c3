#include "cli/page/page_server.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include <boost/asio/ip/address_v4.hpp>

namespace robotrules::cli {
namespace {

TextServer::Answer answer_with(std::string page) {
  return [page = std::make_shared<const std::string>(std::move(page))](std::string_view target) {
    if (target != "/" && !target.starts_with("/?")) return served_sentence(404, "The only page here is \"/\".");
    return ServedText{200, "text/html; charset=utf-8", *page};
  };
}

}  // namespace

PageServer::PageServer(boost::asio::io_context& loop, std::string page, std::uint16_t port)
    : server_(loop, {boost::asio::ip::address_v4::loopback(), port}, answer_with(std::move(page))) {}

std::string PageServer::address() const { return "http://127.0.0.1:" + std::to_string(server_.address().port()) + "/"; }

}  // namespace robotrules::cli
