#include "base/certificates/table.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::certificates {
namespace {

std::string TextOf(const std::vector<Words>& rows) {
  std::string text;
  for (const Words& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : " ", row[i]);
    text += '\n';
  }
  return text;
}

// The offset at which the last whole line of an open file ends; -1 with errno set if it cannot be
// read.
off_t EndOfLines(int fd) {
  off_t end = lseek(fd, 0, SEEK_END);
  std::array<char, 512> block;
  while (end > 0) {
    const auto size = static_cast<off_t>(std::min<size_t>(block.size(), static_cast<size_t>(end)));
    const ssize_t read = pread(fd, block.data(), static_cast<size_t>(size), end - size);
    if (read < 0) return -1;
    for (off_t i = read; i > 0; --i) {
      if (block[static_cast<size_t>(i) - 1] == '\n') return end - size + i;
    }
    end -= size;
  }
  return end;
}

}  // namespace

absl::StatusOr<std::vector<Words>> ReadTable(const std::string& path, size_t columns,
                                             std::string_view part) {
  std::vector<Words> table;
  const absl::StatusOr<std::string> read = ReadFile(path);
  if (absl::IsNotFound(read.status())) return table;
  RETURN_IF_ERROR(read.status());
  std::string_view text = *read;
  text = text.substr(0, text.rfind('\n') + 1);
  int number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (line.empty() || line[0] == '#' || line.find(part) == line.npos) continue;
    Words row = absl::StrSplit(absl::string_view(line.data(), line.size()), ' ');
    if (row.size() < columns) {
      return MakeProblem({.code = "bad_table",
                          .file = path,
                          .line = number,
                          .found = absl::StrCat(row.size(), " words"),
                          .expected = absl::StrCat(columns)},
                         absl::StatusCode::kFailedPrecondition);
    }
    table.push_back(std::move(row));
  }
  return table;
}

absl::Status WriteTable(const std::string& path, const std::vector<Words>& rows, mode_t mode) {
  return WriteFileAtomically(path, TextOf(rows), mode);
}

absl::Status AppendToTable(const std::string& path, const std::vector<Words>& rows, mode_t mode) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode);
  if (fd < 0) return FileProblem(errno, path, "a file that can be written");
  const auto closing = absl::MakeCleanup([fd] { close(fd); });
  off_t at = EndOfLines(fd);
  // Cut off a torn line left by a crash: it would become the beginning of the new row.
  if (at < 0 || ftruncate(fd, at) != 0)
    return FileProblem(errno, path, "a file that can be written");
  const std::string text = TextOf(rows);
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t n = pwrite(fd, left.data(), left.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileProblem(errno, path, "a file that can be written");
    left.remove_prefix(static_cast<size_t>(n));
    at += n;
  }
  if (fsync(fd) != 0) return FileProblem(errno, path, "a file that can be written");
  return absl::OkStatus();
}

}  // namespace joseki::certificates
