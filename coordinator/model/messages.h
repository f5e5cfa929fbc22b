#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "book/evidence.h"
#include "book/play_spec.h"
#include "book/stats/calibration.h"
#include "book/stats/pentanomial.h"
#include "book/stats/series.h"
#include "book/tuning/settling.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

// Inputs and outputs of the coordinator, as plain values with the meaning of proto/joseki/v1; the
// services only translate. The bounds of a run's specification are in spec_fields.h.
namespace joseki::coordinator {

using RunId = uint64_t;
using LeaseId = uint64_t;
using SessionId = uint64_t;

inline constexpr uint32_t kProtocol = 1;  // of proto/joseki/v1/worker.proto

// The settings of play, shared with workers.
using Opponent = book::Opponent;
using BookUse = book::BookUse;
using PlaySpec = book::PlaySpec;

// A run's part of the workers while other runs want them too.
struct Share {
  uint32_t priority = 5;  // slots go to runs of the highest priority that have slots
  uint32_t weight = 100;  // runs of one priority get slots in proportion
  bool operator==(const Share&) const = default;
};

// Properties that a worker must have to get slots of a run.
struct Requirements {
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // per seat
  uint32_t cores = 0;
  bool operator==(const Requirements&) const = default;
};

// Evaluations of a run's book by its workers, for policies that use them.
struct PriorSpec {
  uint64_t nodes = 0;      // of one search; 0: no evaluations
  uint32_t positions = 0;  // at most this many, nearest to the start first; 0: all
  bool wanted() const { return nodes > 0; }
  bool operator==(const PriorSpec&) const = default;
};

// Searches along the lines that the book will be played by (coordinator/runs/line_searches.h).
// Their answers are at positions of the book and beyond it.
struct LineSearchSpec {
  uint64_t nodes = 0;       // of a position's first search, at least twice those of a move
  uint32_t share = 0;       // percentage of all nodes; 0: none, at most 95
  bool fixed_book = false;  // only moves of the book become answers
  // Number of the conversion of scores to expected results (coordinator/runs/run_calibration.h).
  uint32_t calibration = 1;
  bool own_limit = false;  // tuned for opponents with the run's limit alone
  bool wanted() const { return share > 0; }
  bool operator==(const LineSearchSpec&) const = default;
};

// Rules that save games, and that end a run before its budget is spent.
struct StopRules {
  book::Settling settling;  // off: every position gets games to the end
  // The run ends when its remaining gain, by the bounds of `settling`, is no more than this in
  // score; 0: never.
  double least_gain = 0;
  // A staged run ends after a stage that changes the answer at no larger share of its moves; 0:
  // never.
  double least_change = 0;
  bool operator==(const StopRules&) const = default;
};

// A run that tunes nothing: two sides play pairs of games, A being the run's own side and B its
// opponent (book/stats/series.h).
struct MatchSpec {
  uint32_t pairs = 0;  // maximum
  std::optional<book::Sprt> sprt;
  bool operator==(const MatchSpec&) const = default;
};

// A request to extend a run's budget.
struct MoreToPlay {
  uint64_t games = 0;  // this or the next is not 0
  uint64_t seconds = 0;
  bool same_book = false;  // only if the book has not changed since the run froze it
  std::string request_id;  // may be empty
};

// The last extension of a run's budget.
struct Extension {
  uint64_t games = 0;       // requested budget, as in RunSpec; includes a budget not used up yet
  uint64_t seconds = 0;     // likewise
  uint64_t after = 0;       // games that the run had
  uint32_t times = 0;       // number of extensions, this one included
  bool regardless = false;  // no position was left worth a game: StopRules::least_gain is off
  std::string request_id;   // may be empty
  bool operator==(const Extension&) const = default;
};

// Earlier runs whose games and searches along lines are evidence of this run like its own.
struct TakenOver {
  std::vector<RunId> runs;        // ascending
  uint64_t up_to = 0;             // their games up to this commit_seq
  uint64_t games = 0;             // number of games that were evidence when the run began
  uint64_t searches_up_to = 0;    // their searches along lines up to this seq
  uint64_t searches = 0;          // number of searches that were there when the run began
  std::vector<RunId> games_only;  // those of `runs` whose searches are left out, ascending
  bool operator==(const TakenOver&) const = default;

