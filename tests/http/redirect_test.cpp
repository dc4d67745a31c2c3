// Redirects and what may go along: the five codes, methods, limits, origins, handlers.
#include <future>
#include <stdexcept>
#include <utility>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr int codes[] = {301, 302, 303, 307, 308};

class Redirects : public LocalAgent {
 protected:
  Response ask(UserAgent& ua, const std::string& method, const std::string& where,
               std::shared_ptr<BodySource> body = nullptr) const {
    Request request;
    request.method = method;
    request.url = where;
    request.body = std::move(body);
    request.headers.add("Content-Type", "text/x-own");
    return ua.request(request);
  }
};

TEST_F(Redirects, EachCodeAndMethod) {
  server.on("", "/there", [](const SeenRequest& request) { return reply(request.method + ' ' + request.body); });
  options.redirected_methods = {"GET", "HEAD"};
  UserAgent ua = agent();
  UserAgentOptions wider = options;
  wider.redirected_methods = {"POST"};
  UserAgent poster(wider);
  for (const int code : codes) {
    server.on("", "/here", redirect(code, "/there"));
    EXPECT_EQ(ask(ua, "GET", url("/here")).body, "GET ") << code;
    const Response head = ask(ua, "HEAD", url("/here"));
    EXPECT_EQ(head.code, 200) << code;
    EXPECT_EQ(head.method, "HEAD") << code;
    const Response post = ask(ua, "POST", url("/here"), body_of("sent"));
    const Response widened = ask(poster, "POST", url("/here"), body_of("sent"));
    const bool becomes_get = code == 302 || code == 303;
    // The method that was redirected decides, as in LWP, not the one that would be sent.
    EXPECT_EQ(post.code, code);
    EXPECT_EQ(post.source, ResponseSource::redirect_refused) << code;
    EXPECT_FALSE(post.is_synthetic()) << "the server said it";
    EXPECT_EQ(widened.body, becomes_get ? "GET " : "POST sent") << code;
    if (becomes_get) {
      EXPECT_EQ(server.witness().requests("/there").back().header("Content-Type"), std::nullopt);
    }
    EXPECT_EQ(ask(poster, "GET", url("/here")).code, code);
  }
  for (const int other : {300, 304, 305, 306}) {
    server.on("", "/here", redirect(other, "/there"));
    EXPECT_EQ(ask(ua, "GET", url("/here")).code, other);
  }
}

TEST_F(Redirects, AreFollowedSoOftenAndNoMore) {
  server.on("", "/hop*", [](const SeenRequest& request) {
    const int left = std::stoi(request.target.substr(4));
    return left == 0 ? reply("end") : redirect(302, "/hop" + std::to_string(left - 1));
  });
  UserAgent ua = agent();
  const Response last = ua.get(url("/hop7"));
  EXPECT_EQ(last.body, "end");
  ASSERT_EQ(last.redirects().size(), 7U);
  EXPECT_EQ(last.redirects().front()->url, url("/hop7"));
  EXPECT_EQ(last.redirects().back()->url, url("/hop1"));
  server.witness().clear();
  const Response over = ua.get(url("/hop8"));
  EXPECT_EQ(over.source, ResponseSource::redirect_refused);
  EXPECT_EQ(over.code, 302);
  EXPECT_FALSE(over.warning.empty());
  EXPECT_EQ(count(), 8U);
  options.max_redirect = 0;
  server.witness().clear();
  const Response none = agent().get(url("/hop8"));
  EXPECT_EQ(none.code, 302);
  EXPECT_EQ(none.source, ResponseSource::server);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(ua.simple_request({.url = url("/hop1")}).code, 302);
}

TEST_F(Redirects, ALoopEndsAtOnceUnlessCookiesMayEndIt) {
  server.on("", "/self", redirect(301, "self"));
  server.on("", "/a", redirect(302, "/b"));
  server.on("", "/b", redirect(302, "/a"));
  UserAgent ua = agent();
  for (const auto& [path, requests] : {std::pair("/self", 1U), std::pair("/a", 2U)}) {
    server.witness().clear();
    const Response loop = ua.get(url(path));
    EXPECT_EQ(loop.source, ResponseSource::redirect_refused);
    EXPECT_NE(loop.warning.find("it leads in a loop, back to " + url(path)), std::string::npos) << loop.warning;
    EXPECT_EQ(count(), requests) << path;
  }
  server.on("", "/cookie", [](const SeenRequest& request) -> Answer {
    if (request.header("Cookie")) return reply("in");
    Reply away = redirect(302, "/cookie");
    away.headers.push_back({"Set-Cookie", "seen=1"});
    return away;
  });
  options.cookies = std::make_shared<CookieJar>();
  EXPECT_EQ(agent().get(url("/cookie")).body, "in");
  EXPECT_EQ(agent().get(url("/self")).redirects().size(), 7U);
}

