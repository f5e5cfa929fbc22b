#include "coordinator/rebuilder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/core/recompute.h"
#include "coordinator/runs/rebuild.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kRetry = absl::Seconds(1);  // doubled with each failure of a run
constexpr absl::Duration kLongestRetry = absl::Minutes(5);

}  // namespace

Rebuilder::Rebuilder(std::string db_path, const Rules& rules, Gate& gate)
    : db_path_(std::move(db_path)), rules_(rules), gate_(gate) {}

Rebuilder::~Rebuilder() { Stop(); }

void Rebuilder::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Rebuilder::Stop() {
  stop_.request_stop();
  waker_.Wake();
  if (thread_.joinable()) thread_.join();
}

void Rebuilder::Run() {
  while (!stop_.stop_requested()) {
    if (RunOne()) continue;
    const bool is_left = gate_.Look([](const Tables& tables) { return AnyIsDue(tables); });
    // Runs that could not be read are retried later.
    waker_.Sleep(is_left ? kRetry : absl::InfiniteDuration());
  }
}

void Rebuilder::PutOffRebuild(const DueRebuild& due) {
  absl::Duration& delay = delays_[due.run];
  delay = std::clamp(2 * delay, kRetry, kLongestRetry);
  put_off_[due.run] = due.began + delay;
}

bool Rebuilder::RebuildOne() {
  std::optional<DueRebuild> due =
      gate_.Do([&](Tables& tables) { return BeginRebuild(tables, put_off_); });
  if (!due) return false;
  const auto read = [&]() -> absl::StatusOr<RebuiltRun> {
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(db_path_, book::OpenMode::kReadOnly));
    return RebuildRun(*store, rules_, std::move(due->point), stop_.get_token());
  };
  absl::StatusOr<RebuiltRun> rebuilt = read();
  if (absl::IsCancelled(rebuilt.status())) return false;
  if (!rebuilt.ok()) {
    spdlog::error("event=rebuild_fails run={} reason=\"{}\"", due->run,
                  std::string(rebuilt.status().message()));
    PutOffRebuild(*due);
    return true;
  }
  put_off_.erase(due->run);
  delays_.erase(due->run);
  gate_.DoInPieces(
      [&](Tables& tables) { return AdoptRebuilt(tables, due->run, due->began, *rebuilt); });
  return true;
}

bool Rebuilder::MakePriors() {
  std::optional<DuePriors> due =
      gate_.Look([](const Tables& tables) { return BeginPriors(tables); });
  if (!due) return false;
  due->making.Reserve();
  Progress copied = Progress::kMore;
  gate_.DoInPieces([&](Tables& tables) {
    copied = CopyForPriors(tables, *due);
    return copied == Progress::kMore;
  });
  if (copied != Progress::kDone) return true;
  due->making.Work();
  gate_.DoInPieces([&](Tables& tables) { return AdoptPriors(tables, *due); });
  return true;
}

}  // namespace joseki::coordinator
