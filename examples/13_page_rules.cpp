// What a page says to the robots that may fetch it: the header X-Robots-Tag and the robots meta elements of its HTML.
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include <robotrules/page.hpp>

int main() {
  using namespace std::chrono_literals;
  const std::string_view html =
      "<html><head><meta name=\"robots\" content=\"max-snippet:50\"><meta name=\"FooBot\" content=\"noarchive\">"
      "</head><body></body></html>";
  const std::vector<std::string_view> headers{"unavailable_after: 25 Jun 2030 15:00:00 GMT", "OtherBot: noindex"};

  for (const char* robot : {"FooBot", "OtherBot"}) {
    const robotrules::PageRules rules =
        robotrules::combine(robotrules::read_x_robots_tag(headers, robot), robotrules::read_robots_meta(html, robot));
    std::cout << robot << ":\n";
    for (const auto& [year, day] : {std::pair{2029, std::chrono::sys_days(2029y / 1 / 1)},
                                    std::pair{2031, std::chrono::sys_days(2031y / 1 / 1)}}) {
      std::cout << "  in " << year << ": " << (rules.index_allowed(day) ? "may" : "may not") << " be indexed\n";
    }
    std::cout << "  archive: " << (rules.noarchive ? "no" : "yes") << '\n';
    if (rules.max_snippet) std::cout << "  snippets: up to " << *rules.max_snippet << " characters\n";
  }
}