TEST_F(Redirects, LocationsOfEveryShape) {
  server.on("", "/d/there", reply("there"));
  server.on("", "/d/th ere", reply("never"));
  server.on("", "/d/th%20ere", reply("space"));
  server.on("", "/d/there?q=1", reply("query"));
  UserAgent ua = agent();
  const auto to = [&](const std::string& location) {
    server.on("", "/d/here", redirect(302, location));
    return ua.get(url("/d/here"));
  };
  EXPECT_EQ(to("there").body, "there");
  EXPECT_EQ(to("../d/./there#part").body, "there");
  EXPECT_EQ(to("/d/there").body, "there");
  EXPECT_EQ(to("//b.test:" + std::to_string(port) + "/d/there").body, "there");
  EXPECT_EQ(to("HTTP://A.TEST:" + std::to_string(port) + "/d/there").body, "there");
  EXPECT_EQ(to("?q=1").code, 302) << "of the page itself: until the limit";
  EXPECT_EQ(to("there?q=1").body, "query");
  EXPECT_EQ(to("th ere").body, "space");
  server.witness().clear();
  for (const char* odd : {"ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "data:text/plain,x",
                          "mailto:a@b.test", "javascript:alert(1)", "http://[::1", "http://", "unix:/run/x"}) {
    const Response response = to(odd);
    EXPECT_EQ(response.code, 302) << odd;
    EXPECT_EQ(response.source, ResponseSource::redirect_refused) << odd;
  }
  EXPECT_EQ(count(), 9U);
}

// RFC 9110 section 15.4: without a Location there is nothing to follow, and the answer is not the page.
TEST_F(Redirects, WithoutALocationIsAFailure) {
  for (const int code : codes) {
    for (const std::optional<std::string>& location :
         {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("  ")}) {
      server.on("", "/here", location ? redirect(code, *location) : status(code));
      const Response response = agent().get(url("/here"));
      EXPECT_EQ(response.code, code);
      EXPECT_EQ(response.source, ResponseSource::redirect_refused) << code;
      EXPECT_EQ(response.warning, url("/here") + ": the redirect is not followed: it has no Location");
    }
  }
  options.max_redirect = 0;
  EXPECT_EQ(agent().get(url("/here")).source, ResponseSource::server) << "none is followed";
}

// RFC 3986 section 5.2.2: a reference that is only a fragment is the page itself, and not its folder.
TEST_F(Redirects, AFragmentIsThePageItself) {
  server.on("", "/d/here?q", in_turn({redirect(302, "#part"), reply("here")}));
  server.on("", "/d/", reply("folder"));
  const Response loop = agent().get(url("/d/here?q"));
  EXPECT_EQ(loop.source, ResponseSource::redirect_refused);
  EXPECT_NE(loop.warning.find("in a loop, back to " + url("/d/here?q")), std::string::npos) << loop.warning;
  server.on("", "/d/here?q", in_turn({redirect(302, "#part"), reply("here")}));
  options.cookies = std::make_shared<CookieJar>();
  EXPECT_EQ(agent().get(url("/d/here?q")).body, "here");
}

