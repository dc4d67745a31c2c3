// "LWP::UserAgent: what users rely on", row by row: verbs, bodies, settings, responses.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

std::string contents(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

using Verbs = LocalAgent;

TEST_F(Verbs, EachIsSentAsItself) {
  server.on("", "/*", reply("here"));
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/get")).body, "here");
  const Response head = ua.head(url("/head"));
  EXPECT_EQ(head.code, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(head.headers.get("Content-Length"), "4");
  EXPECT_EQ(ua.post(url("/post"), "posted").code, 200);
  EXPECT_EQ(ua.put(url("/put"), "put").code, 200);
  EXPECT_EQ(ua.patch(url("/patch"), "patched").code, 200);
  EXPECT_EQ(ua.delete_(url("/delete")).code, 200);
  Request own;
  own.method = "PROPFIND";
  own.url = url("/own");
  EXPECT_EQ(ua.request(own).code, 200);
  const std::vector<SeenRequest> requests = server.witness().requests();
  std::string line;
  for (const SeenRequest& request : requests) {
    line += request.method + ' ' + request.target + ' ' + request.body + '|';
    EXPECT_EQ(request.header("User-Agent"), "TestBot/1.0");
    EXPECT_EQ(request.header("Accept-Encoding"), "gzip, br, zstd");
    EXPECT_EQ(request.header("Host"), "a.test:" + std::to_string(port));
  }
  EXPECT_EQ(
      line,
      "GET /get |HEAD /head |POST /post posted|PUT /put put|PATCH /patch patched|DELETE /delete |PROPFIND /own |");
  EXPECT_EQ(server.witness().connection_count(), 1U) << "the connection is used again";
}

TEST_F(Verbs, NothingIsSentBesidesWhatWasAskedFor) {
  server.on("", "/*", reply("here"));
  options.agent.clear();
  options.compression = false;
  agent().get(url("/"));
  EXPECT_EQ(seen(0).head, "GET / HTTP/1.1\r\nHost: a.test:" + std::to_string(port) + "\r\n\r\n");
}

TEST_F(Verbs, ARequestWithoutItsBodySaysSo) {
  server.on("", "/*", reply(""));
  Request request;
  request.url = url("/");
  for (const char* method : {"POST", "PUT", "PATCH"}) {
    request.method = method;
    EXPECT_EQ(agent().request(request).code, 200);
  }
  for (const SeenRequest& seen : server.witness().requests()) EXPECT_EQ(seen.header("Content-Length"), "0");
}

using Bodies = LocalAgent;

TEST_F(Bodies, FormsAreUrlEncoded) {
  server.on("", "/*", reply(""));
  agent().post(url("/"), FormFields{{"a b", "1&2=3"}, {"\xC3\xBC", "*-._~\n"}});
  EXPECT_EQ(seen(0).body, "a+b=1%262%3D3&%C3%BC=*-._%7E%0A");
  EXPECT_EQ(seen(0).header("Content-Type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(seen(0).header("Content-Length"), std::to_string(seen(0).body.size()));
}

TEST_F(Bodies, MultipartFormsAreStreamed) {
  server.on("", "/*", reply(""));
  const std::string path = new_folder() + "/sent.txt";
  std::ofstream(path, std::ios::binary) << "of a file";
  agent().post(url("/"), multipart_form({{"plain", body_of("text"), {}, {}},
                                         {"fi\"le", body_of_file(path), "na\r\nme.txt", "text/plain"}}));
  const SeenRequest sent = seen(0);
  const std::string type = sent.header("Content-Type").value_or("");
  ASSERT_TRUE(type.starts_with("multipart/form-data; boundary=")) << type;
  const std::string mark = "--" + type.substr(type.find('=') + 1);
  EXPECT_EQ(sent.body, mark + "\r\nContent-Disposition: form-data; name=\"plain\"\r\n\r\ntext\r\n" + mark +
                           "\r\nContent-Disposition: form-data; name=\"fi%22le\"; filename=\"na%0D%0Ame.txt\"\r\n"
                           "Content-Type: text/plain\r\n\r\nof a file\r\n" +
                           mark + "--\r\n");
  EXPECT_EQ(sent.header("Content-Length"), std::to_string(sent.body.size()));
}

TEST_F(Bodies, FormsAreSentByEachMethodThatHasABody) {
  server.on("", "/*", reply(""));
  UserAgent ua = agent();
  const FormFields form{{"a", "1 2"}, {"b", "&"}};
  const auto parts = [] { return multipart_form({{"plain", body_of("text"), {}, {}}}); };
  ua.post(url("/"), form);
  ua.put(url("/"), form);
  ua.patch(url("/"), form);
  ua.post(url("/"), parts());
  ua.put(url("/"), parts());
  ua.patch(url("/"), parts());
  const char* methods[] = {"POST", "PUT", "PATCH"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(seen(i).method, methods[i]);
    EXPECT_EQ(seen(i).header("Content-Type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(seen(i).body, form_urlencoded(form));
    EXPECT_EQ(seen(i + 3).method, methods[i]);
    EXPECT_TRUE(seen(i + 3).header("Content-Type").value_or("").starts_with("multipart/form-data; boundary="));
    EXPECT_NE(seen(i + 3).body.find("\r\n\r\ntext\r\n"), std::string::npos);
  }
}

TEST_F(Bodies, WhatHasNoSizeIsSentInChunks) {
  server.on("", "/*", reply(""));
  Request request;
  request.method = "POST";
  request.url = url("/");
  int pieces = 3;
  request.body = body_of_callback([&] { return pieces-- > 0 ? std::string(5'000, 'p') : std::string(); });
  EXPECT_EQ(agent().request(request).code, 200);
  EXPECT_EQ(seen(0).body_bytes, 15'000U);
  EXPECT_EQ(seen(0).header("Transfer-Encoding"), "chunked");
  EXPECT_EQ(seen(0).header("Content-Length"), std::nullopt);
}

TEST_F(Bodies, WhatCantBeReadIsAnAnswer) {
  server.on("", "/*", reply(""));
  Request request;
  request.method = "PUT";
  request.url = url("/");
  request.body = body_of_file("/nowhere/at/all");
  UserAgent ua = agent();
  const Response response = ua.request(request);
  EXPECT_EQ(response.source, ResponseSource::invalid_request) << response.warning;
  request.body = body_of_callback([]() -> std::string { throw std::runtime_error("no more"); });
  EXPECT_EQ(ua.request(request).source, ResponseSource::internal);
  EXPECT_EQ(ua.get(url("/")).code, 200) << "it goes on";
}

// RFC 9110 section 15.3.7: a 206 answers a request for a range.
TEST_F(Bodies, AnUnaskedPartGoesToNoFile) {
  server.on("", "/part", Reply{.status = 206, .headers = {{"Content-Range", "bytes 0-3/9"}}, .body = "part"});
  Request request;
  request.url = url("/part");
  request.to_file = new_folder() + "/page";
  const Response unasked = agent().request(request);
  EXPECT_EQ(unasked.code, 206);
  EXPECT_EQ(unasked.body, "part");
  EXPECT_FALSE(std::filesystem::exists(request.to_file));
  request.headers.set("Range", "bytes=0-3");
  EXPECT_EQ(agent().request(request).code, 206);
  EXPECT_EQ(contents(request.to_file), "part");
}

TEST_F(Bodies, SuccessGoesToAFileWhole) {
  server.on("", "/good", reply("good"));
  server.on("", "/bad", status(404));
  server.on("", "/cut", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
  server.on("", "/empty", reply(""));
  UserAgent ua = agent();
  const std::string folder = new_folder();
  Request request;
  request.to_file = folder + "/page";
  request.url = url("/bad");
  EXPECT_EQ(ua.request(request).code, 404);
  EXPECT_FALSE(std::filesystem::exists(request.to_file));
  request.url = url("/good");
  const Response good = ua.request(request);
  EXPECT_EQ(good.body, "");
  EXPECT_EQ(good.body_size, 4U);
  EXPECT_EQ(contents(request.to_file), "good");
  request.url = url("/cut");
  EXPECT_EQ(ua.request(request).source, ResponseSource::network);
  EXPECT_EQ(contents(request.to_file), "good");
  request.url = url("/good");
  request.max_size = 3;
  const Response limited = ua.request(request);
  EXPECT_TRUE(limited.truncated);
  EXPECT_EQ(contents(request.to_file), "good") << "a cut body is not put there";
  request.max_size.reset();
  request.url = url("/empty");
  EXPECT_EQ(ua.request(request).code, 200);
  EXPECT_EQ(contents(request.to_file), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing is left beside it";
  request.to_file = "/nowhere/at/all";
  request.url = url("/good");
  const Response unwritable = ua.request(request);
  EXPECT_EQ(unwritable.source, ResponseSource::body_refused);
  EXPECT_NE(unwritable.warning.find("/nowhere/at/all"), std::string::npos) << unwritable.warning;
}

TEST_F(Bodies, AreDecodedAsTheirCodingSays) {
  const std::string text(50'000, 't');
  for (const Coding coding : {Coding::gzip, Coding::deflate, Coding::raw_deflate, Coding::brotli, Coding::zstd}) {
    Reply made = reply(packed(coding, text));
    made.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
    server.on("", "/", made);
    const Response response = agent().get(url("/"));
    EXPECT_EQ(response.body, text) << name_of(coding);
    EXPECT_EQ(response.body_size, text.size());
    EXPECT_EQ(response.bytes_received, made.body.size());
  }
  Reply twice = reply(packed(Coding::brotli, packed(Coding::gzip, text)));
  twice.headers.push_back({"Content-Encoding", "gzip, br"});
  server.on("", "/", twice);
  EXPECT_EQ(agent().get(url("/")).body, text);
  Reply unknown = reply("left as it is");
  unknown.headers.push_back({"Content-Encoding", "rot13"});
  server.on("", "/", unknown);
  EXPECT_EQ(agent().get(url("/")).body, "left as it is");
}

using Settings = LocalAgent;

TEST_F(Settings, FromAndDefaultHeadersUnlessTheRequestHasThem) {
  server.on("", "/*", reply(""));
  options.from = "me@example.org";
  options.default_headers = {{"Accept", "text/html"}, {"X-Own", "default"}};
  agent().get(url("/"), {{"x-own", "mine"}, {"User-Agent", "Other/2"}, {"X-Empty", ""}});
  const SeenRequest sent = seen(0);
  EXPECT_EQ(sent.header("From"), "me@example.org");
  EXPECT_EQ(sent.header("Accept"), "text/html");
  EXPECT_EQ(sent.all("X-Own"), std::vector<std::string>{"mine"});
  EXPECT_EQ(sent.all("User-Agent"), std::vector<std::string>{"Other/2"});
  EXPECT_EQ(sent.header("X-Empty"), "");
}

TEST_F(Settings, HoldForRequestsThatBeginAfterwards) {
  server.on("", "/*", reply(""));
  UserAgent ua = agent();
  ua.get(url("/"));
  UserAgentOptions other = ua.options();
  other.agent = "Other/2";
  ua.configure(other);
  ua.get(url("/"));
  EXPECT_EQ(seen(0).header("User-Agent"), "TestBot/1.0");
  EXPECT_EQ(seen(1).header("User-Agent"), "Other/2");
}

TEST_F(Settings, OnlyTheProtocolsThatAreAllowed) {
  options.protocols = {"https"};
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::invalid_request);
  options.protocols = {"http"};
  EXPECT_EQ(agent().get(secure_url("/")).source, ResponseSource::invalid_request);
  const auto refused = [&](const char* odd, int code) {
    const Response response = agent().get(odd);
    EXPECT_EQ(response.source, ResponseSource::invalid_request) << odd;
    EXPECT_EQ(response.code, code) << odd;
  };
  for (const char* other : {"ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "data:text/plain,x",
                            "mailto:a@b.test", "MailTo:a@b.test", "javascript:1+1", "urn:isbn:1"}) {
    refused(other, 501);
  }
  for (const char* odd : {"http:a.test", "//a.test/", "/path", "", "http://", "localhost:8080/x", "a.test"}) {
    refused(odd, 400);
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

TEST_F(Settings, ProtocolsAreMeantInAnyCaseOfLetters) {
  server.on("", "/", reply("here"));
  options.protocols = {"HTTP"};
  EXPECT_EQ(agent().get(url("/")).body, "here");
  EXPECT_EQ(agent().get(secure_url("/")).source, ResponseSource::invalid_request);
}

TEST_F(Settings, APolicyOfProtocolsCanBeAskedFor) {
  const struct {
    std::vector<std::string> protocols;
    const char* asked;
    bool supported;
  } cases[] = {
      {{"http", "https"}, "http", true},
      {{"http", "https"}, "https", true},
      {{"HTTP"}, "http", true},
      {{"http"}, "HTTP", true},
      {{"http"}, "https", false},
      {{"http", "ftp"}, "ftp", false},
      {{"http"}, "http://a.test/:", true},
      {{"http"}, "mailto:a@b", false},
      {{"http"}, "", false},
      {{}, "http", false},
  };
  for (const auto& one : cases) {
    options.protocols = one.protocols;
    EXPECT_EQ(agent().is_protocol_supported(one.asked), one.supported) << one.asked;
  }
}

TEST_F(Settings, TheTotalTimeHoldsForAllExchangesTogether) {
  const Gate never;
  server.on("", "/hang", Script().wait(never));
  options.limits.max_total_time = Millis(200);
  UserAgent ua = agent();
  const Response response = ua.get(url("/hang"));
  EXPECT_EQ(response.source, ResponseSource::timeout);
  EXPECT_EQ(response.code, 500);
  EXPECT_EQ(response.headers.get("Client-Warning"), "Internal response");
  // Each hop alone is within the limit.
  server.on("", "/hop*", [](const SeenRequest& request) {
    return Script().pause(Millis(80)).send(redirect(302, "/hop" + std::to_string(request.number))).keep();
  });
  server.witness().clear();
  EXPECT_EQ(ua.get(url("/hop")).source, ResponseSource::timeout);
  EXPECT_LE(count(), 3U);
  never.open();
}

TEST_F(Settings, IdleTimeEndsAServerThatSaysNothing) {
  const Gate never;
  server.on("", "/", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").wait(never));
  options.limits.max_idle_time = Millis(1'000);
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::timeout);
  never.open();
}

TEST_F(Settings, MaxSizeIsExact) {
  server.on("", "/plain", reply(std::string(1'000, 'x')));
  Reply encoded = reply(packed(Coding::gzip, std::string(1'000, 'x')));
  encoded.headers.push_back({"Content-Encoding", "gzip"});
  server.on("", "/packed", encoded);
  Reply in_chunks = reply(std::string(1'000, 'x'));
  in_chunks.chunked = 7;
  server.on("", "/chunked", in_chunks);
  UserAgent ua = agent();
  for (const char* path : {"/plain", "/packed", "/chunked"}) {
    for (const std::uint64_t limit : {0U, 1U, 999U, 1'000U, 1'001U}) {
      Request request;
      request.url = url(path);
      request.max_size = limit;
      const Response response = ua.request(request);
      EXPECT_EQ(response.code, 200);
      EXPECT_EQ(response.body.size(), std::min<std::uint64_t>(limit, 1'000)) << path << limit;
      EXPECT_EQ(response.truncated, limit < 1'000) << path << limit;
      EXPECT_EQ(response.warning.empty(), limit >= 1'000);
    }
  }
}

TEST_F(Settings, OnlySoManyExchangesAtOnce) {
  const Gate gate;
  server.on("", "/*", Script().wait(gate).send(reply("x")).keep());
  options.max_in_flight = 2;
  UserAgent ua = agent();
  std::atomic<int> ended{0};
  std::promise<void> all;
  std::vector<Pending> pending;
  for (int i = 0; i < 6; ++i) {
    Request request;
    request.url = url("/" + std::to_string(i));
    pending.push_back(ua.start(request, [&](const Response&) {
      if (++ended == 6) all.set_value();
    }));
  }
  ASSERT_TRUE(gate.wait_reached(2));
  pending[5].cancel();  // one that waits
  pending[0].cancel();  // one under way
  ASSERT_TRUE(gate.wait_reached(3)) << "the next takes its place";
  EXPECT_EQ(count(), 3U);
  gate.open();
  ASSERT_EQ(all.get_future().wait_for(patience), std::future_status::ready);
  EXPECT_EQ(ua.get(url("/last")).code, 200);
  EXPECT_EQ(count(), 6U) << "the one that waited was never asked for";
}

TEST_F(Settings, CloneHasTheSameOptionsAndHandlersAndItsOwnConnections) {
  server.on("", "/*", reply(""));
  UserAgent ua = agent();
  ua.add_handler(Phase::request_prepare, [](HandlerCall& call) {
    call.request->headers.set("X-Handled", "yes");
    return HandlerAnswer{};
  });
  ua.get(url("/"));
  UserAgent twin = ua.clone();
  twin.get(url("/"));
  EXPECT_EQ(seen(1).header("X-Handled"), "yes");
  EXPECT_EQ(seen(1).header("User-Agent"), "TestBot/1.0");
  EXPECT_EQ(server.witness().connection_count(), 2U);
}

TEST_F(Settings, ProgressCountsWhatComes) {
  server.on("", "/", reply(std::string(200'000, 'x')));
  std::vector<Progress> told;
  UserAgent ua = agent();
  ua.on_progress([&](const Request&, const Progress& progress) { told.push_back(progress); });
  EXPECT_EQ(ua.get(url("/")).body.size(), 200'000U);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back().bytes, 200'000U);
  EXPECT_EQ(told.back().expected, 200'000U);
  for (std::size_t i = 1; i < told.size(); ++i) EXPECT_GT(told[i].bytes, told[i - 1].bytes);
  ua.on_progress(nullptr);
  const std::size_t before = told.size();
  ua.get(url("/"));
  EXPECT_EQ(told.size(), before);
}

TEST_F(Settings, ProgressTellsOfABodyWithoutAByte) {
  server.on("", "/empty", reply(""));
  server.on("", "/none", status(204));
  server.on("", "/full", reply("full"));
  std::vector<Progress> told;
  UserAgent ua = agent();
  ua.on_progress([&](const Request&, const Progress& progress) { told.push_back(progress); });
  const auto heard = [&](const Response& response) {
    EXPECT_EQ(response.source, ResponseSource::server);
    const auto now = std::exchange(told, {});
    EXPECT_EQ(now.size(), 1U);
    return now.empty() ? Progress{99, 99} : now.back();
  };
  const Progress empty = heard(ua.get(url("/empty")));
  EXPECT_EQ(empty.bytes, 0U);
  EXPECT_EQ(empty.expected, 0U);
  EXPECT_EQ(heard(ua.get(url("/none"))).bytes, 0U);
  const Progress head = heard(ua.head(url("/full")));
  EXPECT_EQ(head.bytes, 0U);
  EXPECT_EQ(head.expected, 0U);
  EXPECT_EQ(heard(ua.get(url("/full"))).bytes, 4U);
  ua.on_progress([](const Request&, const Progress&) { throw std::runtime_error("of the program"); });
  EXPECT_EQ(ua.get(url("/empty")).source, ResponseSource::internal);
}

using Answers = LocalAgent;

TEST_F(Answers, SayWhatCameAndFromWhere) {
  Reply made = reply("not there", "text/html");
  made.status = 404;
  made.reason = "Gone Fishing";
  made.headers.push_back({"X-Twice", "1"});
  made.headers.push_back({"X-Twice", " 2 "});
  server.on("", "/", made);
  const auto before = std::chrono::system_clock::now();
  const Response response = agent().get(url("/#fragment"));
  EXPECT_EQ(response.status_line(), "404 Gone Fishing");
  EXPECT_TRUE(response.is_error());
  EXPECT_FALSE(response.is_synthetic());
  EXPECT_EQ(response.headers.all("x-twice"), (std::vector<std::string_view>{"1", "2"}));
  EXPECT_EQ(response.url, url("/"));
  EXPECT_EQ(response.method, "GET");
  EXPECT_EQ(response.peer, "127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(response.http_version, 11);
  EXPECT_EQ(response.body, "not there");
  EXPECT_GE(response.requested_at, std::chrono::floor<std::chrono::microseconds>(before));
  EXPECT_GE(response.received_at, response.requested_at);
}

TEST_F(Answers, OfTheNetworkAreResponsesToo) {
  const std::uint16_t dead = server.refuse();
  UserAgent ua = agent();
  const Response refused = ua.get(url_of(dead));
  EXPECT_EQ(refused.source, ResponseSource::network);
  EXPECT_EQ(refused.code, 500);
  EXPECT_TRUE(refused.is_synthetic());
  EXPECT_FALSE(refused.warning.empty());
  EXPECT_EQ(refused.headers.get("Client-Warning"), "Internal response");
  options.connection.guard = AddressGuard();
  const Response guarded = agent().get(url("/"));
  EXPECT_EQ(guarded.source, ResponseSource::address_refused);
  EXPECT_NE(guarded.warning.find("127.0.0.1"), std::string::npos) << guarded.warning;
  options = local_options();
  options.connection.ports = {1};
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::port_refused);
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

// What is logged and shown must not have a password.
TEST_F(Answers, ThatAreSyntheticDoNotTellTheUserinfo) {
  const auto told = [](const Response& response) {
    EXPECT_TRUE(response.is_synthetic());
    EXPECT_FALSE(response.warning.empty());
    for (const std::string& text : {response.url, response.warning, response.body}) {
      EXPECT_EQ(text.find("secret"), std::string::npos) << text;
      EXPECT_EQ(text.find("me@"), std::string::npos) << text;
    }
    return response.url;
  };
  const std::string host = "me:secret@a.test:";
  const std::string dead = std::to_string(server.refuse());
  UserAgent ua = agent();
  EXPECT_EQ(told(ua.get("http://" + host + dead + "/x?y@z")), "http://a.test:" + dead + "/x?y@z");
  const std::vector<std::string> unusable = {"ftp://" + host + "/", "http://me@secret:x@a.test:99999/",
                                             "http://" + host + "0/a//b@c",
                                             "http://" + host + "80/" + std::string(10'000, 'x')};
  for (const std::string& each : unusable) told(ua.get(each));
  EXPECT_NE(ua.get("ftp://me:secret@a.test/").warning.find("\"ftp://a.test/\""), std::string::npos);
  options.protocols = {"https"};
  told(agent().get("http://" + host + dead + "/"));
  Request bad{.method = "G E T", .url = "http://" + host + dead + "/", .headers = {{"X", "a\nb"}}};
  told(ua.request(bad));
  bad.method = "GET";
  told(ua.request(bad));
  std::promise<Response> answer;
  server.on("", "/never", Script().read_to_end());
  ua.start({.url = "http://" + host + std::to_string(port) + "/never"}, [&](Response response) {
      answer.set_value(std::move(response));
    }).cancel();
  told(answer.get_future().get());
}

using Calls = LocalAgent;

TEST_F(Calls, ThousandsAreInFlightOnOneThread) {
  const Gate gate;
  server.on("", "/*", Script().wait(gate).send(reply("x")).keep());
  options.max_in_flight = 500;
  UserAgent ua = agent();
  std::atomic<int> good{0};
  std::promise<void> all;
  for (int i = 0; i < 500; ++i) {
    Request request;
    request.url = url("/" + std::to_string(i));
    ua.start(request, [&](const Response& response) {
      if (response.body == "x" && ++good == 500) all.set_value();
    });
  }
  ASSERT_TRUE(gate.wait_reached(500)) << "all at once";
  gate.open();
  ASSERT_EQ(all.get_future().wait_for(patience), std::future_status::ready);
}

TEST_F(Calls, ThatWaitMustNotBeMadeOnTheAgentsThread) {
  server.on("", "/*", reply("x"));
  UserAgent ua = agent();
  std::promise<Response> inner;
  Request request;
  request.url = url("/");
  ua.start(request, [&](const Response&) { inner.set_value(ua.get(url("/"))); });
  EXPECT_EQ(inner.get_future().get().source, ResponseSource::invalid_request);
}

TEST_F(Calls, EndWithTheirAgent) {
  const Gate never;
  server.on("", "/*", Script().wait(never));
  std::atomic<int> cancelled{0};
  {
    UserAgent ua = agent();
    for (int i = 0; i < 3; ++i) {
      Request request;
      request.url = url("/");
      ua.start(request, [&](const Response& response) {
        if (response.source == ResponseSource::cancelled) ++cancelled;
      });
    }
    ASSERT_TRUE(never.wait_reached(3));
  }
  EXPECT_EQ(cancelled, 3);
  never.open();
}

TEST_F(Calls, TheAgentMayEndInItsOwnCallbacks) {
  server.on("", "/*", reply("x"));
  for (const bool in_body : {false, true}) {
    auto ua = std::make_unique<UserAgent>(options);
    std::promise<Response> answer;
    Request request;
    request.url = url("/");
    if (in_body) {
      request.on_body = [&](std::string_view) {
        ua.reset();
        return true;
      };
    }
    ua->start(request, [&](Response response) {
      ua.reset();
      answer.set_value(std::move(response));
    });
    EXPECT_EQ(answer.get_future().get().code, 200);
  }
}

TEST_F(Calls, MayBeCancelledAtAnyTime) {
  const Gate gate;
  server.on("", "/*", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").wait(gate).send("cd").keep());
  UserAgent ua = agent();
  std::promise<Response> answer;
  Request request;
  request.url = url("/");
  const Pending pending = ua.start(request, [&](Response response) { answer.set_value(std::move(response)); });
  ASSERT_TRUE(gate.wait_reached(1));
  pending.cancel();
  EXPECT_EQ(answer.get_future().get().source, ResponseSource::cancelled);
  pending.cancel();
  gate.open();
  EXPECT_EQ(ua.get(url("/")).body, "abcd");
  Pending().cancel();
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
