// The fetch of a robots.txt through the C ABI: steps, results, wrong arguments, and a database.
#include "check.h"

#define URL "https://a.test/robots.txt"

static const int64_t now = INT64_C(1700000000000000);
static const int64_t day = INT64_C(86400000000);

static robotrules_robots_step step_of(const robotrules_robots_fetch* fetch) {
  robotrules_robots_step step;
  CHECK(robotrules_robots_fetch_step(fetch, &step) == ROBOTRULES_OK);
  return step;
}

static robotrules_exchange answer(int32_t status, const robotrules_str* fields, size_t count, const char* body) {
  robotrules_exchange exchange = ROBOTRULES_EXCHANGE_INIT;
  exchange.end = ROBOTRULES_END_ANSWERED;
  exchange.http_status = status;
  exchange.fields = fields;
  exchange.field_count = count;
  exchange.body.data = body;
  exchange.body.size = strlen(body);
  exchange.requested_at = exchange.received_at = now;
  return exchange;
}

static robotrules_robots_fetch* begun(const robotrules_robots_fetch* last, int64_t time) {
  robotrules_robots_fetch* fetch;
  CHECK(robotrules_robots_fetch_new(ROBOTRULES_TEXT(URL), NULL, 0, last, time, &fetch) == ROBOTRULES_OK);
  return fetch;
}

static void steps(void) {
  robotrules_robots_fetch* fetch = begun(NULL, now);
  robotrules_robots_step step = step_of(fetch);
  CHECK(!step.is_done && step.at == now && !step.is_repeated);
  CHECK_STR(step.url, URL);
  CHECK_STR(step.accept, "text/plain, */*;q=0.5");
  CHECK_STR(step.if_none_match, "");

  const robotrules_str location[] = {{"location", 8}, {"//b.test/r", 10}};
  robotrules_exchange exchange = answer(301, location, 2, "");
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, now) == ROBOTRULES_OK);
  step = step_of(fetch);
  CHECK(!step.is_done);
  CHECK_STR(step.url, "https://b.test/r");

  const robotrules_str tag[] = {{"ETag", 4}, {"\"1\"", 3}, {"Content-Encoding", 16}, {"gzip", 4}};
  exchange = answer(200, tag, 4, "User-agent: *\n");  // the client has decoded it
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, now) == ROBOTRULES_OK);
  step = step_of(fetch);
  CHECK(step.is_done && step.outcome == ROBOTRULES_OUTCOME_RULES && step.state == ROBOTRULES_STATE_RULES);
  CHECK(step.http_status == 200 && step.fresh_until == now + day && !step.is_truncated);
  CHECK_STR(step.robots, "User-agent: *\n");
  CHECK_STR(step.url, "https://b.test/r");
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, now) == ROBOTRULES_INVALID_ARGUMENT);

  robotrules_robots_fetch* next = begun(fetch, now + 2 * day);
  robotrules_robots_fetch_free(fetch);
  exchange = answer(301, location, 2, "");
  CHECK(robotrules_robots_fetch_answer(next, &exchange, now + 2 * day) == ROBOTRULES_OK);
  step = step_of(next);
  CHECK_STR(step.if_none_match, "\"1\"");
  exchange.end = ROBOTRULES_END_FAILED;
  exchange.http_status = 0;
  exchange.failure.data = "no answer";
  exchange.failure.size = 9;
  CHECK(robotrules_robots_fetch_answer(next, &exchange, now + 2 * day) == ROBOTRULES_OK);
  step = step_of(next);
  CHECK(step.outcome == ROBOTRULES_OUTCOME_UNREACHABLE && step.state == ROBOTRULES_STATE_STALE);
  CHECK_STR(step.reason, "no answer");
  CHECK_STR(step.robots, "User-agent: *\n");
  robotrules_robots_fetch_free(next);
  robotrules_robots_fetch_free(NULL);
}

static void limits(void) {
  robotrules_robots_fetch* fetch = begun(NULL, now);
  CHECK(robotrules_robots_fetch_limits(fetch, 0, 20, 0) == ROBOTRULES_OK);
  robotrules_exchange exchange = answer(200, NULL, 0, "User-agent: *\nDisallow: /x\n");
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, now) == ROBOTRULES_OK);
  const robotrules_robots_step step = step_of(fetch);
  CHECK(step.is_truncated);
  CHECK_STR(step.robots, "User-agent: *\n");
  CHECK(robotrules_robots_fetch_limits(fetch, 0, SIZE_MAX, 0) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_limits(fetch, 0, 20, 2) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_limits(NULL, 0, 20, 0) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_robots_fetch_free(fetch);
}

