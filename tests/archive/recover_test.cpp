// What is found in a file whose writer was killed: at whatever byte the file ends, each whole page is found and the
// rest cut off.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "archive/append_file.hpp"
#include "archive/recover.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"
#include "support/killed_writer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using archive::RecoveredPage;

struct Kind {
  std::string name;
  bool is_warc;
  Packing packing;
};
const Kind kinds[] = {{"a.warc", true, Packing::none},
                      {"a.warc.gz", true, Packing::gzip},
                      {"a.warc.zst", true, Packing::zstd},
                      {"a.ndjson", false, Packing::none}};

void put_behind(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class RecoverEach : public ::testing::TestWithParam<Kind> {
 protected:
  std::string path() const { return folder.path() + "/" + GetParam().name; }
  std::unique_ptr<PageOutput> open() const {
    auto output = open_output(path(), {});
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? std::move(output).value() : nullptr;
  }
  static Response page(int number) {
    return answered("http://a.test/" + std::to_string(number),
                    "HTTP/1.1 200 OK\r\nETag: \"" + std::to_string(number) +
                        "\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 5\r\n\r\n",
                    "hello");
  }
  static void write(PageOutput& output, const Response& page) {
    const auto hops = page.redirects();
    const std::string& url = hops.empty() ? page.url : hops.front()->url;
    const auto wrote = output.write({.response = page, .url = url, .method = page.method});
    ASSERT_TRUE(wrote.ok()) << wrote.error().message;
  }
  Result<archive::Recovered> recover(std::optional<std::uint64_t> from) {
    found.clear();
    return archive::recover(path(), read_output_name(path()).value(), from,
                            [this](const RecoveredPage& page) { found.push_back(page); });
  }
  TemporaryFolder folder;
  std::vector<RecoveredPage> found;
};

TEST_P(RecoverEach, TellsWhatTheQueueMustKnowOfAPage) {
  {
    const auto output = open();
    write(*output, page(1));
    write(*output, denied("http://a.test/no", "User-agent: *\nDisallow: /\n"));
  }
  const auto size = std::filesystem::file_size(path());
  const auto recovered = recover(0);
  ASSERT_TRUE(recovered.ok()) << recovered.error().message;
  EXPECT_EQ(recovered.value().pages, 2U);
  EXPECT_EQ(recovered.value().position, size);
  EXPECT_EQ(recovered.value().cut, 0U);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].url, "http://a.test/1");
  EXPECT_EQ(found[0].method, "GET");
  EXPECT_EQ(found[0].status, 200);
  EXPECT_EQ(found[0].why, "server");
  EXPECT_EQ(found[0].etag, "\"1\"");
  EXPECT_EQ(found[0].last_modified, "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(found[0].bytes, 5U);
  EXPECT_EQ(found[0].requested_at, page(1).requested_at);
  EXPECT_EQ(found[0].at, page(1).received_at);
  EXPECT_EQ(found[1].url, "http://a.test/no");
  EXPECT_EQ(found[1].status, 0);
  EXPECT_EQ(found[1].why, "robots-denied");
}

// The queue keeps it, as if the process had not been killed.
TEST_P(RecoverEach, TellsWhichRecordHasThePayload) {
  if (!GetParam().is_warc) return;  // other files have no records
  std::vector<std::optional<PayloadRecord>> written;
  {
    auto opened = open_output(path(), {.dedup = true});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    PageOutput& output = *opened.value();
    const auto add = [&](const Response& response, std::string_view why = {}) {
      const auto hops = response.redirects();
      FetchedPage fetched{
          .response = response, .url = hops.empty() ? response.url : hops.front()->url, .method = response.method};
      fetched.why = why;
      fetched.known = PayloadRecord{"http://b.test/known", response.requested_at - std::chrono::hours(24), "sha1:A"};
      ASSERT_TRUE(output.write(fetched).ok());
      written.push_back(output.last_payload());
    };
    add(page(1));
    add(page(2));  // a copy
    add(answered("http://a.test/same", "HTTP/1.1 304 Not Modified\r\n\r\n", ""));
    add(after(answered("http://a.test/old", "HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", ""),
              answered("http://a.test/new", "HTTP/1.1 200 OK\r\n\r\n", "new")));
    add(answered("http://a.test/empty", "HTTP/1.1 200 OK\r\n\r\n", ""));
    add(answered("http://a.test/gone", "HTTP/1.1 404 Not Found\r\n\r\n", "gone"));
    add(denied("http://a.test/no", "User-agent: *\nDisallow: /\n"));
    Response cut = page(3);
    cut.truncated = true;
    add(cut, body_cut);
    add(answered("http://a.test/unasked", "HTTP/1.1 304 Not Modified\r\n\r\n", ""), unasked_status);
  }
  ASSERT_TRUE(recover(0).ok());
  ASSERT_EQ(found.size(), written.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].payload, written[i]) << found[i].url;
  EXPECT_EQ(written[1], written[0]);
  EXPECT_EQ(written[2]->url, "http://b.test/known");
  EXPECT_EQ(written[3]->url, "http://a.test/new");
  EXPECT_EQ(std::count(written.begin(), written.end(), std::nullopt), 3) << "denied, cut, unasked";
}

