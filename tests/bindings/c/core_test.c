// The core through the C ABI: each function gives what its comment in robotrules.h says.
#include "check.h"

static const char body[] =
    "User-agent: FooBot\n"
    "Disallow: /private\n"
    "Allow: /private/open\n"
    "Crawl-delay: 2.5\n"
    "Request-rate: 3/10s 0600-0845\n"
    "Visit-time: 0100-0200\n"
    "Content-Usage: /private/ train-ai=n\n"
    "Content-Signal: search=yes, ai-train=no\n"
    "\n"
    "User-agent: *\n"
    "Disallow: /\n"
    "Sitemap: /map.xml\n"
    "Clean-param: ref /books\n";

static robotrules_rules* compiled(const char* agent) {
  robotrules_rules* rules = NULL;
  CHECK(robotrules_rules_compile(body, sizeof body - 1, agent, strlen(agent), NULL, 0, NULL, 0, &rules) ==
        ROBOTRULES_OK);
  return rules;
}

static robotrules_file* parsed(const char* text) {
  robotrules_file* file = NULL;
  CHECK(robotrules_file_parse(text, strlen(text), NULL, 0, ROBOTRULES_TEXT("https://example.org/robots.txt"), &file) ==
        ROBOTRULES_OK);
  return file;
}

static void versions(void) {
  robotrules_str version;
  robotrules_version(&version);
  CHECK_STR(version, ROBOTRULES_VERSION);
  CHECK(robotrules_version_number() ==
        ROBOTRULES_VERSION_MAJOR * 10000 + ROBOTRULES_VERSION_MINOR * 100 + ROBOTRULES_VERSION_PATCH);
  CHECK(robotrules_c_api() == ROBOTRULES_C_API);
  CHECK((robotrules_features() & ROBOTRULES_FEATURE_CORE) != 0);
}

static void statuses(void) {
  static const char* const codes[] = {
      "ok",          "invalid-argument", "out-of-range", "out-of-memory", "unknown-dialect",
      "invalid-url", "failed",           "internal"};
  robotrules_str text;
  for (robotrules_status status = ROBOTRULES_OK; status <= ROBOTRULES_INTERNAL; ++status) {
    robotrules_status_code(status, &text);
    CHECK_STR(text, codes[status]);
    robotrules_status_message(status, &text);
    CHECK(text.size > 0 && text.data[text.size - 1] == '.');
    CHECK(strstr(text.data, "robotrules_") == NULL);  // other languages give these sentences to their users
  }
  robotrules_status_message(ROBOTRULES_UNKNOWN_DIALECT, &text);
  for (size_t i = 0; i < robotrules_dialect_count(); ++i) {
    robotrules_str name;
    CHECK(robotrules_dialect_name(i, &name) == ROBOTRULES_OK);
    CHECK(strstr(text.data, name.data) != NULL);
  }
  robotrules_status_code(-1, &text);
  CHECK_STR(text, "internal");
  robotrules_status_code(1000, &text);
  CHECK_STR(text, "internal");
}

static void names(void) {
  robotrules_str name;
  CHECK(robotrules_dialect_count() == 6);
  CHECK(robotrules_dialect_name(0, &name) == ROBOTRULES_OK);
  CHECK_STR(name, "rfc9309");
  CHECK(robotrules_dialect_name(6, &name) == ROBOTRULES_OUT_OF_RANGE);
  CHECK_STR(name, "");
  CHECK(robotrules_robot_name(ROBOTRULES_TEXT("Mozilla/5.0 (compatible; FooBot/1.0)"), &name) == ROBOTRULES_OK);
  CHECK_STR(name, "FooBot");
  robotrules_access_name(ROBOTRULES_ACCESS_DISALLOWED, &name);
  CHECK_STR(name, "disallowed");
  robotrules_access_name(7, &name);
  CHECK_STR(name, "");
  robotrules_why_name(ROBOTRULES_WHY_EMPTY_GROUP, &name);
  CHECK_STR(name, "empty-group");
  robotrules_why_reason(ROBOTRULES_WHY_NO_RULE, &name);
  CHECK_STR(name, "no rule matches");
  robotrules_why_reason(-1, &name);
  CHECK_STR(name, "");
  robotrules_kind_name(ROBOTRULES_KIND_CLEAN_PARAM, &name);
  CHECK_STR(name, "Clean-param");
  robotrules_kind_name(99, &name);
  CHECK_STR(name, "");
  robotrules_severity_name(ROBOTRULES_SEVERITY_WARNING, &name);
  CHECK_STR(name, "warning");

  robotrules_text* url;
  CHECK(robotrules_robots_url(ROBOTRULES_TEXT("HTTPS://Example.org:443/a?b"), &url) == ROBOTRULES_OK);
  CHECK_TEXT(url, "https://example.org/robots.txt");
  CHECK(robotrules_robots_url(ROBOTRULES_TEXT("mailto:a@b"), &url) == ROBOTRULES_INVALID_URL);
  CHECK(url == NULL);
}

