#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/record_files.h"
#include "engine/core/resignation.h"

namespace joseki::cli {
namespace {

struct GamesArguments {
  Connection connection;
  RunId run = 0;
  uint64_t after = 0;
  uint32_t limit = 1000;
  std::string format;  // empty: the list
  std::string out;     // file or folder of records; empty: stdout
};

// The moves of a listed game, by the rules of its run.
absl::StatusOr<std::vector<Move>> MovesOf(const ListedGame& game, const Rules& rules) {
  std::vector<Move> moves;
  for (const std::string& word :
       std::vector<std::string>(absl::StrSplit(game.moves, ' ', absl::SkipEmpty()))) {
    const std::optional<Move> move = rules.MoveOf(word);
    if (!move) {
      return MakeProblem({.code = "malformed_move",
                          .file = absl::StrCat("game ", game.commit_seq),
                          .found = Quote(word),
                          .expected = "the text of a move"});
    }
    moves.push_back(*move);
  }
  return moves;
}

// Counts the listed games, and says so where there may be more than were asked for: without --limit
// a list is easily taken for the whole run.
class Listed {
 public:
  void Add(const ListedGame& game) {
    ++games_;
    last_ = game.commit_seq;
  }
  void SayWhereItEnds(const GamesArguments& arguments, Context& context) const {
    if (games_ < arguments.limit) return;
    context.err() << "these are " << games_ << " games, as --limit says; --after " << last_
                  << " has those behind them, if there are any\n";
  }

 private:
  uint64_t games_ = 0;
  uint64_t last_ = 0;
};

absl::Status WriteGames(const GamesArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  ASSIGN_OR_RETURN(RecordFiles files, RecordFiles::Open(context, arguments.format, arguments.out));
  absl::Status written;
  Listed listed;
  const auto write = [&](const ListedGame& game) -> absl::Status {
    ASSIGN_OR_RETURN(const std::vector<Move> moves, MovesOf(game, context.rules()));
    const std::string name = absl::StrFormat("run%d-%06d", arguments.run, game.commit_seq);
    const std::string event = absl::StrCat("run ", arguments.run, " game ", game.commit_seq);
    return files.Add(name,
                     {.event = event, .start = game.start, .moves = moves, .ending = game.ending});
  };
  RETURN_IF_ERROR(cluster->ListGames(arguments.run, arguments.after, arguments.limit,
                                     [&](const ListedGame& game) {
                                       listed.Add(game);
                                       if (written.ok()) written = write(game);
                                     }));
  RETURN_IF_ERROR(written);
  RETURN_IF_ERROR(files.Finish());
  listed.SayWhereItEnds(arguments, context);
  if (context.json()) {
    context.PrintJson({{"run", arguments.run}, {"written", files.games()}, {"out", arguments.out}});
  } else if (!arguments.out.empty()) {
    context.out() << files.games() << (files.games() == 1 ? " game" : " games") << " in "
                  << arguments.out << "\n";
  }
  return absl::OkStatus();
}

absl::Status ListGames(const GamesArguments& arguments, Context& context) {
  Json games = Json::array();
  bool headed = false;
  Listed listed;
  const auto head = [&] {
    if (std::exchange(headed, true)) return;
    context.out()
        << "# commit_seq, result, termination, worker, plies from the book, start, moves\n";
  };
  const auto show = [&](const ListedGame& game) {
    listed.Add(game);
    if (!context.json()) {
      head();
      context.out() << game.commit_seq << "\t" << Name(game.ending.result) << "\t"
                    << Name(game.ending.termination) << "\t" << game.worker << "\t"
                    << game.book_plies << "\t" << game.start << "\t" << game.moves << "\n";
      return;
    }
    Json json;
    json["commit_seq"] = game.commit_seq;
    json["lease"] = game.lease;
    json["slot"] = game.slot;
    json["stage"] = game.stage;
    json["worker"] = game.worker;
    json["result"] = std::string(Name(game.ending.result));
    json["termination"] = std::string(Name(game.ending.termination));
    json["nodes"] = game.nodes;
    json["book_plies"] = game.book_plies;
    json["start"] = game.start;
    Json scores = Json::array();
    for (const int score : game.scores) {
      scores.push_back(score == kNoScore ? Json(nullptr) : Json(score));
    }
    json["scores"] = std::move(scores);
    json["moves"] = game.moves;
    games.push_back(std::move(json));
  };
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  RETURN_IF_ERROR(cluster->ListGames(arguments.run, arguments.after, arguments.limit, show));
  listed.SayWhereItEnds(arguments, context);
  if (!context.json()) {
    head();
  } else {
    Json object;
    object["run"] = arguments.run;
    object["games"] = std::move(games);
    context.PrintJson(object);
  }
  return absl::OkStatus();
}

}  // namespace

void AddGames(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<GamesArguments>();
  CLI::App* const command =
      app.add_subcommand("games", "The games of a run, in the order of their commits");
  AddCoordinatorOption(*command, arguments->connection);
  command->add_option("--run", arguments->run, "the run")
      ->required()
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_option("--after", arguments->after, "only games after this commit_seq")
      ->check(AnyWhole());
  command->add_option("--limit", arguments->limit, "games at most")
      ->check(Within(1, 100000))
      ->capture_default_str();
  CLI::Option* const format = AddRecordFormatOption(*command, arguments->format);
  command
      ->add_option("--out", arguments->out,
                   "file that gets all records, or folder that gets a file for each game; without "
                   "it stdout")
      ->type_name("FILE|DIR")
      ->needs(format);
  command->callback([arguments, &context] {
    if (context.json() && !arguments->format.empty() && arguments->out.empty()) {
      throw CLI::RequiredError("--out, where --json is given with --format,");
    }
    context.Finish(arguments->format.empty() ? ListGames(*arguments, context)
                                             : WriteGames(*arguments, context));
  });
}

}  // namespace joseki::cli
