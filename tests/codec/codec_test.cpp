// Decompression: every format in one piece and in many, cut, followed by other bytes, damaged, and too large.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codec/decompress_stream.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::codec {
namespace {

using namespace std::string_literals;
using test::Coding;
using Outcome = DecompressStream::Outcome;

struct Case {
  const char* name;
  Format format;
  Coding coding;
  bool repeats;  // several members or frames are one text
};
constexpr std::array cases{
    Case{"gzip", Format::gzip, Coding::gzip, true},
    Case{"zlib", Format::zlib, Coding::deflate, false},
    Case{"deflate in a zlib frame", Format::deflate, Coding::deflate, false},
    Case{"deflate without a frame", Format::deflate, Coding::raw_deflate, false},
    Case{"zstd", Format::zstd, Coding::zstd, true},
    Case{"brotli", Format::brotli, Coding::brotli, false},
};

struct Read {
  std::string text;
  Outcome outcome = Outcome::taken;
  bool is_whole = false;
};

Read read(Format format, std::string_view bytes, std::size_t piece = std::string_view::npos,
          const Limits& limits = {}) {
  DecompressStream stream(format, limits);
  Read result;
  for (std::size_t at = 0; at < bytes.size() && result.outcome == Outcome::taken;) {
    const std::string_view part = bytes.substr(at, piece);
    result.outcome = stream.write(part, [&](std::string_view decoded) {
      EXPECT_LE(decoded.size(), 65'536U);
      result.text += decoded;
      return true;
    });
    at += part.size();
  }
  result.is_whole = stream.is_whole();
  return result;
}

void expect_whole(const Read& read, std::string_view text) {
  EXPECT_EQ(read.outcome, Outcome::taken);
  EXPECT_TRUE(read.is_whole);
  EXPECT_TRUE(read.text == text) << read.text.size() << " bytes";
}

std::string text_of(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "line " + std::to_string(text.size() * 2'654'435'761U) + "\n";
  return text;
}

// The text "x" as a zstd frame that asks for a window of 2^`window_log` bytes (RFC 8878 section 3.1.1).
std::string zstd_with_window(int window_log) {
  return "\x28\xB5\x2F\xFD\0"s + static_cast<char>((window_log - 10) << 3) + "\x09\0\0x"s;
}

TEST(Codec, DecodesPiecesOfEverySize) {
  const std::string text = text_of(300'000);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string packed = test::packed(one.coding, text);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4'096}, packed.size()}) {
      expect_whole(read(one.format, packed, piece), text);
    }
    expect_whole(read(one.format, test::packed(one.coding, "")), "");
    expect_whole(read(one.format, ""), "");
  }
}

TEST(Codec, FillsTheOutputExactly) {
  for (const Case& one : cases) {
    for (const std::size_t size : {65'535U, 65'536U, 65'537U, 131'072U}) {
      SCOPED_TRACE(one.name + " "s + std::to_string(size));
      const std::string text = text_of(size).substr(0, size);
      expect_whole(read(one.format, test::packed(one.coding, text)), text);
    }
  }
}

TEST(Codec, TellsThatAnInputIsCut) {
  const std::string text = text_of(500);
  for (const Case& one : cases) {
    const std::string packed = test::packed(one.coding, text);
    for (std::size_t size = 1; size < packed.size(); ++size) {
      SCOPED_TRACE(one.name + " "s + std::to_string(size));
      const Read part = read(one.format, packed.substr(0, size));
      EXPECT_EQ(part.outcome, Outcome::taken);
      EXPECT_FALSE(part.is_whole);
      EXPECT_TRUE(text.starts_with(part.text));
    }
  }
}

TEST(Codec, ReadsSeveralMembersAsOneText) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string members =
        test::packed(one.coding, "one,") + test::packed(one.coding, "") + test::packed(one.coding, "two");
    for (const std::size_t piece : {std::size_t{1}, members.size()}) {
      expect_whole(read(one.format, members, piece), one.repeats ? "one,two" : "one,");
    }
  }
}

