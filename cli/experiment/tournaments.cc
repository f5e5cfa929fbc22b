#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/weighing.h"
#include "cli/experiment/contestants.h"
#include "cli/experiment/experiments.h"
#include "cli/experiment/file_word.h"
#include "cli/experiment/notes.h"
#include "cli/experiment/thesis_tables.h"
#include "cli/match/report.h"

// E5 to E7: matches of the books.
namespace joseki::cli {
namespace {

std::string NameOf(const PlayableBook& a, const PlayableBook& b) {
  return absl::StrCat(FileWord(a.label), "--", FileWord(b.label));
}

Json MatchData(const PlayableBook& a, const PlayableBook& b, const PlayedMatch& played) {
  Json json;
  json["book"] = a.label;
  json["against"] = b.label;
  json["same_book_as"] = played.same_as.empty() ? Json() : Json(played.same_as);
  json["seed"] = played.settings.seed;
  json["file"] = played.file;
  json["result"] = MatchJson(played.settings, played.series);
  return json;
}

// A book that is made when its turn comes, so that first results are there early.
using Contestant = std::function<absl::StatusOr<PlayableBook>()>;

// All books but Type-1, in the order of the thesis's tables; then those of our policies.
std::vector<Contestant> Contestants(Laboratory& lab) {
  std::vector<Contestant> books;
  for (const std::string_view type : book::BookTypeNames()) {
    if (type == "type1") continue;
    books.emplace_back([&lab, type] { return TypePlayer(lab, std::string(type)); });
  }
  for (const int column : lab.arguments().columns) {
    for (int stages = 1; stages <= kStages; ++stages) {
      books.emplace_back([&lab, stages, column] { return StagePlayer(lab, stages, column); });
    }
  }
  for (const int batches : {1, 2}) {
    books.emplace_back([&lab, batches] { return GreedyPlayer(lab, batches); });
  }
  for (const std::string& policy : lab.arguments().policies) {
    books.emplace_back([&lab, policy] { return PolicyPlayer(lab, policy); });
  }
  return books;
}

struct Against {
  PlayableBook book;
  PlayedMatch played;
};

// Plays each book against `b` and appends to `all`; Cancelled if it is interrupted.
absl::Status PlayAll(Laboratory& lab, const std::vector<Contestant>& books, const PlayableBook& b,
                     std::vector<Against>& all) {
  for (const Contestant& next : books) {
    ASSIGN_OR_RETURN(const PlayableBook book, next());
    ASSIGN_OR_RETURN(PlayedMatch played, lab.Play(NameOf(book, b), book, b));
    all.push_back({book, std::move(played)});
  }
  return absl::OkStatus();
}

std::vector<std::string> PlayedCells(const PlayedMatch& played) {
  const book::SeriesTally& tally = played.series.tally();
  if (!played.same_as.empty()) return {"the same book as " + played.same_as, "", "", ""};
  if (const std::string why = played.left_out(); !why.empty()) return {why, "", "", ""};
  return {ScoreCell(tally.pentanomial), EloCell(tally.pentanomial),
          absl::StrCat(tally.total().draws), absl::StrCat(tally.repeats)};
}

std::vector<std::string> Row(std::vector<std::string> first, std::vector<std::string> more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

}  // namespace

absl::StatusOr<ExperimentReport> AgainstType1(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E5", "each book against Type-1");
  std::vector<Against> all;
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const PlayableBook type1, TypePlayer(lab, "type1"));
    return PlayAll(lab, Contestants(lab), type1, all);
  };
  const absl::Status status = body();
  ExperimentTable table{"Score of the book against Type-1",
                        {"book", "thesis, table 3.1", "thesis, table 3.7", "ours", "Elo, 95 %",
                         "draws", "pairs set aside"},
                        {}};
  report.data["matches"] = Json::array();
  for (const auto& [book, played] : all) {
    table.rows.push_back(Row({book.label, ScoreCell(ThesisAgainstType1(book.label)),
                              ScoreCell(ThesisAgainstType1Again(book.label))},
                             PlayedCells(played)));
    report.data["matches"].push_back(MatchData(book, {"Type-1", ""}, played));
  }
  report.tables.push_back(std::move(table));
  NoteSources(lab, report);
  NotePlay(lab, report);
  report.notes.push_back(absl::StrCat(
      "Score by game of so many games, with its 95 % interval: the thesis's by Wilson, ours by the "
      "pairs' own variance. Stages have ",
      lab.arguments().games, " games where the thesis had 1000."));
  return Finish(lab, report, status);
}

