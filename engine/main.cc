// joseki-engine: speaks USI, UCCI and UCI if it has no arguments; otherwise runs a tool.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/standard_output.h"
#include "base/status_macros.h"
#include "engine/bench_command.h"
#include "engine/book_port.h"
#include "engine/by_game.h"
#include "engine/core/isa.h"
#include "engine/edge_attacks_command.h"
#include "engine/eval_command.h"
#include "engine/learn_command.h"
#include "engine/learn_moves_command.h"
#include "engine/mate_command.h"
#include "engine/perft_command.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/suite_command.h"
#include "engine/transitions_command.h"
#include "engine/usi/engine_loop.h"
#include "engine/usi/shogi/shogi_engine.h"
#include "engine/usi/xiangqi/xiangqi_engine.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Arguments {
  bool json = false;
  std::string game = "shogi";
  BenchArguments bench;
  EvalArguments eval;
  MateArguments mate;
  PerftArguments perft;
  EdgeAttacksArguments edge_attacks;
  SuiteArguments suite;
  LearnPlayArguments learn_play;
  LearnTrainArguments learn_train;
  LearnGatherArguments learn_gather;
  LearnMovesArguments learn_moves;
  LearnCombineArguments learn_combine;
  LearnAgreeArguments learn_agree;
  std::vector<std::string> games;
};
using Command = absl::Status (*)(const Arguments&);

// Wraps a command that exists for shogi only and refuses other games.
template <Command command>
absl::Status OfShogi(const Arguments& arguments) {
  static constexpr ByGame<Command> kOnly[] = {{"shogi", command}};
  ASSIGN_OR_RETURN(const Command chosen, Chosen(arguments.game, kOnly));
  return chosen(arguments);
}

void Print(const Json& json) { std::cout << json.dump() << std::endl; }

absl::Status Bench(const Arguments& arguments) {
  BenchArguments bench = arguments.bench;
  bench.game = arguments.game;
  bench.json = arguments.json;
  return RunBenchCommand(bench, std::cout);
}

absl::Status Evaluate(const Arguments& arguments) {
  EvalArguments eval = arguments.eval;
  eval.game = arguments.game;
  eval.json = arguments.json;
  return RunEval(eval, std::cout);
}

absl::Status CountMoves(const Arguments& arguments) {
  PerftArguments perft = arguments.perft;
  perft.game = arguments.game;
  perft.json = arguments.json;
  return RunPerft(perft, std::cout, std::cerr);
}

absl::Status FindMates(const Arguments& arguments) {
  MateArguments mate = arguments.mate;
  mate.game = arguments.game;
  mate.json = arguments.json;
  return RunMate(mate, std::cin, std::cout, std::cerr);
}

absl::Status Transitions(const Arguments& arguments) {
  return CountTransitions(arguments.games, std::cout, std::cerr);
}

absl::Status EdgeAttacks(const Arguments& arguments) {
  return CollectEdgeAttacks(arguments.edge_attacks, std::cout, std::cerr);
}

absl::Status SearchSuite(const Arguments& arguments) {
  SuiteArguments suite = arguments.suite;
  suite.game = arguments.game;
  suite.json = arguments.json;
  return RunSuite(suite, std::cout, std::cerr);
}

absl::Status PlayToLearn(const Arguments& arguments) {
  return LearnPlay(arguments.learn_play, std::cerr);
}

absl::Status Train(const Arguments& arguments) {
  return LearnTrain(arguments.learn_train, std::cout);
}

absl::Status Gather(const Arguments& arguments) {
  return LearnGather(arguments.learn_gather, std::cout);
}

absl::Status FromMoves(const Arguments& arguments) {
  return LearnMoves(arguments.learn_moves, std::cout);
}

absl::Status Combine(const Arguments& arguments) {
  return LearnCombine(arguments.learn_combine, std::cout);
}

absl::Status Agree(const Arguments& arguments) {
  return LearnAgree(arguments.learn_agree, std::cout);
}

// Prints one line on stderr, or the error object on stdout.
int Fail(const Problem& problem, const std::string& message, bool json, int exit_code) {
  if (json) {
    Print({{"schema", 1},
           {"error",
            {{"code", problem.code},
             {"file", problem.file},
             {"line", problem.line},
             {"found", problem.found},
             {"expected", problem.expected},
             {"message", message}}}});
  } else {
    std::cerr << "joseki-engine: " << message << std::endl;
  }
  return exit_code;
}

