// UserAgent::mirror: the file is what the server has, or what it was.
#include <sys/stat.h>
#include <sys/xattr.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class Mirror : public LocalAgent {
 protected:
  void SetUp() override {
    server.on("", "/page", [](const SeenRequest& request) {
      if (request.header("If-Modified-Since") == "Sun, 06 Nov 1994 08:49:37 GMT") return status(304);
      Reply made = reply("new");
      made.headers.push_back({"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"});
      made.headers.push_back({"ETag", "\"v1\""});
      return made;
    });
  }
  std::string contents() const {
    const std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  bool has_attributes() const { return getxattr(file.c_str(), "user.robotrules.etag", nullptr, 0) > 0; }
  time_t modified() const {
    struct stat there{};
    EXPECT_EQ(stat(file.c_str(), &there), 0);
    return there.st_mtim.tv_sec;
  }
  const std::string folder = new_folder();
  const std::string file = folder + "/page";
};

TEST_F(Mirror, FetchesWhatIsNotThereAndLeavesWhatIsCurrent) {
  UserAgent ua = agent();
  const Response first = ua.mirror(url("/page"), file);
  EXPECT_EQ(first.code, 200);
  EXPECT_EQ(first.body, "");
  EXPECT_EQ(contents(), "new");
  EXPECT_EQ(modified(), 784'111'777);
  EXPECT_EQ(seen(0).header("If-Modified-Since"), std::nullopt);
  EXPECT_EQ(seen(0).header("If-None-Match"), std::nullopt);
  const Response second = ua.mirror(url("/page"), file);
  EXPECT_EQ(second.code, 304);
  EXPECT_EQ(contents(), "new");
  EXPECT_EQ(seen(1).header("If-Modified-Since"), "Sun, 06 Nov 1994 08:49:37 GMT");
  if (has_attributes()) {
    EXPECT_EQ(seen(1).header("If-None-Match"), "\"v1\"");
  }
}

TEST_F(Mirror, WithoutAFileIsAnInvalidRequest) {
  UserAgent ua = agent();
  const Response response = ua.mirror(url("/page"), "");
  EXPECT_EQ(response.source, ResponseSource::invalid_request);
  EXPECT_NE(response.warning.find("an empty file name"), std::string::npos) << response.warning;
  EXPECT_EQ(count(), 0U);
}

TEST_F(Mirror, AChangedFileDoesNotAskWithTheETagOfTheOld) {
  UserAgent ua = agent();
  ua.mirror(url("/page"), file);
  std::ofstream(file, std::ios::binary | std::ios::app) << " and changed";
  ua.mirror(url("/page"), file);
  EXPECT_NE(seen(1).header("If-Modified-Since"), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(seen(1).header("If-None-Match"), std::nullopt);
  EXPECT_EQ(contents(), "new");
}

TEST_F(Mirror, EveryFailureLeavesTheFile) {
  std::ofstream(file, std::ios::binary) << "old";
  chmod(file.c_str(), 0640);
  const time_t before = modified();
  server.on("", "/missing", status(404));
  server.on("", "/broken", status(503));
  server.on("", "/nothing", status(204));
  server.on("", "/cut", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
  server.on("", "/long", reply(std::string(5'000, 'x')));
  server.on("", "/nowhere", status(302));
  Reply packed = reply("not packed");
  packed.headers.push_back({"Content-Encoding", "gzip"});
  server.on("", "/packed", packed);
  options.limits.max_body_bytes = 1'000;
  UserAgent ua = agent();
  for (const char* path : {"/missing", "/broken", "/nothing", "/cut", "/long", "/nowhere", "/packed"}) {
    const Response response = ua.mirror(url(path), file);
    EXPECT_TRUE(!response.is_success() || response.truncated || response.code == 204) << path;
    EXPECT_EQ(contents(), "old") << path;
    EXPECT_EQ(modified(), before);
  }
  EXPECT_EQ(ua.mirror(url_of(server.refuse()), file).source, ResponseSource::network);
  EXPECT_EQ(ua.mirror("nonsense", file).source, ResponseSource::invalid_request);
  EXPECT_EQ(contents(), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_EQ(ua.mirror(url("/page"), file).code, 200);
  EXPECT_EQ(contents(), "new");
  struct stat there{};
  ASSERT_EQ(stat(file.c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777U, 0640U) << "its mode stays";
  EXPECT_EQ(ua.mirror(url("/page"), "/nowhere/at/all").source, ResponseSource::body_refused);
}

TEST_F(Mirror, WithoutAUsableLastModifiedItsTimeIsNow) {
  for (const char* odd : {"", "yesterday", "Fri, 01 Jan 2100 00:00:00 GMT"}) {
    Reply made = reply("x");
    made.headers.push_back({"Last-Modified", odd});
    server.on("", "/odd", made);
    const Response response = agent().mirror(url("/odd"), file);
    EXPECT_EQ(modified(), std::chrono::system_clock::to_time_t(response.received_at)) << odd;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
