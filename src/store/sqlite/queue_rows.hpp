// The tables of the queue: what a row says, and how each is changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "store/sip_hash.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

inline constexpr std::size_t queue_states = 5;

// Neither space nor control octet nor fragment.
bool is_queueable(std::string_view text) noexcept;

std::string pack_headers(const Headers& headers);
// Null where the bytes are not what pack_headers() makes.
std::optional<Headers> unpack_headers(std::string_view bytes);

// Rows of "SELECT * FROM queue_site" and "SELECT * FROM queue". False where it can't be what was written: a value of
// another type, or out of bounds.
bool read_site(const Statement& row, QueueSite& into);
bool read_item(const Statement& row, std::string_view origin, QueueItem& into);
bool read_count(const Statement& row, int column, std::uint64_t& into);

// Of what a URL is known by. Error "store-damaged" where the key can't be read.
Result<SipKey> queue_key(Database& database);
std::uint64_t url_hash(const SipKey& key, std::string_view method, std::string_view url);
// The hashes of a row of "SELECT first, hashes FROM queue_hash", 8 bytes each; null where they can't be those of
// `next` and the numbers behind it.
std::optional<std::string_view> read_hashes(const Statement& row, std::int64_t next);

Error damaged_queue(const Database& database, const std::string& what);

}  // namespace robotrules::store
