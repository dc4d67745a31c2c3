// robots.txt in C: the rules for one robot, the answer for a URL with its reason, and the findings about the file.
#include <robotrules.h>
#include <stdio.h>
#include <string.h>

static const char body[] =
    "User-agent: *\n"
    "Disallow: /private/\n"
    "Allow: /private/press\n"
    "Crawl-delay 5\n";

// Texts of the library have a length and no NUL at their end.
static void print(const char* before, robotrules_str text) { printf("%s%.*s", before, (int)text.size, text.data); }

static int fail(robotrules_status status) {
  robotrules_str message;
  robotrules_status_message(status, &message);
  fprintf(stderr, "%.*s\n", (int)message.size, message.data);
  return 2;
}

static int check(const char* url) {
  robotrules_rules* rules;
  robotrules_verdict verdict;
  robotrules_str access;
  robotrules_status status = robotrules_rules_compile(body, strlen(body), ROBOTRULES_TEXT("FooBot"),
                                                      ROBOTRULES_TEXT("rfc9309"), NULL, 0, &rules);
  if (status != ROBOTRULES_OK) return fail(status);
  status = robotrules_rules_check(rules, url, strlen(url), &verdict);
  if (status == ROBOTRULES_OK) {
    robotrules_access_name(verdict.access, &access);
    print("", access);
    printf(" %s", url);
    if (verdict.rule.line != 0) {
      printf(" (line %u", (unsigned)verdict.rule.line);
      print(": ", verdict.rule.pattern);
      printf(")");
    }
    printf("\n");
  }
  robotrules_rules_free(rules);  // the texts in the verdict end with it
  return status == ROBOTRULES_OK ? 0 : fail(status);
}

static int lint(void) {
  robotrules_file* file;
  robotrules_findings* findings;
  robotrules_status status = robotrules_file_parse(body, strlen(body), NULL, 0, NULL, 0, &file);
  if (status != ROBOTRULES_OK) return fail(status);
  status = robotrules_file_lint(file, NULL, &findings);
  robotrules_file_free(file);
  if (status != ROBOTRULES_OK) return fail(status);
  robotrules_finding finding;
  for (size_t i = 0; robotrules_findings_at(findings, i, &finding) == ROBOTRULES_OK; ++i) {
    printf("line %u: ", (unsigned)finding.line);
    print("", finding.message);
    print(" ", finding.remedy);
    printf("\n");
  }
  robotrules_findings_free(findings);
  return 0;
}

int main(void) {
  if (check("https://example.org/private/press/kit") != 0 || check("https://example.org/private/diary") != 0) return 2;
  return lint();
}
