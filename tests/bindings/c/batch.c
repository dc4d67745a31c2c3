// batch [--dialect NAME] [--robots-dir DIR]: answers questions as `robotrules batch` does, through the C ABI alone, so
// that recorded answers of other programs can be compared with it.
//
// Input: a JSON object on each line with the texts `url` and `agent`, and the file as `robots_b64` (base64), or the
// file named `host` (else the URL's host) in DIR. Output: on each line `id` (if given), `access`, `line`, and `rule` if
// a rule decided. Exit status 2 if a line cannot be answered.
#define _POSIX_C_SOURCE 200809L
#include <robotrules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
  char* data;
  size_t size;
} bytes;

static void fail(const char* what) {
  fprintf(stderr, "batch: %s\n", what);
  exit(2);
}

static char* reserve(size_t size) {
  char* data = malloc(size + 1);
  if (data == NULL) fail("out of memory");
  return data;
}

static unsigned long hex4(const char* from) {
  char digits[5] = {0};
  memcpy(digits, from, 4);
  return strtoul(digits, NULL, 16);
}

static void add_utf8(bytes* to, unsigned long c) {
  if (c < 0x80) {
    to->data[to->size++] = (char)c;
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
  to->data[to->size++] = (char)(first[more] | c >> (6 * more));
  for (int i = more - 1; i >= 0; --i) to->data[to->size++] = (char)(0x80 | (c >> (6 * i) & 0x3F));
}

// Returns the text of the member `name` of the JSON object `line`; data is null if it has none. The objects are flat,
// and no value contains a quoted member name with a colon, because the quotes inside of texts are escaped.
static bytes member(const char* line, const char* name) {
  bytes out = {NULL, 0};
  char key[32];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char* at = strstr(line, key);
  if (at == NULL) return out;
  at += strlen(key);
  while (*at == ' ') ++at;
  if (*at++ != '"') return out;
  out.data = reserve(strlen(at));
  while (*at != '"' && *at != '\0') {
    if (*at != '\\') {
      out.data[out.size++] = *at++;
      continue;
    }
    const char kind = at[1];
    at += 2;
    if (kind == 'u') {
      unsigned long c = hex4(at);
      at += 4;
      if (c >= 0xD800 && c < 0xDC00 && at[0] == '\\' && at[1] == 'u') {
        c = 0x10000 + ((c - 0xD800) << 10) + (hex4(at + 2) - 0xDC00);
        at += 6;
      }
      add_utf8(&out, c);
    } else {
      static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
      const char* found = strchr(from, kind);
      out.data[out.size++] = found != NULL ? to[found - from] : kind;
    }
  }
  return out;
}

static bytes from_base64(bytes text) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bytes out = {reserve(text.size), 0};
  unsigned long bits = 0;
  int count = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const char* at = memchr(alphabet, text.data[i], 64);
    if (at == NULL) break;
    bits = bits << 6 | (unsigned long)(at - alphabet);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.data[out.size++] = (char)(bits >> count & 0xFF);
    }
  }
  return out;
}

// Returns the bytes of a file; data is null if there is none.
static bytes read_file(const char* folder, bytes name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%.*s", folder, (int)name.size, name.data);
  FILE* file = fopen(path, "rb");
  if (file == NULL) return (bytes){NULL, 0};
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  bytes out = {reserve(size), size};
  if (fread(out.data, 1, size, file) != size) fail(path);
  fclose(file);
  return out;
}

// Returns the host of the URL of a robots.txt.
static bytes host_of(robotrules_str robots_url) {
  static const char tail[] = "/robots.txt";
  const char* from = (const char*)memchr(robots_url.data, ':', robots_url.size) + strlen("://");
  bytes out = {reserve(robots_url.size), robots_url.size - (size_t)(from - robots_url.data) - strlen(tail)};
  memcpy(out.data, from, out.size);
  return out;
}

// Writes JSON text. Bytes that are not printable ASCII become "?".
static void print_text(robotrules_str text) {
  putchar('"');
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.data[i];
    if (c == '"' || c == '\\') putchar('\\');
    putchar(c >= ' ' && c <= '~' ? c : '?');
  }
  putchar('"');
}

static void answer(const char* line, const char* dialect, const char* folder) {
  bytes id = member(line, "id"), url = member(line, "url"), agent = member(line, "agent");
  bytes base64 = member(line, "robots_b64"), host = member(line, "host"), robots;
  robotrules_text* robots_url = NULL;
  robotrules_str where = {"", 0};
  if (url.data == NULL) fail("a line has no url");
  if (robotrules_robots_url(url.data, url.size, &robots_url) == ROBOTRULES_OK) robotrules_text_view(robots_url, &where);
  if (base64.data != NULL) {
    robots = from_base64(base64);
  } else {
    if (folder == NULL) fail("a line has no robots_b64, and there is no --robots-dir");
    if (host.data == NULL && where.size == 0) fail("a line has no host");
    if (host.data == NULL) host = host_of(where);
    robots = read_file(folder, host);
  }

  robotrules_rules* rules = NULL;
  robotrules_verdict verdict;
  memset(&verdict, 0, sizeof verdict);  // unknown
  if (robots.data == NULL) {
    // There is no file.
  } else if (robotrules_rules_compile(robots.data, robots.size, agent.data, agent.size, dialect, strlen(dialect),
                                      where.data, where.size, &rules) != ROBOTRULES_OK ||
             robotrules_rules_check(rules, url.data, url.size, &verdict) != ROBOTRULES_OK) {
    fail("a question cannot be answered");
  }
  robotrules_str access;
  robotrules_access_name(verdict.access, &access);
  putchar('{');
  if (id.data != NULL) {
    const robotrules_str id_text = {id.data, id.size};
    printf("\"id\":");
    print_text(id_text);
    putchar(',');
  }
  printf("\"access\":\"%.*s\",\"line\":%u", (int)access.size, access.data, (unsigned)verdict.rule.line);
  if (verdict.rule.line != 0) {
    robotrules_text* text;
    robotrules_str view;
    if (robotrules_rule_text(&verdict.rule, &text) != ROBOTRULES_OK) fail("a rule has no text");
    robotrules_text_view(text, &view);
    printf(",\"rule\":");
    print_text(view);
    robotrules_text_free(text);
  }
  puts("}");
  robotrules_rules_free(rules);
  robotrules_text_free(robots_url);
  free(id.data);
  free(url.data);
  free(agent.data);
  free(base64.data);
  free(host.data);
  free(robots.data);
}

int main(int count, char** words) {
  const char *dialect = "", *folder = NULL;
  for (int i = 1; i < count; ++i) {
    if (strcmp(words[i], "--dialect") == 0 && i + 1 < count) {
      dialect = words[++i];
    } else if (strcmp(words[i], "--robots-dir") == 0 && i + 1 < count) {
      folder = words[++i];
    } else if (strcmp(words[i], "batch") != 0 || i != 1) {
      fail("usage: batch [--dialect NAME] [--robots-dir DIR]");
    }
  }
  char* line = NULL;
  size_t room = 0;
  ssize_t size;
  while ((size = getline(&line, &room, stdin)) > 0) answer(line, dialect, folder);
  free(line);
  return fflush(stdout) == 0 ? 0 : 2;
}
