#include "demo/site/sites.hpp"

#include <algorithm>

#include "support/server/bodies.hpp"

namespace robotrules::demo {
namespace {

using test::reply;
using test::Script;
using test::status;

test::Handler rules(std::string text) { return reply(std::move(text)); }

std::vector<std::string> numbered(std::string_view beginning, unsigned count) {
  std::vector<std::string> targets;
  for (unsigned i = 1; i <= count; ++i) targets.push_back(std::string(beginning) + std::to_string(i));
  return targets;
}

bool begins(std::string_view target, const std::vector<std::string>& with) {
  return std::any_of(with.begin(), with.end(), [&](const std::string& one) { return target.starts_with(one); });
}

test::Reply encoded(test::Coding coding, std::string_view text, std::string type = "text/plain") {
  test::Reply made = reply(test::packed(coding, text), std::move(type));
  made.headers.push_back({"Content-Encoding", std::string(test::name_of(coding))});
  return made;
}

// A page that links to the next of its kind, without end.
test::Answer next_day(const test::SeenRequest& request) {
  return reply("<title>Calendar</title><a href=\"" + request.path() + "/next\">the next day</a>\n", "text/html");
}

// Each leads to the next, without end.
test::Answer next_hop(const test::SeenRequest& request) { return test::redirect(302, request.path() + "x"); }

std::string huge_robots_txt() {
  std::string text = "User-agent: *\nDisallow: /early\n";
  while (text.size() < 600'000) text += "# A line that says nothing, as there are many in files that programs write.\n";
  return text + "Disallow: /late\n";  // beyond what is read
}

std::string sitemap(std::uint16_t port, const std::vector<std::string>& targets) {
  std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (const std::string& target : targets) text += "<url><loc>" + url_at("maps", port, target) + "</loc></url>\n";
  return text + "</urlset>\n";
}

void add_sites_by_rules(std::vector<Site>& all, std::uint16_t port) {
  const std::string no_private = "User-agent: *\nDisallow: /private\n";
  const std::vector<std::string> some = {"/", "/news", "/private/diary"};
  all.push_back({.name = "open", .robots = rules("User-agent: *\nDisallow:\n"), .pages = numbered("/page", 10)});
  all.push_back({.name = "shop",
                 .robots = rules("User-agent: *\nDisallow: /basket\nDisallow: /search\nAllow: /search/help\n"
                                 "Disallow: /*?sort=\n"),
                 .pages = {"/", "/shoes", "/basket", "/search/help", "/search/all", "/shoes?sort=price", "/shoes?page=2"},
                 .forbidden = {"/basket", "/search", "/shoes?sort="},
                 .permitted = {"/search/help"}});
  all.push_back({.name = "closed", .robots = rules("User-agent: *\nDisallow: /\n"), .pages = some, .forbidden = {"/"}});
  all.push_back({.name = "invited",
                 .robots = rules("User-agent: *\nDisallow: /\n\nUser-agent: demobot\nDisallow: /private\n"),
                 .pages = some,
                 .forbidden = {"/private"}});
  all.push_back({.name = "uninvited",
                 .robots = rules("User-agent: *\nDisallow:\n\nUser-agent: DEMOBOT\nDisallow: /\n"),
                 .pages = some,
                 .forbidden = {"/"}});
  all.push_back({.name = "patient",
                 .robots = rules("User-agent: *\nCrawl-delay: 1\n"),
                 .pages = numbered("/page", 4),
                 .delay = milliseconds(1'000)});
  all.push_back({.name = "rated",
                 .robots = rules("User-agent: *\nRequest-rate: 1/1\n"),
                 .pages = numbered("/page", 4),
                 .delay = milliseconds(1'000)});
  all.push_back({.name = "old-lines",
                 .robots = rules("\xEF\xBB\xBFUser-agent: *\rDisallow: /private\r"),
                 .pages = some,
                 .forbidden = {"/private"}});
  all.push_back({.name = "packed",
                 .robots = encoded(test::Coding::gzip, no_private),
                 .pages = some,
                 .forbidden = {"/private"}});
  all.push_back({.name = "huge",
                 .robots = rules(huge_robots_txt()),
                 .pages = {"/", "/early", "/late"},
                 .forbidden = {"/early"}});
  all.push_back({.name = "page-instead",
                 .robots = reply("<html><title>Welcome</title>Nothing here is a rule.</html>", "text/html"),
                 .pages = some});
  // Both are told the rules of a third.
  all.push_back({.name = "moved",
                 .robots = test::redirect(301, url_at("common", port, "/shared.txt")),
                 .pages = some,
                 .forbidden = {"/private"}});
  all.push_back({.name = "common",
                 .robots = rules("User-agent: *\nDisallow: /news\n"),
                 .pages = some,
                 .forbidden = {"/news"},
                 .specials = {{.path = "/shared.txt", .answer = rules(no_private), .is_robots_txt = true}}});
}

void add_sites_without_rules(std::vector<Site>& all) {
  const std::vector<std::string> some = {"/", "/news"};
  all.push_back({.name = "no-file", .robots = status(404), .pages = some});
  all.push_back({.name = "gone", .robots = status(410), .pages = some});
  all.push_back({.name = "secret", .robots = status(403), .pages = some});
  all.push_back({.name = "broken", .robots = status(500), .pages = some, .forbidden = {"/"}});
  all.push_back({.name = "busy-door", .robots = status(429), .pages = some, .forbidden = {"/"}});
  all.push_back({.name = "silent", .robots = Script().read_to_end(), .pages = some, .forbidden = {"/"}});
  all.push_back({.name = "torn",
                 .robots = Script().send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nUser-agent: *\nDisall").cut(),
                 .pages = some,
                 .forbidden = {"/"}});
}

void add_sites_by_pages(std::vector<Site>& all, std::uint16_t port) {
  const test::Handler any = rules("User-agent: *\nDisallow: /calendar/\n");
  const test::Reply page = reply("<title>At last</title>\n", "text/html");
  all.push_back({.name = "winding",
                 .robots = any,
                 .pages = {"/old", "/twice", "/to-open", "/to-closed"},
                 .specials = {{.path = "/old", .answer = test::redirect(301, "/new")},
                              {.path = "/twice", .answer = test::redirect(302, "/once")},
                              {.path = "/once", .answer = test::redirect(307, "/there")},
                              {.path = "/to-open", .answer = test::redirect(302, url_at("open", port, "/arrived"))},
                              {.path = "/to-closed", .answer = test::redirect(302, url_at("closed", port, "/never"))}}});
  all.push_back({.name = "trap",
                 .robots = any,
                 .pages = {"/", "/calendar/2026", "/events"},
                 .forbidden = {"/calendar/"},
                 .specials = {{.path = "/calendar/*", .answer = next_day},
                              {.path = "/events", .answer = test::redirect(302, "/calendar/today")}}});
  all.push_back({.name = "circle",
                 .robots = any,
                 .pages = {"/round", "/chain"},
                 // Seven redirects are followed, wherever they lead.
                 .specials = {{.path = "/round", .answer = test::redirect(302, "/around"), .most = 4},
                              {.path = "/around", .answer = test::redirect(302, "/round"), .most = 4},
                              {.path = "/chain*", .answer = next_hop}}});
  const milliseconds second(1'000);
  const auto refused_once = [&](int code) {
    return test::in_turn({status(code, {{"Retry-After", "1"}}), page});
  };
  all.push_back({.name = "busy",
                 .robots = any,
                 .pages = {"/asked-twice", "/a", "/b"},
                 .specials = {{.path = "/asked-twice", .answer = refused_once(429), .most = 2, .leave_alone = second}}});
  all.push_back({.name = "overloaded",
                 .robots = any,
                 .pages = {"/asked-twice", "/a"},
                 .specials = {{.path = "/asked-twice", .answer = refused_once(503), .most = 2, .leave_alone = second}}});
  const milliseconds slow(700);
  all.push_back({.name = "slow",
                 .robots = any,
                 .pages = numbered("/page", 3),
                 .specials = {{.path = "/page*", .answer = Script().pause(slow).send(page).keep(), .takes = slow}}});
  all.push_back({.name = "failing",
                 .robots = any,
                 .pages = {"/not-there", "/gone", "/error", "/reset", "/hangs"},
                 .specials = {{.path = "/not-there", .answer = status(404)},
                              {.path = "/gone", .answer = status(410)},
                              {.path = "/error", .answer = status(500)},
                              {.path = "/reset", .answer = Script().send("HTTP/1.1 200 OK\r\n").reset(), .most = 2},
                              {.path = "/hangs", .answer = Script().read_to_end(), .most = 2}}});
  const std::string text(20'000, 'x');
  test::Reply chunks = reply(text);
  chunks.chunked = 1'000;
  all.push_back({.name = "codings",
                 .robots = any,
                 .pages = {"/gzip", "/br", "/zstd", "/chunks", "/long"},
                 .specials = {{.path = "/gzip", .answer = encoded(test::Coding::gzip, text)},
                              {.path = "/br", .answer = encoded(test::Coding::brotli, text)},
                              {.path = "/zstd", .answer = encoded(test::Coding::zstd, text)},
                              {.path = "/chunks", .answer = chunks},
                              {.path = "/long", .answer = reply(std::string(3'000'000, 'x'))}}});
  const auto maps = [&](std::string_view name) { return url_at("maps", port, name); };
  const std::string index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<sitemap><loc>" +
                            maps("/one.xml") + "</loc></sitemap>\n<sitemap><loc>" + maps("/two.xml.gz") +
                            "</loc></sitemap>\n</sitemapindex>\n";
  const std::string two = sitemap(port, {"/c", "/d", "/private/e"});
  all.push_back({.name = "maps",
                 .robots = rules("User-agent: *\nDisallow: /private\nSitemap: " + maps("/sitemaps.xml") + "\n"),
                 .pages = {"/a", "/b", "/c", "/d", "/private/e"},
                 .forbidden = {"/private"},
                 .specials = {{.path = "/sitemaps.xml", .answer = reply(index, "application/xml")},
                              {.path = "/one.xml", .answer = reply(sitemap(port, {"/a", "/b", "/c"}), "text/xml")},
                              {.path = "/two.xml.gz",
                               .answer = reply(test::packed(test::Coding::gzip, two), "application/gzip")}},
                 .is_listed = false});
}

}  // namespace

bool Site::forbids(std::string_view target) const {
  return target != "/robots.txt" && begins(target, forbidden) && !begins(target, permitted);
}

const Special* Site::special(std::string_view target) const {
  const auto fits = [target](const Special& one) {
    const std::string_view path = one.path;
    return path.ends_with('*') ? target.starts_with(path.substr(0, path.size() - 1)) : target == path;
  };
  const auto found = std::find_if(specials.begin(), specials.end(), fits);
  return found == specials.end() ? nullptr : &*found;
}

std::vector<Site> sites(std::uint16_t port) {
  std::vector<Site> all;
  add_sites_by_rules(all, port);
  add_sites_without_rules(all);
  add_sites_by_pages(all, port);
  for (int i = 1; i <= 40; ++i) {
    all.push_back({.name = "crowd-" + std::to_string(i),
                   .robots = rules("User-agent: *\nDisallow: /page3\n"),
                   .pages = numbered("/page", 8),
                   .forbidden = {"/page3"}});
  }
  return all;
}

std::string url_at(std::string_view site, std::uint16_t port, std::string_view target) {
  return "http://" + std::string(site) + ".localhost:" + std::to_string(port) + std::string(target);
}

}  // namespace robotrules::demo
