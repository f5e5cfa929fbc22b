#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// A book as one JSON object (docs/reference/formats.md), the form of Joseki's export and convert.

// Whether `bytes`, or the beginning of a file, is such a book. It is an object with "positions",
// not preceded by members of a JSON record (JKF).
bool IsJsonBook(std::string_view bytes);

// The game that the book names before its positions; shogi if it names none.
std::string GameOfJsonBook(std::string_view bytes);

// Streams the positions one by one, so that memory does not grow with the book. Keys of a move are
// "move", "ponder", "value", "depth" and, for its count, the sum of "count" and "games", or "n"
// without either. Other keys are ignored. Rejects positions ("bad_json", "no_moves", codes of
// ParseSfen or ParseFen, "no_king"), moves ("bad_json", "malformed_move", "illegal_move",
// "marked_bad"), and the expected reply of a move that is kept ("illegal_ponder"). Fails as a whole
// with "bad_json" if the surrounding object is malformed, and with "unknown_version" for another
// schema or game.
absl::Status ReadJsonBook(std::string_view bytes, std::string_view file, const DbSink& sink);

// Writes such a book piecewise: Head, known once all positions are added; the output of Add for
// each position; Tail. Positions ascend by packed form, each once, with moves in canonical order.
// All are of the first one's game.
class JsonBookWriter {
 public:
  void Add(const DbPosition& position, std::string& out);
  std::string Head() const;
  static std::string Tail();

 private:
  std::string_view game_ = "shogi";
  bool any_ = false;  // a position was added
};

// Writes the canonical form (Canonicalise), one line a position.
std::string WriteJsonBook(std::vector<DbPosition> positions);

}  // namespace joseki::book
