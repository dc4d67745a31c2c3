// WARC outputs with a limit on the size of a file: their files, and what is found in them after their writer was
// killed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include <nlohmann/json.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>

#include "archive/recover.hpp"
#include "archive/warc_parts.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"
#include "support/killed_writer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using archive::number_of;
using archive::part_position;
using archive::PartPosition;
using archive::RecoveredPage;

bool is_before(const PartPosition& a, const PartPosition& b) {
  return a.part != b.part ? a.part < b.part : a.size < b.size;
}

std::string url_of(int number) { return "http://a.test/" + std::to_string(number); }

Response page(int number, std::string body = "") {
  return answered(url_of(number), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
                  body.empty() ? "body " + std::to_string(number) : std::move(body));
}

Result<void> write(PageOutput& output, const Response& page) {
  return output.write({.response = page, .url = page.url, .method = page.method});
}

class WarcParts : public ::testing::TestWithParam<const char*> {
 protected:
  std::string name() const { return folder.path() + "/" + GetParam(); }
  static Packing packing() { return read_output_name(GetParam()).value().packing; }
  std::string part(std::uint32_t number) const { return archive::part_path(name(), number); }
  std::unique_ptr<PageOutput> open(const OutputOptions& options) const {
    auto output = open_output(name(), options);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? std::move(output).value() : nullptr;
  }
  std::unique_ptr<PageOutput> open(std::uint64_t max_size) const { return open({.max_file_size = max_size}); }
  // A limit with which a file has two pages.
  std::uint64_t two_pages() const {
    const TemporaryFolder other;
    const auto output = open_output(other.path() + "/" + GetParam()).value();
    EXPECT_TRUE(write(*output, page(1)).ok());
    return output->position() + 100;  // sizes of compressed records differ a little
  }
  std::vector<std::string> files() const { return output_files(name(), {.max_file_size = 1}).value(); }
  std::vector<ReadRecord> records_of(const std::string& path) const { return read_warc(contents(path), packing()); }
  // The URLs of the pages in all files.
  std::vector<std::string> pages() const {
    std::vector<std::string> urls;
    for (const std::string& path : files()) {
      for (const ReadRecord& record : records_of(path)) {
        if (record.get("WARC-Type") == "response") urls.push_back(record.get("WARC-Target-URI"));
      }
    }
    return urls;
  }
  static std::vector<std::string> urls_of(int first, int last) {
    std::vector<std::string> urls;
    for (int number = first; number <= last; ++number) urls.push_back(url_of(number));
    return urls;
  }
  Result<archive::Recovered> recover(std::optional<PartPosition> from) {
    found.clear();
    return archive::recover_parts(name(), packing(), from,
                                  [this](const RecoveredPage& page) { found.push_back(page.url); });
  }

  TemporaryFolder folder;
  std::vector<std::string> found;
};

TEST_P(WarcParts, AFileThatHasTheSizeIsFollowedByAnother) {
  using Case = std::pair<std::uint64_t, std::size_t>;
  for (const auto& [limit, count] : {Case{1, 5}, Case{two_pages(), 3}, Case{std::uint64_t{1} << 30, 1}}) {
    {
      const auto output = open(limit);
      for (int number = 1; number <= 5; ++number) ASSERT_TRUE(write(*output, page(number)).ok());
      std::uint64_t size = 0;
      for (const std::string& path : files()) size += std::filesystem::file_size(path);
      EXPECT_EQ(output->size(), size);
    }
    EXPECT_EQ(pages(), urls_of(1, 5));
    ASSERT_EQ(files().size(), count);
    for (const std::string& path : files()) {
      const auto records = records_of(path);
      const auto& info = records.at(0);
      EXPECT_EQ(info.get("WARC-Type"), "warcinfo");
      EXPECT_EQ(info.get("WARC-Filename"), path.substr(path.rfind('/') + 1));
      for (std::size_t i = 1; i < records.size(); ++i) {
        EXPECT_EQ(records[i].get("WARC-Warcinfo-ID"), info.get("WARC-Record-ID"));
        EXPECT_EQ(records[i].get("WARC-Type"), (std::array{"metadata", "response", "request"}[i % 3])) << "whole pages";
      }
      std::filesystem::remove(path);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(name()));
}

TEST_P(WarcParts, ALaterRunContinuesTheLastFileIfItIsNotFull) {
  const std::uint64_t limit = two_pages();
  for (int number = 1; number <= 5; ++number) ASSERT_TRUE(write(*open(limit), page(number)).ok());
  EXPECT_EQ(pages(), urls_of(1, 5));
  EXPECT_EQ(files(), (std::vector<std::string>{part(0), part(1), part(2)}));
}

TEST_P(WarcParts, FilesThatWereMovedAwayAreNotMissed) {
  for (int number = 1; number <= 3; ++number) ASSERT_TRUE(write(*open(1), page(number)).ok());
  std::filesystem::remove(part(0));
  std::filesystem::remove(part(1));
  const auto recovered = recover(PartPosition{2, 0});
  ASSERT_TRUE(recovered.ok()) << recovered.error().message;
  EXPECT_EQ(found, urls_of(3, 3));
  const auto output = open(1);
  ASSERT_TRUE(write(*output, page(4)).ok());
  EXPECT_EQ(files(), (std::vector<std::string>{part(2), part(3)}));
}

TEST_P(WarcParts, HaveOneWriterAtATime) {
  const auto first = open(1);
  for (int number = 1; number <= 2; ++number) {
    ASSERT_TRUE(write(*first, page(number)).ok());
    const auto second = open_output(name(), {.max_file_size = 1});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, "output-busy");
  }
}

