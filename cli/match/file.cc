#include "cli/match/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

absl::Status SystemProblem(const std::string& path, const char* what) {
  return MakeProblem({.code = "io_error",
                      .file = path,
                      .found = absl::StrCat(what, ": ", std::strerror(errno)),
                      .expected = "a file that can be written"},
                     absl::StatusCode::kInternal);
}

absl::Status BadFile(const std::string& path, int line, const std::string& found) {
  return MakeProblem({.code = "bad_match_file",
                      .file = path,
                      .line = line,
                      .found = found,
                      .expected = "a file that `joseki match` has written"},
                     absl::StatusCode::kFailedPrecondition);
}

// Settings without the names of files: these may move, and their hashes say what they are.
Json WithoutNames(Json settings) {
  if (!settings.is_object()) return settings;
  settings.erase("starts");
  for (const char* const side : {"a", "b"}) {
    const auto at = settings.find(side);
    if (at == settings.end() || !at->is_object()) continue;
    at->erase("name");
    if (const auto book = at->find("book"); book != at->end() && book->is_object()) {
      book->erase("name");
    }
  }
  return settings;
}

// The first difference between two settings: "a.nodes 500, not 400".
std::string Difference(const Json& have, const Json& want, const std::string& where) {
  if (!have.is_object() || !want.is_object()) {
    return absl::StrCat(where, " ", have.dump(), ", not ", want.dump());
  }
  for (const Json* const keys : {&have, &want}) {
    for (const auto& [key, unused] : keys->items()) {
      const Json one = have.value(key, Json());
      const Json other = want.value(key, Json());
      if (one == other) continue;
      return Difference(one, other, where.empty() ? key : absl::StrCat(where, ".", key));
    }
  }
  return "nothing";
}

std::string LineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

absl::StatusOr<std::unique_ptr<MatchFile>> MatchFile::Open(const std::string& path,
                                                           const Json& settings, uint64_t seed,
                                                           const Rules& rules) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return SystemProblem(path, "open");
  std::unique_ptr<MatchFile> file(new MatchFile(path, fd, /*to_read=*/false));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return MakeProblem({.code = "match_running",
                        .file = path,
                        .found = "another process that plays this match",
                        .expected = "its end, or another --out"},
                       absl::StatusCode::kFailedPrecondition);
  }
  RETURN_IF_ERROR(file->Load(settings, seed, rules));
  return file;
}

absl::StatusOr<std::unique_ptr<MatchFile>> MatchFile::OpenToRead(const std::string& path,
                                                                 const Json& settings,
                                                                 const Rules& rules) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemProblem(path, "open");
  std::unique_ptr<MatchFile> file(new MatchFile(path, fd, /*to_read=*/true));
  RETURN_IF_ERROR(file->Load(settings, 0, rules));
  return file;
}

MatchFile::~MatchFile() { close(fd_); }

absl::Status MatchFile::Load(const Json& settings, uint64_t seed, const Rules& rules) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path_));
  size_t good = 0;  // bytes of whole lines
  int number = 0;
  for (size_t end = bytes.find('\n'); end != std::string::npos; end = bytes.find('\n', good)) {
    const std::string_view line = std::string_view(bytes).substr(good, end - good);
    good = end + 1;
    ++number;
    last_ = line;
    const Json json = ParseJson<Json>(line);
    if (!json.is_object()) return BadFile(path_, number, Quote(line));
    if (number == 1) {
      const auto match = json.find("match");
      const auto seed_at = json.find("seed");
      if (match == json.end() || seed_at == json.end() || !seed_at->is_number_unsigned()) {
        return BadFile(path_, number, Quote(line));
      }
      if (WithoutNames(*match) != WithoutNames(settings)) {
        return MakeProblem({.code = "other_match",
                            .file = path_,
                            .found = "another match: " + Difference(*match, settings, ""),
                            .expected = "the same settings to go on, or another --out"},
                           absl::StatusCode::kFailedPrecondition);
      }
      seed_ = seed_at->get<uint64_t>();
    } else if (json.contains("pair")) {
      absl::StatusOr<MatchGame> game = MatchGameOf(json, rules);
      if (!game.ok()) return At(game.status(), path_, number);
      games_.push_back(*std::move(game));
    } else if (!json.contains("summary")) {
      return BadFile(path_, number, Quote(line));
    }
  }
  if (number == 0) {
    // A new file, or one whose first line is incomplete.
    if (!bytes.empty() && bytes.rfind("{\"schema\":1,\"match\":", 0) != 0) {
      return BadFile(path_, 1, Quote(bytes));
    }
    if (to_read_) return absl::OkStatus();
    if (ftruncate(fd_, 0) != 0) return SystemProblem(path_, "truncate");
    seed_ = seed;
    Json head;
    head["schema"] = 1;
    head["match"] = settings;
    head["seed"] = seed;
    RETURN_IF_ERROR(Append({head}));
    fresh_ = true;
    const std::filesystem::path folder = std::filesystem::absolute(path_).parent_path();
    const int folder_fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd >= 0) {
      fsync(folder_fd);
      close(folder_fd);
    }
    return absl::OkStatus();
  }
  if (!to_read_ && good < bytes.size() && ftruncate(fd_, static_cast<off_t>(good)) != 0) {
    return SystemProblem(path_, "truncate");
  }
  return absl::OkStatus();
}

absl::Status MatchFile::Append(const std::vector<Json>& lines) {
  fresh_ = false;
  std::string bytes;
  for (const Json& line : lines) {
    last_ = LineOf(line);
    absl::StrAppend(&bytes, last_, "\n");
  }
  if (lseek(fd_, 0, SEEK_END) < 0) return SystemProblem(path_, "seek");
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t written = write(fd_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemProblem(path_, "write");
    left.remove_prefix(static_cast<size_t>(written));
  }
  if (fdatasync(fd_) != 0) return SystemProblem(path_, "sync");
  return absl::OkStatus();
}

absl::Status MatchFile::AppendResult(const Json& result) {
  Json line;
  line["summary"] = result;
  return LineOf(line) == last_ ? absl::OkStatus() : Append({line});
}

void MatchFile::Withdraw() {
  if (fresh_) unlink(path_.c_str());
  fresh_ = false;
}

}  // namespace joseki::cli
