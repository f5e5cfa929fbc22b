#include "book/formats/book_file.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/apery.h"
#include "book/formats/eleeye.h"
#include "book/formats/game_form.h"
#include "book/formats/gikou.h"
#include "book/formats/json_book.h"
#include "book/formats/obk.h"
#include "book/formats/probe_file.h"
#include "book/formats/sbk.h"
#include "book/formats/usi_lines.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"

namespace joseki::book {
namespace {

bool IsYaneuraouDb(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  constexpr std::string_view kMagic = "#YANEURAOU-DB2016";
  if (bytes.substr(0, kMagic.size()) == kMagic) return true;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (!line.empty() && line[0] != '#' && line.substr(0, 2) != "//" && line != "\r") {
      return line.substr(0, 5) == "sfen " && line.find(" moves ") == std::string_view::npos;
    }
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
  }
  return false;
}

absl::Status ReadAperyBook(std::string_view bytes, std::string_view file, const DbSink& sink) {
  std::vector<AperyRecord> unreached;
  RETURN_IF_ERROR(ReadApery(bytes, file, {}, sink, &unreached));
  for (const AperyRecord& record : unreached) {
    sink.reject(MakeProblem({.code = "unreached_position",
                             .file = std::string(file),
                             .found = absl::StrCat("key ", absl::Hex(record.key, absl::kZeroPad16)),
                             .expected = "a position that legal moves lead to from the start"}));
  }
  return absl::OkStatus();
}

bool IsAperyBook(std::string_view bytes) {
  return bytes.find('\0') != std::string_view::npos && IsApery(bytes);
}

absl::Status ReadGikouBook(std::string_view bytes, std::string_view file, const DbSink& sink) {
  return ReadGikou(bytes, file, {}, sink);
}

// The writer of a format that has no comments.
template <auto write>
std::string Written(std::vector<DbPosition> positions, const DbComment& /*comment*/) {
  return write(std::move(positions));
}

std::string WriteAperyBook(std::vector<DbPosition> positions) {
  return WriteApery(std::move(positions), {});
}

constexpr BookHolds kAll = {.replies = true, .counts = true, .values = true, .depths = true};

// Rows in the order in which content is tested.
constexpr BookFormatRow kRows[] = {
    {.format = BookFormat::kYaneuraouDb,
     .name = "yaneuraou-db",
     .is = IsYaneuraouDb,
     .read = ReadYaneuraouDb,
     .write = WriteYaneuraouDb,
     .holds = kAll},
    {.format = BookFormat::kYbb,
     .name = "ybb",
     .is = IsYbb,
     .read = ReadYbb,
     .write = Written<WriteYbb>,
     .holds = {.values = true, .depths = true}},
    {.format = BookFormat::kProbe,
     .name = "probe",
     .is = IsProbeFile,
     .read = ReadProbeFile,
     .write = Written<WriteProbeFile>,
     .holds = kAll,
     .game = "",
     .game_of = GameOfProbeFile},
    {.format = BookFormat::kSbk,
     .name = "sbk",
     .is = IsSbk,
     .read = ReadSbk,
     .write = Written<WriteSbk>,
     .holds = {.counts = true}},
    {.format = BookFormat::kGikou, .name = "gikou", .is = IsGikou, .read = ReadGikouBook},
    {.format = BookFormat::kJson,
     .name = "json",
     .is = IsJsonBook,
     .read = ReadJsonBook,
     .write = Written<WriteJsonBook>,
     .holds = kAll,
     .game = "",
     .game_of = GameOfJsonBook},
    // Tested before Apery: two records of this format can look like one of Apery's, except for the
    // moves.
    {.format = BookFormat::kEleeye,
     .name = "eleeye",
     .is = IsEleeye,
     .read = ReadEleeye,
     .write = Written<WriteEleeye>,
     .holds = {.counts = true},
     .game = "xiangqi"},
    {.format = BookFormat::kObk,
     .name = "obk",
     .is = IsObk,
     .read = ReadObk,
     .write = WriteObk,
     .holds = {.counts = true},
     .game = "xiangqi"},
    {.format = BookFormat::kApery,
     .name = "apery-bin",
     .other_name = "apery",
     .is = IsAperyBook,
     .read = ReadAperyBook,
     .write = Written<WriteAperyBook>,
     .holds = {.counts = true, .values = true}},
    {.format = BookFormat::kUsiLines, .name = "usi", .write = Written<WriteUsiLines>},
    {.format = BookFormat::kUcciLines,
     .name = "ucci",
     .write = Written<WriteUcciLines>,
     .game = "xiangqi"},
};

}  // namespace

const BookFormatRow& RowOf(BookFormat format) {
  return *std::find_if(std::begin(kRows), std::end(kRows),
                       [&](const BookFormatRow& row) { return row.format == format; });
}

std::string_view Name(BookFormat format) { return RowOf(format).name; }

std::vector<std::string> NamesOf(bool (*wanted)(const BookFormatRow& row)) {
  std::vector<std::string> names;
  for (const BookFormatRow& row : kRows) {
    if (!wanted(row)) continue;
    names.emplace_back(row.name);
    if (!row.other_name.empty()) names.emplace_back(row.other_name);
  }
  return names;
}

std::optional<BookFormat> BookFormatNamed(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const BookFormatRow& row : kRows) {
    if (name == row.name || name == row.other_name) return row.format;
  }
  return std::nullopt;
}

std::optional<BookFormat> BookFormatOf(std::string_view bytes) {
  for (const BookFormatRow& row : kRows) {
    if (row.is != nullptr && row.is(bytes)) return row.format;
  }
  return std::nullopt;
}

std::string GameOfBook(BookFormat format, std::string_view bytes) {
  const BookFormatRow& row = RowOf(format);
  return row.game_of != nullptr ? row.game_of(bytes) : std::string(row.game);
}

absl::Status CheckGame(BookFormat format, std::string_view bytes, std::string_view file,
                       std::string_view game) {
  const std::string of = GameOfBook(format, bytes);
  // A book of no known game is left to the reader, which refuses it.
  if (of == game || !HasForm(of)) return absl::OkStatus();
  return MakeProblem({.code = "other_game",
                      .file = std::string(file),
                      .line = 1,
                      .found = absl::StrCat("a book of ", of),
                      .expected = absl::StrCat("one of ", std::string(game))});
}

absl::Status ReadBook(BookFormat format, std::string_view bytes, std::string_view file,
                      const DbSink& sink) {
  return RowOf(format).read(bytes, file, sink);
}

std::string WriteBook(BookFormat format, std::vector<DbPosition> positions,
                      const DbComment& comment) {
  return RowOf(format).write(std::move(positions), comment);
}

}  // namespace joseki::book
