#include "engine/core/isa.h"

#include <cstdlib>
#include <string>

#include "base/problem.h"

namespace joseki {

std::string_view Name(Isa isa) { return isa == Isa::kAvx2 ? "avx2" : "x86-64-v2"; }

Isa BestIsa() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? Isa::kAvx2 : Isa::kBaseline;
}

absl::StatusOr<Isa> ChooseIsa(const char* wanted, Isa best) {
  const std::string_view name = wanted == nullptr ? "" : wanted;
  if (name.empty()) return best;
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2}) {
    if (name != Name(isa)) continue;
    if (isa > best) break;
    return isa;
  }
  return MakeProblem({.code = "bad_isa",
                      .file = "JOSEKI_ISA",
                      .found = Quote(name),
                      .expected = best == Isa::kAvx2 ? "x86-64-v2 or avx2"
                                                     : "x86-64-v2: this processor has no AVX2"});
}

absl::StatusOr<Isa> ChosenIsa() { return ChooseIsa(std::getenv("JOSEKI_ISA"), BestIsa()); }

Isa ProcessIsa() {
  static const Isa isa = ChosenIsa().value_or(Isa::kBaseline);
  return isa;
}

}  // namespace joseki
