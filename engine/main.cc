// joseki-engine: USI without arguments, small tools with them.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <iterator>
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
#include "engine/book_port.h"
#include "engine/core/isa.h"
#include "engine/learn_command.h"
#include "engine/mate_command.h"
#include "engine/perft_command.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/shogi/eval/formations.h"
#include "engine/shogi/eval/knowledge.h"
#include "engine/shogi/eval/learned.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/sfen.h"
#include "engine/suite_command.h"
#include "engine/transitions_command.h"
#include "engine/usi/usi_loop.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Arguments {
  bool json = false;
  MateArguments mate;
  PerftArguments perft;
  SuiteArguments suite;
  LearnPlayArguments learn_play;
  LearnTrainArguments learn_train;
  LearnGatherArguments learn_gather;
  LearnMovesArguments learn_moves;
  LearnCombineArguments learn_combine;
  LearnAgreeArguments learn_agree;
  std::string weights;
  std::vector<std::string> games;
  std::string sfen = "startpos";
  uint64_t nodes = 200000;
  bool killers = false;
  std::vector<std::string> set;  // of the bench's search
  bool table = false;
  int depth = 6;
};
using Command = absl::Status (*)(const Arguments&);

// How long `work` takes, in seconds; never 0, so that rates can be formed.
template <typename Work>
double Seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return std::max(taken.count(), 1e-9);
}

uint64_t Rate(uint64_t nodes, double seconds) {
  return static_cast<uint64_t>(static_cast<double>(nodes) / seconds);
}

void Print(const Json& json) { std::cout << json.dump() << std::endl; }

void PrintFigures(uint64_t nodes, double seconds) {
  std::cout << "nodes     " << nodes << "\nseconds   " << std::fixed << std::setprecision(3)
            << seconds << "\nnps       " << Rate(nodes, seconds) << std::endl;
}

// How often each kind of killer was best or cut, of the times it was legal.
void PrintKillers(const KillerRates& rates, bool json) {
  constexpr const char* kNames[] = {"brother", "pass", "premove", "context"};
  Json all = Json::object();
  for (size_t kind = 0; kind < std::size(kNames); ++kind) {
    auto listed = [](const auto& row) {
      Json list = Json::array();
      for (const KillerRates::Rate& rate : row) {
        list.push_back({{"legal", rate.legal}, {"best", rate.best}, {"cut", rate.cut}});
      }
      return list;
    };
    all[kNames[kind]] = {{"by_depth", listed(rates.by_depth[kind])},
                         {"by_stage", listed(rates.by_stage[kind])},
                         {"by_category", rates.by_category[kind]},
                         {"by_purpose", rates.by_purpose[kind]}};
    if (json) continue;
    const KillerRates::Rate total = rates.Total(static_cast<ContextKillers::Kind>(kind));
    std::cout << std::left << std::setw(8) << kNames[kind] << std::right << " legal " << total.legal
              << ", best " << total.best << ", cut " << total.cut << ", rate " << std::fixed
              << std::setprecision(3) << total.effective() << "\n  by depth";
    for (const auto& rate : rates.by_depth[kind]) {
      if (rate.legal >= 50) std::cout << " " << rate.effective();
    }
    std::cout << "\n  by stage";
    for (const auto& rate : rates.by_stage[kind]) std::cout << " " << rate.effective();
    std::cout << "\n  effective, percent by TACOS's categories";
    const auto effective = static_cast<double>(total.best + total.cut);
    for (size_t purpose = 1; purpose < rates.by_purpose[kind].size(); ++purpose) {
      const uint64_t count = rates.by_purpose[kind][purpose];
      if (count == 0) continue;
      std::cout << " " << purpose << ": " << std::setprecision(1)
                << 100 * static_cast<double>(count) / effective;
    }
    std::cout << std::setprecision(3) << "\n";
  }
  if (json) Print({{"schema", 1}, {"killers", all}});
}

