// robotrules get --revisit --dedup: an archive of many nights has each payload once, and each revisit record names the
// response record that has it.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/nights_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetNights : public NightsRig {
 protected:
  // The response and revisit records of a file, without robots.txt.
  static std::vector<ReadRecord> records_of(const std::string& path) {
    std::vector<ReadRecord> found;
    for (ReadRecord& record : read_warc(contents(path), Packing::gzip)) {
      const std::string type = record.get("WARC-Type");
      const bool is_one = type == "response" || type == "revisit";
      if (is_one && !record.get("WARC-Target-URI").ends_with("/robots.txt")) found.push_back(std::move(record));
    }
    return found;
  }
  // Those of one URL in all files, in their order.
  std::vector<ReadRecord> records_of_url(const std::string& url) const {
    std::vector<ReadRecord> found;
    for (const std::string& file : files_) {
      for (ReadRecord& record : records_of(file)) {
        if (record.get("WARC-Target-URI") == url) found.push_back(std::move(record));
      }
    }
    return found;
  }
  static std::vector<std::string> types_of(const std::vector<ReadRecord>& records) {
    std::vector<std::string> types;
    for (const ReadRecord& record : records) types.push_back(record.get("WARC-Type"));
    return types;
  }
  // Each revisit names one response record in the files, with the same payload and a whole body.
  void expect_sound_revisits() const {
    std::map<std::pair<std::string, std::string>, std::vector<ReadRecord>> named;
    for (const std::string& file : files_) {
      for (ReadRecord& record : records_of(file)) {
        named[{record.get("WARC-Target-URI"), record.get("WARC-Date")}].push_back(std::move(record));
      }
    }
    for (const auto& [place, there] : named) {
      for (const ReadRecord& record : there) {
        if (record.get("WARC-Type") != "revisit") continue;
        const auto found = named.find({record.get("WARC-Refers-To-Target-URI"), record.get("WARC-Refers-To-Date")});
        ASSERT_NE(found, named.end()) << place.first << " names no record";
        ASSERT_EQ(found->second.size(), 1U);
        const ReadRecord& original = found->second[0];
        EXPECT_EQ(original.get("WARC-Type"), "response") << place.first;
        EXPECT_EQ(original.get("WARC-Truncated"), "") << place.first;
        const std::string digest = record.get("WARC-Payload-Digest");
        if (place.first == url("/empty"))
          EXPECT_EQ(digest, "");
        else
          EXPECT_EQ(digest, original.get("WARC-Payload-Digest")) << place.first;
      }
    }
  }
  struct Sizes {
    std::size_t responses = 0;
    std::size_t revisits = 0;
    std::uintmax_t bytes = 0;
  };
  Sizes sizes_of(const std::string& file) const {
    const auto types = types_of(records_of(file));
    const Sizes sizes{static_cast<std::size_t>(std::count(types.begin(), types.end(), "response")),
                      static_cast<std::size_t>(std::count(types.begin(), types.end(), "revisit")),
                      std::filesystem::file_size(file)};
    std::cout << "night " << night_ << ": " << sizes.responses << " responses, " << sizes.revisits << " revisits, "
              << sizes.bytes << " bytes\n";
    return sizes;
  }
};

TEST_F(GetNights, LaterNightsHaveOnlyWhatChanged) {
  const std::size_t changing = 4;  // the page that changes, the one that is not found, the redirect, and its page
  const Sizes first = sizes_of(fetch_night());
  EXPECT_EQ(first.revisits, 3U + 1U) << "the copies among them, and of a page that is also behind a redirect";
  for (int later = 0; later < 2; ++later) {
    const Sizes next = sizes_of(fetch_night());
    EXPECT_EQ(next.responses, changing - 1);
    EXPECT_EQ(next.responses + next.revisits, first.responses + first.revisits);
    EXPECT_LT(next.bytes, first.bytes);
  }
  expect_sound_revisits();
}

TEST_F(GetNights, APageWithoutValidatorsThatHasNotChangedIsARevisit) {
  for (int i = 0; i < 3; ++i) fetch_night();
  EXPECT_EQ(types_of(records_of_url(url("/plain/0"))), (std::vector<std::string>{"response", "revisit", "revisit"}));
  EXPECT_EQ(types_of(records_of_url(url("/gzip"))), (std::vector<std::string>{"response", "revisit", "revisit"}));
  EXPECT_EQ(types_of(records_of_url(url("/changes"))), std::vector<std::string>(3, "response"));
}