// RELIABILITY A17: the five codes, to another scheme, host or port.
TEST_F(Redirects, CredentialsNeverCrossAnOrigin) {
  const std::uint16_t other_port = server.listen();
  const std::string secure = secure_url("/there");
  server.on("", "/there", reply("there"));
  options.credentials = {{"a.test:" + std::to_string(port), "", "user", "secret"}};
  options.cookies = nullptr;
  UserAgent ua = agent();
  const std::string targets[] = {url("/there", "b.test"), url_of(other_port, "/there", "a.test"), secure};
  int combinations = 0;
  for (const int code : codes) {
    for (const std::string& target : targets) {
      server.on("a.test", "/here", redirect(code, target));
      server.witness().clear();
      const std::string with_user = "http://user:secret@a.test:" + std::to_string(port) + "/here";
      for (const std::string& from : {url("/here"), with_user}) {
        Headers own = {{"Cookie", "c=secret"}, {"X-Kept", "1"}, {"Referer", "http://a.test/secret"}};
        if (from != with_user) own.add("Authorization", "Bearer secret");
        EXPECT_EQ(ua.get(from, own).body, "there");
        ++combinations;
      }
      for (const SeenRequest& request : server.witness().requests("/here")) {
        EXPECT_TRUE(request.header("Authorization"));
        EXPECT_TRUE(request.header("Cookie"));
      }
      for (const SeenRequest& request : server.witness().requests("/there")) {
        EXPECT_EQ(request.head.find("secret"), std::string::npos) << request.head;
        EXPECT_EQ(request.header("Authorization"), std::nullopt);
        EXPECT_EQ(request.header("Cookie"), std::nullopt);
        EXPECT_EQ(request.header("X-Kept"), "1");
      }
      EXPECT_EQ(server.witness().requests("/there").size(), 2U);
    }
    // Within an origin they go along.
    server.on("a.test", "/here", redirect(code, "/there"));
    server.witness().clear();
    ua.get(url("/here"), {{"Authorization", "Bearer secret"}, {"Cookie", "c=1"}});
    EXPECT_EQ(server.witness().requests("/there").at(0).header("Authorization"), "Bearer secret");
    EXPECT_EQ(server.witness().requests("/there").at(0).header("Cookie"), "c=1");
  }
  EXPECT_EQ(combinations, 30);
}

TEST_F(Redirects, OwnFieldsStayWithTheirOriginWhereTheRequestSaysSo) {
  server.on("", "/there", reply("there"));
  options.default_headers = {{"X-Agent", "1"}};
  UserAgent ua = agent();
  const auto seen_after = [&](const std::string& target) {
    server.on("a.test", "/here", redirect(302, target));
    Request request;
    request.url = url("/here");
    request.headers = {{"X-Api-Key", "secret"},    {"X-Agent", "own"},           {"User-Agent", "Own/1"},
                       {"If-None-Match", "\"1\""}, {"If-Modified-Since", "now"}, {"Range", "bytes=0-"}};
    request.headers_cross_origins = false;
    EXPECT_EQ(ua.request(request).body, "there");
    return server.witness().requests("/there").back();
  };
  const SeenRequest elsewhere = seen_after(url("/there", "b.test"));
  EXPECT_EQ(elsewhere.head.find("secret"), std::string::npos) << elsewhere.head;
  EXPECT_EQ(elsewhere.header("X-Agent"), "1");
  EXPECT_EQ(elsewhere.header("User-Agent"), "TestBot/1.0");
  const SeenRequest same = seen_after("/there");
  EXPECT_EQ(same.header("X-Api-Key"), "secret");
  EXPECT_EQ(same.header("X-Agent"), "own");
  EXPECT_EQ(same.header("Range"), "bytes=0-");
  EXPECT_EQ(same.header("If-None-Match"), std::nullopt) << "it is about another page";
  EXPECT_EQ(same.header("If-Modified-Since"), std::nullopt);
  EXPECT_EQ(server.witness().requests("/here").back().header("If-None-Match"), "\"1\"");
}

TEST_F(Redirects, CredentialsGoToAnotherOriginOnlyIfAllowedByName) {
  server.on("", "/there", reply("there"));
  server.on("a.test", "/here", redirect(302, url("/there", "b.test")));
  options.allow_credentialed_redirects = true;
  Request request;
  request.url = url("/here");
  request.headers = {{"Authorization", "Bearer own"},
                     {"Proxy-Authorization", "Basic own"},
                     {"Cookie", "c=1"},
                     {"Referer", "http://r.test/"}};
  UserAgent ua = agent();
  EXPECT_EQ(ua.request(request).body, "there");
  const SeenRequest there = server.witness().requests("/there").back();
  EXPECT_EQ(there.header("Authorization"), "Bearer own");
  EXPECT_EQ(there.header("Proxy-Authorization"), "Basic own");
  EXPECT_EQ(there.header("Cookie"), std::nullopt);
  EXPECT_EQ(there.header("Referer"), std::nullopt);
  request.headers_cross_origins = false;
  EXPECT_EQ(ua.request(request).body, "there");
  EXPECT_EQ(server.witness().requests("/there").back().header("Authorization"), std::nullopt);
}

