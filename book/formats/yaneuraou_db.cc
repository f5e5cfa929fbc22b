#include "book/formats/yaneuraou_db.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

constexpr std::string_view kDbMagic = "#YANEURAOU-DB2016 1.00";
constexpr std::string_view kAnyMagic = "#YANEURAOU-";
constexpr std::string_view kDbByteOrderMark = "\xef\xbb\xbf";
// "Move in the book, value unknown", as written by books from before 2023.
constexpr int kNoValue = std::numeric_limits<int16_t>::min();

constexpr int kDbColumns = 5;  // move, ponder, value, depth, count
using Columns = std::string_view[kDbColumns];

bool IsNone(std::string_view column) {
  return column.empty() || column == "none" || column == "None" || column == "NONE" ||
         column == "resign";
}

// The number in a column; nullopt if it is empty, "bad_number" if it is malformed or out of T's
// range.
template <typename T>
absl::StatusOr<std::optional<T>> ColumnNumber(std::string_view column) {
  if (IsNone(column) || column == "-") return std::optional<T>();
  std::string_view digits = column;
  if (digits.starts_with("+")) digits.remove_prefix(1);
  T value = 0;
  const char* const past = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), past, value);
  if (error == std::errc() && end == past) return std::optional<T>(value);
  return MakeProblem({.code = "bad_number",
                      .found = Quote(column),
                      .expected = absl::StrCat("a whole number, ", std::numeric_limits<T>::min(),
                                               " to ", std::numeric_limits<T>::max())});
}

// True if a column may be a number or empty.
bool LooksLikeNumber(std::string_view column) {
  return std::all_of(column.begin(), column.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+'; });
}

bool IsComment(std::string_view text) { return text.starts_with("#") || text.starts_with("//"); }

// Splits columns at single blanks, where an empty column is a missing one ("7i6h none   8"). False
// if the line has another form, i.e. something else stands where a number belongs.
bool SplitAtSingleBlanks(std::string_view line, Columns& columns) {
  for (int i = 0; i < kDbColumns; ++i) {
    const size_t end = std::min(line.find(' '), line.size());
    columns[i] = line.substr(0, end);
    if (i >= 2 && !LooksLikeNumber(columns[i]) && !IsNone(columns[i])) return false;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (!line.empty() && !IsComment(line)) return false;
  return IsNone(columns[1]) || shogi::MoveFromUsi(columns[1]).has_value();
}

void SplitAtBlanks(std::string_view line, Columns& columns) {
  std::fill(std::begin(columns), std::end(columns), std::string_view());
  for (std::string_view& column : columns) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const size_t end = std::min(line.find_first_of(" \t"), line.size());
    column = line.substr(0, end);
    // A comment may follow the columns of a move.
    if (IsComment(column)) {
      column = {};
      return;
    }
    line.remove_prefix(end);
  }
}

class DbReader {
 public:
  DbReader(std::string_view file, const DbSink& sink) : file_(file), sink_(sink) {}

  absl::Status Read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line_ == 1 && line.starts_with(kDbByteOrderMark)) {
        line.remove_prefix(kDbByteOrderMark.size());
      }
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      if (line_ == 1 && line.starts_with(kAnyMagic) && line != kDbMagic) {
        return MakeProblem({.code = "unknown_version",
                            .file = std::string(file_),
                            .line = 1,
                            .found = Quote(line),
                            .expected = Quote(kDbMagic)});
      }
      Line(line);
    }
    Finish();
    return absl::OkStatus();
  }

 private:
  void Line(std::string_view line) {
    if (line.empty() || IsComment(line)) return;
    if (line.starts_with("sfen ")) {
      Finish();
      return StartPosition(line.substr(5));
    }
    if (reading_) {
      if (const absl::Status added = AddMoveLine(line); !added.ok()) Reject(added);
    } else if (!skipping_) {
      // Reports all lines before the first position as one problem.
      skipping_ = true;
      Reject(MakeProblem({.code = "bad_line",
                          .found = Quote(line),
                          .expected = "a position: sfen, board, side to move, hands and ply"}));
    }
  }

  void StartPosition(std::string_view sfen) {
    absl::StatusOr<shogi::SfenPosition> parsed = shogi::ParseSfen(sfen);
    skipping_ = !parsed.ok();
    if (!parsed.ok()) return Reject(parsed.status());
    if (parsed->position.king(shogi::kBlack) == shogi::kNoSquare ||
        parsed->position.king(shogi::kWhite) == shogi::kNoSquare) {
      skipping_ = true;
      return Reject(MakeProblem({.code = "no_king",
                                 .found = Quote(sfen),
                                 .expected = "a king of each side, as in a game"}));
    }
    reading_ = true;
    position_ = std::move(parsed->position);
    current_ = DbPosition();
    current_.line = line_;
    current_.packed = shogi::Pack(position_);
    current_.ply = parsed->ply;
    has_lines_ = false;
  }

  absl::Status AddMoveLine(std::string_view line) {
    has_lines_ = true;
    Columns columns;
    if (!SplitAtSingleBlanks(line, columns)) SplitAtBlanks(line, columns);
    const absl::StatusOr<Move> move = shogi::ParseMove(position_, columns[0]);
    if (!move.ok()) return move.status();
    DbMove entry;
    entry.move = *move;
    ASSIGN_OR_RETURN(const std::optional<int> value, ColumnNumber<int>(columns[2]));
    ASSIGN_OR_RETURN(const std::optional<int> depth, ColumnNumber<int>(columns[3]));
    ASSIGN_OR_RETURN(const std::optional<uint64_t> count, ColumnNumber<uint64_t>(columns[4]));
    entry.has_value = value.has_value() && *value != kNoValue;
    if (entry.has_value) entry.value = *value;
    entry.has_depth = depth.has_value();
    entry.depth = depth.value_or(0);
    entry.count = SumOfCounts(0, count.value_or(1));
    const absl::Status ponder = SetPonder(columns[1], entry);
    AddMove(current_.moves, entry);
    return ponder;
  }

  absl::Status SetPonder(std::string_view column, DbMove& entry) {
    if (IsNone(column)) return absl::OkStatus();
    shogi::Undo undo;
    position_.Do(entry.move, undo);
    const absl::StatusOr<Move> ponder = shogi::ParseMove(position_, column);
    position_.TakeBack(entry.move, undo);
    if (ponder.ok()) {
      entry.ponder = *ponder;
      return absl::OkStatus();
    }
    Problem problem = ProblemOf(ponder.status());
    problem.code = "illegal_ponder";
    return MakeProblem(std::move(problem));
  }

  // Ends the moves of the current position.
  void Finish() {
    if (!reading_) return;
    reading_ = false;
    if (!current_.moves.empty()) {
      sink_.accept(std::move(current_));
    } else if (!has_lines_) {  // otherwise each of its moves was reported
      sink_.reject(MakeProblem({.code = "no_moves",
                                .file = std::string(file_),
                                .line = current_.line,
                                .found = "a position without moves",
                                .expected = "at least one move line"}));
    }
  }

  void Reject(const absl::Status& problem) { sink_.reject(At(problem, file_, line_)); }

  const std::string_view file_;
  const DbSink& sink_;
  int line_ = 0;
  bool reading_ = false;   // move lines belong to current_
  bool skipping_ = false;  // move lines belong to a position that was rejected
  bool has_lines_ = false;
  DbPosition current_;
  shogi::Position position_;
};

}  // namespace

