// Bytes of a Redis server: however they are split, the same replies and the same refusal; within the limits; and what
// is read is what hiredis reads.
//
// Input: an octet for the size of the pieces and for small limits, the bytes.
#include <hiredis/hiredis.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "input.hpp"
#include "servers/redis/reply_reader.hpp"

namespace {

using namespace robotrules::fuzz;
using robotrules::store::redis::Reply;
using robotrules::store::redis::ReplyLimits;
using robotrules::store::redis::ReplyReader;

struct Read {
  std::vector<Reply> replies;
  bool is_refused = false;
};

Read read(std::string_view bytes, std::size_t piece, const ReplyLimits& limits) {
  Read read;
  ReplyReader reader(limits);
  while (!bytes.empty() && !read.is_refused) {
    const std::string_view next = bytes.substr(0, piece);
    const std::vector<char> exact(next.begin(), next.end());  // a block of exactly that size
    read.is_refused = !reader.add({exact.data(), exact.size()});
    while (auto reply = reader.take()) read.replies.push_back(*std::move(reply));
    bytes.remove_prefix(next.size());
  }
  return read;
}

bool equal(const Reply& a, const Reply& b) {
  return a.kind == b.kind && a.text == b.text && a.number == b.number &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), equal);
}

struct Sizes {
  std::size_t texts = 0, elements = 0, depth = 0;
};

void measure(const Reply& reply, std::size_t depth, Sizes& sizes) {
  sizes.texts += reply.text.size();
  sizes.elements += reply.items.size();
  if (reply.kind == Reply::Kind::list && !reply.items.empty()) ++depth;
  sizes.depth = std::max(sizes.depth, depth);
  for (const Reply& item : reply.items) measure(item, depth, sizes);
}

bool equal(const Reply& ours, const redisReply& theirs) {
  switch (theirs.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS: return ours.kind == Reply::Kind::text && ours.text == std::string(theirs.str, theirs.len);
    case REDIS_REPLY_ERROR: return ours.kind == Reply::Kind::error && ours.text == std::string(theirs.str, theirs.len);
    case REDIS_REPLY_INTEGER: return ours.kind == Reply::Kind::number && ours.number == theirs.integer;
    case REDIS_REPLY_NIL: return ours.kind == Reply::Kind::nil;
    case REDIS_REPLY_ARRAY:
      if (ours.kind != Reply::Kind::list || ours.items.size() != theirs.elements) return false;
      for (std::size_t i = 0; i < theirs.elements; ++i) {
        if (!equal(ours.items[i], *theirs.element[i])) return false;
      }
      return true;
    default: return false;
  }
}

// hiredis reads more than this program does; where it refuses, nothing is compared.
void compare_with_hiredis(std::string_view bytes, const std::vector<Reply>& replies) {
  const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreate(), &redisReaderFree);
  require(reader != nullptr, "there is memory");
  require(redisReaderFeed(reader.get(), bytes.data(), bytes.size()) == REDIS_OK, "hiredis takes the bytes");
  for (const Reply& reply : replies) {
    void* found = nullptr;
    if (redisReaderGetReply(reader.get(), &found) != REDIS_OK) return;
    require(found != nullptr, "hiredis has a reply as well");
    const std::unique_ptr<void, void (*)(void*)> owner(found, &freeReplyObject);
    require(equal(reply, *static_cast<const redisReply*>(found)), "a reply is what hiredis reads");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t choice = input.byte();
  ReplyLimits limits;
  if ((choice & 0x80) != 0) {
    limits = {.text_bytes = 32, .line_bytes = 16, .all_line_bytes = 64, .elements = 8, .depth = 2};
  }
  const std::string_view bytes = input.rest();
  const Read whole = read(bytes, std::max<std::size_t>(bytes.size(), 1), limits);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{choice & 0x7Fu} + 1}) {
    const Read parts = read(bytes, piece, limits);
    require(parts.is_refused == whole.is_refused, "a refusal does not depend on the pieces");
    require(std::equal(parts.replies.begin(), parts.replies.end(), whole.replies.begin(), whole.replies.end(),
                       [](const Reply& a, const Reply& b) { return equal(a, b); }),
            "replies do not depend on the pieces");
  }
  for (const Reply& reply : whole.replies) {
    Sizes sizes;
    measure(reply, 0, sizes);
    require(sizes.texts <= limits.text_bytes + limits.all_line_bytes, "texts are within the limits");
    require(sizes.elements <= limits.elements, "elements are within the limits");
    require(sizes.depth <= limits.depth, "lists are within the limits");
  }
  // hiredis takes memory for what a length only announces.
  if (!whole.is_refused) compare_with_hiredis(bytes, whole.replies);
  return 0;
}
