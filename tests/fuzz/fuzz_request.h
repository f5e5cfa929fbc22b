#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/clock.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/services/from_wire.h"
#include "engine/shogi/shogi_rules.h"

// Common part of the fuzzers of requests. An input is a sequence of requests: a byte for the kind,
// two bytes of length, and the message. They reach a coordinator with a small book and a run as a
// service would send them. The coordinator is recreated periodically, so that its state stays
// bounded. The coordinator has no threads and a clock of ours. Its writer and maintenance are
// stepped until a call is answered, so no input waits for time to pass. The three high bits of a
// request's first byte set the time that passes before it.
namespace joseki::coordinator {

// A clock that moves only when told to.
class FuzzClock final : public Clock {
 public:
  absl::Time Now() const override { return now_; }
  void Advance(absl::Duration by) { now_ += by; }

 private:
  absl::Time now_ = absl::FromUnixSeconds(1'000'000);
};

class FuzzedCoordinator {
 public:
  static constexpr int kMostRequests = 16;
  static constexpr int kInputsPerLife = 500;

  FuzzedCoordinator() {
    // Prefers a file system in memory, where a commit costs nothing.
    const std::filesystem::path base = std::filesystem::is_directory("/dev/shm")
                                           ? std::filesystem::path("/dev/shm")
                                           : std::filesystem::temp_directory_path();
    spdlog::set_level(spdlog::level::off);
    static std::atomic<int> made = 0;  // a process may have several
    folder_ = base / ("joseki_fuzz_" + std::to_string(getpid()) + "_" + std::to_string(made++));
  }
  ~FuzzedCoordinator() {
    coordinator_.reset();
    std::filesystem::remove_all(folder_);
  }

  // The coordinator, for the next input.
  FuzzedCoordinator& Next() {
    if (inputs_++ % kInputsPerLife == 0) Renew();
    return *this;
  }
  Coordinator& coordinator() { return *coordinator_; }
  const Rules& rules() const { return rules_; }

  // Calls `visit(which, bytes)` for each request of an input, with `which` below 32.
  template <typename Visit>
  void ForEachRequest(const uint8_t* data, size_t size, const Visit& visit) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (int i = 0; i < kMostRequests && rest.size() >= 3; ++i) {
      const auto byte = [&](size_t at) { return static_cast<uint8_t>(rest[at]); };
      const uint8_t which = byte(0);
      const size_t length = byte(1) | static_cast<size_t>(byte(2)) << 8;
      rest.remove_prefix(3);
      if (const int passes = which >> 5; passes != 0) {
        clock_.Advance(absl::Milliseconds(1 << 3 * passes));
        coordinator_->Step();
      }
      visit(static_cast<uint8_t>(which & 31), rest.substr(0, length));
      rest.remove_prefix(std::min(length, rest.size()));
    }
  }

  // Calls a verb and returns its single answer.
  template <typename Output, typename Verb>
  absl::StatusOr<Output> Wait(const Verb& verb) {
    // Steps of a millisecond each; a held call is answered after at most one.
    constexpr int kMostSteps = 100;
    const auto answer = std::make_shared<std::optional<absl::StatusOr<Output>>>();
    verb([answer](absl::StatusOr<Output> output) {
      if (answer->has_value()) std::abort();
      *answer = std::move(output);
    });
    for (int step = 0; !answer->has_value(); ++step) {
      if (step == kMostSteps) {
        std::cerr << "no answer" << std::endl;
        std::abort();
      }
      coordinator_->Step();
      clock_.Advance(absl::Milliseconds(1));
    }
    MustBeTheCallersFault((*answer)->status());
    return **std::move(answer);
  }

  // A refusal must blame the request, never the coordinator.
  static void MustBeTheCallersFault(const absl::Status& status) {
    switch (status.code()) {
      case absl::StatusCode::kUnknown:
      case absl::StatusCode::kInternal:
      case absl::StatusCode::kDataLoss:
      case absl::StatusCode::kUnimplemented:
        std::cerr << status << std::endl;
        std::abort();
      default:
        return;
    }
  }
  // An answer must fit the message size that clients accept.
  template <typename Message>
  static void MustBeSendable(const Message& message, size_t most = size_t{4} << 20) {
    if (message.ByteSizeLong() > most) std::abort();
  }

 private:
  void Renew() {
    coordinator_.reset();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const std::string db = folder_ / "book.sqlite";
    book::Importer importer(rules_, book::ImportOptions());
    importer.AddBytes("games.usi",
                      "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d 2g2f\n"
                      "startpos moves 2g2f 8c8d 2f2e\n");
    const auto store = book::Store::Open(db, book::OpenMode::kCreate);
    if (!store.ok() || !importer.Commit(**store, "games").ok()) std::abort();
    auto started = Coordinator::Open(
        {.db_path = db, .acquire_wait = absl::Milliseconds(1), .checkpoint = absl::Seconds(1)},
        rules_, clock_);
    if (!started.ok()) std::abort();
    // Takes ownership of the object that Open created.
    coordinator_.reset(started->release());
    RunSpec spec;
    spec.games = 1'000'000;
    spec.play.nodes = 100;
    spec.play.engine_id = "embedded";
    if (const auto run = coordinator_->operators().CreateRun(spec, ""); !run.ok()) {
      std::cerr << run.status() << std::endl;
      std::abort();
    }
  }

  const Rules& rules_ = shogi::ShogiRules();
  std::filesystem::path folder_;
  FuzzClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
  int inputs_ = 0;
};

}  // namespace joseki::coordinator
