#include <algorithm>

#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/record.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool TellsCsa(std::string_view line) {
  if (StartsWith(line, "N+") || StartsWith(line, "N-") || StartsWith(line, "$EVENT") ||
      StartsWith(line, "$START_TIME") || StartsWith(line, "$SITE") || StartsWith(line, "PI") ||
      StartsWith(line, "P1") || StartsWith(line, "'CSA encoding")) {
    return true;
  }
  if (line.size() > 1 && line[0] == 'V' && IsDigit(line[1])) return true;
  return line.size() >= 7 && (line[0] == '+' || line[0] == '-') && IsDigit(line[1]) &&
         IsDigit(line[2]) && IsDigit(line[3]) && IsDigit(line[4]);
}

bool TellsUsi(std::string_view line) {
  for (const std::string_view word : {"position", "startpos", "sfen"}) {
    if (line == word || (StartsWith(line, word) && line[word.size()] == ' ')) return true;
  }
  return shogi::MoveFromUsi(line.substr(0, line.find(' '))).has_value();
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

template <size_t N>
bool StartsWithAny(std::string_view line, const std::string_view (&words)[N]) {
  return std::any_of(words, words + N, [&](std::string_view w) { return StartsWith(line, w); });
}

// A number, blanks and a character that is not ASCII: a move of KIF.
bool IsKifMove(std::string_view line) {
  line = Trimmed(line);
  size_t i = 0;
  while (i < line.size() && IsDigit(line[i])) ++i;
  if (i == 0 || i > 4) return false;
  size_t j = i;
  while (j < line.size() && line[j] == ' ') ++j;
  return j > i && j < line.size() && static_cast<unsigned char>(line[j]) >= 0x80;
}

}  // namespace

RecordFormat DetectRecordFormat(std::string_view bytes) {
  constexpr int kTellingLines = 2000;  // long comments may stand before the first move
  Lines lines(WithoutBom(bytes));
  RecordFormat by_header = RecordFormat::kUnknown;
  std::string_view line;
  while (lines.Next(line) && lines.number() <= kTellingLines) {
    if (lines.number() == 1 && StartsWith(Trimmed(line), "{")) return RecordFormat::kJkf;
    if (StartsWith(line, "#KI2") || StartsWithAny(line, kKi2Moves)) return RecordFormat::kKi2;
    if (StartsWith(line, "#KIF") || StartsWithAny(line, kKifMoves) || IsKifMove(line)) {
      return RecordFormat::kKif;
    }
    if (TellsCsa(line)) return RecordFormat::kCsa;
    if (TellsUsi(Trimmed(line))) return RecordFormat::kUsi;
    if (StartsWithAny(line, kHeaders)) by_header = RecordFormat::kKif;
  }
  return by_header;
}

void ReadRecords(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  switch (DetectRecordFormat(bytes)) {
    case RecordFormat::kCsa:
      return ReadCsa(bytes, file, sink);
    case RecordFormat::kKif:
      return ReadKif(bytes, file, sink);
    case RecordFormat::kKi2:
      return ReadKi2(bytes, file, sink);
    case RecordFormat::kJkf:
      return ReadJkf(bytes, file, sink);
    case RecordFormat::kUsi:
      return ReadUsi(bytes, file, sink);
    case RecordFormat::kUnknown:
      break;
  }
  const std::string_view first = bytes.substr(0, std::min(bytes.find('\n'), bytes.size()));
  sink.reject(MakeProblem(
      {.code = "unknown_format",
       .file = std::string(file),
       .line = 1,
       .found = first.empty() ? "no text" : Quote(first),
       .expected = "a CSA, KIF, KI2, JKF or USI record, or a whole book of a shogi program"}));
}

}  // namespace joseki::book
