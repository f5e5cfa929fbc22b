#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/position.h"
#include "book/formats/reader.h"
#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {

// The way to write a book for one kind of engine, so that it plays what was tuned
// (docs/reference/formats.md).
enum class ExportStyle {
  kYoSingle,  // YaneuraOu: the answer alone
  kYoCount,   // YaneuraOu with ConsiderBookMoveCount: moves in proportion to their shares
  kYoMix,     // YaneuraOu: the moves that are played, all equally often
  kPeta,      // YaneuraOu: every position turned to Black, values backed up along the answers
  kDlshogi,   // dlshogi, Apery: counts in proportion to the shares
  kSbk,       // ShogiGUI: weights in proportion to the shares
};

// "yo-single", "yo-count", "yo-mix", "peta", "dlshogi", "sbk".
std::vector<std::string> ExportStyleNames();
std::optional<ExportStyle> ExportStyleOf(std::string_view name);
// The style's format if none is named, and whether it may be written in `format`.
book::BookFormat DefaultFormat(ExportStyle style);
bool MayBeWrittenAs(ExportStyle style, book::BookFormat format);

// The share of each move of a position in the tuned book, for styles that mix moves. It is the
// move's part of the games played there, or, without a run, of the games and counts imported. The
// answer has the largest share. Marked moves have none, and neither have moves worth more than
// kMixMargin (centipawns) less than the answer. Where searches and trials chose the answer, moves
// that they say nothing of have none either. Without any counts the answer has all.
inline constexpr int kMixMargin = 30;
std::vector<double> SharesOf(const ExportBook::Position& position);

// Keeps only positions where `side` moves, for an engine that plays that side alone.
void KeepSide(ExportBook& book, Color side);

// The positions in the style's form, without those that have no move left.
std::vector<book::DbPosition> PositionsFor(const ExportBook& book, ExportStyle style);

// The reader that the style is for, and its choice at a position. It is assumed to have the options
// of OptionsFor and the BookMoves that WarningsFor names, else its defaults.
book::Reader ReaderFor(ExportStyle style);
book::Probe ProbeFor(const book::DbPosition& position, ExportStyle style);
// The options to set, one per line.
std::vector<std::string> OptionsFor(ExportStyle style);

// Lines on the columns of a run's book that differ from its games, and on answers of a .obk that
// differ from the run's; empty if there are none.
// REQUIRES: `positions` is PositionsOf(book, format).
std::vector<std::string> NotesOn(const ExportBook& book,
                                 const std::vector<book::DbPosition>& positions,
                                 book::BookFormat format);

// Warnings for programs that play this book: for each reader of the format whose default options
// refuse positions, one line with the options to set; or one line that there are none.
std::vector<std::string> WarningsFor(const std::vector<book::DbPosition>& positions,
                                     book::BookFormat format);

}  // namespace joseki::coordinator
