// SIGHUP while robotrules get works: after a log rotation the log goes on in a new file, and no line is lost or written
// twice. If the terminal has gone, the run ends.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <thread>

#include "cli/get_rig.hpp"
#include "cli/terminal.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using test::Gate;
using test::reply;
using test::Script;

// Waits until a condition is true; false: it was not within the time.
bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + test::patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Returns a set of signals of the process: SIGHUP is its first bit.
std::uint64_t signals(const Running& process, const std::string& name) {
  for (const std::string& line : lines_of(contents("/proc/" + std::to_string(process.id()) + "/status"))) {
    if (line.starts_with(name)) return std::stoull(line.substr(name.size()), nullptr, 16);
  }
  return 0;
}

class Rotated : public GetRig, public ::testing::WithParamInterface<std::string> {
 protected:
  Rotated() {
    page("/1", reply("one"));
    page("/2", held(gate_));
    page("/3", held(next_gate_));
  }
  static Script held(const Gate& gate) { return Script().wait(gate).send(reply("held")).keep(); }

  Words words(Words urls) const {
    urls.insert(urls.end(), {"--output", in_folder(GetParam()), "--log", log_, "--db", in_folder("c.db")});
    return line(urls);
  }
  // Returns when the file has the line of the URL.
  static bool has_line(const std::string& file, const std::string& url) {
    return comes_true(
        [&] { return fs::exists(file) && contents(file).find("\"url\":\"" + url + "\"") != std::string::npos; });
  }
  static std::vector<std::string> logged(const std::string& file) {
    std::vector<std::string> urls;
    if (!fs::exists(file)) return urls;
    for (const Json& line : json_lines(file)) urls.push_back(line.at("url"));
    return urls;
  }
  std::vector<std::string> logged_in_both() const {
    std::vector<std::string> urls = logged(old_log_);
    std::ranges::copy(logged(log_), std::back_inserter(urls));
    std::ranges::sort(urls);
    return urls;
  }
  // Rotates the log while /2 is on the wire and the line of /1 is written.
  void rotate(const Running& process) const {
    ASSERT_TRUE(gate_.wait_reached(1));
    ASSERT_TRUE(has_line(log_, url("/1")));
    fs::rename(log_, old_log_);
    process.signal(SIGHUP);
    process.read_err_until("the log " + log_ + " was opened again");
  }

  const Gate gate_;
  const Gate next_gate_;
  const std::string log_ = in_folder("log.ndjson");
  const std::string old_log_ = in_folder("log.ndjson.1");
};

TEST_P(Rotated, LinesGoToTheOldFileBeforeAndToTheNewOneAfter) {
  const Words urls = {url("/1"), url("/2")};
  Running process(words(urls));
  rotate(process);
  gate_.open();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(logged(old_log_), Words{url("/1")});
  EXPECT_EQ(logged(log_), Words{url("/2")});

  next_gate_.open();
  const Ran next = run(words({url("/1"), url("/2"), url("/3")}));
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_EQ(logged(log_), (Words{url("/2"), url("/3")}));
  EXPECT_EQ(asked(), (Words{"/1", "/2", "/3"}));
}

TEST_P(Rotated, AKillAfterwardsLosesNoLineAndDoublesNone) {
  const Words urls = {url("/1"), url("/2"), url("/3")};
  Running process(words(urls));
  rotate(process);
  gate_.open();
  ASSERT_TRUE(has_line(log_, url("/2")));
  process.signal(SIGKILL);
  process.finish();
  next_gate_.open();
  const Ran ran = run(words(urls));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(logged_in_both(), urls);
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_EQ(times("/2"), 1U);
}

TEST_P(Rotated, AKillBeforeTheFirstNewLineLosesNothing) {
  const Words urls = {url("/1"), url("/2")};
  Running process(words(urls));
  rotate(process);
  process.signal(SIGKILL);
  process.finish();
  gate_.open();
  EXPECT_EQ(run(words(urls)).status, 0);
  EXPECT_EQ(logged_in_both(), urls);
  EXPECT_EQ(times("/1"), 1U);
}

TEST_P(Rotated, IfTheNewFileCannotBeOpenedTheOldOneGoesOn) {
  const Words urls = {url("/1"), url("/2")};
  Running process(words(urls));
  ASSERT_TRUE(has_line(log_, url("/1")));
  fs::rename(log_, old_log_);
  fs::create_directory(log_);
  process.signal(SIGHUP);
  process.read_err_until(log_ + " cannot be opened for writing: Is a directory; the log continues in the old file");
  gate_.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(logged(old_log_), urls);
}

TEST_P(Rotated, AFileThatWasNotMovedGoesOn) {
  const Words urls = {url("/1"), url("/2")};
  Running process(words(urls));
  ASSERT_TRUE(has_line(log_, url("/1")));
  process.signal(SIGHUP);
  process.read_err_until("was opened again");
  gate_.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(logged(log_), urls);
}

TEST_P(Rotated, ASignalOfBeforeTheCrawlIsNotLost) {
  gate_.open();
  next_gate_.open();
  Running process(words({"--input", "-"}));  // it reads until its input ends
  ASSERT_TRUE(comes_true([&] { return (signals(process, "SigBlk:") & 1U) != 0; }));
  process.signal(SIGHUP);
  process.read_err_until("was opened again");
  process.close_in();
  EXPECT_EQ(process.finish().status, 0);
}

INSTANTIATE_TEST_SUITE_P(Outputs, Rotated, ::testing::Values("a.warc.gz", "a.ndjson", "tree/"),
                         [](const auto& output) { return std::string(1, output.param[2]); });

class Hangup : public GetRig {
 protected:
  Hangup() {
    page("/slow", Script().wait(gate_).send(reply("slow")).keep());
    std::signal(SIGHUP, SIG_DFL);  // the tests may run under nohup
  }
  Words words() const {
    return line({url("/slow"), "--output", in_folder("a.warc"), "--log", in_folder("log"), "--db", in_folder("c.db"),
                 "--stop-within", "0.1"});
  }
  const Gate gate_;
};

TEST_F(Hangup, OfTheTerminalEndsTheRun) {
  const OnTerminal ran = run_on_terminal(words(), 80, 24, [](const Screen& screen) {
    return std::string(screen.text().find("1 on the wire") == std::string::npos ? "" : hang_up);
  });
  EXPECT_EQ(ran.status, 128 + SIGHUP);
  gate_.open();
  EXPECT_EQ(run(words()).status, 0);
  EXPECT_EQ(times("/slow"), 2U);
}

TEST_F(Hangup, WithTheTerminalStillThereIsALogRotation) {
  pid_t process = 0;
  bool is_sent = false;
  const OnTerminal ran = run_on_terminal(
      words(), 80, 24,
      [&](const Screen& screen) {
        if (screen.text().find("1 on the wire") != std::string::npos && !std::exchange(is_sent, true)) {
          ::kill(process, SIGHUP);
        }
        if (screen.text().find("was opened again") != std::string::npos) gate_.open();
        return "";
      },
      false, &process);
  EXPECT_EQ(ran.status, 0) << ran.written;
  EXPECT_EQ(times("/slow"), 1U);
}

// As nohup starts it.
TEST_F(Hangup, ThatIsIgnoredAtTheStartStaysIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  Running process(words());
  std::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(gate_.wait_reached(1));
  EXPECT_EQ(signals(process, "SigIgn:") & 1U, 1U);
  EXPECT_EQ(signals(process, "SigBlk:") & 1U, 0U);
  process.signal(SIGHUP);
  gate_.open();
  EXPECT_EQ(process.finish().status, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
