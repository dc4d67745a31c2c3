// The whole core: know a site's robots.txt. Include the single headers where compile time matters.
#pragma once

#include <robotrules/agent_name.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/dot_segments.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/origin.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/version.hpp>