TEST(Codec, BytesAfterTheEnd) {
  const struct {
    std::string bytes;
    Format format;
    Outcome outcome;
    bool is_whole;
  } rows[] = {
      {"\0\0\0\0\0\0"s, Format::gzip, Outcome::taken, true},
      {"junk\x1F\x8B", Format::gzip, Outcome::taken, true},
      {"\x1Fjunk", Format::gzip, Outcome::damaged, false},
      {"\x1F", Format::gzip, Outcome::taken, false},
      {"junk", Format::zlib, Outcome::taken, true},
      {"junk", Format::deflate, Outcome::taken, true},
      {"junk", Format::brotli, Outcome::taken, true},
      {"junk and more", Format::zstd, Outcome::damaged, false},
      {"j", Format::zstd, Outcome::damaged, false},
      {"\x28\xB5", Format::zstd, Outcome::taken, false},
      {"\x50\x2A\x4D\x18\x02\0\0\0hi"s, Format::zstd, Outcome::taken, true},  // a frame to skip
  };
  for (const auto& row : rows) {
    for (const Case& one : cases) {
      if (one.format != row.format) continue;
      for (const std::size_t piece : {std::size_t{1}, std::size_t{1'000}}) {
        SCOPED_TRACE(one.name + " "s + row.bytes);
        const Read result = read(one.format, test::packed(one.coding, "text") + row.bytes, piece);
        EXPECT_EQ(result.text, "text");
        EXPECT_EQ(result.outcome, row.outcome);
        if (row.outcome == Outcome::taken) {
          EXPECT_EQ(result.is_whole, row.is_whole);
        }
      }
    }
  }
}

TEST(Codec, TellsThatAnInputIsDamaged) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(read(one.format, "\xFF\xFF\xFF\xFF plain text").outcome, Outcome::damaged);
  }
  std::string packed = test::packed(Coding::gzip, "text");
  packed[packed.size() - 5] ^= 1;  // the checksum
  EXPECT_EQ(read(Format::gzip, packed).outcome, Outcome::damaged);
  EXPECT_EQ(read(Format::zlib, test::packed(Coding::raw_deflate, "text")).outcome, Outcome::damaged);
  EXPECT_EQ(read(Format::zlib, test::packed(Coding::gzip, "text")).outcome, Outcome::damaged);
}

TEST(Codec, AStreamTellsOfDamageAndOfBytesAfterTheEnd) {
  const auto sink = [](std::string_view) { return true; };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    DecompressStream stream(one.format);
    stream.write(test::packed(one.coding, "text"), sink);
    EXPECT_EQ(stream.damage(), nullptr);
    EXPECT_FALSE(stream.is_past_end());
    stream.write("junk", sink);
    EXPECT_EQ(stream.is_past_end(), one.format != Format::zstd);
    EXPECT_EQ(stream.damage() != nullptr, one.format == Format::zstd);
  }
}

TEST(Codec, LimitsTheWindowOfZstd) {
  const Limits limits{.max_zstd_window_log = 23};
  expect_whole(read(Format::zstd, zstd_with_window(23), 1, limits), "x");
  EXPECT_EQ(read(Format::zstd, zstd_with_window(24), 1, limits).outcome, Outcome::damaged);
  expect_whole(read(Format::zstd, zstd_with_window(24), 1), "x");
  EXPECT_EQ(read(Format::zstd, zstd_with_window(28), 1).outcome, Outcome::damaged);
}

TEST(Codec, StopsABombWhenTheSinkSaysSo) {
  constexpr std::size_t limit = std::size_t{1} << 20;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    DecompressStream stream(one.format);
    std::size_t size = 0;
    const Outcome outcome = stream.write(test::bomb(one.coding, 16 * limit), [&](std::string_view decoded) {
      EXPECT_LE(decoded.size(), 65'536U);
      EXPECT_LT(stream.memory_bytes(), 24 * limit);
      size += decoded.size();
      return size < limit;
    });
    EXPECT_EQ(outcome, Outcome::stopped);
    EXPECT_GE(size, limit);
    EXPECT_LT(size, limit + 65'536);
  }
}

// A reader of files must know where each member ends.
TEST(Codec, StepsStopAtTheEndOfEachMember) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string first = test::packed(one.coding, "first");
    const std::string both = first + test::packed(one.coding, "second") + "garbage";
    const auto decompressor = make_decompressor(one.format);
    std::array<char, 3> room;
    std::vector<std::size_t> ends;
    std::string text;
    std::size_t at = 0;
    while (ends.size() < 2) {
      const Step step = decompressor->step(std::string_view(both).substr(at), room);
      ASSERT_EQ(step.damage, nullptr);
      text.append(room.data(), step.made);
      at += step.used;
      if (step.ended) ends.push_back(at);
    }
    EXPECT_EQ(text, one.repeats ? "firstsecond" : "first");
    EXPECT_EQ(ends.front(), first.size());
    EXPECT_EQ(ends.back(), one.repeats ? both.size() - 7 : first.size());
  }
}

TEST(Codec, NamesTheDamage) {
  std::array<char, 16> room;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Step step = make_decompressor(one.format)->step("\xFF\xFF\xFF\xFF plain text", room);
    ASSERT_NE(step.damage, nullptr);
    EXPECT_NE(step.damage, ""s);
  }
}

}  // namespace
}  // namespace robotrules::codec
