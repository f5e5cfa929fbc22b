#include "cli/experiment/field_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/experiment/field_books.h"
#include "cli/match/book.h"

namespace joseki::cli {
namespace {

std::string FullPath(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

// The stems of the folder's databases, in order.
absl::StatusOr<std::set<std::string>> DatabasesOf(const Laboratory& lab) {
  const std::string& folder = lab.arguments().folder;
  std::set<std::string> stems;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".sqlite") stems.insert(at->path().stem().string());
  }
  if (error) return FileProblem(error.value(), folder, "a folder that can be read");
  return stems;
}

// Whether a row has the book: it makes it, or names its file.
bool IsInRows(const std::vector<FieldRow>& rows, const FieldBook& book, const std::string& path) {
  const auto same = [&](const FieldBook& one) {
    return one.word == book.word || (!one.name.empty() && FullPath(BookFileOf(one.name)) == path);
  };
  return std::any_of(rows.begin(), rows.end(), [&](const FieldRow& row) {
    return std::any_of(row.books.begin(), row.books.end(), same);
  });
}

}  // namespace

absl::StatusOr<std::vector<FieldRow>> OtherBooks(Laboratory& lab,
                                                 const std::vector<FieldRow>& rows) {
  ASSIGN_OR_RETURN(const std::set<std::string> stems, DatabasesOf(lab));
  std::vector<FieldRow> others;
  for (const std::string& stem : stems) {
    FieldBook book = BookOfWord(lab, stem);
    if (IsInRows(rows, book, FullPath(lab.PathOf(stem + ".sqlite")))) continue;
    const absl::StatusOr<bool> tuned = lab.IsTuned(stem);
    if (!tuned.ok() || !*tuned) continue;
    RETURN_IF_ERROR(MakeBook(lab, book));
    const std::string name =
        book.budget > 0 ? absl::StrCat(book.method, ", ", book.budget, " games") : stem + ".sqlite";
    auto row = std::find_if(others.begin(), others.end(),
                            [&](const FieldRow& one) { return one.name == name; });
    if (row == others.end()) {
      row = others.emplace(others.end());
      row->name = name;
    }
    row->books.push_back(std::move(book));
  }
  return others;
}

}  // namespace joseki::cli
