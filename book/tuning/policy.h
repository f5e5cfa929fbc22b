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

// One book move of a position, as a policy sees it.
struct Arm {
  int64_t base_weight = 0;  // of the run's snapshot: weighed, or how often played; 0: unknown
  int64_t sum = 0;          // what the rule has added up: the result-driven weight
  Evidence evidence;        // of this run
  uint32_t in_flight = 0;   // games being played through this move now
};

// The moves of one position. `values` and what follows are there where the policy has an
// estimator; then each has one an arm.
struct Choices {
  Choices() = default;
  Choices(std::span<const Arm> from) : arms(from) {}     // NOLINT: arms are choices
  Choices(const std::vector<Arm>& from) : arms(from) {}  // NOLINT

  std::span<const Arm> arms;
  std::span<const Value> values;
  std::span<const Prior> priors;
  std::span<const float> shares;  // how often the book's players choose it; they sum to 1
  std::span<const float> log_shares;
  Color mover = Color::kFirst;

  size_t size() const { return arms.size(); }
};

// The place in a run and in its line of a choice.
struct Turn {
  Turn(int at_stage = 0) : stage(at_stage) {}  // NOLINT: the first position of a line

  int stage = 0;         // 0-based; one after the last stage is taken for the last
  bool at_start = true;  // the position that the lines of the run begin at
  uint64_t line = 0;     // a random number, the same for every move of a line
};

// One stage of a staged rule: a fixed number of games played with frozen weights.
struct Stage {
  int64_t delta = 0;   // what a win adds and a loss takes; 0 where the rule keeps means
  int64_t rand = 0;    // selection noise, uniform in [0, rand]
  uint64_t games = 0;  // counted games (Counts) that the stage needs; never 0
};

// A draw's value for each side, in thousandths of a win; the two sum to a win.
struct DrawValue {
  int64_t first = 500;

  int64_t Of(Color side) const { return side == Color::kFirst ? first : 1000 - first; }
  // The points that a move's games brought the side that played it: 1000 for a win.
  int64_t Points(const Evidence& evidence, Color mover) const {
    return 1000 * int64_t{evidence.wins} + Of(mover) * evidence.draws;
  }
  // The mean score. REQUIRES: evidence.games() > 0.
  double Mean(const Evidence& evidence, Color mover) const {
    return 1e-3 * static_cast<double>(Points(evidence, mover)) / evidence.games();
  }
};

// The games of one position, for its side to move. Points are DrawValue's.
struct Tally {
  int64_t games = 0;  // through its book moves
  int64_t points = 0;
  int64_t stopped = 0;  // whose line ended here although there are book moves
  int64_t stopped_points = 0;
  Prior prior;  // of the position itself
};

// Makes values of evidence (book/tuning/values.h keeps them). Pure and thread-safe; made of
// arithmetic that is the same on every machine (book/tuning/exact_math.h).
class Estimator {
 public:
  virtual ~Estimator() = default;

  virtual DrawValue draw_value() const = 0;
  // Probability that the book's players choose each move; sums to 1. Constant for a run.
  virtual void Shares(std::span<const Arm> arms, std::span<const Prior> priors,
                      std::span<float> shares) const = 0;
  // The knowledge of move `i` by itself, if it leads out of the book or to an unknown position; may
  // be unknown. Does not read `values` of `at`.
  virtual Value OfMove(const Choices& at, size_t i) const = 0;
  // Turns the knowledge of each move by itself, or by the position it leads to (`values`, one an
  // arm), into the belief beside the others: known, all of them.
  virtual void Compare(const Choices& at, const Tally& tally, std::span<Value> values) const = 0;
  // The value of a position, by the values of its moves. `at` may be empty.
  virtual Value OfPosition(const Choices& at, const Tally& tally) const = 0;
};

// The rule that chooses lines and moves weights by results. Pure: no clock, no I/O, no state but
// its constants; chance comes from the caller. Thread-safe.
//
// Credits are integers that depend on the arm, the score and the stage. No policy may choose by
// `repeats` of an arm's evidence, which is for show.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;

  // The stages of a staged rule; empty for a rule that learns from every game at once.
  virtual std::span<const Stage> stages() const { return {}; }

  // Null where the arms alone are chosen by. A staged rule has none.
  virtual const Estimator* estimator() const { return nullptr; }

  // True if an arm is the same in any order of its games. If not, it is folded in the order of
  // commit_seq.
  virtual bool order_free() const { return true; }

  // A draw's value; half a win unless the policy sets it.
  virtual DrawValue draw_value() const { return {}; }

  // True if Choose, at this turn, plays for the book. Otherwise it plays as an opponent may,
  // regardless of settled positions.
  virtual bool PlaysForBook(const Choices& /*at*/, const Turn& /*turn*/) const { return true; }

  // The arm that the next line takes. REQUIRES: at.size() > 0.
  virtual size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const = 0;

  // Counts one game in `arm`, played in `stage`. Leaves `repeats` and `in_flight` alone.
  virtual void Credit(Arm& arm, Score score, int stage) const = 0;

  // True if a draw moves anything; if not, drawn games are counted but a stage replaces them.
  virtual bool LearnsFromDraws() const = 0;

  // The weight of an arm that is shown and exported.
  virtual double Weight(const Choices& at, size_t i) const = 0;
  // The score of an arm by itself, for policies without an estimator.
  double Weight(const Arm& arm) const { return Weight(std::span(&arm, 1), 0); }

  // The answer rule: which arm the exported book plays. REQUIRES: at.size() > 0.
  virtual size_t Answer(const Choices& at) const = 0;
  // The answer rule in words, for output: "largest weight".
  virtual std::string_view answer_rule() const = 0;
};

// True if a game with this ending counts towards a stage's or a run's number of games: faults never
// do, draws (the ply cap's included) only if the policy learns from them. A game that does not
// count is replaced by a further slot of the same stage.
bool Counts(const Policy& policy, const Ending& ending);

// `options` as --policy-option K=V gives them (docs/reference/tuning.md lists them); unknown names
// or values out of range get InvalidArgument with the name in the problem. Staged rules share
// "total_games" out over their stages where "games" (a stage) is not given: a run of N games passes
// N there.
absl::StatusOr<std::unique_ptr<const Policy>> MakePolicy(
    std::string_view name, const std::map<std::string, std::string>& options);

// The names that MakePolicy knows, for messages and --help.
std::vector<std::string_view> PolicyNames();

}  // namespace joseki::book
