#include "worker/artefact_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/pause.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::worker {
namespace {

constexpr int kAttempts = 2;  // at bytes whose hash is wrong
constexpr std::string_view kPart = ".part";
constexpr std::string_view kNotes = ".notes";

absl::Status BadArtefact(const std::string& path, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_artefact",
                      .file = path,
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     absl::StatusCode::kDataLoss);
}

// An open file; closing it also releases a lock on it.
class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  uint64_t size() const {
    struct stat info {};
    return fstat(fd_, &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
  }

 private:
  const int fd_;
};

absl::Status WriteAt(const File& file, const std::string& path, uint64_t offset,
                     std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file.fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileProblem(errno, path, "room to write");
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

void SyncFolder(const std::string& folder) {
  const File directory(folder, O_RDONLY | O_DIRECTORY);
  if (directory.ok()) fsync(directory.fd());
}

bool IsHash(std::string_view name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == name.npos;
}

// The path of the lock for artefacts whose name begins with the same character.
std::string LockPath(const std::string& folder, std::string_view name) {
  return absl::StrCat(folder, "/lock.", std::string(name.substr(0, 1)));
}

absl::StatusOr<std::shared_ptr<const MappedFile>> Map(const std::string& path) {
  ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  return std::make_shared<const MappedFile>(std::move(file));
}

}  // namespace

std::string ArtefactCache::PathOf(const Sha256& sha256) const {
  return absl::StrCat(options_.folder, "/", Hex(sha256));
}

std::shared_ptr<const MappedFile> ArtefactCache::Find(const Sha256& sha256) {
  auto loaded = Load(sha256);
  return loaded.ok() ? *std::move(loaded) : nullptr;
}

absl::StatusOr<std::shared_ptr<const MappedFile>> ArtefactCache::Load(const Sha256& sha256) {
  const std::string path = PathOf(sha256);
  {
    const ScopedLock lock(mutex_);
    if (auto known = open_[sha256].lock()) return known;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file, Map(path));
  if (const Sha256 found = Sha256Of(file->bytes()); found != sha256) {
    return BadArtefact(path, absl::StrCat("bytes with hash ", Hex(found)), "those of its name");
  }
  // Set the time of last use, by which RemoveOldest chooses.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  const ScopedLock lock(mutex_);
  open_[sha256] = file;
  return file;
}

absl::StatusOr<std::shared_ptr<const MappedFile>> ArtefactCache::Get(
    const ArtefactManifest& manifest, ArtefactPort& port, const Progress& progress,
    std::stop_token stop) {
  if (auto found = Find(manifest.sha256)) return found;
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) return FileProblem(error.value(), options_.folder, "a folder that can be made");
  const std::string path = PathOf(manifest.sha256);
  const File lock(LockPath(options_.folder, Hex(manifest.sha256)), O_RDWR | O_CREAT);
  if (!lock.ok()) return FileProblem(errno, options_.folder, "a folder that can be written");
  // The process that downloads is alive as long as its partial file grows.
  uint64_t seen = 0;
  while (flock(lock.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return FileProblem(errno, options_.folder, "a folder whose files can be locked");
    }
    if (!Pause(options_.look, stop)) return absl::CancelledError("stopped");
    std::error_code gone;
    const uint64_t size = std::filesystem::file_size(path + std::string(kPart), gone);
    if (!gone && size != seen) progress();
    if (!gone) seen = size;
  }
  absl::Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto loaded = Load(manifest.sha256);  // downloaded by another process, or by the previous
                                          // attempt
    if (loaded.ok()) return loaded;
    if (absl::IsDataLoss(loaded.status())) unlink(path.c_str());
    status = Download(manifest, port, progress, stop);
    if (!status.ok() && !absl::IsDataLoss(status)) return status;
    if (status.ok()) {
      RemoveOldest(manifest.sha256);
      return Load(manifest.sha256);
    }
  }
  return status;
}

