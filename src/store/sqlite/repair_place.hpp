// The places of the files of a repair, and the steps by which the repaired file takes the place of the damaged one.
//
// A repair holds the exclusive lock of PATH from its first look to its last step. A kill at any moment leaves one of:
//   1. PATH, and an incomplete PATH.repaired: the next repair deletes PATH.repaired and begins again.
//   2. PATH, and a complete PATH.repaired: the same, because PATH may have changed since.
//   3. No PATH, and a complete PATH.repaired: the damaged file is at PATH.damaged, its -wal and -shm may still have the
//      old names. The next open moves them and gives PATH.repaired the name PATH (finish_repair()).
//   4. PATH is the repaired file, PATH.damaged the damaged one.
// PATH.repaired is complete if its table meta has the row "repair", which the last transaction writes: the suffix under
// which the damaged file is kept. Before step 3 this transaction is checkpointed, and file and folder are synced.
// PATH.mended is a copy of the damaged file that SQLite can read. It exists only during a repair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules::store {

std::string repaired_path(const std::string& path);
std::string mended_path(const std::string& path);

// Returns the files that an interrupted repair of `path` has left: PATH.repaired and PATH.mended with their logs.
std::vector<std::string> leftovers_of(const std::string& path);
void remove_leftovers(const std::string& path) noexcept;

// Returns why an empty file cannot be a store that was never made: a log with bytes, a damaged or a repaired file lies
// beside it. Empty: nothing does.
std::string find_traces_beside(const std::string& path);
bool has_bytes(const std::string& path) noexcept;
// Returns true if the file is empty for SQLite, but has a log. SQLite would delete the log.
bool is_emptied(const std::string& path) noexcept;

// Precondition: the caller has the file at `path` locked, and PATH.repaired is filled and closed. Marks PATH.repaired
// as complete and lets it take the place of `path`. Returns the new path of the damaged file: "PATH.damaged", or else
// the first of "PATH.damaged.2", "PATH.damaged.3" and so on that does not exist.
Result<std::string> put_in_place(const std::string& path);

// Returns true if there is no file `path`, but a complete PATH.repaired. Creates nothing.
Result<bool> is_unfinished(const std::string& path);
// The error "store-damaged" for who may not finish it.
Error unfinished_repair(const std::string& path);
// Finishes such a repair. Returns false if there was none. Fails with "store-busy" if another process does it just now.
Result<bool> finish_repair(const std::string& path);

}  // namespace robotrules::store
