// The headers of the library core for one robots.txt: read it as rules (rules.hpp) or as a document (robots_txt.hpp),
// in a dialect, and ask it. They need no store and no network. The headers of the library advice are not included: what
// is wrong with a file (diagnose.hpp), and what it does to robots (compare.hpp, crawlers.hpp).
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     if (rules.check("https://example.org/page").allowed()) fetch();
//
// Include single headers instead if compile time matters.
#pragma once

#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/url.hpp>
#include <robotrules/version.hpp>
