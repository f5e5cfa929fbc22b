#include "cli/experiment/field_books.h"

#include <glob.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/formats/yaneuraou_db.h"
#include "book/tuning/policy.h"
#include "cli/experiment/contestants.h"
#include "cli/experiment/field.h"
#include "cli/experiment/file_word.h"
#include "cli/experiment/searched_book.h"
#include "cli/match/book.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

constexpr char kFiles[] = "files:";
constexpr char kFieldWord[] = "field-";
constexpr char kInput[] = "type2";
constexpr uint32_t kGaugePairs = 20;
constexpr double kRunDeviation = 0.008;

// The number of positions that a run with evaluations searches: those of its book, and those one
// book move beyond.
absl::StatusOr<uint64_t> PositionsToSearch(Laboratory& lab, const std::string& database) {
  ASSIGN_OR_RETURN(const LoadedBook loaded, LoadBook(lab.rules(), database));
  const book::Graph& graph = *loaded.book->graph;
  std::set<PackedPosition> beyond;
  Expansion expansion;
  for (book::NodeId id = 0; id < graph.node_count(); ++id) {
    std::vector<Move> moves;
    for (const book::Graph::Edge& edge : graph.moves(id)) {
      if (edge.to == book::kNoNode) moves.push_back(edge.move);
    }
    if (moves.empty()) continue;
    RETURN_IF_ERROR(lab.rules().Expand(graph.node(id).packed, moves, expansion));
    for (const auto& child : expansion.children) {
      if (child) beyond.insert(child->packed);
    }
  }
  return graph.node_count() + beyond.size();
}

// Nodes of one search: ten times those of a move, up to a fifth more or less by the book's seed.
// Searches with equal nodes would be identical, and the books with them.
uint64_t SearchNodes(const Laboratory& lab, const FieldBook& book) {
  const uint64_t usual = UsualPriorNodes(lab.arguments().nodes);
  return usual - usual / 5 + lab.SeedOf(book.word + " searches") % (2 * (usual / 5) + 1);
}

absl::StatusOr<BookCost> CostOf(const std::string& database) {
  BookCost cost;
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(database, book::OpenMode::kReadOnly));
  coordinator::RunStore rows(*store);
  ASSIGN_OR_RETURN(const coordinator::RunRow run, rows.runs().Read(1));
  cost.played_ms = run.played_ms;
  RETURN_IF_ERROR(rows.games().ForEach(1, 0, [&](const coordinator::GameRow& game) {
    ++cost.games;
    cost.game_nodes += game.nodes;
    return absl::OkStatus();
  }));
  const auto count_search = [&](const coordinator::EvaluationRow& row) {
    ++cost.searches;
    cost.search_nodes += row.game.nodes;
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(coordinator::ForEachEvaluation(*store, 1, run.spec, /*shared=*/0, count_search));
  RETURN_IF_ERROR(coordinator::ForEachLineSearch(*store, 1, count_search));
  return cost;
}

// The run of a budget. The cost of its searches is subtracted from its games.
absl::StatusOr<SpecArguments> SpecFor(Laboratory& lab, const FieldMethod& method,
                                      const FieldBook& book, const std::string& from) {
  SpecArguments spec;
  spec.run.games = book.budget;
  method.ask(book, spec);
  if (!spec.priors) return spec;
  ASSIGN_OR_RETURN(const double nodes_of_game, NodesOfGame(lab));
  ASSIGN_OR_RETURN(const uint64_t positions, PositionsToSearch(lab, from));
  spec.run.priors.nodes = SearchNodes(lab, book);
  const auto nodes = static_cast<double>(spec.run.priors.nodes);
  const double budget = static_cast<double>(book.budget) * nodes_of_game;
  const auto affordable = static_cast<uint64_t>(std::max(1.0, method.searched * budget / nodes));
  if (affordable < positions) spec.run.priors.positions = static_cast<uint32_t>(affordable);
  const double searched = static_cast<double>(std::min(affordable, positions)) * nodes;
  spec.run.games = static_cast<uint64_t>(std::max(1.0, (budget - searched) / nodes_of_game));
  return spec;
}

absl::Status MakeByRun(Laboratory& lab, const FieldMethod& method, FieldBook& book) {
  ASSIGN_OR_RETURN(const std::string from, lab.TypeBook(kInput));
  SpecArguments spec;
  ASSIGN_OR_RETURN(const bool done, lab.IsTuned(book.word));
  if (!done) {
    if (lab.arguments().show) return absl::CancelledError("it is not made");
    ASSIGN_OR_RETURN(spec, SpecFor(lab, method, book, from));
  }
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(book.word, from, std::move(spec)));
  ASSIGN_OR_RETURN(book.cost, CostOf(path));
  book.name = path + "#1";
  return absl::OkStatus();
}

