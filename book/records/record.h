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

// An engine's evaluation, in a comment, of the move at `ply` (from 1), from the side that played
// it.
struct Opinion {
  int ply = 0;
  int value = 0;  // centipawns; a mate in n plies is 32000 - n
  int depth = 0;  // 0 if it is not told
};

// One game as a record file tells it, every move replayed by the rules.
struct GameRecord {
  int line = 1;             // where it begins in its file
  std::vector<Move> moves;  // from the even start position
  // Before each of the first RecordSink::positions moves: where it was played.
  std::vector<PackedPosition> positions;
  Result result = Result::kNone;
  std::string end;         // the file's own word for the end ("%TORYO"); empty if it has none
  std::string players[2];  // UTF-8; empty if unknown
  std::optional<int> ratings[2];
  std::string event;
  std::string date;               // as the file has it
  std::vector<Opinion> opinions;  // ascending by ply
};

// A line that leaves a game, or another line of it.
struct Variation {
  int line = 1;             // where it begins in its file
  int first = 1;            // the ply of its first own move
  std::vector<Move> moves;  // from the even start position, those before it included
};

enum class RecordFormat { kUnknown, kCsa, kKif, kKi2, kJkf, kUsi, kUcci, kPgn, kXqf };

// By content, not by name: the first telling lines decide.
RecordFormat DetectRecordFormat(std::string_view bytes);

struct RecordSink;
struct RecordFormatRow {
  RecordFormat format = RecordFormat::kUnknown;
  std::string_view name;
  void (*read)(std::string_view bytes, std::string_view file, const RecordSink& sink) = nullptr;
  // A place to cut a text that begins with `bytes`, so that both parts together read like the
  // whole: the length of the longest such part, 0 if there is none. Null: such a text is never cut.
  size_t (*cut)(std::string_view bytes) = nullptr;
  std::string_view game = "shogi";  // whose records these are
};
// All but kUnknown. A new format is a reader, a value of RecordFormat, what DetectRecordFormat
// knows it by, and a row.
std::span<const RecordFormatRow> RecordFormats();
// Null for kUnknown.
const RecordFormatRow* RowOf(RecordFormat format);

// A reader's receiver: one call of accept or reject for each game that the file holds.
struct RecordSink {
  std::function<void(GameRecord)> accept;
  // If set, variations are read (KIF, KI2, JKF, XQF), each after its game, and are rejected for the
  // same reasons, from the move at fault on; the moves before it are given. Otherwise they are
  // skipped.
  std::function<void(Variation)> variation = nullptr;
  // A problem with file, line, found, expected and a code, the reject's reason:
  //   unknown_format   none of these records
  //   bad_encoding     neither UTF-8 nor Shift_JIS (KIF, KI2) or GB18030 (PGN)
  //   bad_json         no JSON, or not that of a record; "at byte N" where it is known (JKF)
  //   handicap         the even start position less pieces of White's
  //   not_even_start   another start position
  //   bad_position     a start position that cannot be read (all but USI); for USI, ParseSfen's
  //                    codes, for PGN and UCCI ParseFen's
  //   no_moves         nothing was played, or the file holds no game
  //   malformed_move   text that is no move of this format
  //   illegal_move     a move that the rules forbid, unless the record ends by saying so itself
  //   ambiguous_move   a move that several pieces could make (KI2, JKF, PGN)
  //   other_game       a record that names another game (PGN)
  //   unknown_version  an unknown version (XQF)
  //   bad_xqf          a file that breaks off, or a line that is too long (XQF)
  //   bad_move_number  a numbered move out of order (KIF)
  //   bad_variation    a variation that leaves no line before it (KIF, KI2)
  //   bad_line         a line that may not stand among the moves (CSA, KIF, KI2)
  std::function<void(absl::Status)> reject;
  // Number of a game's positions that GameRecord::positions keeps.
  int positions = 0;
};

// Read every game of one file's bytes. A broken game is rejected and the next one read. `file` is
// for messages. Thread-safe.
void ReadCsa(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadKif(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadKi2(std::string_view bytes, std::string_view file, const RecordSink& sink);
// A file of JKF is one game; its problems are at line 1 and name the move ("moves[12]").
void ReadJkf(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadUsi(std::string_view bytes, std::string_view file, const RecordSink& sink);
// Xiangqi; behind its moves a line may have a result ("1-0").
void ReadUcci(std::string_view bytes, std::string_view file, const RecordSink& sink);
// PGN of xiangqi, in any of the notations of xiangqi_notation.h; UTF-8 or GB18030. Variations and
// comments are skipped.
void ReadPgn(std::string_view bytes, std::string_view file, const RecordSink& sink);
// XQF, versions 1 to 18; a file is one game, its problems are at line 1.
void ReadXqf(std::string_view bytes, std::string_view file, const RecordSink& sink);
// True if `bytes` begin like such a file.
bool IsXqf(std::string_view bytes);
// Detects the format; rejects the file if it is none of them.
void ReadRecords(std::string_view bytes, std::string_view file, const RecordSink& sink);

}  // namespace joseki::book
