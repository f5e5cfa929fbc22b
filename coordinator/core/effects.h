#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "book/weights_delta.h"
#include "coordinator/core/submission.h"
#include "coordinator/model/messages.h"
#include "spdlog/fmt/fmt.h"

namespace joseki::coordinator {

// An event's requests to the world outside the tables. They are performed after the event, in the
// order of these members, with no lock held.
struct Effects {
  enum class Severity : uint8_t { kInfo, kWarn, kError };
  struct Line {
    Severity severity = Severity::kInfo;
    std::string text;  // the event's name, and its values: "run_advanced run=1 stage=2"
  };
  // A version of a run's weights, to be kept in memory for workers.
  struct KeptVersion {
    RunId run = 0;
    uint32_t version = 0;
    std::shared_ptr<const book::Weights> weights;
  };
  // Leases to be written; `done` hands them out once they are committed.
  struct Work {
    Granting granting;
    AcquireDone done;
  };

  std::vector<Line> log;
  std::vector<KeptVersion> weights;
  std::vector<Work> work;
  bool write = false;    // the ledger's debts, soon
  bool rebuild = false;  // recompute some run's evidence, or make its priors
  bool again = false;    // more remains than one event may do: run the next tick now
  std::vector<std::function<void()>> replies;

  template <typename... Values>
  void Info(fmt::format_string<Values...> text, Values&&... values) {
    log.push_back({Severity::kInfo, fmt::format(text, std::forward<Values>(values)...)});
  }
  template <typename... Values>
  void Warn(fmt::format_string<Values...> text, Values&&... values) {
    log.push_back({Severity::kWarn, fmt::format(text, std::forward<Values>(values)...)});
  }
  template <typename... Values>
  void Error(fmt::format_string<Values...> text, Values&&... values) {
    log.push_back({Severity::kError, fmt::format(text, std::forward<Values>(values)...)});
  }

  // Adds the effects of a later event.
  void Append(Effects&& later) {
    const auto append = [](auto& list, auto&& more) {
      list.insert(list.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
    };
    append(log, later.log);
    append(weights, later.weights);
    append(work, later.work);
    append(replies, later.replies);
    write = write || later.write;
    rebuild = rebuild || later.rebuild;
    again = again || later.again;
  }
};

}  // namespace joseki::coordinator
