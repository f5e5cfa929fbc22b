#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki {

// Instructions that a process may use beyond x86-64-v2, for which every file is compiled. A room
// with faster code compiles that, and nothing else, in a file of its own for the larger set, in a
// namespace of its own, and calls it through a table of functions that it chooses once by
// ProcessIsa(). Such a file defines no function that another could share: the linker keeps one copy
// of an inline function and might keep the one that an older processor cannot run
// (tests/check_isa.py). Results never depend on the choice.
enum class Isa : uint8_t { kBaseline, kAvx2 };

// "x86-64-v2", "avx2".
std::string_view Name(Isa isa);

// The best that this processor has.
Isa BestIsa();

// `best`, or what `wanted` names (null or "": nothing). InvalidArgument "bad_isa" for a name that
// there is not, or more than `best`.
absl::StatusOr<Isa> ChooseIsa(const char* wanted, Isa best);

// The choice by JOSEKI_ISA in the environment; the baseline if that is an error. Constant through
// the life of a process.
Isa ProcessIsa();
// The choice behind it, for a main to report.
absl::StatusOr<Isa> ChosenIsa();

}  // namespace joseki
