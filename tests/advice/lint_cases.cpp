#include "advice/lint_cases.hpp"

namespace robotrules::test {
namespace {

using namespace std::string_literals;

constexpr Severity error = Severity::error;
constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;

std::string rule_of(std::size_t line_bytes) {
  const std::string name = "Disallow: /";
  return name + std::string(line_bytes - name.size(), 'x') + "\n";
}

// Rules of fourteen bytes with their line end, as the line of group() has.
std::string rules(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string digits = std::to_string(100'000 + i);
    body += "Allow:/" + digits + "\n";
  }
  return body;
}

// A group for everybody with `lines` in it; they begin in line 2.
std::string group(std::string_view lines) { return "User-agent: *\n" + std::string(lines) + "\n"; }

}  // namespace

std::vector<LintCase> lint_cases() {
  return {
      // --- the file ---
      {"empty-file", note, 0, 0, "", "User-agent: *\nDisallow:\n"},
      {"empty-file", note, 0, 0, "# only a remark\n\n", "Sitemap: https://a.example/s.xml\n"},
      {"html-page", error, 1, 1, "<!DOCTYPE html>\n<html><body>no</body></html>\n", "# html is spoken here\n"},
      {"json-file", error, 1, 1, "{\"User-agent\": \"*\"}\n", "User-agent: *\nDisallow: /{a}\n"},
      {"binary-file", error, 1, 1, "\0\0\1\0\1\0\x10\x10\0\0\n\1\0"s, group("Disallow: /a\0b"s)},
      {"no-rules", note, 0, 0, "Sitemap: https://a.example/s.xml\n",
       "User-agent: *\nSitemap: https://a.example/s.xml\n"},
      {"byte-order-mark", warning, 1, 1, "\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"},
      {"byte-order-mark", warning, 1, 1, "\xEF\xBBUser-agent: *\nDisallow: /a\n",
       "User-agent: *\n\xEF\xBB\xBF# line 2\nDisallow: /a\n"},
      {"byte-order-mark", warning, 1, 1, "\xEFUser-agent: *\nDisallow: /a\n", "\xEE\x80\x80\n"},
      {"utf-16-file", error, 1, 1, "\xFF\xFEU\0s\0"s, "User-agent: *\n", "google"},
      {"utf-16-file", error, 1, 1, "\xFE\xFF\0U\0s"s, "\xFEU", "google"},
      {"utf-16-file", error, 1, 1, "U\0s\0e\0r\0-\0"s, "U\0s"s},
      {"mixed-line-ends", note, 2, 12, "User-agent: *\r\nDisallow: /\n", "User-agent: *\r\nDisallow: /"},
      {"mixed-line-ends", note, 2, 1, "#a\n\r#b\n", "#a\r\r#b\r"},
      {"mixed-line-ends", note, 3, 1, "#a\r\n#b\r\n\r\r\n", "#a\r\n\r\n#b\r\n"},
      {"file-over-limit", error, 36571, 1, group(rules(36'600)), group(rules(36'000))},
      {"file-over-limit", error, 36572, 7, group(rules(36'600)), group(rules(36'000)), "google"},
      {"long-line", note, 2, 2084, group(rule_of(2084)), group(rule_of(2083))},
      {"over-long-line", warning, 2, 16664, group(rule_of(16'664)), group(rule_of(16'663))},
      {"invalid-utf8", warning, 2, 15, group("Disallow: /caf\xE9/"), group("Disallow: /caf\xC3\xA9/")},
      {"invalid-utf8", warning, 1, 3, "# \xC0\x80 overlong\n", "# \xF4\x8F\xBF\xBF the last character\n"},
      {"invalid-utf8", warning, 1, 3, "# \xED\xA0\x80 surrogate\n", "# \xED\x9F\xBF\n"},
      {"nul-octet", warning, 2, 13, group("Disallow: /a\0b"s), group("Disallow: /a%00b")},
      {"control-octet", warning, 2, 13, group("Disallow: /a\x08"), group("Disallow:\t/a")},
      {"control-octet", warning, 2, 13, group("Disallow: /a\x7F"), group("Disallow: /a~")},
      {"invisible-character", error, 2, 11, group("Disallow: \xC2\xA0/a"), group("Disallow: /a # \xC2\xA0")},
      {"invisible-character", error, 2, 4,
       group("Dis\xE2\x80\x8B"
             "allow: /a"),
       "\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n"},
      {"invisible-character", error, 2, 13, group("Disallow: /a\xEF\xBB\xBF"),
       group("Disallow: /\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE")},
      // --- spelling ---
      {"misspelt-directive", warning, 2, 1, group("Disalow: /a"), group("DISALLOW: /a")},
      {"misspelt-directive", warning, 1, 2, " Useragent: *\nDisallow: /a\n", " uSER-aGENT: *\nDisallow: /a\n"},
      {"ignored-misspelling", error, 2, 1, group("Alow: /a"), group("Allow: /a")},
      {"ignored-misspelling", error, 2, 3, group("  Allowed: /a"), group("  Follow: /a")},
      {"ignored-misspelling", error, 1, 1, "User_agent: *\nDisallow: /a\n", "Agent: *\n"},
      {"ignored-misspelling", error, 2, 1, group("Disalow: /a"), group("Disallow: /a"), "original-1994"},
      {"missing-colon", warning, 2, 9, group("Disallow /a"), group("Disallow : /a")},
      {"missing-colon", warning, 2, 11, group("  Disallow\t/a"), group("Disallow /a b")},
      {"malformed-line", error, 2, 1, group("Disallow /a b"), group("Disallow /a")},
      {"malformed-line", warning, 1, 3, "  rules for all\nUser-agent: *\nDisallow: /a\n",
       "# rules for all\nUser-agent: *\nDisallow: /a\n"},
      {"malformed-line", error, 2, 1, group(": /a"), group("Disallow: :")},
      {"unknown-directive", warning, 2, 1, group("Block: /a\nDisallow: /b"), group("Crawl-delay: 1\nDisallow: /b")},
      {"unknown-directive", warning, 1, 1, "https://a.example/sitemap.xml\n",
       "Sitemap: https://a.example/sitemap.xml\n"},
      {"unknown-directive", warning, 3, 1, group("Disallow: /b\nNoindex: /a"), group("Disallow: /b\nCrawl-delay: 1")},
      {"nonstandard-directive", note, 1, 1, "Host: a.example\nHost: a.example\n", "Content-Signal: search=yes\n"},
      {"joined-lines", error, 1, 15, "User-agent: * Disallow: /a\n", "User-agent: *\n# Disallow: /a\n"},
      {"joined-lines", error, 2, 14, group("Disallow: /a allow : /b"), group("Disallow: /a:allow:/b")},
      {"joined-lines", error, 2, 12, group("For robots Disallow: /a"), group("Sitemap: https://host:80/")},
      {"inline-comment-cut", warning, 2, 13, group("Disallow: /a#b"), group("Disallow: /a #b")},
      {"bad-ignore-comment", warning, 2, 37, group("Disallow: /a*  # robotrules: ignore star-at-ends"),
       group("Disallow: /a*  # robotrules: ignore star-at-end")},
      {"bad-ignore-comment", warning, 1, 35, "# robotrules: ignore star-at-end, bare-stars\n",
       "# robotrules: ignore star-at-end, bare-star # a remark\n"},
      {"bad-ignore-comment", warning, 1, 3, "# robotrules: ignore\n", "# robots: ignore\n"},
      {"bad-ignore-comment", warning, 1, 3, "# robotrules: ignore-file # star-at-end\n",
       "# robotrules: ignore-file star-at-end -- a remark\n"},
      {"bad-ignore-comment", warning, 1, 3, "# robotrules:\n", "# robotrules\n"},
      {"bad-ignore-comment", warning, 1, 15, "# robotrules: disable star-at-end\n",
       "## robotrules: ignore star-at-end\n"},
      {"bad-ignore-comment", warning, 1, 15, "# robotrules: ignore-next-line star-at-end\n",
       "# robotrules.example ignores star-at-end\n"},
      {"bad-ignore-comment", warning, 1, 3, "# robotrules ignore star-at-end\n", "# robotrules checks this file\n"},
      {"bad-ignore-comment", warning, 1, 3, "# RobotRules: Ignore star-at-end\n", "# see RobotRules: ignore\n"},
      {"inline-comment-cut", warning, 2, 27, group("Sitemap: https://a.example#b"), group("Crawl-delay: 1#b")},
      // --- groups ---
      {"rule-outside-group", error, 1, 1, "Disallow: /a\nUser-agent: *\nDisallow: /b\n",
       "Sitemap: https://a.example/s\nUser-agent: *\nDisallow: /b\n"},
      {"rule-outside-group", error, 1, 1, "Crawl-delay: 1\n", "Content-Usage: / search=y\n"},
      {"rule-outside-group", error, 3, 1, "User-agent: *\n\nDisallow: /\n", "User-agent: *\n#\nDisallow: /\n",
       "original-1994"},
      {"split-group", warning, 3, 1, "User-agent: *\n\nDisallow: /a\n", "User-agent: *\n#\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\n \nUser-agent: b\nDisallow: /a\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\nSitemap: https://a.example/s\nUser-agent: b\nDisallow: /a\n",
       "Sitemap: https://a.example/s\nUser-agent: a\nUser-agent: b\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\nNoindex: /b\nUser-agent: b\nDisallow: /a\n",
       "User-agent: a\nnot a directive\nUser-agent: b\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /a\n",
       "User-agent: a\nUser-agent: b\nCrawl-delay: 5\nDisallow: /a\n"},
      {"blank-line-in-group", note, 4, 1, group("Disallow: /a\n\nDisallow: /b\n\nDisallow: /c"),
       group("Disallow: /a\n#\nDisallow: /b\n\nSitemap: https://a.example/")},
      {"missing-blank-line", note, 3, 1, "User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\n",
       "User-agent: a\nDisallow: /a\n\n# b\nUser-agent: b\nDisallow: /b\n"},
      {"stranded-rules", warning, 7, 1,
       group("Disallow: /tmp/") + "\nUser-agent: FooBot\nDisallow: /\n\nDisallow: /drafts/\n",
       group("Disallow: /tmp/") + "\nUser-agent: FooBot\nDisallow: /\n\nAllow: /drafts/\n"},
      {"stranded-rules", warning, 9, 1,
       group("Disallow: /tmp/") +
           "\nUser-agent: FooBot\nDisallow: /a\n\nSitemap: https://a.example/s\n\nDisallow: /b\n",
       group("Disallow: /tmp/") + "\nUser-agent: FooBot\nDisallow: /a\n\nDisallow: /b\n"},
      {"repeated-group", warning, 7, 1,
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: A\nDisallow: /c\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: ab\nDisallow: /b\n"},
      {"repeated-agent", note, 2, 1, "User-agent: a\nUser-agent: A\nDisallow: /a\n",
       "User-agent: a\nUser-agent: b\nDisallow: /a\n"},
      {"unmatchable-agent", error, 1, 12, "User-agent:\nDisallow: /\n", "User-agent: *\nDisallow: /\n"},
      {"unmatchable-agent", error, 1, 13, "User-agent: (compatible)\nDisallow: /\n",
       "User-agent: 360Spider\nDisallow: /\n"},
      {"unmatchable-agent", error, 1, 13, "User-agent: *bot\nDisallow: /\n", "User-agent: _-_\nDisallow: /\n"},
      {"agent-outside-grammar", note, 1, 13, "User-agent: MJ12bot\nDisallow: /\n",
       "User-agent: MJ-bot_\nDisallow: /\n"},
      {"agent-outside-grammar", note, 1, 13, "User-agent: 360Spider\nDisallow: /\n", "User-agent: 3 60\nDisallow: /\n"},
      {"near-miss-agent", warning, 1, 13, "User-agent: Gogglebot\nDisallow: /\n",
       "User-agent: googleBot\nDisallow: /\n"},
      {"near-miss-agent", warning, 1, 13, "User-agent: GPT-Bot\nDisallow: /\n", "User-agent: Bongbot\nDisallow: /\n"},
      {"near-miss-agent", warning, 1, 13, "User-agent: ChatGPT\nDisallow: /\n", "User-agent: FooGPT\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: Foo/2.1\nDisallow: /\n", "User-agent: Foo #/2.1\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: Foo Bar\nDisallow: /\n", "User-agent: Foo\t\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: * all\nDisallow: /\n", "User-agent: * #all\nDisallow: /\n"},
      {"group-without-rules", warning, 4, 1, "User-agent: a\nDisallow: /a\n\nUser-agent: b\n",
       "User-agent: b\nCrawl-delay: 5\n"},
      {"empty-rule", warning, 2, 1, group("Disallow:\nDisallow: /a"), group("Disallow:")},
      {"empty-rule", warning, 2, 1, group("Allow:"), group("Allow: /")},
      {"repeated-setting", warning, 3, 1, group("Crawl-delay: 5\nCrawl-delay: 6"),
       "User-agent: a\nCrawl-delay: 5\nDisallow: /b\n\nUser-agent: b\nCrawl-delay: 5\n"},
      {"repeated-setting", warning, 4, 1, "User-agent: a\nCrawl-delay: 5\nDisallow: /b\nCrawl-delay: 5\n",
       "User-agent: a\nCrawl-delay: 5\n\nUser-agent: b\nCrawl-delay: 6\nDisallow: /b\n"},
      // --- paths ---
      {"path-without-slash", error, 2, 11, group("Disallow: a/"), group("Disallow: */a/")},
      {"path-without-slash", error, 2, 8, group("Allow: $"), group("Allow: /$")},
      {"absolute-url-rule", error, 2, 11, group("Disallow: HTTPS://a.example/b"),
       group("Disallow: /https://a.example/b")},
      {"regular-expression", error, 2, 11, group("Disallow: ^/foo"), group("Disallow: /foo^")},
      {"regular-expression", error, 2, 11, group("Disallow: /(a|b)/"), group("Disallow: /a_(b)")},
      {"regular-expression", error, 2, 11, group("Disallow: /[0-9]+/"), group("Disallow: /a[0]=")},
      {"html-entity", warning, 2, 15, group("Disallow: /?a=&amp;b"), group("Disallow: /?a=&b")},
      {"double-slash", warning, 2, 11, group("Disallow: //admin/"), group("Disallow: //")},
      {"double-slash", warning, 2, 13, group("Disallow: /a//b"), group("Disallow: /*?u=http://")},
      {"several-paths", error, 2, 14, group("Disallow: /a /b"), group("Disallow: /a%20/b")},
      {"several-paths", error, 2, 15, group("Disallow: /a, /b"), group("Disallow: /a,/b")},
      {"unescaped-space", warning, 2, 13, group("Disallow: /a b"), group("Disallow: /a \t # b")},
      {"invalid-percent", warning, 2, 12, group("Disallow: /%zz"), group("Disallow: /%20")},
      {"invalid-percent", warning, 2, 15, group("Disallow: /%20%2$"), group("Disallow: /%20%2")},
      {"invalid-percent", warning, 2, 12, group("Disallow: /%2g*"), group("Disallow: */u%2*w%*")},
      {"encoded-unreserved", warning, 2, 12, group("Disallow: /%7ejoe"), group("Disallow: /%2Fjoe")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/../b"), group("Disallow: /a/..")},
      {"dot-segment", warning, 2, 12, group("Disallow: /.%2E/b"), group("Disallow: /.../b")},
      {"dot-segment", warning, 2, 13, group("Disallow: */./b"), group("Disallow: *./b")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/.$"), group("Disallow: /a/.git/")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/..?b"), group("Disallow: /a?/../b")},
      {"raw-non-ascii", warning, 2, 12, group("Disallow: /\xC3\xBC"), group("Disallow: / # \xC3\xBC")},
      {"dollar-inside", warning, 2, 13, group("Disallow: /a$b"), group("Disallow: /a$")},
      {"dollar-inside", warning, 2, 13, group("Disallow: /a$b$"), group("Disallow: /a%24b$")},
      {"star-at-end", note, 2, 13, group("Disallow: /a*"), group("Disallow: /a*b")},
      {"star-at-end", note, 2, 13, group("Disallow: /a*$"), group("Disallow: /a*b$")},
      {"star-at-end", note, 2, 12, group("Disallow: /*"), group("Disallow: *")},
      {"star-at-end", note, 3, 13, group("Allow: /ab\nDisallow: /a*"), group("Allow: /a\nDisallow: /a*")},
      {"bare-star", warning, 2, 11, group("Disallow: *"), group("Disallow: /*")},
      {"bare-star", warning, 2, 8, group("Allow: **"), group("Allow: *a")},
      {"star-at-end", note, 2, 13, group("Disallow: /a*"), group("Disallow: /(a|b)/.*")},
      {"repeated-star", note, 2, 12, group("Disallow: /**b"), group("Disallow: /*a*b")},
      // --- rules against each other ---
      {"duplicate-rule", note, 3, 1, group("Disallow: /a\nDisallow: /a"), group("Disallow: /a\nDisallow: /A")},
      {"duplicate-rule", note, 3, 1, group("Disallow: /a%2fb\nDisallow: /a%2Fb"),
       group("Disallow: /a%2Fb\nDisallow: /a/b")},
      {"duplicate-rule", note, 3, 1, group("Disallow: /\xC3\xBC\nDisallow: /%c3%bc"),
       group("Disallow: /a$\nDisallow: /a%24")},
      {"duplicate-rule", note, 5, 1, "User-agent: a\nDisallow: /a\n\nUser-agent: a\nDisallow: /a\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /a\n"},
      {"conflicting-rules", warning, 3, 1, group("Disallow: /a\nAllow: /a"), group("Disallow: /a\nAllow: /a/")},
      {"conflicting-rules", warning, 4, 1, group("Allow: /%7Ea\nAllow: /b\nDisallow: /~a"),
       group("Allow: /a\nDisallow: /a$")},
      {"shadowed-rule", warning, 2, 1, group("Disallow: /*?\nAllow: /*?*"), group("Disallow: /*?\nAllow: /*a?")},
      {"shadowed-rule", warning, 2, 1, group("Allow: /grid/\nDisallow: /grid/*"),
       group("Allow: /grid/a\nDisallow: /grid/*")},
      {"shadowed-rule", warning, 3, 1, group("Allow: *a*\nDisallow: /*a"), group("Disallow: *a*\nAllow: /*a")},
      {"shadowed-rule", warning, 3, 1, "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
       "User-agent: *\nAllow: /a/b\nDisallow: /a\n", "draft-1996"},
      {"redundant-rule", note, 3, 1, group("Disallow: /a\nDisallow: /a/b"), group("Disallow: /a/\nDisallow: /ab")},
      {"redundant-rule", note, 3, 1, group("Disallow: /*.pdf\nDisallow: /doc/*.pdf"),
       group("Disallow: /*.pdf$\nDisallow: /doc/*.pdf")},
      {"redundant-rule", note, 2, 1, group("Disallow: /a$\nDisallow: /a"), group("Disallow: /a$\nDisallow: /a/")},
      // --- values ---
      {"bad-crawl-delay", error, 2, 14, group("Crawl-delay: 10s"), group("Crawl-delay: 10 # s")},
      {"bad-crawl-delay", error, 2, 14, group("Crawl-delay: -1"), group("Crawl-delay: .5")},
      {"long-crawl-delay", note, 2, 14, group("Crawl-delay: 300.1"), group("Crawl-delay: 300")},
      {"ignored-crawl-delay", warning, 2, 1, "User-agent: Googlebot\nCrawl-delay: 5\n", group("Crawl-delay: 5")},
      {"bad-request-rate", warning, 2, 15, group("Request-rate: 10"), group("Request-rate: 1/10s 1800-1900")},
      {"bad-visit-time", warning, 2, 13, group("Visit-time: 6-8"), group("Visit-time: 0600-0845")},
      {"bad-clean-param", error, 1, 14, "Clean-param: /a ref\n", "Clean-param: ref&sid /a\n"},
      {"bad-content-signal", error, 2, 29, group("Content-Signal: search=yes, ai-train"),
       group("Content-Signal: search=yes, ai-train=no,")},
      {"bad-content-signal", error, 2, 17, group("Content-Signal: search=maybe"), group("Content-Signal: SEARCH=YES")},
      {"bad-content-signal", error, 2, 16, group("Content-Signal:"), group("Content-Signal: use=full, search=no")},
      {"bad-content-usage", error, 2, 16, group("Content-Usage: / train-ai=n search=y"),
       group("Content-Usage: / train-ai=n, search=y")},
      {"bad-content-usage", error, 2, 18, group("Content-Usage: / train-ai=maybe"),
       group("Content-Usage: / train-ai=n;x=1")},
      {"bad-content-usage", error, 2, 16, group("Content-Usage: / Train-AI=n"),
       group("Content-Usage: /Train-AI train-ai=n")},
      {"bad-content-usage", error, 2, 30, group("Content-Usage: / train-ai=n; search=y"),
       group("Content-Usage: / train-ai=n;why=\"a; b\"")},
      {"mixed-preference-vocabulary", error, 2, 17, group("Content-Signal: train-ai=no"),
       group("Content-Signal: ai-train=no")},
      {"mixed-preference-vocabulary", error, 2, 29, group("Content-Signal: search=yes, ai-train=n"),
       group("Content-Signal: search=yes, ai-train=no")},
      {"mixed-preference-vocabulary", error, 2, 18, group("Content-Usage: / ai-train=n"),
       group("Content-Usage: /ai-train=n train-ai=n")},
      {"mixed-preference-vocabulary", error, 2, 18, group("Content-Usage: / train-ai=no"),
       group("Content-Usage: / train-ai=n")},
      {"unknown-preference", warning, 2, 17, group("Content-Signal: summary=no, search=yes"),
       group("Content-Signal: use=full, search=yes")},
      {"unknown-preference", warning, 2, 30, group("Content-Usage: / train-ai=n, tdm=n"),
       group("Content-Usage: / train-ai=n, ai-use=n")},
      {"bad-sitemap", error, 1, 10, "Sitemap: ftp://a.example/s\n", "Sitemap: http://a.example/s\n"},
      {"bad-sitemap", error, 1, 10, "Sitemap: https://a.example/s t\n", "Sitemap: https://a.example/s%20t\n"},
      {"relative-sitemap", warning, 1, 9, "Sitemap:\n", "Sitemap: https://[::1]/\n"},
      {"bad-sitemap", error, 1, 10, "Sitemap: https://a.example:99999/\n", "Sitemap: https://a.example:443/\n"},
      {"relative-sitemap", warning, 1, 10, "Sitemap: /s.xml\n", "Sitemap: HTTPS://a.example/s.xml\n"},
      {"relative-sitemap", warning, 1, 10, "Sitemap: www.a.example/s.xml\n", "Sitemap: ftp://a.example/s.xml\n"},
      {"duplicate-sitemap", note, 3, 10, "Sitemap: https://a.example/s\n\nSitemap: https://a.example/s\n",
       "Sitemap: https://a.example/s\nSitemap: https://a.example/S\n"},
      // --- consequences ---
      {"site-closed", warning, 2, 1, group("Disallow: /"), group("Disallow: /\nAllow: /$")},
      {"site-closed", warning, 2, 1, group("Disallow: *"), group("Disallow: /") + "\nUser-agent: Bingbot\nDisallow:\n"},
      {"assets-closed", warning, 2, 1, group("Disallow: /wp-content/"),
       group("Disallow: /wp-content/\nAllow: /wp-content/themes/")},
      {"search-closed", warning, 2, 1, group("Disallow: /") + "\nUser-agent: FriendBot\nDisallow:\n",
       group("Disallow: /a")},
      {"search-closed", warning, 5, 1, group("Disallow:") + "\nUser-agent: Googlebot\nDisallow: /\n",
       group("Disallow:") + "\nUser-agent: DuckDuckBot\nDisallow: /\n"},
      {"ai-closed", note, 2, 1, "User-agent: GPTBot\nDisallow: /\n", "User-agent: GPTBot\nDisallow: /a\n"},
      {"dropped-star-rules", warning, 4, 1, group("Disallow: /admin/") + "\nUser-agent: GPTBot\nAllow: /a\n",
       group("Disallow: /admin/") + "\nUser-agent: GPTBot\nDisallow: /admin/\n"},
      {"dropped-star-rules", warning, 4, 1, group("Disallow: /admin/") + "\nUser-agent: Bingbot\nCrawl-delay: 5\n",
       group("Disallow: /\nAllow: /$") + "\nUser-agent: Bingbot\nAllow: /\n"},
      {"assets-closed", warning, 2, 1, group("Disallow: /*.css$"), group("Disallow: /*.css-old")},
      {"assets-closed", warning, 3, 1, group("Disallow: /a\nDisallow: /js/"), group("Disallow: /js/\nAllow: /js/*.js")},
      {"assets-closed", warning, 2, 1, group("Disallow: /static/css/"), group("Disallow: /one.js\nDisallow: /a/b/js/")},
      {"sitemap-closed", warning, 4, 1, group("Disallow: /s") + "\nSitemap: https://a.example/s.xml\n",
       group("Disallow: /s$") + "\nSitemap: https://a.example/s.xml\n"},
      {"more-findings", note, 1001, 1,
       [] {
         std::string s;
         for (int i = 0; i < 1200; ++i) s += "x\n";
         return s;
       }(),
       [] {
         std::string s;
         for (int i = 0; i < 1000; ++i) s += "x\n";
         return s;
       }()},
  };
}

LintOptions known_robots() {
  using enum KnownRobot::Kind;
  LintOptions options;
  options.robots = {{"Googlebot", search}, {"Bingbot", search}, {"DuckDuckBot", search}, {"Applebot", search},
                    {"GPTBot", ai},        {"CCBot", ai},       {"AhrefsBot", other}};
  return options;
}

}  // namespace robotrules::test
