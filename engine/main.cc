// joseki-engine: USI without arguments, small tools with them.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/book_port.h"
#include "engine/core/isa.h"
#include "engine/eval/plain.h"
#include "engine/mate_command.h"
#include "engine/perft_command.h"
#include "engine/search/bench.h"
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
  std::vector<std::string> games;
  std::string sfen = "startpos";
  uint64_t nodes = 200000;
  bool killers = false;
};

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
                         {"by_category", rates.by_category[kind]}};
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
    std::cout << "\n";
  }
  if (json) Print({{"schema", 1}, {"killers", all}});
}

absl::Status Bench(const Arguments& arguments) {
  if (arguments.killers) {
    PrintKillers(RunKillerBench(arguments.nodes), arguments.json);
    return absl::OkStatus();
  }
  const uint64_t signature = BenchSignature();
  BenchResult result;
  const double seconds = Seconds([&] { result = RunBench(arguments.nodes); });
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

absl::Status Evaluate(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const shogi::SfenPosition start, shogi::ParseSfen(arguments.sfen));
  const Value value = shogi::EvaluatePlain(start.position);
  if (arguments.json) {
    Print({{"schema", 1}, {"value", value}});
  } else {
    std::cout << value << " (centipawns, from the side to move)" << std::endl;
  }
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

int Main(int argc, char** argv) {
  Arguments arguments;
  absl::Status (*command)(const Arguments&) = nullptr;

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
      ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}));
  bench->add_flag("--killers", arguments.killers,
                  "How often each kind of killer was best or cut, by depth, "
                  "stage and category");
  CLI::App* perft = add("perft", "Count sequences of legal moves", CountMoves);
  perft->add_option("DEPTH", arguments.perft.depth, "Plies; with --compare, of the deepest rows")
      ->check(CLI::Range(0, 20));
  perft->add_option("--sfen", arguments.perft.sfen, "Position; default: the start position");
  perft->add_flag("--split", arguments.perft.split, "Also the count below each move");
  perft->add_option("--threads", arguments.perft.threads, "Threads, over the first moves")
      ->check(CLI::Range(1, 256));
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
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 60));
  mate->add_option("--seconds,--time", arguments.mate.seconds, "Limit for each position")
      ->check(CLI::Range(0.0, 1e6));
  mate->add_option("--hash", arguments.mate.hash_mb, "Table in MiB")->check(CLI::Range(1, 32768));
  CLI::App* suite = add("suite", "Search positions whose best or bad moves are known", SearchSuite);
  suite
      ->add_option("FILE", arguments.suite.file,
                   "Tab-separated: sfen, moves or answers, kind, value")
      ->required();
  suite->add_option("--nodes", arguments.suite.nodes, "Limit for each position (10000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 60));
  suite->add_option("--depth", arguments.suite.depth, "Iterations for each position")
      ->check(CLI::Range(1, 120));
  suite->add_option("--hash", arguments.suite.hash_mb, "Table in MiB")->check(CLI::Range(1, 32768));
  suite
      ->add_option("--window", arguments.suite.window,
                   "What a score may differ from the expected one")
      ->check(CLI::Range(0, 32000));
  suite->add_option("--set", arguments.suite.set, "NAME=VALUE of the search's options");
  CLI::App* transitions =
      add("transitions", "Count how often moves of each category are played in games", Transitions);
  transitions->add_option("FILE", arguments.games, "Games, one a line, as moves of USI")
      ->required();
  CLI::App* eval = add("eval", "Static evaluation of a position", Evaluate);
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
    usi::UsiLoop(std::cin, std::cout, usi::Options(), MakeOwnBook(), MakeExtendedBook()).Run();
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

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