// Makes a book by searches alone, nearest positions first. Where the budget exceeds their usual
// cost, each search gets more nodes.
absl::Status MakeBySearches(Laboratory& lab, const FieldMethod&, FieldBook& book) {
  ASSIGN_OR_RETURN(const std::string from, lab.TypeBook(kInput));
  SpecArguments spec;
  ASSIGN_OR_RETURN(const bool done, lab.IsTuned(book.word));
  if (!done) {
    if (lab.arguments().show) return absl::CancelledError("it is not made");
    ASSIGN_OR_RETURN(const double nodes_of_game, NodesOfGame(lab));
    ASSIGN_OR_RETURN(const uint64_t positions, PositionsToSearch(lab, from));
    const double budget = static_cast<double>(book.budget - 1) * nodes_of_game;
    const auto usual = static_cast<double>(SearchNodes(lab, book));
    const double nodes = std::max(usual, budget / static_cast<double>(positions));
    const auto affordable = static_cast<uint64_t>(std::max(1.0, budget / nodes));
    spec.priors = true;
    spec.run.priors.nodes = static_cast<uint64_t>(nodes);
    if (affordable < positions) spec.run.priors.positions = static_cast<uint32_t>(affordable);
    spec.run.games = 1;
  }
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(book.word, from, std::move(spec)));
  ASSIGN_OR_RETURN(book.cost, CostOf(path));
  const std::string file = lab.PathOf(book.word + ".db");
  RETURN_IF_ERROR(lab.MakeOnce(file, [&](const std::string& name) -> absl::Status {
    ASSIGN_OR_RETURN(std::vector<book::DbPosition> positions, SearchedBook(lab.rules(), path));
    return WriteFileAtomically(name, book::WriteYaneuraouDb(std::move(positions)));
  }));
  book.name = file;
  return absl::OkStatus();
}

void AskNothing(const FieldBook&, SpecArguments&) {}
void AskForGamesAlone(const FieldBook&, SpecArguments& spec) { spec.no_search = true; }
void AskForNoNewMoves(const FieldBook&, SpecArguments& spec) {
  spec.run.line_searches.fixed_book = true;
}
void AskForOwnLimit(const FieldBook&, SpecArguments& spec) {
  spec.run.line_searches.own_limit = true;
}
void AskForSearches(const FieldBook&, SpecArguments& spec) { spec.priors = true; }
void AskForPolicy(const FieldBook& book, SpecArguments& spec) { spec.policy = book.method; }
void AskForResultDriven(const FieldBook& book, SpecArguments& spec) {
  spec.policy = "result-driven";
  spec.policy_options = {"start=frequency", absl::StrCat("total_games=", book.budget)};
  spec.run.games = MostGames(book.budget);
}
void AskForType7(const FieldBook& book, SpecArguments& spec) {
  spec.policy = "epsilon-greedy";
  const uint64_t half = std::max<uint64_t>(1, book.budget / 2);
  spec.policy_options = {absl::StrCat("games=", half, ",", half)};
}

constexpr FieldMethod kMethods[] = {
    {"default", "as `joseki tune` does without a further word", 0, AskNothing, MakeByRun},
    {"fixed-book", "the default, among the book's moves alone", 0, AskForNoNewMoves, MakeByRun},
    {"no-search", "the default without searches along lines", 0, AskForGamesAlone, MakeByRun},
    {"own-limit", "the default, for opponents with the run's limit alone", 0, AskForOwnLimit,
     MakeByRun},
    {"priors", "the default with --priors: up to half of the budget goes into searches", 0.5,
     AskForSearches, MakeByRun},
    {"result-driven", "the thesis's rule from the records' frequencies", 0, AskForResultDriven,
     MakeByRun},
    {"searched",
     "no games: searches of the book's positions and minimax of what they say, the engine's best "
     "move of each among the book's",
     1, nullptr, MakeBySearches},
    {"type7", "the thesis's Type-7: sample average, epsilon 0.1, in two batches", 0, AskForType7,
     MakeByRun},
};
constexpr FieldMethod kByPolicy = {"", "a policy by its name, without evaluations", 0, AskForPolicy,
                                   MakeByRun};

// The books that a pattern matches, in order; each keeps the pattern's part behind #.
absl::StatusOr<std::vector<std::string>> FilesOf(const std::string& pattern) {
  const std::string file = BookFileOf(pattern);
  const std::string rest = pattern.substr(file.size());
  glob_t found{};
  std::vector<std::string> names;
  if (glob(file.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      names.push_back(std::filesystem::absolute(found.gl_pathv[i]).lexically_normal().string() +
                      rest);
    }
  }
  globfree(&found);
  if (!names.empty()) return names;
  return MakeProblem({.code = "not_found",
                      .file = "--method",
                      .found = Quote(kFiles + pattern) + ", which names no file",
                      .expected = "files of books, as `joseki match` takes them"},
                     absl::StatusCode::kNotFound);
}

