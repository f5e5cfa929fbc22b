#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// YANEURAOU-DB2016 1.00, the text book of YaneuraOu (docs/reference/formats.md).

// Streams the positions of a book in file order; a position listed twice comes twice. Comments are
// skipped. Rejects positions ("bad_board" and ParseSfen's other codes, "no_moves"), moves
// ("malformed_move", "illegal_move"), the expected reply of a move that is kept ("illegal_ponder"),
// and everything before the first position ("bad_line"). Fails as a whole ("unknown_version") only
// if the first line is the magic of another version; a missing magic is accepted.
absl::Status ReadYaneuraouDb(std::string_view text, std::string_view file, const DbSink& sink);

// The comment after a move's columns, behind '#': readers skip it, ShogiHome displays it. One line;
// empty: none.
using DbComment = std::function<std::string(const PackedPosition& position, Move move)>;

// Writes such a book piecewise: its head, then its positions ascending by key, each once, with
// moves in canonical order. The key is the SFEN without ply plus a blank; it is empty for a
// malformed position. No two positions of a book differ by ply alone, so this is the order of whole
// SFENs.
std::string YaneuraouDbHead();
std::string YaneuraouDbKey(const PackedPosition& packed);
void AppendYaneuraouDb(std::string& text, std::string_view key, const DbPosition& position,
                       const DbComment& comment = nullptr);

// Writes the canonical form (Canonicalise), positions sorted bytewise by their SFEN with ply; LF,
// no blank lines, every column filled.
std::string WriteYaneuraouDb(std::vector<DbPosition> positions, const DbComment& comment = nullptr);

}  // namespace joseki::book
