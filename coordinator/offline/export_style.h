#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/position.h"
#include "book/formats/reader.h"
#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {

// How a book is written for one kind of engine, so that it plays what was tuned
// (docs/reference/formats.md).
enum class ExportStyle {
  kYoSingle,  // YaneuraOu: the answer alone
  kYoCount,   // YaneuraOu with ConsiderBookMoveCount: moves in proportion to their shares
  kYoMix,     // YaneuraOu: the moves that are played, each as often as another
  kPeta,      // YaneuraOu: every position turned to Black, values backed up along the answers
  kDlshogi,   // dlshogi, Apery: counts in proportion to the shares
  kSbk,       // ShogiGUI: weights in proportion to the shares
};

// "yo-single", "yo-count", "yo-mix", "peta", "dlshogi", "sbk".
std::vector<std::string> ExportStyleNames();
std::optional<ExportStyle> ExportStyleOf(std::string_view name);
// The format that a style is written in where none is named, and whether it may be `format`.
book::BookFormat DefaultFormat(ExportStyle style);
bool MayBeWrittenAs(ExportStyle style, book::BookFormat format);

// The share of each move of a position in what is tuned, for styles that mix moves: its part of
// the games played through it, or, without a run, of those imported and counted. The answer has the
// largest share. A move that is marked has none, nor has one that is worth more than kMixMargin
// less than the answer, or, where searches and trials chose that, of which none was. Where nothing
// is counted the answer has all.
inline constexpr int kMixMargin = 30;
std::vector<double> SharesOf(const ExportBook::Position& position);

// Leaves the positions where `side` moves, for an engine that plays that side only.
void KeepSide(ExportBook& book, Color side);

// The positions as the style would have them; those without a move left are left out.
std::vector<book::DbPosition> PositionsFor(const ExportBook& book, ExportStyle style);

// Who the style is for. What it makes of a position, with its default options but for those that
// the style asks the user to set, for one who has also set BookMoves as WarningsFor says.
book::Reader ReaderFor(ExportStyle style);
book::Probe ProbeFor(const book::DbPosition& position, ExportStyle style);
// The options to set, one line each.
std::vector<std::string> OptionsFor(ExportStyle style);

// The columns of a run's book that say otherwise than its games, in a line; empty where none.
// REQUIRES: `positions` is PositionsOf(book, format).
std::vector<std::string> NotesOn(const ExportBook& book,
                                 const std::vector<book::DbPosition>& positions,
                                 book::BookFormat format);

// What the user must know before programs play this book: for each reader of the format whose
// default options refuse positions, one line that names the options to set.
std::vector<std::string> WarningsFor(const std::vector<book::DbPosition>& positions,
                                     book::BookFormat format);

}  // namespace joseki::coordinator
