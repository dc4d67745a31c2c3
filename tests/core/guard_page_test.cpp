// Nothing outside the bytes given is read: not a NUL behind them, not a byte before them.
#include <gtest/gtest.h>

#include <robotrules/core.hpp>
#include <robotrules/diagnose.hpp>

#include "core/check.hpp"
#include "support/guarded_pages.hpp"
#include "support/random_robots.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// What one reading of a file says, as text: compared between a guarded copy and an ordinary one.
std::string reading(std::string_view robots, std::string_view agent, std::string_view url, const Dialect& dialect) {
  std::string out;
  const auto say = [&](const Verdict& verdict) {
    out += verdict.explanation() + "|" + std::to_string(verdict.line()) + "|";
  };
  const RobotsTxt file = RobotsTxt::parse(robots, dialect, "https://foo.example/robots.txt");
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive directive = file.directive(i);
    out.append(directive.name).append("=").append(directive.value).append("@");
    out += std::to_string(directive.line) + ":" + std::to_string(directive.value_column) + "\n";
  }
  for (const Sitemap& sitemap : file.sitemaps()) out += sitemap.url + "\n";
  for (const Diagnostic& found : diagnose(file)) out += found.message + found.remedy + "\n";
  const Rules whole = file.rules_for(agent);
  say(whole.check(url));
  const Rules rules = Rules::compile(robots, agent, dialect, "https://foo.example/robots.txt");
  say(rules.check(url));
  const Usage usage = rules.usage(url);
  out += to_string(usage.content_signal.search);
  out += to_string(usage.content_usage.search);
  return out;
}

void compare(GuardedPages& pages, GuardedPages& url_pages, std::string_view robots, std::string_view agent,
             std::string_view url) {
  for (const Dialect& dialect : Dialect::presets()) {
    const std::string plain = reading(robots, agent, url, dialect);
    ASSERT_EQ(plain, reading(pages.at_end(robots), agent, url_pages.at_end(url), dialect)) << dialect.name;
    ASSERT_EQ(plain, reading(pages.at_start(robots), agent, url_pages.at_start(url), dialect)) << dialect.name;
  }
}

