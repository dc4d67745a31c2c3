// Store, gate and database through the C ABI. The argument is a new folder that no other user can write.
#include "check.h"

static char path[4096];

static void check_error(robotrules_status status, robotrules_error* error, const char* code, const char* file,
                        int line) {
  robotrules_str is_code, message;
  robotrules_error_code(error, &is_code);
  robotrules_error_message(error, &message);
  check_(status == ROBOTRULES_FAILED, "the call fails", file, line);
  check_str_(is_code, code, "the error", file, line);
  check_(message.size > 0, "the error has a message", file, line);
  robotrules_error_free(error);
}
// Calls and then looks at the variable `error`, which the call sets.
#define CHECK_ERROR(call, code)                              \
  do {                                                       \
    const robotrules_status status_ = (call);                \
    check_error(status_, error, (code), __FILE__, __LINE__); \
  } while (0)

static robotrules_store* opened(const char* name, uint32_t flags) {
  robotrules_store* store = NULL;
  robotrules_error* error;
  CHECK(robotrules_store_open(name, strlen(name), flags, &store, &error) == ROBOTRULES_OK);
  CHECK(error == NULL && store != NULL);
  return store;
}

// The gate: granted, wait, complete, cancel. `visits`: of the site before. Frees the store.
static void gate(robotrules_store* store, uint64_t visits) {
  const robotrules_str keys[] = {{"https://example.org", 19}};
  const robotrules_gate_request hourly = {sizeof hourly, INT64_C(3600) * 1000000, 0, 0, 0, 0, 0};
  robotrules_reservation *first, *second;
  robotrules_gate_answer answer;
  robotrules_error* error;
  CHECK(robotrules_store_reserve(store, keys, 1, &hourly, &first, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_reservation_answer(first, &answer) == ROBOTRULES_OK);
  CHECK(answer.answer == ROBOTRULES_GATE_GRANTED && answer.fence > 0 && answer.until > robotrules_store_now(store));
  CHECK_STR(answer.why, "");

  CHECK(robotrules_store_reserve(store, keys, 1, &hourly, &second, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_reservation_answer(second, &answer) == ROBOTRULES_OK);
  CHECK(answer.answer == ROBOTRULES_GATE_WAIT && answer.fence == 0);
  CHECK_STR(answer.key, "https://example.org");
  CHECK(robotrules_reservation_complete(second, 200, -1, 0, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_cancel(second, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_fail(second, ROBOTRULES_CAUSE_CONNECT, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_may_send(second, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_may_send(NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_may_send(first, &error) == ROBOTRULES_OK && error == NULL);
  robotrules_reservation_free(second);

  robotrules_gate_state state;
  CHECK(robotrules_store_gate(store, keys[0].data, keys[0].size, &state, &error) == ROBOTRULES_OK);
  CHECK(state.in_flight == 1);
  CHECK(state.visits == visits + 1);
  CHECK(state.last_visit != ROBOTRULES_NO_TIME);
  CHECK(robotrules_reservation_complete(first, 200, -2, 0, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_complete(first, 200, -1, -1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_complete(first, 503, INT64_C(7200) * 1000000, 1000, &error) == ROBOTRULES_OK);
  CHECK_ERROR(robotrules_reservation_complete(first, 200, -1, 0, &error), "unknown-token");
  CHECK(robotrules_reservation_complete(first, 200, -1, 0, NULL) == ROBOTRULES_FAILED);
  CHECK_ERROR(robotrules_reservation_cancel(first, &error), "unknown-token");
  CHECK_ERROR(robotrules_reservation_fail(first, ROBOTRULES_CAUSE_CONNECT, &error), "unknown-token");
  robotrules_reservation_free(first);

  CHECK(robotrules_store_reserve(store, keys, 1, NULL, &first, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_reservation_answer(first, &answer) == ROBOTRULES_OK);
  CHECK(answer.answer == ROBOTRULES_GATE_WAIT && answer.until > robotrules_store_now(store));
  CHECK_STR(answer.why, "penalty");
  robotrules_reservation_free(first);

  // A cancelled request leaves the key free, also after its store handle is gone.
  const robotrules_str other[] = {{"https://other.example", 21}};
  CHECK(robotrules_store_reserve(store, other, 1, &hourly, &first, NULL) == ROBOTRULES_OK);
  robotrules_store_free(store);
  CHECK(robotrules_reservation_answer(first, &answer) == ROBOTRULES_OK && answer.answer == ROBOTRULES_GATE_GRANTED);
  CHECK(robotrules_reservation_cancel(first, &error) == ROBOTRULES_OK && error == NULL);
  robotrules_reservation_free(first);
}

static robotrules_reservation* reserved(robotrules_store* store, const robotrules_str* keys, size_t count,
                                        robotrules_gate_answer* answer) {
  robotrules_reservation* reservation = NULL;
  CHECK(robotrules_store_reserve(store, keys, count, NULL, &reservation, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_reservation_answer(reservation, answer) == ROBOTRULES_OK);
  return reservation;
}

// Ends a request with a cause. Then `pause` seconds must be left until the next one; 0: it may be sent at once.
static void check_pause(robotrules_store* store, const char* site, int32_t cause, int64_t pause, int line) {
  const robotrules_str key = {site, strlen(site)};
  robotrules_gate_answer answer;
  robotrules_error* error;
  robotrules_reservation* reservation = reserved(store, &key, 1, &answer);
  check_(answer.answer == ROBOTRULES_GATE_GRANTED, "the request is granted", __FILE__, line);
  const int64_t begun = robotrules_store_now(store);
  check_(robotrules_reservation_fail(reservation, cause, &error) == ROBOTRULES_OK && error == NULL, "the end is taken",
         __FILE__, line);
  const int64_t ended = robotrules_store_now(store);
  robotrules_reservation_free(reservation);

  reservation = reserved(store, &key, 1, &answer);
  if (pause == 0) {
    check_(answer.answer == ROBOTRULES_GATE_GRANTED, "nothing pauses the site", __FILE__, line);
    check_(robotrules_reservation_cancel(reservation, NULL) == ROBOTRULES_OK, "it is cancelled", __FILE__, line);
  } else {
    check_(answer.answer == ROBOTRULES_GATE_WAIT, "the site pauses", __FILE__, line);
    check_str_(answer.why, "away", "the reason", __FILE__, line);
    check_(answer.until >= begun + pause * 1000000 && answer.until <= ended + pause * 1000000, "the pause", __FILE__,
           line);
  }
  robotrules_reservation_free(reservation);
}

// A request that got no answer: its cause decides whether the site pauses. Frees the store.
static void failures(robotrules_store* store) {
  check_pause(store, "https://connect.example", ROBOTRULES_CAUSE_CONNECT, 5, __LINE__);
  check_pause(store, "https://timeout.example", ROBOTRULES_CAUSE_TIMEOUT, 5, __LINE__);
  check_pause(store, "https://dns.example", ROBOTRULES_CAUSE_DNS, 5, __LINE__);
  check_pause(store, "https://route.example", ROBOTRULES_CAUSE_ROUTE, 5, __LINE__);
  check_pause(store, "https://open.example", ROBOTRULES_CAUSE_CANCELLED, 0, __LINE__);
  check_pause(store, "https://open.example", ROBOTRULES_CAUSE_NONE, 0, __LINE__);
  check_pause(store, "ip:192.0.2.1", ROBOTRULES_CAUSE_CONNECT, 0, __LINE__);

  // Of several keys, only that of the origin pauses. A cause that does not exist ends nothing.
  const robotrules_str both[] = {{"https://shared.example", 22}, {"ip:192.0.2.2", 12}};
  robotrules_gate_answer answer;
  robotrules_gate_state state;
  robotrules_error* error;
  robotrules_reservation* reservation = reserved(store, both, 2, &answer);
  CHECK(robotrules_reservation_fail(reservation, -1, &error) == ROBOTRULES_INVALID_ARGUMENT && error == NULL);
  CHECK(robotrules_reservation_fail(reservation, 6, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_fail(reservation, INT32_MAX, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_gate(store, both[0].data, both[0].size, &state, NULL) == ROBOTRULES_OK);
  CHECK(state.in_flight == 1);
  CHECK(robotrules_reservation_fail(reservation, ROBOTRULES_CAUSE_CONNECT, NULL) == ROBOTRULES_OK);
  CHECK_ERROR(robotrules_reservation_complete(reservation, 200, -1, 0, &error), "unknown-token");
  robotrules_reservation_free(reservation);
  reservation = reserved(store, &both[1], 1, &answer);
  CHECK(robotrules_reservation_cancel(reservation, NULL) == ROBOTRULES_OK);
  robotrules_reservation_free(reservation);
  reservation = reserved(store, &both[0], 1, &answer);
  CHECK(answer.answer == ROBOTRULES_GATE_WAIT);
  CHECK_STR(answer.key, "https://shared.example");
  CHECK_STR(answer.why, "away");
  robotrules_reservation_free(reservation);
  CHECK(robotrules_store_gate(store, both[0].data, both[0].size, &state, NULL) == ROBOTRULES_OK);
  CHECK(state.in_flight == 0 && state.visits == 1 && state.incidents == 0);
  robotrules_store_free(store);
}

static void gate_errors(void) {
  robotrules_store* store = opened("memory:", 0);
  const robotrules_str twice[] = {{"a", 1}, {"a", 1}};
  const robotrules_gate_request backwards = {sizeof backwards, -1, 0, 0, 0, 0, 0};
  robotrules_reservation* reservation;
  robotrules_error* error;
  CHECK_ERROR(robotrules_store_reserve(store, NULL, 0, NULL, &reservation, &error), "invalid-request");
  CHECK_ERROR(robotrules_store_reserve(store, twice, 2, NULL, &reservation, &error), "invalid-request");
  CHECK_ERROR(robotrules_store_reserve(store, twice, 1, &backwards, &reservation, &error), "invalid-request");
  CHECK(reservation == NULL);
  CHECK(robotrules_store_reserve(NULL, twice, 1, NULL, &reservation, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_reserve(store, twice, 1, NULL, NULL, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_reserve(store, NULL, 1, NULL, &reservation, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_answer(NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_complete(NULL, 200, -1, 0, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_cancel(NULL, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_reservation_fail(NULL, ROBOTRULES_CAUSE_CONNECT, &error) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_gate_state state;
  CHECK(robotrules_store_gate(NULL, "a", 1, &state, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_gate(store, NULL, 1, &state, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_now(NULL) == ROBOTRULES_NO_TIME);

  robotrules_text* key;
  CHECK(robotrules_gate_key(ROBOTRULES_TEXT("https://Example.org/x"), &key) == ROBOTRULES_OK);
  CHECK_TEXT(key, "https://example.org");
  CHECK(robotrules_gate_key(ROBOTRULES_TEXT("/x"), &key) == ROBOTRULES_INVALID_URL && key == NULL);
  CHECK(robotrules_gate_key(NULL, 1, &key) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_store_free(store);
  robotrules_store_free(NULL);
  robotrules_reservation_free(NULL);
  robotrules_error_free(NULL);
}

static void database(void) {
  robotrules_store* store = opened(path, ROBOTRULES_STORE_FIRST_EVER);
  robotrules_database* kept;
  robotrules_error* error;
  CHECK(robotrules_database_open(store, ROBOTRULES_TEXT("FooBot/1.0"), NULL, 0, 0, &kept, &error) == ROBOTRULES_OK);
  robotrules_store_free(store);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/private")) == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK(robotrules_database_keep(kept, ROBOTRULES_TEXT("https://example.org/robots.txt"),
                                 ROBOTRULES_TEXT("User-agent: FooBot\nDisallow: /private\n"), 86400,
                                 &error) == ROBOTRULES_OK);
  CHECK(robotrules_database_visit(kept, ROBOTRULES_TEXT("https://example.org"), &error) == ROBOTRULES_OK);
  CHECK_ERROR(robotrules_database_keep(kept, ROBOTRULES_TEXT("/robots.txt"), NULL, 0, 1, &error), "invalid-url");
  CHECK(robotrules_database_keep(kept, ROBOTRULES_TEXT("https://example.org/robots.txt"), NULL, 0, -1, NULL) ==
        ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep(kept, ROBOTRULES_TEXT("https://example.org/robots.txt"), NULL, 0, INT64_MAX, NULL) ==
        ROBOTRULES_INVALID_ARGUMENT);
  robotrules_database_free(kept);

  // Another handle, as after a restart, asks the file.
  store = opened(path, ROBOTRULES_STORE_EXISTING);
  CHECK_ERROR(robotrules_database_open(store, ROBOTRULES_TEXT("BarBot"), NULL, 0, 0, &kept, &error), "other-agent");
  CHECK(robotrules_database_open(store, ROBOTRULES_TEXT("FooBot"), ROBOTRULES_TEXT("none"), 0, &kept, &error) ==
        ROBOTRULES_UNKNOWN_DIALECT);
  CHECK(kept == NULL);
  CHECK(robotrules_database_open(store, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &kept, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/private")) ==
        ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/")) == ROBOTRULES_ACCESS_ALLOWED);
  uint64_t count;
  int64_t last;
  CHECK(robotrules_database_visits(kept, ROBOTRULES_TEXT("example.org:443"), &count, &last, NULL) == ROBOTRULES_OK);
  CHECK(count == 1 && last > 0 && last <= robotrules_store_now(store));

  robotrules_rules* rules;
  robotrules_verdict verdict;
  CHECK(robotrules_database_rules(kept, ROBOTRULES_TEXT("https://unknown.example/"), &rules, NULL) == ROBOTRULES_OK);
  CHECK(rules == NULL);
  CHECK(robotrules_database_rules(kept, ROBOTRULES_TEXT("https://example.org/"), &rules, NULL) == ROBOTRULES_OK);
  robotrules_database_free(kept);
  robotrules_store_free(store);
  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("/private"), &verdict) == ROBOTRULES_OK &&
        verdict.rule.line == 2);
  robotrules_rules_free(rules);

  CHECK(robotrules_database_open(NULL, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &kept, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_allowed(kept, NULL, 1) == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK(robotrules_database_allowed(NULL, "/", 1) == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK(robotrules_database_rules(kept, NULL, 1, &rules, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_visits(kept, "x", 1, NULL, &last, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  robotrules_database_free(kept);
  robotrules_database_free(NULL);
}

// RobotRules::push_rules(), the rules of the program beside those of the site.
static void own_rules(void) {
  robotrules_database* kept;
  robotrules_error* error;
  const robotrules_str patterns[] = {{"/own", 4}, {"/*.pdf$", 7}};
  const robotrules_str wrong = {"/a#b", 4};
  CHECK(robotrules_database_open(NULL, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &kept, NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_push_rules(kept, ROBOTRULES_TEXT("https://example.org"), patterns, 2, NULL) ==
        ROBOTRULES_OK);
  CHECK(robotrules_database_keep(kept, ROBOTRULES_TEXT("https://example.org/robots.txt"), "", 0, 60, NULL) ==
        ROBOTRULES_OK);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/a.pdf")) ==
        ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/own/")) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/x")) == ROBOTRULES_ACCESS_ALLOWED);
  CHECK_ERROR(robotrules_database_push_rules(kept, ROBOTRULES_TEXT("example.org"), &wrong, 1, &error), "invalid-rule");
  CHECK_ERROR(robotrules_database_push_rules(kept, ROBOTRULES_TEXT("a/b"), patterns, 1, &error), "invalid-url");
  CHECK(robotrules_database_push_rules(kept, "x", 1, NULL, 1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_push_rules(NULL, "x", 1, patterns, 1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_clear_own_rules(NULL, "x", 1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_clear_own_rules(kept, ROBOTRULES_TEXT("https://example.org"), NULL) == ROBOTRULES_OK);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/own/")) == ROBOTRULES_ACCESS_ALLOWED);
  robotrules_database_free(kept);
}

static void check_site(const robotrules_database* database, int32_t access, int32_t state, int line) {
  int32_t is_access = 9, is_state = 9;
  robotrules_error* error;
  check_(robotrules_database_check(database, ROBOTRULES_TEXT("https://example.org/page"), &is_access, &is_state,
                                   &error) == ROBOTRULES_OK,
         "the site is checked", __FILE__, line);
  check_(is_access == access && is_state == state, "the access and the state", __FILE__, line);
}

// Answers without a file: the policy decides, and a failure keeps the last good copy.
static void outcomes(void) {
  static const char robots[] = "https://example.org/robots.txt";
  const size_t size = sizeof robots - 1;
  robotrules_database* kept;
  robotrules_error* error;
  robotrules_text* policy;
  robotrules_str name;
  CHECK(robotrules_database_open(NULL, ROBOTRULES_TEXT("FooBot"), NULL, 0, 0, &kept, NULL) == ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_UNKNOWN, ROBOTRULES_STATE_UNKNOWN, __LINE__);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, ROBOTRULES_OUTCOME_UNREACHABLE, 503, 60, &error) ==
        ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_DISALLOWED, ROBOTRULES_STATE_DISALLOW_ALL, __LINE__);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, ROBOTRULES_OUTCOME_UNAVAILABLE, 404, 60, &error) ==
        ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_ALLOWED, ROBOTRULES_STATE_ALLOW_ALL, __LINE__);
  CHECK(robotrules_database_keep(kept, robots, size, ROBOTRULES_TEXT("User-agent: *\nDisallow: /page\n"), 60, NULL) ==
        ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_DISALLOWED, ROBOTRULES_STATE_RULES, __LINE__);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, ROBOTRULES_OUTCOME_UNREACHABLE, 0, 60, &error) ==
        ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_DISALLOWED, ROBOTRULES_STATE_STALE, __LINE__);
  CHECK(robotrules_database_allowed(kept, ROBOTRULES_TEXT("https://example.org/other")) == ROBOTRULES_ACCESS_ALLOWED);

  CHECK(robotrules_database_keep_outcome(kept, robots, size, ROBOTRULES_OUTCOME_UNAVAILABLE, 403, 60, &error) ==
        ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_ALLOWED, ROBOTRULES_STATE_ALLOW_ALL, __LINE__);
  CHECK(robotrules_database_policy(kept, &policy, NULL) == ROBOTRULES_OK);
  CHECK_TEXT(policy, "rfc9309");
  CHECK(robotrules_database_set_policy(kept, ROBOTRULES_TEXT("strict"), &error) == ROBOTRULES_OK);
  check_site(kept, ROBOTRULES_ACCESS_DISALLOWED, ROBOTRULES_STATE_DISALLOW_ALL, __LINE__);
  CHECK(robotrules_database_policy(kept, &policy, NULL) == ROBOTRULES_OK);
  CHECK_TEXT(policy, "strict");

  CHECK(robotrules_database_set_policy(kept, ROBOTRULES_TEXT("none"), NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, 0, 404, 60, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, 2, 1000, 60, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep_outcome(kept, robots, size, 2, 503, -1, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_database_keep_outcome(kept, "/", 1, 2, 503, 60, NULL) == ROBOTRULES_INVALID_URL);
  int32_t access = 9, state = 9;
  CHECK(robotrules_database_check(kept, ROBOTRULES_TEXT("not a url"), &access, &state, NULL) == ROBOTRULES_INVALID_URL);
  CHECK(access == ROBOTRULES_ACCESS_UNKNOWN && state == ROBOTRULES_STATE_UNKNOWN);
  CHECK(robotrules_database_check(kept, ROBOTRULES_TEXT("mailto:me@example.org"), &access, NULL, NULL) ==
        ROBOTRULES_OK);
  CHECK(access == ROBOTRULES_ACCESS_ALLOWED);
  CHECK(robotrules_database_check(kept, NULL, 1, &access, NULL, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(access == ROBOTRULES_ACCESS_UNKNOWN);
  robotrules_rules* rules;
  CHECK(robotrules_database_rules(kept, ROBOTRULES_TEXT("not a url"), &rules, NULL) == ROBOTRULES_INVALID_URL);
  robotrules_state_name(ROBOTRULES_STATE_ALLOW_ALL, &name);
  CHECK_STR(name, "allow-all");
  robotrules_state_name(5, &name);
  CHECK_STR(name, "");
  robotrules_database_free(kept);
}

// The sizes of a struct that the caller fills: too small, larger with zeros, larger with members that are not known.
static void struct_sizes(void) {
  struct {
    robotrules_gate_request known;
    int64_t later;
  } request = {ROBOTRULES_GATE_REQUEST_INIT, 0};
  robotrules_store* store = opened("memory:", 0);
  const robotrules_str keys[] = {{"a", 1}};
  robotrules_reservation* reservation;
  request.known.size = sizeof request.known - 1;
  CHECK(robotrules_store_reserve(store, keys, 1, &request.known, &reservation, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  request.known.size = SIZE_MAX;
  CHECK(robotrules_store_reserve(store, keys, 1, &request.known, &reservation, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  request.known.size = sizeof request;
  CHECK(robotrules_store_reserve(store, keys, 1, &request.known, &reservation, NULL) == ROBOTRULES_OK);
  robotrules_reservation_free(reservation);
  request.later = 1;
  CHECK(robotrules_store_reserve(store, keys, 1, &request.known, &reservation, NULL) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(reservation == NULL);
  robotrules_store_free(store);
}

static void open_errors(void) {
  robotrules_store* store;
  robotrules_error* error;
  CHECK_ERROR(robotrules_store_open(ROBOTRULES_TEXT("/nonexistent/robots.db"), 0, &store, &error), "store-path");
  CHECK(store == NULL);
  char missing[sizeof path + 8];
  snprintf(missing, sizeof missing, "%s.missing", path);
  CHECK_ERROR(robotrules_store_open(missing, strlen(missing), ROBOTRULES_STORE_EXISTING, &store, &error),
              "store-missing");
  CHECK(robotrules_store_open(path, strlen(path), 16, &store, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_open(path, SIZE_MAX, 0, &store, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(robotrules_store_open(path, strlen(path), 0, NULL, &error) == ROBOTRULES_INVALID_ARGUMENT);
  CHECK(error == NULL);
}

static void moved(const char* folder) {
  char here[sizeof path], away[sizeof path];
  snprintf(here, sizeof here, "%s/moved.db", folder);
  snprintf(away, sizeof away, "%s/moved.old", folder);
  robotrules_store* store = opened(here, ROBOTRULES_STORE_FIRST_EVER);
  CHECK(rename(here, away) == 0);
  const robotrules_str site[] = {{"a", 1}};
  robotrules_reservation* reservation;
  robotrules_error* error;
  CHECK_ERROR(robotrules_store_reserve(store, site, 1, NULL, &reservation, &error), "store-moved");
  CHECK(reservation == NULL);
  robotrules_store_free(store);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  snprintf(path, sizeof path, "%s/robots.db", words[1]);
  CHECK((robotrules_features() & ROBOTRULES_FEATURE_STORE) != 0);
  gate(opened("memory:", 0), 0);
  failures(opened("memory:", 0));
  gate_errors();
  struct_sizes();
  database();
  outcomes();
  own_rules();
  gate(opened(path, ROBOTRULES_STORE_EXISTING | ROBOTRULES_STORE_DURABLE), 1);
  failures(opened(path, ROBOTRULES_STORE_EXISTING));
  open_errors();
  moved(words[1]);
  return result();
}
