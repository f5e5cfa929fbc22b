#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/formats/position.h"
#include "gtest/gtest.h"

namespace joseki::book {

// All results of a reader for the bytes of a file named "book".
struct Read {
  absl::Status status;
  std::vector<DbPosition> positions;
  std::vector<std::string> problems;  // "line code found"
};

// `reader` takes a sink and returns a status.
template <typename Reader>
Read ReadWith(Reader&& reader) {
  Read read;
  DbSink sink;
  sink.accept = [&](DbPosition position) { read.positions.push_back(std::move(position)); };
  sink.reject = [&](absl::Status status) {
    const Problem problem = ProblemOf(status);
    EXPECT_EQ(problem.file, "book");
    EXPECT_FALSE(problem.expected.empty());
    read.problems.push_back(absl::StrCat(problem.line, " ", problem.code, " ", problem.found));
  };
  read.status = reader(sink);
  return read;
}

}  // namespace joseki::book
