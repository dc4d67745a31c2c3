// What the page shows before anything is typed.
export const EXAMPLE = {
  file: `# An example. Paste your own robots.txt over it.
User-agent: *
Disallow: /search
Allow: /search/about
Disallow: /*.pdf$
Disallow: /cart/
Crawl-delay: 5

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Googlebot
Disallow: /drafts/
Dissallow: /old/
Content-Signal: search=yes, ai-train=no

Sitemap: https://example.org/sitemap.xml
`,
  agents: "FooBot\nGooglebot\nGPTBot",
  urls: "https://example.org/search/about\n/files/report.pdf\n/drafts/plan",
  before: `User-agent: *
Disallow: /search
Disallow: /cart/

User-agent: Googlebot
Disallow: /drafts/

Sitemap: https://example.org/sitemap.xml
`,
};
