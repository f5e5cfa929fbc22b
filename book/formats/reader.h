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

// Models of programs that play from a book: for each reader its rule of choice under default
// options. Writers fit positions to these rules (book/formats/fit.h), `book explain` shows them,
// and a match plays another program's book by them.

enum class Reader : uint8_t {
  kYaneuraou,    // YaneuraOu and programs that follow its BOOK_OPTIONS V1
  kYaneuraouV2,  // with BOOK_OPTIONS V2
  kShogiHome,    // its own book, beside an engine
  kApery,
  kDlshogi,
  kShogiGui,
  kElephantEye,  // xiangqi
  kBhgui,        // xiangqi; also stands for the other programs that read .obk
  kJoseki,       // joseki-engine
};

std::string_view Name(Reader reader);
// Readers of a format. The first is its author: matches play a book of the format by its rule.
std::span<const Reader> ReadersOf(BookFormat format);

struct Probe {
  struct Choice {
    Move move;
    double share = 0;    // probability that it is played
    std::string option;  // option of the reader that refuses it; empty: none
    std::string why;     // in words
  };
  std::string option;           // option that refuses the whole position; empty: none
  std::string why;              // in words
  std::vector<Choice> choices;  // in the order of the position's moves
};

// The reader's choice, under its default options, if a file of the format has the position with its
// moves in this order.
Probe ProbeBy(Reader reader, BookFormat format, const DbPosition& position);
// The reader's choice if nothing refuses the position as a whole or its best move. A user gets it
// by relaxing the limits of plies, depths and values.
Probe ChoiceBy(Reader reader, BookFormat format, const DbPosition& position);

// The option that keeps the reader from playing anything at the position, and the value that would
// allow it. Nullopt if it plays something (some choice of ProbeBy has a share). Does not allocate,
// for use on whole books.
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

// YaneuraOu's rule. The first move is that with the largest count, then the best value. Its depth
// decides whether the position is used, and BookEvalDiff is relative to its value. The remaining
// moves are equally likely, or likely by count.
Probe ProbeYaneuraou(const DbPosition& position, const YaneuraouOptions& options);

// Rule of Apery and dlshogi: the last of the moves with the largest count (Best_Book_Move), or by
// counts; equally if all counts are 0. Moves with a value below `min_score` are refused.
Probe ProbeApery(const DbPosition& position, bool best, int min_score);

// Rule of ShogiGUI and ElephantEye: by weight; a move of weight 0 is not played.
Probe ProbeByWeights(const DbPosition& position);

}  // namespace joseki::book
