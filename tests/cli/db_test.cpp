// robotrules db: a database from folder, NDJSON and WARC to answers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>

#include "archive/warc_reader.hpp"
#include "base/time_text.hpp"
#include "cli/command.hpp"
#include "support/folder.hpp"
#include "support/long_utf16.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using archive::WarcReader;
using nlohmann::json;

class Db : public ::testing::Test {
 protected:
  ~Db() override { fs::remove_all(folder); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder + "/" + name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return folder + "/" + name;
  }
  Ran db(std::vector<std::string> words) const {
    words.insert(words.begin(), {"db", folder + "/rules.db"});
    return run(words);
  }
  std::string folder = test::new_folder_on_disk();
};

std::string warc_record(std::string_view type, std::string_view url, std::string_view block) {
  return "WARC/1.1\r\nWARC-Type: " + std::string(type) + "\r\nWARC-Target-URI: " + std::string(url) +
         "\r\nWARC-Date: 2026-11-20T10:00:00Z\r\nContent-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
         std::string(block) + "\r\n\r\n";
}
std::string gzip(std::string_view plain) { return test::packed(test::Coding::gzip, plain); }

TEST_F(Db, WhyNamesARuleOfTheProgramItself) {
  {
    auto rules = RobotRules::open(open_store(folder + "/rules.db").value(), "FooBot").value();
    ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nAllow: /\n").ok());
    ASSERT_TRUE(rules.push_rules("https://a.example", {"/own"}).ok());
  }
  const auto closed = db({"why", "https://a.example/own/x"});
  EXPECT_EQ(closed.status, 1);
  EXPECT_NE(closed.out.find("disallowed by \"Disallow: /own\", a rule of the program itself"), std::string::npos)
      << closed.out;
  EXPECT_NE(db({"why", "https://a.example/other"}).out.find("allowed by"), std::string::npos);
}

