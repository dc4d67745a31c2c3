// resume() with on_page: what each output can give back after a crash, and what is fetched again.
#include <map>
#include <stdexcept>

#include <robotrules/open_store.hpp>

#include "cli/crawl_rig.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// Forgets what the queue was told of pages, as a kill before that does.
class Resumes : public CrawlRig {
 protected:
  // Fetches the URLs and writes the pages; the queue is not told that they are done.
  void write(const std::string& file, const std::vector<QueuedUrl>& urls, const CrawlOptions& with = {}) {
    name = in_folder(file);
    ASSERT_TRUE(queue->add(urls).ok());
    auto output = open_output(name, output_options).value();
    CrawlOptions options = with;
    options.output_path = name;
    options.settle_later = true;
    std::atomic<std::size_t> seen = 0;
    options.on_page = [&](const FetchedPage&) {
      ++seen;
      seen.notify_all();
    };
    Crawl crawl(robot, *queue, *output, options);
    crawl.urls_added(false);
    for (std::size_t now = seen; now < urls.size(); now = seen) seen.wait(now);
    crawl.stop();
    wait(crawl);
    ASSERT_EQ(queue->counts()->pending, urls.size());
  }
  Result<std::uint64_t> resume() {
    return robotrules::resume(*queue, name, "", output_options, [this](const FetchedPage& page) {
      ++calls;
      EXPECT_EQ(page.id, 0U);
      EXPECT_EQ(page.response.body_size, page.response.body.size());
      bodies[std::string(page.url)] = page.response.body;
      statuses[std::string(page.url)] = page.response.code;
      types[std::string(page.url)] = page.response.headers.get("Content-Type").value_or("");
      urls[std::string(page.url)] = page.response.url;
      if (throws) throw std::runtime_error("no more paper");
      EXPECT_TRUE(page.add({{url("/next")}}).ok());
    });
  }

  RobotUA robot = make_robot();
  std::unique_ptr<UrlQueue> queue = open_url_queue(in_folder("crawl.db")).value();
  OutputOptions output_options;
  std::string name;
  bool throws = false;
  int calls = 0;  // of on_page
  std::map<std::string, std::string> bodies;
  std::map<std::string, std::string> types;
  std::map<std::string, std::string> urls;
  std::map<std::string, int> statuses;
};

Reply coded(Coding coding, std::string_view text) {
  Reply answer = reply(packed(coding, text), "text/html");
  answer.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
  return answer;
}

TEST_F(Resumes, WarcAndNdjsonGiveBackWholeBodiesWhateverTheirCodingAndStatus) {
  const std::string text = std::string("caf\xc3\xa9 \0 end", 11) + std::string(100'000, 'x');
  Reply missing = reply("not here");
  missing.status = 404;
  Reply in_chunks = reply(text, "text/html");
  in_chunks.chunked = 1'000;
  page("/plain", reply(text, "text/html"));
  page("/gzip", coded(Coding::gzip, text));
  page("/deflate", coded(Coding::deflate, text));
  page("/brotli", coded(Coding::brotli, text));
  page("/zstd", coded(Coding::zstd, text));
  page("/chunked", in_chunks);
  page("/empty", reply(""));
  page("/bytes", reply("\xff\xfe\x00"));
  page("/missing", missing);
  page("/moved", redirect(301, "/plain"));
  const std::map<std::string, std::string> expected = {
      {"/plain", text},   {"/gzip", text}, {"/deflate", text},         {"/brotli", text},        {"/zstd", text},
      {"/chunked", text}, {"/empty", ""},  {"/bytes", "\xff\xfe\x00"}, {"/missing", "not here"}, {"/moved", text}};
  for (const char* file : {"a.warc", "a.warc.gz", "a.warc.zst", "a.ndjson"}) {
    queue = open_url_queue(in_folder(std::string(file) + ".db")).value();
    bodies.clear();
    std::vector<QueuedUrl> all;
    for (const auto& [path, body] : expected) all.push_back({url(path)});
    write(file, all);
    const auto marked = resume();
    ASSERT_TRUE(marked.ok()) << marked.error().message;
    EXPECT_EQ(marked.value(), expected.size()) << file;
    for (const auto& [path, body] : expected) EXPECT_EQ(bodies[url(path)], body) << file << path;
    EXPECT_EQ(statuses[url("/missing")], 404);
    EXPECT_EQ(types[url("/gzip")], "text/html");
    EXPECT_EQ(urls[url("/moved")], url("/plain"));
    EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 1, .done = expected.size() - 1, .failed = 1})) << file;
    EXPECT_EQ(queue->find("GET", url("/next")).value()->state, UrlState::pending) << "a link";
    EXPECT_EQ(resume().value(), 0U) << "each page comes once";
  }
}

