// Several threads use one Rules handle and one file handle at the same time, and get the answers of one thread.
#include <pthread.h>

#include "check.h"

enum { threads = 4, rounds = 5000 };

static const char body[] =
    "User-agent: FooBot\nDisallow: /private*x\nAllow: /private/open\nCrawl-delay: 2\n"
    "User-agent: *\nDisallow: /\nSitemap: https://example.org/map.xml\n";

static robotrules_rules* rules;
static robotrules_file* file;
static pthread_barrier_t start;

// Returns the number of wrong answers: CHECK counts for one thread.
static void* ask(void* unused) {
  (void)unused;
  size_t wrong = 0;
  pthread_barrier_wait(&start);
  for (int i = 0; i < rounds; ++i) {
    robotrules_verdict verdict;
    wrong += robotrules_rules_check(rules, ROBOTRULES_TEXT("/private/open/x"), &verdict) != ROBOTRULES_OK;
    wrong +=
        verdict.rule.line != 3 || verdict.runner_up.line != 2 || memcmp(verdict.rule.pattern.data, "/private", 8) != 0;
    wrong += robotrules_rules_access(rules, ROBOTRULES_TEXT("/private/x")) != ROBOTRULES_ACCESS_DISALLOWED;
    if (i % 50 != 0) continue;
    robotrules_text* text;
    robotrules_rules* own;
    robotrules_findings* findings;
    wrong += robotrules_rules_explain(rules, ROBOTRULES_TEXT("/private/x"), &text) != ROBOTRULES_OK;
    robotrules_text_free(text);
    wrong += robotrules_file_rules(file, ROBOTRULES_TEXT("Other"), &own) != ROBOTRULES_OK;
    wrong += robotrules_rules_access(own, ROBOTRULES_TEXT("/x")) != ROBOTRULES_ACCESS_DISALLOWED;
    robotrules_rules_free(own);
    wrong += robotrules_file_lint(file, NULL, &findings) != ROBOTRULES_OK;
    wrong += robotrules_findings_count(findings) == 0;
    robotrules_findings_free(findings);
  }
  return (void*)wrong;
}

int main(void) {
  CHECK(robotrules_rules_compile(body, sizeof body - 1, ROBOTRULES_TEXT("FooBot"), NULL, 0, NULL, 0, &rules) ==
        ROBOTRULES_OK);
  CHECK(robotrules_file_parse(body, sizeof body - 1, NULL, 0, NULL, 0, &file) == ROBOTRULES_OK);
  CHECK(pthread_barrier_init(&start, NULL, threads) == 0);
  pthread_t ids[threads];
  for (int i = 0; i < threads; ++i) CHECK(pthread_create(&ids[i], NULL, ask, NULL) == 0);
  for (int i = 0; i < threads; ++i) {
    void* wrong = &start;
    CHECK(pthread_join(ids[i], &wrong) == 0);
    CHECK(wrong == NULL);
  }
  pthread_barrier_destroy(&start);
  robotrules_rules_free(rules);
  robotrules_file_free(file);
  return result();
}