// What happens in the table in searches of the bench positions to a depth: of our scheme in tables
// of several sizes, then of each scheme in a small one.
void PrintTables(int depth, bool json) {
  constexpr const char* kNames[] = {"clusters", "deep",   "new",     "old",
                                    "big1",     "bigAll", "twoDeep", "twoBig"};
  constexpr size_t kSmall = size_t{1} << 18;
  Json rows = Json::array();
  if (!json) {
    std::cout << "scheme      KiB     nodes    probes      hits    stores  overwrites  expected  "
                 "refusals\n";
  }
  auto print = [&](int scheme, size_t bytes) {
    const TableBench bench = RunTableBench(depth, bytes, scheme);
    const TableStatistics& s = bench.statistics;
    rows.push_back({{"scheme", kNames[scheme]},
                    {"bytes", bytes},
                    {"nodes", bench.nodes},
                    {"probes", s.probes},
                    {"hits", s.hits},
                    {"stores", s.stores},
                    {"overwrites", s.overwrites},
                    {"expected_overwrites", bench.expected_overwrites},
                    {"refusals", s.refusals}});
    if (json) return;
    std::cout << std::left << std::setw(9) << kNames[scheme] << std::right << std::setw(6)
              << (bytes >> 10) << std::setw(10) << bench.nodes << std::setw(10) << s.probes
              << std::setw(10) << s.hits << std::setw(10) << s.stores << std::setw(12)
              << s.overwrites << std::setw(10) << std::fixed << std::setprecision(0)
              << bench.expected_overwrites << std::setw(10) << s.refusals << "\n";
  };
  for (size_t bytes = size_t{1} << 16; bytes <= size_t{1} << 24; bytes <<= 2) print(0, bytes);
  for (int scheme = 1; scheme < static_cast<int>(std::size(kNames)); ++scheme) {
    print(scheme, kSmall);
  }
  if (json) Print({{"schema", 1}, {"depth", depth}, {"tables", rows}});
}

absl::Status Bench(const Arguments& arguments) {
  if (arguments.table) {
    PrintTables(arguments.depth, arguments.json);
    return absl::OkStatus();
  }
  if (arguments.killers) {
    PrintKillers(RunKillerBench(arguments.nodes), arguments.json);
    return absl::OkStatus();
  }
  shogi::EngineOptions options;
  RETURN_IF_ERROR(options.SetAll(arguments.set));
  const uint64_t signature = BenchSignature();
  BenchResult result;
  const double seconds = Seconds([&] { result = RunBench(arguments.nodes, options); });
  if (arguments.json) {
    Print({{"schema", 1},
           {"nodes", result.nodes},
           {"seconds", seconds},
           {"nps", Rate(result.nodes, seconds)},
           {"signature", signature},
           {"isa", Name(ProcessIsa())}});
  } else {
    PrintFigures(result.nodes, seconds);
    std::cout << "signature " << signature << "\nisa       " << Name(ProcessIsa()) << std::endl;
  }
  return absl::OkStatus();
}

absl::Status CountMoves(const Arguments& arguments) {
  PerftArguments perft = arguments.perft;
  perft.json = arguments.json;
  return RunPerft(perft, std::cout, std::cerr);
}

absl::Status FindMates(const Arguments& arguments) {
  MateArguments mate = arguments.mate;
  mate.json = arguments.json;
  return RunMate(mate, std::cin, std::cout, std::cerr);
}

absl::Status Transitions(const Arguments& arguments) {
  return CountTransitions(arguments.games, std::cout, std::cerr);
}

