#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "engine/shogi/learn/bonanza_sums.h"

// Shared folder of the processes that learn together, on one machine or on many. Each has one part
// of the lessons. For every stage a process writes its sums to a file and reads those of the
// others. All thus go on with the same totals.
//
// A file is FOLDER/STAGE.part-I-of-N, I from 1 on. It has one line of text with what must be equal
// in all parts, the sums, and the SHA-256 of both. Files are written all or nothing, never changed
// and never deleted. A process that was killed, at whatever moment, takes its finished stages from
// them.
namespace joseki::learn {

struct PartFolderOptions {
  std::string folder;  // made if it is not there
  Share part;
  // Facts that the learning depends on (games, settings), as words NAME=VALUE with one space
  // between.
  std::string run;
  absl::Duration patience = absl::Hours(1);  // wait for the other parts in a stage
};

class PartFolder {
 public:
  // `wait` returns after about the given time by `clock`.
  PartFolder(PartFolderOptions options, const Clock& clock,
             std::function<void(absl::Duration)> wait);

  // The total of all parts' sums for `stage`, a word that no other stage has. `state`: all that the
  // sums depend on besides the run, equal in all parts. `own` is called if this part's file is not
  // there yet. Waits for the files of the other parts. Errors, naming the file:
  //   bad_part             not a file of a part, or of another length
  //   part_checksum        damaged
  //   part_of_another_run  another run, state, stage or part
  //   parts_missing        DeadlineExceeded: the parts of which there is no file in time
  absl::StatusOr<BonanzaSums> Total(const std::string& stage, std::string_view state,
                                    const std::function<BonanzaSums()>& own) const;

 private:
  std::string FileOf(const std::string& stage, size_t part) const;
  std::string HeadOf(const std::string& stage, std::string_view state, size_t part) const;
  // The sums of a part; NotFound before it has written them.
  absl::StatusOr<BonanzaSums> Read(const std::string& stage, std::string_view state,
                                   size_t part) const;
  // The error that names `first` and the parts after it without a file.
  absl::Status Missing(const std::string& stage, size_t first) const;

  const PartFolderOptions options_;
  const Clock& clock_;
  const std::function<void(absl::Duration)> wait_;
};

}  // namespace joseki::learn
