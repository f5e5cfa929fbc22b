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
#include "engine/core/outcome.h"

namespace joseki::book {

// One book move of a position, as a policy sees it.
struct Arm {
  int64_t base_weight = 0;  // what the imported or weighed book says; 0 where it says nothing
  int64_t sum = 0;          // what the rule has added up: the result-driven weight
  Evidence evidence;        // of this run
  uint32_t in_flight = 0;   // games being played through this move now
};

// One stage of a staged rule: a fixed number of games played with frozen weights.
struct Stage {
  int64_t delta = 0;   // what a win adds and a loss takes; 0 where the rule keeps means
  int64_t rand = 0;    // selection noise, uniform in [0, rand]
  uint64_t games = 0;  // counted games (Counts) that the stage needs; never 0
};

// How the next line is chosen and how results move weights. Pure: no clock, no I/O, no state but
// its constants; chance comes from the caller. Thread-safe.
//
// Credits are order-free: what a game adds to an arm is integers that depend on the score and the
// stage alone. Of an arm's evidence, `repeats` is for show: no policy may choose by it.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;

  // The stages of a staged rule; empty for a rule that learns from every game at once.
  virtual std::span<const Stage> stages() const { return {}; }

  // Which arm the next line takes. `stage` is 0-based; one after the last stage is taken for the
  // last. REQUIRES: !arms.empty().
  virtual size_t Choose(std::span<const Arm> arms, int stage, Rng& rng) const = 0;

  // Counts one game in `arm`, played in `stage`. Leaves `repeats` and `in_flight` alone.
  virtual void Credit(Arm& arm, Score score, int stage) const = 0;

  // Whether a draw moves anything; if not, drawn games are counted but a stage replaces them.
  virtual bool LearnsFromDraws() const = 0;

  // What is shown and exported as the weight of an arm, and what Choose maximises but for chance.
  virtual double Weight(const Arm& arm) const = 0;

  // The answer rule: which arm the exported book plays. REQUIRES: !arms.empty().
  virtual size_t Answer(std::span<const Arm> arms) const = 0;
  // The answer rule in words, for output: "largest weight".
  virtual std::string_view answer_rule() const = 0;
};

// Whether a game that ended so counts towards a stage's or a run's number of games: faults never
// do, draws (the ply cap's included) only where the policy learns from them. A game that does not
// count is replaced by a further slot of the same stage.
bool Counts(const Policy& policy, const Ending& ending);

// `options` as --policy-option K=V gives them (docs/tuning.md lists them); unknown names or values
// out of range get InvalidArgument with the name in the problem. Staged rules share "total_games"
// out over their stages where "games" (a stage) is not given: a run of N games passes N there.
absl::StatusOr<std::unique_ptr<const Policy>> MakePolicy(
    std::string_view name, const std::map<std::string, std::string>& options);

// The names that MakePolicy knows, for messages and --help.
std::vector<std::string_view> PolicyNames();

}  // namespace joseki::book
