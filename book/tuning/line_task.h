#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/types.h"

namespace joseki::book {

// Kinds of work at a line's end.
enum class TaskKind : uint8_t {
  kAnswer = 0,  // search for our side's move
  kReply = 1,   // sample of an opponent's own move
  kTrial = 2,   // a game of the engine against itself from there
};
inline constexpr size_t kTaskKinds = 3;

// Work at the end of `line`, which begins at the repertoire's start.
//
// An opponent has searched since ply `searched_from` (0-based) in each of its positions, and
// remembers what it saw. A reply therefore takes a search of all of these in turn, each with its
// limit. If the opponent leaves the line on the way, that move is the reply.
struct LineTask {
  std::vector<Move> line;
  TaskKind kind = TaskKind::kAnswer;
  uint64_t nodes = 0;          // of each search; ignored for a trial
  uint32_t searched_from = 0;  // for a reply
  std::vector<Move> excluded;  // for an answer: forbidden moves; the candidates so far
  Color own = Color::kFirst;   // for a trial: our side
  bool operator==(const LineTask&) const = default;
};

// Result of a task.
struct LineFinding {
  LineTask task;                  // the task, with the line as far as it was followed
  Move best;                      // unused for a trial
  std::optional<int> centipawns;  // for the side to move; nullopt: the engine gave none
  uint32_t source = 0;            // the owner's number of who found it
  uint32_t worker = 0;            // the owner's number of the source's worker
};

}  // namespace joseki::book
