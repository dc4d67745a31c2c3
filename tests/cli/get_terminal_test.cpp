// What robotrules get shows while it works, on a terminal and without one.
#include <csignal>

#include "cli/get_site.hpp"
#include "cli/terminal.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::Gate;
using test::Script;

class GetTerminal : public GetSite {
 protected:
  static Script page_behind(const Gate& gate) {
    return Script().wait(gate).send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage").keep();
  }
  static bool has(const Screen& screen, std::string_view text) { return screen.text().find(text) != std::string::npos; }
};

TEST_F(GetTerminal, TheDisplayFitsAndLeavesNothingBehind) {
  for (const std::size_t columns : {40U, 80U, 200U}) {
    const Gate gate;
    server_.on("", "/slow", page_behind(gate));
    Words words = get({"-w", "0", "-o", in_folder("o" + std::to_string(columns) + ".ndjson")});
    for (const std::string host : {"a", "b", "a-host-with-a-long-name-of-which-not-all-fits-in-here"}) {
      words.push_back(url(host, "/slow"));
    }
    bool seen = false;
    const OnTerminal ran = run_on_terminal(words, columns, 24, [&](const Screen& screen) {
      if (!has(screen, "3 on the wire") || !has(screen, "busiest sites")) return "";
      EXPECT_TRUE(has(screen, "0 of 3")) << screen.text();
      EXPECT_TRUE(columns > 80 || has(screen, "...")) << screen.text();
      seen = true;
      gate.open();
      return "";
    });
    EXPECT_EQ(ran.status, 0) << ran.written;
    EXPECT_TRUE(seen);
    EXPECT_FALSE(ran.screen.confused()) << ran.written;
    const std::string left = ran.screen.text();
    EXPECT_TRUE(left.starts_with("fetched               3   3 with 2xx\n")) << left;
    EXPECT_EQ(left.find("on the wire"), std::string::npos) << left;
    EXPECT_EQ(left.find("busiest"), std::string::npos) << left;
    if (columns == 40) continue;  // the output's name is longer
    EXPECT_FALSE(ran.screen.overran()) << ran.written;
  }
}

TEST_F(GetTerminal, WhatIsSaidMeanwhileStandsAboveTheDisplay) {
  const Gate gate;
  const Gate robots;
  server_.on("a.localhost", "/slow", page_behind(gate));
  server_.on("b.localhost", "/robots.txt",
             Script().wait(robots).send(test::reply("User-agent: *\nDisallow: /no\n")).keep());
  const std::string denied = "robotrules get: " + url("b", "/no") +
                             ": disallowed by \"Disallow: /no\" in line 2, of the group for every robot (*), line 1 [" +
                             url("b", "/robots.txt") + "]\n";
  const OnTerminal ran =
      run_on_terminal(get({"-w", "0", "--explain", "-o", in_folder("o.ndjson"), url("a", "/slow"), url("b", "/no")}),
                      200, 24, [&](const Screen& screen) {
                        if (has(screen, "on the wire")) robots.open();
                        if (has(screen, denied) && has(screen, "1 denied")) {
                          EXPECT_TRUE(screen.text().starts_with(denied)) << screen.text();
                          gate.open();
                        }
                        return "";
                      });
  EXPECT_EQ(ran.status, 0);
  EXPECT_FALSE(ran.screen.confused());
  EXPECT_FALSE(ran.screen.overran());
  EXPECT_TRUE(ran.screen.text().starts_with(denied + "fetched ")) << ran.screen.text();
}

TEST_F(GetTerminal, CtrlCFinishesWhatIsOnTheWireAndLeavesACleanTerminal) {
  const Gate gate;
  server_.on("", "/slow", page_behind(gate));
  bool typed = false;
  const Words words = get({"-w", "0", "--db", in_folder("c.db"), "-o", in_folder("o.ndjson"), url("a", "/slow"),
                           url("a", "/later"), url("a", "/last")});
  const OnTerminal ran = run_on_terminal(words, 80, 24, [&](const Screen& screen) {
    if (has(screen, "finishing running requests")) gate.open();
    if (typed || !has(screen, "1 on the wire") || pages_asked() == 0) return "";
    typed = true;
    return "\x03";
  });
  EXPECT_EQ(ran.status, 130) << ran.written;
  EXPECT_FALSE(ran.screen.confused());
  const std::string left = ran.screen.text();
  EXPECT_NE(left.find("fetched               1   1 with 2xx\nto go                 2\n"), std::string::npos) << left;
  EXPECT_NE(left.find("To fetch the remaining URLs: robotrules get --db "), std::string::npos) << left;
  EXPECT_EQ(left.find("on the wire"), std::string::npos) << left;
  EXPECT_EQ(pages_asked(), 1U);
}

