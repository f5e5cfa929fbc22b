#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/position.h"

// Weights from the moves of games, by the method of Bonanza (K. Hoki): the recorded move of each
// position should be searched to a better value than every other legal move. It learns balances
// (engine/shogi/eval/network.h) over the plain evaluation: pieces by kind, on the board and in
// hand, and by their place beside the own king, each side's king in turn.
//
//   J = sum over positions, sum over the other moves m of T(value(m) - value(recorded))
//       + w * sum of A_i * v_i^2
//
// T is a sigmoid of slope 1 / `width`; a move is searched by quiescence after it, and the value's
// derivative is the evaluation's at the leaf that its line ends in. A_i, how much a weight was
// asked for, makes common weights cost more. Each step moves every weight by h towards the lesser
// J: v_i -= h * sign(dJ/dv_i), whole numbers; h is halved when J no longer falls. The sum of the
// kinds' values on the board is held: a step's addition is taken from all kinds alike.
namespace joseki::learn {

struct BonanzaOptions {
  int threads = 1;
  double width = 60;      // points over which T rises
  double penalty = 2e-5;  // w
  int first_step = 16;    // h at first, in 1 / kBalanceUnit points
  int window = 300;       // moves that far from the recorded one teach nothing: T is flat there
  int most_bound = 400;   // points that a weight beside the king may reach
};

// The position before each recorded move.
struct Lesson {
  shogi::Position position;
  Move move;
};

struct BonanzaRound {
  double objective = 0;  // J without its penalty, a position
  double agreement = 0;  // share of positions whose recorded move has the greatest value
  uint64_t positions = 0;
  int step = 0;  // h that was taken after it
};

class BonanzaLearner {
 public:
  explicit BonanzaLearner(const BonanzaOptions& options);
  ~BonanzaLearner();

  // Searches every move of every lesson, then takes a step. The same lessons, options and rounds
  // give the same weights with any number of threads.
  BonanzaRound Round(std::span<const Lesson> lessons);
  // The objective without a step.
  BonanzaRound Measure(std::span<const Lesson> lessons) const;
  // h has been halved to nothing.
  bool done() const;
  int rounds() const;

  shogi::Weights Rounded() const;
  // Everything that the next round depends on.
  std::string Save() const;
  absl::Status Restore(std::string_view bytes, const std::string& name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::learn
