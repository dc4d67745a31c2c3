// robotrules batch in a pipe: order, memory, promptness, and a reader that goes away.
#include <unistd.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/sanitized.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

class BatchStream : public ::testing::Test {
 protected:
  BatchStream() {
    for (int host = 0; host < 50; ++host) {
      folder_.file("h" + std::to_string(host) + ".example",
                   "User-agent: *\nDisallow: /" + std::to_string(host) + "/\n");
    }
  }
  std::vector<std::string> words() const { return {"batch", "--robots-dir", folder_.path()}; }
  TemporaryFolder folder_;
};

TEST_F(BatchStream, OrderIsKeptOver100000LinesWithBadOnesAmongThem) {
  constexpr int count = 100'000;
  int made = 0;
  const auto more = [&] {
    std::string piece;
    for (int i = 0; i < 1000 && made < count; ++i, ++made) {
      if (made % 997 == 5) {
        piece += "bad\n";
        continue;
      }
      const std::string host = std::to_string(made % 50);
      const std::string path = std::to_string(made % 3 == 0 ? made % 50 : 99);
      piece += "{\"id\":" + std::to_string(made) + ",\"url\":\"https://h" + host + ".example/" + path + "/" +
               std::string(static_cast<std::size_t>(made % 7) * 40, 'x') + "\"}\n";
    }
    return piece;
  };
  std::string out;
  const Ran ran = run_stream(words(), more, [&](std::string_view text) { out += text; });
  EXPECT_EQ(ran.status, 2);
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const Json answer = Json::parse(lines[static_cast<std::size_t>(i)]);
    if (i % 997 == 5) {
      ASSERT_EQ(answer["input_line"], i + 1);
    } else {
      ASSERT_EQ(answer["id"], i);
      ASSERT_EQ(answer["access"], i % 3 == 0 ? "disallowed" : "allowed") << lines[static_cast<std::size_t>(i)];
    }
  }
}

TEST_F(BatchStream, MemoryDoesNotGrowWithTheStreamThoughTheReaderIsSlow) {
  if (test::sanitized) GTEST_SKIP() << "a sanitizer's own memory would be measured";
  const auto peak = [&](int count) {
    int made = 0;
    std::size_t answers = 0;
    const auto more = [&] {
      std::string piece;
      for (int i = 0; i < 500 && made < count; ++i, ++made) {
        piece += "{\"url\":\"https://h" + std::to_string(made % 50) + ".example/" + std::to_string(made) +
                 "\",\"carried\":\"" + std::string(400, 'c') + "\"}\n";
      }
      return piece;
    };
    const Ran ran = run_stream(
        words(), more,
        [&](std::string_view text) { answers += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); },
        true);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(answers, static_cast<std::size_t>(count));
    return ran.max_rss_kib;
  };
  const long small = peak(20'000);   // about 9 MB of questions
  const long large = peak(200'000);  // about 90 MB
  EXPECT_LT(large, small + 24 * 1024) << "KiB for 200,000 lines, after " << small << " for 20,000";
  EXPECT_LT(large, 128 * 1024);
}

TEST_F(BatchStream, EachAnswerComesBeforeTheNextQuestion) {
  Running process(words());
  for (int i = 0; i < 20; ++i) {
    const std::string question =
        "{\"id\":" + std::to_string(i) + ",\"url\":\"https://h" + std::to_string(i) + ".example/\"}\n";
    ASSERT_EQ(::write(process.in(), question.data(), question.size()), static_cast<ssize_t>(question.size()));
    std::string answer;
    char c;
    while (answer.find('\n') == std::string::npos && ::read(process.out(), &c, 1) == 1) answer += c;
    EXPECT_EQ(Json::parse(answer)["id"], i);
  }
  process.close_in();
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 0);
}

TEST_F(BatchStream, ALineThatComesInPartsIsOneLine) {
  Running process(words());
  for (const std::string_view part : {"{\"url\":\"https://h", "7.example/", "7/\"}", "\n{\"url\":\"/x\""}) {
    ASSERT_EQ(::write(process.in(), part.data(), part.size()), static_cast<ssize_t>(part.size()));
  }
  std::string answer;
  char c;
  while (answer.find('\n') == std::string::npos && ::read(process.out(), &c, 1) == 1) answer += c;
  EXPECT_EQ(Json::parse(answer)["access"], "disallowed");
  ASSERT_EQ(::write(process.in(), ",\"host\":\"h1.example\"}", 21), 21);
  process.close_in();  // the last line has no end
  answer.clear();
  while (::read(process.out(), &c, 1) == 1) answer += c;
  EXPECT_EQ(Json::parse(answer)["access"], "allowed");
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 0);
}

TEST_F(BatchStream, AReaderThatGoesAwayEndsItQuietlyAsSigpipeWould) {
  Running process(words());
  process.close_out();
  const std::string question = "{\"url\":\"https://h1.example/\"}\n";
  std::string many;
  for (int i = 0; i < 1000; ++i) many += question;
  for (int i = 0; i < 10'000; ++i) {
    if (::write(process.in(), many.data(), many.size()) < 0) break;  // it has ended: SIGPIPE is ignored here
  }
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 141);
  std::string said;
  char c;
  while (::read(process.err(), &c, 1) == 1) said += c;
  EXPECT_EQ(said, "");
}

TEST_F(BatchStream, ALineThatIsTooLongIsOneErrorAndTheNextIsAnswered) {
  const std::size_t limit = std::size_t{16} << 20;
  std::string input = "{\"url\":\"https://h1.example/1/\"}\n";
  input += "{\"url\":\"https://h1.example/\",\"carried\":\"" + std::string(limit + 700'000, 'c') + "\"}\n";
  input += "{\"url\":\"https://h2.example/2/\"}\n{\"url\":\"https://h2.example/3/\"}";
  const Ran ran = run(words(), input);
  EXPECT_EQ(ran.status, 2);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(Json::parse(lines[0])["access"], "disallowed");
  const Json error = Json::parse(lines[1]);
  EXPECT_EQ(error["input_line"], 2);
  EXPECT_NE(error["error"].get<std::string>().find("longer than 16 MiB"), std::string::npos);
  EXPECT_EQ(Json::parse(lines[2])["access"], "disallowed");
  EXPECT_EQ(Json::parse(lines[3])["access"], "allowed");
}

TEST_F(BatchStream, ALongLineWithinTheLimitIsAnswered) {
  const std::string carried(std::size_t{9} << 20, 'c');
  const Ran ran = run(words(), "{\"url\":\"https://h1.example/1/\",\"carried\":\"" + carried +
                                   "\"}\n{\"url\":\"https://h2.example/\"}\n");
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(Json::parse(lines[0])["carried"], carried);
  EXPECT_EQ(Json::parse(lines[0])["access"], "disallowed");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
