#pragma once

#include <memory>
#include <string>

#include "coordinator/artefacts.h"
#include "coordinator/coordinator.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

using ::joseki::testing::CodeOf;

// A coordinator with a run with re-entry.
class ArtefactsTest : public ::testing::Test {
 protected:
  ArtefactsTest() : path_(folder_ / "book.sqlite") {
    testing::WriteToyBook(path_);
    coordinator_ = *Coordinator::Start({.db_path = path_}, rules_);
    RunSpec spec = testing::ToySpec(100);
    spec.play.re_entry = true;
    spec.play.re_entry_games = 10;
    run_ = coordinator_->operators().CreateRun(spec, "")->run;
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    RunStore rows(*store);
    snapshot_ = rows.runs().Read(run_)->snapshot;
    snapshot_bytes_ = *rows.runs().ReadSnapshot(snapshot_);
  }

  // Puts a snapshot of any bytes into the database.
  Sha256 Put(const std::string& bytes) {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    const Sha256 sha256 = Sha256Of(bytes);
    EXPECT_TRUE(RunStore(*store).runs().InsertSnapshot(sha256, bytes, "").ok());
    return sha256;
  }
  Artefacts::Options Options() const { return {.db_path = path_}; }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  std::unique_ptr<Coordinator> coordinator_;
  RunId run_ = 0;
  Sha256 snapshot_{};
  std::string snapshot_bytes_;
};

}  // namespace joseki::coordinator
