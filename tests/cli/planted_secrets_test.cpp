// A secret in every place that takes one is in no output, file or database.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/base64.hpp"
#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

const std::string secret = "q7Zk3W9xT5mB1vN8rL2cD6fH4jS0pGyA";

class PlantedSecrets : public GetRig {
 protected:
  PlantedSecrets() {
    page("/*", reply("a page"));
    page("/locked", [](const SeenRequest& request) {
      return request.header("Authorization") ? reply("in") : status(401, {{"WWW-Authenticate", "Basic realm=\"r\""}});
    });
  }

  // A file of the user, which is not searched.
  std::string given(const std::string& name, const std::string& text) const { return given_.file(name, text); }

  // Runs the command with that environment, and searches what it prints.
  static void expect_hidden(const Words& words, const std::string& name = {}, const std::string& value = {},
                            std::string_view input = {}) {
    if (!name.empty()) ::setenv(name.c_str(), value.c_str(), 1);
    const Ran ran = run(words, input);
    if (!name.empty()) ::unsetenv(name.c_str());
    std::string command = name.empty() ? "" : name + "=" + value + " ";
    for (const std::string& word : words) command += word + ' ';
    EXPECT_GE(ran.status, 0) << command;
    EXPECT_LT(ran.status, 128) << command;
    expect_none(ran.out + ran.err, command);
  }
  // A crawl with all its outputs.
  void expect_hidden_by_get(const Words& words, const std::string& name = {}, const std::string& value = {},
                            std::string_view input = {}) const {
    expect_hidden(with_outputs(words), name, value, input);
  }
  // A crawl that waits for its proxy, or for the server of its database, until it is interrupted.
  void expect_hidden_by_waiting_get(const Words& words, const std::string& name = {},
                                    const std::string& value = {}) const {
    if (!name.empty()) ::setenv(name.c_str(), value.c_str(), 1);
    Running process(with_outputs(words));
    if (!name.empty()) ::unsetenv(name.c_str());
    const std::string told = process.read_err_until("the crawl waits until it");
    process.signal(SIGINT);
    const Ran ran = process.finish();
    EXPECT_EQ(ran.status, 130);
    expect_none(told + ran.out + ran.err, name + "=" + value);
  }
  // Searches all files that the runs have written, and what the command tells of their database.
  void TearDown() override {
    if (fs::exists(db_)) {
      for (const Words& told : {Words{"jobs"}, Words{"ls"}, Words{"export"}}) {
        Words words = {"db", db_};
        words.insert(words.end(), told.begin(), told.end());
        expect_hidden(words);
      }
      for (const std::string& job : lines_of(run({"db", db_, "jobs"}).out)) {
        for (const char* action : {"ls", "export"}) {
          expect_hidden({"db", db_, "queue", action, "--job", job.substr(0, job.find('\t'))});
        }
      }
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      expect_none(entry.path().string(), "a name");
      if (entry.is_regular_file()) expect_none(contents(entry.path().string()), entry.path().string());
    }
  }

