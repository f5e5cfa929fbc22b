#include "engine/mate_command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <istream>
#include <iterator>
#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/by_game.h"
#include "engine/search/shogi/kit.h"
#include "engine/search/xiangqi/kit.h"
#include "engine/shogi/mate/depth_mate_search.h"
#include "engine/shogi/mate/mate_solver.h"
#include "engine/xiangqi/mate/mate_solver.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

// A position and its known answer, if any.
struct Expectation {
  int line = 0;  // in the input
  std::string text;
  int mate_in = -1;         // expected; -1: unknown
  int no_mate_within = -1;  // expected; -1: unknown
};

template <typename Kit>
struct MateRow : Expectation {
  typename Kit::Game::Position position;
};

// Column indices of a tab-separated file; -1: missing.
struct Columns {
  int expect = -1;
  int plies = -1;
};

std::string Field(const std::vector<std::string>& fields, int column) {
  return column >= 0 && column < static_cast<int>(fields.size())
             ? fields[static_cast<size_t>(column)]
             : std::string();
}

template <typename Kit>
absl::StatusOr<MateRow<Kit>> ParseRow(const std::vector<std::string>& fields,
                                      const Columns& columns) {
  MateRow<Kit> row;
  row.text = fields[0];
  ASSIGN_OR_RETURN(auto start, Kit::Parse(row.text));
  row.position = std::move(start.position);
  const std::string expect = Field(fields, columns.expect);
  if (expect.empty()) return row;
  int plies = 0;
  if (!absl::SimpleAtoi(Field(fields, columns.plies), &plies) || plies < 0 ||
      (expect != "mate_in" && expect != "no_mate_within")) {
    return MakeProblem({.code = "bad_expectation",
                        .found = expect + " " + Field(fields, columns.plies),
                        .expected = "mate_in or no_mate_within, and a number of plies"});
  }
  (expect == "mate_in" ? row.mate_in : row.no_mate_within) = plies;
  return row;
}

template <typename Kit>
absl::StatusOr<std::vector<MateRow<Kit>>> ParseRows(const std::string& text,
                                                    const std::string& path) {
  std::vector<MateRow<Kit>> rows;
  Columns columns;
  int number = 0;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (std::string line : lines) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    if (number == 1 && fields[0] == Kit::kPositionColumn) {
      for (size_t i = 1; i < fields.size(); ++i) {
        if (fields[i] == "expect") columns.expect = static_cast<int>(i);
        if (fields[i] == "plies") columns.plies = static_cast<int>(i);
      }
      continue;
    }
    absl::StatusOr<MateRow<Kit>> row = ParseRow<Kit>(fields, columns);
    if (!row.ok()) return At(row.status(), path, number);
    row->line = number;
    rows.push_back(*std::move(row));
  }
  return rows;
}

template <typename Kit>
absl::StatusOr<std::vector<MateRow<Kit>>> ReadRows(const MateArguments& arguments,
                                                   std::istream& in) {
  if (!arguments.file.empty()) {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(arguments.file));
    return ParseRows<Kit>(text, arguments.file);
  }
  if (arguments.sfens.empty()) {
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return ParseRows<Kit>(text, "standard input");
  }
  std::vector<MateRow<Kit>> rows;
  for (const std::string& text : arguments.sfens) {
    ASSIGN_OR_RETURN(rows.emplace_back(), ParseRow<Kit>({text}, Columns()));
    rows.back().line = static_cast<int>(rows.size());
  }
  return rows;
}

std::string_view Name(MateVerdict verdict) {
  switch (verdict) {
    case MateVerdict::kMate:
      return "mate";
    case MateVerdict::kNoMate:
      return "nomate";
    case MateVerdict::kUnknown:
      break;
  }
  return "unknown";
}

// A longer line contradicts nothing, because lines need not be the shortest.
bool IsWrong(const Expectation& row, const MateResult& result) {
  if (row.mate_in >= 0 && result.verdict == MateVerdict::kNoMate) return true;
  return row.no_mate_within >= 0 && result.verdict == MateVerdict::kMate &&
         static_cast<int>(result.line.size()) <= row.no_mate_within;
}

struct Totals {
  size_t solved = 0;
  size_t disproved = 0;
  size_t unknown = 0;
  size_t wrong = 0;
  uint64_t nodes = 0;
};

void Add(const Expectation& row, const MateResult& result, Totals& totals) {
  totals.solved += result.verdict == MateVerdict::kMate ? 1 : 0;
  totals.disproved += result.verdict == MateVerdict::kNoMate ? 1 : 0;
  totals.unknown += result.verdict == MateVerdict::kUnknown ? 1 : 0;
  totals.wrong += IsWrong(row, result) ? 1 : 0;
  totals.nodes += result.nodes;
}

std::vector<std::string> Moves(const MateResult& result, const Rules& rules) {
  std::vector<std::string> moves;
  for (const Move move : result.line) moves.push_back(rules.Text(move));
  return moves;
}

