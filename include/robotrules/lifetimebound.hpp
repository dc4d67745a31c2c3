// ROBOTRULES_LIFETIMEBOUND: marks a function whose result looks into its object.
#pragma once

// With clang and MSVC the compiler then warns of a result that outlives the object; elsewhere it is nothing.
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
