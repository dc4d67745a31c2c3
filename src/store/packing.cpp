#include "store/packing.hpp"

#include <openssl/evp.h>
#include <zstd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <new>
#include <span>

namespace robotrules::store {
namespace {

// Size limit for a stored body. No fetched robots.txt is nearly as long. Without the limit, a damaged size could use up
// all memory.
constexpr std::int64_t max_body = std::int64_t{1} << 30;
constexpr std::size_t min_size_to_compress = 64;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t hold_words = 6;
constexpr std::size_t owner_bytes = 3 * sizeof(std::int64_t);
// The first byte of a list of holds with owners. Lists without owners, of files before version 4, have no such byte, so
// their size is a multiple of eight bytes.
constexpr char with_owners = 1;

void append_words(std::string& out, std::span<const std::int64_t> words) {
  out.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}
void append_owner(std::string& out, const Process& owner) {
  append_words(out, std::array{owner.id, owner.started, owner.realm});
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  std::string hash(32, '\0');
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(hash.data()), &size, EVP_sha256(),
                 nullptr) != 1) {
    throw std::bad_alloc();  // it only fails if memory runs out
  }
  return hash;
}

Packed pack_body(std::string_view body) {
  if (body.size() >= min_size_to_compress) {
    std::string out(ZSTD_compressBound(body.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), body.data(), body.size(), 1);
    if (ZSTD_isError(size) == 0 && size < body.size()) {
      out.resize(size);
      return {1, std::move(out)};
    }
  }
  return {0, std::string(body)};
}

std::optional<std::string> unpack_body(std::int64_t coding, std::string_view bytes, std::int64_t size) {
  if (size < 0 || size > max_body) return std::nullopt;
  const auto length = static_cast<std::size_t>(size);
  if (coding == 0) return bytes.size() == length ? std::optional(std::string(bytes)) : std::nullopt;
  if (coding != 1 || ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != length) return std::nullopt;
  std::string body(length, '\0');
  const std::size_t made = ZSTD_decompress(body.data(), body.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(made) != 0 || made != length) return std::nullopt;
  return body;
}

std::string pack_owner(const Process& owner) {
  std::string out;
  if (owner.id != 0) append_owner(out, owner);
  return out;
}

std::optional<Process> unpack_owner(std::string_view bytes) {
  if (bytes.empty()) return Process{};
  if (bytes.size() != owner_bytes) return std::nullopt;
  std::int64_t words[3];
  std::memcpy(words, bytes.data(), sizeof words);
  const Process owner{words[0], words[1], words[2]};
  // kill() takes 0 and negative numbers as groups of processes.
  const bool known = owner.id > 0 && owner.id <= std::numeric_limits<std::int32_t>::max() && owner.started >= 0;
  return known || owner == Process{} ? std::optional(owner) : std::nullopt;
}

std::string pack_holds(const std::vector<Hold>& holds) {
  if (holds.empty()) return {};
  std::string out(1, with_owners);
  for (const Hold& hold : holds) {
    const std::int64_t words[hold_words] = {static_cast<std::int64_t>(hold.fence),
                                            hold.granted_at.time_since_epoch().count(),
                                            hold.expires_at.time_since_epoch().count(),
                                            hold.arms ? 1 : 0,
                                            hold.armed_before.time_since_epoch().count(),
                                            hold.last_before ? hold.last_before->time_since_epoch().count() : never};
    append_words(out, words);
    append_owner(out, hold.owner);
  }
  return out;
}

std::optional<std::vector<Hold>> unpack_holds(std::string_view bytes) {
  std::vector<Hold> holds;
  const bool owned = bytes.size() > 1 && bytes.front() == with_owners && bytes.size() % sizeof(std::int64_t) == 1;
  if (owned) bytes.remove_prefix(1);
  const std::size_t size = hold_words * sizeof(std::int64_t) + (owned ? owner_bytes : 0);
  if (bytes.size() % size != 0) return std::nullopt;
  for (; !bytes.empty(); bytes.remove_prefix(size)) {
    std::int64_t words[hold_words];
    std::memcpy(words, bytes.data(), sizeof words);
    const auto owner = owned ? unpack_owner(bytes.substr(sizeof words, owner_bytes)) : Process{};
    if (!owner) return std::nullopt;
    const auto time = [](std::int64_t word) { return Timestamp(std::chrono::microseconds(word)); };
    if (words[3] < 0) return std::nullopt;
    // Older versions stored in this word the interval that the completion arms; 0: it arms none.
    holds.push_back({static_cast<std::uint64_t>(words[0]), time(words[1]), time(words[2]), words[3] != 0,
                     time(words[4]), words[5] == never ? std::nullopt : std::optional(time(words[5])), *owner});
  }
  return holds;
}

void append_text(std::string& out, std::string_view text) {
  out.append(std::to_string(text.size())).append(":").append(text);
}

std::optional<std::string_view> take_text(std::string_view& bytes) {
  const std::size_t colon = bytes.find(':');
  const auto size = number_in(bytes.substr(0, colon));
  if (colon == std::string_view::npos || !size || *size < 0) return std::nullopt;
  bytes.remove_prefix(colon + 1);
  if (static_cast<std::uint64_t>(*size) > bytes.size()) return std::nullopt;
  const std::string_view text = bytes.substr(0, static_cast<std::size_t>(*size));
  bytes.remove_prefix(text.size());
  return text;
}

std::optional<std::int64_t> number_in(std::string_view text) noexcept {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

std::optional<Timestamp> time_in(std::string_view text) noexcept {
  const auto number = number_in(text);
  const Timestamp time{std::chrono::microseconds(number.value_or(0))};
  return number && is_sound(time) ? std::optional(time) : std::nullopt;
}

std::string pack_hops(const std::vector<std::string>& hops) {
  std::string out;
  for (const std::string& hop : hops) out.append(hop).append("\n");
  return out;
}

std::vector<std::string> unpack_hops(std::string_view text) {
  std::vector<std::string> hops;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    hops.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return hops;
}

}  // namespace robotrules::store
