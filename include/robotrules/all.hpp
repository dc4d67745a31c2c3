// All headers of robotrules, for programs that try it out, and for small ones.
//
// They are installed together with the library core, and they only declare, with nothing but the standard library. So a
// program may include this header whichever of the libraries it links: if it calls a function of a library that it does
// not link, the linker says so. docs/api.md names the library of each header.
//
// Not included: asio.hpp, because it needs Boost, and seams/, which is for tests and for stores of your own. Include
// single headers instead if compile time matters.
#pragma once

#include <robotrules/agent_name.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/compat/robotstxt.hpp>
#include <robotrules/core.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/dot_segments.hpp>
#include <robotrules/enum_text.hpp>
#include <robotrules/export.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/fetch_robots.hpp>
#include <robotrules/fix.hpp>
#include <robotrules/freshness.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/join_url.hpp>
#include <robotrules/lifetimebound.hpp>
#include <robotrules/message.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/origin.hpp>
#include <robotrules/page.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_state.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/sitemap.hpp>
#include <robotrules/sqlite_store.hpp>
#include <robotrules/store.hpp>
#include <robotrules/time.hpp>
#include <robotrules/url.hpp>
#include <robotrules/url_queue.hpp>
#include <robotrules/user_agent.hpp>
#include <robotrules/version.hpp>
