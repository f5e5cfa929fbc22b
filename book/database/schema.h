#pragma once

namespace joseki::book {

inline constexpr int kApplicationId = 0x4a4f5345;  // "JOSE"

// The text of book/database/schema.sql, embedded at build time.
extern const char kSchema[];

}  // namespace joseki::book