// Every size to 200, and those at which blocks of 16, 32, 64 and 4,096 bytes end.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (std::size_t size = 0; size <= 200; ++size) all.push_back(size);
  for (std::size_t block = 208; block <= 1'024; block += 16) all.insert(all.end(), {block - 1, block, block + 1});
  for (const std::size_t block : {2'048, 4'032, 4'096, 4'128, 4'160, 8'192, 12'288}) {
    all.insert(all.end(), {block - 1, block, block + 1});
  }
  return all;
}

TEST(GuardPages, RandomFilesOfEverySize) {
  GuardedPages pages(16'384);
  GuardedPages url_pages(16'384);
  RandomRobots random(1);
  for (const std::size_t size : sizes()) {
    const int files = size <= 200 ? 12 : 3;
    for (int i = 0; i < files; ++i) {
      compare(pages, url_pages, random.file(size), random.agent(), random.url(random.below(120)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(GuardPages, UrlsOfEverySize) {
  GuardedPages pages(65'536);
  RandomRobots random(2);
  const std::string robots =
      "User-agent: *\nDisallow: /a*b\nAllow: /%7e\nDisallow: *index.html$\nDisallow: /*\xC3\xBC\nContent-Usage: /a "
      "ai-use=n\n";
  for (const Dialect& dialect : Dialect::presets()) {
    const Rules rules = Rules::compile(robots, "FooBot", dialect);
    for (const std::size_t size : sizes()) {
      for (int i = 0; i < 8; ++i) {
        const std::string url = random.url(size);
        const Verdict plain = rules.check(url);
        const Verdict at_end = rules.check(pages.at_end(url));
        const Usage usage = rules.usage(url);
        ASSERT_EQ(usage, rules.usage(pages.at_end(url)));
        ASSERT_EQ(plain.access(), at_end.access());
        ASSERT_EQ(plain.line(), at_end.line());
        const Verdict at_start = rules.check(pages.at_start(url));
        ASSERT_EQ(plain.access(), at_start.access());
        ASSERT_EQ(plain.line(), at_start.line());
        ASSERT_EQ(Origin::of(url), Origin::of(pages.at_end(url)));
        ASSERT_EQ(Origin::of(url), Origin::of(pages.at_start(url)));
      }
    }
  }
}

TEST(GuardPages, AgentsAndValuesOfEverySize) {
  GuardedPages pages(4'096);
  RandomRobots random(3);
  const std::string robots = "User-agent: FooBot\nUser-agent: MJ12bot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";
  for (std::size_t size = 0; size <= 200; ++size) {
    for (int i = 0; i < 8; ++i) {
      const std::string value = i % 2 == 0 ? random.file(size) : random.url(size);
      for (const std::string_view guarded : {pages.at_end(value), pages.at_start(value)}) {
        for (const Dialect& dialect : Dialect::presets()) {
          ASSERT_EQ(check(Rules::compile(robots, value, dialect), "/x").access(),
                    check(Rules::compile(robots, guarded, dialect), "/x").access());
        }
        ASSERT_EQ(product_tokens(value).size(), product_tokens(guarded).size());
        ASSERT_EQ(is_product_token(value), is_product_token(guarded));
        ASSERT_EQ(leading_product_token(value).size(), leading_product_token(guarded).size());
        ASSERT_EQ(parse_crawl_delay(value), parse_crawl_delay(guarded));
        ASSERT_EQ(parse_visit_time(value), parse_visit_time(guarded));
        ASSERT_EQ(parse_request_rate(value), parse_request_rate(guarded));
        ASSERT_EQ(parse_clean_param(value), parse_clean_param(guarded));
        ASSERT_EQ(parse_content_signal(value), parse_content_signal(guarded));
        const auto usage = parse_content_usage(value);
        ASSERT_EQ(usage, parse_content_usage(guarded));
        ASSERT_EQ(Dialect::find(value), Dialect::find(guarded));
      }
    }
  }
}

// Values that are well formed up to their very last byte, and each of their beginnings.
TEST(GuardPages, ValuesCutAtEveryByte) {
  GuardedPages pages(4'096);
  for (const std::string_view whole :
       {"100/15m 1800-1900", "0600 - 0845", "86400.000", "ref&sid /some_dir/get_book.pl", "search=yes, ai-input=no",
        "/private/ train-ai=n;a=1, search=\"y\"", "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)",
        "https://[2001:db8::1]:8080/x", "http://user:pw@foo.example:080/"}) {
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const std::string value(whole.substr(0, size));
      const std::string_view guarded = pages.at_end(value);
      EXPECT_EQ(parse_request_rate(value), parse_request_rate(guarded)) << value;
      EXPECT_EQ(parse_visit_time(value), parse_visit_time(guarded)) << value;
      EXPECT_EQ(parse_crawl_delay(value), parse_crawl_delay(guarded)) << value;
      EXPECT_EQ(parse_clean_param(value), parse_clean_param(guarded)) << value;
      EXPECT_EQ(parse_content_signal(value), parse_content_signal(guarded)) << value;
      EXPECT_EQ(parse_content_usage(value), parse_content_usage(guarded)) << value;
      EXPECT_EQ(product_tokens(value), product_tokens(guarded)) << value;
      EXPECT_EQ(Origin::of(value), Origin::of(guarded)) << value;
    }
  }
}

// google/robotstxt pull request 86: a string_view was read up to a NUL that may be missing.
TEST(GuardPages, NoNulIsNeeded) {
  constexpr std::string_view closed = "User-agent: *\nDisallow: /";
  GuardedPages pages(4'096);
  for (const std::string_view text :
       {"u", "user-agent", "user-agent:", "User-agent: *", "User-agent: *\nDisallow",
        "User-agent: *\nDisallow:", "User-agent: *\nDisallow: /x", "User-agent: *\nDisallow: /%4",
        "User-agent: *\nDisallow /", "\xEF", "\xEF\xBB", "\xEF\xBB\xBF", "#", "\r"}) {
    const std::string_view exact = pages.at_end(text);
    for (const Dialect& dialect : Dialect::presets()) {
      EXPECT_EQ(reading(exact, "FooBot", "/xy", dialect), reading(text, "FooBot", "/xy", dialect)) << text;
      EXPECT_EQ(reading(closed, "FooBot", exact, dialect), reading(closed, "FooBot", text, dialect)) << text;
      EXPECT_EQ(reading(closed, exact, "/", dialect), reading(closed, text, "/", dialect)) << text;
    }
  }
}

// A file cut at each byte: keys, escapes, line ends and byte order marks that stop in the middle.
TEST(GuardPages, OneFileCutAtEveryByte) {
  const std::string whole =
      "\xEF\xBB\xBFUser-agent: FooBot # us\r\nDisallow: /a%2\r\nAllow: /*.html$\nUser-agent:*\rDisallow /\xC3\xBC%ff\n"
      "Crawl-delay: 1.5\nSitemap: http://foo.example/s.xml\nContent-Signal: ai-train=no\n<html";
  GuardedPages pages(4'096);
  GuardedPages url_pages(4'096);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    compare(pages, url_pages, std::string_view(whole).substr(0, size), "FooBot", "http://foo.example/a%2/x.html");
    if (HasFatalFailure()) return;
  }
  std::string wide = "\xFF\xFE";
  for (const char c : whole) wide += {c, '\0'};
  for (std::size_t size = 0; size <= wide.size(); ++size) {
    compare(pages, url_pages, std::string_view(wide).substr(0, size), "FooBot", "http://foo.example/a%2/x.html");
    if (HasFatalFailure()) return;
  }
}

TEST(GuardPages, FilesOfTheProject) {
  std::vector<std::filesystem::path> files = files_under(source_folder() / "tests" / "conformance");
  for (const auto& path : files_under(source_folder() / "fuzz" / "corpus")) files.push_back(path);
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    const std::string robots = bytes_of(path);
    GuardedPages pages(robots.size());
    GuardedPages url_pages(4'096);
    SCOPED_TRACE(path.string());
    compare(pages, url_pages, robots, "FooBot", "https://foo.example/a/b?c=d#e");
    if (HasFatalFailure()) return;
  }
}

TEST(GuardPages, StoredFiles) {
  const auto files = files_under(optional_folder("ROBOTRULES_CORPUS", "corpus"));
  if (files.empty()) GTEST_SKIP() << "no stored robots.txt files here: set ROBOTRULES_CORPUS to a folder of them";
  GuardedPages url_pages(4'096);
  const std::string_view url = url_pages.at_end("https://foo.example/search/a?b=c&d=%7e");
  for (const auto& path : files) {
    const std::string robots = bytes_of(path);
    GuardedPages pages(robots.size());
    for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
      ASSERT_EQ(reading(robots, "Googlebot", url, dialect), reading(pages.at_end(robots), "Googlebot", url, dialect))
          << path;
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
