// Crawls of the library at the servers of GetRig, with an output that only counts.
#pragma once

#include <chrono>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test {

class CountedOutput : public PageOutput {
 public:
  // `fails`: the disk is broken, so flush() fails.
  explicit CountedOutput(bool fails = false) : fails_(fails) {}
  Result<void> write(const FetchedPage&) override {
    ++written_;
    return {};
  }
  Result<void> flush() override {
    if (fails_) return Error{"output-failed", "the disk has gone"};
    flushed_ = written_;
    return {};
  }
  std::uint64_t position() const noexcept override { return written_; }
  PageNeeds needs() const noexcept override { return {}; }
  std::uint64_t flushed() const noexcept { return flushed_; }

 private:
  bool fails_;
  std::uint64_t written_ = 0;
  std::uint64_t flushed_ = 0;
};

class CrawlRig : public GetRig {
 protected:
  CrawlRig() { page("/*", reply("a page")); }

  // Without a delay between pages; loopback is allowed.
  static RobotUA make_robot(RobotUAOptions options = {}) {
    options.pace.delay = std::chrono::seconds(0);
    EXPECT_TRUE(options.http.connection.guard.allow("127.0.0.0/8").ok());
    return RobotUA::make("TestBot/1.0", "me@example.org", std::move(options)).value();
  }
  static void wait(Crawl& crawl) {
    while (!crawl.wait_for(std::chrono::seconds(1))) {
    }
  }
};

}  // namespace robotrules::test
