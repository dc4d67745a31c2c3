// All headers of robotrules, but asio.hpp, which needs Boost, and those of the folders: seams/ is for tests, compat/
// for programs that move here. A program links the libraries whose functions it calls, as docs/api.md names them.
#pragma once

#include <robotrules/base.hpp>
#include <robotrules/body.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/core.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/gate.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/page.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/sitemap.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url.hpp>
#include <robotrules/url_queue.hpp>
#include <robotrules/user_agent.hpp>
#include <robotrules/user_agent_options.hpp>
#include <robotrules/version.hpp>