// After Ctrl-Z and fg, what the shell has written stays.
TEST_F(GetTerminal, AfterAStopTheDisplayIsDrawnBelow) {
  const Gate gate;
  server_.on("a.localhost", "/slow", page_behind(gate));
  pid_t process = 0;
  int redrawn = 0;
  bool drawn_below = false;
  const OnTerminal ran = run_on_terminal(
      get({"-w", "0", "-o", in_folder("o.ndjson"), url("a", "/slow")}), 80, 24,
      [&](const Screen& screen) {
        const std::string text = screen.text();
        if (text.find("1 on the wire") == std::string::npos) return "";
        if (redrawn == 0) ::kill(process, SIGCONT);
        drawn_below = drawn_below || text.find("on the wire") != text.rfind("on the wire");
        if (++redrawn == 5) gate.open();
        return "";
      },
      false, &process);
  EXPECT_EQ(ran.status, 0) << ran.written;
  EXPECT_TRUE(drawn_below) << ran.written;
  EXPECT_FALSE(ran.screen.confused());
}

TEST_F(GetTerminal, PagesAndADisplayDoNotShareATerminal) {
  server_.on("a.localhost", "/page", test::reply("the page\n"));
  const OnTerminal ran =
      run_on_terminal(get({"-w", "0", url("a", "/page")}), 80, 24, [](const Screen&) { return ""; }, true);
  EXPECT_EQ(ran.status, 0);
  for (const char* moved : {"\x1b[K", "\x1b[J", "A\r"})
    EXPECT_EQ(ran.written.find(moved), std::string::npos) << ran.written;
  EXPECT_TRUE(ran.screen.text().starts_with("the page\nfetched ")) << ran.written;
}

TEST_F(GetTerminal, AMessageAfterAPageBeginsALine) {
  server_.on("a.localhost", "/page", test::reply("without a line end"));
  const OnTerminal ran =
      run_on_terminal(get({"-w", "0", url("a", "/page")}), 80, 24, [](const Screen&) { return ""; }, true);
  EXPECT_TRUE(ran.screen.text().starts_with("without a line end\nfetched ")) << ran.written;
  const Ran apart = run(get({"-w", "0", url("a", "/page")}));
  EXPECT_EQ(apart.out, "without a line end");
  EXPECT_TRUE(apart.err.starts_with("fetched ")) << apart.err;
}

TEST_F(GetTerminal, QuietSaysNothing) {
  server_.on("a.localhost", "/page", test::reply("the page\n"));
  const OnTerminal ran = run_on_terminal(get({"-q", "-w", "0", url("a", "/page"), url("b", "/no")}), 80, 24,
                                         [](const Screen&) { return ""; });
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.written, "");
}

TEST_F(GetTerminal, WithoutATerminalThereAreNoEscapes) {
  server_.on("a.localhost", "/page", test::reply("the page\n"));
  const Ran ran = run(get({"-w", "0", url("a", "/page"), url("b", "/no"), url("c", "/missing")}));
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "the page\n");
  EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
  const auto lines = lines_of(ran.err);
  ASSERT_EQ(lines.size(), 5U) << ran.err;
  EXPECT_EQ(lines[0], "fetched               1   1 with 2xx");
  EXPECT_EQ(lines[1], "denied                1   by robots.txt");
  EXPECT_EQ(lines[2], "failed                1   1 404");
  EXPECT_TRUE(lines[3].starts_with("received "));
  EXPECT_TRUE(lines[4].starts_with("time ") && lines[4].ends_with("   3 sites")) << lines[4];
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
