// The command's parts that a process alone would not show well.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <new>
#include <thread>

#include "base/base64.hpp"
#include "base/escape.hpp"
#include "base/json_text.hpp"
#include "base/userinfo.hpp"
#include "base/utf8.hpp"
#include "cli/batch/once_cache.hpp"
#include "cli/io/text.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

std::string json(std::string_view bytes) {
  std::string out;
  base::append_json(out, bytes);
  return out;
}

TEST(Text, JsonIsValidUtf8ForAnyBytes) {
  EXPECT_EQ(json("a\"b\\c\n\x01\x7F"), R"("a\"b\\c\n\u0001\u007F")");
  EXPECT_EQ(json("\xC3\xBC\xF0\x9F\xA4\x96"), "\"\xC3\xBC\xF0\x9F\xA4\x96\"");
  EXPECT_EQ(json("\xC2\x9B\xE2\x80\xAE"), "\"\\u009B\\u202E\"");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(json("\xFF"), '"' + bad + '"');
  EXPECT_EQ(json("\xE2\x82x"), '"' + bad + "x\"") << "one for a cut sequence";
  EXPECT_EQ(json("\xED\xA0\x80"), '"' + bad + bad + bad + '"') << "a surrogate";
  EXPECT_EQ(json("\xC0\xAF"), '"' + bad + bad + '"') << "an overlong form";
  EXPECT_EQ(json("\xF4\x90\x80\x80"), '"' + bad + bad + bad + bad + '"') << "above 10FFFF";
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const char bytes[] = {static_cast<char>(a), static_cast<char>(b), 'x'};
      ASSERT_TRUE(base::is_utf8(json({bytes, 3}))) << a << " " << b;
    }
  }
}

TEST(Text, JsonOfDocumentsIsMadeHarmless) {
  EXPECT_EQ(base::harmless_json("{\n  \"a\": \"\x7F\xC2\x9B\xE2\x80\xAE\xC3\xBC\xF0\x9F\xA4\x96\"\n}"),
            "{\n  \"a\": \"\\u007F\\u009B\\u202E\xC3\xBC\xF0\x9F\xA4\x96\"\n}");
}

TEST(Text, PrintableLeavesNothingThatMovesACursor) {
  EXPECT_EQ(base::printable("plain \xC3\xBC"), "plain \xC3\xBC");
  EXPECT_EQ(base::printable("\x1B[31m\t\r\n\x7F\xC2\x85\xFF"), "\\x1B[31m\\x09\\x0D\\x0A\\x7F\\xC2\\x85\\xFF");
  EXPECT_EQ(base::printable("\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9"), "\\u202A\\u202E\\u2066\\u2069");
}

