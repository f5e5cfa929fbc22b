#include "coordinator/page/diff_json.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/offline/book_diff.h"
#include "coordinator/offline/book_reach.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/input_book.h"
#include "coordinator/page/answer_json.h"

namespace joseki::coordinator {
namespace {

constexpr std::string_view kInput = "input";
constexpr std::string_view kInputOf = "input-";
constexpr std::string_view kWith = "with:";

// A book of one of the files.
struct BookName {
  size_t file = 0;
  RunId run = 0;       // 0: the book itself
  bool input = false;  // the book that the run began with
};

absl::StatusOr<BookName> NameOf(const std::string& text, const char* field, size_t files) {
  BookName name;
  std::string_view rest = text;
  const auto takes = [&](std::string_view prefix) {
    const bool has = rest.starts_with(prefix);
    if (has) rest.remove_prefix(prefix.size());
    return has;
  };
  name.file = takes(kWith) ? 1 : 0;
  name.input = takes(kInputOf);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), name.run);
  const bool is_number = error == std::errc() && end == rest.data() + rest.size();
  if (is_number && name.file < files && (!name.input || name.run != 0)) return name;
  return MakeProblem(
      {.code = "bad_field",
       .file = field,
       .found = Quote(text.substr(0, 40)),
       .expected = absl::StrCat("the number of a run, 0 for the book itself or input-R",
                                files > 1 ? ", of the other file after with:" : "")});
}

absl::StatusOr<ExportBook> LoadBook(const std::vector<BookFile>& files, const Rules& rules,
                                    const BookName& name) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(files[name.file].db_path, book::OpenMode::kReadOnly));
  if (!name.input) return LoadExport(*store, rules, name.run);
  ASSIGN_OR_RETURN(const TunedRun tuned, LoadTunedRun(*store, rules, name.run));
  return InputOf(tuned);
}

struct Books {
  ExportBook before;
  ExportBook after;
};

absl::StatusOr<Books> LoadBooks(const std::vector<BookFile>& files, const Rules& rules,
                                const std::string& before, const std::string& after) {
  ASSIGN_OR_RETURN(const BookName later, NameOf(after, "after", files.size()));
  BookName earlier{.file = later.file, .run = later.run, .input = true};
  const bool its_input = before == kInput && later.run != 0 && !later.input;
  if (!its_input) {
    ASSIGN_OR_RETURN(earlier, NameOf(before, "before", files.size()));
  }
  Books books;
  ASSIGN_OR_RETURN(books.before, LoadBook(files, rules, earlier));
  ASSIGN_OR_RETURN(books.after, LoadBook(files, rules, later));
  return books;
}

// The book's entry for the position; null: none.
const ExportBook::Position* Find(const ExportBook& book, const PackedPosition& packed) {
  const auto at = std::lower_bound(
      book.positions.begin(), book.positions.end(), packed,
      [](const ExportBook::Position& a, const PackedPosition& b) { return a.packed < b; });
  return at != book.positions.end() && at->packed == packed ? &*at : nullptr;
}

}  // namespace

absl::StatusOr<Json> DiffJson(const std::vector<BookFile>& files, const Rules& rules,
                              const std::string& before, const std::string& after, size_t most) {
  ASSIGN_OR_RETURN(const Books books, LoadBooks(files, rules, before, after));
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
