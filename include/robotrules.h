// robotrules in C: read robots.txt files, ask them about URLs, remember sites, and fetch pages as a polite robot.
//
//     robotrules_rules* rules;
//     robotrules_verdict verdict;
//     if (robotrules_rules_compile(body, size, ROBOTRULES_TEXT("FooBot"), NULL, 0, NULL, 0, &rules) != ROBOTRULES_OK)
//       return 1;
//     robotrules_rules_check(rules, ROBOTRULES_TEXT("https://example.org/page"), &verdict);
//     if (verdict.access == ROBOTRULES_ACCESS_ALLOWED)
//       fetch();
//     else
//       printf("line %u: %.*s\n", verdict.rule.line, (int)verdict.rule.pattern.size, verdict.rule.pattern.data);
//     robotrules_rules_free(rules);
//
// Text. Every text is a pointer and a length in bytes, and may contain any bytes, also NUL. A null pointer is valid
// only with the length 0. Texts that functions return are not NUL-terminated. Their pointers are never null.
//
// Ownership. A function that gives a handle through a parameter `T**` makes the caller its owner: free it with the
// function T_free(), which accepts NULL. On failure, the handle is NULL. Nothing else must be freed. Input is copied if
// it is needed after the call.
//
// Lifetime. Texts in results are views. They are valid until the handle that the function was called with is freed. A
// function that says otherwise names the handle. Handles do not need each other: the rules of a file may outlive it.
//
// Threads. Any number of threads may use one handle at the same time, but no thread may use a handle while or after
// another one frees it. The handles of requests (robotrules_request) and callbacks have rules of their own, see there.
//
// Errors. A function that can fail returns a robotrules_status; ROBOTRULES_OK is 0. Each status has a stable code and a
// sentence. If the status is ROBOTRULES_FAILED, the parameter `error` has a code and a sentence of the store or agent.
// Wrong arguments (a null handle, a length above SIZE_MAX / 2, an index that is too large) are reported, never used.
// Results are then set as if there was nothing: texts are empty, counts are 0, an access is unknown, and values whose
// comments name a value for "none" (such as -1) have that value. The functions cannot detect a freed handle.
// Running out of memory is ROBOTRULES_OUT_OF_MEMORY, and then nothing has changed unless a comment says otherwise. No
// C++ exception leaves a function.
//
// ABI. Structs and values of constants never change within one SONAME, except that structs with a first member `size`
// may get more members at their end. The caller fills these structs; begin with the macro of the struct that ends in
// _INIT, or set all members to zero or their defaults and `size` to the size of the struct. Later versions add
// functions. Each function has the symbol version of the release that added it. ROBOTRULES_C_API rises with each
// addition.
//
// Parts. A build without the store or the agent defines ROBOTRULES_NO_STORE or ROBOTRULES_NO_AGENT: pkg-config and
// CMake do this. Then their functions are not declared, and ROBOTRULES_FEATURE_STORE or _AGENT is not defined.
#ifndef ROBOTRULES_H
#define ROBOTRULES_H

#include <stddef.h>
#include <stdint.h>

#include <robotrules/version.hpp>

#define ROBOTRULES_C_API 1

// The parts that this header declares, and values of robotrules_features(). The agent needs the store.
#if defined(ROBOTRULES_NO_STORE) && !defined(ROBOTRULES_NO_AGENT)
#define ROBOTRULES_NO_AGENT
#endif
#define ROBOTRULES_FEATURE_CORE 1
#ifndef ROBOTRULES_NO_STORE
#define ROBOTRULES_FEATURE_STORE 2
#endif
#ifndef ROBOTRULES_NO_AGENT
#define ROBOTRULES_FEATURE_AGENT 4
#endif

#if defined(ROBOTRULES_C_STATIC) || !defined(__GNUC__)
#define ROBOTRULES_EXPORT
#else
#define ROBOTRULES_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define ROBOTRULES_NOEXCEPT noexcept
extern "C" {
#else
#define ROBOTRULES_NOEXCEPT
#endif

// Two arguments, the pointer and the length of a string literal.
#define ROBOTRULES_TEXT(literal) ("" literal), (sizeof(literal) - 1)

// --- texts, errors and versions -------------------------------------------------------------------------------------

typedef struct robotrules_str {
  const char* data;
  size_t size;
} robotrules_str;

typedef int32_t robotrules_status;
enum {
  ROBOTRULES_OK = 0,
  ROBOTRULES_INVALID_ARGUMENT = 1,  // "invalid-argument"
  ROBOTRULES_OUT_OF_RANGE = 2,      // "out-of-range": an index is too large
  ROBOTRULES_OUT_OF_MEMORY = 3,     // "out-of-memory"
  ROBOTRULES_UNKNOWN_DIALECT = 4,   // "unknown-dialect"
  ROBOTRULES_INVALID_URL = 5,       // "invalid-url": not an absolute http or https URL
  ROBOTRULES_FAILED = 6,            // "failed": the parameter `error` has the code and the sentence
  ROBOTRULES_INTERNAL = 7           // "internal": a fault in the library; please report it
};

// Give the stable code and the sentence of a status. The views are always valid. Unknown statuses are "internal".
ROBOTRULES_EXPORT void robotrules_status_code(robotrules_status status, robotrules_str* code) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_status_message(robotrules_status status, robotrules_str* message) ROBOTRULES_NOEXCEPT;

// An owned text.
typedef struct robotrules_text robotrules_text;
ROBOTRULES_EXPORT void robotrules_text_view(const robotrules_text* text, robotrules_str* view) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_text_free(robotrules_text* text) ROBOTRULES_NOEXCEPT;

// Return the version as major * 10000 + minor * 100 + patch, and as text ("0.1.0", always valid). The macros
// ROBOTRULES_VERSION_MAJOR, _MINOR, _PATCH and ROBOTRULES_VERSION say which version a program was compiled with.
ROBOTRULES_EXPORT uint32_t robotrules_version_number(void) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_version(robotrules_str* version) ROBOTRULES_NOEXCEPT;

// Return ROBOTRULES_C_API of the library, and the parts that it contains, as a sum of ROBOTRULES_FEATURE_ values.
ROBOTRULES_EXPORT uint32_t robotrules_c_api(void) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT uint32_t robotrules_features(void) ROBOTRULES_NOEXCEPT;

// --- dialects and names ---------------------------------------------------------------------------------------------

// A parameter `dialect` is the name of a preset: "rfc9309", "google", "www-robotrules", "robotstxt-rb", "original-1994"
// or "draft-1996". The empty text is "rfc9309". The names are always valid.
ROBOTRULES_EXPORT size_t robotrules_dialect_count(void) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_dialect_name(size_t index, robotrules_str* name) ROBOTRULES_NOEXCEPT;

// Gives the robot's name in `agent`, a name or a whole User-Agent header: "FooBot" for "Mozilla/5.0 (compatible;
// FooBot/1.0)". Empty: there is none. The view is of `agent`.
ROBOTRULES_EXPORT robotrules_status robotrules_robot_name(const char* agent, size_t agent_size,
                                                          robotrules_str* name) ROBOTRULES_NOEXCEPT;

// Gives the URL of the robots.txt for a URL: "https://example.org/robots.txt". Fails with ROBOTRULES_INVALID_URL.
ROBOTRULES_EXPORT robotrules_status robotrules_robots_url(const char* url, size_t url_size,
                                                          robotrules_text** robots_url) ROBOTRULES_NOEXCEPT;

// --- rules: one robots.txt for one robot ----------------------------------------------------------------------------

enum {
  ROBOTRULES_ACCESS_UNKNOWN = 0,
  ROBOTRULES_ACCESS_ALLOWED = 1,
  ROBOTRULES_ACCESS_DISALLOWED = 2
};  // robotrules_verdict::access

enum {                             // robotrules_verdict::why
  ROBOTRULES_WHY_NO_ROBOTS = 0,    // "no-robots": no robots.txt is known; the access is unknown
  ROBOTRULES_WHY_RULE = 1,         // "rule": the rule of the verdict decided
  ROBOTRULES_WHY_NO_RULE = 2,      // "no-rule": a group applies to the robot, but none of its rules matches
  ROBOTRULES_WHY_EMPTY_GROUP = 3,  // "empty-group": the group that applies has no rules
  ROBOTRULES_WHY_NO_GROUP = 4,     // "no-group": no group applies to the robot
  ROBOTRULES_WHY_ROBOTS_TXT = 5,   // "robots-txt": /robots.txt itself is always allowed
  ROBOTRULES_WHY_OTHER_SCHEME = 6  // "other-scheme": the URL is neither http nor https
};

// Give the stable codes, such as "allowed" and "no-rule", and the reason of a verdict without a rule for people, such
// as "no rule matches". Always valid; empty for other values.
ROBOTRULES_EXPORT void robotrules_access_name(int32_t access, robotrules_str* name) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_why_name(int32_t why, robotrules_str* name) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_why_reason(int32_t why, robotrules_str* reason) ROBOTRULES_NOEXCEPT;

// An Allow or Disallow line.
typedef struct robotrules_rule {
  robotrules_str pattern;  // as written; not always UTF-8
  uint32_t line;           // counted from 1; 0: there is no rule
  int32_t access;          // ROBOTRULES_ACCESS_ALLOWED: Allow, ROBOTRULES_ACCESS_DISALLOWED: Disallow
} robotrules_rule;

// Gives the rule as text: "Disallow: /x", "Allow:", or "" if rule->line is 0.
ROBOTRULES_EXPORT robotrules_status robotrules_rule_text(const robotrules_rule* rule,
                                                         robotrules_text** text) ROBOTRULES_NOEXCEPT;

typedef struct robotrules_verdict {
  int32_t access;
  int32_t why;
  robotrules_rule rule;        // the rule that decided; its line is 0 unless `why` is ROBOTRULES_WHY_RULE
  robotrules_rule runner_up;   // the next best rule that also matches; its line is 0 if there is none
  robotrules_str group_agent;  // User-agent value of the group; "*" in the default group
  uint32_t group_line;         // line of its first User-agent line; 0: there is no group
  int32_t group_is_default;    // 1: the group for "*"
} robotrules_verdict;

typedef struct robotrules_rules robotrules_rules;

// Compiles the file `robots` for the robot `agent`. A name with a version and a whole User-Agent header are reduced to
// robotrules_robot_name() first; only the dialect robotstxt-rb compares `agent` as it is. `url` is the URL of the file;
// only the dialect www-robotrules uses it. Fails with ROBOTRULES_UNKNOWN_DIALECT.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_compile(const char* robots, size_t robots_size, const char* agent,
                                                             size_t agent_size, const char* dialect,
                                                             size_t dialect_size, const char* url, size_t url_size,
                                                             robotrules_rules** rules) ROBOTRULES_NOEXCEPT;

