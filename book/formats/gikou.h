#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "book/formats/hashed_walk.h"
#include "book/formats/position.h"

namespace joseki::book {

// The book of Gikou (docs/reference/formats.md), read only: the random numbers that its keys are
// sums of, then records of 32 bytes. Like Apery's it stores no positions and is read by walking.

// True if `bytes` look like such a book: the zeros of the empty square, then whole records.
bool IsGikou(std::string_view bytes);

// Like ReadApery. The problem of a position that is not reached ("unreached_position", one for each
// of its records) names the record's byte. Wins and openings are lost: our form has no place for
// them.
absl::Status ReadGikou(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink);

}  // namespace joseki::book
