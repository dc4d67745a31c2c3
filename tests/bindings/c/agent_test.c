// The agent through the C ABI, against a server on loopback: pages, callbacks, cancel, and what comes in place of a
// page.
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "server.h"

static unsigned port;

// What the callbacks of one request have got. The agent's thread writes, the test waits.
typedef struct arrival {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  size_t bytes;
  int pieces_to_take;  // on_body() ends the request after so many; -1: never
  int done;
  robotrules_response* response;
  int handle_works;  // on_done() could use the handle of the request
} arrival;
#define NOTHING {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, -1, 0, NULL, 0}

static int32_t on_body(void* user, const char* bytes, size_t size) {
  arrival* to = user;
  (void)bytes;
  pthread_mutex_lock(&to->mutex);
  to->bytes += size;
  const int go_on = to->pieces_to_take != 0;
  if (to->pieces_to_take > 0) --to->pieces_to_take;
  pthread_cond_broadcast(&to->changed);
  pthread_mutex_unlock(&to->mutex);
  return go_on;
}

static void on_done(void* user, robotrules_response* response) {
  arrival* to = user;
  pthread_mutex_lock(&to->mutex);
  ++to->done;
  to->response = response;
  pthread_cond_broadcast(&to->changed);
  pthread_mutex_unlock(&to->mutex);
}

static robotrules_response_facts facts_of(const robotrules_response* response) {
  robotrules_response_facts facts;
  CHECK(robotrules_response_get_facts(response, &facts) == ROBOTRULES_OK);
  return facts;
}

static robotrules_response* wait_for(arrival* from) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  int waited = 0;
  pthread_mutex_lock(&from->mutex);
  while (from->done == 0 && waited == 0) waited = pthread_cond_timedwait(&from->changed, &from->mutex, &deadline);
  CHECK(from->done == 1);
  robotrules_response* response = from->response;
  pthread_mutex_unlock(&from->mutex);
  if (waited != 0) abort();  // the request may still call back
  return response;
}

static robotrules_str url_of(const char* path) {
  static char urls[8][128];
  static unsigned next;
  char* url = urls[next++ % 8];
  snprintf(url, sizeof urls[0], "http://127.0.0.1:%u%s", port, path);
  return (robotrules_str){url, strlen(url)};
}

static robotrules_call call_of(const char* path) {
  robotrules_call call = ROBOTRULES_CALL_INIT;
  call.url = url_of(path);
  return call;
}

static robotrules_agent_options* options(void) {
  robotrules_agent_options* made = NULL;
  CHECK(robotrules_agent_options_new(&made) == ROBOTRULES_OK);
  CHECK(robotrules_agent_options_set_text(made, ROBOTRULES_OPTION_ALLOW_ADDRESS, ROBOTRULES_TEXT("127.0.0.1")) ==
        ROBOTRULES_OK);
  CHECK(robotrules_agent_options_set_number(made, ROBOTRULES_OPTION_DELAY, 0) == ROBOTRULES_OK);
  return made;
}

static robotrules_agent* opened(robotrules_database* database) {
  robotrules_agent_options* settings = options();
  robotrules_agent* agent = NULL;
  robotrules_error* error;
  CHECK(robotrules_agent_open(ROBOTRULES_TEXT("FooBot/1.0"), ROBOTRULES_TEXT("me@example.org"), database, settings,
                              &agent, &error) == ROBOTRULES_OK);
  CHECK(error == NULL);
  robotrules_agent_options_free(settings);
  return agent;
}

static robotrules_response* got(robotrules_agent* agent, const char* path) {
  robotrules_response* response = NULL;
  const robotrules_str url = url_of(path);
  CHECK(robotrules_agent_get(agent, url.data, url.size, &response) == ROBOTRULES_OK);
  return response;
}

