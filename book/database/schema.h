#pragma once

namespace joseki::book {

// The text of book/database/schema.sql, embedded at build time.
extern const char kSchema[];

}  // namespace joseki::book
