#include <algorithm>

#include "absl/strings/ascii.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/kif_games.h"
#include "book/records/lines.h"
#include "book/records/pgn_games.h"
#include "book/records/record.h"
#include "engine/shogi/sfen.h"
#include "engine/xiangqi/fen.h"

namespace joseki::book {
namespace {

bool TellsCsa(std::string_view line) {
  if (line.starts_with("N+") || line.starts_with("N-") || line.starts_with("$EVENT") ||
      line.starts_with("$START_TIME") || line.starts_with("$SITE") || line.starts_with("PI") ||
      line.starts_with("P1") || line.starts_with("'CSA encoding")) {
    return true;
  }
  if (line.size() > 1 && line[0] == 'V' && absl::ascii_isdigit(line[1])) return true;
  return line.size() >= 7 && (line[0] == '+' || line[0] == '-') && absl::ascii_isdigit(line[1]) &&
         absl::ascii_isdigit(line[2]) && absl::ascii_isdigit(line[3]) &&
         absl::ascii_isdigit(line[4]);
}

bool TellsUsi(std::string_view line) {
  for (const std::string_view word : {"position", "startpos", "sfen"}) {
    if (line == word || (line.starts_with(word) && line[word.size()] == ' ')) return true;
  }
  return shogi::MoveFromUsi(line.substr(0, line.find(' '))).has_value();
}

// True if the first move, or the position before it, is xiangqi's.
bool TellsUcci(std::string_view line) {
  for (const std::string_view word : {"position ", "startpos", " ", "moves", " "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  return line.starts_with("fen ") ||
         xiangqi::MoveFromUcci(line.substr(0, line.find(' '))).has_value();
}

// Words in UTF-8 and in Shift_JIS.
constexpr std::string_view kKifMoves[] = {"手数----", "\x8e\xe8\x90\x94----"};
constexpr std::string_view kHeaders[] = {
    "手合割：",   "\x8e\xe8\x8d\x87\x8a\x84\x81\x46",  //
    "先手：",     "\x90\xe6\x8e\xe8\x81\x46",          //
    "後手：",     "\x8c\xe3\x8e\xe8\x81\x46",          //
    "後手の持駒", "\x8c\xe3\x8e\xe8\x82\xcc\x8e\x9d\x8b\xee",
};
// KI2 has the headers of KIF, and moves that start with these: ▲ △ ☗ ☖ ▽.
constexpr std::string_view kKi2Moves[] = {"▲", "△",        "☗",        "☖",
                                          "▽", "\x81\xa3", "\x81\xa2", "\x81\xa4"};

// True for a number, blanks and a non-ASCII character: a move of KIF.
bool IsKifMove(std::string_view line) {
  line = Trimmed(line);
  size_t i = 0;
  while (i < line.size() && absl::ascii_isdigit(line[i])) ++i;
  if (i == 0 || i > 4) return false;
  size_t j = i;
  while (j < line.size() && line[j] == ' ') ++j;
  return j > i && j < line.size() && static_cast<unsigned char>(line[j]) >= 0x80;
}

// Cuts a list of games between two lines.
size_t UsiCutOf(std::string_view bytes) {
  const size_t at = bytes.rfind('\n');
  return at == std::string_view::npos ? 0 : at + 1;
}

// Cuts after the last line that is a '/'.
size_t CsaCutOf(std::string_view bytes) {
  for (size_t at = bytes.rfind("\n/"); at != std::string_view::npos;) {
    const std::string_view rest = bytes.substr(at + 2);
    if (rest.substr(0, 1) == "\n") return at + 3;
    if (rest.substr(0, 2) == "\r\n") return at + 4;
    if (at == 0) break;
    at = bytes.rfind("\n/", at - 1);
  }
  return 0;
}

constexpr RecordFormatRow kRecordRows[] = {
    {RecordFormat::kCsa, "csa", ReadCsa, CsaCutOf},
    {RecordFormat::kKif, "kif", ReadKif,
     [](std::string_view bytes) { return KifCutOf(bytes, /*relative=*/false); }},
    {RecordFormat::kKi2, "ki2", ReadKi2,
     [](std::string_view bytes) { return KifCutOf(bytes, /*relative=*/true); }},
    {RecordFormat::kJkf, "jkf", ReadJkf},
    {RecordFormat::kUsi, "usi", ReadUsi, UsiCutOf},
    {RecordFormat::kUcci, "ucci", ReadUcci, UsiCutOf, "xiangqi"},
    {RecordFormat::kPgn, "pgn", ReadPgn, PgnCutOf, "xiangqi"},
    {RecordFormat::kXqf, "xqf", ReadXqf, nullptr, "xiangqi"},
};

}  // namespace

std::span<const RecordFormatRow> RecordFormats() { return kRecordRows; }

const RecordFormatRow* RowOf(RecordFormat format) {
  for (const RecordFormatRow& row : kRecordRows) {
    if (row.format == format) return &row;
  }
  return nullptr;
}

RecordFormat DetectRecordFormat(std::string_view bytes) {
  if (IsXqf(bytes)) return RecordFormat::kXqf;
  constexpr int kTellingLines = 2000;  // generous, as long comments may precede the first move
  Lines lines(WithoutBom(bytes));
  RecordFormat by_header = RecordFormat::kUnknown;
  std::string_view line;
  while (lines.Next(line) && lines.number() <= kTellingLines) {
    if (lines.number() == 1 && Trimmed(line).starts_with("{")) return RecordFormat::kJkf;
    if (line.starts_with("#KI2") || StartsWithAny(line, kKi2Moves)) return RecordFormat::kKi2;
    if (line.starts_with("#KIF") || StartsWithAny(line, kKifMoves) || IsKifMove(line)) {
      return RecordFormat::kKif;
    }
    if (TellsCsa(line)) return RecordFormat::kCsa;
    if (IsPgnTag(line)) return RecordFormat::kPgn;
    if (TellsUcci(Trimmed(line))) return RecordFormat::kUcci;
    if (TellsUsi(Trimmed(line))) return RecordFormat::kUsi;
    if (StartsWithAny(line, kHeaders)) by_header = RecordFormat::kKif;
  }
  return by_header;
}

void ReadRecords(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  if (const RecordFormatRow* const row = RowOf(DetectRecordFormat(bytes)); row != nullptr) {
    return row->read(bytes, file, sink);
  }
  const std::string_view first = bytes.substr(0, std::min(bytes.find('\n'), bytes.size()));
  sink.reject(MakeProblem(
      {.code = "unknown_format",
       .file = std::string(file),
       .line = 1,
       .found = first.empty() ? "no text" : Quote(first),
       .expected = "a CSA, KIF, KI2, JKF, USI, UCCI, PGN or XQF record, or a whole book"}));
}

}  // namespace joseki::book
