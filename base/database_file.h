#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace joseki {

// Book databases, told by their first bytes. What is in them is the business of book/database.

inline constexpr int kApplicationId = 0x4a4f5345;  // "JOSE"
// The header of a database of SQLite.
inline constexpr size_t kDatabaseHeader = 100;

// Whether a file with these first bytes is a database of SQLite.
bool IsSqlite(std::string_view head);
// Whether it is one of Joseki; needs the whole header.
bool IsBookDatabase(std::string_view head);
// Whether there is a book database of Joseki; false where it cannot be read. If this process has it
// open, SQLite's locks on it are gone afterwards (POSIX): then only before the process ends.
bool IsBookDatabaseAt(const std::string& path);

}  // namespace joseki