TEST_F(Redirects, UserinfoOfALocationIsNotSent) {
  server.on("", "/there", reply("there"));
  server.on("", "/here", redirect(302, "http://eve:evil@b.test:" + std::to_string(port) + "/there"));
  EXPECT_EQ(agent().get(url("/here")).body, "there");
  EXPECT_EQ(seen(1).header("Authorization"), std::nullopt);
}

TEST_F(Redirects, FromHttpsToHttpAreRefusedUnlessAllowed) {
  const std::string from = secure_url("/here");
  server.on("", "/there", reply("there"));
  server.on("", "/here", redirect(302, url("/there")));
  const Response refused = agent().get(from);
  EXPECT_EQ(refused.source, ResponseSource::redirect_refused);
  EXPECT_NE(refused.warning.find("https"), std::string::npos) << refused.warning;
  EXPECT_EQ(count(), 1U);
  options.allow_downgrade = true;
  EXPECT_EQ(agent().get(from).body, "there");
}

TEST_F(Redirects, BodiesThatCantBeReadAgainAreNotSentAgain) {
  server.on("", "/here", redirect(307, "/there"));
  server.on("", "/there", reply("there"));
  options.redirected_methods.push_back("POST");
  UserAgent ua = agent();
  bool given = false;
  const auto once = body_of_callback([&] { return std::exchange(given, true) ? std::string() : std::string("sent"); });
  const Response response = ask(ua, "POST", url("/here"), once);
  EXPECT_EQ(response.source, ResponseSource::invalid_request) << response.warning;
  EXPECT_EQ(server.witness().requests("/there").size(), 0U);
}

using Handlers = LocalAgent;

TEST_F(Handlers, OfEachPhaseInTheirOrder) {
  server.on("", "/here", redirect(302, "/there"));
  server.on("", "/there", reply("there"));
  UserAgent ua = agent();
  std::string log;
  const auto note = [&](Phase phase, const std::string& name) {
    ua.add_handler(phase, [&log, name](HandlerCall& call) {
      log +=
          name + (call.response != nullptr ? std::to_string(call.response->code) : "") + std::string(call.data) + ' ';
      return HandlerAnswer{};
    });
  };
  note(Phase::request_preprepare, "preprepare");
  note(Phase::request_prepare, "prepare");
  note(Phase::request_send, "send");
  note(Phase::response_header, "header");
  note(Phase::response_data, "data");
  note(Phase::response_redirect, "redirect");
  note(Phase::response_done, "done");
  EXPECT_EQ(ua.get(url("/here")).body, "there");
  EXPECT_EQ(log,
            "preprepare prepare send header302 done302 redirect302 "
            "preprepare prepare send header200 data200there done200 redirect200 ");
}

TEST_F(Handlers, MayChangeTheRequestAndAnswerInTheServersPlace) {
  server.on("", "/*", [](const SeenRequest& request) { return reply(request.target); });
  UserAgent ua = agent();
  const std::string other = url("/other");
  const auto number = ua.add_handler(Phase::request_prepare, [&](HandlerCall& call) {
    call.request->url = other;
    return HandlerAnswer{};
  });
  EXPECT_EQ(ua.get(url("/this")).body, "/other");
  ua.remove_handler(number);
  EXPECT_EQ(ua.get(url("/this")).body, "/this");
  server.witness().clear();
  ua.add_handler(Phase::request_send, [](HandlerCall&) {
    HandlerAnswer answer;
    answer.response.emplace();
    answer.response->code = 200;
    answer.response->body = "from a cache";
    return answer;
  });
  const Response cached = ua.get(url("/this"));
  EXPECT_EQ(cached.body, "from a cache");
  EXPECT_EQ(cached.source, ResponseSource::handler);
  EXPECT_EQ(cached.url, url("/this"));
  EXPECT_EQ(count(), 0U);
}