TEST_P(RecoverEach, KeepsARobotsTxtExchangeAndDoesNotTakeItForAPage) {
  if (!GetParam().is_warc) return;  // other files have no robots.txt exchanges
  std::vector<std::uint64_t> ends;
  {
    const auto output = open();
    write(*output, page(1));
    ends.push_back(output->position());
    for (int i = 0; i < 2; ++i) {
      const Response robots = answered("http://a.test/robots.txt", "HTTP/1.1 200 OK\r\n\r\n", "User-agent: *\n");
      ASSERT_TRUE(output->write_robots_txt(robots).ok());
      ends.push_back(output->position());
      EXPECT_GT(ends[ends.size() - 1], ends[ends.size() - 2]);
    }
  }
  const std::string whole = contents(path());
  for (std::size_t size = ends[0]; size <= whole.size(); ++size) {
    put_file(path(), whole.substr(0, size));
    const auto recovered = recover(0);
    ASSERT_TRUE(recovered.ok()) << size << ' ' << recovered.error().message;
    EXPECT_EQ(recovered.value().pages, 1U) << size;
    const auto end = *std::prev(std::upper_bound(ends.begin(), ends.end(), size));
    ASSERT_EQ(recovered.value().position, end) << size;
    ASSERT_EQ(std::filesystem::file_size(path()), end) << size;
  }
}

TEST_P(RecoverEach, FindsEachWholePageWhereverTheFileEnds) {
  std::vector<std::uint64_t> ends;
  {
    const auto output = open();
    write(*output, page(1));
    ends.push_back(output->position());
    write(*output, after(answered("http://a.test/2", "HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", ""), page(9)));
    ends.push_back(output->position());
    write(*output, page(3));
    ends.push_back(output->position());
  }
  const std::string whole = contents(path());
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    put_file(path(), whole.substr(0, size));
    const auto recovered = recover(0);
    ASSERT_TRUE(recovered.ok()) << size << ' ' << recovered.error().message;
    std::size_t pages = 0;
    while (pages < ends.size() && ends[pages] <= size) ++pages;
    const std::uint64_t end = pages == 0 ? 0 : ends[pages - 1];
    ASSERT_EQ(found.size(), pages) << size;
    ASSERT_EQ(recovered.value().pages, pages) << size;
    ASSERT_EQ(recovered.value().position, end) << size;
    ASSERT_EQ(recovered.value().cut, size - end) << size;
    ASSERT_EQ(contents(path()), whole.substr(0, end)) << size;
  }
  // And it goes on.
  put_file(path(), whole.substr(0, whole.size() - 1));
  ASSERT_TRUE(recover(0).ok());
  write(*open(), page(4));
  ASSERT_TRUE(recover(std::nullopt).ok());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].url, "http://a.test/2");
  EXPECT_EQ(found[2].url, "http://a.test/4");
  if (GetParam().is_warc) {
    EXPECT_NO_THROW(read_warc(contents(path()), GetParam().packing));
  }
}

TEST_P(RecoverEach, LooksOnlyBehindWhatTheQueueKnows) {
  std::uint64_t known = 0;
  {
    const auto output = open();
    write(*output, page(1));
    known = output->position();
    write(*output, page(2));
  }
  ASSERT_TRUE(recover(known).ok());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].url, "http://a.test/2");
}

