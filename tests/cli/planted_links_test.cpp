// Files that are replaced through another name, where another user has put a link at that name.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "archive/append_file.hpp"
#include "archive/sort_lines.hpp"
#include "cli/get_site.hpp"
#include "cli/io/input.hpp"
#include "cli/shell.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view faulty = "User-agent: *\nDisallow: private/\nDisalow: /c\n";

class LintWrite : public ::testing::Test {
 protected:
  static unsigned mode_of(const std::string& path) {
    struct stat about{};
    EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
    return about.st_mode & 07777U;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  static Ran fix(const std::string& path) { return run({"lint", "--fix", "--write", path}); }
  const TemporaryFolder folder_;
};

TEST_F(LintWrite, NeverWritesThroughAPlantedLink) {
  const std::string file = folder_.file("robots.txt", faulty);
  const TemporaryFolder elsewhere;
  const std::string victim = elsewhere.file("victim", "precious");
  ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
  ASSERT_EQ(::chmod(victim.c_str(), 0600), 0);
  // The number of the shell becomes that of the command.
  const Ran ran =
      shell("for name in robotrules- new tmp; do ln -s " + victim + " " + file + ".${name}; ln -s " + victim + " " +
            file + ".${name}$$; done; exec " + command_path() + " lint --fix --write " + file);
  EXPECT_EQ(bytes_of(victim), "precious") << ran.out;
  EXPECT_EQ(mode_of(victim), 0600U);
  EXPECT_NE(bytes_of(file).find("Disallow: /c"), std::string::npos) << bytes_of(file);
  EXPECT_FALSE(fs::is_symlink(file));
  EXPECT_EQ(mode_of(file), 0666U);
}

TEST_F(LintWrite, KeepsModeAndLinkOfTheFile) {
  const std::string file = folder_.file("real.txt", faulty);
  const std::string link = folder_.path() + "/robots.txt";
  fs::create_symlink("real.txt", link);
  for (const unsigned mode : {0600U, 0640U, 0444U, 02755U}) {
    folder_.file("real.txt", faulty);
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    const Ran ran = fix(link);
    EXPECT_NE(bytes_of(file).find("Disallow: /c"), std::string::npos) << ran.err;
    EXPECT_EQ(mode_of(file), mode);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(names(), (std::vector<std::string>{"real.txt", "robots.txt"}));
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  }
}

TEST_F(LintWrite, ReplacesOnlyARegularFile) {
  const std::string pipe = folder_.path() + "/robots.txt";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Ran ran = shell("printf '" + std::string("User-agent: *\\nDisalow: /c\\n") + "' > " + pipe + " & " +
                        command_path() + " lint --fix --write " + pipe);
  EXPECT_EQ(ran.status, 2) << ran.out;
  EXPECT_NE(ran.out.find(pipe + " cannot be written: it is not a regular file"), std::string::npos) << ran.out;
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(names(), std::vector<std::string>{"robots.txt"});
}

TEST_F(LintWrite, LeavesNothingBehindAfterAFailure) {
  fs::create_directory(folder_.path() + "/robots.txt");
  EXPECT_NE(cli::replace_file(folder_.path() + "/robots.txt", "x"), "");
  EXPECT_EQ(cli::replace_file(folder_.path() + "/missing", "x"), "No such file or directory");
  EXPECT_EQ(names(), std::vector<std::string>{"robots.txt"});
}

TEST(ArchiveFiles, AtPredictableNamesAreNew) {
  const TemporaryFolder folder;
  const std::string victim = folder.file("victim", "precious");
  const std::string link = folder.path() + "/link";
  fs::create_symlink(victim, link);
  for (const std::string& path : {link, victim}) {
    const auto made = archive::AppendFile::create(path);
    ASSERT_FALSE(made.ok()) << path;
    EXPECT_EQ(made.error().message, path + " cannot be created: File exists");
  }
  EXPECT_EQ(bytes_of(victim), "precious");
  // Links at the names that sorting uses are removed, not followed.
  const std::string index = folder.file("a.cdxj", "b\na\n");
  for (const char* name : {".new", ".sort0", ".sort1", ".sort2"}) fs::create_symlink(victim, index + name);
  ASSERT_TRUE(archive::sort_lines(index, 1).ok());
  EXPECT_EQ(bytes_of(index), "a\nb\n");
  EXPECT_EQ(bytes_of(victim), "precious");
}

class PlantedMetrics : public GetSite {};

TEST_F(PlantedMetrics, AreNotWrittenIntoAnotherFile) {
  server_.on("", "/page", test::reply("page"));
  const std::string file = in_folder("news.prom");
  const std::string victim = in_folder("victim");
  std::ofstream(victim) << "precious";
  for (const bool hard : {false, true}) {
    hard ? fs::create_hard_link(victim, file + ".tmp") : fs::create_symlink(victim, file + ".tmp");
    const Ran ran = run(get({"-w", "0", "-q", "-o", in_folder("o.ndjson"), "--metrics-file", file, url("a", "/page")}));
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(bytes_of(victim), "precious") << hard;
    EXPECT_EQ(ran.err.find("news.prom.tmp is in the way; delete it") != std::string::npos, hard) << ran.err;
    fs::remove(file + ".tmp");
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
