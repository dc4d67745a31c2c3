// Handlers as LWP::UserAgent's users have them: their order over several exchanges, and how they are found again.
#include <vector>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class LwpHandlers : public LocalAgent {
 protected:
  void SetUp() override {
    server.on("", "/here", redirect(302, "/there"));
    server.on("", "/there", reply("there"));
    server.on("", "/secret", [](const SeenRequest& request) {
      Reply asked = status(401);
      asked.headers.push_back({"WWW-Authenticate", "Basic realm=\"r\""});
      return request.header("Authorization") ? reply("secret") : asked;
    });
  }
  // A letter for each phase as it comes, as LWP's own test writes them.
  void log_to(UserAgent& ua) {
    const std::pair<Phase, char> phases[] = {{Phase::request_preprepare, 'P'}, {Phase::request_prepare, 'p'},
                                             {Phase::request_send, 's'},       {Phase::response_header, 'h'},
                                             {Phase::response_data, 'd'},      {Phase::response_done, 'D'},
                                             {Phase::response_redirect, 'r'}};
    for (const auto& [phase, letter] : phases) {
      ua.add_handler(phase, [this, letter = letter](HandlerCall&) {
        log += letter;
        return HandlerAnswer{};
      });
    }
  }
  static robotrules::Handler answers(int code) {
    return [code](HandlerCall&) {
      HandlerAnswer answer;
      answer.response.emplace();
      answer.response->code = code;
      return answer;
    };
  }
  static std::vector<std::uint64_t> numbers(const std::vector<AddedHandler>& handlers) {
    std::vector<std::uint64_t> found;
    for (const AddedHandler& handler : handlers) found.push_back(handler.number);
    return found;
  }
  std::string log;
};

TEST_F(LwpHandlers, RunInTheirOrderForEachExchange) {
  options.credentials = {{"a.test:" + std::to_string(port), "r", "me", "word"}};
  UserAgent ua = agent();
  log_to(ua);
  ua.get(url("/there"));
  EXPECT_EQ(log, "PpshdDr");
  log.clear();
  ua.get(url("/here"));
  EXPECT_EQ(log, "PpshDrPpshdDr");
  log.clear();
  EXPECT_EQ(ua.get(url("/secret")).body, "secret");
  EXPECT_EQ(log, "PpshDrPpshdDr");
  log.clear();
  ua.simple_request({.url = url("/here")});
  EXPECT_EQ(log, "PpshD");
  log.clear();
  EXPECT_EQ(ua.get("nonsense").source, ResponseSource::invalid_request);
  EXPECT_EQ(log, "PpDr");
}

TEST_F(LwpHandlers, AreNotRunAgainWhereAKeptConnectionDidNotAnswer) {
  UserAgent ua = agent();
  ua.get(url("/there"));
  server.on("", "/dropped", Script().reset());
  log_to(ua);
  ua.get(url("/dropped"));
  EXPECT_EQ(log, "PpsDr");
}

// As LWP's ua_handlers.t has it.
TEST_F(LwpHandlers, MayReplaceTheRequestBeforeAndAfterAnyResponse) {
  UserAgent ua = agent();
  ua.add_handler(Phase::request_send, answers(200));
  const auto prepare = ua.add_handler(Phase::request_prepare, [](HandlerCall& call) {
    *call.request = Request{.method = "POST", .url = "http://mmm.example.com/"};
    return HandlerAnswer{};
  });
  Response response = ua.get("http://www.example.com/");
  EXPECT_EQ(response.method, "POST");
  EXPECT_EQ(response.url, "http://mmm.example.com/");
  ua.remove_handler(prepare);
  ua.add_handler(Phase::response_redirect, [](HandlerCall&) {
    HandlerAnswer answer;
    answer.request = Request{.method = "PUT", .url = "http://put.example.com/"};
    return answer;
  });
  response = ua.get("http://www.example.com/");
  EXPECT_EQ(response.method, "PUT");
  EXPECT_EQ(response.url, "http://put.example.com/");
  EXPECT_EQ(response.redirects().size(), 7U) << "as many as max_redirect";
}