TEST_P(RecoverEach, CutsNothingOfAFileThatTheQueueDoesNotKnow) {
  write(*open(), page(1));
  ASSERT_TRUE(recover(std::nullopt).ok());
  EXPECT_EQ(found.size(), 1U);
  const std::string torn = contents(path()) + "WARC/1.1\r\nWARC-";
  put_file(path(), torn);
  const auto recovered = recover(std::nullopt);
  ASSERT_FALSE(recovered.ok());
  EXPECT_EQ(recovered.error().code, "output-damaged");
  EXPECT_NE(recovered.error().message.find(path()), std::string::npos);
  EXPECT_EQ(contents(path()), torn);
}

// As a machine leaves it that lost its power: the file has grown, but what was in it never came to the disk.
TEST_P(RecoverEach, CutsAPageWhoseBodyIsNotWhatWasWritten) {
  std::uint64_t end = 0;
  {
    const auto output = open();
    write(*output, page(1));
    end = output->position();
    write(*output, page(2));
    write(*output, page(3));
  }
  std::string bytes = contents(path());
  const bool is_packed = GetParam().packing != Packing::none;
  const std::size_t at = is_packed ? end + 40 : bytes.find("hello", end);
  bytes.replace(at, 5, 5, '\0');
  put_file(path(), bytes);
  const auto recovered = recover(0);
  ASSERT_TRUE(recovered.ok()) << recovered.error().message;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].url, "http://a.test/1");
  EXPECT_EQ(recovered.value().position, end);
  EXPECT_EQ(std::filesystem::file_size(path()), end);
}

TEST_P(RecoverEach, MissesPagesThatTheQueueBelievesIn) {
  write(*open(), page(1));
  const auto recovered = recover(std::filesystem::file_size(path()) + 1);
  ASSERT_FALSE(recovered.ok());
  EXPECT_EQ(recovered.error().code, "output-shorter");
  EXPECT_NE(recovered.error().message.find(" bytes, but "), std::string::npos) << recovered.error().message;
}

TEST_P(RecoverEach, FindsNothingWhereNothingIs) {
  const auto recovered = recover(0);
  ASSERT_TRUE(recovered.ok());
  EXPECT_EQ(recovered.value().pages + recovered.value().position + recovered.value().cut, 0U);
  const auto missing = recover(1);
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().message.starts_with(path() + " is missing, but 1 bytes were written"))
      << missing.error().message;
}

// Damage in the middle is an end; packed files have checks that find it, so that pages before it are all that is told.
TEST_P(RecoverEach, SurvivesADifferentByteAnywhere) {
  std::vector<std::uint64_t> ends;
  {
    const auto output = open();
    for (int i = 0; i < 3; ++i) {
      write(*output, page(i));
      ends.push_back(output->position());
    }
  }
  const std::string whole = contents(path());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 0x01 : 0xFF));
    put_file(path(), damaged);
    const auto recovered = recover(0);
    ASSERT_TRUE(recovered.ok()) << at << ' ' << recovered.error().message;
    ASSERT_LE(recovered.value().position, whole.size());
    ASSERT_LE(found.size(), 3U);
    std::size_t before = 0;
    while (before < ends.size() && ends[before] <= at) ++before;
    ASSERT_GE(found.size(), before) << at;
    for (std::size_t i = 0; i < before; ++i) ASSERT_EQ(found[i].url, page(static_cast<int>(i)).url);
  }
}

TEST_P(RecoverEach, HoldsEachPageThatWasWrittenWhenItsWriterIsKilled) {
  for (int round = 0; round < 5; ++round) {
    const std::uint64_t from = std::filesystem::exists(path()) ? std::filesystem::file_size(path()) : 0;
    const std::size_t told = run_until_killed(50U + 13U * static_cast<unsigned>(round), [&](const auto& tell) {
      auto output = open_output(path(), {});
      for (int i = 0; output.ok(); ++i) {
        const Response one = page(i);
        if (!output.value()->write({.response = one, .url = one.url, .method = "GET"}).ok() || !tell()) break;
      }
    });
    ASSERT_GT(told, 0U);
    const auto recovered = recover(from);
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    ASSERT_GE(found.size(), told);
    ASSERT_LE(found.size(), told + 1);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i].url, "http://a.test/" + std::to_string(i));
  }
}

