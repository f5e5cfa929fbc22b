#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/weighing.h"
#include "cli/experiment/experiments.h"
#include "cli/experiment/notes.h"
#include "cli/experiment/thesis_tables.h"
#include "cli/match/book.h"

// E1 and E2: the books of game records.
namespace joseki::cli {
namespace {

struct BookSize {
  int64_t positions = 0;
  int64_t moves = 0;
  double gap = 0;
};

absl::StatusOr<BookSize> SizeOf(Laboratory& lab, const std::string& path) {
  ASSIGN_OR_RETURN(const LoadedBook loaded, LoadBook(lab.rules(), path));
  BookSize size;
  size.moves = static_cast<int64_t>(loaded.book->graph->edge_count());
  size.gap = loaded.book->gap;
  for (book::NodeId node = 0; node < loaded.book->graph->node_count(); ++node) {
    if (loaded.book->graph->node(node).count > 0) ++size.positions;
  }
  return size;
}

}  // namespace

absl::StatusOr<ExperimentReport> BaseBook(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E1", "the base book");
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string path, lab.BaseBook());
    ASSIGN_OR_RETURN(const auto store, book::Store::Open(path, book::OpenMode::kReadOnly));
    book::BookStore book(*store);
    ASSIGN_OR_RETURN(const book::BookTotals totals, book.Totals());
    ASSIGN_OR_RETURN(const auto start, lab.rules().Start("startpos", MatchRules{}));
    ASSIGN_OR_RETURN(const auto root, book.Find(start->packed()));
    std::vector<std::pair<std::string, int64_t>> moves;
    int64_t games = 0;
    if (root) {
      for (const book::BookMove& move : root->moves) {
        const int64_t played = move.counts[0].games + move.counts[1].games;
        moves.emplace_back(lab.rules().Text(move.move), played);
        games += played;
      }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    report.data["positions"] = totals.positions;
    report.data["moves"] = totals.moves;
    report.data["root_games"] = games;
    report.data["root"] = Json::array();
    for (const auto& [move, played] : moves) {
      Json one;
      one["move"] = move;
      one["games"] = played;
      report.data["root"].push_back(std::move(one));
    }
    report.tables.push_back(
        {"The book",
         {"", "thesis", "ours"},
         {{"games through the start position", absl::StrCat("about ", kThesisGames),
           absl::StrCat(games)},
          {"positions", absl::StrCat("about ", kThesisPositions), absl::StrCat(totals.positions)},
          {"moves", absl::StrCat("about ", kThesisMoves), absl::StrCat(totals.moves)}}});
    ExperimentTable table{"Moves of the start position", {"move", "thesis", "ours"}, {}};
    for (const ThesisRootMove& move : ThesisRootMoves()) {
      const auto ours = std::find_if(moves.begin(), moves.end(),
                                     [&](const auto& one) { return one.first == move.move; });
      table.rows.push_back({std::string(move.move),
                            absl::StrCat(move.games, move.kept ? "" : " (filtered out)"),
                            ours == moves.end() ? "not in the book" : absl::StrCat(ours->second)});
    }
    const auto known = ThesisRootMoves();
    for (const std::pair<std::string, int64_t>& move : moves) {
      const bool in_thesis =
          std::any_of(known.begin(), known.end(),
                      [&](const ThesisRootMove& one) { return one.move == move.first; });
      if (!in_thesis) {
        table.rows.push_back({move.first, "not in the book", absl::StrCat(move.second)});
      }
    }
    report.tables.push_back(std::move(table));
    NoteSources(lab, report);
    report.notes.push_back(absl::StrCat(
        "Filter ", lab.arguments().filter, " and the first ", lab.arguments().plies,
        " plies as in the thesis. Of a table of counts, the counts of a move are those of the "
        "position that it leads to, transpositions included."));
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

absl::StatusOr<ExperimentReport> Types(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E2", "Type-1 to Type-5c");
  report.data["books"] = Json::array();
  const auto body = [&]() -> absl::Status {
    ExperimentTable table{"The books of game records",
                          {"book", "thesis", "positions", "moves", "largest gap of weights"},
                          {}};
    for (const std::string_view name : book::BookTypeNames()) {
      const std::string type(name);
      ASSIGN_OR_RETURN(const std::string path, lab.TypeBook(type));
      ASSIGN_OR_RETURN(const BookSize size, SizeOf(lab, path));
      const std::string label = "Type-" + type.substr(4);
      const bool winners = type == "type3" || type == "type4";
      table.rows.push_back({label,
                            winners           ? "358000 positions, 385000 moves"
                            : type == "type2" ? "670000, 725000; gap above 10000"
                                              : "670000 positions, 725000 moves",
                            absl::StrCat(size.positions), absl::StrCat(size.moves),
                            absl::StrCat(size.gap)});
      Json one;
      one["book"] = label;
      one["positions"] = size.positions;
      one["moves"] = size.moves;
      one["gap"] = size.gap;
      report.data["books"].push_back(std::move(one));
    }
    report.tables.push_back(std::move(table));
    NoteSources(lab, report);
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

}  // namespace joseki::cli
