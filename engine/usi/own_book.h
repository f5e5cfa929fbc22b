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

// Settings of the engine's own book, under the names that other engines give them.
struct BookOptions {
  bool use = true;               // Protocol::own_book_option
  std::string file = "no_book";  // Protocol::book_file_option; "no_book": none
  int moves = 1000;              // BookMoves: last ply of the book
  int ignore_percent = 0;     // BookIgnoreRate: probability of ignoring a book position, in percent
  int eval_diff = 30;         // BookEvalDiff: maximum distance below the first move's value
  int black_limit = -99999;   // BookEvalBlackLimit: smallest value of a move of the first side
  int white_limit = -99999;   // BookEvalWhiteLimit
  int depth_limit = 0;        // BookDepthLimit: smallest depth of the first move; 0: none
  bool by_count = false;      // ConsiderBookMoveCount: choose by counts rather than evenly
  bool ignore_ply = true;     // IgnoreBookPly: positions match at any ply
  bool flipped = true;        // FlippedBook: also look up images of the position
  bool avoid_losses = false;  // BookAvoidLosses: not the book move again that a loss came after
  int seed = 1;               // Book_Seed: equal seeds give equal choices
};

bool IsBookOption(const Protocol& protocol, std::string_view name);
// InvalidArgument "bad_option", without any change. REQUIRES: IsBookOption(protocol, name).
absl::Status SetBookOption(const Protocol& protocol, std::string_view name, std::string_view value,
                           BookOptions& options);
// The "option ..." lines, each with its newline.
std::string DeclareBookOptions(const Protocol& protocol);

// The engine's own book as a port: the engine knows no book format. Used by one thread.
class OwnBook {
 public:
  virtual ~OwnBook() = default;

  // Opens the book `file`, or none ("no_book"). On an error, which names the file, no book is open.
  virtual absl::Status Open(const std::string& file) = 0;
  // Information on unusable parts of the open book; empty: none.
  virtual std::string Remark() const { return ""; }
  // The book's reply at `position`, one of the `legal` moves; nullopt if it has none or the options
  // refuse it. `chance` decides between moves. The ponder move need not be legal.
  virtual std::optional<BookReply> Ask(const PackedPosition& position, std::span<const Move> legal,
                                       int ply, const BookOptions& options, uint64_t chance) = 0;
};

}  // namespace joseki::usi