absl::StatusOr<ExperimentReport> SecondTournament(Laboratory& lab) {
  ExperimentReport report =
      Begin(lab, "E6", "second tournament: random ranges by gap, and the best books");
  report.data["matches"] = Json::array();
  ExperimentTable ranges{"Type-2 against tuned books, both with a random range; Type-2's score",
                         {"pairing", "range", "thesis, table 3.2 (column 3)", "ours", "Elo, 95 %",
                          "draws", "pairs set aside"},
                         {}};
  ExperimentTable best{"Pairings among the best books against Type-1",
                       {"book", "against", "ours", "Elo, 95 %", "draws", "pairs set aside"},
                       {}};
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const PlayableBook type2, TypePlayer(lab, "type2"));
    const int column = PairedColumn(lab.arguments());
    for (const int stages : {4, 5}) {
      ASSIGN_OR_RETURN(const PlayableBook tuned, StagePlayer(lab, stages, column));
      for (const double range : {1.0, 1.5}) {
        PlayableBook a = type2;
        PlayableBook b = tuned;
        a.range = b.range = range;
        const std::string name = absl::StrCat(NameOf(a, b), range == 1 ? "-gap" : "-gap15");
        ASSIGN_OR_RETURN(const PlayedMatch played, lab.Play(name, a, b));
        const ThesisRange& thesis = ThesisRanges()[static_cast<size_t>(stages - 4)];
        ranges.rows.push_back(
            Row({absl::StrCat(a.label, " - ", b.label), absl::StrCat(range, " x gap"),
                 ScoreCell(range == 1 ? thesis.gap : thesis.gap_and_half)},
                PlayedCells(played)));
        report.data["matches"].push_back(MatchData(a, b, played));
      }
    }
    // Add matches between the three best books.
    ASSIGN_OR_RETURN(const PlayableBook type1, TypePlayer(lab, "type1"));
    std::vector<Against> all;
    RETURN_IF_ERROR(PlayAll(lab, Contestants(lab), type1, all));
    std::erase_if(all, [](const Against& one) {
      return !one.played.same_as.empty() || !one.played.left_out().empty();
    });
    std::stable_sort(all.begin(), all.end(), [](const Against& a, const Against& b) {
      return a.played.series.tally().pentanomial.score() >
             b.played.series.tally().pentanomial.score();
    });
    if (all.size() > 3) all.resize(3);
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = i + 1; j < all.size(); ++j) {
        const PlayableBook& a = all[i].book;
        const PlayableBook& b = all[j].book;
        ASSIGN_OR_RETURN(const PlayedMatch played, lab.Play(NameOf(a, b), a, b));
        best.rows.push_back(Row({a.label, b.label}, PlayedCells(played)));
        report.data["matches"].push_back(MatchData(a, b, played));
      }
    }
    return absl::OkStatus();
  };
  const absl::Status status = body();
  report.tables.push_back(std::move(ranges));
  report.tables.push_back(std::move(best));
  NoteSources(lab, report);
  NotePlay(lab, report);
  report.notes.push_back(
      "The best three are chosen by the same games that E5 shows, so their scores there are a "
      "little too good; the pairings here are of other games.");
  return Finish(lab, report, status);
}

absl::StatusOr<ExperimentReport> ExternalOpponent(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E7", "against an engine of another make");
  const std::string& opponent = lab.arguments().opponent;
  std::vector<Against> all;
  const PlayableBook engine{opponent, ""};
  const auto body = [&]() -> absl::Status {
    const int column = PairedColumn(lab.arguments());
    std::vector<Contestant> books;
    for (const char* const type : {"type1", "type2"}) {
      books.emplace_back([&lab, type] { return TypePlayer(lab, type); });
    }
    for (const int stages : {4, 5}) {
      books.emplace_back([&lab, stages, column] { return StagePlayer(lab, stages, column); });
    }
    for (const std::string& policy : lab.arguments().policies) {
      books.emplace_back([&lab, policy] { return PolicyPlayer(lab, policy); });
    }
    return PlayAll(lab, books, engine, all);
  };
  const absl::Status status = body();
  ExperimentTable table{
      absl::StrCat("Score of the book, played by the embedded engine, against ", opponent),
      {"book", "thesis, table 3.3 (Todai Shogi 6; column 3)", "ours", "Elo, 95 %", "draws",
       "pairs set aside"},
      {}};
  report.data["matches"] = Json::array();
  for (const auto& [book, played] : all) {
    std::string known = book.label;
    if (known.rfind("Type-6[", 0) == 0) known.replace(known.size() - 2, 1, "3");
    table.rows.push_back(
        Row({book.label, ScoreCell(ThesisAgainstTodai(known))}, PlayedCells(played)));
    report.data["matches"].push_back(MatchData(book, engine, played));
  }
  report.tables.push_back(std::move(table));
  NoteSources(lab, report);
  NotePlay(lab, report);
  report.notes.push_back("The opponent plays without a book of its own, under the same limit.");
  return Finish(lab, report, status);
}

}  // namespace joseki::cli
