#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/engine_probe.h"
#include "book/formats/position.h"
#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {

// How a book is written for one kind of engine, so that it plays what was tuned (docs/formats.md).
enum class ExportProfile {
  kYoSingle,  // YaneuraOu: the answer alone
  kYoCount,   // YaneuraOu with ConsiderBookMoveCount: all moves, in proportion to their shares
  kYoMix,     // YaneuraOu: the moves that are played, each as often as another
  kPeta,      // YaneuraOu: every position turned to Black, values by minimax
  kDlshogi,   // dlshogi, Apery: counts in proportion to the shares
  kSbk,       // ShogiGUI: weights in proportion to the shares
};

// "yo-single", "yo-count", "yo-mix", "peta", "dlshogi", "sbk".
std::vector<std::string> ExportProfileNames();
std::optional<ExportProfile> ExportProfileOf(std::string_view name);
// The format that a profile is written in where none is named, and whether it may be `format`.
ExportFormat DefaultFormat(ExportProfile profile);
bool MayBeWrittenAs(ExportProfile profile, ExportFormat format);

// The share of each move of a position in what is tuned: of the games played through it, or,
// without a run, of those imported and counted. The answer has the largest share; a move that is
// marked has none. Where nothing is counted the answer has all.
std::vector<double> SharesOf(const ExportBook::Position& position);

// Leaves the positions where `side` moves, for an engine that plays that side only.
void KeepSide(ExportBook& book, Color side);

// The positions as the profile would have them; those without a move left are left out.
std::vector<book::DbPosition> PositionsFor(const ExportBook& book, ExportProfile profile);

// What the engine of the profile makes of a position, with its default options but for those that
// the profile asks the user to set.
book::Probe ProbeFor(const book::DbPosition& position, ExportProfile profile);
// The options to set, one line each.
std::vector<std::string> OptionsFor(ExportProfile profile);

// What the user must know before the engine plays this book: one line for each option that refuses
// positions or their first moves, with how many.
std::vector<std::string> WarningsFor(const std::vector<book::DbPosition>& positions,
                                     ExportProfile profile);

}  // namespace joseki::coordinator
