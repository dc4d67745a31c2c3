#include "answer/robots_body.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "base/whole_lines.hpp"
#include "codec/content_decoder.hpp"
#include "fields/content_type.hpp"

namespace robotrules::answer {
namespace {

using base::ByteOrder;

// Decodes the body. Returns what is wrong with it.
std::string decode(const std::vector<codec::Format>& formats, std::size_t limit, RobotsExchange& exchange) {
  for (const codec::Format format : formats) {
    if (!codec::can_decode(format)) return "this build cannot decode its content coding";
  }
  std::string decoded;
  const codec::Decoded outcome = codec::decode_body(formats, exchange.body, limit, decoded);
  if (outcome == codec::Decoded::damaged) return "the body is not encoded as its Content-Encoding says";
  if (outcome == codec::Decoded::unfinished && !exchange.is_cut) return "the body is incomplete";
  exchange.body = std::move(decoded);
  exchange.is_cut = exchange.is_cut || outcome != codec::Decoded::whole;
  exchange.is_whole = true;  // the coding tells its end
  return {};
}

bool has_directive(const std::string& body) {
  const RobotsTxt robots = RobotsTxt::parse(body);
  for (std::size_t index = 0; index < robots.size(); ++index) {
    if (robots.directive(index).kind != DirectiveKind::other) return true;
  }
  return false;
}

// Returns the byte order of UTF-16 by its byte order mark, or else by its label (RFC 2781 section 4.3: big-endian
// without a mark). A label is ignored if the first 1,024 bytes contain no NUL.
ByteOrder byte_order_of(std::string_view body, const Headers& headers) {
  if (const ByteOrder marked = base::marked_byte_order(body); marked != ByteOrder::none) return marked;
  const agent::ContentType type = agent::parse_content_type(headers.get("Content-Type").value_or(""));
  const bool labelled = type.charset == "utf-16" || type.charset == "utf-16be" || type.charset == "utf-16le";
  constexpr std::size_t max_label_check = 1'024;
  if (!labelled || body.substr(0, max_label_check).find('\0') == std::string_view::npos) return ByteOrder::none;
  return type.charset == "utf-16le" ? ByteOrder::little : ByteOrder::big;
}

}  // namespace

std::string take_file(RobotsExchange& exchange, std::size_t limit) {
  std::string& body = exchange.body;
  const codec::Codings codings = codec::codings_of(exchange.headers.all("Content-Encoding"));
  if (!codings.known) return "the body has a content coding that was not requested";
  if (codings.formats.size() > codec::max_codings) return "the body was encoded more than twice";
  if (!exchange.is_decoded && !codings.formats.empty() && !body.empty()) {
    if (std::string fault = decode(codings.formats, limit, exchange); !fault.empty()) return fault;
  }
  if (!exchange.is_whole && !exchange.is_cut) return "the body is incomplete";
  // Also if a client did not decode the body, although it is said to be decoded.
  if (body.starts_with("\x1f\x8b")) {
    const bool is_part = std::exchange(exchange.is_cut, false);
    const std::string fault = decode({codec::Format::gzip}, limit, exchange);
    if (!fault.empty() && !codec::can_decode(codec::Format::gzip)) return fault;
    // A file may have several members, so a part of one is not the file, even if a member ends where it does.
    if (!fault.empty() || (is_part && !exchange.is_cut)) return "the file is packed by gzip and is not whole";
  }
  if (exchange.status == 202 && (exchange.headers.has("x-amzn-waf-action") || !has_directive(body))) {
    return "the answer 202 is a challenge, and not the file";
  }
  const ByteOrder order = byte_order_of(body, exchange.headers);
  exchange.is_cut = exchange.is_cut || body.size() > limit;
  if (exchange.is_cut) body.resize(base::whole_lines(body, std::min(body.size(), limit), order));
  if (order != base::marked_byte_order(body)) body.insert(0, order == ByteOrder::little ? "\xFF\xFE" : "\xFE\xFF");
  return {};
}

}  // namespace robotrules::answer
