#include "cli/run/gains.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/match/report.h"
#include "cli/run/elo_curve.h"
#include "cli/run/proof_result.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"

namespace joseki::cli {
namespace {

// The label of a match that is not about the tuned book, but about its input.
constexpr std::string_view kOfTheInput = "opponent-input";

}  // namespace

std::vector<Gain> GainsOf(const Json& proofs, bool in_time, const Voice& voice) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto bound = [](const Json& elo, double without) {
    return elo.is_number() ? elo.get<double>() : without;
  };
  std::vector<Gain> gains;
  for (const Json& proof : proofs) {
    const auto opponent = proof["opponent"].get<std::string>();
    if (opponent == kOfTheInput || !proof["elo"].is_number()) continue;
    const auto limit = proof["limit"].get<uint64_t>();
    const std::string against =
        voice.Say(phrase::kOpponentAt, WordText(voice, ProofOpponentWords(opponent)),
                  voice.Say(in_time ? phrase::kMilliseconds : phrase::kNodes, limit));
    auto at = std::find_if(gains.begin(), gains.end(),
                           [&](const Gain& gain) { return gain.against == against; });
    if (at == gains.end()) at = gains.insert(at, Gain{.against = against, .proofs = {}});
    at->proofs.push_back({.played_ms = proof["played_ms"].get<int64_t>(),
                          .elo = {.value = proof["elo"].get<double>(),
                                  .low = bound(proof["elo_low"], -kInfinity),
                                  .high = bound(proof["elo_high"], kInfinity)}});
  }
  std::erase_if(gains, [](const Gain& gain) { return gain.proofs.size() < 2; });
  for (Gain& gain : gains) std::reverse(gain.proofs.begin(), gain.proofs.end());
  return gains;
}

std::string GainWords(const Gain& gain, const Voice& voice) {
  std::string course;
  for (const Gain::Proven& proven : gain.proofs) {
    absl::StrAppendFormat(&course, "%s%+.0f", course.empty() ? "" : " ", proven.elo.value);
  }
  return voice.Say(phrase::kGainCourse, course, EloWords(gain.proofs.back().elo, voice));
}

std::string GainSvg(const Gain& gain, const Voice& voice) {
  std::vector<book::Estimate> points;
  for (const Gain::Proven& proven : gain.proofs) points.push_back(proven.elo);
  return EloCurve(points, absl::StrCat(gain.against, ": ", GainWords(gain, voice)),
                  TimeText(gain.proofs.front().played_ms), TimeText(gain.proofs.back().played_ms));
}

}  // namespace joseki::cli
