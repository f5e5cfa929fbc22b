#pragma once

#include <span>
#include <string>
#include <string_view>

#include "book/stats/pentanomial.h"

namespace joseki::cli {

// An SVG plot of a course in Elo, with a bar for each 95 % interval that is bounded; empty without
// points. `label`: the course in words; `left`, `right`: the ends of its axis.
std::string EloCurve(std::span<const book::Estimate> points, std::string_view label,
                     std::string_view left, std::string_view right);

}  // namespace joseki::cli
