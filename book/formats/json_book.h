#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// A book as one JSON object (docs/reference/formats.md), as Joseki exports and converts it.

// Whether `bytes`, or the beginning of a file, are one: an object that has "positions", and not
// what a record in JSON (JKF) has before it.
bool IsJsonBook(std::string_view bytes);

// The game that such a book says it is of, before its positions; shogi where it says none.
std::string GameOfJsonBook(std::string_view bytes);

// Streams the positions, one after the other, so that memory does not grow with the book. Read of a
// move are "move", "ponder", "value", "depth", and as its count "count" and "games" together, or
// where it has neither "n"; what else stands there is passed over. Rejected are a position
// ("bad_json", "no_moves", ParseSfen's or ParseFen's codes, "no_king") and a move ("bad_json",
// "malformed_move", "illegal_move", "marked_bad"), and an expected reply of a move that is kept
// ("illegal_ponder"). Fails as a whole, "bad_json", where the object around the positions is none,
// and "unknown_version" where it is of another schema or game.
absl::Status ReadJsonBook(std::string_view bytes, std::string_view file, const DbSink& sink);

// Such a book piece by piece: Head, which is known once all is added, what Add appends for each
// position, ascending by packed form, each once, moves in canonical order, and Tail. All positions
// are of the game of the first.
class JsonBookWriter {
 public:
  void Add(const DbPosition& position, std::string& out);
  std::string Head() const;
  static std::string Tail();

 private:
  std::string_view game_ = "shogi";
  bool any_ = false;  // was added
};

// Writes the canonical form (Canonicalise), one line a position.
std::string WriteJsonBook(std::vector<DbPosition> positions);

}  // namespace joseki::book