  // Whether the search along a line with this seq is taken over from run `earlier`.
  bool HasSearch(RunId earlier, uint64_t seq) const {
    return seq <= searches_up_to && std::binary_search(runs.begin(), runs.end(), earlier) &&
           !std::binary_search(games_only.begin(), games_only.end(), earlier);
  }
};

struct RunSpec {
  std::string name;
  PlaySpec play = {.nodes = 2000, .jitter_percent = 20};
  std::string policy = "result-driven";
  std::map<std::string, std::string> policy_options;
  uint64_t games = 0;
  uint64_t seconds = 0;
  double deviation = 0.008;
  uint64_t seed = 1;
  uint32_t max_book_plies = 0;
  std::string start = "startpos";
  double verify_percent = 1.5;  // percentage of the accepted games; see verification.h
  Share share;
  Requirements requirements;
  PriorSpec priors;
  LineSearchSpec line_searches;
  StopRules stop;
  std::optional<MatchSpec> match;       // nullopt: the run tunes its book
  bool take_over = false;               // begin with the evidence of earlier runs of this profile
  std::optional<TakenOver> taken_over;  // the result of take_over; unset in a new run
  std::optional<Extension> extension;   // part of `games` and `seconds`; unset in a new run
};

// Kinds of work. Values are those of the wire and the database: never renumber.
enum class SlotKind : uint8_t {
  kGame = 0,
  kEvaluation = 1,  // one search of the position at the end of the line
  kMatch = 2,       // a game of a match
  kReply = 3,       // the opponent's move at the end of a line that it plays by its own searches
  kTrial = 4,       // a game from the end of the line that stops after a number of plies
};
inline constexpr SlotKind kLastSlotKind = SlotKind::kTrial;
// Whether the result is no game of the run, but information on a position.
constexpr bool IsSearch(SlotKind kind) {
  return kind == SlotKind::kEvaluation || kind == SlotKind::kReply || kind == SlotKind::kTrial;
}
// Whether the slot states the limit of its searches.
constexpr bool HasNodes(SlotKind kind) {
  return kind == SlotKind::kEvaluation || kind == SlotKind::kReply;
}

// The kinds of slots that a worker accepts; games are always among them.
class SlotKinds {
 public:
  bool Has(SlotKind kind) const { return (bits_ >> static_cast<int>(kind) & 1) != 0; }
  void Add(SlotKind kind) { bits_ |= uint32_t{1} << static_cast<int>(kind); }

 private:
  uint32_t bits_ = 1;
};

struct Slot {
  uint32_t slot = 0;
  std::string start;
  std::vector<Move> line;
  std::vector<Move> excluded;
  uint64_t seed = 0;
  uint32_t weights_version = 0;   // the weights by which the book answers on re-entry; 0: no
                                  // re-entry
  std::optional<Color> own = {};  // against an opponent: the side of the run's book
  SlotKind kind = SlotKind::kGame;
  uint64_t nodes = 0;  // of each search of an evaluation or a reply
  // The ply of a reply's line, counted from 0, from which the opponent had no book.
  uint32_t searched_from = 0;
  uint32_t plies = 0;  // of a trial: number of plies after the line
  uint32_t pair = 0;   // of a match, with `own`: identifies the game; not sent to workers
  uint32_t attempt = 0;
  bool operator==(const Slot&) const = default;
};

struct Lease {
  LeaseId lease = 0;
  RunId run = 0;
  absl::Duration term;
  std::vector<Slot> slots;
};

struct EngineIdentity {
  std::string id;
  std::string name;
  uint64_t signature = 0;
  std::string weights_sha256;
  std::string build;
  std::string game;  // the game that it plays; empty: any

