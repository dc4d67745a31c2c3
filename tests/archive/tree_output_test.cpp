// Trees of files: where a page lies, that no URL leads out of the tree, and that nothing is overwritten unasked.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <filesystem>
#include <random>
#include <set>

#include "archive/outputs.hpp"
#include "archive/tree_name.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& url) {
  const auto name = archive::tree_name(url);
  if (!name) return "none";
  std::string path;
  for (const std::string& folder : name->folders) path += folder + '/';
  return path + name->file;
}

TEST(TreeName, IsAsWgetHasIt) {
  const std::pair<const char*, const char*> cases[] = {
      {"http://a.test", "a.test/index.html"},
      {"http://A.test/", "a.test/index.html"},
      {"https://a.test/", "a.test/index.html"},
      {"https://a.test:443/x", "a.test/x"},
      {"http://a.test:8080/x", "a.test:8080/x"},
      {"http://[::1]:81/", "[::1]:81/index.html"},
      {"http://a.test/b/c.html", "a.test/b/c.html"},
      {"http://a.test/b/c/", "a.test/b/c/index.html"},
      {"http://a.test/b//c", "a.test/b/c"},
      {"http://a.test/b?q=1&r=/x/../y", "a.test/b?q=1&r=%2Fx%2F..%2Fy"},
      {"http://a.test/b/?q", "a.test/b/index.html?q"},
      {"http://a.test?q", "a.test/index.html?q"},
      {"http://a.test/b#frag", "a.test/b"},
      {"http://a.test/../../etc/passwd", "a.test/%2E%2E/%2E%2E/etc/passwd"},
      {"http://a.test/..", "a.test/%2E%2E"},
      {"http://a.test/./b", "a.test/%2E/b"},
      {"http://a.test/%2e%2e/b", "a.test/%2e%2e/b"},
      {"http://a.test/caf\xc3\xa9", "a.test/caf\xc3\xa9"},
      {"http://a.test/a\x01\x7f", "a.test/a%01%7F"},
      {"ftp://a.test/x", "none"},
      {"/x", "none"},
      {"", "none"},
  };
  for (const auto& [url, name] : cases) EXPECT_EQ(name_of(url), name) << url;
}