static void pages(robotrules_agent* agent) {
  robotrules_response* response = got(agent, "/page");
  robotrules_response_facts facts = facts_of(response);
  CHECK(facts.status == 200 && facts.synthetic == 0 && facts.truncated == 0 && facts.body_size == 13);
  CHECK(facts.access == ROBOTRULES_ACCESS_ALLOWED && facts.received_at > 0 && facts.try_again_at == ROBOTRULES_NO_TIME);
  CHECK_STR(facts.body, "Hello, robot.");
  CHECK_STR(facts.source, "server");
  CHECK_STR(facts.message, "OK");
  CHECK_STR(facts.warning, "");
  robotrules_header header;
  int types = 0;
  for (size_t i = 0; i < facts.header_count; ++i) {
    CHECK(robotrules_response_header(response, i, &header) == ROBOTRULES_OK);
    if (header.name.size == 12 && memcmp(header.name.data, "Content-Type", 12) == 0) {
      ++types;
      CHECK_STR(header.value, "text/plain");
    }
  }
  CHECK(types == 1);
  CHECK(robotrules_response_header(response, facts.header_count, &header) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_response* previous;
  CHECK(robotrules_response_previous(response, &previous) == ROBOTRULES_OK && previous == NULL);
  robotrules_response_free(response);

  response = got(agent, "/moved");
  CHECK(facts_of(response).status == 200);
  CHECK(robotrules_response_previous(response, &previous) == ROBOTRULES_OK && previous != NULL);
  robotrules_response_free(response);
  CHECK(facts_of(previous).status == 302);
  robotrules_response_free(previous);

  response = got(agent, "/private/x");
  facts = facts_of(response);
  CHECK(facts.status == 403 && facts.synthetic == 1 && facts.access == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK_STR(facts.source, "robots-denied");
  CHECK(facts.warning.size > 0);
  robotrules_verdict verdict;
  CHECK(robotrules_response_verdict(response, &verdict) == ROBOTRULES_OK);
  CHECK(verdict.rule.line == 2 && verdict.access == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK_STR(verdict.rule.pattern, "/private");
  robotrules_response_free(response);
}

static void callbacks(robotrules_agent* agent) {
  const robotrules_header headers[] = {{{"X-Test", 6}, {"here", 4}}};
  robotrules_call call = call_of("/echo");
  call.method = (robotrules_str){"POST", 4};
  call.headers = headers;
  call.header_count = 1;
  call.body = (robotrules_str){"a body", 6};
  arrival echo = NOTHING;
  const robotrules_callbacks plain = {sizeof(robotrules_callbacks), &echo, NULL, on_done};
  CHECK(robotrules_agent_start(agent, &call, &plain, NULL) == ROBOTRULES_OK);
  robotrules_response* response = wait_for(&echo);
  CHECK_STR(facts_of(response).body, "POST here a body");
  robotrules_response_free(response);

  arrival page = NOTHING;
  const robotrules_callbacks pieces = {sizeof(robotrules_callbacks), &page, on_body, on_done};
  call = call_of("/page");
  CHECK(robotrules_agent_start(agent, &call, &pieces, NULL) == ROBOTRULES_OK);
  response = wait_for(&page);
  CHECK(page.bytes == 13 && facts_of(response).body_size == 13);
  CHECK_STR(facts_of(response).body, "");
  robotrules_response_free(response);

  arrival ended = NOTHING;
  ended.pieces_to_take = 0;
  const robotrules_callbacks ends = {sizeof(robotrules_callbacks), &ended, on_body, on_done};
  CHECK(robotrules_agent_start(agent, &call, &ends, NULL) == ROBOTRULES_OK);
  response = wait_for(&ended);
  CHECK(facts_of(response).truncated == 1);
  robotrules_response_free(response);

  arrival limited = NOTHING;
  const robotrules_callbacks limits = {sizeof(robotrules_callbacks), &limited, NULL, on_done};
  call.max_size = 5;
  CHECK(robotrules_agent_start(agent, &call, &limits, NULL) == ROBOTRULES_OK);
  response = wait_for(&limited);
  CHECK_STR(facts_of(response).body, "Hello");
  CHECK(facts_of(response).truncated == 1);
  robotrules_response_free(response);
}

static void cancels(robotrules_agent* agent) {
  arrival slow = NOTHING;
  const robotrules_callbacks calls = {sizeof(robotrules_callbacks), &slow, NULL, on_done};
  const robotrules_call call = call_of("/slow");
  robotrules_request* request;
  CHECK(robotrules_agent_start(agent, &call, &calls, &request) == ROBOTRULES_OK);
  CHECK(test_server_wait_for_slow(1));
  CHECK(robotrules_request_cancel(request) == ROBOTRULES_OK);
  robotrules_response* response = wait_for(&slow);
  CHECK_STR(facts_of(response).source, "cancelled");
  robotrules_response_free(response);
  CHECK(robotrules_request_cancel(request) == ROBOTRULES_OK);  // too late: nothing happens
  robotrules_request_free(request);

  // The end of the agent ends its requests, and their handles may outlive it.
  arrival last = NOTHING;
  const robotrules_callbacks last_calls = {sizeof(robotrules_callbacks), &last, NULL, on_done};
  CHECK(robotrules_agent_start(agent, &call, &last_calls, &request) == ROBOTRULES_OK);
  CHECK(test_server_wait_for_slow(2));
  robotrules_agent_free(agent);
  CHECK(last.done == 1);
  CHECK_STR(facts_of(last.response).source, "cancelled");
  robotrules_response_free(last.response);
  CHECK(robotrules_request_cancel(request) == ROBOTRULES_OK);
  robotrules_request_free(request);
}

// A request that its callback frees together with the memory that its handle was given to.
struct job {
  robotrules_request* request;
  arrival* to;
};

static void free_job(void* user, robotrules_response* response) {
  struct job* job = user;
  arrival* to = job->to;
  // Also if start() has not returned. (The checks themselves are of the main thread.)
  to->handle_works = job->request != NULL && robotrules_request_cancel(job->request) == ROBOTRULES_OK;
  robotrules_request_free(job->request);
  free(job);
  on_done(to, response);
}

static void callbacks_free_requests(robotrules_agent* agent) {
  for (int i = 0; i < 200; ++i) {
    arrival refused = NOTHING;
    struct job* job = malloc(sizeof *job);
    if (job == NULL) abort();
    job->request = NULL;
    job->to = &refused;
    robotrules_callbacks calls = ROBOTRULES_CALLBACKS_INIT;
    calls.user = job;
    calls.on_done = free_job;
    robotrules_call call = ROBOTRULES_CALL_INIT;
    call.url = (robotrules_str){"no url", 6};
    CHECK(robotrules_agent_start(agent, &call, &calls, &job->request) == ROBOTRULES_OK);
    robotrules_response_free(wait_for(&refused));
    CHECK(refused.handle_works);
  }
}

// Requests are cancelled by several threads while the agent ends: each calls back once, before the end has returned.
enum { threads = 4, requests_of_thread = 10 };

static void* cancel_all(void* user) {
  robotrules_request** requests = user;
  for (int i = 0; i < requests_of_thread; ++i) {
    if (robotrules_request_cancel(requests[i]) != ROBOTRULES_OK) return user;
    robotrules_request_free(requests[i]);
  }
  return NULL;
}

static void cancels_race_with_the_end(void) {
  static arrival arrivals[threads * requests_of_thread];
  robotrules_request* requests[threads * requests_of_thread];
  pthread_t runs[threads];
  robotrules_agent* agent = opened(NULL);
  const robotrules_call call = call_of("/slow");
  for (int i = 0; i < threads * requests_of_thread; ++i) {
    arrivals[i] = (arrival)NOTHING;
    const robotrules_callbacks calls = {sizeof calls, &arrivals[i], NULL, on_done};
    CHECK(robotrules_agent_start(agent, &call, &calls, &requests[i]) == ROBOTRULES_OK);
  }
  for (int i = 0; i < threads; ++i) {
    CHECK(pthread_create(&runs[i], NULL, cancel_all, requests + i * requests_of_thread) == 0);
  }
  robotrules_agent_free(agent);
  for (int i = 0; i < threads; ++i) {
    void* failed = NULL;
    CHECK(pthread_join(runs[i], &failed) == 0 && failed == NULL);
  }
  for (int i = 0; i < threads * requests_of_thread; ++i) {
    CHECK(arrivals[i].done == 1);
    robotrules_response_free(arrivals[i].response);
  }
}

// An agent over the database of another robot fails, and the store keeps its data and its policy.
static void keeps_store(void) {
  robotrules_store* store;
  robotrules_database* database;
  robotrules_agent* agent;
  robotrules_error* error;
  robotrules_text* policy;
  robotrules_str code;
  robotrules_agent_options* settings = options();
  CHECK(robotrules_store_open(ROBOTRULES_TEXT("memory:"), 0, &store, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_open(store, ROBOTRULES_TEXT("FooBot"), NULL, 0, 1, &database, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_keep(database, ROBOTRULES_TEXT("https://example.org/robots.txt"),
                                 ROBOTRULES_TEXT("User-agent: *\nDisallow: /\n"), 60, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_set_policy(database, ROBOTRULES_TEXT("strict"), NULL) == ROBOTRULES_OK);
  CHECK(robotrules_agent_open(ROBOTRULES_TEXT("BarBot/1.0"), ROBOTRULES_TEXT("me@example.org"), database, settings,
                              &agent, &error) == ROBOTRULES_FAILED);
  robotrules_error_code(error, &code);
  CHECK_STR(code, "other-agent");
  robotrules_error_free(error);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_POLICY, "lwp-fixed", 9) == ROBOTRULES_OK);
  CHECK(robotrules_agent_open(ROBOTRULES_TEXT("FooBot/1.0"), ROBOTRULES_TEXT("me@example.org"), database, settings,
                              &agent, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_allowed(database, ROBOTRULES_TEXT("https://example.org/x")) ==
        ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_policy(database, &policy, NULL) == ROBOTRULES_OK);
  CHECK_TEXT(policy, "strict");
  robotrules_agent_free(agent);
  robotrules_agent_options_free(settings);
  robotrules_database_free(database);
  robotrules_store_free(store);
}

#ifndef ROBOTRULES_SANITIZED  // a sanitizer needs descriptors itself: without one, it reports objects that are sound
// Without file descriptors an agent fails with the reason.
static void no_descriptors(void) {
  struct rlimit before, low;
  CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = dup(0);
  close(next);
  int refused = 0;
  for (int more = 0; more < 8; ++more) {
    robotrules_agent* agent;
    robotrules_error* error;
    robotrules_str code;
    low = before;
    low.rlim_cur = (rlim_t)next + (rlim_t)more;
    CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
    const robotrules_status status = robotrules_agent_open(
        ROBOTRULES_TEXT("FooBot/1.0"), ROBOTRULES_TEXT("me@example.org"), NULL, NULL, &agent, &error);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(status != ROBOTRULES_INTERNAL);
    if (status == ROBOTRULES_FAILED) {
      robotrules_error_code(error, &code);
      CHECK_STR(code, "no-resources");
      ++refused;
    }
    robotrules_error_free(error);
    robotrules_agent_free(agent);
  }
  CHECK(refused > 0);
}
#endif

// The agent and the database share rules and visits.
static void shares_database(void) {
  robotrules_database* database;
  CHECK(robotrules_database_open(NULL, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &database, NULL) == ROBOTRULES_OK);
  robotrules_agent* agent = opened(database);
  robotrules_response_free(got(agent, "/page"));
  const robotrules_str url = url_of("/private");
  CHECK(robotrules_database_allowed(database, url.data, url.size) == ROBOTRULES_ACCESS_DISALLOWED);
  uint64_t count;
  int64_t last;
  CHECK(robotrules_database_visits(database, url.data, url.size, &count, &last, NULL) == ROBOTRULES_OK && count == 1);
  robotrules_database_free(database);
  robotrules_response* response = got(agent, "/private");
  CHECK_STR(facts_of(response).source, "robots-denied");
  robotrules_response_free(response);
  robotrules_agent_free(agent);
}

static void misuse(robotrules_agent* agent) {
  robotrules_agent_options* settings = options();
  robotrules_agent* none;
  robotrules_error* error;
  robotrules_str code;
  CHECK(robotrules_agent_options_new(NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(NULL, ROBOTRULES_OPTION_CA_FILE, "", 0) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(settings, 0, "", 0) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_CA_FILE, NULL, 1) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_ALLOW_ADDRESS, "localhost", 9) ==
        ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_POLICY, "none", 4) ==
        ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_POLICY, "strict", 6) == ROBOTRULES_OK);
  CHECK(robotrules_agent_options_set_number(settings, 99, 1) == ROBOTRULES_INVALID_ARGUMENT);
  for (int32_t option = ROBOTRULES_OPTION_DELAY; option <= ROBOTRULES_OPTION_CONNECT_TIMEOUT; ++option) {
    CHECK(robotrules_agent_options_set_number(settings, option, -1) == ROBOTRULES_INVALID_ARGUMENT);
    CHECK(robotrules_agent_options_set_number(settings, option, 1) == ROBOTRULES_OK);
    if (option == ROBOTRULES_OPTION_MAX_BODY) continue;
    CHECK(robotrules_agent_options_set_number(settings, option, INT64_MAX) == ROBOTRULES_INVALID_ARGUMENT);
  }
  CHECK(robotrules_agent_open("", 0, "me", 2, NULL, settings, &none, &error) == ROBOTRULES_FAILED && none == NULL);
  robotrules_error_code(error, &code);
  CHECK_STR(code, "invalid-agent");
  robotrules_error_free(error);
  CHECK(robotrules_agent_open(ROBOTRULES_TEXT("FooBot"), "me", 2, NULL, NULL, &none, &error) == ROBOTRULES_FAILED);
  robotrules_error_code(error, &code);
  CHECK_STR(code, "invalid-contact");
  robotrules_error_free(error);
  CHECK(robotrules_agent_options_set_text(settings, ROBOTRULES_OPTION_CA_FILE, "a\0b", 3) ==
        ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_open(ROBOTRULES_TEXT("FooBot/1.0\r\nX: y"), ROBOTRULES_TEXT("me@example.org"), NULL, NULL,
                              &none, NULL) == ROBOTRULES_FAILED);
  CHECK(none == NULL);
  CHECK(robotrules_agent_open(NULL, 1, "me", 2, NULL, NULL, &none, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_open("a", 1, "me", SIZE_MAX, NULL, NULL, &none, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_open("a", 1, "me", 2, NULL, NULL, NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);

  robotrules_response* response;
  CHECK(robotrules_agent_get(NULL, "/", 1, &response) == ROBOTRULES_INVALID_ARGUMENT && response == NULL);
  CHECK(robotrules_agent_get(agent, NULL, 1, &response) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_get(agent, "/", 1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_get(agent, "/", 1, &response) == ROBOTRULES_OK);
  CHECK_STR(facts_of(response).source, "invalid-request");
  robotrules_response_free(response);

  robotrules_request* request;
  robotrules_call call = call_of("/page");
  const robotrules_callbacks calls = {sizeof(robotrules_callbacks), NULL, NULL, on_done},
                             no_done = {sizeof(robotrules_callbacks), NULL, on_body, NULL};
  CHECK(robotrules_agent_start(NULL, &call, &calls, &request) == ROBOTRULES_INVALID_ARGUMENT && request == NULL);
  CHECK(robotrules_agent_start(agent, NULL, &calls, &request) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_start(agent, &call, NULL, &request) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_agent_start(agent, &call, &no_done, &request) == ROBOTRULES_INVALID_ARGUMENT);
  call.header_count = 1;
  CHECK(robotrules_agent_start(agent, &call, &calls, &request) == ROBOTRULES_INVALID_ARGUMENT);
  call.header_count = 0;
  call.body.size = SIZE_MAX;
  CHECK(robotrules_agent_start(agent, &call, &calls, &request) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_request_cancel(NULL) == ROBOTRULES_INVALID_ARGUMENT);

  robotrules_response_facts facts;
  CHECK(robotrules_response_get_facts(NULL, &facts) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK_STR(facts.body, "");
  CHECK(robotrules_response_get_facts(NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_response_previous(NULL, &response) == ROBOTRULES_INVALID_ARGUMENT && response == NULL);
  robotrules_verdict verdict;
  CHECK(robotrules_response_verdict(NULL, &verdict) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(verdict.access == ROBOTRULES_ACCESS_UNKNOWN);
  robotrules_header header;
  CHECK(robotrules_response_header(NULL, 0, &header) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK_STR(header.name, "");
  robotrules_agent_options_free(settings);
  robotrules_agent_options_free(NULL);
  robotrules_agent_free(NULL);
  robotrules_response_free(NULL);
  robotrules_request_free(NULL);
}

int main(void) {
  port = test_server_start();
  CHECK(port != 0);
  CHECK((robotrules_features() & ROBOTRULES_FEATURE_AGENT) != 0);
  robotrules_agent* agent = opened(NULL);
  pages(agent);
  callbacks(agent);
  callbacks_free_requests(agent);
  misuse(agent);
  cancels(agent);  // ends the agent
  shares_database();
  cancels_race_with_the_end();
  keeps_store();
#ifndef ROBOTRULES_SANITIZED
  no_descriptors();
#endif
  test_server_stop();
  return result();
}
