#include "coordinator/services/server_health.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string_view>

#include "absl/time/clock.h"
#include "base/address.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/credentials.h"

namespace joseki::coordinator {
namespace {

// HealthCheckResponse{status: SERVING}, written by hand: the messages are two bytes at most, and
// gRPC installs no headers of the health protocol.
constexpr std::string_view kServing("\x08\x01", 2);
// HealthCheckRequest{service: ""}, the server as a whole. A ByteBuffer without a slice would be no
// message at all.
constexpr std::string_view kWholeServer("\x0a\x00", 2);

absl::Status NotServing(const std::string& address, const std::string& found) {
  return MakeProblem({.code = "not_serving",
                      .file = address,
                      .found = found,
                      .expected = "a coordinator that serves"},
                     absl::StatusCode::kUnavailable);
}

}  // namespace

absl::Status CheckHealth(const std::string& address, absl::Duration timeout,
                         const certificates::TlsFiles& tls) {
  RETURN_IF_ERROR(CheckDialled(address));
  ASSIGN_OR_RETURN(const ClientTls client,
                   MakeClientTls({.authority = tls.authority}, absl::Now()));
  grpc::GenericStub stub(
      grpc::CreateCustomChannel(address, client.credentials, ChannelArgumentsFor(client)));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + timeout));
  grpc::CompletionQueue queue;
  const grpc::Slice bytes_sent(kWholeServer.data(), kWholeServer.size());
  const grpc::ByteBuffer request(&bytes_sent, 1);
  const auto call =
      stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", request, &queue);
  grpc::ByteBuffer response;
  grpc::Status status;
  call->StartCall();
  call->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  if (!status.ok()) return NotServing(address, status.error_message());
  grpc::Slice slice;
  if (!response.DumpToSingleSlice(&slice).ok()) return NotServing(address, "no answer");
  const std::string_view bytes(reinterpret_cast<const char*>(slice.begin()), slice.size());
  if (bytes != kServing) return NotServing(address, "the answer " + Hex(bytes));
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
