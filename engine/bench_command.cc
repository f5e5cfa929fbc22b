#include "engine/bench_command.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/by_game.h"
#include "engine/core/isa.h"
#include "engine/search/bench.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/kit.h"
#include "engine/search/xiangqi/bench.h"
#include "engine/search/xiangqi/kit.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

// The benchmark functions of one game.
struct GameBench {
  absl::StatusOr<BenchResult> (*run)(uint64_t nodes, const std::vector<std::string>& set);
  uint64_t (*signature)();
  absl::StatusOr<KillerRates> (*killers)(uint64_t nodes, const std::string& file);
  TableBench (*tables)(int depth, size_t bytes, int scheme);
};

absl::StatusOr<BenchResult> RunShogi(uint64_t nodes, const std::vector<std::string>& set) {
  shogi::EngineOptions options;
  RETURN_IF_ERROR(SetAll(set, options));
  return RunBench(nodes, options);
}
absl::StatusOr<BenchResult> RunXiangqi(uint64_t nodes, const std::vector<std::string>& set) {
  xiangqi::EngineOptions options;
  RETURN_IF_ERROR(SetAll(set, options));
  return xiangqi::RunBench(nodes, options);
}

// Reads the positions of the file, one on each line; an error if there is none.
template <typename Kit>
absl::StatusOr<std::vector<typename Kit::Game::Position>> ReadPositions(const std::string& file) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  std::vector<typename Kit::Game::Position> positions;
  int number = 0;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (std::string line : lines) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    auto start = Kit::Parse(line);
    if (!start.ok()) return At(start.status(), file, number);
    positions.push_back(std::move(start->position));
  }
  if (positions.empty()) {
    return MakeProblem({.code = "no_positions",
                        .file = file,
                        .found = "no position",
                        .expected = "one a line, at least one"});
  }
  return positions;
}

// Runs over the positions of `file`, or over the fixed ones if it is empty.
template <typename Kit, auto run>
absl::StatusOr<KillerRates> RunKillersOf(uint64_t nodes, const std::string& file) {
  std::vector<typename Kit::Game::Position> positions;
  if (!file.empty()) {
    ASSIGN_OR_RETURN(positions, ReadPositions<Kit>(file));
  }
  return run(nodes, positions);
}

constexpr ByGame<GameBench> kBenches[] = {
    {"shogi", {RunShogi, BenchSignature, RunKillersOf<ShogiKit, RunKillerBench>, RunTableBench}},
    {"xiangqi",
     {RunXiangqi, xiangqi::BenchSignature, RunKillersOf<XiangqiKit, xiangqi::RunKillerBench>,
      xiangqi::RunTableBench}},
};

// Elapsed seconds; never 0, so that rates can be computed.
double SecondsSince(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return std::max(taken.count(), 1e-9);
}

uint64_t Rate(uint64_t nodes, double seconds) {
  return static_cast<uint64_t>(static_cast<double>(nodes) / seconds);
}

void Print(std::ostream& out, const Json& json) { out << json.dump() << std::endl; }

void PrintFigures(std::ostream& out, uint64_t nodes, double seconds) {
  out << "nodes     " << nodes << "\nseconds   " << std::fixed << std::setprecision(3) << seconds
      << "\nnps       " << Rate(nodes, seconds) << std::endl;
}

