// The key under which Rules keep a verdict that they made. Part of the extension module.
#include <robotrules.h>

// Returns a number that only equal verdicts of the same rules share. A line has one rule at most, and its rule and
// group do not change.
static uint64_t verdict_key(const robotrules_verdict* verdict) {
  if (verdict->rule.line == 0) return (uint64_t)verdict->why;
  return (uint64_t)verdict->rule.line << 32 | verdict->runner_up.line;
}