 private:
  Words with_outputs(const Words& words) const {
    const std::string number = std::to_string(++runs_);
    Words all = line({"--tries", "1", "--max-wait", "0", "--explain", "--output", in_folder(number + ".warc"), "--log",
                      in_folder(number + ".log"), "--metrics-file", in_folder(number + ".prom")});
    if (std::find(words.begin(), words.end(), "--db") == words.end()) all.insert(all.end(), {"--db", db_});
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  static void expect_none(const std::string& text, const std::string& where) {
    for (const std::string& form : {secret, base::base64("ann:" + secret), base::base64("bob:" + secret)}) {
      EXPECT_EQ(text.find(form), std::string::npos) << where << '\n' << (text.size() < 4'000 ? text : "");
    }
  }

  TemporaryFolder given_;
  const std::string db_ = in_folder("c.db");
  mutable int runs_ = 0;
};

// Addresses of a server that are valid, and those that people write by mistake.
std::vector<std::string> addresses(const std::string& user, const std::string& at) {
  const std::string access = user + ":" + secret;
  return {"http://" + access + "@" + at + "/x",
          "http://" + access + "/y@" + at + "/",
          "http://" + access + "#y@" + at,
          "http://" + access + " y@" + at,
          "ftp://" + access + "@" + at,
          "http://" + access + "@h:99999",
          "http://" + access + "@",
          access + "@" + at + "/x",
          access + "/y@" + at,
          "http:/" + access + "@" + at + "/",
          "https:" + access + "@" + at,
          "http:" + access + "@" + at,
          "http:\\\\" + access + "@" + at + "/x",
          "HTTP://" + access + "@[::1"};
}

TEST_F(PlantedSecrets, OfAProxyAreNowhere) {
  const std::uint16_t proxy = server.open({.manner = Manner::proxy, .proxy_credentials = "bob:" + secret});
  for (const std::string& address : addresses("bob", "127.0.0.1:" + std::to_string(proxy))) {
    for (const char* name : {"http_proxy", "ALL_PROXY"}) expect_hidden_by_get({url("/x")}, name, address);
    expect_hidden_by_get({url("/x")}, "ROBOTRULES_PROXY", address);
    expect_hidden({"check", "--allow-address", "127.0.0.0/8", "--json", url("/x")}, "http_proxy", address);
    expect_hidden({"lint", "--allow-address", "127.0.0.0/8", url("/robots.txt")}, "all_proxy", address);
    expect_hidden_by_get({"--proxy", address, url("/x")});
    expect_hidden_by_get({"--proxi=" + address, url("/x")});
    expect_hidden_by_get({"--config", given("config", "[get]\nproxy = '" + address + "'\n"), url("/x")});
  }
}

TEST_F(PlantedSecrets, OfADeadProxyAreNowhere) {
  const std::string address = "http://bob:" + secret + "@127.0.0.1:" + std::to_string(server.refuse());
  for (const char* name : {"http_proxy", "ALL_PROXY", "ROBOTRULES_PROXY"}) {
    expect_hidden_by_waiting_get({url("/x")}, name, address);
  }
  expect_hidden_by_waiting_get({"--proxy", address, url("/x")});
  for (const char* command : {"check", "lint", "show"}) {
    expect_hidden({command, "--allow-address", "127.0.0.0/8", "--json", url("/robots.txt")}, "http_proxy", address);
    expect_hidden({command, "--allow-address", "127.0.0.0/8", url("/robots.txt")}, "http_proxy", address);
  }
}

TEST_F(PlantedSecrets, OfAURLAreNowhere) {
  const std::string file = given("robots.txt", "User-agent: *\nDisallow: /x\n");
  for (const std::string& address : addresses("ann", "127.0.0.1:" + std::to_string(port))) {
    expect_hidden_by_get({address});
    expect_hidden_by_get({"--sitemap", address});
    expect_hidden_by_get({"--sitemaps", address});
    expect_hidden_by_get({"--input", "-"}, {}, {}, address + "\n{\"url\":\"" + address + "\"}\n");
    expect_hidden_by_get({"--input", address});
    expect_hidden({"get", "--from", "me@example.org", "--dry-run", "--explain", address});
    for (Words words :
         {Words{"check", address}, Words{"check", "--json", address}, Words{"check", "--robots", file, address},
          Words{"check", "--robots", file, "--json", address}, Words{"check", "--robots", address, "/x"},
          Words{"show", address}, Words{"show", address, address}, Words{"lint", address},
          Words{"lint", "--format", "sarif", address}, Words{"diff", address, file}, Words{"agents", address}}) {
      words.insert(words.begin() + 1, {"--allow-address", "127.0.0.0/8"});
      expect_hidden(words);
    }
    expect_hidden({"db", in_folder("rules.db"), "why", address});
    expect_hidden({"db", in_folder("rules.db"), "show", address});
    expect_hidden({"db", in_folder("rules.db"), "ls", address});
    expect_hidden({"batch"}, {}, {}, "{\"url\":\"" + address + "\"}\n");  // an answer has the members of its line
  }
}

TEST_F(PlantedSecrets, OfASiteAreNowhere) {
  const std::string site = url("");
  expect_hidden_by_get({"--user", site + "=ann:" + secret, url("/locked")});
  expect_hidden_by_get({"--user", secret, url("/locked")});
  expect_hidden_by_get({"--user", "http://ann:" + secret + "@a.localhost=", url("/locked")});
  expect_hidden_by_get({url("/locked")}, "ROBOTRULES_USER", site + "=ann:" + secret);
  const std::string host = "machine a.localhost login ann password " + secret + "\n";
  expect_hidden_by_get({"--netrc-file", given("netrc", host), url("/locked")});
  expect_hidden_by_get(
      {"--cookies", given("cookies", "a.localhost\tFALSE\t/\tFALSE\t0\tid\t" + secret + "\n"), url("/x")});
  expect_hidden_by_get({"--header", "Authorization: Bearer " + secret, url("/x")});
  expect_hidden_by_get({"--header", secret, url("/x")});
  expect_hidden_by_get({"--header", "X-\x01: " + secret, url("/x")});
  // The queue of a database keeps these fields with their URL.
  expect_hidden(line({"--input", "-", "--output", in_folder("fields.warc"), "--log", in_folder("fields.log")}), {}, {},
                "{\"url\":\"" + url("/x") + "\",\"headers\":{\"Authorization\":\"Bearer " + secret +
                    "\",\"Cookie\":\"id=" + secret + "\"}}\n");
  expect_hidden_by_get({"--client-cert", given("none.pem", ""), "--client-key-password", secret, url("/x")});
  expect_hidden_by_get({"--config", given("config", "[get]\nuser = ['" + secret + "', 5]\n"), url("/x")});
}

TEST_F(PlantedSecrets, OfADatabaseAreNowhere) {
  const std::string at = "127.0.0.1:" + std::to_string(server.refuse());
  for (const std::string scheme : {"redis://", "rediss://", "postgresql://"}) {
    const std::string away = scheme + "ann:" + secret + "@" + at + "/0";
    expect_hidden_by_waiting_get({"--db", away, url("/x")});
    expect_hidden_by_get({"--db", away + "?no_such=1", url("/x")});
    for (const std::string& name : {away, away + "?no_such=1"}) {
      expect_hidden({"db", name, "ls"});
      expect_hidden({"check", "--db", name, url("/x")});
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