// A rule that was cut off would open what it closes.
TEST_F(Db, ImportsAllRulesOfTheProgramItself) {
  {
    auto rules = RobotRules::open(open_store(folder + "/rules.db").value(), "FooBot").value();
    std::vector<std::string> patterns;
    for (int i = 0; i < 9'000; ++i) patterns.push_back("/a-long-name-of-a-folder-that-is-closed/" + std::to_string(i));
    patterns.push_back("/last");
    ASSERT_TRUE(rules.push_rules("https://a.example", patterns).ok());
  }
  write("own.ndjson", db({"export"}).out);
  fs::remove(folder + "/rules.db");
  ASSERT_EQ(db({"import", folder + "/own.ndjson", "--agent", "FooBot"}).status, 0);
  const auto rules = RobotRules::open(open_store(folder + "/rules.db").value(), "FooBot").value();
  EXPECT_EQ(rules.allowed("https://a.example/last"), Access::disallowed);
}

TEST_F(Db, ImportsAFolderAndAnswersFromIt) {
  fs::create_directory(folder + "/robots");
  write("robots/a.example", "User-agent: FooBot\nDisallow: /x\n");
  write("robots/b.example:8443", "");
  write("robots/not a host", "x");
  const auto imported = db({"import", folder + "/robots", "--agent", "FooBot"});
  EXPECT_EQ(imported.status, 1);
  EXPECT_NE(imported.err.find("not a host"), std::string::npos);
  EXPECT_NE(imported.err.find("2 records imported, 1 skipped"), std::string::npos);

  const auto listed = db({"ls"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_NE(listed.out.find("fresh\t200\t32\t"), std::string::npos);
  EXPECT_NE(listed.out.find("\thttps://b.example:8443\n"), std::string::npos);
  const json stats = json::parse(db({"stats", "--json"}).out);
  EXPECT_EQ(stats["origins"], 2);
  EXPECT_EQ(stats["agent"], "FooBot");

  const auto why = db({"why", "https://a.example/x/y"});
  EXPECT_EQ(why.status, 1);
  EXPECT_NE(why.out.find("disallowed by \"Disallow: /x\" in line 2"), std::string::npos);
  const auto shown = db({"show", "a.example"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_NE(shown.out.find("url: https://a.example/robots.txt\n"), std::string::npos);
  EXPECT_NE(shown.out.find("\nDisallow: /x\n"), std::string::npos);
  EXPECT_EQ(db({"show", "c.example"}).status, 1);
}

// An answer that was recorded means what it meant when it came.
TEST_F(Db, ImportsWhatTheHeadDecidesAndFilesThatArePacked) {
  const std::string rules = "User-agent: *\nDisallow: /x\n";
  const auto record = [](const std::string& host, const std::string& head, const std::string& body) {
    return warc_record("response", "http://" + host + "/robots.txt", "HTTP/1.1 " + head + "\r\n\r\n" + body);
  };
  write("r.warc", record("gone.test", "404 Gone\r\nContent-Encoding: gzip\r\nContent-Length: 99", "text") +
                      record("packed.test", "200 OK", gzip(rules)) +
                      record("half.test", "200 OK", gzip(rules).substr(0, 20)) +
                      record("none.test", "200 OK\r\nContent-Encoding: none", rules) +
                      record("later.test", "202 Accepted", rules) + record("wait.test", "202 Accepted", "<html>") +
                      record("odd.test", "404 Gone\r\nno field", "") + record("proxy.test", "407 Who", ""));
  const auto imported = db({"import", folder + "/r.warc"});
  EXPECT_NE(imported.err.find("4 records imported, 4 skipped"), std::string::npos) << imported.err;
  EXPECT_EQ(db({"why", "http://gone.test/x"}).status, 0);
  for (const std::string host : {"packed", "none", "later"}) {
    EXPECT_EQ(db({"why", "http://" + host + ".test/x"}).status, 1) << host;
    EXPECT_EQ(db({"why", "http://" + host + ".test/y"}).status, 0) << host;
  }
}

TEST_F(Db, CheckAndBatchAskADatabase) {
  write("some.ndjson",
        "{\"origin\":\"https://a.example\",\"robots\":\"User-agent: FooBot\\nDisallow: /x\\n\"}\n"
        "{\"origin\":\"http://none.example\",\"outcome\":\"unavailable\",\"status\":404}\n"
        "{\"origin\":\"https://old.example\",\"robots\":\"\",\"fresh_until\":\"2020-01-01T00:00:00Z\"}\n"
        "{\"origin\":\"https://down.example\",\"outcome\":\"unreachable\",\"status\":503}\n");
  ASSERT_EQ(db({"import", folder + "/some.ndjson", "--agent", "FooBot"}).status, 0);
  const std::string path = folder + "/rules.db";
  const Ran checked =
      run({"check", "--offline", "--db", path, "https://a.example/x", "https://a.example/y", "http://none.example/",
           "https://old.example/", "https://down.example/", "http://a.example/"});
  EXPECT_EQ(checked.status, 1);
  EXPECT_EQ(checked.out,
            "disallowed\thttps://a.example/x\nallowed\thttps://a.example/y\nallowed\thttp://none.example/\n"
            "unknown\thttps://old.example/\ndisallowed\thttps://down.example/\nunknown\thttp://a.example/\n");
  EXPECT_EQ(run({"check", "--offline", "--db", path, "--agent", "BarBot", "https://a.example/x"}).status, 0);
  EXPECT_NE(run({"check", "--offline", "--db", path, "/x"}).err.find("has no http or https site"), std::string::npos);
  EXPECT_EQ(run({"check", "--offline", "--db", path, "--robots", "x", "/x"}).status, 2);
  EXPECT_EQ(run({"check", "--offline", "--db", folder + "/nowhere.db", "/x"}).status, 2);
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["agent"], "FooBot");  // asking for another robot cleared nothing

  const Ran batch = run({"batch", "--db", path, "--agent", "FooBot"},
                        "{\"url\":\"https://a.example/x\"}\n{\"url\":\"/x\",\"host\":\"a.example\"}\n"
                        "{\"url\":\"http://a.example/x\"}\n{\"url\":\"http://none.example/x\"}\n");
  EXPECT_EQ(batch.status, 0) << batch.err;
  std::vector<std::string> answers;
  std::istringstream lines(batch.out);
  for (std::string line; std::getline(lines, line);) answers.push_back(json::parse(line)["access"]);
  EXPECT_EQ(answers, (std::vector<std::string>{"disallowed", "disallowed", "unknown", "allowed"}));
}

TEST_F(Db, ImportForAnotherRobotIsRefusedUnlessItMayReplaceTheName) {
  write("a.ndjson", R"({"host":"a.example","robots":""})");
  write("b.ndjson", R"({"host":"b.example","robots":""})");
  ASSERT_EQ(db({"import", folder + "/a.ndjson", "--agent", "FooBot"}).status, 0);
  const Ran refused = db({"import", folder + "/b.ndjson", "--agent", "BarBot"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("FooBot"), std::string::npos);
  EXPECT_NE(refused.err.find("--replace-agent"), std::string::npos);
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["agent"], "FooBot");
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["origins"], 1);
  EXPECT_EQ(db({"import", folder + "/b.ndjson", "--agent", "FooBot"}).status, 0);
  EXPECT_EQ(db({"import", folder + "/b.ndjson", "--agent", "BarBot", "--replace-agent"}).status, 0);
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["agent"], "BarBot");
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["origins"], 1);
}

TEST_F(Db, ForgetLiftsAParkedSite) {
  write("one.ndjson", R"({"host":"a.example","robots":""})");
  ASSERT_EQ(db({"import", folder + "/one.ndjson"}).status, 0);
  {
    const auto store = open_store(folder + "/rules.db").value();
    ASSERT_TRUE(store->restore_gate("https://a.example", store->now() + std::chrono::hours(20), {}).ok());
  }
  EXPECT_NE(db({"why", "https://a.example/y"}).out.find("the server asked for a pause"), std::string::npos);
  const Ran forgot = db({"forget", "a.example"});
  EXPECT_EQ(forgot.status, 0);
  EXPECT_NE(forgot.err.find("deleted the robots.txt of https://a.example"), std::string::npos) << forgot.err;
  EXPECT_EQ(db({"why", "https://a.example/y"}).out.find("the server asked for a pause"), std::string::npos);
  EXPECT_EQ(json::parse(db({"stats", "--json"}).out)["origins"], 0);
  EXPECT_EQ(db({"forget", "a.example"}).status, 1);
  EXPECT_EQ(db({"forget"}).status, 2);
}

TEST_F(Db, WhySaysWhenAndBecauseOfWhat) {
  write("one.ndjson", R"({"host":"a.example","robots":"User-agent: *\nDisallow: /x\n"})");
  ASSERT_EQ(db({"import", folder + "/one.ndjson"}).status, 0);
  const json open = json::parse(db({"why", "https://a.example/y", "--json"}).out);
  EXPECT_EQ(open["access"], "allowed");
  EXPECT_EQ(json::parse(db({"why", "https://nowhere.example/", "--json"}).out)["access"], "unknown");
  EXPECT_EQ(db({"why", "nonsense"}).status, 2);
}

TEST_F(Db, ExportAndImportRoundTrip) {
  write("all.ndjson",
        "{\"origin\":\"http://a.example:8080\",\"url\":\"https://b.example/r\",\"status\":200,\"robots\":\"User-agent: "
        "*\\n\","
        "\"fetched_at\":\"2026-11-20T10:00:00.5Z\",\"fresh_until\":\"2026-11-21T10:00:00Z\",\"etag\":\"\\\"e\\\"\"}\n"
        "{\"origin\":\"https://c.example\",\"outcome\":\"unavailable\",\"status\":404}\n"
        "{\"origin\":\"https://d.example\",\"robots_b64\":\"/w==\",\"truncated\":true}\n");
  ASSERT_EQ(db({"import", folder + "/all.ndjson"}).status, 0);
  const std::string exported = db({"export"}).out;
  EXPECT_NE(exported.find("\"truncated\":true"), std::string::npos);
  EXPECT_NE(exported.find("\"fetched_at\":\"2026-11-20T10:00:00.500000Z\""), std::string::npos);
  EXPECT_NE(exported.find("\"robots_b64\":\"/w==\""), std::string::npos);
  write("again.ndjson", exported);
  ASSERT_EQ(run({"db", folder + "/second.db", "import", folder + "/again.ndjson"}).status, 0);
  EXPECT_EQ(run({"db", folder + "/second.db", "export"}).out, exported);
}

TEST_F(Db, ImportsPackedNdjson) {
  const std::string lines = "{\"host\":\"a.example\",\"robots\":\"\"}\n{\"host\":\"b.example\",\"robots\":\"\"}\n";
  for (const auto& [name, coding] :
       {std::pair{"some.ndjson.gz", test::Coding::gzip}, {"some.zst", test::Coding::zstd}}) {
    const std::string file = write(name, test::packed(coding, lines));
    const Ran ran = run({"db", file + ".db", "import", file});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.err.find("2 records imported\n"), std::string::npos) << ran.err;
  }
  const Ran piped = run({"db", folder + "/piped.db", "import", "-"}, test::packed(test::Coding::gzip, lines));
  EXPECT_EQ(piped.status, 0) << piped.err;
  const std::string whole = gzip(lines);
  const Ran cut = db({"import", write("cut.ndjson.gz", whole.substr(0, whole.size() - 8))});
  EXPECT_EQ(cut.status, 1);
  EXPECT_NE(cut.err.find("cut.ndjson.gz: the gzip data ends too early, after line 2"), std::string::npos) << cut.err;
}