TEST_F(LwpHandlers, MayTurnAResponseIntoARedirectThatIsFollowed) {
  UserAgent ua = agent();
  ua.add_handler(Phase::response_done,
                 [](HandlerCall& call) {
                   call.response->code = 302;
                   call.response->headers.set("Location", "/there");
                   return HandlerAnswer{};
                 },
                 {.code = 404});
  EXPECT_EQ(ua.get(url("/missing")).body, "there");
}

TEST_F(LwpHandlers, AreListedInTheirOrderAndByWhatTheyMatch) {
  UserAgent ua = agent();
  const auto any = ua.add_handler(Phase::response_done, answers(0));
  const auto html = ua.add_handler(Phase::response_done, answers(0), {.media_type = "text/html"});
  const auto posts = ua.add_handler(Phase::response_done, answers(0), {.method = "POST"});
  ua.add_handler(Phase::request_send, answers(0));
  EXPECT_EQ(numbers(ua.handlers(Phase::response_done)), (std::vector{any, html, posts}));
  EXPECT_EQ(numbers(ua.handlers(Phase::response_done, {.url = "http://a.test/"})), std::vector{any});
  Response page;
  page.headers = {{"Content-Type", "text/html"}};
  EXPECT_EQ(numbers(ua.handlers(Phase::response_done, {.url = "http://a.test/"}, &page)), (std::vector{any, html}));
  EXPECT_TRUE(ua.handlers(Phase::response_data).empty());
  EXPECT_EQ(ua.handlers(Phase::response_done)[1].match.media_type, "text/html");
}

TEST_F(LwpHandlers, AreRemovedByTheirMatch) {
  UserAgent ua = agent();
  const auto a_get = ua.add_handler(Phase::response_done, answers(0), {.host = "a.test", .method = "GET"});
  const auto a_post = ua.add_handler(Phase::response_done, answers(0), {.host = "a.test", .method = "POST"});
  const auto mine = ua.add_handler(Phase::response_done, answers(0), {.host = "b.test", .owner = "me"});
  const auto sent = ua.add_handler(Phase::request_send, answers(0), {.host = "a.test", .method = "GET"});
  EXPECT_TRUE(ua.remove_handler(Phase::response_done, {.host = "c.test"}).empty());
  EXPECT_EQ(numbers(ua.remove_handler(Phase::response_done, {.method = "GET"})), std::vector{a_get});
  EXPECT_EQ(numbers(ua.remove_handler(std::nullopt, {.host = "a.test"})), (std::vector{a_post, sent}));
  EXPECT_EQ(numbers(ua.remove_handler(Phase::response_done, {.owner = "me"})), std::vector{mine});
  ua.add_handler(Phase::response_data, answers(0), {.code = 7});
  EXPECT_EQ(ua.remove_handler(std::nullopt, {}).size(), 1U);
  EXPECT_EQ(ua.get(url("/there")).body, "there");
}

// Two parts of a program that know nothing of each other.
std::uint64_t set_one(UserAgent& ua, robotrules::Handler handler) {
  return ua.set_my_handler(Phase::request_send, std::move(handler));
}
std::uint64_t set_other(UserAgent& ua, robotrules::Handler handler) {
  return ua.set_my_handler(Phase::request_send, std::move(handler), {.host = ".test"});
}

TEST_F(LwpHandlers, OfOnesOwnAreReplacedAndThoseOfOthersStay) {
  UserAgent ua = agent();
  set_one(ua, answers(201));
  const auto one = set_one(ua, answers(202));
  const auto other = set_other(ua, answers(203));
  EXPECT_EQ(numbers(ua.handlers(Phase::request_send)), (std::vector{one, other}));
  EXPECT_EQ(ua.get(url("/there")).code, 202);
  EXPECT_EQ(set_one(ua, nullptr), 0U);
  EXPECT_EQ(numbers(ua.handlers(Phase::request_send)), std::vector{other});
  EXPECT_EQ(ua.get(url("/there")).code, 203);
}

