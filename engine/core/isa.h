#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki {

// Instruction sets beyond x86-64-v2, for which every file is compiled. Faster code lives alone in a
// file compiled for the larger set, in its own namespace. A table of functions, chosen once by
// ProcessIsa(), leads to it. Such a file defines no function that other files could share. The
// linker keeps one copy of an inline function, and might keep one that an older processor cannot
// run (tests/check_isa.py). Results never depend on the choice.
enum class Isa : uint8_t { kBaseline, kAvx2 };

// Name for output: "x86-64-v2" or "avx2".
std::string_view Name(Isa isa);

// The best set that this processor supports.
Isa BestIsa();

// The set that `wanted` names, or `best` if it is null or "". InvalidArgument "bad_isa" for an
// unknown name, or a set beyond `best`.
absl::StatusOr<Isa> ChooseIsa(const char* wanted, Isa best);

// The set chosen by JOSEKI_ISA in the environment; the baseline if that is an error. Constant for
// the life of a process.
Isa ProcessIsa();
// The result behind ProcessIsa, with its error, for a main to report.
absl::StatusOr<Isa> ChosenIsa();

}  // namespace joseki
