#include "cli/experiment/experiments.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "book/tuning/policy.h"
#include "book/weighing.h"
#include "cli/match/book.h"
#include "cli/match/report.h"
#include "cli/run/policy_arguments.h"
#include "coordinator/store/book_store.h"
#include "coordinator/store/store.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;

constexpr int kStages = 5;

// --- What is tuned.

// Drawn games are replaced: stages end when they have their games, unless hardly any game is won.
uint64_t MostGames(uint64_t counted) { return 4 * counted + 100; }

TunePlan ResultDriven(const Laboratory& lab, int column) {
  const uint64_t games = lab.arguments().games * static_cast<uint64_t>(column);
  return {absl::StrCat("type6-", column),
          "type1",
          "result-driven",
          {{"column", absl::StrCat(column)}, {"games", absl::StrCat(games)}},
          MostGames(kStages * games)};
}

// Sample average, epsilon 0.1, in two batches.
TunePlan EpsilonGreedy(const Laboratory& lab) {
  const uint64_t games = lab.arguments().games;
  return {
      "type7", "type1", "epsilon-greedy", {{"games", absl::StrCat(games, ",", games)}}, 4 * games};
}

// Whether this policy is given the evaluations that are asked for.
bool TakesPriors(const Laboratory& lab, const std::string& policy) {
  if (!lab.arguments().priors) return false;
  const auto named = PolicyOf(policy, "", {});
  if (!named.ok()) return false;
  const auto made = book::MakePolicy(named->name, named->options);
  return made.ok() && (*made)->estimator() != nullptr;
}

// A policy of ours with as many games as Type-6[5-1], from the frequencies of Type-2.
TunePlan OtherPolicy(const Laboratory& lab, const std::string& policy) {
  const uint64_t games = kStages * lab.arguments().games;
  if (policy == "result-driven") {
    return {"policy-" + policy,
            "type2",
            policy,
            {{"start", "frequency"}, {"games", absl::StrCat(lab.arguments().games)}},
            MostGames(games)};
  }
  const bool priors = TakesPriors(lab, policy);
  return {absl::StrCat("policy-", policy, priors ? "-evaluations" : ""),
          "type2",
          policy,
          {},
          games,
          priors};
}

std::string LabelOf(const Laboratory& lab, const std::string& policy) {
  return policy +
         (TakesPriors(lab, policy) ? ", from frequency and evaluations" : ", from frequency");
}

// --- What is played.

absl::StatusOr<PlayableBook> TypePlayer(Laboratory& lab, const std::string& type) {
  ASSIGN_OR_RETURN(std::string path, lab.TypeBook(type));
  return PlayableBook{"Type-" + type.substr(4), std::move(path)};
}

// Type-6[stages-column].
absl::StatusOr<PlayableBook> StagePlayer(Laboratory& lab, int stages, int column) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(ResultDriven(lab, column)));
  return PlayableBook{absl::StrCat("Type-6[", stages, "-", column, "]"),
                      absl::StrCat(path, "#1/", stages)};
}

absl::StatusOr<PlayableBook> GreedyPlayer(Laboratory& lab, int batches) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(EpsilonGreedy(lab)));
  // The book's answer is the best mean of a move that was tried.
  return PlayableBook{absl::StrCat("Type-7[", batches, "-1]"), absl::StrCat(path, "#1/", batches),
                      /*ties_by_chance=*/false};
}

absl::StatusOr<PlayableBook> PolicyPlayer(Laboratory& lab, const std::string& policy) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(OtherPolicy(lab, policy)));
  return PlayableBook{LabelOf(lab, policy), path + "#1", /*ties_by_chance=*/false};
}

