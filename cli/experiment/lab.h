#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/stats/clustered.h"
#include "book/stats/series.h"
#include "cli/cluster/local_cluster.h"
#include "cli/context.h"
#include "cli/match/book.h"
#include "cli/match/game.h"
#include "cli/match/options.h"
#include "cli/match/settings.h"
#include "cli/run/spec_options.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {

struct ExperimentArguments {
  std::string name;    // "E1" to "E7", "field" or "curve"
  std::string folder;  // of books, runs and games
  std::vector<std::string> sources;
  int plies = 45;
  std::string filter = "100/10";
  // Of a stage of column 1; column j has j times as many. 0: the experiment has no stages.
  uint64_t games = 1000;
  int columns = 1;  // 1 to 5
  std::vector<std::string> policies = {"default"};
  bool priors = false;  // policies that learn from evaluations get those of the book's positions
  uint64_t nodes = 400;
  uint32_t pairs = 500;
  uint32_t max_plies = 300;
  uint64_t seed = 1;
  int concurrency = 0;                        // 0: the usable cores
  std::string engines;                        // file of the engines that are not embedded
  std::string engine{book::kEmbeddedEngine};  // id of the one that tunes and plays all books
  std::string opponent;                       // of E7: id of the other's
  bool show = false;                          // plays nothing: what the folder's games say so far
};

// What tuning makes of a book.
struct TunePlan {
  std::string file;  // stem of the database's name
  std::string from;  // type of the book that it begins with: "type1"
  std::string policy;
  std::map<std::string, std::string> options;
  uint64_t games = 0;  // at most
  bool priors = false;
};

// A book as it is played from.
struct PlayableBook {
  std::string label;
  std::string name;               // as LoadBook takes it; empty: the opponent's engine
  bool ties_by_chance = true;     // its largest weight, ties falling to chance; else its answer
  std::optional<double> range{};  // its largest weight + a random part of so many of its gaps
};

struct PlayedMatch {
  MatchSettings settings;
  book::Series series{book::SeriesRules()};
  std::string file;
  std::string same_as;  // label of the book that A's is: its match stands here too
};

// One side of a planned match, as `joseki match` takes it.
struct PlannedSide {
  std::string label;              // what the match's file calls it, wherever the folder lies
  std::string name;               // BOOK@ENGINE or ENGINE
  std::string choice = "answer";  // how its book is played
  std::optional<uint64_t> nodes{};
};

// A match in its own words, of which the file knows where each side left its book.
struct MatchPlan {
  std::string name;  // tells it from the folder's others, and decides its seed
  std::array<PlannedSide, 2> sides;
  uint64_t nodes = 400;  // a move, of both where a side has none of its own
  uint32_t pairs = 0;
  bool all_pairs = false;  // pairs that the file has beyond these count too
  double deviation = 0;
};

struct PlannedMatch {
  PlayedMatch played;
  // The pairs that count, as each side has them.
  std::array<std::vector<book::PairedGames>, 2> pairs;
};

// The steps that the experiments are made of, in one folder: each is done once, goes on where it
// was broken off, and is read from its files afterwards. Every step is Cancelled once we were told
// to end. Not thread-safe; to be made before any thread is.
class Laboratory {
 public:
  // FailedPrecondition "other_experiment" where the folder holds one of other settings.
  static absl::StatusOr<std::unique_ptr<Laboratory>> Open(const ExperimentArguments& arguments,
                                                          Context& context);

  const ExperimentArguments& arguments() const { return arguments_; }
  const Rules& rules() const { return context_.rules(); }
  bool has_professionals() const { return has_professionals_; }
  bool interrupted() const { return interrupted_; }

  // Database with the moves of the sources.
  absl::StatusOr<std::string> BaseBook();
  // Database with that book weighed as "type1" ... "type5c".
  absl::StatusOr<std::string> TypeBook(const std::string& type);
  // Database whose run 1 is done.
  absl::StatusOr<std::string> TunedBook(const TunePlan& plan);
  // The same of the folder's database `from`: `spec` says how but for engine, limit, seed and what
  // all runs of an experiment have in common.
  absl::StatusOr<std::string> TunedBook(const std::string& file, const std::string& from,
                                        SpecArguments spec);
  // Whether the database FILE.sqlite of the folder is there, and its run 1 is done.
  absl::StatusOr<bool> IsTuned(const std::string& file) const;
  // The seed of one thing of the folder, by its name: 53 bits.
  uint64_t SeedOf(const std::string& what) const;
  // A book's name (LoadBook) as a side that the experiment's engine plays.
  std::string Played(const std::string& book) const { return book + "@" + arguments_.engine; }
  // The book's moves at the start position, after so many stages of its run 1 (0: all).
  absl::StatusOr<coordinator::ExportBook::Position> StartOf(const std::string& tuned, int stages);

  // `name` tells the match from the folder's others; to show, all of its games count. Where an
  // earlier match of this object had the same book against the same one, that is not played again.
  absl::StatusOr<PlayedMatch> Play(const std::string& name, const PlayableBook& a,
                                   const PlayableBook& b);
  // Plays what the plan says; errors and interruption as Play. The books are let go.
  absl::StatusOr<PlannedMatch> Play(const MatchPlan& plan);

  std::string PathOf(const std::string& name) const { return arguments_.folder + "/" + name; }
  // Makes `path` by `make` on another name, which it gets when it is whole; nothing where it is
  // there.
  absl::Status MakeOnce(const std::string& path,
                        const std::function<absl::Status(const std::string& name)>& make);

 private:
  Laboratory(const ExperimentArguments& arguments, Context& context)
      : arguments_(arguments), context_(context) {}

  absl::Status CheckSettings();
  absl::Status CheckInterrupted();
  absl::Status Fill(const std::string& database);
  absl::StatusOr<bool> IsDone(const std::string& database) const;
  // Plays the match in its file as far as its settings say, or, to show, reads it; and where
  // `games` is not null, its games then.
  absl::StatusOr<PlayedMatch> PlayInFile(const std::string& name, MatchSettings settings,
                                         bool all_pairs, std::vector<MatchGame>* games);
  // The match that the arguments ask for, its books remembered: many matches have one in common.
  absl::StatusOr<MatchSettings> SettingsOf(const MatchArguments& match);

  const ExperimentArguments arguments_;
  Context& context_;
  SignalWait signals_;
  bool interrupted_ = false;
  bool has_base_ = false;  // and it was looked through
  bool has_professionals_ = false;
  struct Known {
    std::string label;
    PlayedMatch match;
  };
  std::map<std::string, Known> played_;  // by both books and how they are played
  struct Remembered {
    std::string key;
    LoadedBook book;
  };
  std::deque<Remembered> books_;  // the one that was wanted last comes first
};

}  // namespace joseki::cli
