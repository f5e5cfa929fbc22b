#include "cli/match/book.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/database_file.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "book/formats/reader.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/input_book.h"
#include "coordinator/offline/stage_book.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

using book::EdgeId;
using book::Graph;
using book::NodeId;
using coordinator::ExportBook;

constexpr char kBooks[] =
    "a database of Joseki, a YANEURAOU-DB2016, .ybb, Apery, ShogiGUI, probe or JSON file";

enum class Part { kBook, kFrequency, kRun, kRunInput, kRunFrequency, kRunOpponent };

struct BookName {
  std::string file;
  Part part = Part::kBook;
  coordinator::RunId run = 0;
  int stages = 0;  // of kRun: after that many stages; 0: now
};

BookName BookNameOf(std::string_view text) {
  const size_t hash = text.rfind('#');
  BookName name{std::string(text), Part::kBook, 0, 0};
  if (hash == std::string_view::npos) return name;
  std::string_view rest = text.substr(hash + 1);
  Part part = Part::kRun;
  if (rest == "frequency") {
    part = Part::kFrequency;
  } else {
    const size_t colon = rest.find(':');
    if (colon != std::string_view::npos) {
      const std::string_view which = rest.substr(colon + 1);
      static const std::map<std::string_view, Part> kParts = {{"input", Part::kRunInput},
                                                              {"frequency", Part::kRunFrequency},
                                                              {"opponent", Part::kRunOpponent}};
      const auto known = kParts.find(which);
      if (known == kParts.end()) return name;
      part = known->second;
      rest = rest.substr(0, colon);
    }
    if (const size_t slash = rest.find('/'); part == Part::kRun && slash != rest.npos) {
      const std::string stages(rest.substr(slash + 1));
      if (!absl::SimpleAtoi(stages, &name.stages) || name.stages < 1) return name;
      rest = rest.substr(0, slash);
    }
    if (!absl::SimpleAtoi(std::string(rest), &name.run) || name.run == 0) return name;
  }
  name.part = part;
  name.file = std::string(text.substr(0, hash));
  return name;
}

double Count(const ExportBook::Move& move) {
  return static_cast<double>(move.games) + static_cast<double>(move.book_count);
}

LoadedBook Finish(std::shared_ptr<const Graph> graph, std::vector<double> weights,
                  std::vector<EdgeId> answers) {
  std::string bytes = graph->Serialize();
  for (const double weight : weights) absl::StrAppend(&bytes, weight, " ");
  for (const EdgeId answer : answers) absl::StrAppend(&bytes, answer, " ");
  return {std::make_shared<book::PlayBook>(
              book::MakePlayBook(std::move(graph), std::move(weights), std::move(answers))),
          Hex(Sha256Of(bytes))};
}

// The answer at each position: the edge with the largest rank, the first among equals.
template <typename Rank>
std::vector<EdgeId> AnswersBy(const Graph& graph, const Rank& rank) {
  std::vector<EdgeId> answers(graph.node_count(), book::kNoEdge);
  for (NodeId id = 0; id < graph.node_count(); ++id) {
    const Graph::Node& node = graph.node(id);
    for (EdgeId edge = node.first; edge < node.first + node.count; ++edge) {
      if (answers[id] == book::kNoEdge || rank(answers[id]) < rank(edge)) answers[id] = edge;
    }
  }
  return answers;
}

// The current moves of the database's book, by edge of `graph`.
std::vector<ExportBook::Move> MovesOf(const ExportBook& book, const Graph& graph) {
  std::vector<ExportBook::Move> moves(graph.edge_count());
  size_t at = 0;
  for (NodeId id = 0; id < graph.node_count(); ++id) {
    const Graph::Node& node = graph.node(id);
    while (at < book.positions.size() && book.positions[at].packed < node.packed) ++at;
    const bool here = at < book.positions.size() && book.positions[at].packed == node.packed;
    for (EdgeId edge = node.first; edge < node.first + node.count; ++edge) {
      moves[edge].move = graph.edge(edge).move;
      if (here) {
        for (const ExportBook::Move& move : book.positions[at].moves) {
          if (move.move == moves[edge].move) moves[edge] = move;
        }
      }
      moves[edge].prior = graph.edge(edge).base_weight;
    }
  }
  return moves;
}

