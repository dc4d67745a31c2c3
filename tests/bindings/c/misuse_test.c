// Wrong arguments of the core: each is reported and never used, and no result is left unset.
#include "check.h"

static const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2 + 1};
static char byte[] = "/";

static robotrules_rules* rules;
static robotrules_file* file;

#define CHECK_INVALID(call) CHECK((call) == ROBOTRULES_INVALID_ARGUMENT)

// The call fails and sets the handle to null.
#define CHECK_NONE(handle, call) \
  do {                           \
    (handle) = (void*)byte;      \
    CHECK_INVALID(call);         \
    CHECK((handle) == NULL);     \
  } while (0)

static void null_results(void) {
  CHECK_INVALID(robotrules_dialect_name(0, NULL));
  CHECK_INVALID(robotrules_robot_name(byte, 1, NULL));
  CHECK_INVALID(robotrules_robots_url(byte, 1, NULL));
  CHECK_INVALID(robotrules_rules_compile(byte, 1, byte, 1, NULL, 0, NULL, 0, NULL));
  CHECK_INVALID(robotrules_rules_compile_names(byte, 1, NULL, 0, 0, NULL, 0, NULL, 0, NULL));
  CHECK_INVALID(robotrules_rules_check(rules, byte, 1, NULL));
  CHECK_INVALID(robotrules_rules_explain(rules, byte, 1, NULL));
  CHECK_INVALID(robotrules_rules_lines(rules, NULL, 0, NULL));
  CHECK_INVALID(robotrules_rules_settings(rules, NULL));
  CHECK_INVALID(robotrules_rules_usage(rules, byte, 1, NULL));
  CHECK_INVALID(robotrules_rules_clean_url(rules, byte, 1, NULL));
  CHECK_INVALID(robotrules_rules_get_facts(rules, NULL));
  CHECK_INVALID(robotrules_file_parse(byte, 1, NULL, 0, NULL, 0, NULL));
  CHECK_INVALID(robotrules_file_rules(file, byte, 1, NULL));
  CHECK_INVALID(robotrules_file_rules_names(file, NULL, 0, 0, NULL));
  CHECK_INVALID(robotrules_file_get_facts(file, NULL));
  CHECK_INVALID(robotrules_file_directive(file, 0, NULL));
  CHECK_INVALID(robotrules_file_group(file, 0, NULL));
  CHECK_INVALID(robotrules_file_group_directives(file, 0, 0, NULL, 0, NULL));
  CHECK_INVALID(robotrules_file_sitemaps(file, NULL));
  CHECK_INVALID(robotrules_file_lint(file, NULL, NULL));
  CHECK_INVALID(robotrules_file_crawlers(file, NULL, 0, NULL));
  CHECK_INVALID(robotrules_lint_code_at(0, NULL));
  CHECK_INVALID(robotrules_fix(byte, 1, NULL, 0, NULL));
  CHECK_INVALID(robotrules_compare(file, file, NULL, 0, NULL));
  robotrules_version(NULL);
  robotrules_status_code(0, NULL);
  robotrules_status_message(0, NULL);
  robotrules_access_name(0, NULL);
  robotrules_why_name(0, NULL);
  robotrules_why_reason(0, NULL);
  robotrules_kind_name(0, NULL);
  robotrules_severity_name(0, NULL);
  robotrules_text_view(NULL, NULL);
}

