#include "engine/perft_command.h"

#include <chrono>
#include <iomanip>
#include <iostream>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/by_game.h"
#include "engine/core/perft_split.h"
#include "engine/perft_file.h"
#include "engine/search/shogi/kit.h"
#include "engine/search/xiangqi/kit.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

class Stopwatch {
 public:
  // Elapsed seconds; never 0, so that rates can be computed.
  double Seconds() const {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    return std::max(taken.count(), 1e-9);
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

uint64_t Rate(uint64_t nodes, double seconds) {
  return static_cast<uint64_t>(static_cast<double>(nodes) / seconds);
}

void PrintFigures(std::ostream& out, uint64_t nodes, double seconds) {
  out << "nodes     " << nodes << "\nseconds   " << std::fixed << std::setprecision(3) << seconds
      << "\nnps       " << Rate(nodes, seconds) << std::endl;
}

// Uses threads only where there are several first moves to share.
template <typename Game>
uint64_t Count(const typename Game::Position& start, int depth, int threads) {
  if (depth < 3 || threads == 1) {
    typename Game::Position position = start;
    return Perft<Game>(position, depth);
  }
  uint64_t nodes = 0;
  for (const MoveNodes& below : PerftSplit<Game>(start, depth, threads)) nodes += below.nodes;
  return nodes;
}

template <typename Kit>
absl::Status CountOne(const PerftArguments& arguments, std::ostream& out) {
  if (arguments.depth < 0) {
    return MakeProblem(
        {.code = "usage", .found = "neither", .expected = "DEPTH, or --compare FILE"});
  }
  ASSIGN_OR_RETURN(const auto start, Kit::Parse(arguments.sfen));
  const Stopwatch watch;
  std::vector<MoveNodes> split;
  uint64_t nodes = 0;
  if (arguments.split && arguments.depth > 0) {
    split = PerftSplit<typename Kit::Game>(start.position, arguments.depth, arguments.threads);
    for (const MoveNodes& below : split) nodes += below.nodes;
  } else {
    nodes = Count<typename Kit::Game>(start.position, arguments.depth, arguments.threads);
  }
  const double seconds = watch.Seconds();
  if (arguments.json) {
    Json json = {
        {"schema", 1}, {"nodes", nodes}, {"seconds", seconds}, {"nps", Rate(nodes, seconds)}};
    if (arguments.split) {
      json["moves"] = Json::object();
      for (const MoveNodes& below : split) json["moves"][Kit::Text(below.move)] = below.nodes;
    }
    out << json.dump() << std::endl;
    return absl::OkStatus();
  }
  for (const MoveNodes& below : split) {
    out << Kit::Text(below.move) << ": " << below.nodes << "\n";
  }
  PrintFigures(out, nodes, seconds);
  return absl::OkStatus();
}

// Prints a line every two seconds after the first two; the known counts tell how much is left.
class CompareProgress {
 public:
  CompareProgress(std::ostream& err, uint64_t expected) : err_(err), expected_(expected) {}

  void Update(size_t row, size_t rows, uint64_t nodes) {
    const double now = watch_.Seconds();
    if (now < next_) return;
    next_ = now + 2;
    const uint64_t rate = std::max<uint64_t>(Rate(nodes, now), 1);
    err_ << row << " of " << rows << " rows, " << rate << " nodes/s, "
         << (expected_ - std::min(nodes, expected_)) / rate << " s left" << std::endl;
  }

 private:
  std::ostream& err_;
  const uint64_t expected_;
  const Stopwatch watch_;
  double next_ = 2;
};

template <typename Kit>
absl::Status Compare(const PerftArguments& arguments, std::ostream& out, std::ostream& err) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(arguments.compare));
  using File = PerftFile<Kit>;
  ASSIGN_OR_RETURN(const File file, File::Parse(text, arguments.compare));
  auto deeper = [&](const typename File::Row& row) {
    return arguments.depth >= 0 && row.depth > arguments.depth;
  };
  uint64_t expected = 0;
  for (const auto& row : file.rows()) expected += deeper(row) ? 0 : row.nodes;

  const Stopwatch watch;
  CompareProgress progress(err, expected);
  uint64_t nodes = 0;
  size_t compared = 0;
  size_t skipped = 0;
  size_t different = 0;
  absl::Status first;
  for (const auto& row : file.rows()) {
    if (deeper(row)) {
      ++skipped;
      continue;
    }
    ++compared;
    Problem problem{.code = "perft_mismatch", .file = arguments.compare, .line = row.line};
    if (file.lists()) {
      nodes += row.nodes;
      problem.found = File::FaultOfList(row, arguments.checks);
      problem.expected = "the moves that the rules have in " + row.text;
    } else {
      const uint64_t counted =
          Count<typename Kit::Game>(row.position, row.depth, arguments.threads);
      nodes += counted;
      if (counted != row.nodes) {
        problem.found = std::to_string(row.nodes) + " at depth " + std::to_string(row.depth) +
                        " of " + row.text;
        problem.expected = std::to_string(counted);
      }
    }
    progress.Update(compared + skipped, file.rows().size(), nodes);
    if (problem.found.empty()) continue;
    ++different;
    const absl::Status status = MakeProblem(problem);
    if (first.ok()) first = status;
    if (!arguments.json) out << status.message() << "\n";
  }
  const double seconds = watch.Seconds();
  if (!first.ok() && !arguments.json && different > 1) {
    out << different << " rows differ" << std::endl;
  }
  RETURN_IF_ERROR(first);
  if (arguments.json) {
    out << Json({{"schema", 1},
                 {"rows", compared},
                 {"skipped", skipped},
                 {"nodes", nodes},
                 {"seconds", seconds},
                 {"nps", Rate(nodes, seconds)}})
               .dump()
        << std::endl;
    return absl::OkStatus();
  }
  out << "rows      " << compared << ", all as the file has them";
  if (skipped > 0) out << "; " << skipped << " deeper ones skipped";
  out << "\n";
  PrintFigures(out, nodes, seconds);
  return absl::OkStatus();
}

template <typename Kit>
absl::Status RunPerftOf(const PerftArguments& arguments, std::ostream& out, std::ostream& err) {
  return arguments.compare.empty() ? CountOne<Kit>(arguments, out)
                                   : Compare<Kit>(arguments, out, err);
}

constexpr ByGame<decltype(&RunPerft)> kPerft[] = {{"shogi", RunPerftOf<ShogiKit>},
                                                  {"xiangqi", RunPerftOf<XiangqiKit>}};

}  // namespace

absl::Status RunPerft(const PerftArguments& arguments, std::ostream& out, std::ostream& err) {
  ASSIGN_OR_RETURN(const auto run, Chosen(arguments.game, kPerft));
  return run(arguments, out, err);
}

}  // namespace joseki