absl::Status SearchSuite(const Arguments& arguments) {
  SuiteArguments suite = arguments.suite;
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

// Term by term, from the side to move.
absl::Status Evaluate(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const shogi::SfenPosition start, shogi::ParseSfen(arguments.sfen));
  const shogi::PlainTerms plain = shogi::ExplainPlain(start.position);
  std::unique_ptr<const shogi::Network> loaded;
  if (!arguments.weights.empty()) {
    ASSIGN_OR_RETURN(loaded, shogi::LoadNetwork(arguments.weights));
  }
  const shogi::Network& network = loaded != nullptr ? *loaded : shogi::BuiltInNetwork();
  const Color us = start.position.side_to_move();
  const shogi::LearnedTerms learned = shogi::LearnedEvaluator(network).Explain(start.position);
  if (arguments.json) {
    auto side = [](const shogi::PlainTerms::Side& s) {
      return Json{{"placed", s.placed}, {"guard", s.guard}, {"danger_to_other", s.danger}};
    };
    Json terms = Json::object();
    for (const shogi::KnowledgeTerm& term : shogi::KnowledgeTerms()) {
      terms[term.name] = {{"own", term.of(start.position, us)},
                          {"other", term.of(start.position, ~us)}};
    }
    Print({{"schema", 1},
           {"value", plain.total},
           {"plain",
            {{"own", side(plain.own)}, {"other", side(plain.other)}, {"total", plain.total}}},
           {"learned",
            {{"plain", learned.plain},
             {"balance", learned.balance},
             {"safety", learned.safety},
             {"output", learned.output},
             {"stage", learned.stage},
             {"total", learned.total},
             {"weights_sha256", network.sha256()}}},
           {"terms", terms},
           {"formations",
            {{"own", shogi::FormationNearest(start.position, us).name},
             {"other", shogi::FormationNearest(start.position, ~us).name}}}});
    return absl::OkStatus();
  }
  auto row = [](const char* name, int own, int other) {
    std::cout << std::left << std::setw(34) << name << std::right << std::setw(7) << own
              << std::setw(7) << other << "\n";
  };
  std::cout << plain.total << " (hundredths of a pawn, from the side to move)\n\n"
            << std::left << std::setw(34) << "plain"
            << "    own  other\n";
  row("material, places, mobility", plain.own.placed, plain.other.placed);
  row("guard of the own king", plain.own.guard, plain.other.guard);
  row("danger to the other king", plain.own.danger, plain.other.danger);
  std::cout << "total                             " << std::setw(7) << plain.total
            << "\n\nlearned, weights " << network.sha256()
            << "\nthe plain evaluation, as it counts " << std::setw(6) << learned.plain
            << "\npieces and places by king        " << std::setw(8) << learned.balance
            << "\nsquares beside the kings         " << std::setw(8) << learned.safety
            << "\nnetwork, stage " << learned.stage << "                 " << std::setw(8)
            << learned.output << "\ntotal                             " << std::setw(7)
            << learned.total << "\n\n"
            << std::left << std::setw(34) << "by options"
            << "    own  other\n";
  for (const shogi::KnowledgeTerm& term : shogi::KnowledgeTerms()) {
    row(term.name, term.of(start.position, us), term.of(start.position, ~us));
  }
  for (const Color side : {us, ~us}) {
    const shogi::RecognisedFormation formation = shogi::FormationNearest(start.position, side);
    std::cout << (side == us ? "own formation    " : "other's formation ") << formation.name << ", "
              << formation.in_place << " of " << formation.pieces << " in place, towards "
              << formation.goal << "\n";
  }
  std::cout << std::flush;
  return absl::OkStatus();
}

// One line on stderr, or the error object on stdout.
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