static void null_handles(void) {
  robotrules_verdict verdict;
  memset(&verdict, 0xAB, sizeof verdict);
  CHECK_INVALID(robotrules_rules_check(NULL, byte, 1, &verdict));
  CHECK(verdict.access == ROBOTRULES_ACCESS_UNKNOWN && verdict.why == ROBOTRULES_WHY_NO_ROBOTS &&
        verdict.rule.line == 0);
  CHECK_STR(verdict.rule.pattern, "");
  CHECK_STR(verdict.group_agent, "");
  CHECK(robotrules_rules_access(NULL, byte, 1) == ROBOTRULES_ACCESS_UNKNOWN);

  robotrules_text* text = (robotrules_text*)byte;
  CHECK_NONE(text, robotrules_rules_explain(NULL, byte, 1, &text));
  CHECK(text == NULL);
  text = (robotrules_text*)byte;
  CHECK_NONE(text, robotrules_rules_clean_url(NULL, byte, 1, &text));
  CHECK(text == NULL);
  CHECK_NONE(text, robotrules_rule_text(NULL, &text));
  robotrules_str view;
  robotrules_text_view(NULL, &view);
  CHECK_STR(view, "");

  size_t count = 7;
  CHECK_INVALID(robotrules_rules_lines(NULL, NULL, 0, &count));
  CHECK(count == 0);
  CHECK_INVALID(robotrules_rules_lines(rules, NULL, 1, &count));
  robotrules_settings settings;
  CHECK_INVALID(robotrules_rules_settings(NULL, &settings));
  CHECK(settings.crawl_delay == -1 && settings.visit_to == -1);
  robotrules_usage usage;
  CHECK_INVALID(robotrules_rules_usage(NULL, byte, 1, &usage));
  CHECK_STR(usage.usage_path, "");
  robotrules_rules_facts rules_facts;
  CHECK_INVALID(robotrules_rules_get_facts(NULL, &rules_facts));
  CHECK_STR(rules_facts.dialect, "");

  robotrules_rules* made = (robotrules_rules*)byte;
  CHECK_NONE(made, robotrules_file_rules(NULL, byte, 1, &made));
  CHECK(made == NULL);
  CHECK_NONE(made, robotrules_file_rules_names(NULL, NULL, 0, 0, &made));
  robotrules_file_facts facts;
  CHECK_INVALID(robotrules_file_get_facts(NULL, &facts));
  CHECK_STR(facts.text, "");
  robotrules_directive directive;
  CHECK_INVALID(robotrules_file_directive(NULL, 0, &directive));
  CHECK_STR(directive.name, "");
  robotrules_group group;
  CHECK_INVALID(robotrules_file_group(NULL, 0, &group));
  CHECK_INVALID(robotrules_file_group_directives(NULL, 0, 0, NULL, 0, &count));
  robotrules_sitemaps* sitemaps;
  CHECK_NONE(sitemaps, robotrules_file_sitemaps(NULL, &sitemaps));
  CHECK(sitemaps == NULL && robotrules_sitemaps_count(NULL) == 0);
  robotrules_sitemap sitemap;
  CHECK_INVALID(robotrules_sitemaps_at(NULL, 0, &sitemap));
  CHECK_STR(sitemap.url, "");
  robotrules_findings* findings;
  CHECK_NONE(findings, robotrules_file_lint(NULL, NULL, &findings));
  CHECK(findings == NULL && robotrules_findings_count(NULL) == 0);
  robotrules_finding finding;
  CHECK_INVALID(robotrules_findings_at(NULL, 0, &finding));
  CHECK_STR(finding.code, "");
  robotrules_edit edit;
  CHECK_INVALID(robotrules_findings_edit(NULL, 0, 0, &edit));
  CHECK_STR(edit.text, "");
  CHECK_NONE(text, robotrules_findings_apply(NULL, 0, byte, 1, &text));
  robotrules_fixed_facts fixed;
  CHECK_INVALID(robotrules_fixed_get_facts(NULL, &fixed));
  CHECK_STR(fixed.text, "");

  robotrules_difference* difference;
  CHECK_NONE(difference, robotrules_compare(file, NULL, NULL, 0, &difference));
  CHECK_NONE(difference, robotrules_compare(NULL, file, NULL, 0, &difference));
  CHECK(difference == NULL);
  robotrules_difference_facts changes;
  CHECK_INVALID(robotrules_difference_get_facts(NULL, &changes));
  robotrules_robot_change robot;
  CHECK_INVALID(robotrules_difference_robot(NULL, 0, &robot));
  CHECK_INVALID(robotrules_difference_agent(NULL, 0, 0, &view));
  robotrules_path_change change;
  CHECK_INVALID(robotrules_difference_change(NULL, 0, 0, &change));
  CHECK_STR(change.path, "");
  CHECK_STR(change.after.rule, "");
  CHECK_INVALID(robotrules_difference_sitemap(NULL, 0, 0, &sitemap));
  robotrules_changed_setting setting;
  CHECK_INVALID(robotrules_difference_setting(NULL, 0, 0, &setting));
  CHECK_INVALID(robotrules_difference_setting_agent(NULL, 0, 0, 0, &view));
  CHECK_INVALID(robotrules_difference_limit(NULL, 0, &view));
  robotrules_crawlers* crawlers;
  CHECK_NONE(crawlers, robotrules_file_crawlers(NULL, NULL, 0, &crawlers));
  CHECK(crawlers == NULL && robotrules_crawlers_count(NULL) == 0);
  robotrules_crawler crawler;
  CHECK_INVALID(robotrules_crawlers_at(NULL, 0, &crawler));
  CHECK_STR(crawler.name, "");

  robotrules_text_free(NULL);
  robotrules_rules_free(NULL);
  robotrules_file_free(NULL);
  robotrules_sitemaps_free(NULL);
  robotrules_findings_free(NULL);
  robotrules_fixed_free(NULL);
  robotrules_difference_free(NULL);
  robotrules_crawlers_free(NULL);
}

