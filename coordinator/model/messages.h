#pragma once

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
#include "book/stats/pentanomial.h"
#include "book/stats/series.h"
#include "book/tuning/settling.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

// Inputs and outputs of the coordinator, as plain values: the meaning is that of proto/joseki/v1,
// the services only translate. The bounds of a run's specification are in spec_fields.h.
namespace joseki::coordinator {

using RunId = uint64_t;
using LeaseId = uint64_t;
using SessionId = uint64_t;

inline constexpr uint32_t kProtocol = 1;  // of proto/joseki/v1/worker.proto

// How games are played, as worker and coordinator both know it.
using Opponent = book::Opponent;
using BookUse = book::BookUse;
using PlaySpec = book::PlaySpec;

// A run's share of the workers while others want them too.
struct Share {
  uint32_t priority = 5;  // slots go to the runs of the highest that have any
  uint32_t weight = 100;  // runs of one priority get slots in proportion
  bool operator==(const Share&) const = default;
};

// Abilities that a worker must have to be given slots of a run.
struct Requirements {
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // for each seat
  uint32_t cores = 0;
  bool operator==(const Requirements&) const = default;
};

// Evaluations of a run's book by its workers, for policies that use them.
struct PriorSpec {
  uint64_t nodes = 0;      // of one search; 0: none are asked for
  uint32_t positions = 0;  // at most so many, those nearest to the start first; 0: all
  bool wanted() const { return nodes > 0; }
  bool operator==(const PriorSpec&) const = default;
};

// Searches along the lines that the book will be played by (coordinator/runs/line_searches.h),
// which answer positions of the book and beyond it.
struct LineSearchSpec {
  uint64_t nodes = 0;       // of the first search of a position, at least twice those of a move
  uint32_t share = 0;       // of all nodes, in percent; 0: none, at most 95
  bool fixed_book = false;  // only moves of the book become answers
  bool wanted() const { return share > 0; }
  bool operator==(const LineSearchSpec&) const = default;
};

// When games are saved, and when a run ends before its budget is spent.
struct StopRules {
  book::Settling settling;  // off: every position gets games to the end
  // The run ends when nothing that is left to find could raise the book's score by more, by the
  // bounds of `settling`; 0: never for that.
  double least_gain = 0;
  // A staged run ends after a stage of whose moves no larger share would be answered otherwise
  // now; 0: never for that.
  double least_change = 0;
  bool operator==(const StopRules&) const = default;
};

// A run that tunes nothing: two sides play each other in pairs, A being the run's own side and B
// its opponent (book/stats/series.h).
struct MatchSpec {
  uint32_t pairs = 0;  // at most
  std::optional<book::Sprt> sprt;
  bool operator==(const MatchSpec&) const = default;
};

// More that a run is to play, beyond its budget.
struct MoreToPlay {
  uint64_t games = 0;  // this or the next is not 0
  uint64_t seconds = 0;
  bool same_book = false;  // only if the book has not changed since the run froze it
  std::string request_id;  // may be empty
};

// The last extension of a run that was extended.
struct Extension {
  uint64_t games = 0;       // what was asked for, as budgets are; to a budget that was not used up
  uint64_t seconds = 0;     // yet, this was added
  uint64_t after = 0;       // games that the run had
  uint32_t times = 0;       // how often it has been extended, this time included
  bool regardless = false;  // nothing was left worth a game: StopRules::least_gain ends it no more
  std::string request_id;   // may be empty
  bool operator==(const Extension&) const = default;
};

// Earlier runs whose games are evidence of a run as its own are.
struct TakenOver {
  std::vector<RunId> runs;  // ascending
  uint64_t up_to = 0;       // their games up to this commit_seq
  uint64_t games = 0;       // that were evidence when the run began
  bool operator==(const TakenOver&) const = default;
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
  double verify_percent = 1.5;  // of the accepted games; see verification.h
  Share share;
  Requirements requirements;
  PriorSpec priors;
  LineSearchSpec line_searches;
  StopRules stop;
  std::optional<MatchSpec> match;       // nullopt: it tunes its book
  bool take_over = false;               // begin with what earlier runs of the same profile know
  std::optional<TakenOver> taken_over;  // what came of that; not of a new run
  std::optional<Extension> extension;   // games and seconds have it in them; not of a new run
};

// Kinds of work that a slot asks for. Values are those of the wire and the database: never
// renumber.
enum class SlotKind : uint8_t {
  kGame = 0,
  kEvaluation = 1,  // one search of the position at the end of the line
  kMatch = 2,       // a game of a match
  kReply = 3,       // the move at its end of an opponent that played the line by itself
  kTrial = 4,       // a game from the end of the line that stops after some plies
};
inline constexpr SlotKind kLastSlotKind = SlotKind::kTrial;
// Whether what comes back is no game of the run, but says something of a position.
constexpr bool IsSearch(SlotKind kind) {
  return kind == SlotKind::kEvaluation || kind == SlotKind::kReply || kind == SlotKind::kTrial;
}

// Which kinds a worker takes: games always.
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
  uint32_t weights_version = 0;   // by which the book answers on re-entry; 0: no re-entry
  std::optional<Color> own = {};  // against an opponent: the side that the run's book has
  SlotKind kind = SlotKind::kGame;
  uint64_t nodes = 0;  // of an evaluation's search
  // Ply of a reply's line, counted from 0, from which the opponent had no book.
  uint32_t searched_from = 0;
  uint32_t plies = 0;  // of a trial: after the line
  uint32_t pair = 0;   // of a match, with `own`: which game it is; workers are not told
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
  std::string game;  // that it plays; empty: any

