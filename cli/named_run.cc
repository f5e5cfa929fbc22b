#include "cli/named_run.h"

#include <algorithm>
#include <vector>

#include "absl/strings/numbers.h"
#include "base/status_macros.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {

NamedRun NamedRunOf(const std::string& text) {
  const size_t hash = text.rfind('#');
  coordinator::RunId run = 0;
  if (hash != std::string::npos && absl::SimpleAtoi(text.substr(hash + 1), &run)) {
    return {text.substr(0, hash), run};
  }
  return {text, std::nullopt};
}

absl::StatusOr<coordinator::RunId> NewestRun(book::Store& store) {
  ASSIGN_OR_RETURN(const std::vector<coordinator::RunRow> runs,
                   coordinator::RunStore(store).runs().ReadAll());
  coordinator::RunId newest = 0;
  for (const coordinator::RunRow& run : runs) {
    if (!run.spec.match && run.state != "failed") newest = std::max(newest, run.run);
  }
  return newest;
}

}  // namespace joseki::cli
