#include "coordinator/page/book_json.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/openings/openings.h"
#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostSources = 12;

// The number of times that a move was played, or counted by an imported book.
int64_t CountOf(const ExportBook::Move& move) { return move.games + move.book_count; }

// The base weight; if no move has one, the number of times that the move was played.
int64_t WeightOf(const ExportBook::Move& move, bool weighed) {
  return std::max<int64_t>(0, weighed ? move.prior : CountOf(move));
}

void AddValue(const ExportBook::Move& of, Json& move) {
  move["value"] = of.value ? Json(*of.value) : Json(nullptr);
  move["depth"] = of.value ? Json(of.depth) : Json(nullptr);
  move["count"] = of.book_count;
}

absl::StatusOr<std::optional<ExportBook::Position>> Find(book::Store& store, const Rules& rules,
                                                         const std::string& position) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(position, MatchRules()));
  ASSIGN_OR_RETURN(const auto found, book::BookStore(store).Find(state->packed()));
  if (!found) return std::nullopt;
  return ExportOfPosition(*found);
}

}  // namespace

absl::StatusOr<Json> BookJson(book::Store& store) {
  book::BookStore book(store);
  ASSIGN_OR_RETURN(const book::BookTotals totals, book.Totals());
  ASSIGN_OR_RETURN(const std::vector<book::BookSource> sources, book.Sources());
  Json shown = Json::array();
  for (size_t i = sources.size() - std::min(sources.size(), kMostSources); i < sources.size();
       ++i) {
    shown.push_back({{"kind", sources[i].kind},
                     {"name", sources[i].name},
                     {"games", sources[i].games},
                     {"rejected", sources[i].rejected},
                     {"added_at", sources[i].added_at}});
  }
  return Json{{"game", store.game()},          {"positions", totals.positions},
              {"moves", totals.moves},         {"games", totals.games},
              {"sources_all", sources.size()}, {"sources", std::move(shown)}};
}

absl::StatusOr<Json> BookPositionJson(book::Store& store, const Rules& rules,
                                      const std::string& position) {
  const std::string asked = position.empty() ? "startpos" : position;
  ASSIGN_OR_RETURN(auto found, Find(store, rules, asked));
  if (!found) {
    return MakeProblem(
        {.code = "not_in_book", .found = Quote(asked, 200), .expected = "a position of the book"},
        absl::StatusCode::kNotFound);
  }
  std::vector<ExportBook::Move>& of = found->moves;
  std::stable_sort(of.begin(), of.end(), [](const auto& a, const auto& b) {
    if (a.answer != b.answer) return a.answer;
    if (a.prior != b.prior) return a.prior > b.prior;
    return CountOf(a) > CountOf(b);
  });
  const bool weighed =
      std::any_of(of.begin(), of.end(), [](const auto& move) { return move.prior > 0; });
  double all = 0;
  for (const ExportBook::Move& move : of) all += static_cast<double>(WeightOf(move, weighed));
  Json moves = Json::array();
  for (const ExportBook::Move& move : of) {
    const double weight = static_cast<double>(WeightOf(move, weighed));
    Json& json = moves.emplace_back(Json{{"move", rules.Text(move.move)},
                                         {"weight", all > 0 ? weight / all : 0},
                                         {"wins", move.evidence.wins},
                                         {"draws", move.evidence.draws},
                                         {"losses", move.evidence.losses},
                                         {"repeats", 0},
                                         {"score_low", move.low},
                                         {"score_high", move.high},
                                         {"prior", weight},
                                         {"in_flight", 0},
                                         {"answer", move.answer},
                                         {"expected", nullptr},
                                         {"trials", 0},
                                         {"origin", nullptr},
                                         {"decided_by", nullptr}});
    AddValue(move, json);
    json["games"] = move.games;
  }
  return Json{{"position", rules.Text(found->packed, found->ply)},
              {"moves", std::move(moves)},
              {"commit_seq", 0}};
}

absl::Status AddImported(book::Store& store, const Rules& rules, Json& position) {
  ASSIGN_OR_RETURN(const auto found, Find(store, rules, position["position"].get<std::string>()));
  const ExportBook::Move unknown;
  for (Json& move : position["moves"]) {
    const ExportBook::Move* of = &unknown;
    if (found) {
      for (const ExportBook::Move& known : found->moves) {
        if (rules.Text(known.move) == move["move"].get<std::string>()) of = &known;
      }
    }
    AddValue(*of, move);
  }
  return absl::OkStatus();
}

Json OpeningJson(const Rules& rules, const PackedPosition& packed) {
  const auto opening = book::OpeningAt(rules.game(), packed);
  if (!opening) return nullptr;
  return {{"code", opening->code}, {"name", opening->name}, {"english", opening->english}};
}

}  // namespace joseki::coordinator