// Does the same for a robot with several names: it obeys the groups of the first name that the file has, else those for
// "*". With `ignores_star`, it never obeys groups for "*".
ROBOTRULES_EXPORT robotrules_status robotrules_rules_compile_names(const char* robots, size_t robots_size,
                                                                   const robotrules_str* names, size_t name_count,
                                                                   int32_t ignores_star, const char* dialect,
                                                                   size_t dialect_size, const char* url,
                                                                   size_t url_size,
                                                                   robotrules_rules** rules) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_rules_free(robotrules_rules* rules) ROBOTRULES_NOEXCEPT;

// Answers whether the robot may fetch `url`: an absolute URL, or a path that begins with "/". Memory is allocated only
// for URLs of more than about a kilobyte. The texts in the verdict are valid until `rules` is freed.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_check(const robotrules_rules* rules, const char* url,
                                                           size_t url_size,
                                                           robotrules_verdict* verdict) ROBOTRULES_NOEXCEPT;

// Returns the access alone. ROBOTRULES_ACCESS_UNKNOWN: the arguments are wrong, or there is no memory.
ROBOTRULES_EXPORT int32_t robotrules_rules_access(const robotrules_rules* rules, const char* url,
                                                  size_t url_size) ROBOTRULES_NOEXCEPT;

// Answers for many URLs in one call: `access[i]` is the answer for `urls[i]`, and `lines[i]` the line of the rule that
// decided (0: no rule decided). `lines` may be NULL. On failure, all answers are unknown.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_check_many(const robotrules_rules* rules,
                                                                const robotrules_str* urls, size_t count,
                                                                int32_t* access, uint32_t* lines) ROBOTRULES_NOEXCEPT;

// Gives the verdict as a sentence for people, without control characters.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_explain(const robotrules_rules* rules, const char* url,
                                                             size_t url_size,
                                                             robotrules_text** sentence) ROBOTRULES_NOEXCEPT;

// Copies the Allow and Disallow lines for the robot, in file order, to `lines`: as many as `room` permits. `count` is
// the number of all of them. Lines that can never match a URL are left out. Call it with room 0 first.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_lines(const robotrules_rules* rules, robotrules_rule* lines,
                                                           size_t room, size_t* count) ROBOTRULES_NOEXCEPT;

// The requests of the file beside access: how often and when the robot may come.
typedef struct robotrules_settings {
  int64_t crawl_delay;           // milliseconds; -1: there is none
  int64_t rate_period;           // Request-rate: seconds; -1: there is none
  uint32_t rate_requests;        // at most this many requests in each period
  int32_t rate_from, rate_to;    // minutes after midnight UTC, when the rate applies; -1: always
  int32_t visit_from, visit_to;  // Visit-time: minutes after midnight UTC; -1: there is none
} robotrules_settings;
ROBOTRULES_EXPORT robotrules_status robotrules_rules_settings(const robotrules_rules* rules,
                                                              robotrules_settings* settings) ROBOTRULES_NOEXCEPT;

// The preferences of Content-Usage and Content-Signal lines for one URL, as values of access.
typedef struct robotrules_usage {
  robotrules_str usage_path;  // the pattern of the Content-Usage line; empty: every path
  int32_t usage_train_ai, usage_ai_use, usage_search;
  int32_t signal_search, signal_ai_input, signal_ai_train;
} robotrules_usage;
ROBOTRULES_EXPORT robotrules_status robotrules_rules_usage(const robotrules_rules* rules, const char* url,
                                                           size_t url_size,
                                                           robotrules_usage* usage) ROBOTRULES_NOEXCEPT;

// Gives `url` without the query parameters that Clean-param lines name.
ROBOTRULES_EXPORT robotrules_status robotrules_rules_clean_url(const robotrules_rules* rules, const char* url,
                                                               size_t url_size,
                                                               robotrules_text** cleaned) ROBOTRULES_NOEXCEPT;

typedef struct robotrules_rules_facts {
  robotrules_str dialect;  // its name; always valid
  size_t size;             // number of Allow and Disallow lines, also of those that can never match
  size_t memory_bytes;
} robotrules_rules_facts;
ROBOTRULES_EXPORT robotrules_status robotrules_rules_get_facts(const robotrules_rules* rules,
                                                               robotrules_rules_facts* facts) ROBOTRULES_NOEXCEPT;

// --- file: a robots.txt as a document -------------------------------------------------------------------------------

typedef struct robotrules_file robotrules_file;