TEST_F(Db, ImportsKeepTheNewerRecord) {
  write("new.ndjson", "{\"host\":\"a.example\",\"robots\":\"# new\\n\",\"fetched_at\":\"2026-11-20T10:00:00Z\"}\n");
  write("old.ndjson",
        "{\"host\":\"a.example\",\"robots\":\"# old\\n\",\"fetched_at\":\"2026-11-19T10:00:00Z\"}\n"
        "{\"host\":\"b.example\",\"robots\":\"\",\"fetched_at\":\"2026-11-19T10:00:00Z\"}\n");
  ASSERT_EQ(db({"import", folder + "/new.ndjson"}).status, 0);
  const auto ran = db({"import", folder + "/old.ndjson"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("1 record imported, 1 older than the stored ones"), std::string::npos) << ran.err;
  EXPECT_NE(db({"show", "a.example"}).out.find("# new"), std::string::npos);
  EXPECT_EQ(db({"show", "b.example"}).status, 0);
  EXPECT_NE(db({"import", folder + "/new.ndjson"}).err.find("1 record imported\n"), std::string::npos);
}

TEST_F(Db, BadLinesAreNamedAndTheOthersKept) {
  write("bad.ndjson",
        "nonsense\n{\"robots\":\"\"}\n{\"host\":\"a.example\"}\n{\"host\":\"b.example\",\"robots\":\"\"}\n"
        "{\"host\":\"c.example\",\"robots\":\"\",\"fetched_at\":\"yesterday\"}\n{\"host\":\"d.example\",\"robots_b64\":"
        "\"?\"}\n{\"host\":\"e.example\",\"robots\":\"\",\"truncated\":\"no\"}\n");
  const auto ran = db({"import", folder + "/bad.ndjson"});
  EXPECT_EQ(ran.status, 1);
  for (const char* line : {":1: is not a JSON object", ":2: has no member", ":3: has no member robots",
                           ":5: the member fetched_at is not a time", ":6: the member robots_b64 is not base64",
                           ":7: the member truncated is not true or false", "1 record imported, 6 skipped"}) {
    EXPECT_NE(ran.err.find(line), std::string::npos) << line << "\n" << ran.err;
  }
}

TEST_F(Db, ImportsTheRobotsOfWarcFiles) {
  const std::string plain = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /plain\n";
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nUser-agent: *\nDi\r\n10\r\nsallow: "
      "/chunks\n\r\n0\r\n\r\n";
  const std::string packed =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip("User-agent: *\nDisallow: /packed\n");
  const std::string missing = "HTTP/1.1 404 Not Found\r\n\r\n<html>";
  std::string warc;
  std::string members;
  for (const auto& [type, url, block] : std::vector<std::array<std::string, 3>>{
           {"warcinfo", "", "software: none\r\n"},
           {"response", "https://plain.example/robots.txt", plain},
           {"request", "https://plain.example/robots.txt", "GET /robots.txt HTTP/1.1\r\n\r\n"},
           {"response", "https://page.example/page", plain},
           {"response", "<https://chunked.example/robots.txt>", chunked},
           {"response", "https://packed.example/robots.txt", packed},
           {"response", "https://missing.example/robots.txt", missing}}) {
    warc += warc_record(type, url, block);
    members += gzip(warc_record(type, url, block));
  }
  for (const auto& [name, bytes] : {std::pair{"plain.warc", warc}, {"members.warc.gz", members}}) {
    const auto ran = run({"db", folder + "/" + name + ".db", "import", write(name, bytes)});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const auto exported = run({"db", folder + "/" + name + ".db", "export"}).out;
    EXPECT_EQ(std::count(exported.begin(), exported.end(), '\n'), 4);
    for (const char* part :
         {"Disallow: /plain", "Disallow: /chunks", "Disallow: /packed", "\"outcome\":\"unavailable\",\"status\":404",
          "\"fetched_at\":\"2026-11-20T10:00:00.000000Z\""}) {
      EXPECT_NE(exported.find(part), std::string::npos) << name << " " << part;
    }
  }
}

TEST_F(Db, ACutWarcGivesItsWholeRecordsAndAnError) {
  const std::string block = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
  const std::string whole = warc_record("response", "https://a.example/robots.txt", block);
  const std::string both = whole + warc_record("response", "https://b.example/robots.txt", block);
  for (std::size_t size = whole.size() + 1; size < both.size() - 4; ++size) {
    WarcReader reader(write("cut.warc", both.substr(0, size)));
    WarcRobots found;
    ASSERT_TRUE(reader.next(found)) << size;
    EXPECT_EQ(found.exchange.request.url, "https://a.example/robots.txt");
    // Line ends between the records are no record that breaks off.
    const bool only_line_ends =
        both.substr(whole.size(), size - whole.size()).find_first_not_of("\r\n") == std::string::npos;
    EXPECT_FALSE(reader.next(found)) << size;
    EXPECT_EQ(reader.error().empty(), only_line_ends) << size << reader.error();
  }
}

// A NUL ends no line: what is behind it belongs to the same field, and the record behind it is not lost.
TEST_F(Db, ANulInAWarcHeadLosesNoRecord) {
  const std::string block = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
  std::string first = warc_record("response", "https://a.example/robots.txt", block);
  const std::string second = warc_record("response", "https://b.example/robots.txt", block);
  const std::string nul(1, '\0');
  for (const std::string& name :
       {std::string("X-Note: a") + nul + "b\r\n", nul + "\r\n", std::string("X: ") + nul + "\n"}) {
    std::string with = first;
    with.insert(with.find("Content-Length"), name);
    WarcReader reader(write("nul.warc", with + second));
    WarcRobots found;
    ASSERT_TRUE(reader.next(found)) << reader.error();
    EXPECT_EQ(found.exchange.request.url, "https://a.example/robots.txt");
    EXPECT_EQ(found.exchange.body, "User-agent: *\n");
    ASSERT_TRUE(reader.next(found)) << reader.error();
    EXPECT_EQ(found.exchange.request.url, "https://b.example/robots.txt");
    EXPECT_FALSE(reader.next(found));
    EXPECT_EQ(reader.error(), "");
  }
  first.insert(first.find(".example"), nul);
  const auto ran = db({"import", write("url.warc", first + second)});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("https://a\\x00.example/robots.txt: is not an http or https URL"), std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("1 record imported, 1 skipped"), std::string::npos) << ran.err;
}