TEST_P(WarcParts, IfTheNextFileCannotBeBegunNothingIsLost) {
  const auto output = open(1);
  ASSERT_TRUE(write(*output, page(1)).ok());
  const auto before = output->position();
  std::filesystem::create_directory(part(1));
  for (int i = 0; i < 2; ++i) {
    const auto wrote = write(*output, page(2));
    ASSERT_FALSE(wrote.ok());
    EXPECT_EQ(wrote.error().code, "output-failed");
    EXPECT_EQ(output->position(), before);
  }
  std::filesystem::remove(part(1));
  ASSERT_TRUE(write(*output, page(2)).ok());
  EXPECT_EQ(pages(), urls_of(1, 2));
}

// The files that a killed process leaves, for every byte that it wrote last. `known` is what the queue knew: also a
// position in a file after which others were begun.
TEST_P(WarcParts, EachWholePageIsFoundWhereverTheWriterWasKilled) {
  const std::uint64_t limit = two_pages();
  std::vector<PartPosition> ends{PartPosition{}};  // of the pages; ends[0] is the beginning
  {
    const auto output = open(limit);
    for (int number = 1; number <= 5; ++number) {
      ASSERT_TRUE(write(*output, page(number)).ok());
      ends.push_back(*part_position(output->position()));
    }
  }
  ASSERT_EQ(files().size(), 3U);
  std::vector<std::string> whole;
  for (const std::string& path : files()) whole.push_back(contents(path));
  for (const std::string& path : files()) std::filesystem::remove(path);
  for (std::uint32_t last = 0; last < 3; ++last) {
    for (std::size_t size = 0; size <= whole[last].size(); ++size) {
      const PartPosition killed{last, size};
      for (std::size_t known = 0; known < ends.size(); ++known) {
        if (is_before(killed, ends[known])) continue;
        if (size % 7 != 0 && known != 2) continue;  // ends[2] is the end of a full file
        put_file(part(last), whole[last].substr(0, size));
        std::size_t complete = known;
        while (complete + 1 < ends.size() && !is_before(killed, ends[complete + 1])) ++complete;
        const std::uint64_t end = ends[complete].part == last ? ends[complete].size : 0;
        const auto recovered = recover(ends[known]);
        ASSERT_TRUE(recovered.ok()) << recovered.error().message;
        ASSERT_EQ(found, urls_of(static_cast<int>(known) + 1, static_cast<int>(complete))) << last << ' ' << size;
        ASSERT_EQ(recovered.value().position, number_of({last, end}));
        ASSERT_EQ(recovered.value().cut, size - end);
        ASSERT_EQ(std::filesystem::file_size(part(last)), end);
        if (size % 70 != 0) continue;
        ASSERT_TRUE(write(*open(limit), page(6)).ok());
        std::vector<std::string> all = urls_of(1, static_cast<int>(complete));
        all.push_back(url_of(6));
        ASSERT_EQ(pages(), all);
        std::filesystem::remove(part(last + 1));
      }
    }
    put_file(part(last), whole[last]);
  }
}

