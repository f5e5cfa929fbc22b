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
#include "cli/experiment/folder_lock.h"
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
  // Games of a stage in column 1; column j has j times as many. 0: the experiment has no stages.
  uint64_t games = 1000;
  std::vector<int> columns = {1};  // of Type-6, ascending: 1 to 5
  std::vector<std::string> policies = {"default"};
  bool priors = false;  // whether policies that learn from evaluations get those of the book's
                        // positions
  uint64_t nodes = 400;
  uint32_t pairs = 500;
  uint32_t max_plies = 300;
  uint64_t seed = 1;
  int concurrency = 0;                        // 0: the usable cores
  std::string engines;                        // file of the engines that are not embedded
  std::string engine{book::kEmbeddedEngine};  // id of the engine that tunes and plays all books
  std::string opponent;                       // id of the opponent's engine in E7
  bool show = false;                          // play nothing: report the folder's games so far
};

// The tuning of one book.
struct TunePlan {
  std::string file;  // stem of the database's name
  std::string from;  // type of the book to begin with: "type1"
  std::string policy;
  std::map<std::string, std::string> options;
  uint64_t games = 0;  // at most
  bool priors = false;
};

// A book, and how moves are chosen from it.
struct PlayableBook {
  std::string label;
  std::string name;               // as LoadBook takes it; empty: the opponent's engine
  bool ties_by_chance = true;     // the largest weight, ties broken at random; else the book's
                                  // answer
  std::optional<double> range{};  // largest of weight plus a random part, in gaps
};

struct PlayedMatch {
  MatchSettings settings;
  book::Series series{book::SeriesRules()};
  std::string file;
  std::string same_as;  // label of the book that is identical to A's and whose match this is
  // Why the match has no result although it is over: "void: 3 pairs with faults"; else empty.
  std::string left_out() const;
};

// One side of a planned match, as `joseki match` takes it.
struct PlannedSide {
  std::string label;              // label in the match's file, independent of the folder's place
  std::string name;               // BOOK@ENGINE or ENGINE
  std::string choice = "answer";  // how moves are chosen from its book
  std::optional<uint64_t> nodes{};
};

// A match whose file records where each side left its book.
struct MatchPlan {
  std::string name;  // names the file within the folder, and decides the seed
  std::array<PlannedSide, 2> sides;
  uint64_t nodes = 400;  // per move, for sides without a limit of their own
  uint32_t pairs = 0;
  bool all_pairs = false;  // count pairs of the file beyond these, too
  double deviation = 0;
  uint64_t judge_nodes = 0;  // of a search that judges games (judging.h); 0: they are not judged
};

// FailedPrecondition "void_match" with the engines at fault and their last faults if the match is
// void: what was to be measured by it cannot be.
absl::Status CheckNotVoid(const PlayedMatch& match);

struct PlannedMatch {
  PlayedMatch played;
  // The pairs that count, from each side's view.
  std::array<std::vector<book::PairedGames>, 2> pairs;
  // Pairs from A's view, by its expected result of each game; empty: the games were not judged.
  std::vector<book::PairedGames> judged;
};

// The steps of the experiments, in one folder. Each step is done once, resumes where it was
// interrupted, and afterwards is read from its files. Every step returns Cancelled once the process
// got a signal to end. Not thread-safe; to be constructed before any thread is.
class Laboratory {
 public:
  // Opens or makes the folder, and locks it unless it is only shown. FailedPrecondition
  // "experiment_running" if another command has it, "other_experiment" if it holds an experiment
  // with other settings.
  static absl::StatusOr<std::unique_ptr<Laboratory>> Open(const ExperimentArguments& arguments,
                                                          Context& context);

  const ExperimentArguments& arguments() const { return arguments_; }
  const Rules& rules() const { return context_.rules(); }
  bool has_professionals() const { return has_professionals_; }
  bool interrupted() const { return interrupted_; }

  // The path of the database with the moves of the sources.
  absl::StatusOr<std::string> BaseBook();
  // The path of the database with that book weighed as "type1" ... "type5c".
  absl::StatusOr<std::string> TypeBook(const std::string& type);
  // The path of the tuned database; its run 1 is done.
  absl::StatusOr<std::string> TunedBook(const TunePlan& plan);
  // Tunes the folder's database `from` by `spec`. Engine, limit, seed and the settings common to
  // all runs of an experiment are filled in here.
  absl::StatusOr<std::string> TunedBook(const std::string& file, const std::string& from,
                                        SpecArguments spec);
  // Whether the folder has the database FILE.sqlite with its run 1 done.
  absl::StatusOr<bool> IsTuned(const std::string& file) const;
  // The seed of a named thing of the folder: 53 bits.
  uint64_t SeedOf(const std::string& what) const;
  // The name of the side that plays a book (LoadBook) with the experiment's engine.
  std::string Played(const std::string& book) const { return book + "@" + arguments_.engine; }
  // The book's moves at the start position after that many stages of its run 1 (0: all).
  absl::StatusOr<coordinator::ExportBook::Position> StartOf(const std::string& tuned, int stages);

  // Plays a match; `name` distinguishes it within the folder. Under --show all of its games count.
  // A match between two books that this object has already played is not repeated.
  absl::StatusOr<PlayedMatch> Play(const std::string& name, const PlayableBook& a,
                                   const PlayableBook& b);
  // Plays the plan; errors and interruption as in the other overload. The result holds no books.
  absl::StatusOr<PlannedMatch> Play(const MatchPlan& plan);

  std::string PathOf(const std::string& name) const { return arguments_.folder + "/" + name; }
  // Makes `path` by `make` under a temporary name and renames it once it is complete. Does nothing
  // if `path` exists. Cancelled under --show.
  absl::Status MakeOnce(const std::string& path,
                        const std::function<absl::Status(const std::string& name)>& make);

 private:
  Laboratory(const ExperimentArguments& arguments, Context& context)
      : arguments_(arguments), context_(context) {}

  absl::Status CheckSettings();
  // Writes the settings of a new folder: once its sources were read, so that a wrong one leaves no
  // settings behind.
  absl::Status WriteSettings();
  absl::Status CheckInterrupted();
  absl::Status Fill(const std::string& database);
  absl::StatusOr<bool> IsDone(const std::string& database) const;
  // Plays the match in its file up to its settings' pairs; under --show reads it instead. If
  // `games` is not null, it receives all games of the file.
  absl::StatusOr<PlayedMatch> PlayInFile(const std::string& name, MatchSettings settings,
                                         bool all_pairs, std::vector<MatchGame>* games);
  // Games, or searches, at once.
  int Concurrency() const;
  // Judges the games of the plan's match, by A's engine.
  absl::Status Judge(const MatchPlan& plan, const std::vector<MatchGame>& games,
                     PlannedMatch& planned);
  // The settings for the arguments. Loaded books are cached, since many matches share one.
  absl::StatusOr<MatchSettings> SettingsOf(const MatchArguments& match);

  const ExperimentArguments arguments_;
  Context& context_;
  std::optional<FolderLock> lock_;  // none under --show
  SignalWait signals_;
  bool interrupted_ = false;
  std::optional<std::string> unwritten_settings_;
  bool has_base_ = false;  // whether has_professionals_ is known
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
  std::deque<Remembered> books_;  // the most recently used comes first
};

}  // namespace joseki::cli
