#pragma once

// Fixture for the parts around the coordinator's tables, without a whole coordinator. It holds a
// database with a played run, its tables behind a gate, and a writer stepped by hand.

#include <memory>
#include <string>
#include <utility>

#include "book/database/store.h"
#include "coordinator/gate.h"
#include "coordinator/restore.h"
#include "coordinator/store/writer.h"
#include "tests/coordinator/stepped_fixture.h"

namespace joseki::coordinator {

class RestoredTablesTest : public SteppedTest {
 protected:
  static constexpr uint64_t kGames = 40;

  // Plays a run to its end with one worker, drops its checkpoint and reloads everything.
  void SetUp() override {
    Start();
    run_ = Create(testing::ToySpec(kGames));
    SteppedWorker worker = Of("w");
    worker.Join();
    PlayOn(run_, worker);
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    {
      RunStore rows(*store);
      ASSERT_TRUE(rows.Begin().ok());
      ASSERT_TRUE(rows.evidence().DropCheckpoint(run_, 0).ok());
      ASSERT_TRUE(rows.Commit().ok());
    }
    Tables tables(rules_, {.acquire_wait = absl::Seconds(45), .pressure = {}}, clock_.Now());
    ASSERT_TRUE(RestoreTables(*store, 3, tables).ok());
    const uint64_t commit_seq = tables.marks.commit_seq;
    gate_ = std::make_unique<Gate>(
        std::move(tables), Gate::World{.moment = [this] { return Moment{.now = clock_.Now()}; },
                                       .perform = [](Effects&) {}});
    Writer::Hooks hooks;
    hooks.before = [](RunStore&) { return absl::OkStatus(); };
    hooks.after = [](bool) {};
    hooks.on_health = [](const absl::Status&) {};
    writer_ =
        std::make_unique<Writer>(std::move(store), commit_seq, Writer::Options(), std::move(hooks));
  }

  std::unique_ptr<book::Store> OpenToRead() {
    return book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  }

  RunId run_ = 0;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace joseki::coordinator