TEST(TreeName, HasNoPartThatIsTooLong) {
  const std::string one = name_of("http://a.test/" + std::string(5'000, 'x'));
  const std::string two = name_of("http://a.test/" + std::string(5'001, 'x'));
  EXPECT_EQ(one.size(), std::string("a.test/").size() + archive::max_name_bytes);
  EXPECT_NE(one, two);
  std::string deep = "http://a.test";
  for (int i = 0; i < 4'000; ++i) deep += "/d";
  const auto name = archive::tree_name(deep);
  ASSERT_TRUE(name);
  EXPECT_EQ(name->folders.size(), archive::max_folders);
  EXPECT_NE(name_of(deep), name_of(deep + "/e"));
}

void expect_safe(const std::string& part, const std::string& url) {
  ASSERT_FALSE(part.empty() || part == "." || part == "..") << url;
  ASSERT_LE(part.size(), archive::max_name_bytes + 0U) << url;
  for (const char c : part) ASSERT_TRUE(c != '/' && c != '\0' && static_cast<unsigned char>(c) >= 0x20) << url;
}

std::string hostile_url(std::mt19937& random) {
  static const std::string parts[] = {"/",    "//",   "..",  ".",          "%2e%2e", "%2F",      "\\",   "?",
                                      "#",    "a",    "b",   "~",          "con",    "nul",      "\xff", "\xc3\xa9",
                                      "\x01", ":",    "@",   "index.html", "%00",    "%0a",      "-rf",  " ",
                                      "*",    "$(x)", "../", "/..",        "&",      ".part-1-1"};
  std::string url = random() % 8 == 0 ? "https://" : "http://";
  url += random() % 16 == 0 ? ".." : random() % 16 == 0 ? "-h.test:9" : "a.test";
  url += '/';
  for (auto count = random() % 12; count > 0; --count) url += parts[random() % std::size(parts)];
  if (random() % 16 == 0) url += std::string(random() % 600, 'x');
  if (random() % 64 == 0) url.insert(url.begin() + static_cast<long>(random() % url.size()), '\0');
  return url;
}

TEST(TreeName, IsSafeForWhateverUrl) {
  std::mt19937 random(20'261'121);
  for (int turn = 0; turn < 200'000; ++turn) {
    const std::string url = hostile_url(random);
    const auto name = archive::tree_name(url);
    if (!name) continue;
    ASSERT_LE(name->folders.size(), archive::max_folders);
    for (const std::string& folder : name->folders) expect_safe(folder, url);
    expect_safe(name->file, url);
  }
}

class Tree : public ::testing::Test {
 protected:
  Tree() {
    auto opened = open_output(root + "/", {});
    EXPECT_TRUE(opened.ok());
    output = std::move(opened).value();
  }
  Result<void> write(const std::string& url, std::string body, const std::string& more = {}) const {
    const Response page = answered(url, "HTTP/1.1 200 OK\r\n" + more + "\r\n", std::move(body));
    return output->write({.response = page, .url = url, .method = "GET"});
  }
  std::string read(const std::string& name) const { return contents(root + "/" + name); }
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_directory()) found.push_back(fs::relative(entry.path(), root));
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  bool keeps_attributes() const {
    const std::string path = folder.file("try", "");
    return setxattr(path.c_str(), "user.robotrules.try", "x", 1, 0) == 0;
  }
  TemporaryFolder folder;
  std::string root = folder.path() + "/tree";
  std::unique_ptr<PageOutput> output;
};

TEST_F(Tree, HasPagesWithTheirTimes) {
  ASSERT_TRUE(write("http://a.test/b/", "hello", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n").ok());
  EXPECT_EQ(read("a.test/b/index.html"), "hello");
  struct stat there{};
  ASSERT_EQ(stat((root + "/a.test/b/index.html").c_str(), &there), 0);
  EXPECT_EQ(there.st_mtim.tv_sec, 784'111'777);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_TRUE(output->flush().ok());
  EXPECT_EQ(output->position(), 0U);
}

TEST_F(Tree, HoldsWholeSuccessesAlone) {
  const Response missing = answered("http://a.test/x", "HTTP/1.1 404 Not Found\r\n\r\n", "no");
  Response cut = answered("http://a.test/y", "HTTP/1.1 200 OK\r\n\r\n", "cut");
  cut.truncated = true;
  const Response no = denied("http://a.test/z", "User-agent: *\nDisallow: /\n");
  const Response headless = answered("http://a.test/h", "HTTP/1.1 200 OK\r\n\r\n", "", "HEAD");
  for (const Response* page : {&missing, static_cast<const Response*>(&cut), &no, &headless}) {
    EXPECT_TRUE(output->write({.response = *page, .url = page->url, .method = page->method}).ok());
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(Tree, ReplacesAPageByItselfAndByNoOther) {
  if (!keeps_attributes()) GTEST_SKIP() << "the file system of " << root << " keeps no attributes";
  ASSERT_TRUE(write("http://a.test/x", "first").ok());
  ASSERT_TRUE(write("http://a.test/x", "second").ok());
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(read("a.test/x"), "second");
  ASSERT_TRUE(write("https://a.test/x", "other").ok());
  ASSERT_TRUE(write("https://a.test/x", "other again").ok());
  ASSERT_EQ(files().size(), 2U);
  EXPECT_EQ(read("a.test/x"), "second");
  EXPECT_EQ(read(files()[1]), "other again");
}

TEST_F(Tree, TakesNoFileThatIsSomebodysElse) {
  fs::create_directories(root + "/a.test");
  put_file(root + "/a.test/x", "mine");
  ASSERT_TRUE(write("http://a.test/x", "theirs").ok());
  EXPECT_EQ(read("a.test/x"), "mine");
  EXPECT_EQ(read("a.test/" + archive::with_hash("x", "http://a.test/x")), "theirs");
}

TEST_F(Tree, HasRoomForAPageWhoseNameIsAFolderAndTheOtherWayRound) {
  ASSERT_TRUE(write("http://a.test/b/c", "below").ok());
  ASSERT_TRUE(write("http://a.test/b", "folder").ok());
  ASSERT_TRUE(write("http://a.test/d", "file").ok());
  ASSERT_TRUE(write("http://a.test/d/e", "below the file").ok());
  EXPECT_EQ(files().size(), 4U);
  EXPECT_EQ(read("a.test/b/c"), "below");
  EXPECT_EQ(read("a.test/d"), "file");
  EXPECT_EQ(read("a.test/" + archive::with_hash("b", "http://a.test/b")), "folder");
  EXPECT_EQ(read("a.test/" + archive::with_hash("d", "d") + "/e"), "below the file");
}

TEST_F(Tree, FollowsNoLink) {
  fs::create_directories(folder.path() + "/outside");
  fs::create_directories(root + "/a.test");
  fs::create_symlink(folder.path() + "/outside", root + "/a.test/in");
  fs::create_symlink(folder.path() + "/outside/x", root + "/a.test/file");
  ASSERT_TRUE(write("http://a.test/in/x", "hello").ok());
  ASSERT_TRUE(write("http://a.test/file", "hello").ok());
  EXPECT_TRUE(fs::is_empty(folder.path() + "/outside"));
}

TEST_F(Tree, KeepsHostileNamesInside) {
  std::mt19937 random(7);
  std::size_t written = 0;
  for (int turn = 0; turn < 1'500; ++turn) {
    const auto wrote = write(hostile_url(random), "x");
    ASSERT_TRUE(wrote.ok()) << wrote.error().message;
    ++written;
  }
  EXPECT_GT(files().size(), written / 4);
  std::set<std::string> beside;
  for (const auto& entry : fs::directory_iterator(folder.path())) beside.insert(entry.path().filename());
  EXPECT_EQ(beside, std::set<std::string>{"tree"});
  for (const std::string& file : files()) EXPECT_EQ(contents(root + "/" + file), "x");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
