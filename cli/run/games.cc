#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "base/option_range.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "engine/core/resignation.h"

namespace joseki::cli {
namespace {

struct GamesArguments {
  Connection connection;
  RunId run = 0;
  uint64_t after = 0;
  uint32_t limit = 1000;
};

absl::Status ListGames(const GamesArguments& arguments, Context& context) {
  Json games = Json::array();
  bool headed = false;
  const auto head = [&] {
    if (std::exchange(headed, true)) return;
    context.out()
        << "# commit_seq, result, termination, worker, plies from the book, start, moves\n";
  };
  const auto show = [&](const ListedGame& game) {
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
  command->add_option("--after", arguments->after, "only games after this commit_seq");
  command->add_option("--limit", arguments->limit, "games at most")
      ->check(Within(1, 100000))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(ListGames(*arguments, context)); });
}

}  // namespace joseki::cli