  bool Plays(std::string_view wanted) const { return game.empty() || game == wanted; }
};

struct JoinInput {
  std::string worker;
  uint32_t protocol = 0;
  uint32_t seats = 0;  // games played at once
  std::vector<EngineIdentity> engines;
  std::string build;
  uint64_t process = 0;   // random number of this process of the worker
  uint64_t instance = 0;  // equal for all processes of the worker
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // per seat; 0: unknown
  uint32_t cores = 0;
  SlotKinds kinds;
};
struct JoinOutput {
  SessionId session = 0;
  std::string epoch;
  absl::Duration beat;
  absl::Duration wait;
  absl::Duration spread;
};

struct AcquireInput {
  SessionId session = 0;
  uint32_t want_slots = 0;
  std::vector<RunId> known_runs = {};
  std::optional<LeaseId> after_lease = {};
};
struct AcquireOutput {
  std::vector<Lease> leases;
  std::map<RunId, PlaySpec> runs;
  absl::Duration retry;
  bool drain = false;
  uint32_t ahead = 0;  // 0: the worker chooses
};

struct SubmittedGame {
  RunId run = 0;
  LeaseId lease = 0;
  uint32_t slot = 0;
  std::vector<Move> moves;
  Ending claim;
  uint64_t nodes = 0;
  uint32_t think_ms = 0;
  std::string fault;
  std::vector<int16_t> scores;             // of the moves after the line, or empty
  uint32_t depth = 0;                      // of an evaluation's search; 0: not reported
  std::array<book::SideUse, 2> used = {};  // effort of A and B in a match
};
// Values are those of the wire.
enum class Verdict : uint8_t {
  kAccepted = 1,
  kDuplicate = 2,
  kStaleAccepted = 3,
  kConflict = 4,
  kRejected = 5,
};
struct GameVerdict {
  LeaseId lease = 0;
  uint32_t slot = 0;
  Verdict verdict = Verdict::kRejected;
  std::string reason;
};
struct SubmitInput {
  AcquireInput work;  // the sender, and what it wants with the reply; want_slots 0: nothing
  std::string epoch;
  std::vector<SubmittedGame> games;
};
struct SubmitOutput {
  std::vector<GameVerdict> verdicts;
  std::optional<AcquireOutput> work = {};  // if slots were wanted; may have no leases
};

struct LeaseProgress {
  LeaseId lease = 0;
  uint32_t plies = 0;
};
struct BeatOutput {
  std::vector<LeaseId> cancelled;
  bool drain = false;
  absl::Duration beat;    // zero: unchanged
  absl::Duration spread;  // zero: unchanged
};
// Cost of a worker's process since its start, including its engines; 0: unknown.
struct WorkerCost {
  uint64_t processor_ms = 0;
  uint64_t search_ms = 0;  // part of processor_ms while engines searched
};
struct SlotRef {
  LeaseId lease = 0;
  uint32_t slot = 0;
  auto operator<=>(const SlotRef&) const = default;
};

// A slot of a line that brought no game; the line or the worker may be at fault.
struct LineFailure {
  LeaseId lease = 0;
  std::string worker;
  bool operator==(const LineFailure&) const = default;
};

// A line that is left out since it failed with several workers. It returns when an operator frees
// it, or some of these workers are no longer trusted.
struct PoisonedLine {
  std::vector<Move> line;
  uint32_t attempts = 0;
  std::string reason;                    // of the last failure
  std::vector<LineFailure> failed = {};  // the attempts; only the newest if there were many
  LeaseId freed = 0;  // failures under leases before this one no longer count; of the empty line
                      // also those of the run's searches
  bool operator==(const PoisonedLine&) const = default;
};

// The state of a run's evaluations.
struct PriorStatus {
  uint32_t version = 0;    // of the run's priors; 0: the run has no evaluations
  uint32_t positions = 0;  // number to be searched
  uint32_t done = 0;       // number with a result
  uint32_t unscored = 0;   // of these, without a score
  uint32_t failed = 0;     // given up after several faults
  uint32_t older = 0;      // with a result of another profile only
  uint32_t open = 0;       // number in search
  uint32_t scale = 0;      // centipawns
  double games = 0;        // worth of an evaluation in games
  bool operator==(const PriorStatus&) const = default;
};

// A line that was drawn repeatedly in a stage whose rule learns nothing from draws. Such a line is
// left out until the next stage.
struct RestingLine {
  std::vector<Move> line;
  uint32_t draws = 0;
};

// Results of the searches along a run's lines.
struct LineSearchStatus {
  uint64_t games = 0;    // their worth in games, paid from the run's budget
  uint64_t answers = 0;  // positions with an answer, of the book and beyond it
  uint64_t trials = 0;
  // The parts of `games` that went into answers, replies and trials so far.
  uint64_t in_answers = 0;
  uint64_t in_replies = 0;
  uint64_t in_trials = 0;
  // Mean result of the last trials for the book's side, 0 to 1; nullopt: too few.
  std::optional<double> expected = {};
  std::string off;  // why no more searches are made; empty: they are
  // Worth of the scores; nullopt: no game tells.
  std::optional<book::CalibrationFit> calibration = {};
  std::string trials_off;  // why no more trials are made; empty: they are
};

struct RunStatus {
  RunId run = 0;
  RunSpec spec;
  std::string state;
  std::string reason;
  uint32_t stage = 1;
  uint32_t stages = 0;
  uint64_t games_done = 0;
  std::optional<LineSearchStatus> line_searches;  // if the run has any
  // The part of the budget that is spent, in games.
  uint64_t games_spent() const { return games_done + (line_searches ? line_searches->games : 0); }
  double games_per_second = 0;
  double eta_seconds = -1;
  uint32_t leases = 0;
  uint32_t slots_in_flight = 0;
  uint64_t faults = 0;     // of games, and of searches along lines
  std::string last_fault;  // since the coordinator's start, in the worker's words
  uint64_t draws = 0;
  uint64_t duplicates = 0;
  uint64_t conflicts = 0;
  uint64_t stale_accepted = 0;
  uint32_t poisoned_lines = 0;
  std::map<Termination, uint64_t> terminations;
  double think_seconds = 0;
  uint64_t resign_checked = 0;
  uint64_t resign_wrong = 0;
  std::vector<PoisonedLine> poisoned;  // of one run only, the first 100
  uint32_t servers = 0;                // connected workers that can serve it
  std::string not_served;              // why the others cannot; of one run only
  std::string verify_off;
  uint64_t copies = 0;
  uint64_t mismatches = 0;
  uint32_t quarantined = 0;
  uint64_t games_excluded = 0;
  PriorStatus priors;
  std::optional<double> gain_left;        // compared with stop.least_gain, if asked for
  std::optional<double> answers_changed;  // of this stage, compared with stop.least_change
  std::vector<RestingLine> resting;       // of one run only, the first 100
  uint32_t resting_lines = 0;
};
// A run after an extension.
struct ExtendedRun {
  std::string state;
  RunSpec spec;  // with the extension
};
struct WorkerResiduals {
  uint64_t games = 0;
  double score = 0;
  double expected = 0;
  double z = 0;
  double p = 1;
  double mean_plies = 0;
  double nodes_per_second = 0;
  uint64_t time_losses = 0;
  uint64_t conflicts = 0;
};
struct WorkerStatus {
  std::string worker;
  SessionId session = 0;
  uint32_t seats = 0;
  uint32_t in_flight = 0;
  uint64_t games = 0;
  uint64_t faults = 0;
  absl::Duration last_seen;
  std::string build;
  std::string state;
  std::string reason;
  uint64_t copies = 0;
  uint64_t mismatches = 0;
  WorkerResiduals residuals;
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;
  uint32_t cores = 0;
  WorkerCost cost;
};
struct ClusterStatus {
  std::string game;  // game of the book
  std::vector<RunStatus> runs;
  std::vector<WorkerStatus> workers;
  std::string epoch;
  absl::Duration uptime;
  double commit_ms = 0;
  uint64_t queued_games = 0;
  std::optional<absl::Time> certificate_end = {};  // of the coordinator's certificate; nullopt: no
                                                   // TLS
};

struct MoveEvidence {
  Move move;
  double weight = 0;
  book::Evidence evidence;
  double score_low = 0;
  double score_high = 1;
  int64_t base_weight = 0;
  uint32_t in_flight = 0;
  bool answer = false;
  std::optional<double> expected;  // if found by searches along lines; then also its weight
  uint32_t trials = 0;             // number of trials through it
  // Words of coordinator/runs/move_origin.h: where the move comes from, and what made it the
  // answer; empty: unknown, no answer.
  std::string origin = {};
  std::string decided_by = {};
};
struct PositionEvidence {
  std::string position;
  std::vector<MoveEvidence> moves;  // best first
  uint64_t commit_seq = 0;
};

}  // namespace joseki::coordinator
