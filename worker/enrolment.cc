#include "worker/enrolment.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/certificates/certificate.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "worker/mistrust.h"

namespace joseki::worker {
namespace {

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path above = std::filesystem::path(folder).parent_path();
  if (!above.empty()) std::filesystem::create_directories(above, error);
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return FileProblem(errno, folder, "a folder that can be made");
}

// The key of an earlier attempt, or a new one.
absl::StatusOr<std::string> KeyIn(const std::string& path) {
  absl::StatusOr<std::string> key = ReadFile(path);
  if (!absl::IsNotFound(key.status())) return key;
  ASSIGN_OR_RETURN(std::string made, certificates::MakeKey());
  RETURN_IF_ERROR(WriteFileAtomically(path, made, 0600));
  return made;
}

}  // namespace

absl::Status EnsureEnrolled(const std::string& folder, const std::string& token_file,
                            const std::string& worker, const Enroller& enroll) {
  const certificates::TlsFiles files = certificates::TlsFiles::In(folder);
  if (std::filesystem::exists(files.certificate)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const certificates::JoinToken token, certificates::ReadToken(token_file));
  RETURN_IF_ERROR(MakeFolder(folder));
  RETURN_IF_ERROR(WriteFileAtomically(files.authority, token.authority));
  ASSIGN_OR_RETURN(const std::string key, KeyIn(files.key));
  ASSIGN_OR_RETURN(const std::string request, certificates::MakeRequest(key));
  ASSIGN_OR_RETURN(const std::string certificate,
                   enroll({files.authority, token.secret, worker, request}));
  RETURN_IF_ERROR(certificates::ReadCertificate(certificate, files.certificate).status());
  return WriteFileAtomically(files.certificate, certificate);
}

absl::Status EnrolAtLast(const std::function<absl::Status()>& attempt, Backoff backoff,
                         const std::function<bool(const absl::Status&, absl::Duration)>& pause) {
  Mistrust mistrust;
  for (;;) {
    const absl::Status status = attempt();
    if (!absl::IsUnavailable(status) && !absl::IsResourceExhausted(status) &&
        !absl::IsDeadlineExceeded(status)) {
      return status;
    }
    if (mistrust.IsFinal(status)) return status;
    if (!pause(status, backoff.Next())) {
      return absl::CancelledError("told to end before it was enrolled");
    }
  }
}

}  // namespace joseki::worker
