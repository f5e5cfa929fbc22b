#include "engine/shogi/learn/part_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::learn {
namespace {

constexpr char kMagic[] = "joseki-part 1 ";
constexpr size_t kHashBytes = Sha256{}.size();
// Between two looks for a file: short at first, as parts of equal size end together.
constexpr absl::Duration kFirstPause = absl::Milliseconds(10);
constexpr absl::Duration kLongestPause = absl::Seconds(2);

std::string HashBytes(std::string_view bytes) {
  const Sha256 hash = Sha256Of(bytes);
  return std::string(hash.begin(), hash.end());
}

// The first word of each that the other does not have in its place.
std::pair<std::string, std::string> FirstDifference(const std::string& found,
                                                    const std::string& expected) {
  const std::vector<std::string> a = absl::StrSplit(found, ' ');
  const std::vector<std::string> b = absl::StrSplit(expected, ' ');
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  return {i < a.size() ? a[i] : "", i < b.size() ? b[i] : ""};
}

// `head`: the first line that the file must have, without its end.
absl::StatusOr<BonanzaSums> ReadPart(std::string_view bytes, const std::string& head) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.size() == bytes.size() || !line.starts_with(kMagic) ||
      bytes.size() < line.size() + 1 + kHashBytes) {
    return MakeProblem({.code = "bad_part",
                        .found = Quote(line),
                        .expected = absl::StrCat("a file that begins with ", kMagic)});
  }
  const std::string_view hashed = bytes.substr(0, bytes.size() - kHashBytes);
  const std::string_view hash = bytes.substr(hashed.size());
  if (HashBytes(hashed) != hash) {
    return MakeProblem({.code = "part_checksum",
                        .found = absl::StrCat(bytes.size(), " damaged bytes"),
                        .expected = "the bytes as they were written"});
  }
  if (line != head) {
    const auto [found, expected] = FirstDifference(std::string(line), head);
    return MakeProblem(
        {.code = "part_of_another_run", .found = Quote(found, 100), .expected = expected});
  }
  return ReadSums(hashed.substr(line.size() + 1));
}

}  // namespace

PartFolder::PartFolder(PartFolderOptions options, const Clock& clock,
                       std::function<void(absl::Duration)> wait)
    : options_(std::move(options)), clock_(clock), wait_(std::move(wait)) {}

std::string PartFolder::FileOf(const std::string& stage, size_t part) const {
  return absl::StrCat(options_.folder, "/", stage, ".part-", part + 1, "-of-", options_.part.count);
}

std::string PartFolder::HeadOf(const std::string& stage, std::string_view state,
                               size_t part) const {
  return absl::StrCat(kMagic, options_.run, " part=", part + 1, "/", options_.part.count,
                      " stage=", stage, " state=", Hex(Sha256Of(state)));
}

absl::Status PartFolder::Missing(const std::string& stage, size_t first) const {
  std::vector<size_t> missing = {first + 1};
  std::error_code ignored;
  for (size_t part = first + 1; part < options_.part.count; ++part) {
    if (!std::filesystem::exists(FileOf(stage, part), ignored)) missing.push_back(part + 1);
  }
  return MakeProblem({.code = "parts_missing",
                      .file = options_.folder,
                      .found = absl::StrCat("no file of part ", absl::StrJoin(missing, ", "),
                                            " of ", options_.part.count, " for ", stage, " after ",
                                            absl::FormatDuration(options_.patience)),
                      .expected = "files of all parts"},
                     absl::StatusCode::kDeadlineExceeded);
}

absl::StatusOr<BonanzaSums> PartFolder::Read(const std::string& stage, std::string_view state,
                                             size_t part) const {
  const std::string path = FileOf(stage, part);
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<BonanzaSums> sums = ReadPart(bytes, HeadOf(stage, state, part));
  if (!sums.ok()) return At(sums.status(), path);
  return sums;
}

absl::StatusOr<BonanzaSums> PartFolder::Total(const std::string& stage, std::string_view state,
                                              const std::function<BonanzaSums()>& own) const {
  const absl::Status earlier = Read(stage, state, options_.part.index).status();
  if (absl::IsNotFound(earlier)) {
    std::error_code ignored;  // a file that cannot be written says more
    std::filesystem::create_directories(options_.folder, ignored);
    std::string bytes = HeadOf(stage, state, options_.part.index) + "\n" + WriteSums(own());
    bytes += HashBytes(bytes);
    RETURN_IF_ERROR(WriteFileAtomically(FileOf(stage, options_.part.index), bytes));
  } else if (!earlier.ok()) {
    return earlier;
  }
  const absl::Time deadline = clock_.Now() + options_.patience;
  BonanzaSums total;
  for (size_t part = 0; part < options_.part.count; ++part) {
    absl::StatusOr<BonanzaSums> sums = Read(stage, state, part);
    for (absl::Duration pause = kFirstPause; absl::IsNotFound(sums.status());
         pause = std::min(2 * pause, kLongestPause)) {
      if (clock_.Now() >= deadline) return Missing(stage, part);
      wait_(pause);
      sums = Read(stage, state, part);
    }
    RETURN_IF_ERROR(sums.status());
    if (part == 0) {
      total = *std::move(sums);
    } else {
      total.Add(*sums);
    }
  }
  return total;
}

}  // namespace joseki::learn
