#include "coordinator/core/ledger.h"

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

RunRow Row(RunId run, int stage) {
  RunRow row;
  row.run = run;
  row.stage = stage;
  return row;
}

TEST(Ledger, GivesAllThatIsOwedOnce) {
  Ledger ledger;
  ledger.Owe(Row(1, 0));
  ledger.OweLeft(5, 700);
  ledger.OweEnd(9, LeaseState::kExpired);
  ledger.OweClosedCopies(1, SlotRef{9, 2});
  const Debt debt = ledger.Take();
  EXPECT_EQ(debt.runs.size(), 1u);
  EXPECT_EQ(debt.left.at(5), 700);
  EXPECT_EQ(debt.leases.at(9), LeaseState::kExpired);
  EXPECT_EQ(debt.closed.size(), 1u);
  const Debt rest = ledger.Take();
  EXPECT_TRUE(rest.runs.empty() && rest.left.empty() && rest.leases.empty() && rest.closed.empty());
}

TEST(Ledger, OwesTheNewestStateOfARow) {
  Ledger ledger;
  ledger.Owe(Row(1, 0));
  ledger.Owe(Row(1, 1));
  EXPECT_EQ(ledger.Take().runs.at(1).stage, 1);
}

TEST(Ledger, WhatCameAfterAFailedTransactionStands) {
  Ledger ledger;
  ledger.Owe(Row(1, 0));
  ledger.Owe(Row(2, 0));
  ledger.OweEnd(9, LeaseState::kExpired);
  Debt failed = ledger.Take();
  ledger.Owe(Row(1, 1));
  ledger.OweEnd(9, LeaseState::kFinished);
  ledger.Return(std::move(failed));
  const Debt debt = ledger.Take();
  EXPECT_EQ(debt.runs.at(1).stage, 1);
  EXPECT_EQ(debt.runs.at(2).stage, 0);
  EXPECT_EQ(debt.leases.at(9), LeaseState::kFinished);
}

TEST(Ledger, KeepsTheOrderOfListsOverAFailedTransaction) {
  Ledger ledger;
  const auto numbered = [](uint64_t number) {
    TrustChange change;
    change.change = number;
    return change;
  };
  ledger.Owe(numbered(1));
  ledger.Owe(numbered(2));
  Debt failed = ledger.Take();
  ledger.Owe(numbered(3));
  ledger.Return(std::move(failed));
  const Debt debt = ledger.Take();
  ASSERT_EQ(debt.trust.size(), 3u);
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(debt.trust[i].change, i + 1);
}

TEST(Ledger, OwesTheEndOfALeaseOnlyOnceItsRowIsThere) {
  Ledger ledger;
  ledger.ExpectRow(9);
  ledger.OweEnd(9, LeaseState::kGivenBack);
  EXPECT_TRUE(ledger.Take().leases.empty()) << "its row is not written yet";
  ledger.RowWritten(9);
  EXPECT_EQ(ledger.Take().leases.at(9), LeaseState::kGivenBack);
  ledger.OweEnd(9, LeaseState::kFinished);
  EXPECT_EQ(ledger.Take().leases.at(9), LeaseState::kFinished);
}

TEST(Ledger, OwesNothingOfALeaseWhoseRowFailed) {
  Ledger ledger;
  ledger.ExpectRow(9);
  ledger.OweEnd(9, LeaseState::kGivenBack);
  ledger.RowFailed(9);
  EXPECT_TRUE(ledger.Take().leases.empty());
  ledger.RowWritten(9);
  EXPECT_TRUE(ledger.Take().leases.empty());
}

TEST(Ledger, SaysWhoseCheckpointIsStillToBeDropped) {
  Ledger ledger;
  ledger.OweDroppedCheckpoint(3, 7);
  EXPECT_TRUE(ledger.OwesDroppedCheckpoint(3));
  EXPECT_FALSE(ledger.OwesDroppedCheckpoint(4));
  Debt failed = ledger.Take();
  EXPECT_EQ(failed.dropped.at(3), 7u);
  EXPECT_FALSE(ledger.OwesDroppedCheckpoint(3));
  ledger.Return(std::move(failed));
  EXPECT_TRUE(ledger.OwesDroppedCheckpoint(3));
}

}  // namespace
}  // namespace joseki::coordinator
