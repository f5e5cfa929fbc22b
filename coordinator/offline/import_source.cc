#include "coordinator/offline/import_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file.h"
#include "base/mapped_file.h"
#include "base/problem.h"
#include "coordinator/offline/archive.h"

namespace joseki::coordinator {

std::optional<ImportSource::Work> ImportSource::Fail(const std::string& path, int error) {
  status_ = MakeProblem({.code = "file_error",
                         .file = path,
                         .found = std::strerror(error),
                         .expected = "a readable file"},
                        absl::ErrnoToStatusCode(error));
  next_ = files_.size();
  return std::nullopt;
}

std::optional<ImportSource::Work> ImportSource::Next() {
  if (in_.is_open()) {
    if (std::optional<Work> part = NextPart()) return part;
  }
  if (next_ == files_.size()) return std::nullopt;
  name_ = files_[next_++];
  errno = 0;
  in_.open(name_, std::ios::binary);
  if (!in_.is_open()) return Fail(name_, errno != 0 ? errno : EIO);
  carry_.resize(part_);
  in_.read(carry_.data(), static_cast<std::streamsize>(part_));
  carry_.resize(static_cast<size_t>(in_.gcount()));
  if (in_.bad()) return Fail(name_, EIO);
  format_ = options_.from == ImportFormat::kByContent ? FormatOfContent(carry_) : options_.from;
  const bool whole = carry_.size() < part_;
  if (whole || IsArchive(carry_) || CutOf(carry_, format_) == 0) {
    in_.close();
    if (whole) {
      return [name = name_, bytes = std::make_shared<std::string>(std::exchange(carry_, {})),
              options = options_](const EventSink& sink) {
        ReadWhole(name, *bytes, options, sink);
        sink(BytesDone{bytes->size()});
      };
    }
    carry_.clear();
    // The system may take its pages back while it is read.
    absl::StatusOr<MappedFile> file = MappedFile::Open(name_);
    if (!file.ok()) {
      status_ = file.status();
      next_ = files_.size();
      return std::nullopt;
    }
    return [name = name_, file = std::make_shared<MappedFile>(*std::move(file)),
            options = options_](const EventSink& sink) {
      ReadWhole(name, file->bytes(), options, sink);
      sink(BytesDone{file->bytes().size()});
    };
  }
  const absl::StatusOr<Sha256> content = HashOfFile(name_);
  if (!content.ok()) {
    status_ = content.status();
    next_ = files_.size();
    return std::nullopt;
  }
  content_ = *content;
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
      if (carry_.size() < wanted) return carry_.size();  // the end of the file
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
  line_ += static_cast<int>(std::count(bytes->begin(), bytes->end(), '\n'));
  return [name = name_, bytes, first, format = format_, content = content_,
          options = options_](const EventSink& sink) {
    ReadPart(
        {.name = name, .bytes = *bytes, .format = format, .content = content, .first_line = first},
        options, sink);
    sink(BytesDone{bytes->size()});
  };
}

}  // namespace joseki::coordinator