// Parses the file `robots`. `url` is the URL of the file, against which sitemaps are resolved; it may be empty. Every
// text is a valid file. Fails with ROBOTRULES_UNKNOWN_DIALECT.
ROBOTRULES_EXPORT robotrules_status robotrules_file_parse(const char* robots, size_t robots_size, const char* dialect,
                                                          size_t dialect_size, const char* url, size_t url_size,
                                                          robotrules_file** file) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_file_free(robotrules_file* file) ROBOTRULES_NOEXCEPT;

// Give the rules for one robot, as robotrules_rules_compile() and robotrules_rules_compile_names() do.
ROBOTRULES_EXPORT robotrules_status robotrules_file_rules(const robotrules_file* file, const char* agent,
                                                          size_t agent_size,
                                                          robotrules_rules** rules) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_file_rules_names(const robotrules_file* file,
                                                                const robotrules_str* names, size_t name_count,
                                                                int32_t ignores_star,
                                                                robotrules_rules** rules) ROBOTRULES_NOEXCEPT;

typedef struct robotrules_file_facts {
  robotrules_str text;  // as it was read: in UTF-8, and cut at the dialect's limit
  robotrules_str url;
  robotrules_str dialect;
  size_t directive_count;
  size_t group_count;
  uint32_t line_count;
  int32_t truncated;        // 1: the file was longer than the dialect's limit
  int32_t looks_like_html;  // 1: this seems to be an HTML page
} robotrules_file_facts;
ROBOTRULES_EXPORT robotrules_status robotrules_file_get_facts(const robotrules_file* file,
                                                              robotrules_file_facts* facts) ROBOTRULES_NOEXCEPT;

enum {  // robotrules_directive::kind
  ROBOTRULES_KIND_USER_AGENT = 0,
  ROBOTRULES_KIND_ALLOW = 1,
  ROBOTRULES_KIND_DISALLOW = 2,
  ROBOTRULES_KIND_SITEMAP = 3,
  ROBOTRULES_KIND_CRAWL_DELAY = 4,
  ROBOTRULES_KIND_REQUEST_RATE = 5,
  ROBOTRULES_KIND_VISIT_TIME = 6,
  ROBOTRULES_KIND_HOST = 7,
  ROBOTRULES_KIND_CLEAN_PARAM = 8,
  ROBOTRULES_KIND_NOINDEX = 9,
  ROBOTRULES_KIND_CONTENT_SIGNAL = 10,
  ROBOTRULES_KIND_CONTENT_USAGE = 11,
  ROBOTRULES_KIND_OTHER = 12
};
// Gives the usual spelling of a kind, such as "User-agent". Always valid; empty for ROBOTRULES_KIND_OTHER.
ROBOTRULES_EXPORT void robotrules_kind_name(int32_t kind, robotrules_str* name) ROBOTRULES_NOEXCEPT;

// One line with a name and a value. Lines and columns are counted from 1, columns in bytes.
typedef struct robotrules_directive {
  robotrules_str name;  // as written
  robotrules_str value;
  int32_t kind;
  int32_t group;  // index of its group; -1: it is before the first group
  uint32_t line;
  uint32_t column;        // of the name
  uint32_t value_column;  // of the value
  uint32_t run_line;      // line of the first of the User-agent lines that it belongs to; 0: none
} robotrules_directive;

// Gives the directive at `index`, in file order. Fails with ROBOTRULES_OUT_OF_RANGE.
ROBOTRULES_EXPORT robotrules_status robotrules_file_directive(const robotrules_file* file, size_t index,
                                                              robotrules_directive* directive) ROBOTRULES_NOEXCEPT;

// A run of User-agent lines and the lines after it.
typedef struct robotrules_group {
  uint32_t line;  // of its first User-agent line, or of its first rule if it has none
  size_t agent_count;
  size_t rule_count;
  size_t other_count;
} robotrules_group;
ROBOTRULES_EXPORT robotrules_status robotrules_file_group(const robotrules_file* file, size_t index,
                                                          robotrules_group* group) ROBOTRULES_NOEXCEPT;

// Copies directives of one group, in file order, to `directives`: as many as `room` permits. `count` is the number of
// all of them.
enum { ROBOTRULES_GROUP_AGENTS = 0, ROBOTRULES_GROUP_RULES = 1, ROBOTRULES_GROUP_OTHER = 2 };  // `part`
ROBOTRULES_EXPORT robotrules_status robotrules_file_group_directives(const robotrules_file* file, size_t index,
                                                                     int32_t part, robotrules_directive* directives,
                                                                     size_t room, size_t* count) ROBOTRULES_NOEXCEPT;

// The sitemaps of a file, each once. The list keeps the file's data, so its texts are valid until the list is freed.
typedef struct robotrules_sitemaps robotrules_sitemaps;
typedef struct robotrules_sitemap {
  robotrules_str url;    // resolved against the URL of the file
  robotrules_str value;  // as written
  uint32_t line;
} robotrules_sitemap;
ROBOTRULES_EXPORT robotrules_status robotrules_file_sitemaps(const robotrules_file* file,
                                                             robotrules_sitemaps** sitemaps) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT size_t robotrules_sitemaps_count(const robotrules_sitemaps* sitemaps) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_sitemaps_at(const robotrules_sitemaps* sitemaps, size_t index,
                                                           robotrules_sitemap* sitemap) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_sitemaps_free(robotrules_sitemaps* sitemaps) ROBOTRULES_NOEXCEPT;

// --- lint: mistakes and oddities ------------------------------------------------------------------------------------

enum { ROBOTRULES_SEVERITY_ERROR = 0, ROBOTRULES_SEVERITY_WARNING = 1, ROBOTRULES_SEVERITY_NOTE = 2 };  // severities
// Gives "error", "warning" or "note". Always valid.
ROBOTRULES_EXPORT void robotrules_severity_name(int32_t severity, robotrules_str* name) ROBOTRULES_NOEXCEPT;

// Facts that the file does not contain. ROBOTRULES_LINT_OPTIONS_INIT: none are known.
typedef struct robotrules_lint_options {
  size_t size;                  // sizeof(robotrules_lint_options)
  int32_t known_robots;         // 1: the findings know the crawlers that the library lists
  int32_t fetched;              // 1: the file was fetched, and the next members count
  int32_t status;               // HTTP status after all redirects
  uint32_t redirects;           // number of redirects
  int64_t max_age;              // seconds that a cache may keep the response; -1: not stated
  robotrules_str content_type;  // the header field; empty: there was none
} robotrules_lint_options;
#define ROBOTRULES_LINT_OPTIONS_INIT {sizeof(robotrules_lint_options), 0, 0, 200, 0, -1, {NULL, 0}}

typedef struct robotrules_findings robotrules_findings;
// One finding. Lines and columns are counted from 1; line 0 is the whole file.
typedef struct robotrules_finding {
  robotrules_str code;     // stable, such as "missing-colon"; docs/lint has a page for each code
  robotrules_str message;  // a sentence
  robotrules_str remedy;   // what to write instead
  size_t edit_count;       // 0: a person must decide what to write
  int32_t severity;
  uint32_t line;
  uint32_t column;
} robotrules_finding;
// A change of one line that the remedy asks for.
typedef struct robotrules_edit {
  robotrules_str text;  // the new lines, separated by "\n"
  size_t line_count;    // 0: the line is deleted
  uint32_t line;
} robotrules_edit;

// Gives the findings about a file, ordered by line and column. `options` may be NULL.
ROBOTRULES_EXPORT robotrules_status robotrules_file_lint(const robotrules_file* file,
                                                         const robotrules_lint_options* options,
                                                         robotrules_findings** findings) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT size_t robotrules_findings_count(const robotrules_findings* findings) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_findings_at(const robotrules_findings* findings, size_t index,
                                                           robotrules_finding* finding) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_findings_edit(const robotrules_findings* findings, size_t index,
                                                             size_t edit, robotrules_edit* change) ROBOTRULES_NOEXCEPT;
