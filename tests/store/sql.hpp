// SQL run on a file behind a store's back.
#pragma once

#include <string>

namespace robotrules::test {

void run_sql(const std::string& path, const std::string& sql);

// Takes away what version 6 of the tables brought.
inline constexpr const char* back_to_version_5 = "DELETE FROM queue_count WHERE state = 5; PRAGMA user_version = 5;";

// The same, and what version 5 did.
inline constexpr const char* back_to_version_4 =
    "DELETE FROM queue_count WHERE state = 5;"
    "ALTER TABLE gate DROP COLUMN latency; ALTER TABLE gate RENAME COLUMN armed_at TO next_at;"
    "UPDATE gate SET next_at = next_at + interval; PRAGMA user_version = 4;";

// Then what version 4 did. Of holds it leaves the first of each key.
inline constexpr const char* back_to_version_3 =
    "ALTER TABLE robots DROP COLUMN lease_owner; UPDATE gate SET holds = substr(holds, 2, 48);"
    "PRAGMA user_version = 3;";

// Then what version 3 did.
inline constexpr const char* back_to_version_2 =
    "DROP TABLE queue; DROP TABLE queue_site; DROP TABLE queue_hash; DROP TABLE queue_count; DROP TABLE queue_output;"
    "DELETE FROM meta WHERE name = 'queue_salt'; PRAGMA user_version = 2;";

}  // namespace robotrules::test
