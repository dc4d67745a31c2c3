// All headers of the core: everything to read a robots.txt and to ask it. It needs no store and no network.
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     if (rules.check("https://example.org/page").allowed()) fetch();
//
// Include single headers instead if compile time matters.
#pragma once

#include <robotrules/agent_name.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/dot_segments.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/fix.hpp>
#include <robotrules/origin.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/version.hpp>
