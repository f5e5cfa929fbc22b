#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// An engine's evaluation, from a comment, of the move at `ply` (from 1), for the side that played
// it.
struct Opinion {
  int ply = 0;
  int value = 0;  // centipawns; a mate in n plies is 32000 - n
  int depth = 0;  // 0: unknown
};

// One game of a record file; the rules have replayed every move.
struct GameRecord {
  int line = 1;             // its first line in the file
  std::vector<Move> moves;  // from the even start position
  // Positions before the first RecordSink::positions moves.
  std::vector<PackedPosition> positions;
  Result result = Result::kNone;
  std::string end;         // the file's word for the end ("%TORYO"); empty: none
  std::string players[2];  // UTF-8; empty if unknown
  std::optional<int> ratings[2];
  std::string event;
  std::string date;               // as written in the file
  std::vector<Opinion> opinions;  // ascending by ply
};

// A line that branches off a game or off another variation.
struct Variation {
  int line = 1;             // its first line in the file
  int first = 1;            // ply of its first own move
  std::vector<Move> moves;  // from the even start position, including those before `first`
};

enum class RecordFormat { kUnknown, kCsa, kKif, kKi2, kJkf, kUsi, kUcci, kPgn, kXqf };

// Detects the format by content, not by name: the first conclusive lines decide.
RecordFormat DetectRecordFormat(std::string_view bytes);

struct RecordSink;
struct RecordFormatRow {
  RecordFormat format = RecordFormat::kUnknown;
  std::string_view name;
  void (*read)(std::string_view bytes, std::string_view file, const RecordSink& sink) = nullptr;
  // Finds where a text that begins with `bytes` can be cut, so that both parts together read like
  // the whole. Returns the length of the longest possible first part, 0 if there is none. Null: the
  // format is never cut.
  size_t (*cut)(std::string_view bytes) = nullptr;
  std::string_view game = "shogi";  // game of these records
};
// All formats but kUnknown. A new format needs a reader, a value of RecordFormat, a test in
// DetectRecordFormat and a row.
std::span<const RecordFormatRow> RecordFormats();
// The row of a format; null for kUnknown.
const RecordFormatRow* RowOf(RecordFormat format);

// Receives a reader's results: one call of accept or reject for each game of the file.
struct RecordSink {
  std::function<void(GameRecord)> accept;
  // If set, variations are read (KIF, KI2, JKF, XQF), each after its game; otherwise they are
  // skipped. A variation is rejected for the same reasons as a game, from the faulty move on; the
  // moves before it are given.
  std::function<void(Variation)> variation = nullptr;
  // Receives a problem with file, line, found, expected and a code, the reason:
  //   unknown_format   none of these formats
  //   bad_encoding     neither UTF-8 nor Shift_JIS (KIF, KI2) or GB18030 (PGN)
  //   bad_json         no JSON, or not that of a record; "at byte N" if known (JKF)
  //   handicap         the even start position less pieces of White's
  //   not_even_start   another start position
  //   bad_position     an unreadable start position (all but USI); for USI ParseSfen's codes,
  //                    for PGN and UCCI ParseFen's
  //   no_moves         a game without moves, or a file without a game
  //   malformed_move   text that is no move of this format
  //   illegal_move     an illegal move, unless the record ends by saying so itself
  //   ambiguous_move   a move that several pieces could make (KI2, JKF, PGN)
  //   other_game       a record that names another game (PGN)
  //   unknown_version  an unknown version (XQF)
  //   bad_xqf          a truncated file, or a line that is too long (XQF)
  //   bad_move_number  a numbered move out of order (KIF)
  //   bad_variation    a variation that leaves no line before it (KIF, KI2)
  //   bad_line         a line that may not occur among the moves (CSA, KIF, KI2)
  std::function<void(absl::Status)> reject;
  // Number of positions of a game that GameRecord::positions keeps.
  int positions = 0;
};

// Each reader reads every game of one file's bytes. A broken game is rejected and reading goes on
// with the next. `file` serves messages. Thread-safe.
void ReadCsa(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadKif(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadKi2(std::string_view bytes, std::string_view file, const RecordSink& sink);
// A JKF file is one game; its problems are at line 1 and name the move ("moves[12]").
void ReadJkf(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadUsi(std::string_view bytes, std::string_view file, const RecordSink& sink);
// Xiangqi; a line may have a result after its moves ("1-0").
void ReadUcci(std::string_view bytes, std::string_view file, const RecordSink& sink);
// PGN for xiangqi in any notation of xiangqi_notation.h, in UTF-8 or GB18030. Variations and
// comments are skipped.
void ReadPgn(std::string_view bytes, std::string_view file, const RecordSink& sink);
// XQF, versions 1 to 18; a file is one game, and its problems are at line 1.
void ReadXqf(std::string_view bytes, std::string_view file, const RecordSink& sink);
// True if `bytes` begins like such a file.
bool IsXqf(std::string_view bytes);
// Detects the format and reads the file; rejects a file of unknown format.
void ReadRecords(std::string_view bytes, std::string_view file, const RecordSink& sink);

}  // namespace joseki::book