// Answers by the exporter's order: base weight, games, value, count. A move marked bad is no answer
// where there is another.
LoadedBook FinishMoves(std::shared_ptr<const Graph> graph,
                       const std::vector<ExportBook::Move>& moves, bool frequency) {
  const bool weighed = !frequency && std::any_of(moves.begin(), moves.end(),
                                                 [](const auto& move) { return move.prior != 0; });
  std::vector<double> weights;
  for (const ExportBook::Move& move : moves) {
    weights.push_back(weighed ? static_cast<double>(move.prior) : Count(move));
  }
  std::vector<EdgeId> answers = AnswersBy(*graph, [&](EdgeId edge) {
    const ExportBook::Move& move = moves[edge];
    return frequency
               ? std::tuple(!move.bad, Count(move), 0.0, move.prior, int64_t{0})
               : std::tuple(!move.bad, static_cast<double>(move.prior),
                            static_cast<double>(move.games),
                            static_cast<int64_t>(move.value.value_or(INT32_MIN)), move.book_count);
  });
  return Finish(std::move(graph), std::move(weights), std::move(answers));
}

absl::StatusOr<LoadedBook> LoadDatabase(const Rules& rules, const BookName& name) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(name.file, book::OpenMode::kReadOnly, rules.game()));
  if (name.part == Part::kRun) {
    ASSIGN_OR_RETURN(coordinator::LoadedRun played,
                     name.stages > 0
                         ? coordinator::LoadRunAfterStages(*store, rules, name.run, name.stages)
                         : coordinator::LoadRun(*store, rules, name.run));
    ASSIGN_OR_RETURN(const coordinator::TunedRun run,
                     coordinator::WithMarks(*store, std::move(played)));
    const ExportBook tuned = coordinator::ExportOfRun(run);
    // Structure of the tuned book: the run's searches may have added positions and moves.
    std::vector<book::GraphInput> structure;
    for (const ExportBook::Position& position : tuned.positions) {
      book::GraphInput& input =
          structure.emplace_back(book::GraphInput{position.packed, position.ply, {}});
      for (const ExportBook::Move& move : position.moves) {
        input.moves.push_back({move.move, move.prior});
      }
    }
    ASSIGN_OR_RETURN(Graph built, Graph::Build(rules, std::move(structure)));
    const auto graph = std::make_shared<const Graph>(std::move(built));
    std::vector<double> weights(graph->edge_count());
    std::vector<EdgeId> answers(graph->node_count(), book::kNoEdge);
    for (NodeId id = 0; id < graph->node_count(); ++id) {
      for (const ExportBook::Move& move : tuned.positions[id].moves) {
        const EdgeId edge = graph->FindMove(id, move.move);
        if (move.answer) answers[id] = edge;
        weights[edge] = move.weight;
      }
    }
    return Finish(graph, std::move(weights), std::move(answers));
  }
  if (name.part == Part::kRunOpponent) {
    ASSIGN_OR_RETURN(const coordinator::LoadedRun run,
                     coordinator::LoadRun(*store, rules, name.run));
    if (run.opponent == nullptr) {
      return MakeProblem({.code = "no_opponent",
                          .file = name.file,
                          .found = absl::StrCat("run ", name.run, " without an opponent's book"),
                          .expected = "a run against a book"},
                         absl::StatusCode::kNotFound);
    }
    return Finish(run.opponent->graph, run.opponent->weights, run.opponent->answers);
  }
  // A run froze the weights that its book had. They are its frequencies where nobody has weighed
  // it.
  bool frozen = name.part == Part::kRunInput;
  if (name.part == Part::kRunFrequency) {
    ASSIGN_OR_RETURN(const bool weighed, book::BookStore(*store).IsWeighed());
    frozen = !weighed;
  }
  if (frozen) {
    ASSIGN_OR_RETURN(const coordinator::TunedRun run,
                     coordinator::LoadTunedRun(*store, rules, name.run));
    ExportBook input = coordinator::InputOf(run);
    for (ExportBook::Position& position : input.positions) {
      for (ExportBook::Move& move : position.moves) {
        move.bad = run.MarkOf(position.packed, move.move) != 0;
      }
    }
    return FinishMoves(run.run.graph, MovesOf(input, *run.run.graph), /*frequency=*/false);
  }
  ASSIGN_OR_RETURN(const ExportBook book, coordinator::ExportOfBook(*store, rules));
  std::shared_ptr<const Graph> graph;
  if (name.part == Part::kBook || name.part == Part::kFrequency) {
    ASSIGN_OR_RETURN(Graph whole, book::BookStore(*store).LoadGraph(rules));
    graph = std::make_shared<Graph>(std::move(whole));
  } else {
    ASSIGN_OR_RETURN(const coordinator::LoadedRun run,
                     coordinator::LoadRun(*store, rules, name.run));
    graph = run.graph;
  }
  const std::vector<ExportBook::Move> moves = MovesOf(book, *graph);
  return FinishMoves(std::move(graph), moves,
                     name.part == Part::kFrequency || name.part == Part::kRunFrequency);
}

