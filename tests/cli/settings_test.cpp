// Options from the command line, from ROBOTRULES_* variables and from a TOML file.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/flags/parse.hpp"
#include "cli/flags/settings.hpp"
#include "support/folder.hpp"

namespace robotrules::cli {
namespace {

class Settings : public ::testing::Test {
 protected:
  ~Settings() override {
    for (const char* name : {"ROBOTRULES_DELAY", "ROBOTRULES_QUIET", "ROBOTRULES_INPUT", "ROBOTRULES_CONFIG"}) {
      ::unsetenv(name);
    }
  }
  static Parsed parsed(const std::vector<std::string>& words) { return parse(*find_command("get"), words); }
  std::string file(const std::string& text) {
    const std::string path = test::new_folder() + "/get.toml";
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(Settings, AFileSaysWhatTheCommandLineLeavesOut) {
  const Parsed read = parsed({"--config",
                              file("delay = \"2.5\"\nconcurrency = 10\nquiet = true\n"
                                   "allow-address = [\"127.0.0.0/8\", \"10.0.0.0/8\"]\nmax-size = \"1M\"\n"),
                              "--concurrency", "20", "http://a.test/"});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.options.delay, "2.5");
  EXPECT_EQ(read.options.concurrency, "20");
  EXPECT_TRUE(read.options.quiet);
  EXPECT_EQ(read.options.allow_address, (std::vector<std::string>{"127.0.0.0/8", "10.0.0.0/8"}));
  EXPECT_EQ(read.options.max_size, "1M");
  EXPECT_EQ(read.options.operands, std::vector<std::string>{"http://a.test/"});
}

TEST_F(Settings, VariablesGoBeforeTheFileAndFlagsBeforeBoth) {
  ::setenv("ROBOTRULES_DELAY", "7", 1);
  ::setenv("ROBOTRULES_QUIET", "false", 1);
  ::setenv("ROBOTRULES_INPUT", "a,b", 1);
  ::setenv("ROBOTRULES_CONFIG", file("delay = 8\ninput = [\"c\"]\nrate = 3\n").c_str(), 1);
  const Parsed read = parsed({});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.options.delay, "7");
  EXPECT_FALSE(read.options.quiet);
  EXPECT_EQ(read.options.inputs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.options.rate, "3");
  EXPECT_EQ(parsed({"--delay", "9"}).options.delay, "9");
}

TEST_F(Settings, WhatIsNoOptionOrDoesNotFitIsASentence) {
  const auto error = [&](const std::string& text) { return parsed({"--config", file(text)}).error; };
  EXPECT_NE(error("dealy = 1\n").find("dealy is not an option; did you mean delay?"), std::string::npos);
  EXPECT_NE(error("delay = [1, 2]\n").find("delay: takes one value"), std::string::npos);
  EXPECT_NE(error("quiet = \"perhaps\"\n").find("takes true or false"), std::string::npos);
  EXPECT_NE(error("help = true\n").find("help is not an option"), std::string::npos);
  EXPECT_NE(error("config = \"other.toml\"\n").find("config is not an option"), std::string::npos);
  EXPECT_NE(error("delay = 1\ndelay = 2\n").find("delay: takes one value"), std::string::npos);
  EXPECT_NE(parsed({"--config", "/there/is/none.toml"}).error, "");
  ::setenv("ROBOTRULES_QUIET", "loud", 1);
  EXPECT_NE(parsed({}).error.find("ROBOTRULES_QUIET: takes true or false"), std::string::npos);
}

TEST_F(Settings, OtherCommandsLookAtNoVariable) {
  ::setenv("ROBOTRULES_CONFIG", "/there/is/none.toml", 1);
  const std::vector<std::string> words{"http://a.test/"};
  EXPECT_EQ(parse(*find_command("check"), words).error, "");
}

}  // namespace
}  // namespace robotrules::cli
