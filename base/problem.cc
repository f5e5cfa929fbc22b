#include "base/problem.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace joseki {
namespace {

constexpr char kPayload[] = "joseki/problem";
constexpr char kSeparator = '\x1f';

// "file:line: code".
std::string Heading(const Problem& p) {
  std::string text;
  if (!p.file.empty()) {
    text += p.file;
    if (p.line > 0) absl::StrAppend(&text, ":", p.line);
    text += ": ";
  }
  return text + p.code;
}

std::string Message(const Problem& p) {
  std::string text = Heading(p);
  if (!p.found.empty()) absl::StrAppend(&text, ": found ", p.found);
  if (!p.expected.empty()) {
    absl::StrAppend(&text, p.found.empty() ? ": " : ", ", "expected ", p.expected);
  }
  return text;
}

absl::Status Carrying(const Problem& problem, absl::Status status) {
  const std::string separator(1, kSeparator);
  status.SetPayload(kPayload, absl::Cord(absl::StrCat(problem.code, separator, problem.file,
                                                      separator, problem.line, separator,
                                                      problem.found, separator, problem.expected)));
  return status;
}

}  // namespace

absl::Status MakeProblem(Problem problem, absl::StatusCode code) {
  return Carrying(problem, absl::Status(code, Message(problem)));
}

absl::Status SentenceProblem(Problem problem, absl::StatusCode code) {
  return Carrying(problem, absl::Status(code, absl::StrCat(Heading(problem), ": ", problem.found,
                                                           " (", problem.expected, ")")));
}

absl::Status FileProblem(int error, std::string_view file, std::string_view expected) {
  return MakeProblem({.code = "file_error",
                      .file = std::string(file),
                      .found = std::strerror(error),
                      .expected = std::string(expected)},
                     absl::ErrnoToStatusCode(error));
}

Problem ProblemOf(const absl::Status& status) {
  Problem problem;
  if (auto payload = status.GetPayload(kPayload); payload.has_value()) {
    const std::string flat(*payload);
    const std::vector<std::string> parts = absl::StrSplit(flat, kSeparator);
    if (parts.size() == 5) {
      problem.code = parts[0];
      problem.file = parts[1];
      std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), problem.line);
      problem.found = parts[3];
      problem.expected = parts[4];
      return problem;
    }
  }
  problem.code = absl::AsciiStrToLower(absl::StatusCodeToString(status.code()));
  problem.found = std::string(status.message());
  return problem;
}

absl::Status At(absl::Status status, std::string_view file, int line) {
  if (status.ok()) return status;
  Problem problem = ProblemOf(status);
  if (problem.file.empty()) problem.file = std::string(file);
  if (problem.line == 0) problem.line = line;
  return MakeProblem(std::move(problem), status.code());
}

std::string Quote(std::string_view text, size_t limit) {
  std::string quoted = "'";
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      constexpr char kDigits[] = "0123456789abcdef";
      quoted += "\\x";
      quoted += kDigits[byte >> 4];
      quoted += kDigits[byte & 15];
    } else {
      quoted += c;
    }
  }
  quoted += text.size() > limit ? "'..." : "'";
  return quoted;
}

}  // namespace joseki
