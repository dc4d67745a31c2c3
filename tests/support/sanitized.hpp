// Is this built with a sanitizer whose own memory a test would measure?
#pragma once

namespace robotrules::test {

#ifndef __has_feature  // clang's way of telling; gcc has the macros below
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
#define ROBOTRULES_TEST_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace robotrules::test
