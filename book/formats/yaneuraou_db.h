#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// YANEURAOU-DB2016 1.00, the text book of YaneuraOu (docs/reference/formats.md).

// Streams the positions of a book, in its order; a position that it gives twice comes twice.
// Comments are skipped. Rejected are a position ("bad_board" and ParseSfen's other codes,
// "no_moves"), a move ("malformed_move", "illegal_move"), the expected reply of a move that is kept
// ("illegal_ponder"), and everything before the first position ("bad_line"). Fails as a whole
// ("unknown_version") only if the first line is the magic of another version; a missing magic is
// accepted.
absl::Status ReadYaneuraouDb(std::string_view text, std::string_view file, const DbSink& sink);

// The comment behind the columns of a move, after '#': readers skip it, ShogiHome shows it. Empty
// for nothing; one line.
using DbComment = std::function<std::string(const PackedPosition& position, Move move)>;

// Writes such a book piece by piece: its head, then its positions ascending by key (the SFEN
// without the ply, and a blank; empty for no position of a game), each once, moves in canonical
// order. No two positions of a book differ by the ply alone, so that this is the order of whole
// SFENs.
std::string YaneuraouDbHead();
std::string YaneuraouDbKey(const PackedPosition& packed);
void AppendYaneuraouDb(std::string& text, std::string_view key, const DbPosition& position,
                       const DbComment& comment = nullptr);

// Writes the canonical form (Canonicalise), positions sorted bytewise by their SFEN with ply; LF,
// no blank lines, every column filled.
std::string WriteYaneuraouDb(std::vector<DbPosition> positions, const DbComment& comment = nullptr);

}  // namespace joseki::book