static void verdicts(void) {
  robotrules_rules* rules = compiled("FooBot");
  robotrules_verdict verdict;
  robotrules_text* text;
  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("https://example.org/private/open/x"), &verdict) ==
        ROBOTRULES_OK);
  CHECK(verdict.access == ROBOTRULES_ACCESS_ALLOWED && verdict.why == ROBOTRULES_WHY_RULE);
  CHECK(verdict.rule.line == 3 && verdict.rule.access == ROBOTRULES_ACCESS_ALLOWED);
  CHECK_STR(verdict.rule.pattern, "/private/open");
  CHECK(verdict.runner_up.line == 2 && verdict.runner_up.access == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(verdict.group_line == 1 && verdict.group_is_default == 0);
  CHECK_STR(verdict.group_agent, "FooBot");
  CHECK(robotrules_rule_text(&verdict.runner_up, &text) == ROBOTRULES_OK);
  CHECK_TEXT(text, "Disallow: /private");

  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("/else"), &verdict) == ROBOTRULES_OK);
  CHECK(verdict.access == ROBOTRULES_ACCESS_ALLOWED && verdict.why == ROBOTRULES_WHY_NO_RULE && verdict.rule.line == 0);
  CHECK_STR(verdict.rule.pattern, "");
  CHECK(robotrules_rule_text(&verdict.rule, &text) == ROBOTRULES_OK);
  CHECK_TEXT(text, "");

  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/private")) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_rules_access(rules, NULL, 0) == ROBOTRULES_ACCESS_ALLOWED);
  CHECK(robotrules_rules_explain(rules, ROBOTRULES_TEXT("/private"), &text) == ROBOTRULES_OK);
  CHECK_TEXT(text, "disallowed by \"Disallow: /private\" in line 2, of the group \"FooBot\", line 1");

  robotrules_rules_facts facts;
  CHECK(robotrules_rules_get_facts(rules, &facts) == ROBOTRULES_OK);
  CHECK_STR(facts.dialect, "rfc9309");
  CHECK(facts.size == 2 && facts.memory_bytes > 0);
  robotrules_rules_free(rules);

  rules = compiled("OtherBot");
  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("/x"), &verdict) == ROBOTRULES_OK);
  CHECK(verdict.access == ROBOTRULES_ACCESS_DISALLOWED && verdict.group_is_default == 1 && verdict.group_line == 10);
  CHECK_STR(verdict.group_agent, "*");
  robotrules_rules_free(rules);
}

// A text may contain NUL, and its end is where its length says.
static void lengths(void) {
  static const char robots[] = "User-agent: *\nDisallow: /a\0b\nDisallow: /secret-and-more";
  robotrules_rules* rules;
  robotrules_verdict verdict;
  CHECK(robotrules_rules_compile(robots, sizeof robots - 1 - strlen("-and-more"), ROBOTRULES_TEXT("FooBot"), NULL, 0,
                                 NULL, 0, &rules) == ROBOTRULES_OK);
  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("/secret"), &verdict) == ROBOTRULES_OK);
  CHECK(verdict.access == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK_STR(verdict.rule.pattern, "/secret");
  CHECK(robotrules_rules_access(rules, "/a\0bc", 5) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_rules_access(rules, "/a\0c", 4) == ROBOTRULES_ACCESS_ALLOWED);
  robotrules_rules_free(rules);
}

static void several_names(void) {
  static const char robots[] = "User-agent: Second\nDisallow: /second\n\nUser-agent: *\nDisallow: /star\n";
  const robotrules_str tokens[] = {{"First", 5}, {"Second", 6}};
  robotrules_rules* rules;
  CHECK(robotrules_rules_compile_names(robots, sizeof robots - 1, tokens, 2, 0, ROBOTRULES_TEXT("google"), NULL, 0,
                                       &rules) == ROBOTRULES_OK);
  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/second")) == ROBOTRULES_ACCESS_DISALLOWED);
  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/star")) == ROBOTRULES_ACCESS_ALLOWED);
  robotrules_rules_free(rules);
  CHECK(robotrules_rules_compile_names(robots, sizeof robots - 1, tokens, 1, 1, NULL, 0, NULL, 0, &rules) ==
        ROBOTRULES_OK);
  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/star")) == ROBOTRULES_ACCESS_ALLOWED);
  robotrules_rules_free(rules);

  robotrules_file* file = parsed(robots);
  CHECK(robotrules_file_rules_names(file, tokens, 1, 0, &rules) == ROBOTRULES_OK);
  CHECK(robotrules_rules_access(rules, ROBOTRULES_TEXT("/star")) == ROBOTRULES_ACCESS_DISALLOWED);
  robotrules_rules_free(rules);
  robotrules_file_free(file);
}

