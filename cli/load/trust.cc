#include "cli/load/trust.h"

#include <fstream>

#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "base/trust/authority.h"

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

absl::StatusOr<LoadTrust> LoadTrust::Make(const std::string& folder) {
  const absl::Time now = absl::Now();
  ASSIGN_OR_RETURN(const trust::Authority authority, trust::Authority::Create(folder, now));
  ASSIGN_OR_RETURN(const std::string operators,
                   authority.Issue(trust::Role::kOperator, "load", now, kLife));
  LoadTrust made;
  made.folder_ = folder;
  made.operator_ = trust::TlsFiles::In(operators);
  ASSIGN_OR_RETURN(made.signer_.certificate, ReadFile(folder + "/ca.pem"));
  ASSIGN_OR_RETURN(made.signer_.key, ReadFile(folder + "/ca.key"));
  ASSIGN_OR_RETURN(made.key_, trust::MakeKey());
  RETURN_IF_ERROR(Write(folder + "/load.key", made.key_));
  return made;
}

absl::StatusOr<trust::TlsFiles> LoadTrust::Worker(const std::string& name) const {
  const absl::Time now = absl::Now();
  trust::Identity identity{.role = trust::Role::kWorker, .name = name};
  ASSIGN_OR_RETURN(identity.serial, trust::MakeSerial());
  ASSIGN_OR_RETURN(
      const std::string certificate,
      trust::SignClient(signer_, key_, identity, {now - absl::Minutes(5), now + kLife}));
  const std::string path = folder_ + "/" + name + ".pem";
  RETURN_IF_ERROR(Write(path, certificate));
  return trust::TlsFiles{folder_ + "/ca.pem", path, folder_ + "/load.key"};
}

}  // namespace joseki::cli
