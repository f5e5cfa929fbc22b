#include "cli/load/certificates.h"

#include <fstream>

#include "absl/time/clock.h"
#include "base/certificates/authority.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

constexpr absl::Duration kLife = absl::Hours(48);

absl::Status Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return MakeProblem({.code = "file_error", .file = path, .expected = "a file that can be written"},
                     absl::StatusCode::kPermissionDenied);
}

}  // namespace

absl::StatusOr<LoadCertificates> LoadCertificates::Make(const std::string& folder) {
  const absl::Time now = absl::Now();
  ASSIGN_OR_RETURN(const certificates::Authority authority,
                   certificates::Authority::Create(folder, now));
  ASSIGN_OR_RETURN(const std::string operators,
                   authority.Issue(certificates::Role::kOperator, "load", now, kLife));
  LoadCertificates made;
  made.folder_ = folder;
  made.operator_ = certificates::TlsFiles::In(operators);
  ASSIGN_OR_RETURN(made.signer_.certificate, ReadFile(folder + "/ca.pem"));
  ASSIGN_OR_RETURN(made.signer_.key, ReadFile(folder + "/ca.key"));
  ASSIGN_OR_RETURN(made.key_, certificates::MakeKey());
  RETURN_IF_ERROR(Write(folder + "/load.key", made.key_));
  return made;
}

absl::StatusOr<certificates::TlsFiles> LoadCertificates::Worker(const std::string& name) const {
  const absl::Time now = absl::Now();
  certificates::Identity identity{.role = certificates::Role::kWorker, .name = name};
  ASSIGN_OR_RETURN(identity.serial, certificates::MakeSerial());
  ASSIGN_OR_RETURN(
      const std::string certificate,
      certificates::SignClient(signer_, key_, identity, {now - absl::Minutes(5), now + kLife}));
  const std::string path = folder_ + "/" + name + ".pem";
  RETURN_IF_ERROR(Write(path, certificate));
  return certificates::TlsFiles{folder_ + "/ca.pem", path, folder_ + "/load.key"};
}

}  // namespace joseki::cli
