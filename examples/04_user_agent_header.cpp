// A site that reads its access log: who was there, and should it have been?
#include <iostream>

#include <robotrules/core.hpp>

int main() {
  constexpr const char* body = "User-agent: FooBot\nDisallow: /archive/\n\nUser-agent: *\nDisallow: /admin/\n";
  for (const auto* header : {"Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/bot)", "BarBot/2.1", "R2D2"}) {
    for (const auto name : robotrules::product_tokens(header)) {
      const auto rules = robotrules::Rules::compile(body, name);
      const auto verdict = rules.check("/archive/1999/");
      std::cout << name << ": " << verdict.access() << " (" << verdict.why() << ")\n";
    }
  }
}
