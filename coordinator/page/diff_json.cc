#include "coordinator/page/diff_json.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/offline/book_diff.h"
#include "coordinator/offline/book_reach.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/input_book.h"
#include "coordinator/page/answer_json.h"

namespace joseki::coordinator {
namespace {

constexpr char kInput[] = "input";

absl::StatusOr<RunId> NumberOfBook(const std::string& text, const char* field) {
  RunId run = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), run);
  if (error == std::errc() && end == text.data() + text.size()) return run;
  return MakeProblem({.code = "bad_field",
                      .file = field,
                      .found = Quote(text.substr(0, 40)),
                      .expected = "the number of a run, or 0 for the book itself"});
}

struct Books {
  ExportBook before;
  ExportBook after;
};

absl::StatusOr<Books> LoadBooks(book::Store& store, const Rules& rules, const std::string& before,
                                const std::string& after) {
  ASSIGN_OR_RETURN(const RunId later, NumberOfBook(after, "after"));
  Books books;
  if (before == kInput && later != 0) {
    ASSIGN_OR_RETURN(const TunedRun tuned, LoadTunedRun(store, rules, later));
    return Books{InputOf(tuned), ExportOfRun(tuned)};
  }
  ASSIGN_OR_RETURN(const RunId earlier, NumberOfBook(before, "before"));
  ASSIGN_OR_RETURN(books.before, LoadExport(store, rules, earlier));
  ASSIGN_OR_RETURN(books.after, LoadExport(store, rules, later));
  return books;
}

// What the book has for the position; null: nothing.
const ExportBook::Position* Find(const ExportBook& book, const PackedPosition& packed) {
  const auto at = std::lower_bound(
      book.positions.begin(), book.positions.end(), packed,
      [](const ExportBook::Position& a, const PackedPosition& b) { return a.packed < b; });
  return at != book.positions.end() && at->packed == packed ? &*at : nullptr;
}

}  // namespace

absl::StatusOr<Json> DiffJson(book::Store& store, const Rules& rules, const std::string& before,
                              const std::string& after, size_t most) {
  ASSIGN_OR_RETURN(const Books books, LoadBooks(store, rules, before, after));
  BookDiff diff = Diff(
      books.before, books.after, /*weights=*/false,
      {.start = {}, .before = ReachOf(rules, books.before), .after = ReachOf(rules, books.after)});
  std::vector<PositionDiff>& changed = diff.positions;
  std::erase_if(changed, [](const PositionDiff& position) { return !position.answer_changed; });
  std::stable_sort(changed.begin(), changed.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.reach, a.games) > std::tuple(b.reach, b.games);
  });
  Json positions = Json::array();
  for (const PositionDiff& position : changed) {
    if (positions.size() == most) break;
    const ExportBook::Move* const old_answer =
        AnswerAmong(Find(books.before, position.packed)->moves);
    const std::vector<ExportBook::Move>& now = Find(books.after, position.packed)->moves;
    const ExportBook::Move* const new_answer = AnswerAmong(now);
    const auto known = std::find_if(now.begin(), now.end(), [&](const ExportBook::Move& move) {
      return old_answer != nullptr && move.move == old_answer->move;
    });
    const auto answer = [&](const ExportBook::Move* move) {
      return move == nullptr ? Json(nullptr) : AnswerJson(*move, rules);
    };
    positions.push_back({{"position", rules.Text(position.packed, position.ply)},
                         {"ply", position.ply},
                         {"reach", position.reach},
                         {"games", position.games},
                         {"before", answer(old_answer)},
                         {"after", answer(new_answer)},
                         {"after_of_before", answer(known == now.end() ? nullptr : &*known)}});
  }
  return Json{{"same", diff.same_positions},
              {"only_before", diff.only_before},
              {"only_after", diff.only_after},
              {"changed", diff.changed_answers},
              {"positions", std::move(positions)}};
}

}  // namespace joseki::coordinator
