#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// The lines of a stage that were drawn time after time, under a rule that learns nothing from
// draws. Guarded by the owner's mutex.
class RestingLines {
 public:
  // A line rests after so many draws in a row.
  explicit RestingLines(uint32_t draws_to_rest) : draws_to_rest_(draws_to_rest) {}

  void Count(std::vector<Move> line, Result result);
  bool Rests(const std::vector<Move>& line) const;
  size_t count() const { return resting_; }
  // At most so many of those that rest.
  std::vector<RestingLine> Some(size_t most) const;
  void Clear();

 private:
  const uint32_t draws_to_rest_;
  // Draws in a row, of each line that was last drawn.
  std::map<std::vector<Move>, uint32_t> drawn_;
  size_t resting_ = 0;  // of these
};

}  // namespace joseki::coordinator
