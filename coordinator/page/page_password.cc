#include "coordinator/page/page_password.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr size_t kShortest = 12;

absl::Status Bad(const std::string& path, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_password",
                      .file = path,
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     absl::StatusCode::kFailedPrecondition);
}

}  // namespace

absl::StatusOr<std::string> PagePassword(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    ASSIGN_OR_RETURN(const std::string made, certificates::MakeSecret());
    RETURN_IF_ERROR(WriteFileAtomically(path, made + "\n", kOwnerOnly));
    return made;
  }
  using std::filesystem::perms;
  if ((status.permissions() & (perms::group_all | perms::others_all)) != perms::none) {
    return Bad(path, "a file that others may read", "one of its owner alone (chmod 600)");
  }
  ASSIGN_OR_RETURN(std::string password, ReadFile(path));
  password.resize(std::min(password.size(), password.find_first_of("\r\n")));
  if (password.size() < kShortest) {
    return Bad(path, absl::StrCat("a password of ", password.size(), " characters"),
               absl::StrCat("at least ", kShortest));
  }
  return password;
}

}  // namespace joseki::coordinator
