#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/core/types.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/protocol.h"

namespace joseki::usi {

// How the engine uses a book of its own: options by the names that other engines give them.
struct BookOptions {
  bool use = true;               // Protocol::own_book_option
  std::string file = "no_book";  // Protocol::book_file_option; "no_book" for none
  int moves = 1000;              // BookMoves: not after so many plies
  int ignore_percent = 0;        // BookIgnoreRate: chance of passing over a book position
  int eval_diff = 30;            // BookEvalDiff: below the first move's value
  int black_limit = -99999;  // BookEvalBlackLimit: moves of the first side with less are refused
  int white_limit = -99999;  // BookEvalWhiteLimit
  int depth_limit = 0;       // BookDepthLimit: of the first move; 0 is none
  bool by_count = false;     // ConsiderBookMoveCount: by counts, not evenly
  bool ignore_ply = true;    // IgnoreBookPly: a position is found at any ply
  bool flipped = true;       // FlippedBook: looks for images of the position too
  int seed = 1;              // Book_Seed: same seed, same choices
};

bool IsBookOption(const Protocol& protocol, std::string_view name);
// InvalidArgument "bad_option"; nothing changes then. REQUIRES: IsBookOption(protocol, name).
absl::Status SetBookOption(const Protocol& protocol, std::string_view name, std::string_view value,
                           BookOptions& options);
// The "option ..." lines, each with its newline.
std::string DeclareBookOptions(const Protocol& protocol);

// A book that the engine plays from, behind a port: the engine knows no format. One thread.
class OwnBook {
 public:
  virtual ~OwnBook() = default;

  // Takes the book `file`, or none ("no_book"). An error that names the file; then there is none.
  virtual absl::Status Open(const std::string& file) = 0;
  // What is to be said of the open book beside: what in it cannot be used. Empty for nothing.
  virtual std::string Remark() const { return ""; }
  // What the book plays at `position`, one of the `legal` moves; nullopt: nothing, or what the
  // options refuse. `chance` decides between moves. The move to ponder on need not be legal.
  virtual std::optional<BookReply> Ask(const PackedPosition& position, std::span<const Move> legal,
                                       int ply, const BookOptions& options, uint64_t chance) = 0;
};

}  // namespace joseki::usi
