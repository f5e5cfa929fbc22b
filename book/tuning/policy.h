#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/evidence.h"
#include "book/tuning/belief.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// A book move of a position, as a policy sees it.
struct Arm {
  int64_t base_weight = 0;  // from the run's snapshot: weighed, or times played; 0: unknown
  int64_t sum = 0;          // the rule's own sum, such as the result-driven weight
  Evidence evidence;        // of this run only
  uint32_t in_flight = 0;   // open games through this move
};

// The moves of one position. `values` and the fields after it are set if the policy has an
// estimator, with one element for each arm.
struct Choices {
  Choices() = default;
  Choices(std::span<const Arm> from) : arms(from) {}     // NOLINT: arms are choices
  Choices(const std::vector<Arm>& from) : arms(from) {}  // NOLINT

  std::span<const Arm> arms;
  std::span<const Value> values;
  std::span<const Prior> priors;
  std::span<const float> shares;  // choice probabilities of the book's players; they sum to 1
  std::span<const float> log_shares;
  Color mover = Color::kFirst;

  size_t size() const { return arms.size(); }
};

// The context of a choice: its stage in the run and its place in its line.
struct Turn {
  Turn(int at_stage = 0) : stage(at_stage) {}  // NOLINT: the first position of a line

  int stage = 0;         // 0-based; later ones count as the last stage
  bool at_start = true;  // at the position that the run's lines begin at
  uint64_t line = 0;     // a random number, constant within a line
};

// A stage of a staged rule: a fixed number of games played with frozen weights.
struct Stage {
  int64_t delta = 0;   // gain of a win and loss of a loss; 0 if the rule keeps means
  int64_t rand = 0;    // selection noise, uniform in [0, rand]
  uint64_t games = 0;  // number of games that count (Counts) in the stage; never 0
};

// Value of a draw for each side, in thousandths of a win; the two sum to a win.
struct DrawValue {
  int64_t first = 500;

  int64_t Of(Color side) const { return side == Color::kFirst ? first : 1000 - first; }
  // Points that a move's games brought to the side that played it; a win is 1000.
  int64_t Points(const Evidence& evidence, Color mover) const {
    return 1000 * int64_t{evidence.wins} + Of(mover) * evidence.draws;
  }
  // The mean score. REQUIRES: evidence.games() > 0.
  double Mean(const Evidence& evidence, Color mover) const {
    return 1e-3 * static_cast<double>(Points(evidence, mover)) / evidence.games();
  }
};

// Counts of the games of one position, for its side to move. Points are DrawValue's.
struct Tally {
  int64_t games = 0;  // through its book moves
  int64_t points = 0;
  int64_t stopped = 0;  // games whose line ended here although book moves exist
  int64_t stopped_points = 0;
  Prior prior;  // evaluation of the position itself
};

// Computes values from evidence (book/tuning/values.h stores them). Pure and thread-safe; its
// arithmetic is the same on every machine (book/tuning/exact_math.h).
class Estimator {
 public:
  virtual ~Estimator() = default;

  virtual DrawValue draw_value() const = 0;
  // Probability that the book's players choose each move; sums to 1. Constant for a run.
  virtual void Shares(std::span<const Arm> arms, std::span<const Prior> priors,
                      std::span<float> shares) const = 0;
  // Knowledge of move `i` alone, for a move that leads out of the book or to an unknown position;
  // may be unknown. Does not read `values` of `at`.
  virtual Value OfMove(const Choices& at, size_t i) const = 0;
  // Turns the separate knowledge of each move, or of the position that it leads to, into beliefs
  // that take its siblings into account. `values` has one element for each arm; afterwards all are
  // known.
  virtual void Compare(const Choices& at, const Tally& tally, std::span<Value> values) const = 0;
  // The value of a position from the values of its moves. `at` may be empty.
  virtual Value OfPosition(const Choices& at, const Tally& tally) const = 0;
};

// The rule that chooses lines and moves weights by results. Pure and thread-safe: no clock, no I/O,
// no state but its constants; random numbers come from the caller.
//
// Credits are integers that depend on the arm, the score and the stage. No policy may choose by
// Evidence::repeats, which is for display only.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;

  // The stages of a staged rule; empty for a rule that learns after each game.
  virtual std::span<const Stage> stages() const { return {}; }

  // Null if choices depend on the arms alone; always null for a staged rule.
  virtual const Estimator* estimator() const { return nullptr; }

  // True if an arm does not depend on the order of its games. If false, games are credited in the
  // order of commit_seq.
  virtual bool order_free() const { return true; }

  // Value of a draw; half a win unless the policy sets it.
  virtual DrawValue draw_value() const { return {}; }

  // True if Choose, at this turn, plays for the book. Otherwise it plays as an opponent may, and
  // settled positions do not restrict it.
  virtual bool PlaysForBook(const Choices& /*at*/, const Turn& /*turn*/) const { return true; }

  // The arm that the next line takes. REQUIRES: at.size() > 0.
  virtual size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const = 0;

  // Credits one game of `stage` to `arm`. Does not touch `repeats` and `in_flight`.
  virtual void Credit(Arm& arm, Score score, int stage) const = 0;

  // True if draws change an arm's weight. If false, drawn games are counted, but a stage replaces
  // them.
  virtual bool LearnsFromDraws() const = 0;

  // The weight of an arm for display and export.
  virtual double Weight(const Choices& at, size_t i) const = 0;
  // The score of a lone arm, for policies without an estimator.
  double Weight(const Arm& arm) const { return Weight(std::span(&arm, 1), 0); }

  // Index of the arm that the exported book plays. REQUIRES: at.size() > 0.
  virtual size_t Answer(const Choices& at) const = 0;
  // The answer rule in words, for output: "largest weight".
  virtual std::string_view answer_rule() const = 0;
};

// True if a game with this ending counts towards the games of a stage or run. Faults never do;
// draws (the ply cap's included) only if the policy learns from them. A game that does not count is
// replaced by another slot of the same stage.
bool Counts(const Policy& policy, const Ending& ending);

// Makes a policy from `options`, as --policy-option K=V gives them (docs/reference/tuning.md lists
// them). InvalidArgument naming the option if it is unknown or out of range. A staged rule divides
// "total_games" among its stages unless "games" (by stage) is given; a run of N games passes N
// there.
absl::StatusOr<std::unique_ptr<const Policy>> MakePolicy(
    std::string_view name, const std::map<std::string, std::string>& options);

// The names that MakePolicy knows, for messages and --help.
std::vector<std::string_view> PolicyNames();

}  // namespace joseki::book
