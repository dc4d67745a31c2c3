// ROBOTRULES_API: a mark for what the shared libraries export.
//
//     class ROBOTRULES_API Rules { ... };
//     ROBOTRULES_API std::string_view to_string(Why why) noexcept;
//
// The libraries are compiled with hidden visibility, so a declaration without the mark cannot be linked from outside.
// Marked are the functions and classes of the public headers whose code is in a library, and classes with virtual
// functions. Structs of plain data, enums and templates do not need it. Programs never need it.
#pragma once

#if defined(__GNUC__)
#define ROBOTRULES_API __attribute__((visibility("default")))
#else
#define ROBOTRULES_API
#endif