// Null texts with a length, and lengths that no object can have.
static void wrong_texts(const char* data, size_t size) {
  robotrules_rules* made;
  robotrules_file* parsed;
  robotrules_text* text;
  robotrules_str name;
  robotrules_verdict verdict;
  robotrules_usage usage;
  const robotrules_str wrong = {data, size};
  robotrules_rule rule = {{NULL, 0}, 1, ROBOTRULES_ACCESS_ALLOWED};
  rule.pattern = wrong;
  robotrules_lint_options options = {sizeof options, 0, 1, 200, 0, -1, {NULL, 0}};
  options.content_type = wrong;
  CHECK_NONE(made, robotrules_rules_compile(data, size, byte, 1, NULL, 0, NULL, 0, &made));
  CHECK_NONE(made, robotrules_rules_compile(byte, 1, data, size, NULL, 0, NULL, 0, &made));
  CHECK_NONE(made, robotrules_rules_compile(byte, 1, byte, 1, data, size, NULL, 0, &made));
  CHECK_NONE(made, robotrules_rules_compile(byte, 1, byte, 1, NULL, 0, data, size, &made));
  CHECK_NONE(made, robotrules_rules_compile_names(data, size, NULL, 0, 0, NULL, 0, NULL, 0, &made));
  CHECK_NONE(made, robotrules_rules_compile_names(byte, 1, &wrong, 1, 0, NULL, 0, NULL, 0, &made));
  CHECK_NONE(made, robotrules_file_rules_names(file, &wrong, 1, 0, &made));
  CHECK_NONE(made, robotrules_file_rules(file, data, size, &made));
  CHECK(made == NULL);
  CHECK_NONE(parsed, robotrules_file_parse(data, size, NULL, 0, NULL, 0, &parsed));
  CHECK_NONE(parsed, robotrules_file_parse(byte, 1, data, size, NULL, 0, &parsed));
  CHECK_NONE(parsed, robotrules_file_parse(byte, 1, NULL, 0, data, size, &parsed));
  CHECK(parsed == NULL);
  CHECK_INVALID(robotrules_rules_check(rules, data, size, &verdict));
  CHECK(verdict.access == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK(robotrules_rules_access(rules, data, size) == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK_INVALID(robotrules_rules_usage(rules, data, size, &usage));
  CHECK_NONE(text, robotrules_rules_explain(rules, data, size, &text));
  CHECK_NONE(text, robotrules_rules_clean_url(rules, data, size, &text));
  CHECK_NONE(text, robotrules_robots_url(data, size, &text));
  CHECK_NONE(text, robotrules_rule_text(&rule, &text));
  CHECK(text == NULL);
  CHECK_INVALID(robotrules_robot_name(data, size, &name));
  CHECK_STR(name, "");
  robotrules_findings* findings;
  CHECK_NONE(findings, robotrules_file_lint(file, &options, &findings));
  robotrules_fixed* fixed;
  CHECK_NONE(fixed, robotrules_fix(data, size, NULL, 0, &fixed));
  robotrules_difference* difference;
  CHECK_NONE(difference, robotrules_compare(file, file, &wrong, 1, &difference));
  robotrules_crawlers* crawlers;
  CHECK_NONE(crawlers, robotrules_file_crawlers(file, data, size, &crawlers));
  CHECK(findings == NULL && fixed == NULL && difference == NULL && crawlers == NULL);
}

// Results of many URLs are set even if the call fails.
static void many_urls(void) {
  const robotrules_str urls[] = {{"/", 1}, {"https://example.org/robots.txt", 30}}, wrong[] = {{"/", 1}, {NULL, 1}};
  int32_t access[] = {9, 9};
  uint32_t lines[] = {9, 9};
  CHECK(robotrules_rules_check_many(rules, urls, 2, access, lines) == ROBOTRULES_OK);
  CHECK(access[0] == ROBOTRULES_ACCESS_DISALLOWED && lines[0] == 2);
  CHECK(access[1] == ROBOTRULES_ACCESS_ALLOWED && lines[1] == 0);
  CHECK_INVALID(robotrules_rules_check_many(rules, wrong, 2, access, lines));
  CHECK(access[0] == ROBOTRULES_ACCESS_UNKNOWN && access[1] == ROBOTRULES_ACCESS_UNKNOWN && lines[0] == 0);
  CHECK(robotrules_rules_check_many(rules, urls, 1, access, NULL) == ROBOTRULES_OK);
  CHECK(access[0] == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK_INVALID(robotrules_rules_check_many(NULL, urls, 2, access, lines));
  CHECK(access[0] == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK_INVALID(robotrules_rules_check_many(rules, urls, 2, NULL, lines));
  CHECK_INVALID(robotrules_rules_check_many(rules, NULL, 1, access, lines));
  CHECK_INVALID(robotrules_rules_check_many(rules, urls, SIZE_MAX / 4, access, lines));
  CHECK(robotrules_rules_check_many(rules, NULL, 0, NULL, NULL) == ROBOTRULES_OK);
}

// The findings that robotrules_fix() leaves, and a struct of the caller with a wrong size.
static void left_findings(void) {
  static const char body[] = "User-agent: *\nDisalow: /x\n";
  robotrules_fixed* fixed;
  robotrules_fixed_facts facts;
  robotrules_code_count left = {{NULL, 9}, 9};
  CHECK(robotrules_fix(body, sizeof body - 1, NULL, 0, &fixed) == ROBOTRULES_OK);
  CHECK(robotrules_fixed_get_facts(fixed, &facts) == ROBOTRULES_OK);
  for (size_t i = 0; i < facts.left_count; ++i) {
    CHECK(robotrules_fixed_left(fixed, i, &left) == ROBOTRULES_OK);
    CHECK(left.count > 0 && left.code.size > 0);
  }
  CHECK(facts.edits + facts.left_count > 0);
  CHECK(robotrules_fixed_left(fixed, facts.left_count, &left) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(left.count == 0);
  CHECK_STR(left.code, "");
  CHECK(robotrules_fixed_unproven(fixed, facts.unproven_count, &left) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_fixed_free(fixed);
  CHECK_INVALID(robotrules_fixed_left(NULL, 0, &left));
  CHECK_INVALID(robotrules_fixed_unproven(NULL, 0, NULL));
  CHECK(robotrules_crawlers_complete(NULL) == 0);
  robotrules_findings* findings;
  robotrules_lint_options options = ROBOTRULES_LINT_OPTIONS_INIT;
  options.size = 0;
  CHECK_NONE(findings, robotrules_file_lint(file, &options, &findings));
}

static void wrong_values(void) {
  robotrules_rules* made;
  robotrules_file* parsed;
  robotrules_text* text;
  robotrules_str name;
  size_t count;
  const robotrules_rule rule = {{"/", 1}, 1, 9};
  CHECK_NONE(text, robotrules_rule_text(&rule, &text));
  CHECK(robotrules_rules_compile(byte, 1, byte, 1, ROBOTRULES_TEXT("RFC9309"), NULL, 0, &made) ==
        ROBOTRULES_UNKNOWN_DIALECT);
  CHECK(made == NULL);
  CHECK(robotrules_file_parse(byte, 1, ROBOTRULES_TEXT("googl"), NULL, 0, &parsed) == ROBOTRULES_UNKNOWN_DIALECT);
  CHECK(parsed == NULL);
  CHECK_INVALID(robotrules_file_group_directives(file, 0, 3, NULL, 0, &count));
  CHECK_INVALID(robotrules_file_group_directives(file, 0, -1, NULL, 0, &count));
  CHECK_NONE(made, robotrules_rules_compile_names(byte, 1, NULL, 1, 0, NULL, 0, NULL, 0, &made));
  CHECK_INVALID(
      robotrules_rules_compile_names(byte, 1, (const robotrules_str*)&rule, SIZE_MAX / 4, 0, NULL, 0, NULL, 0, &made));

  // Files of different dialects are not compared.
  robotrules_difference* difference;
  CHECK(robotrules_file_parse(byte, 1, ROBOTRULES_TEXT("google"), NULL, 0, &parsed) == ROBOTRULES_OK);
  CHECK_NONE(difference, robotrules_compare(file, parsed, NULL, 0, &difference));
  robotrules_file_free(parsed);

  CHECK(robotrules_dialect_name(SIZE_MAX, &name) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_directive directive;
  CHECK(robotrules_file_directive(file, 2, &directive) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(robotrules_file_directive(file, SIZE_MAX, &directive) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_group group;
  CHECK(robotrules_file_group(file, 1, &group) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(robotrules_file_group_directives(file, 1, 0, NULL, 0, &count) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_lint_code code;
  CHECK(robotrules_lint_code_at(SIZE_MAX, &code) == ROBOTRULES_OUT_OF_RANGE);
  CHECK_STR(code.code, "");
}

int main(void) {
  static const char body[] = "User-agent: *\nDisallow: /\n";
  CHECK(robotrules_rules_compile(body, sizeof body - 1, byte, 1, NULL, 0, NULL, 0, &rules) == ROBOTRULES_OK);
  CHECK(robotrules_file_parse(body, sizeof body - 1, NULL, 0, NULL, 0, &file) == ROBOTRULES_OK);
  null_results();
  null_handles();
  wrong_texts(NULL, 1);
  for (size_t i = 0; i < sizeof huge / sizeof *huge; ++i) {
    wrong_texts(byte, huge[i]);
    wrong_texts(NULL, huge[i]);
  }
  wrong_values();
  many_urls();
  left_findings();

  // Empty texts are valid.
  robotrules_rules* empty;
  CHECK(robotrules_rules_compile(NULL, 0, NULL, 0, NULL, 0, NULL, 0, &empty) == ROBOTRULES_OK);
  CHECK(robotrules_rules_access(empty, NULL, 0) == ROBOTRULES_ACCESS_ALLOWED);
  robotrules_rules_free(empty);
  robotrules_rules_free(rules);
  robotrules_file_free(file);
  return result();
}
