// A sitemap as it comes from the network, piece by piece: each URL is given to a callback once it is complete, and what
// is wrong is an error with a code.
#include <iostream>
#include <string_view>

#include <robotrules/sitemap.hpp>

namespace {

constexpr std::string_view sitemap = R"(<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://some.example/</loc><lastmod>2025-01-01</lastmod><priority>0.9</priority></url>
  <url><loc>https://some.example/?a=1&amp;b=2</loc><changefreq>daily</changefreq></url>
  <url><loc>https://other.example/</loc></url>
</urlset>
)";

void read(std::string_view bytes) {
  robotrules::SitemapOptions options;
  options.own_host = true;
  robotrules::SitemapReader reader("https://some.example/sitemap.xml", options,
                                   [](const robotrules::SitemapEntry& entry) { std::cout << entry.loc << '\n'; });
  auto done = reader.feed(bytes.substr(0, 200));
  if (done) done = reader.feed(bytes.substr(200));
  if (done) done = reader.finish();
  if (!done) std::cout << "error: " << done.error().code << '\n';
  std::cout << to_string(reader.kind()) << ": " << reader.counts().given << " of " << reader.counts().entries
            << " URLs, " << reader.counts().other_host << " of another host\n";
}

}  // namespace

int main() {
  read(sitemap);
  std::cout << "\ncut short:\n";
  read(sitemap.substr(0, 260));
}