TEST_P(WarcParts, KeepEachPageThatWasWrittenWhenTheWriterIsKilled) {
  PartPosition from;
  for (int round = 0; round < 3; ++round) {
    const std::size_t told = run_until_killed(30U + 13U * static_cast<unsigned>(round), [&](const auto& tell) {
      auto output = open_output(name(), {.cdx = true, .max_file_size = 10'000});
      for (int i = 0; output.ok() && write(*output.value(), page(i)).ok() && tell(); ++i) {
      }
    });
    ASSERT_GT(told, 0U);
    const auto recovered = recover(from);
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    ASSERT_GE(found.size(), told);
    ASSERT_LE(found.size(), told + 1);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], url_of(static_cast<int>(i)));
    from = *part_position(recovered.value().position);
  }
  const std::size_t count = pages().size();
  ASSERT_TRUE(open({.cdx = true, .max_file_size = 10'000})->complete().ok());
  std::size_t lines = 0;
  for (const std::string& path : files()) {
    const auto indexed = lines_of(contents(path.substr(0, path.rfind(".warc")) + ".cdxj"));
    EXPECT_TRUE(std::is_sorted(indexed.begin(), indexed.end())) << path;
    lines += indexed.size();
  }
  EXPECT_EQ(lines, count);
}

TEST_P(WarcParts, DamageBeforeTheLastFileIsAnErrorAndChangesNothing) {
  for (int number = 1; number <= 3; ++number) ASSERT_TRUE(write(*open(1), page(number)).ok());
  const std::string whole = contents(part(1));
  put_file(part(1), whole.substr(0, whole.size() - 1));
  const auto recovered = recover(PartPosition{0, std::filesystem::file_size(part(0))});
  ASSERT_FALSE(recovered.ok());
  EXPECT_EQ(recovered.error().code, "output-damaged");
  EXPECT_NE(recovered.error().message.find(part(1)), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(part(1)), whole.size() - 1);
  EXPECT_TRUE(std::filesystem::exists(part(2)));
}

TEST_P(WarcParts, PagesThatTheQueueBelievesInAreMissed) {
  ASSERT_TRUE(write(*open(1), page(1)).ok());
  for (const PartPosition& known : {PartPosition{0, 1'000'000}, PartPosition{1, 1}}) {
    const auto recovered = recover(known);
    ASSERT_FALSE(recovered.ok());
    EXPECT_EQ(recovered.error().code, "output-shorter");
  }
  EXPECT_TRUE(recover(PartPosition{1, 0}).ok()) << "a file is begun before its first page";
}

TEST_P(WarcParts, TheLastFileOfAnotherCrawlIsCheckedAndNotCut) {
  for (int number = 1; number <= 2; ++number) ASSERT_TRUE(write(*open(1), page(number)).ok());
  auto recovered = recover(std::nullopt);
  ASSERT_TRUE(recovered.ok());
  EXPECT_EQ(recovered.value().position, number_of({1, std::filesystem::file_size(part(1))}));
  const std::string torn = contents(part(1)) + "WARC/1.1\r\nWARC-";
  put_file(part(1), torn);
  recovered = recover(std::nullopt);
  ASSERT_FALSE(recovered.ok());
  EXPECT_EQ(recovered.error().code, "output-damaged");
  EXPECT_EQ(contents(part(1)), torn);
}

TEST_P(WarcParts, ACopyRefersToAnEarlierFile) {
  {
    const auto output = open({.dedup = true, .max_file_size = 1});
    for (int number = 1; number <= 2; ++number) ASSERT_TRUE(write(*output, page(number, "the same")).ok());
  }
  const ReadRecord copy = records_of(part(1)).at(1);
  EXPECT_EQ(copy.get("WARC-Type"), "revisit");
  EXPECT_EQ(copy.get("WARC-Refers-To-Target-URI"), url_of(1));
}

TEST_P(WarcParts, EachHasAnIndexWhichIsMadeAgainIfItIsMissingOrOld) {
  const auto index_of = [&](std::uint32_t number) {
    return folder.path() + "/a-0000" + std::to_string(number) + ".cdxj";
  };
  const auto expect_indexes = [&] {
    for (std::uint32_t number = 0; number < 3; ++number) {
      const auto lines = lines_of(contents(index_of(number)));
      ASSERT_EQ(lines.size(), 1U) << number;
      const auto facts = nlohmann::json::parse(lines[0].substr(lines[0].find('{')));
      EXPECT_EQ(facts["url"], url_of(static_cast<int>(number) + 1));
      EXPECT_EQ(facts["filename"], part(number).substr(part(number).rfind('/') + 1));
    }
  };
  const OutputOptions options{.cdx = true, .max_file_size = 1};
  {
    const auto output = open(options);
    for (int number = 1; number <= 3; ++number) ASSERT_TRUE(write(*output, page(number)).ok());
    ASSERT_TRUE(output->complete().ok());
  }
  expect_indexes();
  std::filesystem::remove(index_of(0));
  put_file(index_of(1), "");
  std::filesystem::last_write_time(index_of(1), std::filesystem::last_write_time(part(1)) - std::chrono::seconds(1));
  ASSERT_TRUE(open(options)->complete().ok());
  expect_indexes();
}

class ResumeParts : public WarcParts {
 protected:
  void SetUp() override {
    std::vector<QueuedUrl> urls;
    for (const std::string& url : urls_of(1, 9)) urls.push_back({url});
    ASSERT_TRUE(queue->add(urls).ok());
  }
  std::uint64_t resumed(const OutputOptions& options) {
    const auto settled = resume(*queue, name(), "", options);
    EXPECT_TRUE(settled.ok()) << settled.error().message;
    return settled.ok() ? settled.value() : 0;
  }
  std::unique_ptr<UrlQueue> queue = open_url_queue("").value();
};

TEST_P(ResumeParts, SettlesThePagesOfAllFilesAfterThePosition) {
  const OutputOptions options{.max_file_size = 1};
  {
    const auto output = open(options);
    ASSERT_TRUE(queue->settle({}, OutputPosition{name(), output->position()}).ok());
    for (int number = 1; number <= 4; ++number) ASSERT_TRUE(write(*output, page(number)).ok());
  }
  EXPECT_EQ(resumed(options), 4U);
  EXPECT_EQ(queue->counts().value().done, 4U);
  EXPECT_EQ(queue->output_position(name()).value(), number_of({3, std::filesystem::file_size(part(3))}));
  EXPECT_EQ(resumed(options), 0U);
}

// The option of a later run may differ from that of the run that was killed.
TEST_P(ResumeParts, FindsThePagesOfARunWithOneFileAndOfARunWithSeveral) {
  const auto run = [&](std::uint64_t max_file_size, int number) {
    const OutputOptions options{.max_file_size = max_file_size};
    const std::uint64_t settled = resumed(options);
    const auto output = open(options);
    EXPECT_TRUE(queue->settle({}, OutputPosition{name(), output->position()}).ok());
    EXPECT_TRUE(write(*output, page(number)).ok());
    return settled;
  };
  EXPECT_EQ(run(0, 1), 0U);
  EXPECT_EQ(run(1, 2), 1U);
  EXPECT_EQ(run(1, 3), 1U);
  EXPECT_EQ(run(0, 4), 1U);
  EXPECT_EQ(run(1, 5), 1U);
  EXPECT_EQ(resumed({}), 1U);
  EXPECT_EQ(queue->counts().value().done, 5U);
  EXPECT_EQ(pages(), (std::vector<std::string>{url_of(2), url_of(3), url_of(5)}));
}

constexpr const char* names[] = {"a.warc", "a.warc.gz", "a.warc.zst"};
const auto packing_name = [](const auto& info) { return std::string(std::array{"none", "gzip", "zstd"}[info.index]); };
INSTANTIATE_TEST_SUITE_P(Packings, WarcParts, ::testing::ValuesIn(names), packing_name);
INSTANTIATE_TEST_SUITE_P(Packings, ResumeParts, ::testing::ValuesIn(names), packing_name);

TEST(PartPosition, IsANumberThatIsNotTheSizeOfAFile) {
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{4'711}, std::uint64_t{1} << 60}) {
    EXPECT_EQ(part_position(size), std::nullopt);
  }
  for (const std::uint32_t part : {0U, 1U, archive::max_parts - 1}) {
    for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, archive::max_part_size - 1}) {
      const auto read = part_position(number_of({part, size}));
      ASSERT_TRUE(read.has_value());
      EXPECT_EQ(read->part, part);
      EXPECT_EQ(read->size, size);
    }
  }
}

TEST(PartPath, HasTheNumberBeforeTheEnding) {
  EXPECT_EQ(archive::part_path("a/pages.warc.gz", 0), "a/pages-00000.warc.gz");
  EXPECT_EQ(archive::part_path("x.warc.d/p.warc", 12), "x.warc.d/p-00012.warc");
  EXPECT_EQ(archive::part_path("p.warc.zst", 99'999), "p-99999.warc.zst");
}

TEST(ExistingParts, AreTheFilesWithThatNameAndFiveDigits) {
  const TemporaryFolder folder;
  for (const char* file : {"p-00007.warc.gz", "p-00000.warc.gz", "p.warc.gz", "p-0001.warc.gz", "p-00002.warc",
                           "p-000x3.warc.gz", "q-00004.warc.gz", "p-00005.warc.gz.new"}) {
    folder.file(file, "");
  }
  EXPECT_EQ(archive::existing_parts(folder.path() + "/p.warc.gz").value(), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_TRUE(archive::existing_parts(folder.path() + "/none/p.warc.gz").value().empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
