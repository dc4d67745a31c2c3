// The pages list each member of the JSON that get and db write, and no other: real output is held against their tables.
#include <filesystem>
#include <map>
#include <set>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"
#include "support/markdown.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class DocsMembers : public GetRig {
 protected:
  // Adds the names of the members, and those of the inner objects: "robots.status". The members of `urls`, `flags` and
  // `sites` are data or explained in the row itself.
  static void add_names(const Json& object, Names& names, const std::string& before = {}) {
    for (const auto& [name, value] : object.items()) {
      names.insert(before + name);
      if (value.is_object() && (name == "robots" || name == "gate")) add_names(value, names, name + ".");
    }
  }
  static Names names_in(const std::vector<Json>& lines) {
    Names names;
    for (const Json& line : lines) add_names(line, names);
    return names;
  }
  static std::vector<Json> json_of(const std::string& text) {
    std::vector<Json> lines;
    for (const std::string& line : lines_of(text)) lines.push_back(Json::parse(line));
    return lines;
  }
  std::vector<Json> ran(Words words) const {
    words.insert(words.begin(), {"db", db});
    const Ran ran = run(words);
    EXPECT_LE(ran.status, 1) << ran.err;
    return json_of(ran.out);
  }

  // A site whose robots.txt is behind a redirect and longer than the limit, has validators and a rule that is not
  // UTF-8.
  void make_sites() {
    test::Reply robots = reply("User-agent: *\nDisallow: /\xff\n#" + std::string(600'000, 'x') + "\nDisallow: /more\n");
    robots.headers = {{"ETag", "\"1\""}, {"Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT"}};
    server.on("a.localhost", "/robots.txt", test::redirect(301, "/robots-2.txt"));
    server.on("a.localhost", "/robots-2.txt", robots);
    server.on("b.localhost", "/robots.txt", test::status(500));
    server.on("c.localhost", "/robots.txt", test::reply("User-agent: *\nCrawl-delay: 1\n"));
    page("/page", test::reply("a page"));
    page("/bytes", test::reply("\xff\xfe"));
    page("/moved", test::redirect(302, "/page"));
    page("/long", test::reply(std::string(5'000, 'x')));
    page("/busy", test::in_turn({test::status(429, {{"Retry-After", "1"}}), test::reply("here")}));
    page("/away", test::status(429, {{"Retry-After", "7200"}}));
  }
  Words urls() const {
    return {url("/page"),      url("/%ff"),    url("/bytes"),     url("/moved"),     url("/long"),
            url("/page", "c"), url("/2", "c"), url("/busy", "d"), url("/away", "e"), "http://10.0.0.1/refused"};
  }
  Words crawl(const std::string& output, const std::string& log) const {
    Words words = urls();
    words.insert(words.end(), {"-o", in_folder(output), "-l", in_folder(log), "--max-size", "4k", "--tries", "2"});
    return words;
  }

  const std::string db = in_folder("c.db");
};

TEST_F(DocsMembers, OfTheLogAndOfNdjsonAreInTheTable) {
  make_sites();
  get(crawl("out.ndjson", "log.ndjson"));
  Names log = names_in(json_lines(in_folder("log.ndjson")));
  const Names output = names_in(json_lines(in_folder("out.ndjson")));

  // A folder, and a page that a run wrote before it was killed.
  get({url("/page", "g"), "-o", in_folder("tree/"), "-l", in_folder("tree.log")});
  log.merge(names_in(json_lines(in_folder("tree.log"))));
  const Words again{url("/page", "h"), "-o", in_folder("h.warc"), "-l", in_folder("h.log")};
  get(again);
  fs::resize_file(in_folder("h.log"), 0);
  {
    const auto queue = open_url_queue(db).value();
    ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{url("/page", "h"), "GET", {}, 0}}).ok());
    for (const char* name : {"h.warc", "h.log"}) {
      ASSERT_TRUE(queue->settle({}, OutputPosition{in_folder(name), 0}).ok());
    }
  }
  Words resumed = again;
  resumed.insert(resumed.end(), {"--db", db, "--job", std::string(default_job)});
  get(resumed);
  const Names recovered = names_in(json_lines(in_folder("h.log")));
  EXPECT_TRUE(recovered.contains("recovered"));
  log.insert(recovered.begin(), recovered.end());

  Names documented, of_ndjson;
  for (const auto& row : table_of(section_of(page_text("docs/get.md"), "### Members of the log"))) {
    for (const std::string& name : quoted_words(row[0])) {
      documented.insert(name);
      if (row[0].ends_with("(NDJSON)")) of_ndjson.insert(name);
    }
  }
  Names found = log;
  found.insert(output.begin(), output.end());
  EXPECT_EQ(documented, found);
  for (const std::string& name : of_ndjson) EXPECT_FALSE(log.contains(name)) << name << " is in the log too";
}

TEST_F(DocsMembers, OfDbAreInTheTable) {
  make_sites();
  const std::string list = folder.file(
      "list.ndjson", R"({"url":")" + url("/head") + R"(","method":"HEAD","priority":5,"headers":{"X-Test":"1"}})");
  Words words = crawl("out.warc", "log.ndjson");
  words.insert(words.end(), {url("/a/../%70age"), "-i", list, "--db", db, "--job", "mine"});
  get(words);
  get({url("/page", "b"), "--tries", "1", "-o", in_folder("b.warc"), "--db", db, "--job", "failing"});
  {
    const auto queue = open_url_queue(db, "other").value();  // a URL that nothing has asked for
    ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{url("/later")}}).ok());
  }

  std::map<std::string, Names> found;
  found["ls"] = names_in(ran({"ls", "--json"}));
  for (const char* site : {"a", "b", "c", "d", "e"}) {
    found["show"].merge(names_in(ran({"show", url("", site), "--json"})));
    found["why"].merge(names_in(ran({"why", url("/page", site), "--json"})));
  }
  found["stats"] = names_in(ran({"stats", "--json"}));
  found["jobs"] = names_in(ran({"jobs", "--json"}));
  found["queue ls"] = names_in(ran({"queue", "ls", "--job", "mine", "--json"}));
  found["queue export"] = names_in(ran({"queue", "export", "--job", "mine"}));
  for (const std::string& name : found["queue ls"]) EXPECT_EQ(found["queue export"].erase(name), 1U) << name;
  EXPECT_EQ(ran({"queue", "ls", "--job", "other", "--json"}).at(0),
            (Json{{"url", url("/later")}, {"state", "pending"}}));

  std::map<std::string, Names> documented;
  for (const auto& row : table_of(section_of(page_text("docs/cli.md"), "### `db --json`"))) {
    if (row[1].ends_with("(server)")) continue;  // only a store on a server has it
    for (const std::string& action : quoted_words(row[1])) {
      for (const std::string& name : quoted_words(row[0])) {
        EXPECT_TRUE(documented[action].insert(name).second) << action << " has " << name << " twice";
      }
    }
  }
  EXPECT_EQ(documented, found);
}

TEST_F(DocsMembers, OfAnExportAreInTheTable) {
  make_sites();
  Words words = crawl("out.warc", "log.ndjson");
  words.insert(words.end(), {"--db", db});
  get(words);
  std::vector<Json> lines = ran({"export"});
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.front().contains("database"));
  lines.erase(lines.begin());
  Names documented;
  for (const auto& row : table_of(section_of(page_text("docs/cli.md"), "### Export and import"))) {
    for (const std::string& name : quoted_words(row[0] + (row[0] == "`robots`" ? row[1] : ""))) documented.insert(name);
  }
  EXPECT_EQ(documented, names_in(lines));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