// Adds joseki-engine learn play, train, agree, ...
void AddLearning(CLI::App& app, Arguments& arguments, Command& command) {
  CLI::App* learn = app.add_subcommand("learn", "Make weights of the learned evaluation");
  learn->require_subcommand(1);
  auto add = [&](const char* name, const char* help, Command function) {
    CLI::App* sub = learn->add_subcommand(name, help);
    sub->add_option("--game", arguments.game, "shogi, the only one that learns here");
    sub->callback([&command, function] { command = function; });
    return sub;
  };
  const Within threads(1, 256);
  CLI::App* play = add("play", "Play games to learn from", OfShogi<PlayToLearn>);
  LearnPlayArguments& p = arguments.learn_play;
  play->add_option("--starts", p.starts,
                   "Start positions, one a line; default: the start position");
  play->add_option("--out", p.out, "File of samples; FILE.state beside it")->required();
  play->add_option("--weights", p.weights, "Weights of the players; default: the plain evaluation");
  play->add_option("--games", p.games, "Number of games in the file, earlier ones included");
  play->add_option("--nodes", p.nodes, "Mean nodes a move")
      ->check(Within(uint64_t{2}, uint64_t{1000000000}));
  play->add_option("--set", p.set, "NAME=VALUE of the search's options");
  play->add_option("--random-plies", p.random_plies, "Most random plies after the start")
      ->check(Within(0, 100));
  play->add_option("--seed", p.seed, "Seed of the games")->check(AnyWhole());
  play->add_option("--threads", p.threads, "Games at a time")->check(threads);
  CLI::App* train = add("train", "Train weights with samples", OfShogi<Train>);
  LearnTrainArguments& t = arguments.learn_train;
  train->add_option("--samples", t.samples, "Files of samples")->required();
  train->add_option("--out", t.out, "File of weights; its record beside it")->required();
  train->add_option("--state", t.state, "File of the training's state, to continue it");
  train->add_option("--from", t.from, "Weights to begin with; default: the plain evaluation");
  train->add_option("--epochs", t.epochs, "Passes over the samples")->check(Within(1, 1000));
  train->add_option("--batch", t.batch, "Samples a step")->check(Within(1, 1 << 20));
  train->add_option("--rate", t.rate, "Rate of the first step")->check(Within(0.0, 1.0));
  train
      ->add_option("--result-share", t.result_share,
                   "Part of the result in the target; the rest is the search's score")
      ->check(Within(0.0, 1.0));
  train
      ->add_option("--foresight", t.foresight,
                   "Weight, a ply, of later searches' scores beside a search's own")
      ->check(Within(0.0, 0.99));
  train->add_option("--held-out", t.held_out, "One game of so many is kept apart")
      ->check(Within(2, 1000000));
  train->add_option("--seed", t.seed, "Seed of first weights and order")->check(AnyWhole());
  train->add_option("--threads", t.threads, "Threads of a step")->check(threads);
  CLI::App* gather =
      add("gather", "Make samples of games that a coordinator exported", OfShogi<Gather>);
  LearnGatherArguments& g = arguments.learn_gather;
  gather->add_option("FILE", g.games, "JSON: a game a line, or an object with games")->required();
  gather->add_option("--out", g.out, "File of samples")->required();
  CLI::App* moves =
      add("moves", "Learn from the moves of games, as Bonanza does", OfShogi<FromMoves>);
  LearnMovesArguments& m = arguments.learn_moves;
  moves->add_option("FILE", m.games, "Games, one a line, as moves of USI")->required();
  moves->add_option("--out", m.out, "File of weights")->required();
  moves->add_option("--state", m.state, "File of the learning's state, to continue it");
  moves->add_option("--rounds", m.rounds, "Most rounds")->check(Within(1, 10000));
  moves->add_option("--held-out", m.held_out, "One game of so many is kept apart")
      ->check(Within(2, 1000000));
  moves->add_option("--width", m.width, "Points over which a move counts as better")
      ->check(Within(1.0, 10000.0));
  moves->add_option("--penalty", m.penalty, "Penalty on a weight's square")
      ->check(Within(0.0, 1.0));
  moves->add_option("--step", m.step, "First step, in eighths of a point")->check(Within(1, 4096));
  moves->add_option("--threads", m.threads, "Threads of a round")->check(threads);
  CLI::Option* part = moves->add_option(
      "--part", m.part, "I/N: do the I-th of N parts of each round; N processes learn together");
  CLI::Option* folder =
      moves->add_option("--folder", m.folder, "Folder that the processes of all parts share");
  part->needs(folder);
  folder->needs(part);
  moves->add_option("--wait-seconds", m.wait_seconds, "Longest wait for the other parts in a round")
      ->check(Within(0, 10000000))
      ->needs(part);
  CLI::App* combine =
      add("combine", "Look for pairs of pieces worth more together", OfShogi<Combine>);
  LearnCombineArguments& c = arguments.learn_combine;
  combine->add_option("--samples", c.samples, "Files of samples")->required();
  combine->add_option("--out", c.out, "Header with the table")->required();
  combine->add_option("--least-positions", c.least_positions,
                      "Least number of positions with a pair");
  combine->add_option("--most", c.most, "Most pairs")->check(Within(0, 1000));
  CLI::App* agree =
      add("agree", "Count the moves of games that a search chooses too", OfShogi<Agree>);
  LearnAgreeArguments& a = arguments.learn_agree;
  agree->add_option("FILE", a.games, "Games, one a line, as moves of USI")->required();
  agree->add_option("--weights", a.weights, "Weights; default: those built in");
  agree->add_flag("--plain", a.plain, "Use the plain evaluation instead");
  agree->add_option("--nodes", a.nodes, "Nodes a position")
      ->check(Within(uint64_t{1}, uint64_t{1000000000}));
}

