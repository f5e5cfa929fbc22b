#include "cli/book/position_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "book/formats/turned.h"
#include "book/graph.h"

namespace joseki::cli {
namespace {

using book::BookMove;
using book::BookPosition;
using book::MoveCounts;

// A chi-square test says something from about so many games expected in each cell.
constexpr double kLeastExpected = 5;

MoveCounts SumOf(const BookMove& move) {
  MoveCounts sum;
  for (const MoveCounts& counts : move.counts) {
    sum.games += counts.games;
    sum.wins += counts.wins;
    sum.draws += counts.draws;
    sum.losses += counts.losses;
  }
  return sum;
}

std::optional<double> ChanceOf(const MoveCounts& a, const MoveCounts& b) {
  const auto wins = static_cast<double>(a.wins + b.wins);
  const auto losses = static_cast<double>(a.losses + b.losses);
  const auto of_a = static_cast<double>(a.wins + a.losses);
  const auto of_b = static_cast<double>(b.wins + b.losses);
  const double all = wins + losses;
  if (all == 0 || std::min(wins, losses) * std::min(of_a, of_b) / all < kLeastExpected) {
    return std::nullopt;
  }
  const double difference = static_cast<double>(a.wins) * static_cast<double>(b.losses) -
                            static_cast<double>(b.wins) * static_cast<double>(a.losses);
  const double square = all * difference * difference / (wins * losses * of_a * of_b);
  return std::erfc(std::sqrt(square / 2));
}

Move TurnedMove(const PackedPosition& position, Move move) {
  book::DbPosition one;
  one.packed = position;
  one.moves = {{.move = move}};
  return book::Turned(one).moves.front().move;
}

// Moves by the colour that played them: those of a position and of the turned one.
class ByColourRows {
 public:
  // `turn`: the position is the turned one.
  void Add(const PackedPosition& position, bool turn, Move move, const MoveCounts& counts) {
    const Move here = turn ? TurnedMove(position, move) : move;
    PositionFacts::ByColour& row = rows_[here];
    row.move = here;
    (book::SideToMove(position) == Color::kFirst ? row.black : row.white) = counts;
  }
  std::vector<PositionFacts::ByColour> Finish() {
    std::vector<PositionFacts::ByColour> rows;
    for (auto& [move, row] : rows_) {
      row.chance = ChanceOf(row.black, row.white);
      rows.push_back(row);
    }
    return rows;
  }

