#include "coordinator/scheduling/fault_rates.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"

namespace joseki::coordinator {
namespace {

static_assert(FaultRates::kWindow == 64, "one bit a slot");
constexpr double kFaulty = 0.5;
constexpr double kFaultyAlone = 0.9;
constexpr double kBetter = 0.25;  // factor of the suspect's rate

}  // namespace

uint32_t FaultRates::Window::Faults() const { return static_cast<uint32_t>(std::popcount(faults)); }

double FaultRates::Window::Share() const { return static_cast<double>(Faults()) / slots; }

void FaultRates::Add(const std::string& worker, bool fault, const std::string& text) {
  Window& window = windows_[worker];
  window.faults = window.faults << 1 | (fault ? 1 : 0);
  window.slots = std::min(window.slots + 1, kWindow);
  if (fault) window.last = text;
}

std::optional<std::string> FaultRates::WhyFaulty(const std::string& worker) const {
  const auto at = windows_.find(worker);
  if (at == windows_.end() || at->second.slots < kLeast) return std::nullopt;
  const Window& window = at->second;
  const double share = window.Share();
  if (share <= kFaulty) return std::nullopt;
  const std::string told = absl::StrCat("it broke ", window.Faults(), " of its last ", window.slots,
                                        " games and searches",
                                        window.last.empty() ? "" : ", the last by: ", window.last);
  bool alone = true;
  for (const auto& [name, other] : windows_) {
    if (name == worker || other.slots < kCompared) continue;
    alone = false;
    if (other.Share() <= kBetter * share) {
      return absl::StrCat(told, "; ", name, " broke ", other.Faults(), " of ", other.slots);
    }
  }
  if (alone && share >= kFaultyAlone) return told;
  return std::nullopt;
}

}  // namespace joseki::coordinator
