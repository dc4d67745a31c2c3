// The core alone as a static library: it has no other part, and the header does not declare one.
#include "check.h"

#if !defined(ROBOTRULES_NO_STORE) || !defined(ROBOTRULES_NO_AGENT) || defined(ROBOTRULES_FEATURE_STORE) || \
    defined(ROBOTRULES_FEATURE_AGENT)
#error "the header declares parts that are not there"
#endif
#if ROBOTRULES_FEATURE_CORE != 1
#error "the preprocessor does not know the part"
#endif

int main(void) {
  robotrules_rules* rules;
  CHECK(robotrules_features() == ROBOTRULES_FEATURE_CORE);
  CHECK(robotrules_rules_compile(ROBOTRULES_TEXT("User-agent: *\nDisallow: /x\n"), ROBOTRULES_TEXT("FooBot"), NULL, 0,
                                 NULL, 0, &rules) == ROBOTRULES_OK);
  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/x")) == ROBOTRULES_ACCESS_DISALLOWED);
  robotrules_rules_free(rules);
  return result();
}