const FieldMethod* FindMethod(const std::string& name) {
  const auto at = std::find_if(std::begin(kMethods), std::end(kMethods),
                               [&](const FieldMethod& method) { return method.name == name; });
  return at == std::end(kMethods) ? nullptr : at;
}

bool IsPolicy(const std::string& name) {
  const auto names = book::PolicyNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

FieldBook BookOfBudget(const Laboratory& lab, const std::string& method, uint64_t budget,
                       int number) {
  FieldBook book;
  book.method = method;
  book.label = absl::StrCat(method, " ", number);
  book.word = absl::StrCat(kFieldWord, method, "-", budget, "-", number);
  book.budget = budget;
  book.number = number;
  book.seed = lab.SeedOf(book.word);
  return book;
}

}  // namespace

std::span<const FieldMethod> FieldMethods() { return kMethods; }

absl::StatusOr<std::vector<FieldBook>> BooksOf(const Laboratory& lab, const std::string& method,
                                               std::optional<int> books, uint64_t budget) {
  std::vector<FieldBook> all;
  if (absl::StartsWith(method, kFiles)) {
    ASSIGN_OR_RETURN(std::vector<std::string> files, FilesOf(method.substr(sizeof kFiles - 1)));
    if (books) files.resize(std::min(files.size(), static_cast<size_t>(*books)));
    for (const std::string& file : files) {
      FieldBook& book = all.emplace_back();
      book.method = method;
      book.number = static_cast<int>(all.size());
      book.label = std::filesystem::path(file).filename().string();
      // The hash tells this file from one of equal name in another folder.
      book.word =
          absl::StrCat("file-", FileWord(book.label), "-", Hex(Sha256Of(file)).substr(0, 8));
      book.name = file;
    }
    return all;
  }
  if (FindMethod(method) == nullptr && !IsPolicy(method)) {
    std::string known;
    for (const FieldMethod& one : kMethods) absl::StrAppend(&known, one.name, ", ");
    return MakeProblem({.code = "usage",
                        .file = "--method",
                        .found = Quote(method),
                        .expected = known + "a policy by its name, or files:PATTERN"});
  }
  for (int number = 1; number <= books.value_or(kFieldBooks); ++number) {
    all.push_back(BookOfBudget(lab, method, budget, number));
  }
  return all;
}

FieldBook BookOfWord(const Laboratory& lab, const std::string& word) {
  const std::vector<std::string> parts = absl::StrSplit(word, '-');
  uint64_t budget = 0;
  int number = 0;
  if (parts.size() >= 4 && absl::SimpleAtoi(parts[parts.size() - 2], &budget) &&
      absl::SimpleAtoi(parts.back(), &number)) {
    const std::string method =
        absl::StrJoin(parts.begin() + 1, parts.end() - 2, "-");  // it may have hyphens
    FieldBook book = BookOfBudget(lab, method, budget, number);
    if (book.word == word && (FindMethod(method) != nullptr || IsPolicy(method))) return book;
  }
  FieldBook book;
  book.method = word;
  book.label = word;
  book.word = word;
  book.name = lab.PathOf(word + ".sqlite#1");
  return book;
}

absl::Status MakeBook(Laboratory& lab, FieldBook& book) {
  if (!book.name.empty()) return absl::OkStatus();
  const FieldMethod* const named = FindMethod(book.method);
  const FieldMethod& method = named != nullptr ? *named : kByPolicy;
  return method.make(lab, method, book);
}

absl::StatusOr<double> NodesOfGame(Laboratory& lab) {
  ASSIGN_OR_RETURN(const std::string input, lab.TypeBook(kInput));
  MatchPlan plan;
  plan.name = "gauge";
  plan.sides[0] = {"input", lab.Played(input), "share"};
  plan.sides[1] = plan.sides[0];
  plan.nodes = lab.arguments().nodes;
  plan.pairs = kGaugePairs;
  plan.deviation = kRunDeviation;
  ASSIGN_OR_RETURN(const PlannedMatch match, lab.Play(plan));
  RETURN_IF_ERROR(CheckNotVoid(match.played));
  const book::SeriesTally& tally = match.played.series.tally();
  if (tally.total().games() == 0) return absl::CancelledError("no game was played yet");
  return static_cast<double>(tally.used[0].nodes + tally.used[1].nodes) /
         static_cast<double>(tally.total().games());
}

}  // namespace joseki::cli