static void settings(void) {
  robotrules_rules* rules = compiled("FooBot");
  robotrules_settings found;
  CHECK(robotrules_rules_settings(rules, &found) == ROBOTRULES_OK);
  CHECK(found.crawl_delay == 2500);
  CHECK(found.rate_requests == 3 && found.rate_period == 10 && found.rate_from == 360 && found.rate_to == 525);
  CHECK(found.visit_from == 60 && found.visit_to == 120);

  robotrules_usage usage;
  CHECK(robotrules_rules_usage(rules, ROBOTRULES_TEXT("/private/x"), &usage) == ROBOTRULES_OK);
  CHECK_STR(usage.usage_path, "/private/");
  CHECK(usage.usage_train_ai == ROBOTRULES_ACCESS_DISALLOWED && usage.usage_search == ROBOTRULES_ACCESS_UNKNOWN);
  CHECK(usage.signal_search == ROBOTRULES_ACCESS_ALLOWED && usage.signal_ai_train == ROBOTRULES_ACCESS_DISALLOWED);

  robotrules_text* url;
  CHECK(robotrules_rules_clean_url(rules, ROBOTRULES_TEXT("https://example.org/books?ref=1&id=2"), &url) ==
        ROBOTRULES_OK);
  CHECK_TEXT(url, "https://example.org/books?id=2");

  robotrules_rule lines[1];
  size_t count;
  CHECK(robotrules_rules_lines(rules, NULL, 0, &count) == ROBOTRULES_OK && count == 2);
  CHECK(robotrules_rules_lines(rules, lines, 1, &count) == ROBOTRULES_OK && count == 2);
  CHECK(lines[0].line == 2);
  robotrules_rules_free(rules);

  rules = compiled("OtherBot");
  CHECK(robotrules_rules_settings(rules, &found) == ROBOTRULES_OK);
  CHECK(found.crawl_delay == -1 && found.rate_period == -1 && found.rate_from == -1 && found.visit_from == -1);
  robotrules_rules_free(rules);
}

static void documents(void) {
  robotrules_file* file = parsed(body);
  robotrules_file_facts facts;
  CHECK(robotrules_file_get_facts(file, &facts) == ROBOTRULES_OK);
  CHECK_STR(facts.text, body);
  CHECK_STR(facts.url, "https://example.org/robots.txt");
  CHECK(facts.directive_count == 12 && facts.group_count == 2 && facts.line_count == 13);
  CHECK(facts.truncated == 0 && facts.looks_like_html == 0);

  robotrules_directive directive;
  CHECK(robotrules_file_directive(file, 3, &directive) == ROBOTRULES_OK);
  CHECK(directive.kind == ROBOTRULES_KIND_CRAWL_DELAY && directive.line == 4 && directive.column == 1);
  CHECK(directive.value_column == 14 && directive.group == 0 && directive.run_line == 1);
  CHECK_STR(directive.name, "Crawl-delay");
  CHECK_STR(directive.value, "2.5");

  robotrules_group group;
  CHECK(robotrules_file_group(file, 1, &group) == ROBOTRULES_OK);
  CHECK(group.line == 10 && group.agent_count == 1 && group.rule_count == 1);
  size_t count;
  CHECK(robotrules_file_group_directives(file, 1, ROBOTRULES_GROUP_RULES, &directive, 1, &count) == ROBOTRULES_OK);
  CHECK(count == 1 && directive.line == 11 && directive.kind == ROBOTRULES_KIND_DISALLOW);
  CHECK(robotrules_file_group_directives(file, 0, ROBOTRULES_GROUP_AGENTS, &directive, 1, &count) == ROBOTRULES_OK);
  CHECK_STR(directive.value, "FooBot");
  CHECK(robotrules_file_group_directives(file, 0, ROBOTRULES_GROUP_OTHER, NULL, 0, &count) == ROBOTRULES_OK);
  CHECK(count == 5);

  robotrules_sitemaps* sitemaps;
  robotrules_sitemap sitemap;
  CHECK(robotrules_file_sitemaps(file, &sitemaps) == ROBOTRULES_OK);
  CHECK(robotrules_sitemaps_count(sitemaps) == 1);

  robotrules_rules* rules;
  robotrules_verdict verdict;
  CHECK(robotrules_file_rules(file, ROBOTRULES_TEXT("FooBot"), &rules) == ROBOTRULES_OK);

  // Rules and lists outlive their file.
  robotrules_file_free(file);
  CHECK(robotrules_rules_check(rules, ROBOTRULES_TEXT("/private"), &verdict) == ROBOTRULES_OK);
  CHECK_STR(verdict.rule.pattern, "/private");
  robotrules_rules_free(rules);
  CHECK(robotrules_sitemaps_at(sitemaps, 0, &sitemap) == ROBOTRULES_OK);
  CHECK_STR(sitemap.url, "https://example.org/map.xml");
  CHECK_STR(sitemap.value, "/map.xml");
  CHECK(sitemap.line == 12);
  robotrules_sitemaps_free(sitemaps);
}