// joseki-engine learn play, train, agree.
void AddLearning(CLI::App& app, Arguments& arguments, Command& command) {
  CLI::App* learn = app.add_subcommand("learn", "Make weights of the learned evaluation");
  learn->require_subcommand(1);
  auto add = [&](const char* name, const char* help, Command function) {
    CLI::App* sub = learn->add_subcommand(name, help);
    sub->callback([&command, function] { command = function; });
    return sub;
  };
  const Within threads(1, 256);
  CLI::App* play = add("play", "Play games to learn from", PlayToLearn);
  LearnPlayArguments& p = arguments.learn_play;
  play->add_option("--starts", p.starts,
                   "Start positions, one a line; default: the start position");
  play->add_option("--out", p.out, "File of samples; FILE.state beside it")->required();
  play->add_option("--weights", p.weights, "Who plays; default: the plain evaluation");
  play->add_option("--games", p.games, "That the file shall hold");
  play->add_option("--nodes", p.nodes, "A move, on average")
      ->check(Within(uint64_t{2}, uint64_t{1000000000}));
  play->add_option("--set", p.set, "NAME=VALUE of the search's options");
  play->add_option("--random-plies", p.random_plies, "At most, after the start")
      ->check(Within(0, 100));
  play->add_option("--seed", p.seed, "Of the games");
  play->add_option("--threads", p.threads, "Games at a time")->check(threads);
  CLI::App* train = add("train", "Train weights with samples", Train);
  LearnTrainArguments& t = arguments.learn_train;
  train->add_option("--samples", t.samples, "Files of samples")->required();
  train->add_option("--out", t.out, "File of weights; its record beside it")->required();
  train->add_option("--state", t.state, "State of the training, to go on with");
  train->add_option("--from", t.from, "Weights to begin with; default: the plain evaluation");
  train->add_option("--epochs", t.epochs, "Passes")->check(Within(1, 1000));
  train->add_option("--batch", t.batch, "Samples a step")->check(Within(1, 1 << 20));
  train->add_option("--rate", t.rate, "Of the first step")->check(Within(0.0, 1.0));
  train->add_option("--result-share", t.result_share, "Of the aim; the rest is the search's score")
      ->check(Within(0.0, 1.0));
  train
      ->add_option("--foresight", t.foresight,
                   "Weight, a ply, of what the searches after it say beside a search's own score")
      ->check(Within(0.0, 0.99));
  train->add_option("--held-out", t.held_out, "One game of so many is kept apart")
      ->check(Within(2, 1000000));
  train->add_option("--seed", t.seed, "Of first weights and order");
  train->add_option("--threads", t.threads, "At work on a step")->check(threads);
  CLI::App* gather = add("gather", "Make samples of games that a coordinator exported", Gather);
  LearnGatherArguments& g = arguments.learn_gather;
  gather->add_option("FILE", g.games, "JSON: a game a line, or an object with games")->required();
  gather->add_option("--out", g.out, "File of samples")->required();
  CLI::App* moves = add("moves", "Learn from the moves of games, as Bonanza does", FromMoves);
  LearnMovesArguments& m = arguments.learn_moves;
  moves->add_option("FILE", m.games, "Games, one a line, as moves of USI")->required();
  moves->add_option("--out", m.out, "File of weights")->required();
  moves->add_option("--state", m.state, "State of the learning, to go on with");
  moves->add_option("--rounds", m.rounds, "At most")->check(Within(1, 10000));
  moves->add_option("--held-out", m.held_out, "One game of so many is kept apart")
      ->check(Within(2, 1000000));
  moves->add_option("--width", m.width, "Points over which a move counts as better")
      ->check(Within(1.0, 10000.0));
  moves->add_option("--penalty", m.penalty, "Of a weight's square")->check(Within(0.0, 1.0));
  moves->add_option("--step", m.step, "At first, in eighths of a point")->check(Within(1, 4096));
  moves->add_option("--threads", m.threads, "At work on a round")->check(threads);
  CLI::App* combine = add("combine", "Look for pairs of pieces worth more together", Combine);
  LearnCombineArguments& c = arguments.learn_combine;
  combine->add_option("--samples", c.samples, "Files of samples")->required();
  combine->add_option("--out", c.out, "Header with the table")->required();
  combine->add_option("--least-positions", c.least_positions, "That a pair must be in");
  combine->add_option("--most", c.most, "Pairs")->check(Within(0, 1000));
  CLI::App* agree = add("agree", "Count the moves of games that a search chooses too", Agree);
  LearnAgreeArguments& a = arguments.learn_agree;
  agree->add_option("FILE", a.games, "Games, one a line, as moves of USI")->required();
  agree->add_option("--weights", a.weights, "Default: those built in");
  agree->add_flag("--plain", a.plain, "The plain evaluation instead");
  agree->add_option("--nodes", a.nodes, "A position")
      ->check(Within(uint64_t{1}, uint64_t{1000000000}));
}