// The copy of a body is a revisit. What confirms it later, by 304 or as a copy, names the response and not the copy.
TEST_F(GetNights, ACopyIsNeverAnOriginal) {
  for (int i = 0; i < 3; ++i) fetch_night();
  expect_sound_revisits();
  std::set<std::string> originals;
  std::size_t revisits = 0;
  for (const char* twin : {"/tagged-twin/1", "/tagged-twin/2"}) {
    for (const ReadRecord& record : records_of_url(url(twin))) {
      if (record.get("WARC-Type") != "revisit") continue;
      ++revisits;
      originals.insert(record.get("WARC-Refers-To-Target-URI") + record.get("WARC-Refers-To-Date"));
    }
  }
  EXPECT_EQ(revisits, 5U);
  EXPECT_EQ(originals.size(), 1U);
}

TEST_F(GetNights, APageThatFailedForANightIsARevisitAgain) {
  fetch_night();
  page("/plain/0", status(500));
  fetch_night({"--tries", "1"});
  page("/plain/0", reply(bodies_[url("/plain/0")]));
  fetch_night();
  EXPECT_EQ(types_of(records_of_url(url("/plain/0"))), (std::vector<std::string>{"response", "response", "revisit"}));
  expect_sound_revisits();
}

// A condition is about one URL: what a redirect leads to may be another page the next night.
TEST_F(GetNights, TheValidatorsOfARedirectsTargetAreNotThoseOfTheRedirect) {
  page("/b", tagged("two pages"));
  page("/c", tagged("of a size"));
  page("/moves", redirect(302, "/b"));
  page("/stays", redirect(302, "/b"));
  urls_ = {url("/moves"), url("/stays"), url("/gone")};
  fetch_night();
  page("/moves", redirect(302, "/c"));
  fetch_night();
  page("/moves", tagged("itself so"));
  fetch_night();
  EXPECT_EQ(types_of(records_of_url(url("/c"))), (std::vector<std::string>{"response"}));
  EXPECT_EQ(types_of(records_of_url(url("/moves"))), (std::vector<std::string>(3, "response")));
  EXPECT_EQ(types_of(records_of_url(url("/b"))),
            (std::vector<std::string>{"response", "revisit", "revisit", "revisit"}));
  for (const SeenRequest& request : server.witness().requests("/b"))
    EXPECT_EQ(request.header("If-None-Match"), std::nullopt);
  expect_sound_revisits();
}

TEST_F(GetNights, AnotherBodyIsAnotherOriginal) {
  fetch_night();
  add_page("/plain/0", reply("another"), "another");
  urls_.pop_back();
  fetch_night();
  fetch_night();
  const auto records = records_of_url(url("/plain/0"));
  ASSERT_EQ(types_of(records), (std::vector<std::string>{"response", "response", "revisit"}));
  EXPECT_EQ(records[2].get("WARC-Refers-To-Date"), records[1].get("WARC-Date"));
}

// The decoded body is cut, also if the record has all of the encoded one.
TEST_F(GetNights, ACutBodyIsNeverAnOriginal) {
  const std::string body(9'000, 'x');
  add_page("/long", reply(body), body);
  add_page("/packed", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed(Coding::gzip, body)}, body);
  fetch_night({"--max-size", "4k"});
  fetch_night({"--max-size", "4k"});
  fetch_night();
  fetch_night();
  for (const char* cut : {"/long", "/packed"}) {
    EXPECT_EQ(types_of(records_of_url(url(cut))),
              (std::vector<std::string>{"response", "response", "response", "revisit"}))
        << cut;
  }
  expect_sound_revisits();
}

// A page that is redirected has its record under another URL, which may be another one the next time.
TEST_F(GetNights, TheOriginalOfARedirectedPageHasItsOwnUrl) {
  for (const char* next : {"/new/1", "/new/2"}) page(next, reply("moved"));
  page("/moved", redirect(302, "/new/1"));
  urls_ = {url("/moved"), url("/gone")};
  fetch_night();
  page("/moved", redirect(302, "/new/2"));
  fetch_night();
  const auto records = records_of_url(url("/new/2"));
  ASSERT_EQ(types_of(records), std::vector<std::string>{"revisit"});
  EXPECT_EQ(records[0].get("WARC-Refers-To-Target-URI"), url("/new/1"));
  expect_sound_revisits();
}

// Without --dedup only a 304 is a revisit.
TEST_F(GetNights, WithoutDedupACopyIsWrittenInFull) {
  const Words words{url("/plain/0"), url("/tagged/0"), "--db", in_folder("c.db"), "--job", "full"};
  for (const char* name : {"1.warc.gz", "2.warc.gz"}) {
    Words night = words;
    night.insert(night.end(), {"--output", in_folder(name), "--retry"});
    if (name[0] == '2') night.emplace_back("--revisit");
    EXPECT_EQ(get(night).status, 0);
    files_.push_back(in_folder(name));
  }
  EXPECT_EQ(types_of(records_of_url(url("/plain/0"))), std::vector<std::string>(2, "response"));
  EXPECT_EQ(types_of(records_of_url(url("/tagged/0"))), (std::vector<std::string>{"response", "revisit"}));
  expect_sound_revisits();
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
