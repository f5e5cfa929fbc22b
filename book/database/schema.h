#pragma once

namespace joseki::book {

inline constexpr int kApplicationId = 0x4a4f5345;  // "JOSE"

// book/database/schema.sql, put in here when the program is built.
extern const char kSchema[];

}  // namespace joseki::book
