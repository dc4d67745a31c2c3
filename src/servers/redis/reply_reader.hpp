// Reads the replies of a Redis server (RESP2) from bytes as they come.
//
//     ReplyReader reader;
//     if (!reader.add(bytes)) return strange_reply(server);
//     while (auto reply = reader.take()) use(*reply);
//
// Method: each byte is looked at once, however the bytes are split, and memory is taken only for bytes and elements
// that have come. A length that a server only announces costs nothing. Limits end a reply that is larger than any that
// this program asks for.
//
// Thread rule: one thread at a time. Errors: add() returns false; then the reader is of no more use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "servers/redis/reply.hpp"

namespace robotrules::store::redis {

// Limits of one reply.
struct ReplyLimits {
  std::size_t text_bytes = std::size_t{64} << 20;  // of all its bulk strings together
  std::size_t line_bytes = std::size_t{64} << 10;  // of one line: a status, an error, a number or a length
  std::size_t all_line_bytes = std::size_t{16} << 20;
  // The largest list is CLUSTER SLOTS: 16,384 slots with some 18 elements each if every slot is a range of its own.
  std::size_t elements = 500'000;  // of all its lists together
  std::size_t depth = 8;           // of lists in lists
};

class ReplyReader {
 public:
  explicit ReplyReader(const ReplyLimits& limits = {}) : limits_(limits) {}

  // Reads the bytes. Returns false if they are not replies, or if a reply exceeds a limit.
  bool add(std::string_view bytes);

  // Returns the next whole reply; null if there is none yet.
  std::optional<Reply> take();

  // Returns true if nothing was added that take() has not returned.
  bool is_idle() const noexcept { return whole_.empty() && open_.empty() && part_ == Part::line && line_.empty(); }

 private:
  enum class Part : std::uint8_t { line, text, text_end };
  // A list with elements that have not come.
  struct OpenList {
    Reply list;
    std::size_t missing;
  };

  bool add_to_line(std::string_view& bytes);
  bool add_to_text(std::string_view& bytes);
  bool read_line(std::string_view line);
  bool begin_text(std::int64_t size);
  bool begin_list(std::int64_t count);
  bool finish(Reply reply);

  ReplyLimits limits_;
  Part part_ = Part::line;
  std::string line_;         // its beginning, if its end has not come
  std::string text_;         // the beginning of a bulk string
  std::size_t missing_ = 0;  // bytes of the bulk string or of its line end
  std::vector<OpenList> open_;
  std::deque<Reply> whole_;
  // Of the reply that is being read:
  std::size_t text_bytes_ = 0;
  std::size_t all_line_bytes_ = 0;
  std::size_t elements_ = 0;
};

}  // namespace robotrules::store::redis
