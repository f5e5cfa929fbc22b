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

// One game of a match, fully named: with the match's settings and seed it says what is played.
struct SeriesGame {
  uint32_t pair = 0;
  uint32_t attempt = 0;  // of the pair, after attempts that were void
  bool a_first = true;   // the pair's first game, in which A has the first move
  auto operator<=>(const SeriesGame&) const = default;
};

// The seed that both games of a pair are played by, in whatever place: of the match's seed.
uint64_t SeedOf(uint64_t match_seed, const SeriesGame& game);

// Figures of one side in a game, or in all that count.
struct SideUse {
  uint64_t moves = 0;  // that the engine chose
  uint64_t book_moves = 0;
  uint64_t nodes = 0;
  uint64_t micros = 0;  // inside the engine

  SideUse& operator+=(const SideUse& other);
  bool operator==(const SideUse&) const = default;
};

struct SeriesOutcome {
  Ending ending;             // a fault voids the pair
  Side at_fault = Side::kA;  // where it is one
  uint64_t moves_hash = 0;   // of start and moves
  uint32_t plies = 0;
  std::array<SideUse, 2> used;  // by Side
  std::string worker = {};      // of a cluster, that played it; empty: this machine
  // The exit of each side: plies played when its engine first chose a move. Nullopt if it never
  // did, or if the player of the game did not report it.
  std::array<std::optional<uint32_t>, 2> left_at;
};

// A game and what came of it.
struct PlayedGame {
  SeriesGame game;
  SeriesOutcome outcome;
};

// A pair that counts: half points of A in the game in which it had the first move, and the other.
struct CountedPair {
  uint32_t pair = 0;
  uint32_t attempt = 0;
  std::array<uint8_t, 2> points{};
};

// The sum of the pairs that count, from A's side.
struct SeriesTally {
  Pentanomial pentanomial;
  struct Results {
    uint64_t wins = 0;
    uint64_t draws = 0;
    uint64_t losses = 0;
    uint64_t games() const { return wins + draws + losses; }
  };
  std::array<Results, 2> results;  // [0]: A had the first move
  uint64_t repeats = 0;            // pairs set aside: one of their games was counted before
  std::map<Termination, uint64_t> terminations;
  uint64_t plies = 0;
  std::array<SideUse, 2> used;

  Results total() const;
};

struct SeriesRules {
  uint32_t pairs = 0;  // at most
  std::optional<Sprt> sprt;
  double void_percent = 1;  // more pairs than that void, and the series says nothing
};

// Chooses the games of a match and adds up their results. Pure: no clock, no I/O; the caller guards
// it.
//
// Pairs count in the order of their numbers, each when all before it are complete: so neither quick
// games nor the number of concurrent games influence the result or the end of a sequential test. A
// pair counts if both its games are new; a pair with a fault is void and begins again as a further
// attempt, with other chance. Games of void attempts count nowhere.
//
// On a cluster a fault may be the worker's and not the engines'. A worker that breaks more than
// four times as large a share of its games as all others together gets no more weight than they: it
// has at most as many void pairs as they have. Before the end, faults have no effect if one worker
// alone has brought games; its owner may see that there is no other (IsHopeless) and end it.
class Series {
 public:
  enum class State {
    kPlaying,
    kDone,       // all pairs are played
    kAccepted,   // the test is decided for elo1
    kRejected,   // the test is decided for elo0
    kVoid,       // too many faults
    kExhausted,  // kMostRepeats pairs in a row brought no new game: none is to be expected
  };

  static constexpr uint32_t kMostRepeats = 200;

  explicit Series(const SeriesRules& rules) : rules_(rules) {}

  // The next game to play, oldest pair first; nullopt where there is none now (games that are out
  // may fault and come again, until state() is not kPlaying).
  std::optional<SeriesGame> Next();

  // Number of games that Next would give, one after the other.
  uint64_t Available() const;
  // Marks a game that a worker took in an earlier life as in play; does nothing if it is not due.
  void Take(const SeriesGame& game);

  // The game was played: one that Next gave, or one of an earlier life. Whether it is news: false
  // if it was known, or its attempt is void already, or no such game is due. Where it is of a later
  // attempt than is known of, those before were void.
  bool Done(const SeriesGame& game, const SeriesOutcome& outcome);

  // Takes back a game of Next that will not be played by its taker.
  void GiveBack(const SeriesGame& game);
  // Gives the game up: the attempt is void, through no side's fault. `worker`: it failed with that
  // one alone; empty: with several.
  void Void(const SeriesGame& game, const std::string& worker = {});

  // Too many pairs are void, if one worker's faults count as the engines' own.
  bool IsHopeless() const { return IsHopeless(all_.faults); }
  // Ends a series that goes on: kVoid.
  void EndAsVoid();

  State state() const { return state_; }
  const SeriesTally& tally() const { return tally_; }
  // In the order of their numbers; as many as tally().pentanomial counts.
  const std::vector<CountedPair>& counted() const { return pairs_; }
  uint32_t pairs_played() const { return counted_; }  // complete, in order; repeats included
  uint32_t voids() const { return voids_; }           // attempts with a fault, or not played
  const std::map<Termination, uint64_t>& faults(Side side) const { return faults_[Index(side)]; }
  // The log-likelihood ratio of the test; 0 without one.
  double llr() const;

 private:
  struct Pair {
    uint32_t attempt = 0;
    std::array<bool, 2> out{};  // by whether A is second
    std::array<std::optional<SeriesOutcome>, 2> played;
  };

  // Pairs up to this one have been begun.
  void BeginTo(uint32_t pair);
  // Begins the pair again, as this attempt.
  void BeginAgain(Pair& pair, uint32_t attempt);
  void CountComplete();
  void Count(uint32_t number, const Pair& pair);
  void Judge();
  // The worker brought a game, or broke one.
  void Brought(const std::string& worker, bool fault);
  // The void pairs that speak against the engines.
  uint32_t JudgedVoids(bool over) const;
  bool AreTooMany(uint32_t voids, uint64_t pairs) const;
  bool IsHopeless(uint32_t voids) const;

  SeriesRules rules_;
  State state_ = State::kPlaying;
  std::map<uint32_t, Pair> open_;  // begun and not counted
  uint32_t next_pair_ = 0;
  uint32_t counted_ = 0;
  uint32_t voids_ = 0;
  uint32_t repeats_in_a_row_ = 0;
  std::array<std::map<Termination, uint64_t>, 2> faults_;
  std::set<std::pair<uint64_t, bool>> seen_;  // games counted
  struct Share {
    uint64_t games = 0;  // broken ones included
    uint32_t faults = 0;
  };
  std::map<std::string, Share> workers_;
  Share all_;
  std::string worst_;  // the worker with most faults; empty: none
  SeriesTally tally_;
  std::vector<CountedPair> pairs_;
};

// "playing", "done", "accepted", "rejected", "void", "exhausted".
std::string_view Name(Series::State state);

}  // namespace joseki::book
