// Challenges and their answers: RFC 7617, RFC 7616 with its vectors, and the calls that make them.
#include "http/authentication.hpp"

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using agent::authorization;
using agent::best_challenge;

constexpr std::string_view both =
    R"(Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, )"
    R"(nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")";

std::string answer(std::string_view challenge) {
  auto best = best_challenge({challenge});
  if (!best) return "none";
  return authorization(*best, "Mufasa", "Circle of Life", "GET", "/dir/index.html",
                       "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ");
}

TEST(Authentication, Rfc7616Section391) {
  EXPECT_EQ(answer(both),
            R"(Digest username="Mufasa", realm="http-auth@example.org", )"
            R"(nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", )"
            R"(response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", algorithm=SHA-256, )"
            R"(opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, )"
            R"(cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")");
  std::string md5(both);
  md5.replace(md5.find("SHA-256"), 7, "MD5");
  EXPECT_NE(answer(md5).find(R"(response="8ca523f5e9506fed4657c9700eebdbec")"), std::string::npos);
}

TEST(Authentication, Rfc2617WithoutAlgorithm) {
  auto challenge = best_challenge(
      {R"(Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", )"
       R"(opaque="5ccc069c403ebaf9f0171e9517f40e41")"});
  ASSERT_TRUE(challenge);
  const std::string value = authorization(*challenge, "Mufasa", "Circle Of Life", "GET", "/dir/index.html", "0a4f113b");
  EXPECT_NE(value.find(R"(response="6629fae49393a05397450978507c4ef1")"), std::string::npos) << value;
  EXPECT_EQ(value.find("algorithm"), std::string::npos);
  // The count goes up with each use of the nonce.
  EXPECT_NE(authorization(*challenge, "M", "C", "GET", "/", "x").find("nc=00000002"), std::string::npos);
}

TEST(Authentication, Rfc2069WithoutQop) {
  auto challenge = best_challenge({R"(Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093")"});
  const std::string value = authorization(*challenge, "Mufasa", "CircleOfLife", "GET", "/dir/index.html", "");
  EXPECT_NE(value.find(R"(response="1949323746fe6a43ef61f9606e7febea")"), std::string::npos) << value;
  EXPECT_EQ(value.find("cnonce"), std::string::npos);
}

TEST(Authentication, Rfc7617Basic) {
  auto challenge = best_challenge({R"(Basic realm="WallyWorld", charset="UTF-8")"});
  ASSERT_TRUE(challenge);
  EXPECT_EQ(challenge->realm, "WallyWorld");
  EXPECT_EQ(authorization(*challenge, "Aladdin", "open sesame", "GET", "/", ""), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(authorization(*challenge, "test", "123\xC2\xA3", "GET", "/", ""), "Basic dGVzdDoxMjPCow==");
}

TEST(Authentication, TheBestThatCanBeAnswered) {
  EXPECT_FALSE(best_challenge({}));
  EXPECT_FALSE(best_challenge({"", ",,;=\"", "Negotiate", "Bearer realm=\"x\"", "NTLM TlRMTVNT", "\"", "=", "Digest"}));
  const auto mixed = best_challenge({R"(Negotiate, Basic realm="b\"q", Digest realm="d", nonce="n", algorithm=MD5)"});
  ASSERT_TRUE(mixed);
  EXPECT_TRUE(mixed->digest);
  EXPECT_EQ(mixed->realm, "d");
  const auto unknown =
      best_challenge({R"(Digest realm="d", nonce="n", algorithm=SHA-512-256)", R"(BASIC REALM="b\"q")"});
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->digest);
  EXPECT_EQ(unknown->realm, "b\"q");
  EXPECT_TRUE(best_challenge({R"(Digest realm="d", nonce="n", stale=TRUE)"})->stale);
  EXPECT_TRUE(best_challenge({R"(Basic realm="cut)"}));
}

class Challenges : public LocalAgent {
 protected:
  void SetUp() override {
    options.credentials = {{"a.test:" + std::to_string(port), "inside", "user", "secret"}};
    server.on("", "/*", [](const SeenRequest& request) {
      if (request.header("Authorization") == "Basic dXNlcjpzZWNyZXQ=") return reply("in");
      return status(401, {{"WWW-Authenticate", "Basic realm=\"inside\""}});
    });
  }
};

TEST_F(Challenges, AreAnsweredWithTheCredentialsOfTheirSiteAndRealm) {
  UserAgent ua = agent();
  const Response response = ua.get(url("/one"));
  EXPECT_EQ(response.body, "in");
  ASSERT_EQ(response.redirects().size(), 1U);
  EXPECT_EQ(response.redirects()[0]->code, 401);
  EXPECT_EQ(ua.get(url("/two")).body, "in");
  EXPECT_EQ(count(), 3U) << "a known challenge is not waited for again";
  EXPECT_EQ(ua.get(url("/", "b.test")).code, 401) << "of another host";
  EXPECT_EQ(ua.simple_request({.url = url("/", "b.test")}).code, 401);
  EXPECT_EQ(server.witness().requests().back().header("Authorization"), std::nullopt);
  options.credentials[0].realm = "elsewhere";
  EXPECT_EQ(agent().get(url("/")).code, 401);
  options.credentials[0].realm = "";
  options.credentials[0].password = "wrong";
  server.witness().clear();
  EXPECT_EQ(agent().get(url("/")).code, 401);
  EXPECT_EQ(count(), 2U) << "a wrong password is tried once";
}

TEST_F(Challenges, AreAnsweredThoughNoRedirectIsFollowed) {
  options.max_redirect = 0;
  EXPECT_EQ(agent().get(url("/")).body, "in");
}

TEST_F(Challenges, OfEachSiteOfARedirect) {
  options.credentials.push_back({"b.test:" + std::to_string(port), "", "user", "secret"});
  server.on("a.test", "/", [this](const SeenRequest& request) {
    if (request.header("Authorization")) return redirect(302, url("/", "b.test"));
    return status(401, {{"WWW-Authenticate", "Basic realm=\"inside\""}});
  });
  EXPECT_EQ(agent().get(url("/")).body, "in");
  EXPECT_EQ(count(), 4U);
}

TEST_F(Challenges, AStaleNonceIsRenewed) {
  server.on("", "/*", [](const SeenRequest& request) {
    const std::string value = request.header("Authorization").value_or("");
    if (value.find("nonce=\"new\"") != std::string::npos) return reply(value);
    return status(401, {{"WWW-Authenticate", value.empty() ? "Digest realm=\"inside\", nonce=\"old\", qop=\"auth\""
                                                           : "Digest realm=\"inside\", nonce=\"new\", qop=\"auth\", "
                                                             "stale=true"}});
  });
  UserAgent ua = agent();
  const Response response = ua.get(url("/x?y"));
  EXPECT_NE(response.body.find("uri=\"/x?y\""), std::string::npos) << response.body;
  EXPECT_NE(response.body.find("nc=00000001"), std::string::npos);
  EXPECT_EQ(response.redirects().size(), 2U);
  EXPECT_NE(ua.get(url("/x?y")).body.find("nc=00000002"), std::string::npos);
  // Stale for ever is an end too.
  server.on("", "/*", status(401, {{"WWW-Authenticate", "Digest realm=\"inside\", nonce=\"n\", stale=true"}}));
  server.witness().clear();
  EXPECT_EQ(agent().get(url("/")).code, 401);
  EXPECT_LE(count(), 4U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