  bool Plays(std::string_view wanted) const { return game.empty() || game == wanted; }
};

struct JoinInput {
  std::string worker;
  uint32_t protocol = 0;
  uint32_t seats = 0;  // games that it plays at once
  std::vector<EngineIdentity> engines;
  std::string build;
  uint64_t process = 0;   // drawn at random by each process of the worker
  uint64_t instance = 0;  // equal in every process of the worker
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // for each seat; 0: not told
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
  std::vector<RunId> known_runs;
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
  uint32_t depth = 0;                      // of an evaluation's search; 0: not told
  std::array<book::SideUse, 2> used = {};  // of a match: what A and B did
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
  SessionId session = 0;
  std::string epoch;
  std::vector<SubmittedGame> games;
  uint32_t want_slots = 0;  // 0: none with the reply
  std::vector<RunId> known_runs = {};
  std::optional<LeaseId> after_lease = {};
};
struct SubmitOutput {
  std::vector<GameVerdict> verdicts;
  std::optional<AcquireOutput> work = {};  // where slots were wanted; perhaps without leases
};

struct LeaseProgress {
  LeaseId lease = 0;
  uint32_t plies = 0;
};
struct BeatOutput {
  std::vector<LeaseId> cancelled;
  bool drain = false;
  absl::Duration beat;    // zero: as before
  absl::Duration spread;  // the same
};
// Cost of a worker's process since it began, its engines included; 0: not told.
struct WorkerCost {
  uint64_t processor_ms = 0;
  uint64_t search_ms = 0;  // of that, while engines searched
};
struct SlotRef {
  LeaseId lease = 0;
  uint32_t slot = 0;
  auto operator<=>(const SlotRef&) const = default;
};

// A slot of a line that brought no game, perhaps by fault of the line, perhaps of the worker.
struct LineFailure {
  LeaseId lease = 0;
  std::string worker;
  bool operator==(const LineFailure&) const = default;
};

// A line that failed with so many workers that it is left out, until an operator frees it or some
// of them are no longer believed.
struct PoisonedLine {
  std::vector<Move> line;
  uint32_t attempts = 0;
  std::string reason;                    // of the last failure
  std::vector<LineFailure> failed = {};  // the attempts; the newest ones if there were very many
  LeaseId freed = 0;                     // those under leases before this one count no more
  bool operator==(const PoisonedLine&) const = default;
};

// Knowledge of a run's positions by evaluations.
struct PriorStatus {
  uint32_t version = 0;    // of the run's priors; 0: the run asks for none
  uint32_t positions = 0;  // that are to be searched
  uint32_t done = 0;       // have a result
  uint32_t unscored = 0;   // of these, without a score
  uint32_t failed = 0;     // left without one after so many faults
  uint32_t older = 0;      // have only one of another profile
  uint32_t open = 0;       // are being searched
  uint32_t scale = 0;      // centipawns
  double games = 0;        // that an evaluation counts for
  bool operator==(const PriorStatus&) const = default;
};

// A line that was drawn again and again in a stage whose rule learns nothing from draws: it is left
// out until the next one.
struct RestingLine {
  std::vector<Move> line;
  uint32_t draws = 0;
};

// Results of the searches along a run's lines.
struct LineSearchStatus {
  uint64_t games = 0;    // that they are worth, of the run's budget
  uint64_t answers = 0;  // positions, of the book and beyond it
  uint64_t trials = 0;
  // Parts of `games`: the cost of the answers, replies and trials that have come.
  uint64_t in_answers = 0;
  uint64_t in_replies = 0;
  uint64_t in_trials = 0;
  // The mean of what the last trials brought their side, 0 to 1; nullopt: too few.
  std::optional<double> expected = {};
};

struct RunStatus {
  RunId run = 0;
  RunSpec spec;
  std::string state;
  std::string reason;
  uint32_t stage = 1;
  uint32_t stages = 0;
  uint64_t games_done = 0;
  std::optional<LineSearchStatus> line_searches;  // of a run with some
  // Games of the budget that are spent.
  uint64_t games_spent() const { return games_done + (line_searches ? line_searches->games : 0); }
  double games_per_second = 0;
  double eta_seconds = -1;
  uint32_t leases = 0;
  uint32_t slots_in_flight = 0;
  uint64_t faults = 0;
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
  std::optional<double> gain_left;  // what stop.least_gain is compared with, if it is asked for
  std::optional<double> answers_changed;  // what stop.least_change is, in this stage
  std::vector<RestingLine> resting;       // of one run only, the first 100
  uint32_t resting_lines = 0;
};
// A run that was given more to play, as it is now.
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
  std::string game;  // that the book is of
  std::vector<RunStatus> runs;
  std::vector<WorkerStatus> workers;
  std::string epoch;
  absl::Duration uptime;
  double commit_ms = 0;
  uint64_t queued_games = 0;
  std::optional<absl::Time> certificate_end = {};  // of the coordinator's; nullopt: no TLS
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
  std::optional<double> expected;  // where searches along lines have found it; then its weight
  uint32_t trials = 0;             // through it
};
struct PositionEvidence {
  std::string position;
  std::vector<MoveEvidence> moves;  // best first
  uint64_t commit_seq = 0;
};

}  // namespace joseki::coordinator