// Loads a file of another program. The answer is the move that this program plays most often.
absl::StatusOr<LoadedBook> LoadFile(const Rules& rules, book::BookFormat format,
                                    const std::string& path, const std::string& bytes,
                                    FileWeights weights_of) {
  RETURN_IF_ERROR(book::CheckGame(format, bytes, path, rules.game()));
  std::map<PackedPosition, book::DbPosition> positions;
  absl::Status bad;
  RETURN_IF_ERROR(book::ReadBook(format, bytes, path,
                                 {.accept =
                                      [&](book::DbPosition position) {
                                        positions.insert_or_assign(position.packed,
                                                                   std::move(position));
                                      },
                                  .reject =
                                      [&](absl::Status status) {
                                        // Skip two kinds of positions without an error: no game
                                        // reaches the first, and no program plays a move that its
                                        // book marks as bad.
                                        const std::string code = ProblemOf(status).code;
                                        if (code != "unreached_position" && code != "marked_bad") {
                                          bad.Update(std::move(status));
                                        }
                                      }}));
  RETURN_IF_ERROR(bad);
  std::vector<book::GraphInput> structure;
  for (const auto& [packed, position] : positions) {
    book::GraphInput& input = structure.emplace_back(book::GraphInput{packed, position.ply, {}});
    for (const book::DbMove& move : position.moves) {
      input.moves.push_back(
          {move.move, static_cast<int64_t>(std::min<uint64_t>(move.count, book::kMaxBaseWeight))});
    }
  }
  ASSIGN_OR_RETURN(Graph built, Graph::Build(rules, std::move(structure)));
  const auto graph = std::make_shared<const Graph>(std::move(built));
  std::vector<double> counts(graph->edge_count());
  std::vector<double> shares(graph->edge_count());
  std::vector<EdgeId> answers(graph->node_count(), book::kNoEdge);
  bool draws = false;
  const book::Reader reader = book::ReadersOf(format).front();
  for (NodeId id = 0; id < graph->node_count(); ++id) {
    const book::DbPosition& position = positions.at(graph->node(id).packed);
    const book::Probe probe = book::ChoiceBy(reader, format, position);
    std::tuple<double, int, uint64_t> best;  // share, value, count
    int played = 0;
    for (size_t i = 0; i < position.moves.size(); ++i) {
      const book::DbMove& move = position.moves[i];
      const EdgeId edge = graph->FindMove(id, move.move);
      counts[edge] = static_cast<double>(graph->edge(edge).base_weight);
      shares[edge] = probe.choices[i].share;
      played += shares[edge] > 0 ? 1 : 0;
      const std::tuple rank(shares[edge], move.value, move.count);
      if (answers[id] == book::kNoEdge || rank > best) {
        answers[id] = edge;
        best = rank;
      }
    }
    draws = draws || played > 1;
  }
  const bool by_reader = weights_of == FileWeights::kReader;
  LoadedBook loaded = Finish(graph, std::move(by_reader ? shares : counts), std::move(answers));
  loaded.draws = by_reader && draws;
  return loaded;
}

absl::StatusOr<LoadedBook> LoadFile(const Rules& rules, const std::string& path,
                                    FileWeights weights) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  if (const auto format = book::BookFormatOf(bytes)) {
    return LoadFile(rules, *format, path, bytes, weights);
  }
  return MakeProblem({.code = "not_a_book",
                      .file = path,
                      .found = "a file of another kind",
                      .expected = absl::StrCat("a book: ", kBooks)});
}

}  // namespace

std::string BookFileOf(std::string_view name) { return BookNameOf(name).file; }

absl::StatusOr<LoadedBook> LoadBook(const Rules& rules, const std::string& text,
                                    FileWeights weights) {
  const BookName name = BookNameOf(text);
  const bool database = IsBookDatabaseAt(name.file);
  if (!database && !std::ifstream(name.file).good()) {
    return MakeProblem({.code = "not_found",
                        .file = name.file,
                        .found = "no file that can be read",
                        .expected = absl::StrCat("a book: ", kBooks)},
                       absl::StatusCode::kNotFound);
  }
  if (!database && name.part != Part::kBook) {
    return MakeProblem({.code = "not_a_database",
                        .file = name.file,
                        .found = Quote(text),
                        .expected = "a database of Joseki: only that has runs and games"});
  }
  absl::StatusOr<LoadedBook> loaded =
      database ? LoadDatabase(rules, name) : LoadFile(rules, name.file, weights);
  if (!loaded.ok()) return At(loaded.status(), name.file);  // of a run that is not there
  if (loaded->book->graph->edge_count() == 0) {
    return MakeProblem({.code = "empty_book",
                        .file = name.file,
                        .found = "a book without moves",
                        .expected = "a book that can be played from"},
                       absl::StatusCode::kFailedPrecondition);
  }
  return loaded;
}

}  // namespace joseki::cli
