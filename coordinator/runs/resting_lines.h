#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// Lines of a stage that were drawn several times in a row, under a rule that ignores draws. Guarded
// by the owner's mutex.
class RestingLines {
 public:
  // `draws_to_rest`: consecutive draws after which a line rests.
  explicit RestingLines(uint32_t draws_to_rest) : draws_to_rest_(draws_to_rest) {}

  void Count(std::vector<Move> line, Result result);
  bool Rests(const std::vector<Move>& line) const;
  size_t count() const { return resting_; }
  // Up to `most` resting lines.
  std::vector<RestingLine> Some(size_t most) const;
  void Clear();

 private:
  const uint32_t draws_to_rest_;
  // Consecutive draws of each line whose last game was drawn.
  std::map<std::vector<Move>, uint32_t> drawn_;
  size_t resting_ = 0;  // number of resting lines in drawn_
};

}  // namespace joseki::coordinator
