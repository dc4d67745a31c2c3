// Objects that stay in memory for the life of the instance. They are made by calls of their own: if the call that makes
// one were left later, it would be freed although the program still knows it.
#include <robotrules/crawlers.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

extern "C" {

void robotrules_js_prepare() {
  static_cast<void>(robotrules::Rules());
  static_cast<void>(robotrules::RobotsTxt());
}

void robotrules_js_prepare_crawlers() { static_cast<void>(robotrules::known_crawlers()); }

}  // extern "C"
