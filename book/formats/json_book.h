#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// A book as one JSON object (docs/reference/formats.md), as Joseki exports and converts it.

// True if `bytes`, or the beginning of a file, are one: an object that has "positions", and not
// what a record in JSON (JKF) has before it.
bool IsJsonBook(std::string_view bytes);

// The game that such a book says it is of, before its positions; shogi where it says none.
std::string GameOfJsonBook(std::string_view bytes);

// Streams the positions, one after the other, so that memory does not grow with the book. Keys of a
// move are "move", "ponder", "value", "depth", and for its count "count" and "games" together, or
// "n" without either; others are skipped. Rejected are a position ("bad_json", "no_moves",
// ParseSfen's or ParseFen's codes, "no_king"), a move ("bad_json", "malformed_move",
// "illegal_move", "marked_bad"), and the expected reply of a move that is kept ("illegal_ponder").
// Fails as a whole with "bad_json" if the object around the positions is malformed, and with
// "unknown_version" if it is of another schema or game.
absl::Status ReadJsonBook(std::string_view bytes, std::string_view file, const DbSink& sink);

// Writes such a book piece by piece: Head, which is known once all is added, what Add appends for
// each position, ascending by packed form, each once, moves in canonical order, and Tail. All
// positions are of the game of the first.
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
