#include "engine/suite_command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <span>
#include <sstream>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/by_game.h"
#include "engine/search/shogi/kit.h"
#include "engine/search/table_memory.h"
#include "engine/search/xiangqi/kit.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Fields = std::vector<std::string>;

template <typename Kit>
struct SuiteRow {
  int line = 0;  // in the file
  typename Kit::Game::Position position;
  std::vector<Move> moves;
  bool avoid = false;
  bool has_value = false;
  int value = 0;
};

struct Columns {
  int position = -1;
  int kind = -1;
  int moves = -1;
  int answers = -1;
  int value = -1;
};

std::string Field(const Fields& fields, int column) {
  return column >= 0 && column < static_cast<int>(fields.size())
             ? fields[static_cast<size_t>(column)]
             : std::string();
}

template <typename Kit>
absl::StatusOr<SuiteRow<Kit>> ParseRow(const Fields& fields, const Columns& columns) {
  SuiteRow<Kit> row;
  ASSIGN_OR_RETURN(auto start, Kit::Parse(Field(fields, columns.position)));
  row.position = std::move(start.position);
  const bool lines = columns.moves < 0;
  const Fields texts = lines ? absl::StrSplit(Field(fields, columns.answers), '|')
                             : absl::StrSplit(Field(fields, columns.moves), ',');
  for (const std::string& text : texts) {
    const std::string word = text.substr(0, text.find(' '));
    ASSIGN_OR_RETURN(const Move move, Kit::ParseMove(row.position, word));
    row.moves.push_back(move);
  }
  const std::string kind = Field(fields, columns.kind);
  row.avoid = kind == "bad";
  if (columns.kind >= 0 && kind != "good" && kind != "bad") {
    return MakeProblem({.code = "bad_kind", .found = Quote(kind), .expected = "good or bad"});
  }
  const std::string value = Field(fields, columns.value);
  row.has_value = !value.empty();
  if (row.has_value && !absl::SimpleAtoi(value, &row.value)) {
    return MakeProblem({.code = "bad_value", .found = Quote(value), .expected = "a number"});
  }
  return row;
}

// `rejected` counts the rows that cannot be parsed.
template <typename Kit>
absl::StatusOr<std::vector<SuiteRow<Kit>>> ReadRows(const std::string& path,
                                                    std::vector<absl::Status>& rejected) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const std::string position = Kit::kPositionColumn;
  std::vector<SuiteRow<Kit>> rows;
  Columns columns;
  int number = 0;
  const Fields lines = absl::StrSplit(text, '\n');
  for (std::string line : lines) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const Fields fields = absl::StrSplit(line, '\t');
    if (columns.position < 0) {
      for (size_t i = 0; i < fields.size(); ++i) {
        const int column = static_cast<int>(i);
        if (fields[i] == position) columns.position = column;
        if (fields[i] == "kind") columns.kind = column;
        if (fields[i] == "moves") columns.moves = column;
        if (fields[i] == "answers") columns.answers = column;
        if (fields[i] == "value") columns.value = column;
      }
      if (columns.position < 0 || (columns.moves < 0 && columns.answers < 0)) {
        return MakeProblem({.code = "bad_header",
                            .file = path,
                            .line = number,
                            .found = Quote(line),
                            .expected = "columns " + position + ", and moves or answers"});
      }
      continue;
    }
    absl::StatusOr<SuiteRow<Kit>> row = ParseRow<Kit>(fields, columns);
    if (!row.ok()) {
      rejected.push_back(At(row.status(), path, number));
      continue;
    }
    row->line = number;
    rows.push_back(*std::move(row));
  }
  return rows;
}

struct Totals {
  int hits = 0;
  int successes = 0;
  int valued = 0;  // positions with an expected value
  uint64_t nodes = 0;
  double shares = 0;       // of the nodes, for the chosen moves
  double log_growths = 0;  // logarithms of the growth of nodes from one iteration to the next
  int growths = 0;
};

// "3: 12.5 4: 80.1", in percent; values below a tenth are omitted.
std::string LeavesText(std::span<const uint64_t> leaves) {
  const double all =
      static_cast<double>(std::accumulate(leaves.begin(), leaves.end(), uint64_t{0}));
  std::ostringstream text;
  for (size_t ply = 0; ply < leaves.size(); ++ply) {
    const double percent = 100 * static_cast<double>(leaves[ply]) / std::max(all, 1.0);
    if (percent >= 0.1) text << " " << ply << ": " << std::fixed << std::setprecision(1) << percent;
  }
  return text.str();
}

double Growth(const Totals& totals) {
  return totals.growths > 0 ? std::exp(totals.log_growths / totals.growths) : 0;
}