// U+0A05 has the byte of a line feed. A file that were cut after it would have a rule for more than its own.
TEST_F(Db, ALongFileInUtf16IsCutAfterAWholeLine) {
  const std::string robots = test::long_utf16_robots(512'000);
  fs::create_directory(folder + "/robots");
  const std::string file = write("robots/a.example", robots);
  ASSERT_EQ(db({"import", folder + "/robots", "--agent", "FooBot"}).status, 0);
  const std::string path = "/a\u0A05zzz";
  EXPECT_EQ(run({"check", "-r", file, path}).out, "allowed\t" + path + "\n");
  const Ran kept = run({"check", "--db", folder + "/rules.db", "--offline", "https://a.example" + path});
  EXPECT_EQ(kept.out, "allowed\thttps://a.example" + path + "\n") << kept.err;
  EXPECT_EQ(run({"check", "--db", folder + "/rules.db", "--offline", "https://a.example/x"}).status, 1);
}

TEST_F(Db, UsageErrorsSayWhatToType) {
  EXPECT_NE(db({"sho"}).err.find("did you mean show?"), std::string::npos);
  EXPECT_NE(db({"show"}).err.find("no ORIGIN was given"), std::string::npos);
  EXPECT_NE(db({"ls", "x"}).err.find("takes no argument"), std::string::npos);
  EXPECT_NE(db({"ls"}).err.find("There is no store"), std::string::npos);
  EXPECT_EQ(db({"ls"}).status, 2);
  EXPECT_FALSE(fs::exists(folder + "/rules.db"));
  ASSERT_EQ(db({"import", "-"}).status, 0);
  EXPECT_NE(db({"prune", "--older-than", "soon"}).err.find("give a time from 0 to 36500d, such as"), std::string::npos);
}

TEST_F(Db, CheckRepairsADamagedFile) {
  fs::create_directory(folder + "/robots");
  for (int i = 0; i < 300; ++i)
    write("robots/host" + std::to_string(i) + ".example", std::string(300, '#') + std::to_string(i));
  ASSERT_EQ(db({"import", folder + "/robots"}).status, 0);
  EXPECT_EQ(db({"check"}).status, 0);
  std::fstream file(folder + "/rules.db", std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(4096 * 6);
  file << std::string(4096, '\xA5');
  file.close();
  const auto seen = db({"check"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_NE(seen.err.find("--repair"), std::string::npos);
  EXPECT_GT(lines_of(seen.out).size(), 1U) << seen.out;
  EXPECT_EQ(seen.out.find("\\x0A"), std::string::npos) << seen.out;
  EXPECT_EQ(seen.out.find("can't be read as a database"), std::string::npos) << seen.out;
  EXPECT_EQ(db({"check", "--repair"}).status, 1);
  EXPECT_TRUE(fs::exists(folder + "/rules.db.damaged"));
  EXPECT_EQ(db({"check"}).status, 0);
  EXPECT_GT(json::parse(db({"stats", "--json"}).out)["origins"], 100);
}

// A process that is killed while it makes a store leaves such a file.
TEST_F(Db, CheckCallsAFileWithoutAStoreEmpty) {
  write("rules.db", "");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check"}, {"check", "--repair"}}) {
    const auto seen = db(words);
    EXPECT_EQ(seen.status, 0) << seen.err;
    EXPECT_NE(seen.err.find("is empty: no store has been made yet"), std::string::npos) << seen.err;
  }
  for (const char* beside : {"rules.db-wal", "rules.db.damaged", "rules.db.repaired"}) {
    write(beside, "x");
    EXPECT_EQ(db({"check"}).status, 1) << beside;
    fs::remove(folder + "/" + beside);
  }
}

TEST_F(Db, WhatAnInterruptedRepairHasLeftIsNamedAndRemoved) {
  ASSERT_EQ(db({"import", "-"}).status, 0);
  write("rules.db.repaired", "x");
  const auto seen = db({"check"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_NE(seen.err.find("rules.db.repaired was left by a repair"), std::string::npos) << seen.err;
  EXPECT_EQ(db({"check", "--repair"}).status, 0);
  EXPECT_FALSE(fs::exists(folder + "/rules.db.repaired"));
}

TEST_F(Db, ARepairOfAFileWithoutTablesIsRefused) {
  write("rules.db", std::string(40'960, 'x'));
  const auto seen = db({"check", "--repair"});
  EXPECT_EQ(seen.status, 2);
  EXPECT_NE(seen.err.find("No table of a store can be found"), std::string::npos) << seen.err;
  EXPECT_EQ(fs::file_size(folder + "/rules.db"), 40'960U);
}

TEST(DbTimes, TextAndBack) {
  for (const char* text :
       {"1970-01-01T00:00:00.000000Z", "2026-02-28T23:59:59.999999Z", "2024-02-29T12:00:00.000001Z"}) {
    ASSERT_TRUE(base::time_of_text(text).has_value()) << text;
    EXPECT_EQ(base::time_text(*base::time_of_text(text)), text);
  }
  for (const char* text : {"", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z",
                           "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "x"}) {
    EXPECT_EQ(base::time_of_text(text), std::nullopt) << text;
  }
  using namespace std::chrono_literals;
  EXPECT_EQ(base::span_of_text("30d"), 720h);
  EXPECT_EQ(base::span_of_text("-5s"), std::nullopt);
  EXPECT_EQ(base::span_text(2h + 5min), "2 h 5 min");
  EXPECT_EQ(base::span_text(3200ms), "3.2 s");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
