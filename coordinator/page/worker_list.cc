#include "coordinator/page/worker_list.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace joseki::coordinator {
namespace {

constexpr std::array<std::string_view, 5> kTroubled = {"quarantined", "faulty", "refused", "silent",
                                                       "draining"};

bool Has(const WorkerStatus& worker, std::string_view text) {
  const auto has = [&](const std::string& field) { return field.find(text) != std::string::npos; };
  return has(worker.worker) || has(worker.state) || has(worker.build);
}

}  // namespace

Json WorkerListJson(const std::vector<WorkerStatus>& workers, std::string_view match, size_t most) {
  std::vector<std::pair<size_t, const WorkerStatus*>> chosen;  // with its rank among states
  for (const WorkerStatus& worker : workers) {
    if (!Has(worker, match)) continue;
    const auto* const place = std::find(kTroubled.begin(), kTroubled.end(), worker.state);
    chosen.emplace_back(place - kTroubled.begin(), &worker);
  }
  const size_t shown = std::min(most, chosen.size());
  std::partial_sort(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(shown),
                    chosen.end(), [](const auto& a, const auto& b) {
                      if (a.first != b.first) return a.first < b.first;
                      if (a.second->games != b.second->games) {
                        return a.second->games > b.second->games;
                      }
                      return a.second->worker < b.second->worker;
                    });
  Json list = Json::array();
  for (size_t i = 0; i < shown; ++i) list.push_back(WorkerJson(*chosen[i].second));
  return {{"workers", std::move(list)}, {"matching", chosen.size()}};
}

}  // namespace joseki::coordinator
