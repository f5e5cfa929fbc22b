#include "coordinator/services/enroll_service.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/certificates/token.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/services/from_wire.h"
#include "proto/limits.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMaxRequestBytes = 4096;
constexpr size_t kWaiting = 64;

// No problem shows the secret.
absl::Status Check(const v1::EnrollRequest& request) {
  if (!certificates::IsSecret(request.token())) {
    return BadField("token", absl::StrCat(request.token().size(), " bytes"),
                    "64 hexadecimal digits");
  }
  if (!certificates::IsHolderName(request.worker())) {
    return BadField("worker", Quote(request.worker()), kNameWords);
  }
  if (request.request().size() > kMaxRequestBytes) {
    return BadField("request", absl::StrCat(request.request().size(), " bytes"),
                    absl::StrCat("at most ", kMaxRequestBytes));
  }
  return absl::OkStatus();
}

}  // namespace

EnrollService::EnrollService(std::optional<certificates::Authority> authority, const Clock& clock)
    : authority_(std::move(authority)), clock_(clock), pool_(std::in_place, 1, kWaiting) {}

grpc::ServerUnaryReactor* EnrollService::Enroll(grpc::CallbackServerContext*,
                                                const v1::EnrollRequest* request,
                                                v1::EnrollResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::Status status = Check(*request);
  if (status.ok() && !authority_) {
    status = MakeProblem({.code = "no_enrolment",
                          .found = "a coordinator without an authority's key",
                          .expected = "a certificate of `joseki certs worker`"},
                         absl::StatusCode::kFailedPrecondition);
  }
  if (!status.ok()) {
    call->Fail(status);
    return call.get();
  }
  const bool posted = pool_->Post([this, call, response, asked = *request] {
    const absl::StatusOr<std::string> certificate =
        authority_->Enroll(asked.token(), asked.worker(), asked.request(), clock_.Now());
    if (!certificate.ok()) {
      spdlog::warn("event=enrol_refused worker={} reason={}", asked.worker(),
                   ProblemOf(certificate.status()).code);
      return call->Fail(certificate.status());
    }
    spdlog::info("event=enrolled worker={}", asked.worker());
    call->Reply([&] { response->set_certificate(*certificate); });
  });
  if (!posted) call->Fail(absl::ResourceExhaustedError("too many nodes enrol at once; try again"));
  return call.get();
}

}  // namespace joseki::coordinator