TEST(Text, NothingInvisibleReachesATerminalOrADocument) {
  const std::pair<const char*, const char*> marks[] = {{"\xD8\x9C", "\\u061C"},     {"\xE2\x80\x8B", "\\u200B"},
                                                       {"\xE2\x80\x8E", "\\u200E"}, {"\xE2\x80\x8F", "\\u200F"},
                                                       {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"},
                                                       {"\xEF\xBB\xBF", "\\uFEFF"}};
  for (const auto& [raw, shown] : marks) {
    EXPECT_EQ(base::printable(raw), shown);
    EXPECT_EQ(json(raw), '"' + std::string(shown) + '"');
    EXPECT_EQ(base::harmless_json('"' + std::string(raw) + '"'), '"' + std::string(shown) + '"');
  }
}

TEST(Text, UserAndPasswordOfAURLAreLeftOut) {
  const std::pair<const char*, const char*> cases[] = {{"https://u:p@a.test/x", "https://a.test/x"},
                                                       {"http://u@a.test:81", "http://a.test:81"},
                                                       {"http://u:p@x@[::1]/?q=a@b", "http://[::1]/?q=a@b"},
                                                       {"http://u:p@a.test?q", "http://a.test?q"},
                                                       {"http://a.test/x@y", "http://a.test/x@y"},
                                                       {"ftp://u:p@a.test/", "ftp://a.test/"},
                                                       {"/x://u@b", "/x://b"},
                                                       {"u:p@a.test", "a.test"},
                                                       {"http://", "http://"},
                                                       {"", ""}};
  for (const auto& [given, shown] : cases) EXPECT_EQ(base::without_userinfo(given), shown) << given;
}

TEST(Text, UserAndPasswordOfAProxyAreLeftOut) {
  const std::pair<const char*, const char*> cases[] = {{"http://u:p@proxy:3128", "http://proxy:3128"},
                                                       {"u:p@proxy:3128", "proxy:3128"},
                                                       {"u:p/w://x@proxy:3128", "proxy:3128"},
                                                       {"socks5://u:p@x@proxy", "socks5://proxy"},
                                                       {"proxy:3128", "proxy:3128"},
                                                       {"http://proxy", "http://proxy"},
                                                       {"", ""}};
  for (const auto& [given, shown] : cases) EXPECT_EQ(base::proxy_without_userinfo(given), shown) << given;
}

TEST(Text, Base64GoesThereAndBack) {
  std::string bytes;
  std::string decoded;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(base::decode_base64(base::base64(bytes), decoded));
    ASSERT_EQ(decoded, bytes);
    bytes += static_cast<char>(i * 37);
  }
  EXPECT_EQ(base::base64("ab"), "YWI=");
  for (const std::string_view bad : {"A", "====", "YW=I", "YW I", "YW-_", "YQ===", "YQ=", "\xFF\xFF\xFF\xFF"}) {
    EXPECT_FALSE(base::decode_base64(bad, decoded)) << bad;
  }
}

TEST(Text, NearestFindsWhatWasMeantAndNothingElse) {
  const std::vector<std::string_view> names{"check", "batch", "show", "lint"};
  EXPECT_EQ(cli::nearest("chekc", names), "check");
  EXPECT_EQ(cli::nearest("LINT", names), "lint");
  EXPECT_EQ(cli::nearest("completely", names), "");
  EXPECT_EQ(cli::nearest(std::string(300, 'x'), names), "");
}

struct Sized {
  int value = 0;
  std::size_t size = 0;
  std::size_t bytes() const noexcept { return size; }
};

std::size_t hash(std::string_view key) { return std::hash<std::string_view>{}(key); }

TEST(OnceCache, MakesEachValueOnceForAllThreads) {
  cli::OnceCache<Sized> cache(std::size_t{64} << 20);
  std::array<std::atomic<int>, 100> made{};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        const auto k = static_cast<std::size_t>(i % 100);
        const std::string key = "key" + std::to_string(k);
        const auto value = cache.get(key, hash(key), [&] {
          ++made[k];
          return Sized{static_cast<int>(k), 100};
        });
        ASSERT_EQ(value->value, static_cast<int>(k));
      }
    });
  }
  threads.clear();
  for (const auto& count : made) EXPECT_EQ(count, 1);
}

TEST(OnceCache, HoldsNoMoreThanItMayAndForgetsTheOldest) {
  cli::OnceCache<Sized> cache(16 * 10'000);  // 10,000 bytes for keys of one hash
  int made = 0;
  const auto get = [&](const std::string& key) {
    return cache.get(key, 0, [&] {
      ++made;
      return Sized{made, 3000};
    });
  };
  const auto held = get("a");
  get("b");
  get("a");
  get("c");
  EXPECT_EQ(made, 3);
  get("d");  // too much: "b" was asked for least lately
  EXPECT_EQ(made, 4);
  get("a");
  get("c");
  EXPECT_EQ(made, 4);
  get("b");
  EXPECT_EQ(made, 5);
  EXPECT_EQ(held->value, 1) << "what was handed out lives on";
}

TEST(OnceCache, AFailureIsTriedAgain) {
  cli::OnceCache<Sized> cache(1 << 20);
  EXPECT_THROW(cache.get("a", 0, []() -> Sized { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(cache.get("a", 0, [] { return Sized{7, 1}; })->value, 7);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