TEST_F(Resumes, WhatTheOutputCannotGiveBackStaysPending) {
  page("/twin", reply("the same"));
  page("/noindex", [](const SeenRequest&) {
    Reply kept_out = reply("secret");
    kept_out.headers.push_back({"X-Robots-Tag", "noindex"});
    return kept_out;
  });
  page("/long", reply(std::string(2'000, 'x')));
  page("/refused", Script().half_close());
  output_options.dedup = true;
  CrawlOptions options;
  options.obey_page = true;
  options.max_size = 1'000;
  options.max_tries = 1;
  write("a.warc.gz", {{url("/twin")}, {url("/twin?again")}, {url("/noindex")}, {url("/long")}, {url("/refused")}},
        options);
  EXPECT_EQ(resume().value(), 1U);
  EXPECT_EQ(bodies.size(), 1U) << "one of the twins; the other is a revisit record without a body";
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 5, .done = 1})) << "4 and the link";
}

// Else the revisit records of the next night would refer to records of the wrong kind, or to none.
TEST_F(Resumes, TheQueueKnowsWhichRecordHasThePage) {
  page("/twin", reply("the same"));
  page("/moved", redirect(301, "/plain"));
  page("/plain", reply("plain"));
  output_options.dedup = true;
  write("a.warc.gz", {{url("/twin")}, {url("/twin?again")}, {url("/moved")}});
  ASSERT_EQ(robotrules::resume(*queue, name, "", output_options).value(), 3U);
  const UrlResult first = *queue->find("GET", url("/twin")).value()->result;
  const UrlResult second = *queue->find("GET", url("/twin?again")).value()->result;
  const UrlResult moved = *queue->find("GET", url("/moved")).value()->result;
  EXPECT_TRUE(first.digest.starts_with("sha1:")) << first.digest;
  EXPECT_EQ(second.digest, first.digest);
  const bool in_order = second.page_at.has_value();  // one of the two is the copy
  const UrlResult& copy = in_order ? second : first;
  EXPECT_EQ(copy.page_at, (in_order ? first : second).at);
  EXPECT_EQ(copy.page_url, url(in_order ? "/twin" : "/twin?again"));
  EXPECT_EQ((in_order ? first : second).page_at, std::nullopt);
  EXPECT_EQ(moved.page_url, url("/plain"));
  EXPECT_EQ(moved.page_at, std::nullopt);
}

TEST_F(Resumes, OutputsWithoutBodiesGiveNothingBack) {
  for (const char* file : {"tree/", "bare.ndjson"}) {
    queue = open_url_queue(in_folder(std::string(file).substr(0, 4) + ".db")).value();
    output_options.bodies = false;
    write(file, {{url("/1")}, {url("/2")}});
    EXPECT_EQ(resume().value(), 0U);
    EXPECT_TRUE(bodies.empty());
    EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 2}));
  }
}

// A page is written again if it was made pending again while an earlier page was not settled.
TEST_F(Resumes, APageThatTheOutputHasTwiceComesOnce) {
  for (const char* file : {"a.warc.gz", "a.ndjson"}) {
    queue = open_url_queue(in_folder(std::string(file) + ".db")).value();
    write(file, {{url("/1")}, {url("/2")}});
    write(file, {{url("/1")}, {url("/2")}});
    ASSERT_TRUE(queue->settle({}, OutputPosition{name, 0}).ok());
    calls = 0;
    EXPECT_EQ(resume().value(), 2U);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 1, .done = 2}));
  }
}

TEST_F(Resumes, ACallbackThatThrowsMarksNothing) {
  write("a.warc.gz", {{url("/1")}, {url("/2")}});
  throws = true;
  EXPECT_EQ(resume().error().code, "callback-failed");
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 2}));
  throws = false;
  EXPECT_EQ(resume().value(), 2U);
}

TEST_F(Resumes, WithoutOnPageAllPagesAreMarkedAsBefore) {
  write("a.warc.gz", {{url("/1")}, {url("/2")}});
  EXPECT_EQ(robotrules::resume(*queue, name, "").value(), 2U);
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 2}));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
