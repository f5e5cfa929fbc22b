#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "book/evidence.h"
#include "book/play_book.h"
#include "book/stats/pentanomial.h"
#include "book/stats/series.h"
#include "book/tuning/settling.h"
#include "engine/core/outcome.h"
#include "engine/core/resignation.h"
#include "engine/core/types.h"

// What goes in and out of the coordinator, as plain values: the meaning is that of proto/joseki/v1,
// the services only translate.
namespace joseki::coordinator {

using RunId = uint64_t;
using LeaseId = uint64_t;
using SessionId = uint64_t;

inline constexpr uint32_t kProtocol = 1;  // of proto/joseki/v1/worker.proto
inline constexpr size_t kMaxGamesPerSubmit = 512;

// Against whom a run's book is tuned. Without one it plays against itself.
struct Opponent {
  // The side that the run's book has; of kBoth, each in turn.
  enum class Side : uint8_t { kBlack = 1, kWhite = 2, kBoth = 3 };
  Side side = Side::kBoth;
  std::string book;  // SHA-256 of a shipped book (book/play_book.h), 32 bytes; empty: it has none
  book::PlayRules::Choice choice = book::PlayRules::Choice::kAnswer;
  double range = 0;  // of Choice::kRange
  std::string engine_id = "embedded";
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;        // a time limit instead of nodes, which are 0 then
  std::string engine_name;     // empty: any
  std::string weights_sha256;  // empty: any
  double deviation = 0;        // this and the next of a match only
  uint32_t max_book_plies = 0;
  bool operator==(const Opponent&) const = default;
};

// A shipped book (book/play_book.h), and how a side of a match plays from it.
struct BookUse {
  std::string sha256;  // 32 bytes
  book::PlayRules rules;
  bool operator==(const BookUse&) const = default;
};

struct PlaySpec {
  std::string game = "shogi";
  std::string engine_id = "embedded";
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 2000;
  uint32_t move_ms = 0;  // a time limit instead of nodes, which are 0 then
  uint32_t jitter_percent = 20;
  MatchRules match;
  bool re_entry = false;        // games follow the book again where they transpose back into it
  uint32_t re_entry_games = 0;  // without stages: a new version of the weights after so many games
  std::string snapshot;         // the book's SHA-256, 32 bytes; only in what workers are told
  ResignRule resign;
  bool keep_scores = false;
  std::string engine_name;           // empty: any
  std::string weights_sha256;        // empty: any
  std::optional<Opponent> opponent;  // with re-entry, or of a match
  std::optional<BookUse> own_book;   // of a match: what A plays from; none: its engine alone
};

// What a run takes of the workers while others want them too.
struct Share {
  static constexpr uint32_t kMaxPriority = 9;
  static constexpr uint32_t kMaxWeight = 1000;
  uint32_t priority = 5;  // slots go to the runs of the highest that have any
  uint32_t weight = 100;  // 1..1000; runs of one priority get slots in proportion
  bool operator==(const Share&) const = default;
};

// What a worker must have to be given slots of a run.
struct Requirements {
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // for each slot
  uint32_t cores = 0;
  bool operator==(const Requirements&) const = default;
};

// Evaluations of a run's book by its workers, for policies that use them.
struct PriorSpec {
  uint64_t nodes = 0;      // of one search, 1..1e9; 0: none are asked for
  uint32_t positions = 0;  // at most so many, those nearest to the start first; 0: all
  bool wanted() const { return nodes > 0; }
  bool operator==(const PriorSpec&) const = default;
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

// What a run is to play beyond its budget.
struct MoreToPlay {
  uint64_t games = 0;  // this or the next is not 0
  uint64_t seconds = 0;
  bool same_book = false;  // only if the book has not changed since the run froze it
  std::string request_id;  // may be empty
};

// Of a run that was extended, the last time.
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
  static constexpr uint64_t kMaxGames = 1'000'000'000'000;
  static constexpr uint64_t kMaxSeconds = 1'000'000'000;
  std::string name;
  PlaySpec play;
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
  StopRules stop;
  std::optional<MatchSpec> match;       // nullopt: it tunes its book
  bool take_over = false;               // begin with what earlier runs of the same profile know
  std::optional<TakenOver> taken_over;  // what came of that; not of a new run
  std::optional<Extension> extension;   // games and seconds have it in them; not of a new run
};

// What a slot asks for. Values are those of the wire and the database: never renumber.
enum class SlotKind : uint8_t {
  kGame = 0,
  kEvaluation = 1,  // one search of the position at the end of the line
  kMatch = 2,       // a game of a match
};
inline constexpr SlotKind kLastSlotKind = SlotKind::kMatch;

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
};

struct JoinInput {
  std::string worker;
  uint32_t protocol = 0;
  uint32_t slots = 0;
  std::vector<EngineIdentity> engines;
  std::string build;
  uint64_t process = 0;   // drawn at random by each process of the worker
  uint64_t instance = 0;  // the same for every process of the worker
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // for each slot; 0: not told
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
  uint32_t want_slots = 0;  // 0: none with the answer
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
// What a worker's process has cost since it began, its engines included; 0: not told.
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

// What is known of a run's positions by evaluations.
struct PriorStatus {
  uint32_t version = 0;    // of the run's priors; 0: the run asks for none
  uint32_t positions = 0;  // that are to be searched
  uint32_t done = 0;       // have an answer
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

struct RunStatus {
  RunId run = 0;
  RunSpec spec;
  std::string state;
  std::string reason;
  uint32_t stage = 1;
  uint32_t stages = 0;
  uint64_t games_done = 0;
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
  uint64_t checks = 0;
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
  uint32_t slots = 0;
  uint32_t in_flight = 0;
  uint64_t games = 0;
  uint64_t faults = 0;
  absl::Duration last_seen;
  std::string build;
  std::string state;
  std::string reason;
  uint64_t checks = 0;
  uint64_t mismatches = 0;
  WorkerResiduals residuals;
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;
  uint32_t cores = 0;
  WorkerCost cost;
};
struct ClusterStatus {
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
};
struct PositionEvidence {
  std::string position;
  std::vector<MoveEvidence> moves;  // best first
  uint64_t commit_seq = 0;
};

}  // namespace joseki::coordinator
