#include "cli/cluster/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

constexpr absl::Duration kEndTick = absl::Milliseconds(20);
constexpr absl::Duration kEndPatience = absl::Seconds(60);

absl::Status CannotSync(const std::string& path) {
  return FileProblem(errno, path, "a folder that can be written");
}

}  // namespace

absl::StatusOr<SyncLatency> MeasureSync(const std::string& folder) {
  constexpr int kWrites = 200;
  const std::string path = folder + "/sync_probe";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return CannotSync(path);
  const auto remove = absl::MakeCleanup([&] {
    close(file);
    unlink(path.c_str());
  });
  const std::string block(4096, 'j');
  std::vector<double> times;
  for (int i = 0; i < kWrites; ++i) {
    const auto began = std::chrono::steady_clock::now();
    if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size()) ||
        fdatasync(file) != 0) {
      return CannotSync(path);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  return SyncLatency{times[kWrites / 2], times[kWrites * 99 / 100]};
}

absl::Status LoadCoordinator::Ended() const {
  const std::string words = process_->LastWords();
  return MakeProblem(
      {.code = "coordinator_ended",
       .file = process_->log_path(),
       .found = words.empty() ? process_->Ending() : absl::StrCat(process_->Ending(), ": ", words),
       .expected = "a running coordinator"},
      absl::StatusCode::kUnavailable);
}

absl::StatusOr<std::string> LoadCoordinator::address() const {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(address_file()));
  return std::string(absl::StripAsciiWhitespace(text));
}

absl::Status LoadCoordinator::Start(SignalWait& signals) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program =
      program_.empty() ? (self.parent_path() / "joseki-coordinator").string() : program_;
  unlink(address_file().c_str());
  std::vector<std::string> command = {program,       "--db",           database(),    "--listen",
                                      "127.0.0.1:0", "--address-file", address_file()};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  ASSIGN_OR_RETURN(ChildProcess process,
                   ChildProcess::Start(command, folder_ + "/coordinator.log"));
  process_ = std::make_unique<ChildProcess>(std::move(process));
  // The file is written atomically once the coordinator listens.
  while (!address().ok()) {
    if (!process_->Running()) return Ended();
    if (signals.Wait(kEndTick)) return absl::CancelledError("interrupted");
  }
  return absl::OkStatus();
}

void LoadCoordinator::Kill(SignalWait& signals) {
  process_->Kill();
  while (process_->Running()) signals.Wait(kEndTick);
}

absl::Status LoadCoordinator::Stop(SignalWait& signals) {
  process_->Terminate();
  const absl::Time last = absl::Now() + kEndPatience;
  while (process_->Running() && absl::Now() < last) signals.Wait(kEndTick);
  if (process_->Running()) Kill(signals);
  return process_->EndedWell() ? absl::OkStatus() : Ended();
}

}  // namespace joseki::cli