 private:
  std::map<Move, PositionFacts::ByColour> rows_;
};

PackedPosition TurnedPosition(const GameState& state) {
  book::DbPosition here;
  here.packed = state.packed();
  return book::Turned(here).packed;
}

absl::Status FillByColour(book::Store& store, const GameState& state,
                          const std::optional<BookPosition>& here, PositionFacts& facts) {
  ASSIGN_OR_RETURN(const std::optional<BookPosition> turned,
                   book::BookStore(store).Find(TurnedPosition(state)));
  ByColourRows rows;
  const auto add = [&](const std::optional<BookPosition>& position, bool turn) {
    if (!position.has_value()) return;
    for (const BookMove& move : position->moves) {
      rows.Add(position->packed, turn, move.move, SumOf(move));
    }
  };
  add(here, false);
  add(turned, true);
  facts.by_colour = rows.Finish();
  return absl::OkStatus();
}

// The same by the games of a run, whether it folds colours or not.
void FillByColour(const coordinator::TunedRun& tuned, const GameState& state,
                  PositionFacts& facts) {
  const book::Graph& graph = *tuned.run.graph;
  ByColourRows rows;
  const auto add = [&](book::NodeId node, bool turn) {
    if (node == book::kNoNode) return;
    for (const book::Graph::Edge& edge : graph.moves(node)) {
      const book::Evidence& e = tuned.run.tuner->arms()[graph.IdOf(edge)].evidence;
      rows.Add(graph.node(node).packed, turn, edge.move, {e.games(), e.wins, e.draws, e.losses});
    }
  };
  add(graph.Find(state.key()), false);
  add(graph.FindPacked(TurnedPosition(state)), true);
  facts.by_colour = rows.Finish();
}

absl::Status FillOnward(book::Store& store, const Rules& rules,
                        const std::optional<BookPosition>& here, PositionFacts& facts) {
  if (!here.has_value()) return absl::OkStatus();
  std::vector<Move> moves;
  for (const BookMove& move : here->moves) {
    moves.push_back(move.move);
    if (!move.note.empty()) facts.notes.emplace_back(move.move, move.note);
    if (move.mark == book::kForbidden) facts.forbidden.push_back(move.move);
  }
  Expansion expansion;
  RETURN_IF_ERROR(rules.Expand(here->packed, moves, expansion));
  book::BookStore book(store);
  for (size_t i = 0; i < moves.size(); ++i) {
    if (!expansion.children[i].has_value()) continue;
    ASSIGN_OR_RETURN(const std::optional<BookPosition> next,
                     book.Find(expansion.children[i]->packed));
    if (next.has_value()) facts.onward.push_back({moves[i], next->ply, next->moves.size()});
  }
  return absl::OkStatus();
}

Json CountsJson(const MoveCounts& counts) {
  return {{"n", counts.games},
          {"wins", counts.wins},
          {"draws", counts.draws},
          {"losses", counts.losses}};
}

}  // namespace

absl::StatusOr<PositionFacts> FactsOf(book::Store& store, const Rules& rules,
                                      const GameState& state, const coordinator::TunedRun* run,
                                      bool fold, bool transpositions) {
  PositionFacts facts;
  book::BookStore book(store);
  ASSIGN_OR_RETURN(const std::optional<BookPosition> here, book.Find(state.packed()));
  ASSIGN_OR_RETURN(facts.sources, book::SourcesOfPosition(store, state.packed()));
  RETURN_IF_ERROR(FillOnward(store, rules, here, facts));
  if (fold && run != nullptr) {
    FillByColour(*run, state, facts);
  } else if (fold) {
    RETURN_IF_ERROR(FillByColour(store, state, here, facts));
  }
  if (!transpositions) return facts;
  ASSIGN_OR_RETURN(const book::Graph graph, book.LoadGraph(rules));
  const book::NodeId node = graph.Find(state.key());
  if (node == book::kNoNode) return facts;
  for (book::EdgeId edge = 0; edge < graph.edge_count(); ++edge) {
    if (graph.target(edge) != node) continue;
    const book::Graph::Node& from = graph.node(graph.edge(edge).from);
    facts.inward.push_back({from.packed, from.ply, graph.edge(edge).move});
  }
  return facts;
}

void PrintFacts(const PositionFacts& facts, const Rules& rules, bool sources, std::ostream& out) {
  for (const auto& [move, note] : facts.notes) {
    out << "note on " << rules.Text(move) << ": " << note << "\n";
  }
  for (const Move move : facts.forbidden) out << "forbidden: " << rules.Text(move) << "\n";
  if (sources && !facts.sources.empty()) out << "sources:\n";
  for (const book::MoveSource& source : facts.sources) {
    if (!sources) break;
    out << absl::StreamFormat("  %-6s %-6s", rules.Text(source.move), source.kind);
    if (source.counts.games > 0) {
      out << absl::StreamFormat("  n %d, %d-%d-%d", source.counts.games, source.counts.wins,
                                source.counts.draws, source.counts.losses);
    }
    if (source.value.has_value()) {
      out << absl::StreamFormat("  value %d, depth %d", *source.value, source.depth);
    }
    if (source.count > 0) out << "  count " << source.count;
    out << "  " << source.name << "\n";
  }
  if (!facts.onward.empty()) {
    out << "goes on in the book: "
        << absl::StrJoin(facts.onward, ", ",
                         [&](std::string* text, const PositionFacts::Onward& onward) {
                           absl::StrAppend(text, rules.Text(onward.move), " (", onward.answers,
                                           onward.answers == 1 ? " move)" : " moves)");
                         })
        << "\n";
  }
  if (!facts.by_colour.empty()) out << "by colour, the turned position included:\n";
  for (const PositionFacts::ByColour& row : facts.by_colour) {
    out << absl::StreamFormat("  %-6s Black n %d, %d-%d-%d; White n %d, %d-%d-%d",
                              rules.Text(row.move), row.black.games, row.black.wins,
                              row.black.draws, row.black.losses, row.white.games, row.white.wins,
                              row.white.draws, row.white.losses);
    if (row.chance.has_value()) out << absl::StreamFormat("; equal scores: p %.3f", *row.chance);
    out << "\n";
  }
  if (!facts.inward.empty()) out << "led to by:\n";
  for (const PositionFacts::Inward& inward : facts.inward) {
    out << "  " << rules.Text(inward.move) << " in " << rules.Text(inward.from, inward.ply) << "\n";
  }
}

void AddFacts(const PositionFacts& facts, const Rules& rules, bool fold, bool transpositions,
              Json& object) {
  object["notes"] = Json::array();
  for (const auto& [move, note] : facts.notes) {
    object["notes"].push_back({{"move", rules.Text(move)}, {"note", note}});
  }
  object["forbidden"] = Json::array();
  for (const Move move : facts.forbidden) object["forbidden"].push_back(rules.Text(move));
  object["sources"] = Json::array();
  for (const book::MoveSource& source : facts.sources) {
    Json row = {{"move", rules.Text(source.move)}, {"kind", source.kind}, {"name", source.name}};
    row.update(CountsJson(source.counts));
    row["value"] = source.value.has_value() ? Json(*source.value) : Json();
    row["depth"] = source.depth;
    row["count"] = source.count;
    object["sources"].push_back(std::move(row));
  }
  object["onward"] = Json::array();
  for (const PositionFacts::Onward& onward : facts.onward) {
    object["onward"].push_back(
        {{"move", rules.Text(onward.move)}, {"ply", onward.ply}, {"moves", onward.answers}});
  }
  if (fold) {
    object["by_colour"] = Json::array();
    for (const PositionFacts::ByColour& row : facts.by_colour) {
      object["by_colour"].push_back(
          {{"move", rules.Text(row.move)},
           {"black", CountsJson(row.black)},
           {"white", CountsJson(row.white)},
           {"chance_if_equal", row.chance.has_value() ? Json(*row.chance) : Json()}});
    }
  }
  if (!transpositions) return;
  object["transpositions"] = Json::array();
  for (const PositionFacts::Inward& inward : facts.inward) {
    object["transpositions"].push_back(
        {{"position", rules.Text(inward.from, inward.ply)}, {"move", rules.Text(inward.move)}});
  }
}

}  // namespace joseki::cli
