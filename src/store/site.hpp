// What a caller may mean by a site.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <robotrules/origin.hpp>

namespace robotrules::store {

// The origins that `site` means: one of a URL; of "host:port" or a host that of http and that of https. The first is
// where something new is kept. Empty where it means none.
std::vector<Origin> origins_of(std::string_view site);

// The scheme of an absolute URL in lower case; empty where there is none, and for "localhost:8080/x".
std::string scheme_of(std::string_view url);

// "FooBot/1.2 [http://foobot.int]" is called FooBot: the first word, without "/" and what is behind it.
std::string_view short_name(std::string_view agent) noexcept;

}  // namespace robotrules::store
