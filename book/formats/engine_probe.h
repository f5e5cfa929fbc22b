#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// What engines do with a position of their book, so that a user can be told why a move is not
// played. Modelled on their documented order of looking up (docs/formats.md).

// YaneuraOu's options with its defaults.
struct YaneuraouOptions {
  int moves = 16;          // BookMoves
  int eval_diff = 30;      // BookEvalDiff
  int black_limit = 0;     // BookEvalBlackLimit
  int white_limit = -140;  // BookEvalWhiteLimit
  int depth_limit = 16;    // BookDepthLimit; 0 is none
  bool by_count = false;   // ConsiderBookMoveCount
};

struct Probe {
  struct Choice {
    Move move;
    double share = 0;    // how often it is played
    std::string option;  // the engine's option that refuses it; empty if it is played
    std::string why;     // in words
  };
  std::string option;           // what refuses the whole position; empty if nothing does
  std::string why;              // in words
  std::vector<Choice> choices;  // in the order of the book's moves
};

// The first move is that with the largest count, then the best value: its depth decides whether the
// position is used at all, and from its value BookEvalDiff counts. Of what is left, each move is as
// likely as another, or by counts.
Probe ProbeYaneuraou(const DbPosition& position, Color to_move, const YaneuraouOptions& options);

// dlshogi and Apery: the move with the largest count (Best_Book_Move), or by counts; where all are
// 0 each is as likely as another.
Probe ProbeApery(const DbPosition& position, bool best);

// ShogiGUI: by weights; a move without weight is not played.
Probe ProbeShogiGui(const DbPosition& position);

}  // namespace joseki::book
