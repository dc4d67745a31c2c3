// Questions about many URLs in one call from Python, for which an array of texts would take longer than the answers.
// The URLs are separated by line feeds: `urls` has `count` of them. Part of the extension module; the functions have
// the status of the first question that fails.
#include <robotrules.h>

#include <string.h>

// Returns the end of the URL that begins at `url`.
static const char* end_of_url(const char* url, const char* end) {
  const char* feed = url == end ? NULL : memchr(url, '\n', (size_t)(end - url));
  return feed == NULL ? end : feed;
}

static robotrules_status check_lines(const robotrules_rules* rules, const char* urls, size_t size,
                                     robotrules_verdict* verdicts, size_t count) {
  const char* const end = urls + size;
  for (size_t i = 0; i < count; ++i) {
    const char* const stop = end_of_url(urls, end);
    const robotrules_status status = robotrules_rules_check(rules, urls, (size_t)(stop - urls), &verdicts[i]);
    if (status != ROBOTRULES_OK) return status;
    urls = stop == end ? end : stop + 1;
  }
  return ROBOTRULES_OK;
}

static robotrules_status access_lines(const robotrules_rules* rules, const char* urls, size_t size,
                                      unsigned char* allowed, size_t count) {
  const char* const end = urls + size;
  for (size_t i = 0; i < count; ++i) {
    const char* const stop = end_of_url(urls, end);
    const int32_t access = robotrules_rules_access(rules, urls, (size_t)(stop - urls));
    if (access == ROBOTRULES_ACCESS_UNKNOWN) return ROBOTRULES_OUT_OF_MEMORY;
    allowed[i] = access == ROBOTRULES_ACCESS_ALLOWED;
    urls = stop == end ? end : stop + 1;
  }
  return ROBOTRULES_OK;
}
