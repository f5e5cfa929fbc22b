#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "book/formats/hashed_walk.h"
#include "book/formats/position.h"

namespace joseki::book {

// The book of Gikou (docs/reference/formats.md), read-only: the random numbers whose sums are its
// keys, then records of 32 bytes. Like Apery's it stores no positions and is read by walking.

// True if `bytes` looks like such a book: the zeros of the empty square, then whole records.
bool IsGikou(std::string_view bytes);

// Reads as ReadApery does. The problem of an unreached position ("unreached_position", one for each
// of its records) names the record's byte. Wins and openings are dropped, as our form has no field
// for them.
absl::Status ReadGikou(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink);

}  // namespace joseki::book
