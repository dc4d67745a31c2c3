// A corpus for those who have none: files of the sizes and habits of real ones, from a fixed seed.
#include <array>
#include <cmath>

#include "corpus.hpp"

namespace robotrules::bench {
namespace {

constexpr std::array agents{"Googlebot", "bingbot",    "Slurp",  "Yandex", "ia_archiver", "AhrefsBot",
                            "GPTBot",    "CCBot",      "msnbot", "MJ",     "Twitterbot",  "Mediapartners-Google",
                            "MyCrawler", "Baiduspider"};
constexpr std::array words{"admin",  "search", "cart",    "user",   "wp-admin", "includes", "api",   "tmp",
                           "images", "print",  "account", "login",  "private",  "archive",  "feed",  "tag",
                           "node",   "report", "compare", "static", "cgi-bin",  "products", "forum", "reviews"};
constexpr std::array tails{"", "/", "/", "/", ".php", ".html", "?q=", "/*.pdf$", "/*?", "*sort="};

std::string path(Random& random) {
  std::string out;
  for (std::size_t depth = 1 + random.below(3); depth > 0; --depth) {
    out += '/';
    out += random.of(words);
    if (random.below(4) == 0) out += std::to_string(random.below(1000));
  }
  return out;
}

std::string rule_value(Random& random) {
  if (random.below(12) == 0) return "/*" + path(random) + "$";
  return path(random) + random.of(tails);
}

// Half of the real files hold less than 551 octets, one in a hundred more than 70,000.
std::size_t wanted_size(Random& random) {
  const double u = static_cast<double>(random.below(1'000'000) + 1) / 1'000'001.0;
  const double v = static_cast<double>(random.below(1'000'000)) / 1'000'000.0;
  const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
  return static_cast<std::size_t>(std::min(400'000.0, 551.0 * std::exp(1.75 * normal)));
}

std::string file_text(Random& random) {
  const std::size_t size = wanted_size(random);
  const char* end = random.below(3) == 0 ? "\r\n" : "\n";
  std::string out = random.below(3) == 0 ? std::string("# robots.txt of this site") + end : std::string();
  bool first = true;
  while (out.size() < size) {
    std::string group;
    group += "User-agent: ";
    group += first ? "*" : random.of(agents);
    group += end;
    first = false;
    if (random.below(5) == 0) group += "Crawl-delay: " + std::to_string(1 + random.below(20)) + end;
    for (std::size_t rules = 1 + random.below(2 + size / 120); rules > 0; --rules) {
      group += random.below(6) == 0 ? "Allow: " : "Disallow: ";
      group += rule_value(random);
      if (random.below(40) == 0) group += "  # for now";
      group += end;
    }
    out += group + end;
  }
  if (random.below(2) == 0) out += std::string("Sitemap: https://site.example/sitemap.xml") + end;
  return out;
}

}  // namespace

Corpus generated_corpus() {
  Random random(20'090'309);
  Corpus corpus;
  corpus.origin = "generated files (set ROBOTRULES_CORPUS and ROBOTRULES_CONFORMANCE for stored ones)";
  for (std::size_t i = 0; i < 2000; ++i) {
    corpus.files.push_back({"site" + std::to_string(i) + ".example", file_text(random), {}});
    for (std::size_t n = 0; n < 12; ++n) {
      std::string url = "https://" + corpus.files.back().host + path(random);
      if (random.below(3) == 0) url += "/index.html";
      if (random.below(4) == 0) url += "?q=cats&sort=price";
      corpus.questions.push_back({i, random.of(agents), std::move(url)});
    }
  }
  return corpus;
}

}  // namespace robotrules::bench
