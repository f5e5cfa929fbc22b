#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "coordinator/artefacts.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

inline std::string CodeOf(const absl::Status& status) {
  return status.ok() ? "ok" : ProblemOf(status).code;
}

// A coordinator with a run with re-entry and a folder of weight files.
class ArtefactsTest : public ::testing::Test {
 protected:
  ArtefactsTest() : path_(folder_ / "book.sqlite"), files_(folder_ / "files") {
    testing::WriteToyBook(path_);
    std::filesystem::create_directories(files_);
    coordinator_ = *Coordinator::Start({.db_path = path_}, rules_);
    RunSpec spec = testing::ToySpec(100);
    spec.play.re_entry = true;
    spec.play.re_entry_games = 10;
    run_ = coordinator_->CreateRun(spec, "")->run;
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    RunStore rows(*store);
    snapshot_ = rows.ReadRun(run_)->snapshot;
    snapshot_bytes_ = *rows.ReadSnapshot(snapshot_);
  }

  Sha256 Write(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(WriteFileAtomically(files_ + "/" + name, bytes).ok());
    return Sha256Of(bytes);
  }
  Artefacts::Options Options() const { return {.db_path = path_, .folder = files_}; }

  testing::TempFolder folder_;
  const std::string path_;
  const std::string files_;
  const testing::ToyRules rules_{};
  std::unique_ptr<Coordinator> coordinator_;
  RunId run_ = 0;
  Sha256 snapshot_{};
  std::string snapshot_bytes_;
};

}  // namespace joseki::coordinator