TEST_F(LwpHandlers, OfOnesOwnAreFoundByTheirOwner) {
  UserAgent ua = agent();
  EXPECT_FALSE(ua.get_my_handler(Phase::request_send, {.owner = "cache"}));
  const auto number = ua.set_my_handler(Phase::request_send, answers(200), {.host = "a.test", .owner = "cache"});
  const auto found = ua.get_my_handler(Phase::request_send, {.owner = "cache"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, number);
  EXPECT_EQ(found->match.host, "a.test");
  EXPECT_FALSE(ua.get_my_handler(Phase::request_send, {.owner = "other"}));
  EXPECT_FALSE(ua.get_my_handler(Phase::request_send)) << "that is this test's";
  ua.set_my_handler(Phase::request_send, answers(200));
  EXPECT_TRUE(ua.get_my_handler(Phase::request_send));
}

using LwpCallbacks = LwpHandlers;

TEST_F(LwpCallbacks, MayForbidARedirect) {
  std::vector<std::string> asked;
  options.redirect_ok = [&](const Request& next, const Response& redirect) {
    asked.push_back(redirect.url + ' ' + next.method + ' ' + next.url);
    return !next.url.ends_with("/there");
  };
  options.redirected_methods.push_back("POST");
  server.on("", "/first", redirect(303, "/here"));
  server.on("", "/here", Reply{.status = 302, .headers = {{"Location", "/there"}}, .body = "over there"});
  server.on("", "/ftp", redirect(302, "ftp://a.test/"));
  UserAgent ua = agent();
  const Response response = ua.post(url("/first"), std::string("body"));
  EXPECT_EQ(response.code, 302);
  EXPECT_EQ(response.source, ResponseSource::redirect_refused);
  EXPECT_NE(response.warning.find("redirect_ok"), std::string::npos) << response.warning;
  EXPECT_EQ(response.url, url("/here"));
  EXPECT_EQ(response.body, "over there") << "it stands at the end";
  EXPECT_EQ(asked, (std::vector{url("/first") + " GET " + url("/here"), url("/here") + " GET " + url("/there")}));
  EXPECT_TRUE(server.witness().requests("/there").empty());
  ua.get(url("/ftp"));
  EXPECT_EQ(asked.size(), 2U) << "of one that is not followed anyway";
}

TEST_F(LwpCallbacks, AreAskedForCredentialsWhereTheTableHasNone) {
  std::vector<std::string> asked;
  options.get_basic_credentials = [&](std::string_view realm, std::string_view where) {
    asked.push_back(std::string(realm) + ' ' + std::string(where));
    return where.ends_with("/no") ? std::nullopt : std::optional(UserPassword{"me", "word"});
  };
  server.on("", "/no", [](const SeenRequest&) {
    Reply challenge = status(401);
    challenge.headers.push_back({"WWW-Authenticate", "Basic realm=\"other\""});
    return challenge;
  });
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/secret")).body, "secret");
  EXPECT_EQ(seen(1).header("Authorization"), "Basic bWU6d29yZA==");
  EXPECT_EQ(asked, std::vector{"r " + url("/secret")});
  EXPECT_EQ(ua.get(url("/secret")).body, "secret");
  EXPECT_EQ(count(), 3U) << "what it answered is sent at once the next time";
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_EQ(ua.get(url("/no")).code, 401);
  EXPECT_EQ(asked.back(), "other " + url("/no"));
  options.credentials = {{"a.test:" + std::to_string(port), "r", "table", "word"}};
  UserAgent tabled = agent();
  EXPECT_EQ(tabled.get(url("/secret")).body, "secret");
  EXPECT_EQ(asked.size(), 2U) << "where it has one";
}

TEST_F(LwpCallbacks, AreNotAskedWithoutEndForCredentialsThatAreRefused) {
  int asked = 0;
  options.get_basic_credentials = [&](std::string_view, std::string_view) {
    ++asked;
    return std::optional(UserPassword{"me", "wrong"});
  };
  server.on("", "/never", [](const SeenRequest&) {
    Reply challenge = status(401);
    challenge.headers.push_back({"WWW-Authenticate", "Basic realm=\"r\""});
    return challenge;
  });
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/never")).code, 401);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(count(), 2U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
