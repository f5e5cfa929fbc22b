#include "book/simulation/simulate.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/simulation/standard_table.h"
#include "cli/commands.h"
#include "cli/experiment/error_text.h"
#include "cli/experiment/world_like.h"
#include "cli/match/report.h"
#include "cli/run/policy_arguments.h"

namespace joseki::cli {
namespace {

struct SimulateArguments {
  std::string world = "mild";
  std::string like;  // a run for the world to resemble
  std::string policy = "default";
  std::string goal;
  std::vector<std::string> policy_options;
  std::vector<uint64_t> games = {1000, 4000, 16000, 64000};
  uint32_t books = 30;
  uint64_t seed = 1;
  uint32_t in_flight = 1;
  uint32_t coordinators = 1;
  uint64_t merge_every = 0;
  double deviation = 0.008;
  double eval_deviation = -1;  // that of the world, if not negative
  double eval_games = -1;
  double settle_error = 0;
  uint32_t threads = 0;
  bool table = false;
  bool estimate_priors = false;
};

void Print(const std::string& name, const std::vector<book::Checkpoint>& checkpoints,
           Context& context) {
  context.out() << absl::StreamFormat("%-40s", name);
  for (const book::Checkpoint& at : checkpoints) {
    context.out() << absl::StreamFormat("  %8d: %6.1f ± %s  %.3f ± %s", at.games, at.elo.mean,
                                        ErrorText(at.elo, 1), at.exploitability.mean,
                                        ErrorText(at.exploitability, 3));
  }
  context.out() << "\n" << std::flush;
}

Json JsonOf(const std::string& policy, const book::Checkpoint& at) {
  return {{"policy", policy},
          {"games", at.games},
          {"elo_vs_frequency", at.elo.mean},
          {"elo_se", FiniteJson(at.elo.standard_error)},
          {"exploitability", at.exploitability.mean},
          {"exploitability_se", FiniteJson(at.exploitability.standard_error)}};
}

Json WorldJson(const book::WorldOptions& world) {
  return {{"positions", world.positions},
          {"depth", world.depth},
          {"least_moves", world.least_moves},
          {"most_moves", world.most_moves},
          {"start_worth", world.start_worth},
          {"mean_loss", world.mean_loss},
          {"leaf_noise", world.leaf_noise},
          {"transposing", world.transposing},
          {"human_noise", world.human_noise},
          {"human_temperature", world.human_temperature},
          {"eval_deviation", world.eval_deviation},
          {"eval_games", world.eval_games},
          {"draws", world.draws}};
}

void PrintLike(const std::string& run, const book::FittedWorld& fitted, Context& context) {
  context.out() << "a world like " << run << ", by " << fitted.moves << " tried moves of "
                << fitted.positions << " positions, " << fitted.grown << " of them grown:\n";
  const Json table = WorldJson(fitted.options);
  for (const auto& [name, value] : table.items()) {
    context.out() << absl::StreamFormat("  %-18s %g\n", name, value.get<double>());
  }
  context.out() << absl::StreamFormat("beside it, correlation of siblings %.2f\n",
                                      fitted.correlation);
  for (const book::EvaluationError& error : fitted.errors) {
    context.out() << absl::StreamFormat(
        "  evaluations of %d nodes and more err by %.0f centipawns (%d moves)\n", error.nodes,
        error.deviation, error.moves);
  }
}

absl::Status RunSimulate(const SimulateArguments& arguments, Context& context) {
  book::WorldOptions world = *book::NamedWorld(arguments.world);
  Json object;
  object["world"] = arguments.world;
  if (!arguments.like.empty()) {
    ASSIGN_OR_RETURN(const book::FittedWorld fitted, WorldLike(arguments.like, context));
    world = fitted.options;
    object["world"] = WorldJson(world);
    object["world"]["like"] = arguments.like;
    object["world"]["fitted_positions"] = fitted.positions;
    object["world"]["fitted_moves"] = fitted.moves;
    object["world"]["grown_moves"] = fitted.grown;
    object["world"]["sibling_correlation"] = fitted.correlation;
    object["world"]["eval_errors"] = Json::array();
    for (const book::EvaluationError& error : fitted.errors) {
      object["world"]["eval_errors"].push_back(
          {{"nodes", error.nodes}, {"moves", error.moves}, {"deviation", error.deviation}});
    }
    if (!context.json()) PrintLike(arguments.like, fitted, context);
  }
  if (arguments.eval_deviation >= 0) world.eval_deviation = arguments.eval_deviation;
  if (arguments.eval_games >= 0) world.eval_games = arguments.eval_games;
  if (!std::is_sorted(arguments.games.begin(), arguments.games.end())) {
    return MakeProblem({.code = "usage",
                        .file = "--games",
                        .found = "a smaller number after a larger one",
                        .expected = "ascending numbers"});
  }
  const uint32_t threads =
      arguments.threads > 0 ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<book::TableRow> rows;
  if (arguments.table) {
    rows = book::StandardTable();
  } else {
    ASSIGN_OR_RETURN(book::NamedPolicy policy,
                     PolicyOf(arguments.policy, arguments.goal, arguments.policy_options));
    rows.push_back({arguments.goal.empty() ? arguments.policy : arguments.goal, policy, true});
  }
  object["books"] = arguments.books;
  object["seed"] = arguments.seed;
  object["in_flight"] = arguments.in_flight;
  object["coordinators"] = arguments.coordinators;
  object["merge_every"] = arguments.merge_every;
  object["checkpoints"] = Json::array();
  if (!context.json()) {
    context.out() << "games: Elo over a player of the book's frequencies ± standard error, "
                     "exploitability ± standard error; "
                  << arguments.books << " books\n";
  }
  for (const book::TableRow& row : rows) {
    book::SimulationOptions options;
    options.policy = row.policy.name;
    options.policy_options = row.policy.options;
    options.games = arguments.games;
    options.in_flight = arguments.in_flight;
    options.parts = arguments.coordinators;
    options.merge_every = arguments.merge_every;
    options.deviation = arguments.deviation;
    options.seed = arguments.seed;
    options.estimate_priors = arguments.estimate_priors;
    options.settling.error = arguments.settle_error;
    ASSIGN_OR_RETURN(
        const std::vector<book::Checkpoint> checkpoints,
        book::SimulateBooks(book::WorldOf(row, world), options, arguments.books, threads));
    if (!context.json()) Print(row.name, checkpoints, context);
    for (const book::Checkpoint& at : checkpoints) {
      object["checkpoints"].push_back(JsonOf(row.name, at));
    }
  }
  if (context.json()) context.PrintJson(object);
  return absl::OkStatus();
}

}  // namespace

void AddSimulate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command = app.add_subcommand(
      "simulate", "Tunes synthetic books whose moves have known values, to compare policies");
  command
      ->add_option("--world", arguments->world, "how the books are made (docs/reference/tuning.md)")
      ->check(OneOf({"mild", "tacos"}))
      ->capture_default_str();
  command
      ->add_option("--like", arguments->like,
                   "instead a world that looks like this run of a database: spread of moves, error "
                   "of evaluations, choices of players")
      ->type_name("FILE[#RUN]")
      ->excludes("--world");
  AddPolicyOptions(*command, arguments->policy, arguments->goal, arguments->policy_options);
  command->add_option("--games", arguments->games, "games after which the answers are judged")
      ->type_name("N[,N...]")
      ->delimiter(',')
      ->check(Within(uint64_t{1}, uint64_t{100'000'000}))
      ->capture_default_str();
  command->add_option("--books", arguments->books, "books, each of a seed of its own")
      ->type_name("K")
      ->check(Within(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--seed", arguments->seed, "seed of the first book; the next has the next one")
      ->type_name("S")
      ->check(AnyWhole())
      ->capture_default_str();
  command->add_option("--in-flight", arguments->in_flight, "games that are being played at once")
      ->type_name("M")
      ->check(Within(1, 10'000'000))
      ->capture_default_str();
  command
      ->add_option("--coordinators", arguments->coordinators,
                   "that share games and games in flight, each with a run of its own; the answers "
                   "are those of all evidence together")
      ->type_name("K")
      ->check(Within(1, 10'000))
      ->capture_default_str();
  command
      ->add_option("--merge-every", arguments->merge_every,
                   "games in all after which each of them goes on from the evidence of all; 0: "
                   "only the answers do")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--deviation", arguments->deviation,
                   "chance at each book position that the game leaves the book there")
      ->type_name("P")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option("--eval-deviation", arguments->eval_deviation,
                   "standard deviation of evaluations in centipawns; by default the world's")
      ->type_name("CP")
      ->check(Within(0.0, 10000.0));
  command
      ->add_option("--eval-games", arguments->eval_games,
                   "games that an evaluation counts for, 0: none; by default the world's")
      ->type_name("N")
      ->check(Within(0.0, 1e6));
  command->add_flag("--estimate-priors", arguments->estimate_priors,
                    "what evaluations are worth is estimated from the games, as runs do");
  command
      ->add_option("--settle", arguments->settle_error,
                   "chance that a position is settled wrongly (see `joseki tune`); 0: none is")
      ->type_name("P")
      ->check(Within(0.0, 0.5))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "threads; 0: one a core")
      ->type_name("N")
      ->check(Within(0, 1024))
      ->capture_default_str();
  command->add_flag("--table", arguments->table,
                    "all the policies of the standard table (docs/laboratory/tuning.md)");
  command->callback([arguments, &context] { context.Finish(RunSimulate(*arguments, context)); });
}

}  // namespace joseki::cli