// Gives `text` after the edits of the finding at `index`. Most edits change what robots may fetch: see
// robotrules_fix().
ROBOTRULES_EXPORT robotrules_status robotrules_findings_apply(const robotrules_findings* findings, size_t index,
                                                              const char* text, size_t text_size,
                                                              robotrules_text** changed) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_findings_free(robotrules_findings* findings) ROBOTRULES_NOEXCEPT;

// All codes with their summaries. The views are always valid.
typedef struct robotrules_lint_code {
  robotrules_str code;
  robotrules_str summary;
  int32_t severity;
  int32_t consequence;  // 1: it says what the whole file does to robots, not what is wrong with one line
} robotrules_lint_code;
ROBOTRULES_EXPORT size_t robotrules_lint_code_count(void) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_lint_code_at(size_t index,
                                                            robotrules_lint_code* code) ROBOTRULES_NOEXCEPT;

// The file after all edits that provably change nothing for any robot. `url` is the URL of the file; it may be empty.
typedef struct robotrules_fixed robotrules_fixed;
typedef struct robotrules_fixed_facts {
  robotrules_str text;
  robotrules_str diff;    // the changes in the unified format of diff; empty: nothing was changed
  size_t edits;           // changed lines
  size_t left_count;      // codes of findings that remain, because their edits would change what robots may fetch
  size_t unproven_count;  // codes of findings that remain, because the proof would take too long
  int32_t is_fixable;     // 0: the file is UTF-16 or too long, and nothing was changed
} robotrules_fixed_facts;
ROBOTRULES_EXPORT robotrules_status robotrules_fix(const char* robots, size_t robots_size, const char* url,
                                                   size_t url_size, robotrules_fixed** fixed) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_fixed_get_facts(const robotrules_fixed* fixed,
                                                               robotrules_fixed_facts* facts) ROBOTRULES_NOEXCEPT;
// A code of findings, and how many findings have it. The text is always valid.
typedef struct robotrules_code_count {
  robotrules_str code;
  size_t count;
} robotrules_code_count;
// Give the findings that remain: those whose edits would change what robots may fetch, and those without a proof.
ROBOTRULES_EXPORT robotrules_status robotrules_fixed_left(const robotrules_fixed* fixed, size_t index,
                                                          robotrules_code_count* left) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_fixed_unproven(const robotrules_fixed* fixed, size_t index,
                                                              robotrules_code_count* unproven) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_fixed_free(robotrules_fixed* fixed) ROBOTRULES_NOEXCEPT;

// --- compare: what a change of a file changes, and for which robots -------------------------------------------------

typedef struct robotrules_difference robotrules_difference;
typedef struct robotrules_difference_facts {
  int32_t same;        // 1: no robot, sitemap or setting differs
  size_t robot_count;  // sets of robots with a difference
  size_t added_sitemap_count;
  size_t removed_sitemap_count;
  size_t added_setting_count;
  size_t removed_setting_count;
  size_t limit_count;  // limits that were reached; 0: the comparison is complete
} robotrules_difference_facts;

// Compares two files for all robots that either of them names, for all others together, and for the robots `names`.
// Fails with ROBOTRULES_INVALID_ARGUMENT if the files were parsed with different dialects. The result keeps the data of
// both files, so its texts are valid until it is freed.
ROBOTRULES_EXPORT robotrules_status robotrules_compare(const robotrules_file* before, const robotrules_file* after,
                                                       const robotrules_str* names, size_t name_count,
                                                       robotrules_difference** difference) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_difference_get_facts(
    const robotrules_difference* difference, robotrules_difference_facts* facts) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_difference_free(robotrules_difference* difference) ROBOTRULES_NOEXCEPT;

// The changes for one set of robots.
typedef struct robotrules_robot_change {
  int32_t others;        // 1: the set contains every robot that neither file names
  int32_t lines_vary;    // 1: the rules of these robots are on different lines; the changes have those of the first one
  size_t agent_count;    // named robots of the set
  size_t change_count;   // paths that one file allows and the other disallows
  int64_t delay_before;  // Crawl-delay in milliseconds; -1: there is none
  int64_t delay_after;
} robotrules_robot_change;
ROBOTRULES_EXPORT robotrules_status robotrules_difference_robot(const robotrules_difference* difference, size_t index,
                                                                robotrules_robot_change* robot) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_difference_agent(const robotrules_difference* difference, size_t robot,
                                                                size_t index, robotrules_str* name) ROBOTRULES_NOEXCEPT;

// The answer of one file for a path.
typedef struct robotrules_path_answer {
  int32_t access;
  int32_t why;
  uint32_t line;        // of the rule that decided; 0: no rule decided
  robotrules_str rule;  // as text, such as "Disallow: /x"
} robotrules_path_answer;
// A path with different answers. Passed to robotrules_rules_check() it gives them again, which proves the difference.
typedef struct robotrules_path_change {
  robotrules_str path;
  robotrules_path_answer before;
  robotrules_path_answer after;
} robotrules_path_change;
ROBOTRULES_EXPORT robotrules_status robotrules_difference_change(const robotrules_difference* difference, size_t robot,
                                                                 size_t index,
                                                                 robotrules_path_change* change) ROBOTRULES_NOEXCEPT;

// Give a sitemap that only one file has: the later one if `added` is not 0, else the earlier one.
ROBOTRULES_EXPORT robotrules_status robotrules_difference_sitemap(const robotrules_difference* difference,
                                                                  int32_t added, size_t index,
                                                                  robotrules_sitemap* sitemap) ROBOTRULES_NOEXCEPT;
// A line that only one file has for its robots: Request-rate, Visit-time, Content-Signal and others that do not change
// what robots may fetch.
typedef struct robotrules_changed_setting {
  robotrules_str value;
  int32_t kind;
  uint32_t line;
  size_t agent_count;  // robots of the line; 0: the line is for the whole site
} robotrules_changed_setting;
ROBOTRULES_EXPORT robotrules_status
robotrules_difference_setting(const robotrules_difference* difference, int32_t added, size_t index,
                              robotrules_changed_setting* setting) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_difference_setting_agent(const robotrules_difference* difference,
                                                                        int32_t added, size_t setting, size_t index,
                                                                        robotrules_str* name) ROBOTRULES_NOEXCEPT;
// Gives a sentence about a limit that was reached.
ROBOTRULES_EXPORT robotrules_status robotrules_difference_limit(const robotrules_difference* difference, size_t index,
                                                                robotrules_str* sentence) ROBOTRULES_NOEXCEPT;

// --- crawlers: what a file allows the known ones --------------------------------------------------------------------

enum {
  ROBOTRULES_REACH_EVERYWHERE = 0,
  ROBOTRULES_REACH_PARTLY = 1,
  ROBOTRULES_REACH_NOWHERE = 2
};  // robotrules_crawler::reach
enum {  // robotrules_crawler::obeys: does it obey robots.txt, according to its operator?
  ROBOTRULES_OBEYS_NOT_STATED = 0,
  ROBOTRULES_OBEYS_YES = 1,
  ROBOTRULES_OBEYS_PARTLY = 2,
  ROBOTRULES_OBEYS_NO = 3
};
typedef struct robotrules_crawler {
  robotrules_str name;
  robotrules_str operated_by;  // may be empty
  robotrules_str kind;         // "search", "training", "archive" ...
  robotrules_str group_agent;  // User-agent value of the group that applies; empty: no group applies
  uint32_t group_line;         // its line; 0: no group applies
  int32_t obeys;
  int32_t reach;         // the part of the site that it may fetch
  int32_t access;        // to the page `url`
  robotrules_rule rule;  // that decides about the page; its line is 0 if no rule decides
} robotrules_crawler;

