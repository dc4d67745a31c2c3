// ROBOTRULES_LIFETIMEBOUND: a mark for functions whose result points into their object.
//
//     std::string_view text() const noexcept ROBOTRULES_LIFETIMEBOUND;
//     std::string_view lost = robotrules::RobotsTxt::parse(body).text();  // clang and MSVC warn
#pragma once

// Clang and MSVC warn if such a result outlives its object. For other compilers the mark is empty.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define ROBOTRULES_LIFETIMEBOUND [[clang::lifetimebound]]
#elif __has_cpp_attribute(msvc::lifetimebound)
#define ROBOTRULES_LIFETIMEBOUND [[msvc::lifetimebound]]
#endif
#endif
#if !defined(ROBOTRULES_LIFETIMEBOUND)
#define ROBOTRULES_LIFETIMEBOUND
#endif