TEST_F(Handlers, MayEndTheTransferAndGiveTheNextRequest) {
  server.on("", "/big", reply(std::string(500'000, 'x')));
  server.on("", "/here", redirect(302, "/there"));
  server.on("", "/else", reply("else"));
  UserAgent ua = agent();
  const auto header =
      ua.add_handler(Phase::response_header, [](HandlerCall&) { return HandlerAnswer{.go_on = false}; });
  const Response head_only = ua.get(url("/big"));
  EXPECT_EQ(head_only.code, 200);
  EXPECT_EQ(head_only.body, "");
  ua.remove_handler(header);
  const auto data = ua.add_handler(Phase::response_data, [](HandlerCall&) { return HandlerAnswer{.go_on = false}; });
  EXPECT_LT(ua.get(url("/big")).body.size(), 500'000U);
  ua.remove_handler(data);
  ua.add_handler(Phase::response_redirect,
                 [this](HandlerCall& call) {
                   HandlerAnswer answer;
                   answer.request = *call.request;
                   answer.request->url = url("/else");
                   return answer;
                 },
                 {.code = 302});
  EXPECT_EQ(ua.get(url("/here")).body, "else");
  ua.add_handler(Phase::response_done, [](HandlerCall& call) {
    call.response->headers.add("X-Done", "yes");
    return HandlerAnswer{};
  });
  EXPECT_EQ(ua.get(url("/else")).headers.get("X-Done"), "yes");
  EXPECT_EQ(ua.get("nonsense").headers.get("X-Done"), "yes") << "synthetic ones too";
}

TEST_F(Handlers, RunWhereTheirMatchSays) {
  server.on("", "/*", reply("x", "text/html; charset=utf-8"));
  const struct {
    HandlerMatch match;
    bool wanted;
  } cases[] = {
      {{}, true},
      {{.scheme = "http"}, true},
      {{.scheme = "https"}, false},
      {{.host = "www.a.test"}, true},
      {{.host = "WWW.a.test"}, true},
      {{.host = "a.test"}, false},
      {{.host = ".a.test"}, true},
      {{.host = ".test"}, true},
      {{.host = ".w.a.test"}, false},
      {{.method = "GET"}, true},
      {{.method = "POST"}, false},
      {{.path_prefix = "/dir/"}, true},
      {{.path_prefix = "/dirt"}, false},
      {{.media_type = "text/html"}, true},
      {{.media_type = "TEXT/*"}, true},
      {{.media_type = "image/*"}, false},
      {{.code = 200}, true},
      {{.code = 404}, false},
      {{.scheme = "http", .host = ".a.test", .method = "GET", .path_prefix = "/", .media_type = "text/*", .code = 200},
       true},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    UserAgent ua = agent();
    bool ran = false;
    ua.add_handler(
        Phase::response_done,
        [&](HandlerCall&) {
          ran = true;
          return HandlerAnswer{};
        },
        cases[i].match);
    ua.get(url("/dir/page", "www.a.test"));
    EXPECT_EQ(ran, cases[i].wanted) << i;
  }
}

TEST_F(Handlers, ThatThrowEndTheCallAndNothingElse) {
  server.on("", "/here", redirect(302, "/there"));
  server.on("", "/there", reply("there"));
  for (const Phase phase :
       {Phase::request_preprepare, Phase::request_prepare, Phase::request_send, Phase::response_header,
        Phase::response_data, Phase::response_redirect, Phase::response_done}) {
    UserAgent ua = agent();
    const auto number =
        ua.add_handler(phase, [](HandlerCall&) -> HandlerAnswer { throw std::runtime_error("of the program"); });
    // LWP: 400 from the handlers that prepare a request.
    const bool prepares = phase == Phase::request_preprepare || phase == Phase::request_prepare;
    const ResponseSource expected = prepares ? ResponseSource::invalid_request : ResponseSource::internal;
    const Response response = ua.get(url("/here"));
    EXPECT_EQ(response.source, expected) << static_cast<int>(phase);
    EXPECT_EQ(response.code, prepares ? 400 : 500) << static_cast<int>(phase);
    EXPECT_NE(response.warning.find("of the program"), std::string::npos) << response.warning;
    ua.remove_handler(number);
    ua.add_handler(phase, [](HandlerCall&) -> HandlerAnswer { throw 7; });
    EXPECT_EQ(ua.get(url("/here")).source, expected) << static_cast<int>(phase);
    std::promise<void> thrown;
    Request request;
    request.url = url("/there");
    ua.start(request, [&](const Response&) {
      thrown.set_value();
      throw std::runtime_error("of a callback");
    });
    thrown.get_future().wait();
    ua.simple_request({.url = url("/there")});
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
