#include "proto/grpc_status.h"

#include "base/problem.h"
#include "base/retry_after.h"
#include "gtest/gtest.h"
#include "joseki/v1/error.pb.h"

namespace joseki {
namespace {

TEST(GrpcStatus, CarriesProblemAndRetryThereAndBack) {
  const absl::Status sent =
      WithRetryAfter(MakeProblem({.code = "queue_full", .found = "a", .expected = "b"},
                                 absl::StatusCode::kResourceExhausted),
                     absl::Milliseconds(1500));
  const absl::Status received = FromGrpc(ToGrpc(sent));
  EXPECT_EQ(received.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(received.message(), sent.message());
  EXPECT_EQ(ProblemOf(received).code, "queue_full");
  EXPECT_EQ(ProblemOf(received).expected, "b");
  EXPECT_EQ(RetryAfterOf(received), absl::Milliseconds(1500));
}

TEST(GrpcStatus, SpeaksAsGoogleRpcStatusDoes) {
  const grpc::Status wire =
      ToGrpc(WithRetryAfter(absl::UnavailableError("later"), absl::Milliseconds(2250)));
  v1::ErrorStatus details;
  ASSERT_TRUE(details.ParseFromString(wire.error_details()));
  EXPECT_EQ(details.code(), 14);
  EXPECT_EQ(details.message(), "later");
  ASSERT_EQ(details.details_size(), 1);
  EXPECT_EQ(details.details(0).type_url(), "type.googleapis.com/google.rpc.RetryInfo");
  v1::RetryInfo info;
  ASSERT_TRUE(info.ParseFromString(details.details(0).value()));
  EXPECT_EQ(info.retry_delay().seconds(), 2);
  EXPECT_EQ(info.retry_delay().nanos(), 250'000'000);
}

TEST(GrpcStatus, SaysNothingWhereThereIsNothingToSay) {
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_TRUE(FromGrpc(grpc::Status::OK).ok());
  EXPECT_EQ(ToGrpc(absl::AbortedError("x")).error_details(), "");
  EXPECT_EQ(RetryAfterOf(FromGrpc(ToGrpc(absl::AbortedError("x")))), std::nullopt);
}

TEST(GrpcStatus, BelievesNoDetails) {
  const auto received = [](const std::string& details) {
    return FromGrpc(grpc::Status(grpc::StatusCode::UNAVAILABLE, "x", details));
  };
  EXPECT_EQ(RetryAfterOf(received("no message of ours")), std::nullopt);
  const auto with_delay = [&](int64_t seconds) {
    v1::RetryInfo info;
    info.mutable_retry_delay()->set_seconds(seconds);
    v1::ErrorStatus details;
    details.add_details()->set_type_url("type.googleapis.com/google.rpc.RetryInfo");
    details.mutable_details(0)->set_value(info.SerializeAsString());
    return RetryAfterOf(received(details.SerializeAsString()));
  };
  EXPECT_EQ(with_delay(-5), std::nullopt);
  EXPECT_EQ(with_delay(0), std::nullopt);
  EXPECT_EQ(with_delay(1'000'000'000), absl::Hours(1)) << "nobody waits for ever";
}

}  // namespace
}  // namespace joseki