// Gives what `file` allows each known crawler, and whether it may fetch the page `url` (empty: "/").
typedef struct robotrules_crawlers robotrules_crawlers;
ROBOTRULES_EXPORT robotrules_status robotrules_file_crawlers(const robotrules_file* file, const char* url,
                                                             size_t url_size,
                                                             robotrules_crawlers** crawlers) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT size_t robotrules_crawlers_count(const robotrules_crawlers* crawlers) ROBOTRULES_NOEXCEPT;
// Returns 1 if every `reach` is exact; 0: the file is so large that the survey was cut, and some are guesses.
ROBOTRULES_EXPORT int32_t robotrules_crawlers_complete(const robotrules_crawlers* crawlers) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_crawlers_at(const robotrules_crawlers* crawlers, size_t index,
                                                           robotrules_crawler* crawler) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_crawlers_free(robotrules_crawlers* crawlers) ROBOTRULES_NOEXCEPT;

#ifndef ROBOTRULES_NO_STORE

// --- errors of the store and the agent ------------------------------------------------------------------------------

// A parameter `error` may be NULL. The function sets it to NULL, or, if its status is ROBOTRULES_FAILED, to a new
// error, which the caller must free.
typedef struct robotrules_error robotrules_error;
ROBOTRULES_EXPORT void robotrules_error_code(const robotrules_error* error, robotrules_str* code) ROBOTRULES_NOEXCEPT;
// Gives a sentence that names the subject and the remedy.
ROBOTRULES_EXPORT void robotrules_error_message(const robotrules_error* error,
                                                robotrules_str* message) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_error_free(robotrules_error* error) ROBOTRULES_NOEXCEPT;

// Times are microseconds since 1970-01-01 00:00 UTC. Durations are microseconds unless a comment says otherwise.
#define ROBOTRULES_NO_TIME INT64_MIN

// --- store: what a robot remembers about sites ----------------------------------------------------------------------

typedef struct robotrules_store robotrules_store;

enum {  // robotrules_store_open(): `flags` is a sum of these; other stores than files ignore them
  ROBOTRULES_STORE_EXISTING = 1,    // fail with "store-missing" if there is no such file
  ROBOTRULES_STORE_FIRST_EVER = 2,  // a new file is the first one: no site was visited before
  ROBOTRULES_STORE_READ_ONLY = 4,   // accept a file that cannot be written
  ROBOTRULES_STORE_DURABLE = 8      // every change is on the disk before a function returns
};

