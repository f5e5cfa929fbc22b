#include "book/database/import_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/mapped_file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/bundle.h"
#include "book/records/lines.h"

namespace joseki::book {
absl::Status ImportSource::status() const {
  const ScopedLock lock(mutex_);
  return status_;
}

std::optional<ImportSource::Work> ImportSource::Fail(const std::string& path, int error) {
  return Fail(FileProblem(error, path, "a file or a pipe that can be read"));
}

std::optional<ImportSource::Work> ImportSource::Fail(const absl::Status& status) {
  const ScopedLock lock(mutex_);
  status_.Update(status);
  return std::nullopt;
}

absl::StatusOr<std::string> ImportSource::PathOf(const std::string& name) {
  copy_.reset();
  struct stat info {};
  const bool input = name == kStandardInput;
  if ((input ? fstat(STDIN_FILENO, &info) : stat(name.c_str(), &info)) != 0) {
    return FileProblem(errno, name, "a file or a pipe that can be read");
  }
  if (S_ISREG(info.st_mode)) return input ? std::string("/dev/stdin") : name;
  if (!S_ISFIFO(info.st_mode) && !S_ISSOCK(info.st_mode)) {
    return FileProblem(S_ISDIR(info.st_mode) ? EISDIR : EINVAL, name,
                       "a file or a pipe that can be read");
  }
  std::string folder = options_.spill_folder;
  std::error_code error;
  if (folder.empty()) folder = std::filesystem::temp_directory_path(error).string();
  ASSIGN_OR_RETURN(SpillFile copy, SpillFile::CopyOf(name, folder));
  copy_ = std::make_shared<const SpillFile>(std::move(copy));
  return copy_->path();
}

std::optional<ImportSource::Work> ImportSource::Next() {
  if (!status().ok()) return std::nullopt;
  if (in_.is_open()) {
    if (std::optional<Work> part = NextPart()) return part;
  }
  if (next_ == files_.size()) return std::nullopt;
  name_ = files_[next_++];
  absl::StatusOr<std::string> path = PathOf(name_);
  if (!path.ok()) return Fail(path.status());
  path_ = *std::move(path);
  errno = 0;
  in_.open(path_, std::ios::binary);
  if (!in_.is_open()) return Fail(name_, errno != 0 ? errno : EIO);
  carry_.resize(part_);
  in_.read(carry_.data(), static_cast<std::streamsize>(part_));
  carry_.resize(static_cast<size_t>(in_.gcount()));
  if (in_.bad()) return Fail(name_, EIO);
  format_ = options_.from.by_content() ? FormatOfContent(carry_) : options_.from;
  const bool whole = carry_.size() < part_;
  if (whole || IsBundle(carry_) || CutOf(carry_, format_) == 0) {
    in_.close();
    if (whole) {
      return [name = name_, bytes = std::make_shared<std::string>(std::exchange(carry_, {})),
              options = options_](const EventSink& sink) {
        ReadWhole(name, *bytes, options, sink);
        sink(BytesDone{bytes->size()});
      };
    }
    carry_.clear();
    // The file is mapped, so that the system can reclaim its pages while it is read.
    absl::StatusOr<MappedFile> file = MappedFile::Open(path_);
    if (!file.ok()) return Fail(file.status());
    return [name = name_, file = std::make_shared<MappedFile>(*std::move(file)),
            options = options_](const EventSink& sink) {
      ReadWhole(name, file->bytes(), options, sink);
      sink(BytesDone{file->bytes().size()});
    };
  }
  line_ = 1;
  return NextPart();
}

size_t ImportSource::FillToCut() {
  for (size_t wanted = part_;; wanted += part_) {
    if (carry_.size() < wanted) {
      const size_t had = carry_.size();
      carry_.resize(wanted);
      in_.read(carry_.data() + had, static_cast<std::streamsize>(wanted - had));
      carry_.resize(had + static_cast<size_t>(in_.gcount()));
      if (carry_.size() < wanted) return carry_.size();  // end of file
    }
    if (const size_t cut = CutOf(carry_, format_); cut > 0) return cut;
  }
}

std::optional<ImportSource::Work> ImportSource::NextPart() {
  const size_t cut = FillToCut();
  if (in_.bad()) return Fail(name_, EIO);
  if (cut == 0) {
    in_.close();
    return std::nullopt;
  }
  auto bytes = std::make_shared<std::string>(carry_.substr(0, cut));
  carry_.erase(0, cut);
  const int first = line_;
  line_ += static_cast<int>(book::CountLineFeeds(*bytes));
  return [this, name = name_, path = path_, copy = copy_, bytes, first,
          format = format_](const EventSink& sink) {
    FilePart part{.name = name, .bytes = *bytes, .format = format, .first_line = first};
    if (first == 1) {
      const absl::StatusOr<Sha256> content = HashOfFile(path);
      if (!content.ok()) {
        Fail(content.status());
        return;
      }
      part.content = *content;
    }
    ReadPart(part, options_, sink);
    sink(BytesDone{bytes->size()});
  };
}

}  // namespace joseki::book