std::unique_ptr<usi::GameEngine> MakeShogi(const usi::Protocol& protocol) {
  return usi::MakeShogiEngine(protocol, {},
                              {.own = MakeOwnBook(shogi::ShogiRules()),
                               .extended = MakeExtendedBook(),
                               .partial = MakePartialBook()});
}
std::unique_ptr<usi::GameEngine> MakeXiangqi(const usi::Protocol& protocol) {
  return usi::MakeXiangqiEngine(protocol, {}, MakeOwnBook(xiangqi::XiangqiRules()));
}

// The engine of the game that a protocol is for.
std::unique_ptr<usi::GameEngine> MakeEngine(const usi::Protocol& protocol) {
  static constexpr ByGame<decltype(&MakeShogi)> kEngines[] = {{"shogi", MakeShogi},
                                                              {"xiangqi", MakeXiangqi}};
  return (*Chosen(protocol.game, kEngines))(protocol);
}

int Main(int argc, char** argv) {
  Arguments arguments;
  Command command = nullptr;

  CLI::App app(
      "Joseki's engine. Without a command it speaks USI (shogi), UCCI or UCI (xiangqi): the first "
      "word says which.",
      "joseki-engine");
  app.require_subcommand(0, 1);
  auto add = [&](const char* name, const char* help, absl::Status (*function)(const Arguments&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_flag("--json", arguments.json, "One JSON object on stdout");
    sub->add_option("--game", arguments.game, "shogi (the default) or xiangqi");
    sub->callback([&command, function] { command = function; });
    return sub;
  };
  CLI::App* bench = add("bench", "Search fixed positions; print speed and signature", Bench);
  bench->add_option("--nodes", arguments.bench.nodes, "Nodes a position, for the speed")
      ->check(Within(uint64_t{1}, uint64_t{1000000000}));
  bench->add_option("--set", arguments.bench.set,
                    "NAME=VALUE of the search's options, for the speed; the signature is without");
  CLI::Option* const killers = bench->add_flag(
      "--killers", arguments.bench.killers,
      "Rate at which each kind of killer was best or cut, by depth, stage and category");
  bench
      ->add_option("--positions", arguments.bench.positions,
                   "With --killers: a file of positions, one a line, instead of the fixed ones")
      ->needs(killers);
  bench->add_flag(
      "--table", arguments.bench.table,
      "Hits, stores and overwrites of the transposition table, by size and replacement scheme");
  bench->add_option("--depth", arguments.bench.depth, "With --table: iterations (6)")
      ->check(Within(1, 20));
  CLI::App* perft = add("perft", "Count sequences of legal moves", CountMoves);
  perft
      ->add_option("DEPTH", arguments.perft.depth,
                   "Plies; with --compare, those of the deepest rows")
      ->check(Within(0, 20));
  perft->add_option("--sfen,--fen", arguments.perft.sfen, "Position; default: the start position");
  perft->add_flag("--split", arguments.perft.split, "Print the count below each move too");
  perft->add_option("--threads", arguments.perft.threads, "Threads, over the first moves")
      ->check(Within(1, 256));
  perft->add_option(
      "--compare", arguments.perft.compare,
      "Check every row of a tab-separated FILE of sfen (of xiangqi fen), depth, nodes "
      "or of sfen, n, moves (lists without pointless non-promotions)");
  perft->add_flag("--checks", arguments.perft.checks, "With --compare: lists of checking moves");
  CLI::App* mate = add("mate", "Look for a mate by checks alone, of any length", FindMates);
  CLI::Option* sfens =
      mate->add_option("SFEN", arguments.mate.sfens,
                       "Positions, each as one argument; default: one a line of standard input");
  mate->add_option("--file", arguments.mate.file, "Positions, one a line, or a column sfen (fen)")
      ->excludes(sfens);
  mate->add_option("--nodes", arguments.mate.nodes, "Limit for each position")
      ->check(Within(uint64_t{1}, uint64_t{1} << 60));
  mate->add_option("--seconds,--time", arguments.mate.seconds, "Limit for each position")
      ->check(Within(0.0, 1e6));
  mate->add_option("--plies", arguments.mate.plies,
                   "Limit of a search by depth, in plies; default: by proof numbers")
      ->check(Within(1, 99));
  mate->add_option("--cuts", arguments.mate.cuts,
                   "With --plies: cuts of the search, as a sum (MateCuts of usi)")
      ->check(Within(0U, 31U));
  mate->add_option("--hash", arguments.mate.hash_mb, "Table in MiB")->check(Within(1, 32768));
  CLI::App* suite = add("suite", "Search positions whose best or bad moves are known", SearchSuite);
  suite
      ->add_option("FILE", arguments.suite.file,
                   "Tab-separated: sfen (of xiangqi fen), moves or answers, kind, value")
      ->required();
  suite->add_option("--nodes", arguments.suite.nodes, "Limit for each position (10000)")
      ->check(Within(uint64_t{1}, uint64_t{1} << 60));
  suite->add_option("--depth", arguments.suite.depth, "Iterations for each position")
      ->check(Within(1, 120));
  suite->add_option("--move-ms", arguments.suite.move_ms, "Milliseconds for each position")
      ->check(Within(1, 3600000));
  suite->add_option("--hash", arguments.suite.hash_mb, "Table in MiB")->check(Within(1, 32768));
  suite->add_option("--hash-kib", arguments.suite.hash_kib, "A smaller table in KiB instead")
      ->check(Within(1, 1 << 20));
  suite
      ->add_option("--window", arguments.suite.window,
                   "Largest difference of a score from the expected one")
      ->check(Within(0, 32000));
  suite->add_option("--set", arguments.suite.set, "NAME=VALUE of the search's options");
  CLI::App* transitions =
      add("transitions", "Count how often moves of each category are played in games",
          OfShogi<Transitions>);
  transitions->add_option("FILE", arguments.games, "Games, one a line, as moves of USI")
      ->required();
  CLI::App* edges = add("edge-attacks",
                        "List positions of games in which an edge attack might begin, for `suite`",
                        OfShogi<EdgeAttacks>);
  edges->add_option("FILE", arguments.edge_attacks.files, "Games, one a line, as moves of USI")
      ->required();
  edges->add_option("--book", arguments.edge_attacks.book, "Leave out the positions of this book");
  edges
      ->add_option("--depth", arguments.edge_attacks.depth,
                   "Iterations of the searches that recognise a forced move")
      ->capture_default_str()
      ->check(Within(1, 120));
  AddLearning(app, arguments, command);
  CLI::App* eval = add("eval", "Print the static evaluation of a position, term by term", Evaluate);
  eval->add_option("--weights", arguments.eval.weights, "Learned weights; default: those built in");
  eval->add_option("SFEN", arguments.eval.position,
                   "Position (of xiangqi a FEN), as one argument, or startpos")
      ->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    const Problem problem{.code = "usage",
                          .file = {},
                          .line = 0,
                          .found = error.what(),
                          .expected = "see joseki-engine --help"};
    return Fail(problem, error.what(), arguments.json, kBadUsage);
  }

  if (const auto isa = ChosenIsa(); !isa.ok()) {
    return Fail(ProblemOf(isa.status()), std::string(isa.status().message()), arguments.json,
                kBadUsage);
  }
  if (command == nullptr) {
    std::ios::sync_with_stdio(false);
    usi::EngineLoop(std::cin, std::cout, MakeEngine).Run();
    return kDone;
  }
  if (const absl::Status status = command(arguments); !status.ok()) {
    const Problem problem = ProblemOf(status);
    return Fail(problem, std::string(status.message()), arguments.json,
                problem.code == "usage" ? kBadUsage : kFailed);
  }
  return kDone;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) {
  return joseki::AfterOutput("joseki-engine", joseki::Main(argc, argv));
}
