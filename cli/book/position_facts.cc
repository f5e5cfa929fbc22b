#include "cli/book/position_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "book/folding.h"
#include "book/graph.h"
#include "cli/boards/game_view.h"
#include "cli/words/phrases.h"

namespace joseki::cli {
namespace {

using book::BookMove;
using book::BookPosition;
using book::MoveCounts;

// A chi-square test holds from about this expected number of games in each cell.
constexpr double kLeastExpected = 5;

MoveCounts SumOf(const BookMove& move) {
  MoveCounts sum;
  for (const MoveCounts& counts : move.counts) sum.Add(counts);
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

// Counts of moves by the colour that played them, in a position and its images.
class ByColourRows {
 public:
  // `here`: the side to move in the position.
  ByColourRows(const Symmetries& symmetries, Color here) : symmetries_(symmetries), here_(here) {}

  // Calls `add(map, position)` for the position, as map 0, and each image of it.
  template <typename Add>
  absl::Status ForEachImage(const PackedPosition& position, Add add) const {
    RETURN_IF_ERROR(add(0, position));
    for (int map = 1; map <= symmetries_.count(); ++map) {
      RETURN_IF_ERROR(add(map, symmetries_.Image(map, position)));
    }
    return absl::OkStatus();
  }
  // Counts `move`, played at `position`, which is the image by `map`. A move that two maps yield
  // counts once.
  void Add(int map, const PackedPosition& position, Move move, const MoveCounts& counts) {
    const Move here = map == 0 ? move : symmetries_.Image(map, move);
    if (!added_.insert({here, position, move}).second) return;
    PositionFacts::ByColour& row = rows_[here];
    row.move = here;
    const bool other = map != 0 && symmetries_.ExchangesColours(map);
    ((other ? ~here_ : here_) == Color::kFirst ? row.first : row.second).Add(counts);
  }
  std::vector<PositionFacts::ByColour> Finish() {
    std::vector<PositionFacts::ByColour> rows;
    for (auto& [move, row] : rows_) {
      row.chance = ChanceOf(row.first, row.second);
      rows.push_back(row);
    }
    return rows;
  }

 private:
  const Symmetries& symmetries_;
  const Color here_;
  std::set<std::tuple<Move, PackedPosition, Move>> added_;
  std::map<Move, PositionFacts::ByColour> rows_;
};

absl::Status FillByColour(book::Store& store, const Symmetries& symmetries, const GameState& state,
                          PositionFacts& facts) {
  ByColourRows rows(symmetries, state.side_to_move());
  const auto add = [&](int map, const PackedPosition& packed) -> absl::Status {
    ASSIGN_OR_RETURN(const std::optional<BookPosition> position,
                     book::BookStore(store).Find(packed));
    if (!position.has_value()) return absl::OkStatus();
    for (const BookMove& move : position->moves) rows.Add(map, packed, move.move, SumOf(move));
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(rows.ForEachImage(state.packed(), add));
  facts.by_colour = rows.Finish();
  return absl::OkStatus();
}

// The counts from the games of a run, whether it folds colours or not.
absl::Status FillByColour(const coordinator::TunedRun& tuned, const Symmetries& symmetries,
                          const GameState& state, PositionFacts& facts) {
  const book::Graph& graph = *tuned.run.graph;
  ByColourRows rows(symmetries, state.side_to_move());
  const auto add = [&](int map, const PackedPosition& packed) {
    const book::NodeId node = graph.FindPacked(packed);
    if (node == book::kNoNode) return absl::OkStatus();
    for (const book::Graph::Edge& edge : graph.moves(node)) {
      const book::Evidence& e = tuned.run.tuner->arms()[graph.IdOf(edge)].evidence;
      rows.Add(map, packed, edge.move, {e.games(), e.wins, e.draws, e.losses});
    }
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(rows.ForEachImage(state.packed(), add));
  facts.by_colour = rows.Finish();
  return absl::OkStatus();
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

std::string Capitalised(std::string_view word) {
  std::string text(word);
  text[0] = absl::ascii_toupper(text[0]);
  return text;
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
  if (fold) {
    ASSIGN_OR_RETURN(const Symmetries* const symmetries, book::SymmetriesOf(rules));
    RETURN_IF_ERROR(run != nullptr ? FillByColour(*run, *symmetries, state, facts)
                                   : FillByColour(store, *symmetries, state, facts));
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

void PrintFacts(const PositionFacts& facts, const GameState& state, const Rules& rules,
                const Voice& voice, bool sources, std::ostream& out) {
  const auto text = [&](Move move) { return voice.MoveText(rules, state.packed(), move); };
  for (const auto& [move, note] : facts.notes) out << voice.Say(phrase::kNoteOn, text(move), note);
  for (const Move move : facts.forbidden) out << voice.Say(phrase::kForbidden, text(move));
  if (sources && !facts.sources.empty()) out << voice.Say(phrase::kSources);
  for (const book::MoveSource& source : facts.sources) {
    if (!sources) break;
    out << "  " << PaddedRight(text(source.move), 6) << absl::StreamFormat(" %-6s", source.kind);
    if (source.counts.games > 0) {
      out << absl::StreamFormat("  n %d, %d-%d-%d", source.counts.games, source.counts.wins,
                                source.counts.draws, source.counts.losses);
    }
    if (source.value.has_value())
      out << voice.Say(phrase::kSourceValue, *source.value, source.depth);
    if (source.count > 0) out << voice.Say(phrase::kSourceCount, source.count);
    out << "  " << source.name << "\n";
  }
  if (!facts.onward.empty()) {
    out << voice.Say(
        phrase::kGoesOn,
        absl::StrJoin(
            facts.onward, ", ", [&](std::string* joined, const PositionFacts::Onward& onward) {
              absl::StrAppend(joined,
                              onward.answers == 1
                                  ? voice.Say(phrase::kOneMove, text(onward.move))
                                  : voice.Say(phrase::kMoves, text(onward.move), onward.answers));
            }));
  }
  if (!facts.by_colour.empty()) out << voice.Say(phrase::kByColour);
  const GameView& view = ViewOf(rules.game());
  for (const PositionFacts::ByColour& row : facts.by_colour) {
    out << "  " << PaddedRight(text(row.move), 6)
        << absl::StreamFormat(" %s n %d, %d-%d-%d; %s n %d, %d-%d-%d",
                              Capitalised(voice.Say(view.first_phrase)), row.first.games,
                              row.first.wins, row.first.draws, row.first.losses,
                              Capitalised(voice.Say(view.second_phrase)), row.second.games,
                              row.second.wins, row.second.draws, row.second.losses);
    if (row.chance.has_value()) {
      out << voice.Say(phrase::kEqualScores, absl::StrFormat("%.3f", *row.chance));
    }
    out << "\n";
  }
  if (!facts.inward.empty()) out << voice.Say(phrase::kLedToBy);
  for (const PositionFacts::Inward& inward : facts.inward) {
    out << voice.Say(phrase::kMoveIn, voice.MoveText(rules, inward.from, inward.move),
                     rules.Text(inward.from, inward.ply));
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
    const GameView& view = ViewOf(rules.game());
    object["by_colour"] = Json::array();
    for (const PositionFacts::ByColour& row : facts.by_colour) {
      object["by_colour"].push_back(
          {{"move", rules.Text(row.move)},
           {std::string(view.first), CountsJson(row.first)},
           {std::string(view.second), CountsJson(row.second)},
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
