#include "http/robots_body.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "http/decoder.hpp"

namespace robotrules::agent {
namespace {

// Returns false if the gzip file is damaged or not whole.
bool unpack(std::size_t limit, std::string& body, bool& is_cut) {
  Decoder decoder({codec::Format::gzip});
  std::string unpacked;
  bool has_more = false;
  const auto keep = [&](std::string_view piece) {
    has_more = piece.size() > limit - unpacked.size();
    unpacked.append(piece, 0, limit - unpacked.size());
    return !has_more;
  };
  const Decoder::Outcome outcome = decoder.write(body, keep);
  if (!has_more && (is_cut || outcome != Decoder::Outcome::taken || !decoder.whole())) return false;
  body = std::move(unpacked);
  is_cut = has_more;
  return true;
}

bool has_directive(const std::string& body) {
  const RobotsTxt robots = RobotsTxt::parse(body);
  for (std::size_t index = 0; index < robots.size(); ++index) {
    if (robots.directive(index).kind != DirectiveKind::other) return true;
  }
  return false;
}

}  // namespace

std::string take_robots_body(int status, const Headers& headers, std::size_t limit, std::string& body, bool& is_cut) {
  const Codings codings = codings_of(headers.all("Content-Encoding"));
  if (!codings.known) return "the body has a content coding that was not requested";
  const bool is_packed = body.starts_with("\x1f\x8b") && codings.formats.empty();
  if (is_packed && !unpack(limit, body, is_cut)) return "the file is packed by gzip and is not whole";
  if (status == 202 && (headers.has("x-amzn-waf-action") || !has_directive(body))) {
    return "the answer 202 is a challenge, and not the file";
  }
  return {};
}

}  // namespace robotrules::agent
