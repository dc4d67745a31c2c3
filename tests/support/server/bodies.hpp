// Bodies and heads for hostile answers: packed, bombed, chunked, flooded. All made on the fly, in little memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::test {

enum class Coding { gzip, deflate, raw_deflate, brotli, zstd };

// The name for Content-Encoding.
std::string_view name_of(Coding coding);

std::string packed(Coding coding, std::string_view text);

// Packed: `prefix`, then `bytes` times `fill`. 300 MB become about 300 KB of gzip, less of the others; what is packed
// is never in memory as a whole.
std::string bomb(Coding coding, std::size_t bytes, std::string_view prefix = {}, char fill = '\0');

// In the chunked coding, `piece` bytes a chunk, with its end.
std::string chunked(std::string_view body, std::size_t piece = 1024);
// Chunks without the last one.
std::string unfinished_chunks(std::string_view body, std::size_t piece = 1024);

// `count` header lines "X-Flood-1: value\r\n" with a value of `value_bytes`.
std::string header_flood(std::size_t count, std::size_t value_bytes = 1);

// `count` interim answers "HTTP/1.1 100 Continue".
std::string interim_flood(std::size_t count);

}  // namespace robotrules::test
