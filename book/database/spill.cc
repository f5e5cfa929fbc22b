#include "book/database/spill.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <queue>
#include <type_traits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

constexpr size_t kBuffer = size_t{1} << 18;

// Records in native layout: only the process that wrote the file reads it.
struct BookHead {
  PackedPosition packed;
  int32_t line = 0;
  int32_t ply = 0;
  uint64_t moves = 0;
};
struct BookEntry {
  uint64_t count = 0;
  int32_t value = 0;
  int32_t depth = 0;
  uint16_t move = 0;
  uint16_t ponder = 0;
  uint8_t has_value = 0;
  uint8_t has_depth = 0;
  uint8_t unused[2] = {};
};

template <typename T>
absl::Status WriteOne(SpillFile& file, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return file.Write(&value, sizeof value);
}

// A chunk in the merge, with its current position.
struct SpillCursor {
  SpillFile* file = nullptr;
  book::DbPosition position;
};

// Order of the merge: smallest position first, among equals the earliest chunk.
using Front = std::pair<PackedPosition, size_t>;
using Fronts = std::priority_queue<Front, std::vector<Front>, std::greater<>>;

absl::StatusOr<bool> ReadNext(SpillFile& file, book::DbPosition& position) {
  BookHead head;
  ASSIGN_OR_RETURN(const bool more, file.Read(&head, sizeof head));
  if (!more) return false;
  position.packed = head.packed;
  position.line = head.line;
  position.ply = head.ply;
  position.moves.clear();
  for (uint64_t i = 0; i < head.moves; ++i) {
    BookEntry entry;
    RETURN_IF_ERROR(file.Read(&entry, sizeof entry).status());
    position.moves.push_back({.move = Move(entry.move),
                              .ponder = Move(entry.ponder),
                              .value = entry.value,
                              .depth = entry.depth,
                              .count = entry.count,
                              .has_value = entry.has_value != 0,
                              .has_depth = entry.has_depth != 0});
  }
  return true;
}

// Visits every position of every chunk, ascending; among equals the earliest chunk first.
absl::Status Merge(std::vector<SpillFile>& chunks,
                   const std::function<absl::Status(const book::DbPosition&)>& visit) {
  std::vector<SpillCursor> cursors(chunks.size());
  Fronts fronts;
  const auto advance = [&](size_t chunk) -> absl::Status {
    ASSIGN_OR_RETURN(const bool more, ReadNext(*cursors[chunk].file, cursors[chunk].position));
    if (more) fronts.emplace(cursors[chunk].position.packed, chunk);
    return absl::OkStatus();
  };
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    cursors[chunk].file = &chunks[chunk];
    RETURN_IF_ERROR(chunks[chunk].Rewind());
    RETURN_IF_ERROR(advance(chunk));
  }
  while (!fronts.empty()) {
    const size_t chunk = fronts.top().second;
    fronts.pop();
    RETURN_IF_ERROR(visit(cursors[chunk].position));
    RETURN_IF_ERROR(advance(chunk));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SpillFile::Failed(const char* what) const {
  return FileProblem(errno != 0 ? errno : EIO, folder_, what);
}

absl::StatusOr<SpillFile> SpillFile::Create(const std::string& folder) {
  std::string name = folder + "/joseki-import-XXXXXX";
  const int descriptor = mkstemp(name.data());
  std::FILE* const file = descriptor < 0 ? nullptr : fdopen(descriptor, "w+b");
  if (file == nullptr) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    return FileProblem(error, folder, "a folder for what memory has no room for");
  }
  unlink(name.c_str());
  std::setvbuf(file, nullptr, _IOFBF, kBuffer);
  return SpillFile(file, folder);
}

absl::StatusOr<SpillFile> SpillFile::CopyOf(const std::string& pipe, const std::string& folder) {
  const auto failed = [&](int error) {
    return FileProblem(error, pipe, "a pipe that can be read");
  };
  // A socket as standard input cannot be opened by name, but its descriptor can be duplicated.
  const int descriptor = pipe == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                     : open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(errno);
  const auto closing = absl::MakeCleanup([descriptor] { close(descriptor); });
  ASSIGN_OR_RETURN(SpillFile copy, Create(folder));
  std::vector<char> buffer(size_t{1} << 16);
  for (;;) {
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed(errno);
    if (n == 0) break;
    RETURN_IF_ERROR(copy.Write(buffer.data(), static_cast<size_t>(n)));
  }
  RETURN_IF_ERROR(copy.Rewind());
  return copy;
}

std::string SpillFile::path() const { return absl::StrCat("/proc/self/fd/", fileno(file_.get())); }

absl::Status SpillFile::Write(const void* bytes, size_t size) {
  if (std::fwrite(bytes, 1, size, file_.get()) == size) return absl::OkStatus();
  return Failed("room on the disk");
}

absl::Status SpillFile::Rewind() {
  if (std::fflush(file_.get()) != 0) return Failed("room on the disk");
  std::rewind(file_.get());
  return absl::OkStatus();
}

absl::StatusOr<bool> SpillFile::Read(void* bytes, size_t size) {
  const size_t read = std::fread(bytes, 1, size, file_.get());
  if (read == size) return true;
  if (read == 0 && std::feof(file_.get()) != 0) return false;
  return Failed("what was written there");
}

absl::Status BookSpill::Add(std::vector<book::DbPosition> positions) {
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  std::stable_sort(
      positions.begin(), positions.end(),
      [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
  for (const book::DbPosition& position : positions) {
    RETURN_IF_ERROR(WriteOne(
        file, BookHead{position.packed, position.line, position.ply, position.moves.size()}));
    for (const book::DbMove& move : position.moves) {
      BookEntry entry;
      entry.count = move.count;
      entry.value = move.value;
      entry.depth = move.depth;
      entry.move = move.move.raw();
      entry.ponder = move.ponder.raw();
      entry.has_value = move.has_value ? 1 : 0;
      entry.has_depth = move.has_depth ? 1 : 0;
      RETURN_IF_ERROR(WriteOne(file, entry));
    }
  }
  positions_ += positions.size();
  chunks_.push_back(std::move(file));
  return absl::OkStatus();
}

absl::Status BookSpill::ForEach(const std::function<absl::Status(const book::DbPosition&)>& visit) {
  return Merge(chunks_, visit);
}

}  // namespace joseki::book
