// Checks for the tests of the C ABI: a failed one prints its place and the test goes on; result() is the exit status.
#ifndef ROBOTRULES_TESTS_BINDINGS_C_CHECK_H
#define ROBOTRULES_TESTS_BINDINGS_C_CHECK_H

#include <stdio.h>
#include <string.h>

#include <robotrules.h>

static unsigned long checks_made, checks_failed;

static inline void check_(int holds, const char* condition, const char* file, int line) {
  ++checks_made;
  if (holds) return;
  ++checks_failed;
  fprintf(stderr, "%s:%d: %s\n", file, line, condition);
}
#define CHECK(condition) check_((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

static inline void check_str_(robotrules_str is, const char* wanted, const char* expression, const char* file,
                              int line) {
  ++checks_made;
  if (is.data != NULL && is.size == strlen(wanted) && memcmp(is.data, wanted, is.size) == 0) return;
  ++checks_failed;
  fprintf(stderr, "%s:%d: %s is \"%.*s\", not \"%s\"\n", file, line, expression, (int)is.size,
          is.data != NULL ? is.data : "NULL", wanted);
}
#define CHECK_STR(text, wanted) check_str_((text), (wanted), #text, __FILE__, __LINE__)

// Checks and frees an owned text.
#define CHECK_TEXT(text, wanted)                            \
  do {                                                      \
    robotrules_str view_;                                   \
    robotrules_text_view((text), &view_);                   \
    check_str_(view_, (wanted), #text, __FILE__, __LINE__); \
    robotrules_text_free(text);                             \
  } while (0)

// Returns the exit status: 0 if there was a check and none failed.
static inline int result(void) {
  printf("%lu checks, %lu failed\n", checks_made, checks_failed);
  return checks_made > 0 && checks_failed == 0 ? 0 : 1;
}

#endif