// Each value that is not one that its comment names is refused, and the fetch stays as it was.
static void wrong_values(void) {
  robotrules_robots_fetch* fetch = begun(NULL, now);
  robotrules_robots_fetch* none;
  const robotrules_str bad = {NULL, 1};
  CHECK(robotrules_robots_fetch_new(ROBOTRULES_TEXT("/x"), NULL, 0, NULL, now, &none) == ROBOTRULES_INVALID_URL);
  CHECK(none == NULL);
  CHECK(robotrules_robots_fetch_new(NULL, 1, NULL, 0, NULL, now, &none) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_new(ROBOTRULES_TEXT(URL), ROBOTRULES_TEXT("none"), NULL, now, &none) ==
        ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_new(ROBOTRULES_TEXT(URL), NULL, 0, NULL, now, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  const robotrules_exchange good = answer(404, NULL, 0, "");
  robotrules_exchange wrong[15];
  for (size_t i = 0; i < 15; ++i) wrong[i] = good;
  wrong[0].size = 8;
  wrong[1].end = 0;
  wrong[2].end = 5;
  wrong[3].http_status = -1;
  wrong[4].http_status = 1000;
  wrong[5].field_count = 1;
  wrong[6].field_count = 2;  // without fields
  wrong[7].body = bad;
  wrong[8].is_encoded = 2;
  wrong[9].is_cut = -1;
  wrong[10].is_partial = 2;
  wrong[11].refusals = -1;
  wrong[12].jitter = 1.5;
  wrong[13].failure = bad;
  wrong[14].received_at = INT64_MAX;
  for (size_t i = 0; i < 15; ++i) {
    CHECK(robotrules_robots_fetch_answer(fetch, &wrong[i], now) == ROBOTRULES_INVALID_ARGUMENT);
  }
  CHECK(robotrules_robots_fetch_answer(fetch, &good, INT64_MIN) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_answer(fetch, NULL, now) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_answer(NULL, &good, now) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_robots_fetch_step(fetch, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_robots_step step;
  memset(&step, 0xAB, sizeof step);
  CHECK(robotrules_robots_fetch_step(NULL, &step) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK_STR(step.url, "");
  CHECK(!step_of(fetch).is_done);
  CHECK(robotrules_robots_fetch_answer(fetch, &good, now) == ROBOTRULES_OK);
  CHECK(step_of(fetch).state == ROBOTRULES_STATE_ALLOW_ALL);
  robotrules_robots_fetch_free(fetch);
}

static void database(void) {
  robotrules_database* kept;
  robotrules_robots_fetch* fetch;
  robotrules_error* error;
  CHECK(robotrules_database_open(NULL, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &kept, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_fetch(kept, ROBOTRULES_TEXT("https://a.test/page"), &fetch, &error) == ROBOTRULES_OK);
  CHECK(robotrules_database_keep_fetch(kept, fetch, &error) == ROBOTRULES_INVALID_ARGUMENT);  // it has no result
  robotrules_robots_step step = step_of(fetch);
  CHECK_STR(step.url, URL);
  const int64_t store_now = step.at;
  const robotrules_str location[] = {{"Location", 8}, {"https://b.test/robots.txt", 25}};
  robotrules_exchange exchange = answer(302, location, 2, "");
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, store_now) == ROBOTRULES_OK);
  exchange = answer(200, NULL, 0, "User-agent: *\nDisallow: /x\n");
  CHECK(robotrules_robots_fetch_answer(fetch, &exchange, store_now) == ROBOTRULES_OK);
  CHECK(robotrules_database_keep_fetch(kept, fetch, &error) == ROBOTRULES_OK);
  robotrules_robots_fetch_free(fetch);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://a.test/x")) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://b.test/x")) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_fetch(kept, ROBOTRULES_TEXT(URL), &fetch, NULL) == ROBOTRULES_OK);
  CHECK(step_of(fetch).at > store_now + day / 2);  // it is fresh
  robotrules_robots_fetch_free(fetch);
  CHECK(robotrules_database_fetch(kept, ROBOTRULES_TEXT("/x"), &fetch, NULL) == ROBOTRULES_INVALID_URL);
  CHECK(fetch == NULL);
  CHECK(robotrules_database_fetch(NULL, ROBOTRULES_TEXT(URL), &fetch, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep_fetch(kept, NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_database_free(kept);
}

int main(void) {
  steps();
  limits();
  wrong_values();
  database();
  return result();
}
