// The user and password that stand in a URL: nothing that is shown has them.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::agent {

// "user:password@", with the "@", of "http://user:password@example.org/"; empty where there is none. `url` may be any
// text, no URL too.
std::string_view userinfo_of(std::string_view url) noexcept;

// `text` without that userinfo, wherever a host has it in front.
std::string without_userinfo(std::string text, std::string_view userinfo);

}  // namespace robotrules::agent