TEST_P(RecoverEach, OnAFullDiskIsWholeAllTheSame) {
  auto output = open();
  write(*output, page(1));
  const std::uint64_t whole = output->position();
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto before = signal(SIGXFSZ, SIG_IGN);
  rlimit small = limit;
  small.rlim_cur = whole + 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Response two = page(2);
  const auto wrote = output->write({.response = two, .url = two.url, .method = "GET"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, before);
  ASSERT_FALSE(wrote.ok());
  EXPECT_EQ(wrote.error().code, "output-failed");
  EXPECT_EQ(wrote.error().message, path() +
                                       " cannot be written: File too large; raise the limit on the size of files "
                                       "(ulimit -f), or give another file");
  EXPECT_EQ(output->position(), whole);
  EXPECT_EQ(std::filesystem::file_size(path()), whole);
  write(*output, two);
  output.reset();
  ASSERT_TRUE(recover(0).ok());
  EXPECT_EQ(found.size(), 2U);
}

TEST_P(RecoverEach, LeavesAFileAloneThatIsBeingWritten) {
  const auto output = open();
  write(*output, page(1));
  put_behind(path(), "half a rec");
  const auto size = std::filesystem::file_size(path());
  const auto recovered = recover(0);
  ASSERT_FALSE(recovered.ok());
  EXPECT_EQ(recovered.error().code, "output-busy");
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(std::filesystem::file_size(path()), size);
}

TEST_P(RecoverEach, HasOneWriterAtATime) {
  {
    const auto first = open();
    const auto second = open_output(path(), {});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, "output-busy");
  }
  EXPECT_NE(open(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Outputs, RecoverEach, ::testing::ValuesIn(kinds), [](const auto& info) {
  std::string name = info.param.name.substr(2);
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

TEST(Recover, SettlesAPageAsTheCrawlWouldHave) {
  const std::tuple<int, const char*, UrlState> rows[] = {{200, "server", UrlState::done},
                                                         {304, "server", UrlState::done},
                                                         {404, "server", UrlState::failed},
                                                         {200, "page-rules", UrlState::done},
                                                         {200, "cut", UrlState::cut},
                                                         {302, "redirect-refused", UrlState::failed},
                                                         {403, "robots-denied", UrlState::denied},
                                                         {503, "parked", UrlState::parked},
                                                         {503, "robots-unreachable", UrlState::failed},
                                                         {500, "network", UrlState::failed},
                                                         {500, "timeout", UrlState::failed},
                                                         {403, "address-refused", UrlState::failed}};
  for (const auto& [status, why, state] : rows) {
    RecoveredPage page;
    page.status = status;
    page.why = why;
    EXPECT_EQ(archive::state_of(page), state) << why;
  }
}

TEST(Recover, LeavesAWarcFileOfOthersAlone) {
  const TemporaryFolder folder;
  const std::string foreign =
      "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"
      "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 9\r\n\r\nvia: here\r\n\r\n";
  const std::string path = folder.file("other.warc", foreign);
  const auto recovered =
      archive::recover(path, read_output_name(path).value(), std::nullopt, [](const RecoveredPage&) { FAIL(); });
  ASSERT_TRUE(recovered.ok()) << recovered.error().message;
  EXPECT_EQ(recovered.value().position, foreign.size());
  EXPECT_EQ(contents(path), foreign);
}

// --- with GiveBack::responses --------------------------------------------------------------------------------------

// Writes the page to a plain WARC file. Returns its records, without that of the file.
std::vector<std::string> records_of(const Response& page, std::string_view why = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.warc";
  FetchedPage fetched{.response = page, .url = page.url, .method = page.method};
  fetched.why = why;
  EXPECT_TRUE(open_output(path, {}).value()->write(fetched).ok());
  const std::string all = contents(path);
  std::vector<std::string> records;
  for (std::size_t at = all.find("\r\n\r\nWARC/1.1\r\n"); at != std::string::npos;) {
    const std::size_t next = all.find("\r\n\r\nWARC/1.1\r\n", at + 4);
    records.push_back(all.substr(at + 4, next == std::string::npos ? next : next - at));
    at = next;
  }
  EXPECT_EQ(records.size(), 3U);
  return records;
}

std::vector<RecoveredPage> given_back(const std::vector<std::string>& records) {
  const TemporaryFolder folder;
  std::string all;
  for (const std::string& record : records) all += record;
  const std::string path = folder.file("a.warc", all);
  std::vector<RecoveredPage> pages;
  const auto recovered = archive::recover(
      path, read_output_name(path).value(), 0, [&pages](const RecoveredPage& page) { pages.push_back(page); },
      archive::GiveBack::responses);
  EXPECT_TRUE(recovered.ok());
  EXPECT_EQ(recovered.value().cut, 0U);
  return pages;
}

// The records of another writer may stand between those of a page.
TEST(GiveBack, APageHasTheResponseThatItsRecordNames) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
  const auto own = records_of(answered("http://a.test/", head, "hello"));
  const auto other = records_of(answered("http://a.test/", head, "other"));
  const auto short_one = records_of(answered("http://a.test/", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "oth"));
  Response cut_short = answered("http://a.test/", head, "hel");
  auto recording = std::make_shared<Recording>(*cut_short.recording);
  recording->cut = RecordingCut::disconnect;
  cut_short.recording = recording;
  const auto truncated = records_of(cut_short);
  const struct {
    const char* name;
    std::vector<std::string> records;
    std::optional<std::string> body;  // null: it is fetched again
  } rows[] = {{"its own", {own[0], own[1], own[2]}, "hello"},
              {"one before", {other[0], own[0], own[1], own[2]}, "hello"},
              {"one after it", {own[0], other[0], own[1], own[2]}, std::nullopt},
              {"one before a truncated one", {short_one[0], truncated[0], truncated[1], truncated[2]}, std::nullopt},
              {"another without its own", {other[0], own[1], own[2]}, std::nullopt}};
  for (const auto& row : rows) {
    const auto pages = given_back(row.records);
    ASSERT_EQ(pages.size(), 1U) << row.name;
    ASSERT_EQ(pages[0].response != nullptr, row.body.has_value()) << row.name;
    if (row.body) {
      EXPECT_EQ(pages[0].response->body, *row.body) << row.name;
    }
  }
}

// RFC 9112 section 6.3: their Content-Length is that of another response.
TEST(GiveBack, AResponseWithoutABodyMayHaveAContentLength) {
  const struct {
    const char* head;
    const char* method;
    std::string_view why;
  } rows[] = {{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", {}},
              {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\n", "HEAD", {}},
              {"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", "GET", {}},
              {"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "GET", unasked_status}};
  for (const auto& row : rows) {
    const auto pages = given_back(records_of(answered("http://a.test/", row.head, "", row.method), row.why));
    ASSERT_EQ(pages.size(), 1U);
    ASSERT_NE(pages[0].response, nullptr) << row.head;
    EXPECT_EQ(pages[0].response->body, "");
    EXPECT_EQ(pages[0].response->method, row.method);
    EXPECT_EQ(pages[0].response->headers.get("Content-Length"), "5");
  }
}

TEST(GiveBack, IsTheResponseAsItWasReceived) {
  for (const char* head : {"HTTP/1.1 200 Very Well\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n",
                           "HTTP/1.1 200 Very Well\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n",
                           "HTTP/1.1 200 Very Well\r\nX-Crawler-Content-Length: 9\r\nContent-Length: 5\r\n\r\n",
                           "HTTP/1.1 200 Very Well\r\nX-A: 1\r\n\r\n"}) {
    const Response live = answered("http://me:secret@a.test/x#part", head, "hello");
    const auto pages = given_back(records_of(live));
    ASSERT_EQ(pages.size(), 1U);
    ASSERT_NE(pages[0].response, nullptr) << head;
    EXPECT_EQ(pages[0].response->status_line(), "200 Very Well");
    EXPECT_EQ(pages[0].response->headers, live.headers) << head;
    EXPECT_EQ(pages[0].response->url, live.url);
    EXPECT_EQ(pages[0].response->body, "hello");
  }
}

// A compressed body may have arrived whole, although the crawl kept less of it (max_size).
TEST(GiveBack, AResponseThatTheCrawlHasCutIsFetchedAgain) {
  Response cut = answered("http://a.test/", "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\n", "hello");
  cut.truncated = true;
  cut.body_size = 3;
  const auto pages = given_back(records_of(cut));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].response, nullptr);
}

TEST(Recover, HasNothingToDoForATreeAndStandardOutput) {
  const TemporaryFolder folder;
  for (const std::string& name : {folder.path(), std::string("-"), std::string("none/")}) {
    const auto recovered =
        archive::recover(name, read_output_name(name).value(), 7, [](const RecoveredPage&) { FAIL(); });
    ASSERT_TRUE(recovered.ok());
    EXPECT_EQ(recovered.value().position, 0U);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