// "Type-6[5-1]" as a part of a file's name: "type-6-5-1".
std::string FileWord(const std::string& label) {
  std::string word;
  for (const char c : label) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      word += absl::ascii_tolower(static_cast<unsigned char>(c));
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

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

// --- What every experiment says.

ExperimentReport Begin(const Laboratory& lab, const char* name, const char* title) {
  const ExperimentArguments& arguments = lab.arguments();
  ExperimentReport report;
  report.name = name;
  report.title = title;
  Json settings;
  settings["games"] = arguments.games;
  settings["columns"] = arguments.columns;
  settings["nodes"] = arguments.nodes;
  settings["pairs"] = arguments.pairs;
  settings["max_plies"] = arguments.max_plies;
  settings["plies"] = arguments.plies;
  settings["filter"] = arguments.filter;
  settings["seed"] = arguments.seed;
  report.data["settings"] = std::move(settings);
  return report;
}

void NoteSources(const Laboratory& lab, ExperimentReport& report) {
  if (!lab.has_professionals()) {
    report.notes.push_back(
        "No source says who was a professional: all players count as others, so Type-5b weighs as "
        "Type-2 does and Type-5c as Type-5a.");
  }
}

void NotePlay(const Laboratory& lab, ExperimentReport& report) {
  report.notes.push_back(absl::StrCat(
      "Engine: the embedded one at ", lab.arguments().nodes,
      " nodes a move, +- 20 %, on both sides; the thesis had TACOS, its time a move is not known. "
      "Games come in pairs of one chance with colours exchanged, the same games counted once."));
  report.notes.push_back(
      "Books are played without a random term, leaving the book with probability 0.008; equal "
      "weights fall to chance. Whether the thesis had its random term on is not said.");
}

// Having been told to end is no error.
absl::StatusOr<ExperimentReport> Finish(const Laboratory& lab, ExperimentReport& report,
                                        const absl::Status& status) {
  if (!status.ok() && !absl::IsCancelled(status)) return status;
  report.interrupted = !status.ok() || lab.interrupted();
  return std::move(report);
}

// --- E1

struct BookSize {
  int64_t positions = 0;
  int64_t moves = 0;
  double gap = 0;
};

absl::StatusOr<ExperimentReport> BaseBook(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E1", "the base book");
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string path, lab.BaseBook());
    ASSIGN_OR_RETURN(const auto store,
                     coordinator::Store::Open(path, coordinator::OpenMode::kReadOnly));
    coordinator::BookStore book(*store);
    ASSIGN_OR_RETURN(const coordinator::BookTotals totals, book.Totals());
    ASSIGN_OR_RETURN(const auto start, lab.rules().Start("startpos", MatchRules{}));
    ASSIGN_OR_RETURN(const auto root, book.Find(start->packed()));
    std::vector<std::pair<std::string, int64_t>> moves;
    int64_t games = 0;
    if (root) {
      for (const coordinator::BookMove& move : root->moves) {
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

// --- E2

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

// --- E3 and E4: what tuning says of the start position.

// Ranks from 1, the largest first; moves without games last.
template <typename Value>
std::vector<int> RanksBy(const std::vector<ExportBook::Move>& moves, const Value& value) {
  std::vector<size_t> order(moves.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return value(moves[a]) > value(moves[b]); });
  std::vector<int> ranks(moves.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<int>(i) + 1;
  return ranks;
}

double MeanOf(const ExportBook::Move& move) {
  const double n = move.evidence.decided();
  return n == 0 ? -1 : move.evidence.wins / n;
}

int64_t MarginOf(const ExportBook::Move& move) {
  return int64_t{move.evidence.wins} - int64_t{move.evidence.losses};
}

std::string ThesisCell(const std::string& move, std::optional<int> column) {
  if (!column) return "-";
  for (const ThesisStageMove& known : ThesisStageMoves()) {
    if (known.move != move) continue;
    const ThesisStageMove::Column& at = known.columns[static_cast<size_t>(*column)];
    return absl::StrFormat("%d, %.1f %%, %+d", at.plays, 100.0 * at.wins / at.plays,
                           2 * at.wins - at.plays);
  }
  return "-";
}

// One table in the form of the thesis's tables 3.4 to 3.6.
absl::Status AddStartTable(Laboratory& lab, const std::string& label, const std::string& tuned,
                           int stages, std::optional<int> thesis_column, ExperimentReport& report) {
  ASSIGN_OR_RETURN(ExportBook::Position start, lab.StartOf(tuned, stages));
  std::vector<ExportBook::Move>& moves = start.moves;
  std::stable_sort(moves.begin(), moves.end(),
                   [](const ExportBook::Move& a, const ExportBook::Move& b) {
                     return a.evidence.decided() > b.evidence.decided();
                   });
  const std::vector<int> by_mean = RanksBy(moves, MeanOf);
  const std::vector<int> by_sum = RanksBy(moves, MarginOf);
  double plays = 0;
  for (const ExportBook::Move& move : moves) plays += move.evidence.decided();
  ExperimentTable table{absl::StrCat("Moves of the start position, ", label),
                        {"move", "plays", "share", "wins", "win rate, 95 %", "wins - losses",
                         "rank by mean", "rank by sum", "weight", "answer"},
                        {}};
  if (thesis_column) table.columns.emplace_back("thesis: plays, win rate, wins - losses");
  Json data = Json::array();
  for (size_t i = 0; i < moves.size(); ++i) {
    const ExportBook::Move& move = moves[i];
    const double n = move.evidence.decided();
    const std::string text = lab.rules().Text(move.move);
    std::vector<std::string> row = {
        text,
        absl::StrCat(move.evidence.decided()),
        absl::StrFormat("%.1f %%", plays > 0 ? 100 * n / plays : 0),
        absl::StrCat(move.evidence.wins),
        n == 0 ? "-"
               : absl::StrFormat("%.1f %% [%.0f, %.0f]", 100 * MeanOf(move), 100 * move.low,
                                 100 * move.high),
        absl::StrFormat("%+d", MarginOf(move)),
        absl::StrCat(by_mean[i]),
        absl::StrCat(by_sum[i]),
        absl::StrFormat("%g", move.weight),
        move.answer ? "yes" : ""};
    if (thesis_column) row.push_back(ThesisCell(text, thesis_column));
    table.rows.push_back(std::move(row));
    Json one;
    one["move"] = text;
    one["wins"] = move.evidence.wins;
    one["draws"] = move.evidence.draws;
    one["losses"] = move.evidence.losses;
    one["low"] = move.low;
    one["high"] = move.high;
    one["weight"] = move.weight;
    one["rank_by_mean"] = by_mean[i];
    one["rank_by_sum"] = by_sum[i];
    one["answer"] = move.answer;
    data.push_back(std::move(one));
  }
  report.tables.push_back(std::move(table));
  report.data["start"][label] = std::move(data);
  return absl::OkStatus();
}

absl::StatusOr<ExperimentReport> ResultDrivenTuning(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E3", "result-driven tuning, Type-6");
  const auto body = [&]() -> absl::Status {
    for (int column = 1; column <= lab.arguments().columns; ++column) {
      ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(ResultDriven(lab, column)));
      for (int stages = 1; stages <= kStages; ++stages) {
        RETURN_IF_ERROR(AddStartTable(lab, absl::StrCat("Type-6[", stages, "-", column, "]"), path,
                                      stages, stages == 1 ? ThesisColumn(column) : std::nullopt,
                                      report));
      }
    }
    NoteSources(lab, report);
    report.notes.push_back(absl::StrCat(
        "A stage of column j has ", lab.arguments().games,
        " j games that were won (1000 j in the thesis); delta 16, 8, 4, 2, 1; rand 512 j. Drawn "
        "games are replaced by others, weights are frozen for the stage."));
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

absl::StatusOr<ExperimentReport> ReinforcementLearning(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E4", "reinforcement learning, Type-7, and other policies");
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string type7, lab.TunedBook(EpsilonGreedy(lab)));
    for (const int batches : {1, 2}) {
      RETURN_IF_ERROR(AddStartTable(lab, absl::StrCat("Type-7[", batches, "-1]"), type7, batches,
                                    std::nullopt, report));
    }
    for (const std::string& policy : lab.arguments().policies) {
      ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(OtherPolicy(lab, policy)));
      RETURN_IF_ERROR(AddStartTable(lab, LabelOf(lab, policy), path, 0, std::nullopt, report));
    }
    NoteSources(lab, report);
    report.notes.push_back(absl::StrCat(
        "Type-7: sample average, epsilon 0.1, two batches of ", lab.arguments().games,
        " games with frozen means; a draw is half a win, a move without games 0.5 (the thesis "
        "gives neither). Other policies have ",
        kStages * lab.arguments().games,
        " games, as many as Type-6[5-1], and begin with the frequencies of Type-2."));
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

// --- E5

// A book that is made when its turn has come, so that the first results are there early.
using Contestant = std::function<absl::StatusOr<PlayableBook>()>;

// All books but Type-1, in the order of the thesis's tables; then ours.
std::vector<Contestant> Contestants(Laboratory& lab) {
  std::vector<Contestant> books;
  for (const std::string_view type : book::BookTypeNames()) {
    if (type == "type1") continue;
    books.emplace_back([&lab, type] { return TypePlayer(lab, std::string(type)); });
  }
  for (int column = 1; column <= lab.arguments().columns; ++column) {
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

// Each against `b`, as far as it goes; Cancelled where it was broken off.
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
  return {ScoreCell(tally.pentanomial), EloCell(tally.pentanomial),
          absl::StrCat(tally.total().draws), absl::StrCat(tally.repeats)};
}

std::vector<std::string> Row(std::vector<std::string> first, std::vector<std::string> more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

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

// --- E6

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
    const int column = std::min(lab.arguments().columns, 3);
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
    // The three books that did best, each against each.
    ASSIGN_OR_RETURN(const PlayableBook type1, TypePlayer(lab, "type1"));
    std::vector<Against> all;
    RETURN_IF_ERROR(PlayAll(lab, Contestants(lab), type1, all));
    std::erase_if(all, [](const Against& one) { return !one.played.same_as.empty(); });
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

// --- E7

absl::StatusOr<ExperimentReport> ExternalOpponent(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E7", "against an engine of another make");
  const std::string& opponent = lab.arguments().opponent;
  std::vector<Against> all;
  const PlayableBook engine{opponent, ""};
  const auto body = [&]() -> absl::Status {
    const int column = std::min(lab.arguments().columns, 3);
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

constexpr Experiment kExperiments[] = {
    {"E1", "the base book, and the moves of the start position", BaseBook},
    {"E2", "Type-1 to Type-5c of it", Types},
    {"E3", "result-driven tuning in five stages, Type-6", ResultDrivenTuning},
    {"E4", "reinforcement learning, Type-7, and other policies", ReinforcementLearning},
    {"E5", "each book against Type-1", AgainstType1},
    {"E6", "second tournament: random ranges by gap; the best books", SecondTournament},
    {"E7", "an engine of another make as opponent", ExternalOpponent}};

}  // namespace

std::span<const Experiment> Experiments() { return kExperiments; }

}  // namespace joseki::cli
