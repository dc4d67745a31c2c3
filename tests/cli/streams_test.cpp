// Standard output and standard error that are closed, full or without a reader, for every command.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// A pipe without a reader, or a device that is full.
class Sink {
 public:
  static Sink pipe_without_reader() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    ::close(ends[0]);
    return Sink(ends[1]);
  }
  static Sink full() { return Sink(::open("/dev/full", O_WRONLY | O_CLOEXEC)); }
  ~Sink() { ::close(number_); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  int number() const { return number_; }

 private:
  explicit Sink(int number) : number_(number) {}
  int number_;
};

struct Line {
  std::vector<std::string> words;
  std::string input{};
  int status = 0;       // where nothing is wrong with the streams
  bool repeats = true;  // two runs print the same
};

class Streaming : public GetRig {
 protected:
  Streaming() {
    page("/page", test::reply("a page"));
    const std::string robots = folder.file("robots.txt", "User-agent: *\nDisallow: /x\n");
    const std::string faulty = folder.file("faulty.txt", "Disallow: /x\nUser-agent: *\nDisallow: x\n");
    const std::string rules = in_folder("rules.db");
    const std::string sites = in_folder("sites");
    std::filesystem::create_directory(sites);
    std::ofstream(sites + "/a.example") << "User-agent: *\nDisallow: /x\n";
    run({"db", rules, "import", sites});
    lines = {
        {{"--help"}},
        {{"--version"}},
        {{"get", "--help"}},
        {{"check", "--robots", robots, "/y"}},
        {{"check", "--robots", robots, "/x"}, {}, 1},
        {{"check", "--robots", robots, "--dialect", "all", "--explain", "/x"}, {}, 1},
        {{"check", "--allow-address", "127.0.0.0/8", url("/page")}},
        {{"check", "--db", rules, "--offline", "https://a.example/x"}, {}, 1},
        {{"batch"}, "{\"url\":\"https://a.example/x\",\"robots\":\"\"}\n"},
        {{"show", robots}},
        {{"show", "--json", robots}},
        {{"show", "--dialects", robots}},
        {{"diff", robots, faulty}, {}, 1},
        {{"diff", "--json", robots, faulty}, {}, 1},
        {{"agents", robots}},
        {{"agents", "--json", robots}},
        {{"lint", faulty}, {}, 1},
        {{"lint", "--json", faulty}, {}, 1},
        {{"db", rules, "ls"}},
        {{"db", rules, "export"}},
        {{"db", rules, "show", "https://a.example"}},
        {{"db", rules, "why", "https://a.example/y"}, {}, 0, false},
        {line({url("/page")})},
        {line({url("/page"), "--dry-run"}), {}, 0, false},
        {{"generate", "man"}},
    };
  }

  static std::string name_of(const Line& line) {
    std::string name;
    for (const std::string& word : line.words) name += word + ' ';
    return name;
  }

  std::vector<Line> lines;
};

TEST_F(Streaming, EveryCommandPrintsItsResultsAndEndsWithItsStatus) {
  for (const Line& line : lines) {
    const Ran ran = run(line.words, line.input);
    EXPECT_EQ(ran.status, line.status) << name_of(line) << ran.err;
    EXPECT_NE(ran.out, "") << name_of(line);
  }
}

TEST_F(Streaming, AStandardOutputWithoutAReaderEndsEveryCommandAsSigpipeWould) {
  for (const Line& line : lines) {
    const Sink sink = Sink::pipe_without_reader();
    const Ran ran = run_with({.out = sink.number()}, line.words, line.input);
    EXPECT_EQ(ran.status, 141) << name_of(line) << ran.err;
    EXPECT_EQ(ran.err.find("write"), std::string::npos) << ran.err;
  }
}

TEST_F(Streaming, AStandardOutputThatIsFullIsAnErrorOfEveryCommand) {
  for (const Line& line : lines) {
    const Sink sink = Sink::full();
    const Ran ran = run_with({.out = sink.number()}, line.words, line.input);
    EXPECT_EQ(ran.status, 2) << name_of(line);
    EXPECT_NE(ran.err.find("No space left on device"), std::string::npos) << name_of(line) << ran.err;
  }
}

TEST_F(Streaming, AStandardOutputThatIsClosedIsAnErrorOfEveryCommand) {
  for (const Line& line : lines) {
    const Ran ran = run_with({.out = Streams::closed}, line.words, line.input);
    EXPECT_EQ(ran.status, 2) << name_of(line);
    EXPECT_NE(ran.err.find("Bad file descriptor"), std::string::npos) << name_of(line) << ran.err;
  }
}

TEST_F(Streaming, AStandardErrorThatIsLostChangesNeitherResultsNorStatus) {
  for (const Line& line : lines) {
    const std::string wanted = line.repeats ? run(line.words, line.input).out : std::string();
    const Sink no_reader = Sink::pipe_without_reader();
    const Sink full = Sink::full();
    for (const int err : {no_reader.number(), full.number(), Streams::closed}) {
      const Ran ran = run_with({.err = err}, line.words, line.input);
      EXPECT_EQ(ran.status, line.status) << name_of(line);
      if (line.repeats) {
        EXPECT_EQ(ran.out, wanted) << name_of(line);
      }
    }
  }
}

TEST_F(Streaming, ALostStandardErrorLosesNoErrorsStatus) {
  const Sink no_reader = Sink::pipe_without_reader();
  const Sink full = Sink::full();
  for (const Line& line : std::vector<Line>{{{}, {}, 2},
                                            {{"chekc"}, {}, 2},
                                            {{"check", "--robots", "/nowhere/robots.txt", "/"}, {}, 2},
                                            {{"get"}, {}, 2}}) {
    for (const int err : {no_reader.number(), full.number(), Streams::closed}) {
      EXPECT_EQ(run_with({.err = err}, line.words).status, line.status) << name_of(line);
      EXPECT_EQ(run_with({.out = full.number(), .err = err}, line.words).status, line.status) << name_of(line);
    }
  }
}

TEST_F(Streaming, ACrawlWithoutStandardErrorIsFinishedAndItsStatusIsTrue) {
  page("/gone", test::status(404));
  std::vector<std::string> urls;
  for (int i = 0; i < 12; ++i) urls.push_back(url(i % 2 == 0 ? "/page?" + std::to_string(i) : "/gone"));
  const std::string input = list(urls);
  const Sink no_reader = Sink::pipe_without_reader();
  const Sink full = Sink::full();
  int round = 0;
  for (const int err : {no_reader.number(), full.number(), Streams::closed}) {
    const std::string log = in_folder("log" + std::to_string(++round));
    const std::string out = in_folder("out" + std::to_string(round) + ".warc");
    const Ran ran = run_with({.err = err}, line({"-i", input, "-o", out, "--log", log}));
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(json_lines(log).size(), 7U);
    EXPECT_EQ(pages_in(out, Packing::none).pages.size(), 7U);
  }
}

// A file that is opened first must not get the number of standard error.
TEST_F(Streaming, NoMessageIsWrittenIntoADatabase) {
  const std::string rules = in_folder("kept.db");
  EXPECT_EQ(run_with({.err = Streams::closed}, line({url("/page"), url("/page"), "--db", rules})).status, 0);
  EXPECT_EQ(run({"db", rules, "check"}).status, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
