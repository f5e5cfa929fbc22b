#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "book/stats/pentanomial.h"
#include "cli/context.h"
#include "cli/words/voice.h"

// The gain that a run's proofs showed, from proof to proof: each proof played the book that the run
// had tuned by then.
namespace joseki::cli {

// The gain against one opponent at one limit, by more than one proof.
struct Gain {
  struct Proven {
    int64_t played_ms = 0;  // Unix
    book::Estimate elo;     // bounds are infinite where games are too few
  };
  std::string against;         // in words
  std::vector<Proven> proofs;  // oldest first
};

// The gains of the matches of coordinator::ProofJson. `in_time`: their limits are milliseconds.
std::vector<Gain> GainsOf(const Json& proofs, bool in_time, const Voice& voice = Voice());

// "+12 +31; the last +31 Elo, between +12 and +50".
std::string GainWords(const Gain& gain, const Voice& voice = Voice());
// An SVG plot over the proofs.
std::string GainSvg(const Gain& gain, const Voice& voice = Voice());

}  // namespace joseki::cli
