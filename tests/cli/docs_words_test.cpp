// The pages explain each word that the command prints, and no other.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <robotrules/message.hpp>
#include <robotrules/page_output.hpp>

#include "base/store_settings.hpp"
#include "cli/exposition.hpp"
#include "cli/get_site.hpp"
#include "support/archive/fetched.hpp"
#include "support/markdown.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Names = std::set<std::string>;

// Returns the words in backquotes of the first cells of a table.
Names first_cells(const MarkdownTable& table) {
  Names words;
  for (const auto& row : table) {
    for (const std::string& word : quoted_words(row[0])) EXPECT_TRUE(words.insert(word).second) << word << " is twice";
  }
  return words;
}

// Returns the names of an enumeration. A number that is not of the enumeration has a name that another one has, or one
// that is always the same.
template <class Enum>
Names names_of(const std::string& no_name) {
  Names words;
  for (int i = 0; i < 255; ++i) {
    if (words.insert(std::string(to_string(static_cast<Enum>(i)))).second) continue;
    words.erase(no_name);
    return words;
  }
  ADD_FAILURE() << "the enumeration has no end";
  return words;
}

Names words_below(const std::string& heading) {
  return first_cells(table_of(section_of(page_text("docs/get.md"), heading)));
}

TEST(DocsWords, OfWhyAreInTheTable) {
  Names words = names_of<ResponseSource>("unknown");
  words.merge(names_of<FailureCause>("none"));
  words.insert(page_whys.begin(), page_whys.end());
  EXPECT_EQ(words_below("### The words of `why`"), words);
}

TEST(DocsWords, OfWaitedForAreInTheTable) {
  EXPECT_EQ(words_below("### The words of `waited_for`"), names_of<WaitReason>("none"));
}

TEST(DocsWords, SettingsOfStoreNamesAreInTheTables) {
  const std::string page = page_text("docs/operations.md");
  EXPECT_EQ(first_cells(table_of(page, "| setting of `redis://`")),
            Names(base::redis_settings.begin(), base::redis_settings.end()));
  EXPECT_EQ(first_cells(table_of(page, "| setting of `postgresql://`")),
            Names(base::postgres_settings.begin(), base::postgres_settings.end()));
}

class DocsMetrics : public GetSite {
 protected:
  const std::string section = section_of(page_text("docs/get.md"), "### Metrics for Prometheus");
  const MarkdownTable table = table_of(section, "| metric");
};

TEST_F(DocsMetrics, OfACrawlAreInTheTableWithTheirTypesAndLabels) {
  server_.on("", "/page", test::reply("page"));
  const std::string file = in_folder("news.prom");
  EXPECT_EQ(run(get({"-w", "0", "-q", "-o", in_folder("o.ndjson"), "--metrics-file", file, url("a", "/page")})).status,
            0);
  Exposition found = read_exposition(contents(file));
  for (const char* end : {"robotrules_end_time_seconds", "robotrules_exit_status"}) {
    EXPECT_EQ(found.types.erase(end), 1U);
    EXPECT_NE(section.find("`" + std::string(end) + "`"), section.npos) << end;
  }
  std::map<std::string, std::string> documented;
  for (const auto& row : table) {
    const std::string name = quoted_words(row[0]).at(0);
    if (!name.ends_with("*")) documented[name] = row[1];
    if (name == "robotrules_failures_total" || name == "robotrules_responses_total") continue;
    const Names words = [&row] {
      const auto quoted = quoted_words(row[2]);
      return Names(quoted.begin(), quoted.end());
    }();
    for (const auto& [metric, value] : found.values) {  // name{crawl="news",result="done"}
      const auto at = metric.find(name == "robotrules_urls_total" ? "result=\"" : "outcome=\"");
      if (!metric.starts_with(name + "{") || at == metric.npos) continue;
      const auto begin = metric.find('"', at) + 1;
      EXPECT_TRUE(words.contains(metric.substr(begin, metric.find('"', begin) - begin))) << metric;
    }
  }
  EXPECT_EQ(documented, found.types);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