Json JsonOf(const Expectation& row, const MateResult& result, const Rules& rules) {
  Json json = {{"line_number", row.line},         {"sfen", row.text},
               {"verdict", Name(result.verdict)}, {"plies", result.line.size()},
               {"nodes", result.nodes},           {"ms", result.ms},
               {"line", Moves(result, rules)}};
  if (IsWrong(row, result)) json["wrong"] = true;
  return json;
}

void Print(const Expectation& row, const MateResult& result, const Rules& rules,
           std::ostream& out) {
  out << row.line << ": " << Name(result.verdict);
  if (result.verdict == MateVerdict::kMate) out << " in " << result.line.size();
  out << ", " << result.nodes << " nodes, " << result.ms << " ms";
  if (IsWrong(row, result)) out << ", WRONG";
  if (!result.line.empty()) out << ":";
  for (const std::string& move : Moves(result, rules)) out << " " << move;
  out << "\n";
}

// Solves positions of shogi, as the arguments say.
class ShogiMates {
 public:
  using Kit = ShogiKit;

  // Checks that the table can be allocated.
  static absl::Status Check(const MateArguments& arguments) {
    return CheckMemory("--hash", TableBytes(arguments));
  }
  explicit ShogiMates(const MateArguments& arguments)
      : plies_(arguments.plies),
        cuts_(arguments.cuts),
        by_proof_(plies_ > 0 ? 0 : TableBytes(arguments)),
        by_depth_(plies_ > 0 ? TableBytes(arguments) : 0) {}

  MateResult Solve(const shogi::Position& position, const MateLimits& limits) {
    return plies_ > 0 ? by_depth_.Solve(position, plies_, cuts_, limits)
                      : by_proof_.Run(position, limits);
  }

 private:
  static size_t TableBytes(const MateArguments& arguments) {
    return static_cast<size_t>(arguments.hash_mb) << 20;
  }

  int plies_;
  unsigned cuts_;
  shogi::MateSolver by_proof_;
  shogi::DepthMateSearch by_depth_;
};

// Solves positions of xiangqi, by proof numbers only, in a table of its own size.
class XiangqiMates {
 public:
  using Kit = XiangqiKit;

  static absl::Status Check(const MateArguments& arguments) {
    if (arguments.cuts == 0) return absl::OkStatus();
    return MakeProblem({.code = "usage", .found = "--cuts", .expected = "shogi, which has them"});
  }
  explicit XiangqiMates(const MateArguments& arguments) : solver_(arguments.plies) {}

  MateResult Solve(const xiangqi::Position& position, const MateLimits& limits) {
    return solver_.Run(position, limits);
  }

 private:
  xiangqi::MateSolver solver_;
};

template <typename Mates>
absl::Status RunMateOf(const MateArguments& arguments, std::istream& in, std::ostream& out,
                       std::ostream& err) {
  using Kit = typename Mates::Kit;
  ASSIGN_OR_RETURN(const auto rows, ReadRows<Kit>(arguments, in));
  RETURN_IF_ERROR(Mates::Check(arguments));
  Mates mates(arguments);
  const MateLimits limits{.nodes = arguments.nodes,
                          .ms = static_cast<int64_t>(std::ceil(arguments.seconds * 1000))};
  Totals totals;
  Json results = Json::array();
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double next_report = 2;
  for (size_t i = 0; i < rows.size(); ++i) {
    const MateResult result = mates.Solve(rows[i].position, limits);
    Add(rows[i], result, totals);
    if (arguments.json) {
      results.push_back(JsonOf(rows[i], result, Kit::rules()));
    } else {
      Print(rows[i], result, Kit::rules(), out);
    }
    if (const double now = seconds(); now >= next_report && i + 1 < rows.size()) {
      next_report = now + 2;
      const double rate = static_cast<double>(i + 1) / now;
      err << i + 1 << " of " << rows.size() << " positions, " << totals.unknown << " unknown, "
          << static_cast<int>(static_cast<double>(rows.size() - i - 1) / rate) << " s left"
          << std::endl;
    }
  }
  if (arguments.json) {
    out << Json({{"schema", 1},
                 {"positions", rows.size()},
                 {"solved", totals.solved},
                 {"disproved", totals.disproved},
                 {"unknown", totals.unknown},
                 {"wrong", totals.wrong},
                 {"nodes", totals.nodes},
                 {"seconds", seconds()},
                 {"results", std::move(results)}})
               .dump()
        << std::endl;
    return absl::OkStatus();
  }
  out << "positions " << rows.size() << "\nsolved    " << totals.solved << "\ndisproved "
      << totals.disproved << "\nunknown   " << totals.unknown << "\nwrong     " << totals.wrong
      << "\nnodes     " << totals.nodes << "\nseconds   " << std::fixed << std::setprecision(3)
      << seconds() << std::endl;
  return absl::OkStatus();
}

constexpr ByGame<decltype(&RunMate)> kMates[] = {{"shogi", RunMateOf<ShogiMates>},
                                                 {"xiangqi", RunMateOf<XiangqiMates>}};

}  // namespace

absl::Status RunMate(const MateArguments& arguments, std::istream& in, std::ostream& out,
                     std::ostream& err) {
  ASSIGN_OR_RETURN(const auto run, Chosen(arguments.game, kMates));
  return run(arguments, in, out, err);
}

}  // namespace joseki
