// The sizes of the structs as src/structs.js describes them.
#include <robotrules.h>

static_assert(sizeof(robotrules_changed_setting) == 20);
static_assert(sizeof(robotrules_code_count) == 12);
static_assert(sizeof(robotrules_crawler) == 64);
static_assert(sizeof(robotrules_difference_facts) == 28);
static_assert(sizeof(robotrules_directive) == 40);
static_assert(sizeof(robotrules_edit) == 16);
static_assert(sizeof(robotrules_exchange) == 80);
static_assert(sizeof(robotrules_file_facts) == 44);
static_assert(sizeof(robotrules_finding) == 40);
static_assert(sizeof(robotrules_fixed_facts) == 32);
static_assert(sizeof(robotrules_group) == 16);
static_assert(sizeof(robotrules_lint_code) == 24);
static_assert(sizeof(robotrules_lint_options) == 40);
static_assert(sizeof(robotrules_path_answer) == 20);
static_assert(sizeof(robotrules_path_change) == 48);
static_assert(sizeof(robotrules_robot_change) == 32);
static_assert(sizeof(robotrules_robots_step) == 96);
static_assert(sizeof(robotrules_rule) == 16);
static_assert(sizeof(robotrules_rules_facts) == 16);
static_assert(sizeof(robotrules_settings) == 40);
static_assert(sizeof(robotrules_sitemap) == 20);
static_assert(sizeof(robotrules_str) == 8);
static_assert(sizeof(robotrules_usage) == 32);
static_assert(sizeof(robotrules_verdict) == 56);