// Opens the store `name`: "memory:" (it ends with its last handle), a path, or another name that open_store() takes
// (robotrules/open_store.hpp). The errors are those of open_store().
ROBOTRULES_EXPORT robotrules_status robotrules_store_open(const char* name, size_t name_size, uint32_t flags,
                                                          robotrules_store** store,
                                                          robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Frees the handle. The store is closed when no database, agent and reservation uses it any more.
ROBOTRULES_EXPORT void robotrules_store_free(robotrules_store* store) ROBOTRULES_NOEXCEPT;
// Returns the time of the store's clock; ROBOTRULES_NO_TIME for NULL.
ROBOTRULES_EXPORT int64_t robotrules_store_now(const robotrules_store* store) ROBOTRULES_NOEXCEPT;

// --- gate: when may a robot send its next request to a site? --------------------------------------------------------

// Gives the gate key of a URL: "https://example.org". Fails with ROBOTRULES_INVALID_URL.
ROBOTRULES_EXPORT robotrules_status robotrules_gate_key(const char* url, size_t url_size,
                                                        robotrules_text** key) ROBOTRULES_NOEXCEPT;

// A robot's wishes. ROBOTRULES_GATE_REQUEST_INIT: no interval, one request at a time, and the usual limits.
typedef struct robotrules_gate_request {
  size_t size;           // sizeof(robotrules_gate_request)
  int64_t interval;      // between two requests
  int64_t hold;          // after this time the owner counts as dead; 0: five minutes
  int64_t max_penalty;   // longer pauses that a server asks for are shortened to this; 0: 24 hours
  uint32_t in_flight;    // max. requests at the same time; 0: 1
  int32_t from_start;    // 1: the interval runs from the start of a request, not from its end
  int32_t robots_fetch;  // 1: the request fetches a robots.txt, which is not delayed by the interval
} robotrules_gate_request;
#define ROBOTRULES_GATE_REQUEST_INIT {sizeof(robotrules_gate_request), 0, 0, 0, 0, 0, 0}

enum {
  ROBOTRULES_GATE_GRANTED = 1,
  ROBOTRULES_GATE_WAIT = 2,
  ROBOTRULES_GATE_BLOCKED = 3
};  // robotrules_gate_answer::answer
typedef struct robotrules_gate_answer {
  int32_t answer;      // granted: send the request now. wait: ask again at `until`. blocked: leave the site alone
  uint64_t fence;      // granted: rises with each grant of a key; else 0
  int64_t until;       // granted: when the hold expires
  robotrules_str why;  // wait: "interval", "penalty", "in-flight", "just-visited", "away", "unreachable"; else empty
  robotrules_str key;  // wait and blocked: the key with the longest wait; else empty
} robotrules_gate_answer;

// The answer to one question, and with it the right to one request if it was granted. After a granted request, call
// complete, fail or cancel once. Freeing it does none of them: its keys are then held until `until`. One thread at a
// time.
typedef struct robotrules_reservation robotrules_reservation;

// Asks for the right to one request. Reserves all keys at once, or none. `request` may be NULL. Fails with
// "invalid-request" if there is no key, a key is given twice, or a time is negative or longer than a year.
ROBOTRULES_EXPORT robotrules_status robotrules_store_reserve(robotrules_store* store, const robotrules_str* keys,
                                                             size_t key_count, const robotrules_gate_request* request,
                                                             robotrules_reservation** reservation,
                                                             robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_reservation_answer(const robotrules_reservation* reservation,
                                                                  robotrules_gate_answer* answer) ROBOTRULES_NOEXCEPT;
// Call it directly before the request is handed to the client. If more than two seconds have passed since
// robotrules_store_reserve() was called, by CLOCK_BOOTTIME, it cancels the request and fails with "too-late": ask
// again. (If a server has lost its last writes, another process may be granted the key after that.) Else it asks no
// server and returns at once. Fails with ROBOTRULES_INVALID_ARGUMENT if the request was not granted.
ROBOTRULES_EXPORT robotrules_status robotrules_reservation_may_send(robotrules_reservation* reservation,
                                                                    robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Ends the request after its response. `http_status` 0: no answer, as with ROBOTRULES_CAUSE_NONE. `retry_after`: the
// pause that the server asked for; -1: none. `latency`: from the request to the end of the response. Fails with
// ROBOTRULES_INVALID_ARGUMENT if the request was not granted, and with "unknown-token" if it was ended before or its
// hold has expired.
ROBOTRULES_EXPORT robotrules_status robotrules_reservation_complete(robotrules_reservation* reservation,
                                                                    int32_t http_status, int64_t retry_after,
                                                                    int64_t latency,
                                                                    robotrules_error** error) ROBOTRULES_NOEXCEPT;

enum {                            // why a request got no answer, or none that is whole
  ROBOTRULES_CAUSE_NONE = 0,      // the cause is not known, or it is not the site
  ROBOTRULES_CAUSE_CONNECT = 1,   // the connection could not be made, or broke
  ROBOTRULES_CAUSE_TIMEOUT = 2,   // a time limit was reached
  ROBOTRULES_CAUSE_DNS = 3,       // the name could not be resolved at the time
  ROBOTRULES_CAUSE_ROUTE = 4,     // this machine had no route to the site
  ROBOTRULES_CAUSE_CANCELLED = 5  // the robot itself ended the request
};
// Ends a request that was sent and got no answer, or none that is whole. A connection that failed, a time limit, a name
// that could not be resolved and a missing route pause the key of the origin (robotrules_gate_key()): 5 s, doubled with
// each further failure in a row up to 10 min. An answer ends the row. Meanwhile robotrules_store_reserve() says to wait
// because the site is "away". The other causes pause nothing and end no row. Fails as
// robotrules_reservation_complete() does, and with ROBOTRULES_INVALID_ARGUMENT if there is no such cause; then the
// request is not ended.
ROBOTRULES_EXPORT robotrules_status robotrules_reservation_fail(robotrules_reservation* reservation, int32_t cause,
                                                                robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Ends a request that was not sent. Fails as robotrules_reservation_complete() does.
ROBOTRULES_EXPORT robotrules_status robotrules_reservation_cancel(robotrules_reservation* reservation,
                                                                  robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_reservation_free(robotrules_reservation* reservation) ROBOTRULES_NOEXCEPT;

// The state of a gate key.
typedef struct robotrules_gate_state {
  int64_t next_at;        // when the interval of the last request is over
  int64_t penalty_until;  // in the past: there is no penalty
  int64_t last_visit;     // ROBOTRULES_NO_TIME: never
  uint64_t visits;
  uint32_t in_flight;  // requests under way
  uint32_t incidents;  // refusals of the server in a row
} robotrules_gate_state;
ROBOTRULES_EXPORT robotrules_status robotrules_store_gate(const robotrules_store* store, const char* key,
                                                          size_t key_size, robotrules_gate_state* state,
                                                          robotrules_error** error) ROBOTRULES_NOEXCEPT;

// --- robots.txt: what an answer means, and what is requested next ----------------------------------------------------

// The fetch of one robots.txt by the caller's HTTP client. It sends nothing itself, and decides by robots_step()
// (robotrules/robots_step.hpp), as the agent does: statuses, redirects, content codings, sizes, times.
//
//     robotrules_robots_fetch_new(ROBOTRULES_TEXT("https://example.org/robots.txt"), NULL, 0, NULL, now, &fetch);
//     for (;;) {
//       robotrules_robots_fetch_step(fetch, &step);
//       if (step.is_done) break;
//       robotrules_exchange exchange = ROBOTRULES_EXCHANGE_INIT;
//       send(&step, &exchange);  // GET step.url at step.at, without following redirects
//       robotrules_robots_fetch_answer(fetch, &exchange, now);
//     }
//
// Times are at most those of the year 9999. One thread at a time.
typedef struct robotrules_robots_fetch robotrules_robots_fetch;

enum {                                 // the outcome of a fetch of robots.txt
  ROBOTRULES_OUTCOME_RULES = 0,        // there is a file
  ROBOTRULES_OUTCOME_UNAVAILABLE = 1,  // the site has no file: the status is 4xx, but not 407, 426 or 429
  ROBOTRULES_OUTCOME_UNREACHABLE = 2   // the fetch failed: 429, 5xx, no answer, or an incomplete answer
};
enum {                               // the state of a site
  ROBOTRULES_STATE_UNKNOWN = 0,      // "unknown": there is no fresh record. Fetch robots.txt and keep the outcome
  ROBOTRULES_STATE_RULES = 1,        // "rules": the rules of its robots.txt apply
  ROBOTRULES_STATE_STALE = 2,        // "stale": the same, but the file is the last good copy
  ROBOTRULES_STATE_ALLOW_ALL = 3,    // "allow-all": the site has no rules
  ROBOTRULES_STATE_DISALLOW_ALL = 4  // "disallow-all": no URL may be fetched
};

// Begins a fetch. `policy` is a name as for robotrules_database_set_policy(); empty: "rfc9309". `last` is an earlier
// fetch of the same site, which has ended, or NULL: its file may be asked for conditionally, and its failures count. It
// is copied. Fails with ROBOTRULES_INVALID_URL, and with ROBOTRULES_INVALID_ARGUMENT for other names of policies.
ROBOTRULES_EXPORT robotrules_status robotrules_robots_fetch_new(const char* robots_url, size_t robots_url_size,
                                                                const char* policy, size_t policy_size,
                                                                const robotrules_robots_fetch* last, int64_t now,
                                                                robotrules_robots_fetch** fetch) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_robots_fetch_free(robotrules_robots_fetch* fetch) ROBOTRULES_NOEXCEPT;
// Sets the largest number of redirects that are followed, and of bytes of the file that are read, and whether redirects
// from https to http are followed, in place of those of the policy. Call it before the first answer.
ROBOTRULES_EXPORT robotrules_status robotrules_robots_fetch_limits(robotrules_robots_fetch* fetch,
                                                                   uint32_t max_redirects, size_t body_limit,
                                                                   int32_t allow_downgrade) ROBOTRULES_NOEXCEPT;

// The next request, or the result. Texts are valid until the next answer or until the fetch is freed.
typedef struct robotrules_robots_step {
  int32_t is_done;                   // 1: there is a result; 0: there is a request
  robotrules_str url;                // request: to send. Result: of the last answer
  int64_t at;                        // request: not before this time
  int32_t is_repeated;               // request: the URL is requested again, so use a new connection
  robotrules_str accept;             // request: fields to send
  robotrules_str if_none_match;      // request: empty if it is not to be sent
  robotrules_str if_modified_since;  // request: empty if it is not to be sent
  int32_t outcome;                   // result: ROBOTRULES_OUTCOME_
  int32_t state;                     // result: ROBOTRULES_STATE_, what the policy says about the site now
  int32_t http_status;               // result: of the last answer; 0: none
  int64_t fresh_until;               // result: until then it holds, and the file is not fetched again
  int32_t is_truncated;              // result: the file is longer than `robots`
  robotrules_str robots;             // result: the file, or the last good copy; empty: there is none
  robotrules_str reason;             // result: why there is no file; empty: there is one, or the status says it
} robotrules_robots_step;
// Before the first answer, the request is the first one; while the result of the fetch `last` is fresh, its time is in
// the future.
ROBOTRULES_EXPORT robotrules_status robotrules_robots_fetch_step(const robotrules_robots_fetch* fetch,
                                                                 robotrules_robots_step* step) ROBOTRULES_NOEXCEPT;

enum {
  ROBOTRULES_END_ANSWERED = 1,  // a server answered; its head is complete
  ROBOTRULES_END_FAILED = 2,    // the site did not answer, or its answer cannot be used
  ROBOTRULES_END_OURS = 3,      // it failed by no fault of the site
  ROBOTRULES_END_BY_PROXY = 4   // a proxy failed or answered in place of the site
};  // robotrules_exchange::end
// How the request ended. ROBOTRULES_EXCHANGE_INIT: no answer.
typedef struct robotrules_exchange {
  size_t size;  // sizeof(robotrules_exchange)
  int32_t end;
  int32_t http_status;           // 0: there was no head
  const robotrules_str* fields;  // of the head: names and values in turn; repeated fields are repeated here
  size_t field_count;            // of `fields`: twice the number of fields
  robotrules_str body;
  int32_t is_encoded;  // 1: `body` is as received. 0: the client has removed the codings of Content-Encoding
  int32_t is_cut;      // 1: the client stopped reading; the file is longer
  int32_t is_partial;  // 1: the end of the body is not certain
  int32_t refusals;    // earlier ends by a proxy, in a row
  int64_t requested_at;
  int64_t received_at;
  robotrules_str failure;  // why there is no answer, in words
  double jitter;           // from 0 to 1: how much of a tenth is added to the wait after a failure
} robotrules_exchange;
#define ROBOTRULES_EXCHANGE_INIT {sizeof(robotrules_exchange), 2, 0, NULL, 0, {NULL, 0}, 0, 0, 0, 0, 0, 0, {NULL, 0}, 0}

// Takes the answer to the request of the last step. Fails with ROBOTRULES_INVALID_ARGUMENT if there is a result
// already, or a value of `exchange` is not one that its comment names.
ROBOTRULES_EXPORT robotrules_status robotrules_robots_fetch_answer(robotrules_robots_fetch* fetch,
                                                                   const robotrules_exchange* exchange,
                                                                   int64_t now) ROBOTRULES_NOEXCEPT;

// --- database: the rules of many sites for one robot ----------------------------------------------------------------

typedef struct robotrules_database robotrules_database;

// Opens the rules in a store; NULL: in memory. `agent` is the robot's name or its whole User-Agent header; empty: the
// robot of the store ("no-agent" if it has none). If the store belongs to another robot, the call fails with
// "other-agent", or clears the store if `clear_other` is not 0. Only this call clears it, also if it then fails with
// ROBOTRULES_OUT_OF_MEMORY; it deletes the data of all processes that share the store.
ROBOTRULES_EXPORT robotrules_status robotrules_database_open(robotrules_store* store, const char* agent,
                                                             size_t agent_size, const char* dialect,
                                                             size_t dialect_size, int32_t clear_other,
                                                             robotrules_database** database,
                                                             robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_database_free(robotrules_database* database) ROBOTRULES_NOEXCEPT;

// Keeps the robots.txt that was fetched from `robots_url`. It is used for `fresh_seconds`, at most 100 years; RFC 9309
// permits 86,400 seconds.
ROBOTRULES_EXPORT robotrules_status robotrules_database_keep(robotrules_database* database, const char* robots_url,
                                                             size_t robots_url_size, const char* robots,
                                                             size_t robots_size, int64_t fresh_seconds,
                                                             robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Keeps the outcome of a fetch that gave no file, for `fresh_seconds`. `http_status` 0: there was no answer. The policy
// then decides about the URLs of the site. If the site is unreachable, the last good copy stays and may still apply.
ROBOTRULES_EXPORT robotrules_status robotrules_database_keep_outcome(robotrules_database* database,
                                                                     const char* robots_url, size_t robots_url_size,
                                                                     int32_t outcome, int32_t http_status,
                                                                     int64_t fresh_seconds,
                                                                     robotrules_error** error) ROBOTRULES_NOEXCEPT;

// Begins a fetch with the record of the site and the policy of the store, and keeps the result of a fetch. `now` is the
// time of the store.
ROBOTRULES_EXPORT robotrules_status robotrules_database_fetch(const robotrules_database* database,
                                                              const char* robots_url, size_t robots_url_size,
                                                              robotrules_robots_fetch** fetch,
                                                              robotrules_error** error) ROBOTRULES_NOEXCEPT;
// If a redirect led to the robots.txt of another site, the file is kept for that site too. A failure is not kept if
// another process has fetched the file since the fetch began. Fails with ROBOTRULES_INVALID_ARGUMENT if the fetch has
// no result yet, or did not begin with the robots.txt of a site.
ROBOTRULES_EXPORT robotrules_status robotrules_database_keep_fetch(robotrules_database* database,
                                                                   const robotrules_robots_fetch* fetch,
                                                                   robotrules_error** error) ROBOTRULES_NOEXCEPT;

// Set and give the name of the policy in the store, which says what an outcome without a file means: "rfc9309" (unless
// another one was set), "strict", "robotstxt-rb" or "lwp-fixed". All processes that share the store have it. The first
// function fails with ROBOTRULES_INVALID_ARGUMENT for other names.
ROBOTRULES_EXPORT robotrules_status robotrules_database_set_policy(robotrules_database* database, const char* name,
                                                                   size_t name_size,
                                                                   robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_database_policy(const robotrules_database* database,
                                                               robotrules_text** name,
                                                               robotrules_error** error) ROBOTRULES_NOEXCEPT;

// Gives the stable code of a state. Always valid; empty for other values.
ROBOTRULES_EXPORT void robotrules_state_name(int32_t state, robotrules_str* name) ROBOTRULES_NOEXCEPT;

// Gives whether `url`, an absolute URL, may be fetched, and the state of its site, which may be NULL. Fails with
// ROBOTRULES_INVALID_URL if it is not absolute, and with the errors of the store if that cannot be read. URLs with
// another scheme than http and https are allowed.
ROBOTRULES_EXPORT robotrules_status robotrules_database_check(const robotrules_database* database, const char* url,
                                                              size_t url_size, int32_t* access, int32_t* state,
                                                              robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Returns the access alone. ROBOTRULES_ACCESS_UNKNOWN: there is no fresh robots.txt of the site, or the check failed.
ROBOTRULES_EXPORT int32_t robotrules_database_allowed(const robotrules_database* database, const char* url,
                                                      size_t url_size) ROBOTRULES_NOEXCEPT;
// Gives the rules that decide about `url`. NULL with ROBOTRULES_OK: the state of the site is neither "rules" nor
// "stale". Fails as robotrules_database_check() does.
ROBOTRULES_EXPORT robotrules_status robotrules_database_rules(const robotrules_database* database, const char* url,
                                                              size_t url_size, robotrules_rules** rules,
                                                              robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Count a visit of a site (a URL, a host or "host:port") now, and give the number of its visits and the time of the
// last one (ROBOTRULES_NO_TIME: never).
ROBOTRULES_EXPORT robotrules_status robotrules_database_visit(robotrules_database* database, const char* site,
                                                              size_t site_size,
                                                              robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_database_visits(const robotrules_database* database, const char* site,
                                                               size_t site_size, uint64_t* count, int64_t* last,
                                                               robotrules_error** error) ROBOTRULES_NOEXCEPT;

// Add own rules of the program for a site, and delete them. A pattern such as "/private" closes what it matches, beside
// the site's robots.txt, which does not change it. The store keeps them; another process reads them when it opens its
// database (robotrules/robot_rules.hpp, push_rules()). Fail with "invalid-url", "invalid-rule" and "rules-busy", and
// with the errors of the store.
ROBOTRULES_EXPORT robotrules_status robotrules_database_push_rules(robotrules_database* database, const char* site,
                                                                   size_t site_size, const robotrules_str* patterns,
                                                                   size_t pattern_count,
                                                                   robotrules_error** error) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_database_clear_own_rules(robotrules_database* database, const char* site,
                                                                        size_t site_size,
                                                                        robotrules_error** error) ROBOTRULES_NOEXCEPT;

#endif  // ROBOTRULES_NO_STORE

#ifndef ROBOTRULES_NO_AGENT

// --- agent: a robot that fetches pages politely ---------------------------------------------------------------------

// Options of an agent. One thread at a time may use them.
typedef struct robotrules_agent_options robotrules_agent_options;
enum {  // options with a text
  ROBOTRULES_OPTION_PRODUCT_TOKEN =
      1,  // the robot's name in robots.txt files, if it is not the one in the User-Agent header
  ROBOTRULES_OPTION_ALLOW_ADDRESS = 2,  // a network that would be refused, "127.0.0.0/8"; may be set several times
  ROBOTRULES_OPTION_CA_FILE = 3,        // certificate authorities, a PEM file
  ROBOTRULES_OPTION_HTTP_PROXY = 4,     // "http://proxy:3128"
  ROBOTRULES_OPTION_HTTPS_PROXY = 5,
  // What an answer without a robots.txt means: "rfc9309", "strict", "robotstxt-rb", "lwp-fixed". A store that has a
  // policy keeps it; then only this agent uses another one.
  ROBOTRULES_OPTION_POLICY = 6
};
enum {                                // options with a number
  ROBOTRULES_OPTION_DELAY = 101,      // milliseconds between requests to a site; 60,000 unless set
  ROBOTRULES_OPTION_USE_SLEEP = 102,  // 0: a request that would have to wait ends at once with "too-early"
  // Seconds. A request that would have to wait for longer ends at once with "parked". 3,600 unless set, or the delay if
  // that is longer.
  ROBOTRULES_OPTION_MAX_WAIT = 103,
  ROBOTRULES_OPTION_MAX_BODY = 104,          // bytes of a decoded body; a longer one is cut
  ROBOTRULES_OPTION_MAX_TIME = 105,          // milliseconds of a request, without waiting for its turn
  ROBOTRULES_OPTION_MAX_REDIRECT = 106,      // redirects of a request
  ROBOTRULES_OPTION_MAX_IN_FLIGHT = 107,     // exchanges at the same time
  ROBOTRULES_OPTION_OBEY_CRAWL_DELAY = 108,  // 0: ignore Crawl-delay
  ROBOTRULES_OPTION_CONNECT_TIMEOUT = 109    // milliseconds
};
ROBOTRULES_EXPORT robotrules_status robotrules_agent_options_new(robotrules_agent_options** options)
    ROBOTRULES_NOEXCEPT;
// Set an option. Fail with ROBOTRULES_INVALID_ARGUMENT if there is no such option, and for a number out of its range,
// an address or policy that does not exist, or a text with a NUL. Files and proxies are looked at when a request needs
// them.
ROBOTRULES_EXPORT robotrules_status robotrules_agent_options_set_text(robotrules_agent_options* options, int32_t option,
                                                                      const char* value,
                                                                      size_t value_size) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_agent_options_set_number(robotrules_agent_options* options,
                                                                        int32_t option,
                                                                        int64_t value) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_agent_options_free(robotrules_agent_options* options) ROBOTRULES_NOEXCEPT;

typedef struct robotrules_agent robotrules_agent;

// Makes a robot. `agent` is its User-Agent header, "FooBot/1.0", and `from` the e-mail address of its operator. It
// keeps its rules in `database`, or in memory if that is NULL. `options` may be NULL. Fails with "invalid-agent",
// "invalid-contact", "no-resources" if the system gives no thread or no file descriptor, "other-agent" if the database
// belongs to another robot, and the errors of the store. The store may have got the policy of the options even if the
// call fails.
ROBOTRULES_EXPORT robotrules_status robotrules_agent_open(const char* agent, size_t agent_size, const char* from,
                                                          size_t from_size, robotrules_database* database,
                                                          const robotrules_agent_options* options,
                                                          robotrules_agent** handle,
                                                          robotrules_error** error) ROBOTRULES_NOEXCEPT;
// Ends all requests of the agent: their callbacks are called before it returns. From a callback of the agent, it
// returns before the callbacks of the other requests are called.
ROBOTRULES_EXPORT void robotrules_agent_free(robotrules_agent* agent) ROBOTRULES_NOEXCEPT;

typedef struct robotrules_response robotrules_response;
typedef struct robotrules_header {
  robotrules_str name;
  robotrules_str value;
} robotrules_header;
typedef struct robotrules_response_facts {
  int32_t status;      // HTTP status
  int32_t synthetic;   // 1: the agent made the response, because there is none of a server
  int32_t truncated;   // 1: the body was cut
  int32_t access;      // what robots.txt says about the URL
  uint64_t body_size;  // bytes of the decoded body, also if on_body() got it
  int64_t received_at;
  int64_t try_again_at;  // ROBOTRULES_NO_TIME: not known
  size_t header_count;
  robotrules_str source;   // stable code of its origin: "server", "robots-denied", "timeout" ...
  robotrules_str message;  // the reason phrase
  robotrules_str warning;  // a sentence: why it is synthetic or cut; else empty
  robotrules_str url;
  robotrules_str body;  // decoded; empty if on_body() got it
} robotrules_response_facts;
ROBOTRULES_EXPORT robotrules_status robotrules_response_get_facts(const robotrules_response* response,
                                                                  robotrules_response_facts* facts) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT robotrules_status robotrules_response_header(const robotrules_response* response, size_t index,
                                                               robotrules_header* header) ROBOTRULES_NOEXCEPT;
// Gives the reason for `access`. Its texts are valid until the response is freed.
ROBOTRULES_EXPORT robotrules_status robotrules_response_verdict(const robotrules_response* response,
                                                                robotrules_verdict* verdict) ROBOTRULES_NOEXCEPT;
// Gives the redirect or challenge before this response. NULL with ROBOTRULES_OK: there is none.
ROBOTRULES_EXPORT robotrules_status robotrules_response_previous(const robotrules_response* response,
                                                                 robotrules_response** previous) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_response_free(robotrules_response* response) ROBOTRULES_NOEXCEPT;

// Fetches a page and waits for it: for robots.txt, for the turn of the site, and for the response. A request that fails
// gives a synthetic response too. From a callback, it does not wait: the response is then "invalid-request".
ROBOTRULES_EXPORT robotrules_status robotrules_agent_get(robotrules_agent* agent, const char* url, size_t url_size,
                                                         robotrules_response** response) ROBOTRULES_NOEXCEPT;

// A request. ROBOTRULES_CALL_INIT and then `url`: GET, without a body of its own.
typedef struct robotrules_call {
  size_t size;  // sizeof(robotrules_call)
  robotrules_str method;
  robotrules_str url;
  const robotrules_header* headers;  // sent in addition to the agent's own
  size_t header_count;
  robotrules_str body;
  uint64_t max_size;  // max. bytes of the decoded body; 0: ROBOTRULES_OPTION_MAX_BODY
} robotrules_call;
#define ROBOTRULES_CALL_INIT {sizeof(robotrules_call), {NULL, 0}, {NULL, 0}, NULL, 0, {NULL, 0}, 0}

// The functions that a request calls, each with `user`; begin with ROBOTRULES_CALLBACKS_INIT. They are called on the
// agent's thread, so they must be quick: they may start, cancel and free requests and responses and call all functions
// of the core. Calls of a store or a database take as long as the store takes. No exception may leave them.
typedef struct robotrules_callbacks {
  size_t size;  // sizeof(robotrules_callbacks)
  void* user;
  // Gets each piece of the decoded body of a success; the text is valid during the call. It returns 0 to end the
  // request. NULL: the body is in the response.
  int32_t (*on_body)(void* user, const char* bytes, size_t size);
  // Called once, at the end; also after a cancel. The response is owned by the function, which must free it, then or
  // later. NULL: out of memory.
  void (*on_done)(void* user, robotrules_response* response);
} robotrules_callbacks;
#define ROBOTRULES_CALLBACKS_INIT {sizeof(robotrules_callbacks), NULL, NULL, NULL}

// A request under way. Freeing it does not end the request. Any thread may cancel it; after on_done(), this does
// nothing.
typedef struct robotrules_request robotrules_request;

// Starts a request and returns at once. on_done() may be called before it returns. `request` may be NULL; else it is
// set before the first callback is called and never after that, so a callback may use it and may free its memory. On
// failure, no callback is called.
ROBOTRULES_EXPORT robotrules_status robotrules_agent_start(robotrules_agent* agent, const robotrules_call* call,
                                                           const robotrules_callbacks* callbacks,
                                                           robotrules_request** request) ROBOTRULES_NOEXCEPT;
// Ends the request: on_done() gets a response whose source is "cancelled". Fails with ROBOTRULES_OUT_OF_MEMORY.
ROBOTRULES_EXPORT robotrules_status robotrules_request_cancel(const robotrules_request* request) ROBOTRULES_NOEXCEPT;
ROBOTRULES_EXPORT void robotrules_request_free(robotrules_request* request) ROBOTRULES_NOEXCEPT;

#endif  // ROBOTRULES_NO_AGENT

#ifdef __cplusplus
}
#endif

#endif