template <typename Kit>
absl::Status RunSuiteOf(const SuiteArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<absl::Status> rejected;
  ASSIGN_OR_RETURN(const auto rows, ReadRows<Kit>(arguments.file, rejected));
  for (const absl::Status& status : rejected) err << status.message() << std::endl;
  typename Kit::Options options;
  RETURN_IF_ERROR(SetAll(arguments.set, options));
  RETURN_IF_ERROR(CheckMemory("--hash", TableMemory(arguments.hash_mb, options.search)));
  if (rows.empty()) {
    return MakeProblem({.code = "no_positions",
                        .file = arguments.file,
                        .found = absl::StrCat("no position, ", rejected.size(), " rows rejected"),
                        .expected = "one at least"});
  }
  Search<typename Kit::Game> search(arguments.hash_kib > 0
                                        ? static_cast<size_t>(arguments.hash_kib) << 10
                                        : static_cast<size_t>(arguments.hash_mb) << 20);
  options.ApplyTo(search);
  SearchLimits limits;
  const bool unlimited = arguments.nodes == 0 && arguments.depth == 0 && arguments.move_ms == 0;
  limits.nodes = unlimited ? 10000 : arguments.nodes;
  limits.hard_ms = arguments.move_ms;
  limits.depth = arguments.depth;
  Totals totals;
  Counts counts;
  const auto began = std::chrono::steady_clock::now();
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const SuiteRow<Kit>& row : rows) {
    search.NewGame();
    uint64_t before = 0;  // nodes of the iterations so far, and of the last one
    uint64_t last = 0;
    nlohmann::ordered_json shares = nlohmann::ordered_json::array();
    const SearchResult result = search.Run(row.position, limits, [&](const SearchInfo& info) {
      if (!info.finished) return;
      const uint64_t own = info.nodes - before;
      // The first iterations cover little more than the root's moves.
      if (info.depth > 2 && last > 0 && own > 0) {
        totals.log_growths += std::log(static_cast<double>(own) / static_cast<double>(last));
        ++totals.growths;
      }
      last = own;
      before = info.nodes;
      if (!arguments.json) return;
      shares.clear();
      for (const RootShare& share : info.shares) {
        shares.push_back({{"move", Kit::Text(share.move)}, {"nodes", share.nodes}});
      }
    });
    const bool named =
        std::find(row.moves.begin(), row.moves.end(), result.best) != row.moves.end();
    const bool hit = named != row.avoid;
    const bool success =
        hit && row.has_value && std::abs(result.value - row.value) <= arguments.window;
    totals.hits += hit ? 1 : 0;
    totals.successes += success ? 1 : 0;
    totals.valued += row.has_value ? 1 : 0;
    totals.nodes += result.nodes;
    totals.shares += result.best_share;
    counts.Add(search.counts());
    const std::string move = result.best ? Kit::Text(result.best) : "none";
    if (arguments.json) {
      results.push_back({{"line_number", row.line},
                         {"move", move},
                         {"hit", hit},
                         {"valued", row.has_value},
                         {"value", result.value},
                         {"depth", result.depth},
                         {"nodes", result.nodes},
                         {"share", result.best_share},
                         {"moves", shares}});
      continue;
    }
    out << row.line << ": " << move << (hit ? ", hit" : ", miss") << (success ? ", success" : "")
        << ", score " << result.value << ", depth " << result.depth << ", " << result.nodes
        << " nodes, share " << std::fixed << std::setprecision(2) << result.best_share << "\n";
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began;
  const double nps = static_cast<double>(totals.nodes) / std::max(time.count(), 1e-9);
  const double n = std::max<double>(static_cast<double>(rows.size()), 1);
  if (arguments.json) {
    nlohmann::ordered_json acted = nlohmann::ordered_json::object();
    for (size_t i = 0; i < kTechniqueCount; ++i) {
      if (counts.at(i) > 0) acted[TechniqueNames()[i]] = counts.at(i);
    }
    const nlohmann::ordered_json json = {{"schema", 1},
                                         {"positions", rows.size()},
                                         {"rejected", rejected.size()},
                                         {"hits", totals.hits},
                                         {"successes", totals.successes},
                                         {"valued", totals.valued},
                                         {"nodes", totals.nodes},
                                         {"seconds", time.count()},
                                         {"nps", nps},
                                         {"share", totals.shares / n},
                                         {"growth", Growth(totals)},
                                         {"leaves", counts.leaves()},
                                         {"acted", acted},
                                         {"results", results}};
    out << json.dump() << std::endl;
    return absl::OkStatus();
  }
  out << "positions " << rows.size() << "\nrejected  " << rejected.size() << "\nhits      "
      << totals.hits << "\nsuccesses " << totals.successes << " of " << totals.valued
      << "\nnodes     " << totals.nodes << ", " << std::fixed << std::setprecision(0) << nps
      << " a second\nshare     " << std::setprecision(3) << totals.shares / n << "\ngrowth    "
      << Growth(totals) << "\nleaves   " << LeavesText(counts.leaves()) << std::endl;
  return absl::OkStatus();
}

constexpr ByGame<decltype(&RunSuite)> kSuites[] = {{"shogi", RunSuiteOf<ShogiKit>},
                                                   {"xiangqi", RunSuiteOf<XiangqiKit>}};

}  // namespace

absl::Status RunSuite(const SuiteArguments& arguments, std::ostream& out, std::ostream& err) {
  ASSIGN_OR_RETURN(const auto run, Chosen(arguments.game, kSuites));
  return run(arguments, out, err);
}

}  // namespace joseki
