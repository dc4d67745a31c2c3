// conformance_test TABLE...: the tables of tests/conformance through the C ABI. Their README explains the format.
#include <stdlib.h>

#include "check.h"

enum {
  name_field,
  dialect_field,
  agent_field,
  url_field,
  access_field,
  line_field,
  robots_field,
  source_field,
  fields
};

// A text in a heap block of its exact size, so that AddressSanitizer sees each read behind its end.
typedef struct text {
  char* data;
  size_t size;
} text;

static int digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

// Returns the byte that the character or escape at `*at` stands for, and moves `*at` behind it.
static char next_byte(const char** at) {
  const char c = *(*at)++;
  if (c != '\\') return c;
  switch (*(*at)++) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '\\': return '\\';
    case 'x': *at += 2; return (char)(digit((*at)[-2]) << 4 | digit((*at)[-1]));
    default: CHECK(!"an escape of the table's README"); return '?';
  }
}

// Writes the text without its escapes to `to`, unless it is null. Returns its length.
static size_t unescape(const char* from, const char* end, char* to) {
  size_t size = 0;
  while (from < end) {
    unsigned long times = 1;
    if (end - from > 2 && from[0] == '\\' && from[1] == '{') {
      char* close;
      times = strtoul(from + 2, &close, 10);
      from = close + 1;
    }
    const char byte = next_byte(&from);
    if (to != NULL) memset(to + size, byte, times);
    size += times;
  }
  return size;
}

static text unescaped(const char* from, const char* end) {
  text out = {NULL, unescape(from, end, NULL)};
  if (out.size == 0) return out;
  out.data = malloc(out.size);
  if (out.data == NULL) exit(2);
  unescape(from, end, out.data);
  return out;
}

static int is(robotrules_str value, const char* from, const char* end) {
  return value.size == (size_t)(end - from) && memcmp(value.data, from, value.size) == 0;
}

// Asks `rules` and frees them. Prints a line if the answer is not the one of the table.
static void ask(robotrules_rules* rules, text url, const char* const begin[], const char* const end[],
                const char* table, unsigned long row) {
  robotrules_verdict verdict;
  robotrules_str access;
  char line[16];
  CHECK(robotrules_rules_check(rules, url.data, url.size, &verdict) == ROBOTRULES_OK);
  robotrules_access_name(verdict.access, &access);
  snprintf(line, sizeof line, "%u", (unsigned)verdict.rule.line);
  const robotrules_str line_text = {line, strlen(line)};
  const int agrees = is(access, begin[access_field], end[access_field]) &&
                     (*begin[line_field] == '-' || is(line_text, begin[line_field], end[line_field])) &&
                     robotrules_rules_access(rules, url.data, url.size) == verdict.access;
  CHECK(agrees);
  if (!agrees) {
    fprintf(stderr, "%s:%lu: %.*s (%.*s): %.*s, line %s\n", table, row, (int)(end[name_field] - begin[name_field]),
            begin[name_field], (int)(end[dialect_field] - begin[dialect_field]), begin[dialect_field], (int)access.size,
            access.data, line);
  }
  robotrules_rules_free(rules);
}

static void run(const char* table, unsigned long row, const char* from, const char* end_of_row) {
  const char *begin[fields], *end[fields];
  size_t count = 0;
  while (count < fields) {
    const char* tab = memchr(from, '\t', (size_t)(end_of_row - from));
    begin[count] = from;
    end[count++] = tab != NULL ? tab : end_of_row;
    if (tab == NULL) break;
    from = tab + 1;
  }
  CHECK(count == fields);
  if (count != fields) return;
  const text agent = unescaped(begin[agent_field], end[agent_field]);
  const text url = unescaped(begin[url_field], end[url_field]);
  const text robots = unescaped(begin[robots_field], end[robots_field]);
  const char* dialect = begin[dialect_field];
  const size_t dialect_size = (size_t)(end[dialect_field] - dialect);
  robotrules_rules* rules = NULL;
  robotrules_file* file = NULL;
  CHECK(robotrules_rules_compile(robots.data, robots.size, agent.data, agent.size, dialect, dialect_size,
                                 ROBOTRULES_TEXT("http://foo.bar/robots.txt"), &rules) == ROBOTRULES_OK);
  ask(rules, url, begin, end, table, row);
  CHECK(robotrules_file_parse(robots.data, robots.size, dialect, dialect_size,
                              ROBOTRULES_TEXT("http://foo.bar/robots.txt"), &file) == ROBOTRULES_OK);
  free(robots.data);
  CHECK(robotrules_file_rules(file, agent.data, agent.size, &rules) == ROBOTRULES_OK);
  robotrules_file_free(file);
  free(agent.data);
  ask(rules, url, begin, end, table, row);
  free(url.data);
}

// Returns the number of cases of the table.
static unsigned long run_table(const char* path) {
  FILE* stream = fopen(path, "rb");
  CHECK(stream != NULL);
  if (stream == NULL) return 0;
  fseek(stream, 0, SEEK_END);
  const size_t size = (size_t)ftell(stream);
  rewind(stream);
  char* bytes = malloc(size + 1);
  if (bytes == NULL) exit(2);
  CHECK(fread(bytes, 1, size, stream) == size);
  fclose(stream);
  bytes[size] = '\0';
  unsigned long row = 0, cases = 0;
  for (const char* line = bytes; line < bytes + size;) {
    const char* end = strchr(line, '\n');
    if (end == NULL) end = bytes + size;
    ++row;
    if (end > line && *line != '#') {
      run(path, row, line, end);
      ++cases;
    }
    line = end + 1;
  }
  free(bytes);
  return cases;
}

int main(int count, char** tables) {
  unsigned long cases = 0;
  for (int i = 1; i < count; ++i) {
    const unsigned long of_table = run_table(tables[i]);
    CHECK(of_table >= 50);
    cases += of_table;
  }
  CHECK(cases >= 1800);
  printf("%lu cases of %d tables\n", cases, count - 1);
  return result();
}
