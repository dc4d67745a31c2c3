// The key under which Rules keep a verdict that they made. Part of the extension module.
#include <robotrules.h>

enum { last_line = 0x0FFFFFFF };  // where the library stops counting: all later lines have this number

// Returns a number that only equal verdicts of the same rules share; 0: there is none. The rules of one line are equal,
// and so is their group.
static uint64_t verdict_key(const robotrules_verdict* verdict) {
  if (verdict->rule.line == last_line || verdict->runner_up.line == last_line) return 0;
  if (verdict->rule.line == 0) return (uint64_t)verdict->why;
  return (uint64_t)verdict->rule.line << 32 | verdict->runner_up.line;
}
