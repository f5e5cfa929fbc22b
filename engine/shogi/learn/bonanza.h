#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/learn/bonanza_sums.h"
#include "engine/shogi/position.h"

// Learns weights from the moves of games by the method of Bonanza (K. Hoki): in each position the
// recorded move should be searched to a better value than every other legal move. The weights are
// balances (engine/shogi/eval/network.h) on top of the plain evaluation. They are for piece types
// on the board and in hand, and for places beside the own king, each side's king in turn.
//
//   J = sum over positions, sum over the other moves m of T(value(m) - value(recorded))
//       + w * sum of A_i * v_i^2
//
// T is a sigmoid of slope 1 / `width`. The value of a move is found by quiescence search after it.
// Its derivative is that of the evaluation at the leaf of the search's line. A_i counts how often a
// weight is used, so common weights have a larger penalty. Each step moves every weight by h
// towards smaller J: v_i -= h * sign(dJ/dv_i), in integers. h is halved when the sum over
// the moves no longer falls. The sum of the piece types' values on the board stays constant: an
// excess is taken evenly from all types.
namespace joseki::learn {

struct BonanzaOptions {
  int threads = 1;
  double width = 60;      // width of the sigmoid, in points
  double penalty = 2e-5;  // w
  int first_step = 16;    // initial h, in 1 / kBalanceUnit points
  // Moves further than this from the recorded one, in points, are ignored: T is flat there.
  int window = 300;
  int most_bound = 400;  // bound of every weight, in points
};

// The position before each recorded move.
struct Lesson {
  shogi::Position position;
  Move move;
};

struct BonanzaMeans {
  double objective = 0;  // J without penalty, for each position
  double agreement = 0;  // share of positions in which the recorded move has the largest value
  uint64_t positions = 0;
};
BonanzaMeans MeansOf(const BonanzaSums& sums);

class BonanzaLearner {
 public:
  explicit BonanzaLearner(const BonanzaOptions& options);
  ~BonanzaLearner();

  // Searches every move of every lesson of the share, with the weights as they are. The sums do not
  // depend on the number of threads.
  BonanzaSums Ask(std::span<const Lesson> lessons, Share share = {}) const;
  // Like Ask, without the gradient.
  BonanzaSums Measure(std::span<const Lesson> lessons, Share share = {}) const;
  // Ends a round: takes a step by the sums over all shares of its lessons. Equal sums in every
  // round give equal weights. Returns h of the step. REQUIRES: the sums are of Ask.
  int Step(const BonanzaSums& sums);
  // True once h has been halved to 0.
  bool done() const;
  int rounds() const;

  shogi::Weights Rounded() const;
  // All state that the next round depends on.
  std::string Save() const;
  absl::Status Restore(std::string_view bytes, const std::string& name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::learn
