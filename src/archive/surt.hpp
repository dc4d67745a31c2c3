// The keys of URLs in indexes of archives.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::archive {

// Returns the key of an http or https URL as SURT ("Sort-friendly URI Reordering Transform"), in the form that pywb and
// the Wayback Machine look up: "com,example)/path?a=1&b=2" for "https://www.example.com/path/?b=2&a=1". It is in lower
// case, without "www.", default port, userinfo, session ids and fragment, and its query is sorted.
std::string surt_of(std::string_view url);

}  // namespace robotrules::archive
