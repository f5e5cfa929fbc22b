#include "engine/transitions_command.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "engine/game_lines.h"
#include "engine/search/shogi/knowledge.h"

namespace joseki {
namespace {

using shogi::kMoveCategories;
using shogi::kStages;

struct Count {
  uint64_t possible = 0;
  uint64_t played = 0;
};
using Table = std::array<std::array<Count, kMoveCategories>, kStages>;

struct Played {
  Table table{};
  uint64_t games = 0;
  uint64_t positions = 0;
  uint64_t broken = 0;
};

void CountPosition(const shogi::Position& position, Move last, Move played, Played& totals) {
  auto& row = totals.table[static_cast<size_t>(shogi::StageOf(position))];
  shogi::MoveList moves;
  position.Generate<GenType::kSearch>(moves);
  std::bitset<kMoveCategories> seen;
  for (const Move move : moves) {
    seen.set(static_cast<size_t>(shogi::CategoryOf(position, move, last)));
  }
  const auto chosen = static_cast<size_t>(shogi::CategoryOf(position, played, last));
  seen.set(chosen);
  for (size_t i = 0; i < row.size(); ++i) row[i].possible += seen[i] ? 1 : 0;
  ++row[chosen].played;
  ++totals.positions;
}

void CountGame(std::string_view line, Played& totals) {
  const GameLine game =
      ReplayLine(line, [&](const shogi::Position& position, Move last, Move played) {
        CountPosition(position, last, played, totals);
      });
  totals.games += game == GameLine::kEmpty ? 0 : 1;
  totals.broken += game == GameLine::kBroken ? 1 : 0;
}

// Halves both counts until they fit.
void Print(const Played& totals, std::ostream& out) {
  out << "#pragma once\n\n#include <cstdint>\n\nnamespace joseki::shogi {\n\n"
         "// Written by `joseki-engine transitions`. For each stage of a game and each category "
         "of\n"
         "// moves: in how many positions there was one, and in how many one was played. From\n"
         "// "
      << totals.games << " games, " << totals.positions
      << " positions.\n"
         "struct TransitionCount {\n  uint16_t possible;\n  uint16_t played;\n};\n"
         "inline constexpr TransitionCount kTransitions["
      << kStages << "][" << kMoveCategories << "] = {\n";
  for (const auto& row : totals.table) {
    uint64_t most = 1;
    for (const Count& count : row) most = std::max(most, count.possible);
    const uint64_t divisor = most / 65536 + 1;
    out << "    {";
    for (size_t i = 0; i < row.size(); ++i) {
      out << (i == 0       ? ""
              : i % 7 == 0 ? ",\n     "
                           : ", ")
          << "{" << row[i].possible / divisor << ", " << row[i].played / divisor << "}";
    }
    out << "},\n";
  }
  out << "};\n\n}  // namespace joseki::shogi" << std::endl;
}

}  // namespace

absl::Status CountTransitions(const std::vector<std::string>& files, std::ostream& out,
                              std::ostream& err) {
  Played totals;
  for (const std::string& file : files) {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      CountGame(std::string_view(line.data(), line.size()), totals);
    }
  }
  Print(totals, out);
  err << totals.games << " games, " << totals.positions << " positions, " << totals.broken
      << " games broken off" << std::endl;
  return absl::OkStatus();
}

}  // namespace joseki
