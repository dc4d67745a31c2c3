// What the code of a name lookup says, and how long it is waited for.
#include "http/curl/name_check.hpp"

#include <gtest/gtest.h>
#include <netdb.h>

#include <future>
#include <optional>
#include <utility>
#include <vector>

namespace robotrules::agent {
namespace {

using namespace std::chrono_literals;

std::optional<NameAnswer> told_of(NameLookup lookup, std::chrono::milliseconds patience = 60s) {
  const auto context = std::make_shared<boost::asio::io_context>();
  std::optional<NameAnswer> told;
  const auto work = boost::asio::make_work_guard(*context);
  const NameCheck check(
      context, "a.test",
      [&](NameAnswer answer) {
        told = answer;
        context->stop();
      },
      std::move(lookup), patience);
  context->run_for(120s);
  return told;
}

TEST(NameCheck, OnlyAnAnswerThatTheNameIsNotThereMakesItUnknown) {
  EXPECT_EQ(told_of([](const std::string&) { return EAI_NONAME; }), NameAnswer::unknown);
#ifdef EAI_NODATA
  EXPECT_EQ(told_of([](const std::string&) { return EAI_NODATA; }), NameAnswer::unknown);
#endif
#ifdef EAI_ADDRFAMILY
  EXPECT_EQ(told_of([](const std::string&) { return EAI_ADDRFAMILY; }), NameAnswer::unknown);
#endif
  for (const int code : {0, EAI_AGAIN, EAI_FAIL}) {
    EXPECT_EQ(told_of([code](const std::string&) { return code; }), NameAnswer::none) << code;
  }
  for (const int code : {EAI_SYSTEM, EAI_MEMORY}) {
    EXPECT_EQ(told_of([code](const std::string&) { return code; }), NameAnswer::ours) << code;
  }
}

TEST(NameCheck, AsksForTheHost) {
  std::promise<std::string> asked;
  EXPECT_TRUE(told_of([&](const std::string& host) {
                asked.set_value(host);
                return EAI_NONAME;
              }).has_value());
  EXPECT_EQ(asked.get_future().get(), "a.test");
}

TEST(NameCheck, ANameServerThatDoesNotAnswerIsNotWaitedFor) {
  const auto open = std::make_shared<std::promise<void>>();
  const std::shared_future<void> gate = open->get_future().share();
  EXPECT_EQ(told_of(
                [gate](const std::string&) {
                  gate.wait();
                  return EAI_NONAME;
                },
                1ms),
            NameAnswer::none);
  open->set_value();
}

TEST(NameCheck, DestroyedItTellsNothing) {
  const auto context = std::make_shared<boost::asio::io_context>();
  bool told = false;
  std::promise<void> looked;
  {
    const NameCheck check(
        context, "a.test", [&](NameAnswer) { told = true; },
        [&](const std::string&) {
          looked.set_value();
          return EAI_NONAME;
        });
    looked.get_future().wait();
  }
  context->run_for(1s);
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace robotrules::agent
