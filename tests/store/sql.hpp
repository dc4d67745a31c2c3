// SQL run on a file behind a store's back.
#pragma once

#include <string>

namespace robotrules::test {

void run_sql(const std::string& path, const std::string& sql);

}  // namespace robotrules::test