// Prints, for each kind of killer, how often it was best or cut, relative to the times it was
// legal.
void PrintKillers(const KillerRates& rates, bool json, std::ostream& out) {
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
                         {"by_purpose", rates.by_purpose[kind]},
                         {"by_position", listed(rates.by_position[kind])}};
    if (json) continue;
    const KillerRates::Rate total = rates.Total(static_cast<ContextKillers::Kind>(kind));
    out << std::left << std::setw(8) << kNames[kind] << std::right << " legal " << total.legal
        << ", best " << total.best << ", cut " << total.cut << ", rate " << std::fixed
        << std::setprecision(3) << total.effective() << "\n  by depth";
    for (const auto& rate : rates.by_depth[kind]) {
      if (rate.legal >= 50) out << " " << rate.effective();
    }
    out << "\n  by stage";
    for (const auto& rate : rates.by_stage[kind]) out << " " << rate.effective();
    out << "\n  effective, percent by TACOS's categories";
    const auto effective = static_cast<double>(total.best + total.cut);
    for (size_t purpose = 1; purpose < rates.by_purpose[kind].size(); ++purpose) {
      const uint64_t count = rates.by_purpose[kind][purpose];
      if (count == 0) continue;
      out << " " << purpose << ": " << std::setprecision(1)
          << 100 * static_cast<double>(count) / effective;
    }
    out << std::setprecision(3) << "\n";
    // Spread of the rates between positions (J. Hashimoto's E1), for positions with at least this
    // many legal killers.
    constexpr uint64_t kEnough = 50;
    double least = 1;
    double most = 0;
    for (const KillerRates::Rate& rate : rates.by_position[kind]) {
      if (rate.legal < kEnough) continue;
      least = std::min(least, rate.effective());
      most = std::max(most, rate.effective());
    }
    if (least <= most) out << "  by position " << least << " to " << most << "\n";
  }
  const uint64_t contexts = rates.Total(ContextKillers::kContext).legal;
  if (!json && contexts > 0) {
    out << "contexts from a shared place " << rates.false_contexts << " of " << contexts << "\n";
  }
  if (json) {
    Print(out, {{"schema", 1}, {"killers", all}, {"false_contexts", rates.false_contexts}});
  }
}

// Prints statistics of the transposition table for searches of the bench positions to a depth.
// First comes our scheme in tables of several sizes, then each scheme in a small table.
void PrintTables(const GameBench& bench_of, int depth, bool json, std::ostream& out) {
  constexpr const char* kNames[] = {"clusters", "deep",   "new",     "old",
                                    "big1",     "bigAll", "twoDeep", "twoBig"};
  constexpr size_t kSmall = size_t{1} << 18;
  Json rows = Json::array();
  if (!json) {
    out << "scheme      KiB     nodes    probes      hits    stores  overwrites  expected  "
           "refusals\n";
  }
  auto print = [&](int scheme, size_t bytes) {
    const TableBench bench = bench_of.tables(depth, bytes, scheme);
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
    out << std::left << std::setw(9) << kNames[scheme] << std::right << std::setw(6)
        << (bytes >> 10) << std::setw(10) << bench.nodes << std::setw(10) << s.probes
        << std::setw(10) << s.hits << std::setw(10) << s.stores << std::setw(12) << s.overwrites
        << std::setw(10) << std::fixed << std::setprecision(0) << bench.expected_overwrites
        << std::setw(10) << s.refusals << "\n";
  };
  for (size_t bytes = size_t{1} << 16; bytes <= size_t{1} << 24; bytes <<= 2) print(0, bytes);
  for (int scheme = 1; scheme < static_cast<int>(std::size(kNames)); ++scheme) {
    print(scheme, kSmall);
  }
  if (json) Print(out, {{"schema", 1}, {"depth", depth}, {"tables", rows}});
}

}  // namespace

absl::Status RunBenchCommand(const BenchArguments& arguments, std::ostream& out) {
  ASSIGN_OR_RETURN(const GameBench bench, Chosen(arguments.game, kBenches));
  if (arguments.table) {
    PrintTables(bench, arguments.depth, arguments.json, out);
    return absl::OkStatus();
  }
  if (arguments.killers) {
    ASSIGN_OR_RETURN(const KillerRates rates, bench.killers(arguments.nodes, arguments.positions));
    PrintKillers(rates, arguments.json, out);
    return absl::OkStatus();
  }
  const uint64_t signature = bench.signature();
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const BenchResult result, bench.run(arguments.nodes, arguments.set));
  const double seconds = SecondsSince(start);
  if (arguments.json) {
    Print(out, {{"schema", 1},
                {"nodes", result.nodes},
                {"seconds", seconds},
                {"nps", Rate(result.nodes, seconds)},
                {"signature", signature},
                {"isa", Name(ProcessIsa())}});
  } else {
    PrintFigures(out, result.nodes, seconds);
    out << "signature " << signature << "\nisa       " << Name(ProcessIsa()) << std::endl;
  }
  return absl::OkStatus();
}

}  // namespace joseki