int Main(int argc, char** argv) {
  Arguments arguments;
  Command command = nullptr;

  CLI::App app("Joseki's shogi engine. Without a command it speaks USI.", "joseki-engine");
  app.require_subcommand(0, 1);
  auto add = [&](const char* name, const char* help, absl::Status (*function)(const Arguments&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_flag("--json", arguments.json, "One JSON object on stdout");
    sub->callback([&command, function] { command = function; });
    return sub;
  };
  CLI::App* bench = add("bench", "Search fixed positions; print speed and signature", Bench);
  bench->add_option("--nodes", arguments.nodes, "Nodes a position, for the speed")
      ->check(Within(uint64_t{1}, uint64_t{1000000000}));
  bench->add_option("--set", arguments.set,
                    "NAME=VALUE of the search's options, for the speed; the signature is without");
  bench->add_flag("--killers", arguments.killers,
                  "How often each kind of killer was best or cut, by depth, "
                  "stage and category");
  bench->add_flag("--table", arguments.table,
                  "Hits, stores and overwrites of the transposition table, by its size and by how "
                  "it replaces");
  bench->add_option("--depth", arguments.depth, "With --table: iterations (6)")
      ->check(Within(1, 20));
  CLI::App* perft = add("perft", "Count sequences of legal moves", CountMoves);
  perft->add_option("DEPTH", arguments.perft.depth, "Plies; with --compare, of the deepest rows")
      ->check(Within(0, 20));
  perft->add_option("--sfen", arguments.perft.sfen, "Position; default: the start position");
  perft->add_flag("--split", arguments.perft.split, "Also the count below each move");
  perft->add_option("--threads", arguments.perft.threads, "Threads, over the first moves")
      ->check(Within(1, 256));
  perft->add_option("--compare", arguments.perft.compare,
                    "Check every row of a tab-separated FILE of sfen, depth, "
                    "nodes or of sfen, n, "
                    "moves (lists without pointless non-promotions)");
  perft->add_flag("--checks", arguments.perft.checks, "With --compare: lists of checking moves");
  CLI::App* mate = add("mate", "Look for a mate by checks alone, of any length", FindMates);
  CLI::Option* sfens =
      mate->add_option("SFEN", arguments.mate.sfens,
                       "Positions, each as one argument; default: one a line of standard input");
  mate->add_option("--file", arguments.mate.file, "Positions, one a line, or a column sfen")
      ->excludes(sfens);
  mate->add_option("--nodes", arguments.mate.nodes, "Limit for each position")
      ->check(Within(uint64_t{1}, uint64_t{1} << 60));
  mate->add_option("--seconds,--time", arguments.mate.seconds, "Limit for each position")
      ->check(Within(0.0, 1e6));
  mate->add_option("--plies", arguments.mate.plies,
                   "Search by depth, to so many plies; default: by proof numbers")
      ->check(Within(1, 99));
  mate->add_option("--cuts", arguments.mate.cuts,
                   "With --plies: what it leaves out, a sum (MateCuts of usi)")
      ->check(Within(0U, 31U));
  mate->add_option("--hash", arguments.mate.hash_mb, "Table in MiB")->check(Within(1, 32768));
  CLI::App* suite = add("suite", "Search positions whose best or bad moves are known", SearchSuite);
  suite
      ->add_option("FILE", arguments.suite.file,
                   "Tab-separated: sfen, moves or answers, kind, value")
      ->required();
  suite->add_option("--nodes", arguments.suite.nodes, "Limit for each position (10000)")
      ->check(Within(uint64_t{1}, uint64_t{1} << 60));
  suite->add_option("--depth", arguments.suite.depth, "Iterations for each position")
      ->check(Within(1, 120));
  suite->add_option("--hash", arguments.suite.hash_mb, "Table in MiB")->check(Within(1, 32768));
  suite
      ->add_option("--window", arguments.suite.window,
                   "What a score may differ from the expected one")
      ->check(Within(0, 32000));
  suite->add_option("--set", arguments.suite.set, "NAME=VALUE of the search's options");
  CLI::App* transitions =
      add("transitions", "Count how often moves of each category are played in games", Transitions);
  transitions->add_option("FILE", arguments.games, "Games, one a line, as moves of USI")
      ->required();
  AddLearning(app, arguments, command);
  CLI::App* eval = add("eval", "Static evaluation of a position, term by term", Evaluate);
  eval->add_option("--weights", arguments.weights, "Learned weights; default: those built in");
  eval->add_option("SFEN", arguments.sfen, "Position, as one argument, or startpos")->required();

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
    usi::UsiLoop(std::cin, std::cout, usi::Options(), MakeOwnBook(), MakeExtendedBook(),
                 MakePartialBook())
        .Run();
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
