// SIGUSR1 and SIGUSR2 while robotrules get works: the log is opened again, the state is told, and neither ends the run.
#include <csignal>
#include <cstdint>
#include <filesystem>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/eventually.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

class GetSignals : public GetRig {
 protected:
  GetSignals() {
    page("/1", reply("one"));
    page("/slow", Script().wait(gate_).send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow").keep());
  }
  Words words(const Words& more = {}) const {
    Words all = line({url("/1"), url("/slow"), "--output", in_folder("a.warc"), "--log", log_, "--stop-within", "0.1"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Returns a set of signals of the process.
  static std::uint64_t signals(const Running& process, const std::string& name) {
    for (const std::string& one : lines_of(contents("/proc/" + std::to_string(process.id()) + "/status"))) {
      if (one.starts_with(name)) return std::stoull(one.substr(name.size()), nullptr, 16);
    }
    return 0;
  }

  const Gate gate_;
  const std::string log_ = in_folder("log");
};

TEST_F(GetSignals, Usr1OpensTheLogAgain) {
  Running process(words());
  ASSERT_TRUE(gate_.wait_reached(1));
  fs::rename(log_, log_ + ".1");
  process.signal(SIGUSR1);
  process.read_err_until("the log " + log_ + " was opened again");
  gate_.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_FALSE(line_of(log_, url("/slow")).empty());
}

TEST_F(GetSignals, Usr2TellsTheStateInOneParagraphAlsoWithQuiet) {
  for (const Words& quiet : {Words{}, Words{"--quiet"}}) {
    Running process(words(quiet));
    ASSERT_TRUE(gate_.wait_reached(quiet.empty() ? 1 : 2));
    const std::size_t lines = quiet.empty() ? 1 : 2;
    ASSERT_TRUE(eventually([&] { return fs::exists(log_) && lines_of(contents(log_)).size() == lines; }));
    process.signal(SIGUSR2);
    const std::string told = process.read_err_until("\n");
    EXPECT_EQ(lines_of(told).size(), 1U) << told;
    EXPECT_TRUE(told.starts_with("robotrules get: after 0:0")) << told;
    for (const std::string part :
         {"1 done, 0 denied, 0 failed, 0 left out, 1 to go; 1 on the wire", "1 site", "3 B in all"}) {
      EXPECT_NE(told.find(part), std::string::npos) << told;
    }
    process.signal(SIGUSR2);
    process.read_err_until(" on average, ");
    process.signal(SIGTERM);
    EXPECT_EQ(process.finish().status, 128 + SIGTERM);
  }
  gate_.open();
}

TEST_F(GetSignals, TheyAreBlockedBeforeAnythingIsFetched) {
  gate_.open();
  Running process(words({"--input", "-"}));  // it reads until its input ends
  ASSERT_TRUE(gate_.wait_reached(1));
  const std::uint64_t blocked = signals(process, "SigBlk:");
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2}) EXPECT_NE(blocked & bit_of(signal), 0U) << signal;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process.id()) + "/task")) {
    for (const std::string& one : lines_of(contents(thread.path().string() + "/status"))) {
      if (!one.starts_with("SigBlk:")) continue;
      const std::uint64_t of_thread = std::stoull(one.substr(7), nullptr, 16);
      EXPECT_NE(of_thread & bit_of(SIGUSR2), 0U) << thread.path();
    }
  }
  process.close_in();
  EXPECT_EQ(process.finish().status, 0);
}

TEST_F(GetSignals, ThoseThatAreIgnoredAtTheStartStayIgnored) {
  for (const int signal : {SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  Running process(words());
  for (const int signal : {SIGUSR1, SIGUSR2}) std::signal(signal, SIG_DFL);
  ASSERT_TRUE(gate_.wait_reached(1));
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    EXPECT_NE(signals(process, "SigIgn:") & bit_of(signal), 0U);
    EXPECT_EQ(signals(process, "SigBlk:") & bit_of(signal), 0U);
    process.signal(signal);
  }
  gate_.open();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err.find("opened again"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
