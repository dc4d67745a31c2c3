// SQL run on a file behind a store's back.
#pragma once

#include <string>

namespace robotrules::test {

void run_sql(const std::string& path, const std::string& sql);

// Takes away what version 10 of the tables brought.
inline constexpr const char* back_to_version_9 =
    "ALTER TABLE gate DROP COLUMN recovery; ALTER TABLE gate DROP COLUMN failures;"
    "ALTER TABLE gate DROP COLUMN failing_since; ALTER TABLE gate DROP COLUMN failed_at;"
    "PRAGMA user_version = 9;";

// Takes away what versions 9 and 10 brought.
inline constexpr const char* back_to_version_8 =
    "ALTER TABLE gate DROP COLUMN recovery; ALTER TABLE gate DROP COLUMN failures;"
    "ALTER TABLE gate DROP COLUMN failing_since; ALTER TABLE gate DROP COLUMN failed_at;"
    "ALTER TABLE queue DROP COLUMN page_url; PRAGMA user_version = 8;";

// Takes away what versions 8 to 10 brought.
inline constexpr const char* back_to_version_7 =
    "ALTER TABLE gate DROP COLUMN recovery; ALTER TABLE gate DROP COLUMN failures;"
    "ALTER TABLE gate DROP COLUMN failing_since; ALTER TABLE gate DROP COLUMN failed_at;"
    "ALTER TABLE queue DROP COLUMN page_url; ALTER TABLE queue DROP COLUMN digest; ALTER TABLE queue DROP COLUMN "
    "found; PRAGMA user_version = 7;";

// Takes away what versions 6 to 10 brought. Of jobs it leaves the first.
inline constexpr const char* back_to_version_5 =
    "ALTER TABLE gate DROP COLUMN recovery; ALTER TABLE gate DROP COLUMN failures;"
    "ALTER TABLE gate DROP COLUMN failing_since; ALTER TABLE gate DROP COLUMN failed_at;"
    "ALTER TABLE queue DROP COLUMN page_url;"
    "ALTER TABLE queue DROP COLUMN digest; ALTER TABLE queue DROP COLUMN found;"
    "ALTER TABLE queue DROP COLUMN warning; ALTER TABLE queue DROP COLUMN page_at;"
    "ALTER TABLE queue_output DROP COLUMN job; DROP INDEX queue_site_pending;"
    "ALTER TABLE queue_site RENAME TO site_after;"
    "CREATE TABLE queue_site(id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL,"
    " rank INTEGER NOT NULL);"
    "INSERT INTO queue_site SELECT id, origin, pending, rank FROM site_after WHERE job = 1; DROP TABLE site_after;"
    "CREATE INDEX queue_site_pending ON queue_site(rank) WHERE pending > 0;"
    "ALTER TABLE queue_count RENAME TO count_after;"
    "CREATE TABLE queue_count(state INTEGER PRIMARY KEY, urls INTEGER NOT NULL);"
    "INSERT INTO queue_count SELECT state, urls FROM count_after WHERE job = 1 AND state < 5; DROP TABLE count_after;"
    "INSERT OR IGNORE INTO queue_count VALUES(0, 0), (1, 0), (2, 0), (3, 0), (4, 0);"
    "DROP TABLE job; PRAGMA user_version = 5;";

// Then what version 5 did.
inline constexpr const char* back_to_version_4 =
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