absl::Status ArtefactCache::Download(const ArtefactManifest& manifest, ArtefactPort& port,
                                     const Progress& progress, const std::stop_token& stop) {
  const std::string path = PathOf(manifest.sha256);
  const std::string part = path + std::string(kPart);
  const File file(part, O_RDWR | O_CREAT);
  if (!file.ok()) return FileProblem(errno, part, "a file that can be written");
  uint64_t have = file.size();
  const auto begin_again = [&]() -> absl::Status {
    if (ftruncate(file.fd(), 0) != 0) return FileProblem(errno, part, "a file that can be cut");
    return absl::OkStatus();
  };
  if (have > manifest.size) {
    RETURN_IF_ERROR(begin_again());
    have = 0;
  }
  if (have < manifest.size) {
    if (!Pause(manifest.start_after, stop)) return absl::CancelledError("stopped");
    const ChunkSink append = [&](uint64_t offset, std::string_view bytes) -> absl::Status {
      if (offset != have || bytes.size() > manifest.size - have) {
        return MakeProblem(
            {.code = "bad_answer",
             .file = "data",
             .found = absl::StrCat(bytes.size(), " bytes at ", offset),
             .expected = absl::StrCat("at most ", manifest.size - have, " bytes at ", have)},
            absl::StatusCode::kInternal);
      }
      RETURN_IF_ERROR(WriteAt(file, part, offset, bytes));
      have += bytes.size();
      progress();
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(port.Fetch(manifest.sha256, have, append, stop));
    if (have < manifest.size) {
      return MakeProblem({.code = "bad_answer",
                          .file = "data",
                          .found = absl::StrCat("the end after ", have, " bytes"),
                          .expected = absl::StrCat(manifest.size, " bytes")},
                         absl::StatusCode::kUnavailable);
    }
  }
  {
    ASSIGN_OR_RETURN(const MappedFile whole, MappedFile::Open(part));
    if (const Sha256 found = Sha256Of(whole.bytes()); found != manifest.sha256) {
      RETURN_IF_ERROR(begin_again());
      return BadArtefact(part, absl::StrCat("bytes with hash ", Hex(found)),
                         absl::StrCat("hash ", Hex(manifest.sha256)));
    }
  }
  if (fsync(file.fd()) != 0) return FileProblem(errno, part, "a disk that works");
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    return FileProblem(errno, path, "a folder that can be written");
  }
  SyncFolder(options_.folder);
  return absl::OkStatus();
}

std::shared_ptr<const MappedFile> ArtefactCache::FindNotes(const Sha256& sha256) const {
  const std::string path = PathOf(sha256) + std::string(kNotes);
  auto file = Map(path);
  if (!file.ok()) return nullptr;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return *std::move(file);
}

void ArtefactCache::KeepNotes(const Sha256& sha256, std::string_view notes) const {
  WriteFileAtomically(PathOf(sha256) + std::string(kNotes), notes).IgnoreError();
}

void ArtefactCache::RemoveOldest(const Sha256& but_not) {
  struct Entry {
    std::filesystem::file_time_type used;
    uint64_t size = 0;
    std::filesystem::path path;
  };
  std::vector<Entry> entries;
  uint64_t bytes = 0;
  const std::string kept = Hex(but_not);
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(options_.folder, error)) {
    const std::string name = file.path().filename().string();
    if (!IsHash(std::string_view(name).substr(0, 64))) continue;
    std::error_code gone;  // another process may remove it first
    Entry entry{file.last_write_time(gone), file.file_size(gone), file.path()};
    if (gone) continue;
    bytes += entry.size;
    if (name != kept) entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (bytes <= options_.most_bytes) return;
    std::optional<File> lock;
    if (entry.path.extension() == kPart) {  // another process may be downloading it
      lock.emplace(LockPath(options_.folder, entry.path.filename().string()), O_RDWR | O_CREAT);
      if (!lock->ok() || flock(lock->fd(), LOCK_EX | LOCK_NB) != 0) continue;
    }
    std::filesystem::remove(entry.path, error);
    if (!error) bytes -= entry.size;
  }
}

}  // namespace joseki::worker
