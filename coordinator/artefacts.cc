#include "coordinator/artefacts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostNamedWeights = 10'000;

absl::Status Unknown(const Sha256& sha256) {
  return MakeProblem({.code = "unknown_artefact",
                      .found = Hex(sha256),
                      .expected = "the hash of an artefact of this coordinator"},
                     absl::StatusCode::kNotFound);
}

absl::Status BeyondEnd(uint64_t offset, uint64_t size) {
  return MakeProblem({.code = "bad_field",
                      .file = "offset",
                      .found = absl::StrCat(offset),
                      .expected = absl::StrCat("at most ", size)},
                     absl::StatusCode::kOutOfRange);
}

int64_t ChangedNs(const struct stat& info) {
  return int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

}  // namespace

absl::Status Artefacts::Scan() {
  if (options_.folder.empty()) return absl::OkStatus();
  std::map<Sha256, File> known;
  {
    const std::lock_guard lock(mutex_);
    known = files_;
  }
  std::map<Sha256, File> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(options_.folder, error)) {
    struct stat info {};
    const std::string path = entry.path().string();
    if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const File file{path, static_cast<uint64_t>(info.st_size), ChangedNs(info)};
    const auto same = std::find_if(known.begin(), known.end(),
                                   [&](const auto& item) { return item.second == file; });
    if (same != known.end()) {
      found.insert(*same);
      continue;
    }
    const absl::StatusOr<std::string> bytes = ReadFile(path);
    if (bytes.ok()) found.emplace(Sha256Of(*bytes), file);
  }
  if (error) {
    return MakeProblem({.code = "file_error",
                        .file = options_.folder,
                        .found = error.message(),
                        .expected = "a folder that can be read"},
                       absl::StatusCode::kNotFound);
  }
  const std::lock_guard lock(mutex_);
  files_ = std::move(found);
  return absl::OkStatus();
}

absl::StatusOr<ArtefactInfo> Artefacts::Find(const Sha256& sha256) {
  for (const bool scanned : {false, true}) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto file = files_.find(sha256); file != files_.end()) {
        return ArtefactInfo{sha256, file->second.size};
      }
    }
    if (!scanned) {
      ASSIGN_OR_RETURN(const std::shared_ptr<const std::string> bytes, Bytes(sha256));
      if (bytes != nullptr) return ArtefactInfo{sha256, bytes->size()};
      // Perhaps a file that was put there since.
      RETURN_IF_ERROR(Scan());
    }
  }
  return Unknown(sha256);
}

absl::StatusOr<ArtefactInfo> Artefacts::FindWeights(RunId run, uint32_t have, uint32_t version) {
  const auto name = std::tuple(run, have, version);
  const auto known = [&]() -> std::optional<ArtefactInfo> {
    const std::lock_guard lock(mutex_);
    const auto named = weights_.find(name);
    if (named == weights_.end()) return std::nullopt;
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
      if (kept->sha256 != named->second) continue;
      kept_.splice(kept_.begin(), kept_, kept);
      return ArtefactInfo{kept->sha256, kept->bytes->size()};
    }
    return std::nullopt;
  };
  if (const auto info = known()) return *info;
  const std::lock_guard making(making_);
  if (const auto info = known()) return *info;  // somebody else has just made it
  ASSIGN_OR_RETURN(std::string delta, coordinator_.WeightsDelta(run, have, version));
  const Sha256 sha256 = Sha256Of(delta);
  const ArtefactInfo info{sha256, delta.size()};
  Keep(sha256, std::move(delta));
  const std::lock_guard lock(mutex_);
  if (weights_.size() >= kMostNamedWeights) weights_.clear();
  weights_[name] = sha256;
  return info;
}

absl::StatusOr<std::string> Artefacts::Read(const Sha256& sha256, uint64_t offset, uint64_t most) {
  std::optional<File> file;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = files_.find(sha256); found != files_.end()) file = found->second;
  }
  if (!file) {
    ASSIGN_OR_RETURN(const std::shared_ptr<const std::string> bytes, Bytes(sha256));
    if (bytes == nullptr) return Unknown(sha256);
    if (offset > bytes->size()) return BeyondEnd(offset, bytes->size());
    return bytes->substr(offset, most);
  }
  const int fd = open(file->path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto closer = absl::MakeCleanup([fd] {
    if (fd >= 0) close(fd);
  });
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0 ||
      File{file->path, static_cast<uint64_t>(info.st_size), ChangedNs(info)} != *file) {
    return Unknown(sha256);
  }
  if (offset > file->size) return BeyondEnd(offset, file->size);
  std::string bytes(std::min(most, file->size - offset), '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Unknown(sha256);
    done += static_cast<size_t>(n);
  }
  return bytes;
}

absl::StatusOr<std::shared_ptr<const std::string>> Artefacts::Bytes(const Sha256& sha256) {
  const auto kept = [&]() -> std::shared_ptr<const std::string> {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const Kept& item) { return item.sha256 == sha256; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().bytes;
  };
  if (auto bytes = kept()) return bytes;
  const std::lock_guard making(making_);
  if (auto bytes = kept()) return bytes;
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
  absl::StatusOr<std::string> bytes = RunStore(*store).ReadSnapshot(sha256);
  if (absl::IsNotFound(bytes.status())) return std::shared_ptr<const std::string>();
  RETURN_IF_ERROR(bytes.status());
  return Keep(sha256, *std::move(bytes));
}

std::shared_ptr<const std::string> Artefacts::Keep(const Sha256& sha256, std::string bytes) {
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  const std::lock_guard lock(mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->sha256 != sha256) continue;
    kept_.splice(kept_.begin(), kept_, kept);
    return kept->bytes;
  }
  kept_.push_front({sha256, shared});
  kept_bytes_ += shared->size();
  while (kept_bytes_ > options_.kept_bytes && kept_.size() > 1) {
    kept_bytes_ -= kept_.back().bytes->size();
    kept_.pop_back();
  }
  return shared;
}

}  // namespace joseki::coordinator
