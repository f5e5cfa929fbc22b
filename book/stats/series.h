#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "book/stats/pentanomial.h"
#include "engine/core/outcome.h"

namespace joseki::book {

// The two sides of a match.
enum class Side : uint8_t { kA, kB };
constexpr Side operator~(Side side) { return side == Side::kA ? Side::kB : Side::kA; }
constexpr int Index(Side side) { return static_cast<int>(side); }

// Full name of one game of a match: with the match's settings and seed it determines the game.
struct SeriesGame {
  uint32_t pair = 0;
  uint32_t attempt = 0;  // number of void attempts of the pair before this one
  bool a_first = true;   // the pair's first game, in which A moves first
  auto operator<=>(const SeriesGame&) const = default;
};

// Seed of both games of a pair, wherever they are played, derived from the match's seed.
uint64_t SeedOf(uint64_t match_seed, const SeriesGame& game);

// Resource use of one side, in one game or summed over counted games.
struct SideUse {
  uint64_t moves = 0;  // chosen by the engine
  uint64_t book_moves = 0;
  uint64_t nodes = 0;
  uint64_t micros = 0;  // time in the engine, microseconds

  SideUse& operator+=(const SideUse& other);
  bool operator==(const SideUse&) const = default;
};

struct SeriesOutcome {
  Ending ending;             // a fault voids the pair
  Side at_fault = Side::kA;  // used only if the ending is a fault
  std::string fault = {};    // its description
  uint64_t moves_hash = 0;   // hash of start and moves
  uint32_t plies = 0;
  std::array<SideUse, 2> used;  // by Side
  std::string worker = {};      // the cluster worker that played it; empty: this machine
  // For each side the plies played when its engine first chose a move. Nullopt if it never did, or
  // if the game's player did not report it.
  std::array<std::optional<uint32_t>, 2> left_at;
};

// A game and its outcome.
struct PlayedGame {
  SeriesGame game;
  SeriesOutcome outcome;
};

// A counted pair: A's half points in the game in which it had the first move, and in the other.
struct CountedPair {
  uint32_t pair = 0;
  uint32_t attempt = 0;
  std::array<uint8_t, 2> points{};
};

// Sum of the counted pairs, from A's side.
struct SeriesTally {
  Pentanomial pentanomial;
  struct Results {
    uint64_t wins = 0;
    uint64_t draws = 0;
    uint64_t losses = 0;
    uint64_t games() const { return wins + draws + losses; }
  };
  std::array<Results, 2> results;  // index 0: A had the first move
  uint64_t repeats = 0;  // pairs not counted because one of their games was counted before
  std::map<Termination, uint64_t> terminations;
  uint64_t plies = 0;
  std::array<SideUse, 2> used;

  Results total() const;
};

struct SeriesRules {
  uint32_t pairs = 0;  // upper bound
  std::optional<Sprt> sprt;
  double void_percent = 1;  // above this percentage of void pairs the series is void
};

// Chooses the games of a match and sums their results. Pure: no clock, no I/O. Not thread-safe.
//
// Pairs count in numerical order, each when all before it are complete. Neither quick games nor the
// number of concurrent games thus influence the result or the end of a sequential test. A pair
// counts if both its games are new. A pair with a fault is void and starts again as the next
// attempt, with other random numbers. Games of void attempts are ignored.
//
// On a cluster a fault may be due to the worker rather than the engines. A worker is suspect if its
// share of faults is more than four times that of all others together. Its void pairs then count
// only up to the number of theirs. While only one worker has delivered games, faults have no effect
// before the end. Its owner may then see that no other worker exists (IsHopeless), and end the
// series.
class Series {
 public:
  enum class State {
    kPlaying,
    kDone,       // all pairs are played
    kAccepted,   // the test accepted elo1
    kRejected,   // the test accepted elo0
    kVoid,       // too many faults
    kExhausted,  // kMostRepeats pairs in a row had no new game; none is expected
  };

  static constexpr uint32_t kMostRepeats = 200;

  explicit Series(const SeriesRules& rules) : rules_(rules) {}

  // The next game to play, oldest pair first; nullopt if there is none now. Games that are out may
  // fail and return until state() leaves kPlaying.
  std::optional<SeriesGame> Next();

  // Number of games that successive calls of Next would give.
  uint64_t Available() const;
  // Marks a game that a worker took before a restart as in play; no effect if it is not due.
  void Take(const SeriesGame& game);

  // Reports a game that Next gave, or one from before a restart. Returns true if it is news: false
  // if it is known, its attempt is already void, or no such game is due. A later attempt than the
  // known one makes the earlier attempts void.
  bool Done(const SeriesGame& game, const SeriesOutcome& outcome);

  // Returns a game of Next that its taker will not play.
  void GiveBack(const SeriesGame& game);
  // Gives up the game: the attempt is void without fault of either side. `worker`: the only worker
  // that failed with it; empty: several did.
  void Void(const SeriesGame& game, const std::string& worker = {});

  // True if too many pairs are void when all faults are attributed to the engines.
  bool IsHopeless() const { return IsHopeless(all_.faults); }
  // Ends a running series as kVoid.
  void EndAsVoid();

  State state() const { return state_; }
  const SeriesTally& tally() const { return tally_; }
  // Counted pairs by number; tally().pentanomial counts the same pairs.
  const std::vector<CountedPair>& counted() const { return pairs_; }
  uint32_t pairs_played() const { return counted_; }  // complete, in order, repeats included
  uint32_t voids() const { return voids_; }           // attempts with a fault or not played
  const std::map<Termination, uint64_t>& faults(Side side) const { return faults_[Index(side)]; }
  // Description of the side's last fault; empty: none.
  const std::string& last_fault(Side side) const { return last_faults_[Index(side)]; }
  // Log-likelihood ratio of the test; 0 without a test.
  double llr() const;

 private:
  struct Pair {
    uint32_t attempt = 0;
    std::array<bool, 2> out{};  // index 1: A is second
    std::array<std::optional<SeriesOutcome>, 2> played;
  };

  // Begins all pairs up to this one.
  void BeginTo(uint32_t pair);
  // Restarts the pair as this attempt.
  void BeginAgain(Pair& pair, uint32_t attempt);
  void CountComplete();
  void Count(uint32_t number, const Pair& pair);
  void Judge();
  // Records that the worker delivered a game, or failed one.
  void Brought(const std::string& worker, bool fault);
  // Number of void pairs attributed to the engines.
  uint32_t JudgedVoids(bool over) const;
  bool AreTooMany(uint32_t voids, uint64_t pairs) const;
  bool IsHopeless(uint32_t voids) const;

  SeriesRules rules_;
  State state_ = State::kPlaying;
  std::map<uint32_t, Pair> open_;  // begun and not yet counted
  uint32_t next_pair_ = 0;
  uint32_t counted_ = 0;
  uint32_t voids_ = 0;
  uint32_t repeats_in_a_row_ = 0;
  std::array<std::map<Termination, uint64_t>, 2> faults_;
  std::array<std::string, 2> last_faults_;
  std::set<std::pair<uint64_t, bool>> seen_;  // games already counted
  struct Share {
    uint64_t games = 0;  // failed ones included
    uint32_t faults = 0;
  };
  std::map<std::string, Share> workers_;
  Share all_;
  std::string worst_;  // the worker with most faults; empty: none
  SeriesTally tally_;
  std::vector<CountedPair> pairs_;
};

// Name for output: "playing", "done", "accepted", "rejected", "void" or "exhausted".
std::string_view Name(Series::State state);

}  // namespace joseki::book