absl::Status ReadYaneuraouDb(std::string_view text, std::string_view file, const DbSink& sink) {
  return DbReader(file, sink).Read(text);
}

std::string YaneuraouDbHead() { return absl::StrCat(std::string(kDbMagic), "\n"); }

std::string YaneuraouDbKey(const PackedPosition& packed) {
  const absl::StatusOr<shogi::Position> position = shogi::Unpack(packed);
  if (!position.ok()) return {};
  std::string sfen = shogi::ToSfen(*position, 1);
  sfen.pop_back();
  return sfen;
}

void AppendYaneuraouDb(std::string& text, std::string_view key, const DbPosition& position,
                       const DbComment& comment) {
  absl::StrAppend(&text, "sfen ", absl::string_view(key.data(), key.size()), position.ply, "\n");
  for (const DbMove& move : position.moves) {
    absl::StrAppend(&text, shogi::ToUsi(move.move), " ",
                    move.ponder ? shogi::ToUsi(move.ponder) : "none", " ", move.value, " ",
                    move.depth, " ", move.count);
    if (comment) {
      const std::string words = comment(position.packed, move.move);
      if (!words.empty()) absl::StrAppend(&text, " #", words);
    }
    text += '\n';
  }
}

std::string WriteYaneuraouDb(std::vector<DbPosition> positions, const DbComment& comment) {
  Canonicalise(positions);
  struct Entry {
    std::string key;
    size_t index;
  };
  std::vector<Entry> order;
  for (size_t i = 0; i < positions.size(); ++i) {
    std::string key = YaneuraouDbKey(positions[i].packed);
    if (key.empty()) continue;  // malformed position
    order.push_back({std::move(key), i});
  }
  std::sort(order.begin(), order.end(),
            [](const Entry& a, const Entry& b) { return a.key < b.key; });
  std::string text = YaneuraouDbHead();
  for (const Entry& entry : order) {
    AppendYaneuraouDb(text, entry.key, positions[entry.index], comment);
  }
  return text;
}

}  // namespace joseki::book
