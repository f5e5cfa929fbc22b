#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace joseki {

// A fault of an input, in the parts that a user sees. It is shown as one line on stderr, or as
// {"error": {code, file, line, found, expected, message}} under --json.
struct Problem {
  std::string code = {};   // a fixed snake_case word, such as "illegal_move"; scripts match on it
  std::string file = {};   // the file or flag at fault; empty: none
  int line = 0;            // 1-based; 0: none
  std::string found = {};  // the text at fault
  std::string expected = {};  // the text that is allowed there
};

// An absl::Status (default InvalidArgument) that carries `problem`; its message is the one-line
// form "file:line: code: found X, expected Y".
absl::Status MakeProblem(Problem problem,
                         absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// The failure of a system call on `file`: code file_error, `error` an errno.
absl::Status FileProblem(int error, std::string_view file, std::string_view expected);

// A problem whose `found` is a whole sentence and `expected` the remedy: the message is "file:line:
// code: FOUND (EXPECTED)".
absl::Status SentenceProblem(Problem problem,
                             absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// The problem that `status` carries. For any other error, `code` is the status code's name in lower
// case and `found` the message. REQUIRES: !status.ok().
Problem ProblemOf(const absl::Status& status);

// `status` with file and line filled in where its problem has none.
absl::Status At(absl::Status status, std::string_view file, int line = 0);

// `text` for one line of an error message: control and non-ASCII bytes escaped, at most `limit`
// bytes kept.
std::string Quote(std::string_view text, size_t limit = 60);

}  // namespace joseki
