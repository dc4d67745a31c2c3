// What the end of an exchange means, case by case.
#include "http/judgement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace robotrules::agent {
namespace {

using End = ExchangeEnd;
using Source = ResponseSource;

struct Case {
  std::string name;
  ExchangeFacts facts;
  End end;
  Source source;
  FailureCause cause = FailureCause::none;
};

ExchangeFacts answered(int status) {
  ExchangeFacts facts;
  facts.http_version = 11;
  facts.has_head = true;
  facts.status = status;
  return facts;
}
ExchangeFacts failed(TransferError error) {
  ExchangeFacts facts;
  facts.error = error;
  return facts;
}
ExchangeFacts kept(ExchangeFacts facts) {
  facts.reused = true;
  return facts;
}
ExchangeFacts robots(ExchangeFacts facts) {
  facts.is_robots_txt = true;
  return facts;
}
ExchangeFacts proxied(ExchangeFacts facts, bool tunnel = false) {
  facts.through_proxy = true;
  facts.tunnel = tunnel;
  return facts;
}
ExchangeFacts named(ExchangeFacts facts) {
  facts.names_proxy = true;
  return facts;
}
ExchangeFacts ending(ExchangeFacts facts, BodyEnd end) {
  facts.body = end;
  return facts;
}
ExchangeFacts begun(ExchangeFacts facts) {
  facts.http_version = 11;
  return facts;
}
ExchangeFacts after_head(ExchangeFacts facts) {
  facts = begun(facts);
  facts.has_head = true;
  facts.status = 200;
  return facts;
}
ExchangeFacts with_status(int status, ExchangeFacts facts) {
  facts.status = status;
  return facts;
}
ExchangeFacts stopped(ExchangeFacts facts) {
  facts.ended_by_us = true;
  return facts;
}

const std::vector<Case> cases = {
    // Who answered: the site.
    {"200", answered(200), End::answer, Source::server},
    {"404", answered(404), End::answer, Source::server},
    {"503", answered(503), End::answer, Source::server},
    {"407 without a proxy", answered(407), End::answer, Source::server},
    {"a field of a proxy without a proxy", named(answered(502)), End::answer, Source::server},
    {"407 in a tunnel", proxied(answered(407), true), End::answer, Source::server},
    {"a field of a proxy in a tunnel", proxied(named(answered(503)), true), End::answer, Source::server},
    {"200 through a proxy", proxied(answered(200)), End::answer, Source::server},
    {"502 through a proxy that does not say it is its own", proxied(answered(502)), End::answer, Source::server},
    // The proxy.
    {"407 of the proxy", proxied(answered(407)), End::proxy, Source::proxy_failed},
    {"the proxy cannot be used", proxied(failed(TransferError::proxy)), End::proxy, Source::proxy_failed},
    {"503 of the proxy", proxied(named(answered(503))), End::passing, Source::proxy_refused},
    {"403 of the proxy", proxied(named(answered(403))), End::passing, Source::proxy_refused},
    {"no tunnel", proxied(failed(TransferError::proxy_refused)), End::passing, Source::proxy_refused},
    {"a proxy that ends the connection", proxied(failed(TransferError::cut)), End::unanswered, Source::proxy_refused},
    {"a proxy that is silent", proxied(failed(TransferError::timeout)), End::passing, Source::proxy_refused},
    {"no HTTP from a proxy", proxied(failed(TransferError::protocol)), End::passing, Source::proxy_refused},
    {"a certificate in a tunnel", proxied(failed(TransferError::certificate), true), End::lasting, Source::tls,
     FailureCause::certificate_not_verified},
    {"a cut in a tunnel", proxied(failed(TransferError::cut), true), End::unanswered, Source::network},
    {"a head cut in a tunnel", proxied(begun(failed(TransferError::cut)), true), End::passing, Source::network},
    {"a body cut behind a proxy", proxied(after_head(failed(TransferError::cut))), End::passing, Source::network},
    {"a refused address before the proxy", proxied(failed(TransferError::address)), End::lasting,
     Source::address_refused, FailureCause::address_refused},
    {"out of memory before the proxy", proxied(failed(TransferError::internal)), End::ours, Source::internal},
    // On which connection, and whether a byte of the head came.
    {"a kept connection that ends", kept(failed(TransferError::unanswered)), End::unanswered, Source::network},
    {"a kept connection that is cut", kept(failed(TransferError::cut)), End::unanswered, Source::network},
    {"a new connection that is cut", failed(TransferError::cut), End::passing, Source::network},
    {"a kept connection that is cut in the head", kept(begun(failed(TransferError::cut))), End::passing,
     Source::network},
    {"a kept connection that is cut in the body", kept(after_head(failed(TransferError::cut))), End::passing,
     Source::network},
    {"a kept connection without an answer", kept(failed(TransferError::timeout)), End::passing, Source::timeout},
    {"408 on a kept connection", kept(answered(408)), End::unanswered, Source::server},
    {"408 on a new connection", answered(408), End::answer, Source::server},
    {"421 of a page", kept(answered(421)), End::answer, Source::server},
    {"408 of robots.txt", robots(answered(408)), End::answer, Source::server},
    {"429 of robots.txt", robots(answered(429)), End::answer, Source::server},
    // Which phase failed.
    {"a name server is silent", failed(TransferError::resolve), End::passing, Source::network},
    {"an unknown name", failed(TransferError::unknown_name), End::lasting, Source::network, FailureCause::name_unknown},
    {"a connection refused", failed(TransferError::connect), End::passing, Source::network},
    {"a version of TLS", failed(TransferError::tls), End::lasting, Source::tls},
    {"a certificate", failed(TransferError::certificate), End::lasting, Source::tls,
     FailureCause::certificate_not_verified},
    {"no HTTP/1.1", failed(TransferError::no_http1), End::lasting, Source::tls},
    {"a time limit", failed(TransferError::timeout), End::passing, Source::timeout},
    {"no HTTP", failed(TransferError::protocol), End::lasting, Source::bad_response},
    {"half a head", begun(failed(TransferError::none)), End::lasting, Source::bad_response},
    // Ours.
    {"out of descriptors", failed(TransferError::internal), End::ours, Source::internal},
    {"cancelled", failed(TransferError::cancelled), End::ours, Source::cancelled},
    {"a body that cannot be sent", failed(TransferError::request_body), End::lasting, Source::invalid_request},
    {"a port", failed(TransferError::port), End::lasting, Source::port_refused, FailureCause::port_refused},
    // The head decides, except for a success.
    {"404 whose body is cut", with_status(404, after_head(failed(TransferError::cut))), End::answer, Source::server},
    {"302 whose body takes too long", with_status(302, after_head(failed(TransferError::timeout))), End::answer,
     Source::server},
    {"503 with a chunk that is none", with_status(503, after_head(failed(TransferError::protocol))), End::answer,
     Source::server},
    {"404 cut in its coding", ending(answered(404), BodyEnd::in_encoding), End::answer, Source::server},
    {"404 shorter than its length", robots(ending(answered(404), BodyEnd::too_soon)), End::answer, Source::server},
    {"206 whose body is cut", with_status(206, after_head(failed(TransferError::cut))), End::passing, Source::network},
    {"404 and out of memory", with_status(404, after_head(failed(TransferError::internal))), End::ours,
     Source::internal},
    // Whether the end is certain.
    {"a body cut by Content-Length", ending(answered(200), BodyEnd::too_soon), End::passing, Source::network},
    {"a body cut in its coding", ending(answered(200), BodyEnd::in_encoding), End::lasting, Source::body_refused},
    {"a page without an end", ending(answered(200), BodyEnd::uncertain), End::answer, Source::server},
    {"robots.txt without an end", robots(ending(answered(200), BodyEnd::uncertain)), End::lasting,
     Source::body_refused},
    {"404 of robots.txt without an end", robots(ending(answered(404), BodyEnd::uncertain)), End::answer,
     Source::server},
    {"a body that we end", stopped(ending(answered(200), BodyEnd::too_soon)), End::answer, Source::server},
    {"a transfer that we end", stopped(after_head(failed(TransferError::stopped))), End::answer, Source::server},
};

TEST(Judgement, IsAsTheTableSays) {
  for (const Case& row : cases) {
    const Judgement judged = judge(row.facts);
    EXPECT_EQ(judged.end, row.end) << row.name;
    EXPECT_EQ(judged.source, row.source) << row.name << ": " << to_string(judged.source);
    EXPECT_EQ(judged.cause, row.cause) << row.name;
  }
}

// Nothing that a proxy says, and nothing of ours, is an answer of the site.
TEST(Judgement, OnlyASiteAnswers) {
  for (const Case& row : cases) {
    const Judgement judged = judge(row.facts);
    EXPECT_TRUE(judged.end != End::answer || judged.source == Source::server) << row.name;
    EXPECT_TRUE(!judged.is_of_proxy() || (row.facts.through_proxy && !row.facts.tunnel)) << row.name;
  }
}

TEST(Judgement, SeesAServerThatRefusesHttp1) {
  EXPECT_TRUE(judge(failed(TransferError::no_http1)).refuses_http1);
  for (const int status : {426, 505}) {
    EXPECT_TRUE(judge(answered(status)).refuses_http1) << status;
    EXPECT_FALSE(judge(proxied(named(answered(status)))).refuses_http1) << status;
    ExchangeFacts over_http2 = answered(status);
    over_http2.http_version = 20;
    EXPECT_FALSE(judge(over_http2).refuses_http1) << status;
  }
  EXPECT_FALSE(judge(answered(400)).refuses_http1);
}

}  // namespace
}  // namespace robotrules::agent
