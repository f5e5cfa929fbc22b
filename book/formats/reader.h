#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// Models of programs that play from a book: of each reader the rule by which it chooses, with its
// default options. Writers fit a position to these rules (book/formats/fit.h), `book explain` shows
// them, and a match plays a book of another program by them.

enum class Reader : uint8_t {
  kYaneuraou,    // YaneuraOu, and what follows its options of BOOK_OPTIONS V1
  kYaneuraouV2,  // with BOOK_OPTIONS V2
  kShogiHome,    // its own book, beside an engine
  kApery,
  kDlshogi,
  kShogiGui,
  kElephantEye,  // of xiangqi
  kBhgui,        // of xiangqi, and the other programs that read .obk
  kJoseki,       // joseki-engine
};

std::string_view Name(Reader reader);
// Readers of a format. The first is its maker: a book of that format is played by its rule.
std::span<const Reader> ReadersOf(BookFormat format);

struct Probe {
  struct Choice {
    Move move;
    double share = 0;    // how often it is played
    std::string option;  // the reader's option that refuses it; empty if none does
    std::string why;     // in words
  };
  std::string option;           // what refuses the whole position; empty if nothing does
  std::string why;              // in words
  std::vector<Choice> choices;  // in the order of the position's moves
};

// The reader's choice, with its default options, if a file of the format has the position with its
// moves in this order.
Probe ProbeBy(Reader reader, BookFormat format, const DbPosition& position);
// Its choice if nothing refuses the position as a whole or its best move: that of a user who has
// set the options that limit plies, depths and values.
Probe ChoiceBy(Reader reader, BookFormat format, const DbPosition& position);

// The option that keeps the reader from playing anything at the position, and the value that it
// needs. nullopt: it plays something (some choice of ProbeBy has a share). For whole books: no
// allocation.
struct Refusal {
  const char* option;
  int64_t needed;
};
std::optional<Refusal> RefusalBy(Reader reader, BookFormat format, const DbPosition& position);

// YaneuraOu's options, with the defaults of V1.
struct YaneuraouOptions {
  int moves = 16;          // BookMoves
  int eval_diff = 30;      // BookEvalDiff; V2: BookEvalBlackDiff, BookEvalWhiteDiff
  int black_limit = 0;     // BookEvalBlackLimit
  int white_limit = -140;  // BookEvalWhiteLimit
  int depth_limit = 16;    // BookDepthLimit; V2: BookDepthBlackLimit, BookDepthWhiteLimit; 0: none
  bool by_count = false;   // ConsiderBookMoveCount; not in V2
  bool v2 = false;         // the names of V2
};

// The first move is that with the largest count, then the best value: its depth decides whether the
// position is used at all, and from its value BookEvalDiff counts. Of what is left, each move is as
// likely as another, or by counts.
Probe ProbeYaneuraou(const DbPosition& position, const YaneuraouOptions& options);

// Apery and dlshogi: the last of the moves with the largest count (Best_Book_Move), or by counts;
// where all are 0 each is as likely as another. Moves whose value is below `min_score` are refused.
Probe ProbeApery(const DbPosition& position, bool best, int min_score);

// ShogiGUI and ElephantEye: by weights; a move without weight is not played.
Probe ProbeByWeights(const DbPosition& position);

}  // namespace joseki::book