static void findings(void) {
  static const char text[] = "User-agent: *\nDisallow /x\n";
  robotrules_file* file = parsed(text);
  robotrules_findings* found;
  robotrules_finding finding = {{NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0};
  size_t index = 0;
  const robotrules_lint_options options = {sizeof options, 1, 1, 200, 0, -1, {"text/html", 9}};
  CHECK(robotrules_file_lint(file, NULL, &found) == ROBOTRULES_OK);
  for (; index < robotrules_findings_count(found); ++index) {
    CHECK(robotrules_findings_at(found, index, &finding) == ROBOTRULES_OK);
    if (finding.line == 2) break;
  }
  robotrules_file_free(file);  // findings outlive their file
  CHECK_STR(finding.code, "missing-colon");
  CHECK(finding.column == 9 && finding.edit_count == 1 && finding.message.size > 0 && finding.remedy.size > 0);

  robotrules_edit edit;
  robotrules_text* changed;
  CHECK(robotrules_findings_edit(found, index, 0, &edit) == ROBOTRULES_OK);
  CHECK(edit.line == 2 && edit.line_count == 1);
  CHECK_STR(edit.text, "Disallow: /x");
  CHECK(robotrules_findings_edit(found, index, 1, &edit) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(robotrules_findings_edit(found, 1000, 0, &edit) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(robotrules_findings_apply(found, index, text, sizeof text - 1, &changed) == ROBOTRULES_OK);
  CHECK_TEXT(changed, "User-agent: *\nDisallow: /x\n");
  robotrules_findings_free(found);

  file = parsed(text);
  CHECK(robotrules_file_lint(file, &options, &found) == ROBOTRULES_OK);
  int wrong_type = 0;
  for (index = 0; robotrules_findings_at(found, index, &finding) == ROBOTRULES_OK; ++index) {
    if (finding.code.size == strlen("wrong-content-type") &&
        memcmp(finding.code.data, "wrong-content-type", finding.code.size) == 0) {
      ++wrong_type;
    }
  }
  CHECK(wrong_type == 1);
  robotrules_findings_free(found);
  robotrules_file_free(file);

  robotrules_lint_code code;
  CHECK(robotrules_lint_code_count() > 50);
  for (index = 0; index < robotrules_lint_code_count(); ++index) {
    CHECK(robotrules_lint_code_at(index, &code) == ROBOTRULES_OK);
    CHECK(code.code.size > 0 && code.summary.size > 0);
  }

  robotrules_fixed* fixed;
  robotrules_fixed_facts facts;
  CHECK(robotrules_fix(text, sizeof text - 1, NULL, 0, &fixed) == ROBOTRULES_OK);
  CHECK(robotrules_fixed_get_facts(fixed, &facts) == ROBOTRULES_OK);
  CHECK(facts.edits == 1 && facts.is_fixable == 1 && facts.diff.size > 0 && facts.unproven_count == 0);
  CHECK_STR(facts.text, "User-agent: *\nDisallow: /x\n");
  robotrules_fixed_free(fixed);
}

static void differences(void) {
  robotrules_file* before = parsed("User-agent: *\nDisallow: /tmp/\nSitemap: /old.xml\n");
  robotrules_file* after = parsed(
      "User-agent: *\nDisallow: /\nCrawl-delay: 3\nSitemap: /new.xml\n"
      "User-agent: NewBot\nDisallow: /tmp/\nVisit-time: 0100-0200\n");
  const robotrules_str asked[] = {{"AskedBot", 8}};
  robotrules_difference* difference;
  robotrules_difference_facts facts;
  CHECK(robotrules_compare(before, after, asked, 1, &difference) == ROBOTRULES_OK);
  robotrules_file_free(before);
  robotrules_file_free(after);
  CHECK(robotrules_difference_get_facts(difference, &facts) == ROBOTRULES_OK);
  CHECK(facts.same == 0 && facts.robot_count == 1 && facts.limit_count == 0);
  CHECK(facts.added_sitemap_count == 1 && facts.removed_sitemap_count == 1);
  CHECK(facts.added_setting_count == 1 && facts.removed_setting_count == 0);

  robotrules_robot_change robot;
  robotrules_str name;
  CHECK(robotrules_difference_robot(difference, 0, &robot) == ROBOTRULES_OK);
  CHECK(robot.others == 1 && robot.agent_count == 1 && robot.change_count == 1);
  CHECK(robot.delay_before == -1 && robot.delay_after == 3000);
  CHECK(robotrules_difference_agent(difference, 0, 0, &name) == ROBOTRULES_OK);
  CHECK_STR(name, "AskedBot");

  robotrules_path_change change;
  CHECK(robotrules_difference_change(difference, 0, 0, &change) == ROBOTRULES_OK);
  CHECK(change.path.size > 0 && change.path.data[0] == '/');
  CHECK(change.before.access == ROBOTRULES_ACCESS_ALLOWED && change.before.why == ROBOTRULES_WHY_NO_RULE);
  CHECK(change.after.access == ROBOTRULES_ACCESS_DISALLOWED && change.after.line == 2);
  CHECK_STR(change.after.rule, "Disallow: /");
  CHECK(robotrules_difference_change(difference, 0, 1, &change) == ROBOTRULES_OUT_OF_RANGE);
  CHECK(robotrules_difference_change(difference, 1, 0, &change) == ROBOTRULES_OUT_OF_RANGE);

  robotrules_sitemap sitemap;
  CHECK(robotrules_difference_sitemap(difference, 1, 0, &sitemap) == ROBOTRULES_OK);
  CHECK_STR(sitemap.value, "/new.xml");
  CHECK(robotrules_difference_sitemap(difference, 0, 0, &sitemap) == ROBOTRULES_OK);
  CHECK_STR(sitemap.url, "https://example.org/old.xml");

  robotrules_changed_setting setting;
  CHECK(robotrules_difference_setting(difference, 1, 0, &setting) == ROBOTRULES_OK);
  CHECK(setting.kind == ROBOTRULES_KIND_VISIT_TIME && setting.agent_count == 1 && setting.line == 7);
  CHECK(robotrules_difference_setting_agent(difference, 1, 0, 0, &name) == ROBOTRULES_OK);
  CHECK_STR(name, "newbot");
  CHECK(robotrules_difference_limit(difference, 0, &name) == ROBOTRULES_OUT_OF_RANGE);
  robotrules_difference_free(difference);

  before = parsed(body);
  CHECK(robotrules_compare(before, before, NULL, 0, &difference) == ROBOTRULES_OK);
  CHECK(robotrules_difference_get_facts(difference, &facts) == ROBOTRULES_OK && facts.same == 1);
  robotrules_difference_free(difference);
  robotrules_file_free(before);
}

static void crawlers(void) {
  robotrules_file* file = parsed("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n");
  robotrules_crawlers* list;
  robotrules_crawler crawler;
  int found = 0;
  CHECK(robotrules_file_crawlers(file, NULL, 0, &list) == ROBOTRULES_OK);
  robotrules_file_free(file);
  CHECK(robotrules_crawlers_count(list) > 10);
  for (size_t i = 0; robotrules_crawlers_at(list, i, &crawler) == ROBOTRULES_OK; ++i) {
    if (crawler.name.size != 6 || memcmp(crawler.name.data, "GPTBot", 6) != 0) continue;
    ++found;
    CHECK(crawler.reach == ROBOTRULES_REACH_NOWHERE && crawler.access == ROBOTRULES_ACCESS_DISALLOWED &&
          crawler.rule.line == 2);
    CHECK_STR(crawler.group_agent, "GPTBot");
    CHECK(crawler.group_line == 1 && crawler.kind.size > 0);
  }
  CHECK(found == 1);
  robotrules_crawlers_free(list);
}

int main(void) {
  versions();
  statuses();
  names();
  verdicts();
  lengths();
  several_names();
  settings();
  documents();
  findings();
  differences();
  crawlers();
  return result();
}
